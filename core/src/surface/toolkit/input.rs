//! Keys and mouse input of code bodies that name no element: what has the focus, or lies under the point, is their target.

use super::act::Tried;
use super::door::{CallError, PointerAct};
use super::limits;
use super::page::{SessionDoor, error, failed};
use crate::action::{Failure, Intent, Phase};
use crate::aria::AriaFrame;
use crate::page::{CaptureSpec, NodeIdx};
use crate::port::{Browser, Host, Millis, MouseStep, Op, Point, Reply, Stroke, TabInfo};
use crate::refs::{RefEntry, entry_of};
use alloc::{vec, vec::Vec};
use serde_json::Value;

impl<B: Browser, H: Host> SessionDoor<B, H> {
    /// Keys to whatever has the focus.
    pub(super) async fn keyboard(
        &self,
        page: &str,
        strokes: Vec<Stroke>,
        delay: u64,
    ) -> Result<Value, CallError> {
        let until = self.until(limits::OPEN_MS);
        let batches: Vec<Vec<Stroke>> = match delay {
            0 => vec![strokes],
            _ => strokes.into_iter().map(|stroke| vec![stroke]).collect(),
        };
        for batch in batches {
            let tab = self.tab(page)?;
            let entry = self.focused(&tab, until).await?;
            let intent = Intent::Keys { strokes: batch, focus: false };
            self.perform_at(&tab, &entry, None, intent, until).await.map_err(Tried::told)?;
            self.follow(&tab, until).await.map_err(Tried::told)?;
            if delay > 0 {
                let engine = &self.session.engine;
                engine.host().sleep_until(engine.now().plus(delay).min(self.deadline)).await;
            }
        }
        Ok(Value::Null)
    }

    async fn focused(&self, tab: &TabInfo, until: Millis) -> Result<RefEntry, CallError> {
        let deadline = self.reading_until(until);
        let captured = self.session.engine.capture(tab.tab, CaptureSpec::TEXT, deadline).await;
        let capture = captured.map_err(|error| failed(&Failure::driver(Phase::Read, &error)))?;
        let frame = capture.top();
        let is_body = |at: &NodeIdx| frame.element(*at).is_some_and(|e| e.is_html("body"));
        let count = NodeIdx::try_from(frame.nodes.len()).unwrap_or(NodeIdx::MAX);
        let at = frame.focused.or_else(|| (0..count).find(is_body)).unwrap_or_default();
        let views = [AriaFrame::new(frame)];
        entry_of(&capture, &views, (0, at))
            .ok_or_else(|| error("detached", "the page has no element that could take keys"))
    }

    /// Mouse input at a point of the viewport.
    pub(super) async fn mouse(
        &self,
        page: &str,
        (x, y): (f64, f64),
        act: PointerAct,
    ) -> Result<Value, CallError> {
        let tab = self.tab(page)?;
        let until = self.until(limits::OPEN_MS);
        let point = Point { x, y };
        let op = Op::NodeAt { tab: tab.tab, point };
        let Reply::NodeAt(Some(node)) = self.op(op, until, Phase::Resolve).await? else {
            return Err(error(
                "outside_viewport",
                "nothing takes input at that point of the viewport",
            ));
        };
        let captured = self.session.engine.capture(tab.tab, CaptureSpec::TEXT, until).await;
        let capture = captured.map_err(|error| failed(&Failure::driver(Phase::Read, &error)))?;
        let views = [AriaFrame::new(capture.top())];
        let at = capture.find(node).filter(|(frame, _)| *frame == 0);
        let entry = at.and_then(|at| entry_of(&capture, &views, at));
        let entry =
            entry.ok_or_else(|| error("detached", "what was at that point is gone; try again"))?;
        let steps = match act {
            PointerAct::Move => vec![MouseStep::Move],
            PointerAct::Down { button, count } => {
                vec![MouseStep::Move, MouseStep::Down { button, count }]
            }
            PointerAct::Up { button, count } => {
                vec![MouseStep::Move, MouseStep::Up { button, count }]
            }
            PointerAct::Wheel { dx, dy } => vec![MouseStep::Move, MouseStep::Wheel { dx, dy }],
            PointerAct::Click { button, count } => {
                let mut steps = vec![MouseStep::Move];
                for count in 1..=count {
                    steps.push(MouseStep::Down { button, count });
                    steps.push(MouseStep::Up { button, count });
                }
                steps
            }
        };
        let intent = Intent::Mouse { steps };
        self.perform_at(&tab, &entry, Some(point), intent, until).await.map_err(Tried::told)?;
        self.follow(&tab, until).await.map_err(Tried::told)?;
        Ok(Value::Null)
    }
}
