//! Guarded writes: what the guard says must hold at the moment of the write.

use crate::dom::{Dom, InputKind};
use crate::probe::{is_disabled, mark};
use crate::world::{Page, State};
use backlot_core::frame::{Point, points_from_top};
use backlot_core::page::{NodeId, NodeKey};
use backlot_core::planted::{self, Bug};
use backlot_core::port::{
    Dispatch, DispatchEvidence, DispatchOutcome, Guard, HitAnswer, InputPlan, MouseStep, NotSent,
};

impl State {
    /// Checks the guard and writes, in one step.
    pub(crate) fn dispatch(&mut self, dispatch: &Dispatch) -> DispatchOutcome {
        match self.try_dispatch(dispatch) {
            Ok(evidence) => DispatchOutcome::Done(evidence),
            Err(reason) => DispatchOutcome::NotSent(reason),
        }
    }

    fn try_dispatch(&mut self, dispatch: &Dispatch) -> Result<DispatchEvidence, NotSent> {
        self.live_tab(dispatch.tab).map_err(NotSent::Failed)?;
        let target = dispatch.permit.target();
        let guard = &dispatch.guard;
        if target.node != Some(guard.node) || target.tab.is_some_and(|tab| tab != dispatch.tab) {
            let error = crate::port::refused("dispatch", "the permit is for another target");
            return Err(NotSent::Failed(error));
        }
        let page = self.page_of(dispatch.tab, guard.node).ok_or(NotSent::Gone)?;
        self.check(page, guard, &dispatch.plan)?;
        let key = guard.node;
        let done = match &dispatch.plan {
            InputPlan::Click { button, double } => {
                self.click(key, dispatch.tab, (*button, *double))
            }
            InputPlan::TrustedClick { button, double, modifiers: _ } => {
                let mut steps = vec![MouseStep::Move];
                for count in 1..=if *double { 2 } else { 1 } {
                    steps.push(MouseStep::Down { button: *button, count });
                    steps.push(MouseStep::Up { button: *button, count });
                }
                self.mouse(dispatch.tab, key, &guard.points, &steps);
                None
            }
            InputPlan::Type { text, how, submit } => {
                Some(self.type_text(dispatch.tab, key, text, *how, *submit)?)
            }
            InputPlan::Select { options } => {
                self.select(key, options)?;
                None
            }
            InputPlan::Hover => {
                self.mouse(dispatch.tab, key, &guard.points, &[MouseStep::Move]);
                None
            }
            InputPlan::Mouse { steps } => {
                self.mouse(dispatch.tab, key, &guard.points, steps);
                None
            }
            InputPlan::Drag { to } => {
                let page = self.page_of(dispatch.tab, to.node).ok_or(NotSent::Gone)?;
                self.check(page, to, &dispatch.plan)?;
                self.drag(dispatch.tab, (key, &guard.points), (to.node, &to.points));
                None
            }
            InputPlan::Keys { strokes, focus } => {
                self.keys(dispatch.tab, key, strokes, *focus)?;
                None
            }
            InputPlan::Blur => {
                let frame = key.document.frame;
                if self.pages.get(&frame).and_then(|page| page.dom.focused) == Some(key.node) {
                    self.set_focus(frame, None);
                }
                None
            }
            InputPlan::Focus => {
                let frame = key.document.frame;
                self.focus(frame, key.node);
                let focused = self.pages.get(&frame).and_then(|page| page.dom.focused);
                if focused != Some(key.node) {
                    return Err(NotSent::Unfit);
                }
                None
            }
        };
        self.page_changed(dispatch.tab);
        Ok(self.evidence(key, &dispatch.plan, done))
    }

