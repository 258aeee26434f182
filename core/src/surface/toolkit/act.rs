//! Actions of code bodies: Playwright's waiting around the act path's own guards.

use super::door::{Action, CallError, OptionWish};
use super::find::{One, is_ref};
use super::limits;
use super::page::{SessionDoor, error, failed};
use super::tools;
use crate::action::{Act, Aim, Effect, Failure, Intent, Phase, verify, wrong_reply};
use crate::aria::{AriaFrame, Tristate};
use crate::locate::{Locator, Patterns};
use crate::page::{CaptureSpec, Rect, collapse};
use crate::port::{
    Browser, DispatchEvidence, Host, Key, Millis, Modifiers, Op, Point, Reply, ScrollWhat,
    SettleSpec, Stroke, TabInfo, Typing,
};
use crate::refs::RefEntry;
use crate::tool::Descriptor;
use alloc::{boxed::Box, format, string::String, vec, vec::Vec};
use serde_json::{Value, json};

/// Codes of what may pass by itself while one waits.
const PASSING: &[&str] = &[
    "detached",
    "not_visible",
    "outside_viewport",
    "not_stable",
    "disabled",
    "inert",
    "occluded",
    "no_pointer_events",
    "stale_ref",
    "document_gone",
    "target_changed",
    "no_such_option",
];

impl<B: Browser, H: Host> SessionDoor<B, H> {
    pub(super) async fn act(
        &self,
        page: &str,
        locator: &Locator,
        action: Action,
        patterns: &dyn Patterns,
        timeout: u64,
    ) -> Result<Value, CallError> {
        let until = self.until(timeout);
        let mut last: Option<CallError> = None;
        loop {
            let tab = self.tab(page)?;
            let one = match self.find_one(&tab, locator, patterns, until).await {
                Ok(one) => one,
                Err(error) => return Err(told_last(error, last)),
            };
            match self.act_once(&tab, &one, &action, patterns, until).await {
                Ok(value) => return Ok(value),
                Err(Tried::Final(error)) => return Err(error),
                Err(Tried::Passing(failure)) => {
                    let is_final = is_ref(locator) && failure.code == "stale_ref";
                    let error = failed(&failure);
                    if is_final {
                        return Err(error);
                    }
                    if self.session.engine.now() >= until {
                        return Err(CallError { is_timeout: true, ..error });
                    }
                    last = Some(error);
                    self.pause(until).await;
                }
            }
        }
    }

    async fn act_once(
        &self,
        tab: &TabInfo,
        one: &One,
        action: &Action,
        patterns: &dyn Patterns,
        until: Millis,
    ) -> Result<Value, Tried> {
        let click =
            |button, double, modifiers| Intent::Click { button, double, trusted: true, modifiers };
        match action {
            Action::Click { button, count, modifiers } => {
                let (button, modifiers) = (*button, *modifiers);
                for at in 0..count.div_ceil(2) {
                    let is_double = at < count / 2;
                    let done = self.perform(tab, one, click(button, is_double, modifiers), until);
                    done.await.map_err(|tried| tried.behind(usize::from(at) * 2, "clicks"))?;
                }
                self.follow(tab, until).await?;
            }
            Action::Fill { value } => {
                let how = Typing::Replace;
                let intent = Intent::Type { text: value.clone(), how, submit: false };
                self.perform(tab, one, intent, until).await?;
            }
            Action::Type { text, delay } => {
                self.type_keys(tab, one, text, *delay, until).await?;
                self.follow(tab, until).await?;
            }
            Action::Press { strokes } => {
                let intent = Intent::Keys { strokes: strokes.clone(), focus: true };
                self.perform(tab, one, intent, until).await?;
                self.follow(tab, until).await?;
            }
            Action::SetChecked { checked } => {
                if is_checked(one)? != *checked {
                    let button = crate::port::Button::Left;
                    let intent = click(button, false, Modifiers::default());
                    self.perform(tab, one, intent, until).await?;
                    self.follow(tab, until).await?;
                    self.check_checked(tab, one, *checked, until).await?;
                }
            }
            Action::SelectOption { options } => {
                let values = wanted_options(one, options)?;
                let evidence = self.perform(tab, one, Intent::Select { values }, until).await?;
                self.follow(tab, until).await?;
                return Ok(json!(selected_values(one, &evidence)));
            }
            Action::Hover => drop(self.perform(tab, one, Intent::Hover, until).await?),
            Action::Focus => drop(self.perform(tab, one, Intent::Focus, until).await?),
            Action::Blur => drop(self.perform(tab, one, Intent::Blur, until).await?),
            Action::ScrollIntoView => {
                let what = ScrollWhat::IntoView(one.entry.key);
                let deadline = self.reading_until(until);
                let op = Op::Scroll { tab: tab.tab, what };
                self.op(op, deadline, Phase::Dispatch).await.map_err(Tried::Final)?;
            }
            Action::DragTo { target } => {
                let to = self.find_one(tab, target, patterns, until).await;
                let to = to.map_err(Tried::Final)?.entry;
                let intent = Intent::Drag { to: Box::new(to), others: Vec::new() };
                self.perform(tab, one, intent, until).await?;
                self.follow(tab, until).await?;
            }
        }
        Ok(Value::Null)
    }

