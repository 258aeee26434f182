//! Whether a target can be acted on now: attached, visible, in viewport, stable, enabled, editable, receives events.
//!
//! All but a moving target fail at once. Nothing here writes to the page; scrolling into view is all it does.

use super::engine::{Engine, wrong_reply};
use super::failure::{Failure, NotActionable, Phase, Retry};
use super::limits;
use crate::frame::{Point, points_from_top};
use crate::page::{NodeKey, Rect, TabId, Visibility};
use crate::planted::{self, Bug};
use crate::port::{HitAnswer, Host, Millis, Op, Port, Probe, Reply, ScrollWhat};
use crate::text::{header_piece, quoted};
use alloc::{format, string::String, vec::Vec};

/// What an action needs of its target.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Need {
    /// It receives pointer events at its middle.
    Pointer,
    /// It takes text.
    Editable,
    /// It is a control that is set directly.
    Control,
    /// It is in the document: keys and focus ask no more, and where it cannot have the focus nothing is sent.
    Present,
}

/// A target that can be acted on.
pub(super) struct Ready {
    pub(super) probe: Probe,
    /// The middle of the target in each frame's viewport, top first; empty if no pointer is needed.
    pub(super) points: Vec<Point>,
}

impl<P: Port, H: Host> Engine<P, H> {
    /// Checks in the order of the design and waits only for a moving target.
    pub(super) async fn make_ready(
        &self,
        tab: TabId,
        node: NodeKey,
        need: Need,
        deadline: Millis,
    ) -> Result<Ready, Failure> {
        let first = self.probe(tab, node, deadline).await?;
        if need == Need::Present {
            return Ok(Ready { probe: first, points: Vec::new() });
        }
        check_visible(&first)?;
        let what = ScrollWhat::IntoView(node);
        self.ask(Op::Scroll { tab, what }, deadline, Phase::Precheck).await?;
        let probe = self.wait_stable(tab, node, deadline).await?;
        check_visible(&probe)?;
        if !in_viewport(&probe) {
            return Err(Failure::not_actionable(&NotActionable::OutsideViewport));
        }
        if probe.inert && !planted::is(Bug::InertIgnored) {
            return Err(Failure::not_actionable(&NotActionable::Inert));
        }
        if probe.disabled && !planted::is(Bug::DisabledIgnored) {
            return Err(Failure::not_actionable(&NotActionable::Disabled));
        }
        if need == Need::Editable && probe.readonly {
            return Err(Failure::not_actionable(&NotActionable::NotEditable("it is read-only")));
        }
        let points = match need {
            Need::Pointer if planted::is(Bug::HitTestSkipped) => Vec::new(),
            Need::Pointer => self.check_receives(tab, node, &probe, deadline).await?,
            Need::Editable | Need::Control | Need::Present => Vec::new(),
        };
        Ok(Ready { probe, points })
    }

    pub(super) async fn probe(
        &self,
        tab: TabId,
        node: NodeKey,
        deadline: Millis,
    ) -> Result<Probe, Failure> {
        match self.ask(Op::Probe { tab, node }, deadline, Phase::Precheck).await? {
            Reply::Probe(Some(probe)) => Ok(probe),
            Reply::Probe(None) => Err(Failure::not_actionable(&NotActionable::Detached)),
            _ => Err(wrong_reply(Phase::Precheck)),
        }
    }

    /// Two samples in a row with the same box.
    async fn wait_stable(
        &self,
        tab: TabId,
        node: NodeKey,
        deadline: Millis,
    ) -> Result<Probe, Failure> {
        let give_up = self.now().plus(limits::STABLE_MS).min(deadline);
        let mut last = self.probe(tab, node, deadline).await?;
        loop {
            let sample_at = self.now().plus(limits::STABLE_SAMPLE_MS).min(deadline);
            self.host().sleep_until(sample_at).await;
            let next = self.probe(tab, node, deadline).await?;
            let tolerance = limits::STABLE_TOLERANCE_PX;
            if last.rect.drift(&next.rect) <= tolerance || planted::is(Bug::StabilityIgnored) {
                return Ok(next);
            }
            if self.now() >= give_up {
                return Err(Failure::not_actionable(&NotActionable::NotStable(limits::STABLE_MS)));
            }
            last = next;
        }
    }

    async fn check_receives(
        &self,
        tab: TabId,
        node: NodeKey,
        probe: &Probe,
        deadline: Millis,
    ) -> Result<Vec<Point>, Failure> {
        let (x, y) = visible_part(probe).center();
        let points = points_from_top(Point { x, y }, &probe.frames)
            .map_err(|why| Failure::not_actionable(&NotActionable::UnsupportedFrame(why.reason)))?;
        let op = Op::HitTest { tab, node, points: points.clone() };
        match self.ask(op, deadline, Phase::Precheck).await? {
            Reply::Hit(HitAnswer::Target) => Ok(points),
            Reply::Hit(hit) => Err(self.covered(tab, &hit)),
            _ => Err(wrong_reply(Phase::Precheck)),
        }
    }

    /// The failure for what a hit test found instead of the target.
    pub(super) fn covered(&self, tab: TabId, hit: &HitAnswer) -> Failure {
        match hit {
            HitAnswer::Covered { node, tag, id, text } => {
                let elem_ref = self.ref_text(tab, *node);
                Failure::not_actionable(&NotActionable::Covered).with_detail(format!(
                    "covered by {}",
                    cover_text(tag, id, text, elem_ref.as_deref())
                ))
            }
            HitAnswer::Gone => Failure::not_actionable(&NotActionable::Detached),
            HitAnswer::Nothing | HitAnswer::Target => Failure::new(
                "no_pointer_events",
                Phase::Precheck,
                Retry::Never,
                "the target receives no pointer events at its middle; choose the element that a person would click",
            ),
        }
    }
}

/// `<div id="overlay"> "text" [ref=…]`
fn cover_text(tag: &str, id: &str, text: &str, elem_ref: Option<&str>) -> String {
    let mut out = format!("<{}", header_piece(tag, 40));
    if !id.is_empty() {
        out.push_str(&format!(" id={}", quoted(id, 100)));
    }
    out.push('>');
    if !text.is_empty() {
        out.push_str(&format!(" {}", quoted(text, 60)));
    }
    if let Some(elem_ref) = elem_ref {
        out.push_str(&format!(" [ref={elem_ref}]"));
    }
    out
}

fn check_visible(probe: &Probe) -> Result<(), Failure> {
    let why = if planted::is(Bug::HiddenIgnored) {
        return Ok(());
    } else if !probe.rendered {
        "it is not rendered"
    } else if probe.style.visibility != Visibility::Visible {
        "its visibility is hidden"
    } else if !probe.rect.has_area() {
        "its box is empty"
    } else {
        return Ok(());
    };
    Err(Failure::not_actionable(&NotActionable::NotVisible(why)))
}

fn viewport(probe: &Probe) -> Rect {
    let own = probe.frames.last().map(|step| step.viewport).unwrap_or_default();
    Rect { x: 0.0, y: 0.0, ..own }
}

fn in_viewport(probe: &Probe) -> bool {
    visible_part(probe).has_area()
}

/// The part of the target inside its frame's viewport.
fn visible_part(probe: &Probe) -> Rect {
    let (view, rect) = (viewport(probe), probe.rect);
    let (left, top) = (rect.x.max(view.x), rect.y.max(view.y));
    Rect {
        x: left,
        y: top,
        width: ((rect.x + rect.width).min(view.width) - left).max(0.0),
        height: ((rect.y + rect.height).min(view.height) - top).max(0.0),
    }
}