    fn check(&self, page: &Page, guard: &Guard, plan: &InputPlan) -> Result<(), NotSent> {
        let (dom, id) = (&page.dom, guard.node.node);
        if planted::is(Bug::GuardSkipped) {
            return Ok(());
        }
        if self.chain_of(page) != guard.chain {
            return Err(NotSent::Gone);
        }
        let mark = mark(dom, id, guard.context.map(|key| key.node));
        if mark != guard.mark && !planted::is(Bug::MarkIgnored) {
            return Err(NotSent::Recycled);
        }
        let rect = page.rect(id).unwrap_or_default();
        if rect.drift(&guard.rect) > guard.tolerance_px {
            return Err(NotSent::Moved);
        }
        let disabled = is_disabled(dom, id) && !planted::is(Bug::DisabledIgnored);
        let inert = self.is_inert(page, id) && !planted::is(Bug::InertIgnored);
        if disabled || inert {
            return Err(NotSent::NotEnabled);
        }
        if !is_fit(dom, id, plan) {
            return Err(NotSent::Unfit);
        }
        if !guard.points.is_empty() {
            let drift = self.points_drift(page, &guard.points);
            if drift > guard.tolerance_px && !planted::is(Bug::FrameDriftIgnored) {
                return Err(NotSent::Moved);
            }
            match self.hit(guard.node, &guard.points) {
                HitAnswer::Target => {}
                HitAnswer::Gone => return Err(NotSent::Gone),
                other => return Err(NotSent::Covered(other)),
            }
        }
        Ok(())
    }

    /// How far the frames around a page have moved since these points were told, CSS pixels. Each of the points may meet its
    /// frame as before and not be the same place any more.
    fn points_drift(&self, page: &Page, points: &[Point]) -> f64 {
        let Some(innermost) = points.last() else { return 0.0 };
        let Ok(now) = points_from_top(*innermost, &self.steps(page)) else { return f64::INFINITY };
        if now.len() != points.len() {
            // The hit test has a word for that.
            return 0.0;
        }
        let drifts = now
            .iter()
            .zip(points)
            .map(|(now, told)| (now.x - told.x).abs().max((now.y - told.y).abs()));
        drifts.fold(0.0, f64::max)
    }

    fn chain_of(&self, page: &Page) -> Vec<backlot_core::page::DocumentKey> {
        let mut chain = vec![page.document];
        let mut owner = page.owner;
        while let Some(parent) = owner.and_then(|(parent, _)| self.pages.get(&parent)) {
            chain.push(parent.document);
            owner = parent.owner;
        }
        chain.reverse();
        chain
    }

    /// What the page shows now. `asked` is the text that was typed.
    fn evidence(&self, key: NodeKey, plan: &InputPlan, asked: Option<String>) -> DispatchEvidence {
        let mut evidence = DispatchEvidence {
            value: None,
            value_matches: None,
            selected: Vec::new(),
            default_prevented: false,
        };
        let Some(page) = self.page(key.document) else { return evidence };
        let (dom, id) = (&page.dom, key.node);
        let has_value = match dom.html_tag(id) {
            "textarea" => true,
            "input" => !dom.input_kind(id).is_some_and(InputKind::is_textless),
            _ => false,
        };
        let now = if has_value { Some(dom.value(id)) } else { None };
        if let (InputPlan::Type { .. }, Some(asked)) = (plan, asked) {
            let holds = match &now {
                Some(now) => *now == asked,
                None => dom.text_content(id) == asked,
            };
            evidence.value_matches = Some(holds);
        }
        evidence.value = now.filter(|_| !crate::capture::is_secret(dom, id));
        if dom.is_html(id, "select") {
            let places = (0..).zip(dom.options(id));
            evidence.selected =
                places.filter(|(_, option)| dom.is_selected(*option)).map(|(at, _)| at).collect();
        }
        evidence
    }
}

/// Whether the target can take the plan at all.
fn is_fit(dom: &Dom, id: NodeId, plan: &InputPlan) -> bool {
    match plan {
        InputPlan::Click { .. }
        | InputPlan::TrustedClick { .. }
        | InputPlan::Hover
        | InputPlan::Focus
        | InputPlan::Blur
        | InputPlan::Keys { .. }
        | InputPlan::Mouse { .. }
        | InputPlan::Drag { .. } => dom.element(id).is_some(),
        InputPlan::Type { .. } => {
            let readonly = dom.has_attr(id, "readonly");
            match dom.html_tag(id) {
                "textarea" => !readonly,
                "input" => {
                    let kind = dom.input_kind(id).unwrap_or(InputKind::Text);
                    !readonly && !kind.is_textless() && kind != InputKind::File
                }
                _ => dom.editing_host(id).is_some(),
            }
        }
        InputPlan::Select { options } => {
            let count = dom.options(id).len();
            dom.is_html(id, "select")
                && options.iter().all(|at| (*at as usize) < count)
                && (options.len() <= 1 || dom.has_attr(id, "multiple"))
        }
    }
}