    /// One write through the act path: guarded, permitted, judged by what the page showed then.
    async fn perform(
        &self,
        tab: &TabInfo,
        one: &One,
        intent: Intent,
        until: Millis,
    ) -> Result<DispatchEvidence, Tried> {
        self.perform_at(tab, &one.entry, None, intent, until).await
    }

    pub(super) async fn perform_at(
        &self,
        tab: &TabInfo,
        entry: &RefEntry,
        point: Option<Point>,
        intent: Intent,
        until: Millis,
    ) -> Result<DispatchEvidence, Tried> {
        let tool: &Descriptor = match &intent {
            Intent::Type { .. } | Intent::Select { .. } | Intent::Keys { .. } => &tools::EXEC_FILL,
            Intent::Click { .. }
            | Intent::Hover
            | Intent::Focus
            | Intent::Blur
            | Intent::Mouse { .. }
            | Intent::Drag { .. } => &tools::EXEC_CLICK,
        };
        let aim = Aim::Entry { entry, others: &[] };
        let act = Act { tool, tab: tab.tab, aim, point, intent };
        let deadline = self.reading_until(until);
        let (_, wrote) = self.session.engine.perform(&act, deadline).await.map_err(sorted)?;
        verify(&wrote).map_err(|failure| Tried::Final(failed(&failure)))?;
        Ok(wrote.evidence)
    }

    /// A started write is given some time even where that of the call is over.
    pub(super) fn reading_until(&self, until: Millis) -> Millis {
        until.max(self.session.engine.now().plus(limits::STATUS_MS))
    }

    /// Waits for the document of a navigation that an action started.
    pub(super) async fn follow(&self, tab: &TabInfo, until: Millis) -> Result<(), Tried> {
        let engine = &self.session.engine;
        let since = engine.noted();
        let spec = SettleSpec {
            since,
            min_ms: 10,
            quiet_ms: 0,
            cap_ms: 50,
            load_ms: limits::ACTION_LOAD_MS,
        };
        let op = Op::Settle { tab: tab.tab, spec };
        match engine.ask(op, self.reading_until(until), Phase::Settle).await {
            Ok(Reply::Settled(settled)) => engine.note_events(&settled.events),
            Ok(_) => return Err(Tried::Final(failed(&wrong_reply(Phase::Settle)))),
            // The page went away by its own doing: what was asked for was done.
            Err(failure) if matches!(failure.code, "tab_gone" | "tab_crashed") => {}
            Err(failure) => return Err(Tried::Final(failed(&failure))),
        }
        self.look_at_tabs().await.map_err(Tried::Final)
    }

    async fn type_keys(
        &self,
        tab: &TabInfo,
        one: &One,
        text: &str,
        delay: u64,
        until: Millis,
    ) -> Result<(), Tried> {
        let strokes: Vec<Stroke> = text.chars().map(stroke_of).collect();
        if delay == 0 {
            let intent = Intent::Keys { strokes, focus: true };
            return self.perform(tab, one, intent, until).await.map(drop);
        }
        for (sent, stroke) in strokes.into_iter().enumerate() {
            let intent = Intent::Keys { strokes: vec![stroke], focus: true };
            let typed = self.perform(tab, one, intent, until).await;
            typed.map_err(|tried| tried.behind(sent, "characters"))?;
            let engine = &self.session.engine;
            engine.host().sleep_until(engine.now().plus(delay).min(self.deadline)).await;
        }
        Ok(())
    }

    async fn check_checked(
        &self,
        tab: &TabInfo,
        one: &One,
        wanted: bool,
        until: Millis,
    ) -> Result<(), Tried> {
        let deadline = self.reading_until(until);
        let captured = self.session.engine.capture(tab.tab, CaptureSpec::TEXT, deadline).await;
        let Ok(capture) = captured else { return Ok(()) };
        let Some((0, at)) = capture.find(one.entry.key) else { return Ok(()) };
        let now = One { capture, at, entry: one.entry.clone() };
        if is_checked(&now)? == wanted {
            return Ok(());
        }
        Err(Tried::Final(error("l1_not_effective", "clicking did not change its state")))
    }

    /// The element's box, once it is in view.
    pub(super) async fn box_of(
        &self,
        page: &str,
        locator: &Locator,
        patterns: &dyn Patterns,
        until: Millis,
    ) -> Result<Rect, CallError> {
        let tab = self.tab(page)?;
        let one = self.find_one(&tab, locator, patterns, until).await?;
        let node = one.entry.key;
        let deadline = self.reading_until(until);
        let what = ScrollWhat::IntoView(node);
        self.op(Op::Scroll { tab: tab.tab, what }, deadline, Phase::Read).await?;
        match self.op(Op::Probe { tab: tab.tab, node }, deadline, Phase::Read).await? {
            Reply::Probe(Some(probe)) if probe.rect.has_area() => Ok(probe.rect),
            _ => Err(error("not_visible", "the element has no box that could be shown")),
        }
    }
}

/// How a try ended.
pub(super) enum Tried {
    /// It may pass while one waits; nothing was done.
    Passing(Failure),
    /// It will not, or something was done.
    Final(CallError),
}

impl Tried {
    /// Where a part was sent already, trying again from the start would send it twice.
    fn behind(self, sent: usize, what: &str) -> Self {
        match self {
            Self::Passing(failure) if sent > 0 => {
                let CallError { code, message, .. } = failed(&failure);
                Self::Final(error(&code, format!("{message}; {sent} {what} were sent before")))
            }
            tried => tried,
        }
    }

    pub(super) fn told(self) -> CallError {
        match self {
            Self::Passing(failure) => failed(&failure),
            Self::Final(error) => error,
        }
    }
}

fn sorted(failure: Failure) -> Tried {
    let is_passing = failure.effect == Effect::None
        && (PASSING.contains(&failure.code)
            || failure.code == "not_editable" && failure.message.contains("read-only"));
    if is_passing { Tried::Passing(failure) } else { Tried::Final(failed(&failure)) }
}

/// The wait for an element ended: what kept the action back before says more.
fn told_last(error: CallError, last: Option<CallError>) -> CallError {
    match last {
        Some(last) if error.is_timeout => CallError { is_timeout: true, ..last },
        _ => error,
    }
}

fn stroke_of(c: char) -> Stroke {
    let key: String = c.into();
    match Key::of(&key) {
        Ok(_) => Stroke::Press { key, modifiers: Modifiers::default() },
        // What no key types comes as an input method gives it.
        Err(_) => Stroke::Insert { text: key },
    }
}

fn is_checked(one: &One) -> Result<bool, Tried> {
    let aria = AriaFrame::new(one.capture.top());
    match aria.states(one.at).checked {
        Some(state) => Ok(state == Tristate::True),
        None => Err(Tried::Final(error("not_editable", "it is not a checkbox or radio button"))),
    }
}

/// Options as the act path takes them: by value, else by label.
fn wanted_options(one: &One, wanted: &[OptionWish]) -> Result<Vec<String>, Tried> {
    let all = options(one);
    let none = |what: String| {
        let message = format!("the select has no option with {what}");
        Tried::Passing(Failure::new(
            "no_such_option",
            Phase::Precheck,
            crate::action::Retry::Never,
            message,
        ))
    };
    wanted
        .iter()
        .map(|wish| match wish {
            OptionWish::Either(text) => Ok(text.clone()),
            OptionWish::Value(value) => match all.iter().any(|(own, _)| own == value) {
                true => Ok(value.clone()),
                false => Err(none(format!("the value {value:?}"))),
            },
            OptionWish::Label(label) => {
                let found = all.iter().find(|(_, own)| *own == collapse(label));
                found
                    .map(|(value, _)| value.clone())
                    .ok_or_else(|| none(format!("the label {label:?}")))
            }
            OptionWish::Index(index) => {
                let found = all.get(*index as usize);
                found
                    .map(|(value, _)| value.clone())
                    .ok_or_else(|| none(format!("the index {index}")))
            }
        })
        .collect()
}

/// Value and label of each option of a select.
fn options(one: &One) -> Vec<(String, String)> {
    let frame = one.capture.top();
    let mut all = Vec::new();
    for at in one.at + 1..frame.node(one.at).end {
        let Some(option) = frame.element(at).filter(|element| element.is_html("option")) else {
            continue;
        };
        let text = collapse(&crate::aria::text_content(frame, at));
        let label = option.attr("label").filter(|label| !label.is_empty());
        let label = label.map_or_else(|| text.clone(), collapse);
        all.push((option.attr("value").map_or(text, String::from), label));
    }
    all
}

fn selected_values(one: &One, evidence: &DispatchEvidence) -> Vec<String> {
    let all = options(one);
    let places = evidence.selected.iter();
    places.filter_map(|place| all.get(*place as usize)).map(|(value, _)| value.clone()).collect()
}
