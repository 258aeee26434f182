//! What a case expects of the accessibility of its elements, as one line for each.
//!
//! `role "name" description "…" [state] …`; `hidden: why` for what is kept from all users; `invisible` before what only its own
//! style hides. Everything that core knows of the element stands in the line, so that a case cannot pass on half of it.

use backlot_core::aria::{AriaFrame, Hidden, HiddenReason, Invalid, States, Tristate, Unseen};
use backlot_core::page::{Capture, NodeIdx};
use std::collections::BTreeMap;
use std::fmt::Write;

/// What does not come out as expected, one piece for each element.
pub(crate) fn judge(capture: &Capture, expected: &BTreeMap<String, String>) -> Result<(), String> {
    let mut wrong = String::new();
    for (id, wanted) in expected {
        let got = told(capture, id).unwrap_or_else(|| "no such element".into());
        if got != *wanted {
            let _ = write!(wrong, "\n#{id}\n- {wanted}\n+ {got}");
        }
    }
    if wrong.is_empty() { Ok(()) } else { Err(format!("accessibility differs{wrong}")) }
}

/// The line of the first element with this id, in whatever frame or shadow tree.
fn told(capture: &Capture, id: &str) -> Option<String> {
    capture.frames.iter().find_map(|frame| {
        let mut places = (0..).zip(&frame.nodes).map(|(at, _)| at);
        let at = places.find(|at| frame.element(*at).is_some_and(|e| e.attr("id") == Some(id)))?;
        Some(line(&AriaFrame::new(frame), at))
    })
}

fn line(aria: &AriaFrame<'_>, at: NodeIdx) -> String {
    let mut line = match aria.hidden(at) {
        Hidden::SubtreeHidden(reason) => return format!("hidden: {}", why(reason)),
        Hidden::NodeHidden => "invisible ".to_owned(),
        Hidden::Shown => String::new(),
    };
    let role = aria.role(at).as_str();
    line.push_str(if role.is_empty() { "no role" } else { role });
    let name = aria.name(at).text;
    if !name.is_empty() {
        let _ = write!(line, " {name:?}");
    }
    let description = aria.description(at);
    if !description.is_empty() {
        let _ = write!(line, " description {description:?}");
    }
    for state in words(&aria.states(at)) {
        let _ = write!(line, " [{state}]");
    }
    if aria.is_inert(at) {
        line.push_str(" [inert]");
    }
    match aria.unseen(at) {
        Some(Unseen::NoArea) => line.push_str(" [no area]"),
        Some(Unseen::Clipped) => line.push_str(" [clipped]"),
        None => {}
    }
    line
}

fn why(reason: HiddenReason) -> &'static str {
    match reason {
        HiddenReason::NotRendered => "not rendered",
        HiddenReason::ClosedDetails => "closed details",
        HiddenReason::ContentsSkipped => "contents skipped",
        HiddenReason::UntilFound => "until found",
        HiddenReason::Unslotted => "unslotted",
        HiddenReason::AriaHidden => "aria-hidden",
    }
}

fn words(states: &States) -> Vec<String> {
    let mut words = Vec::new();
    let tristate = |name: &str, state: Option<Tristate>| {
        let word = match state? {
            Tristate::True => "true",
            Tristate::False => "false",
            Tristate::Mixed => "mixed",
        };
        Some(format!("{name}={word}"))
    };
    let valued = |name: &str, value: Option<&dyn std::fmt::Display>| {
        value.map(|value| format!("{name}={value}"))
    };
    let flag = |name: &str, is: bool| is.then(|| name.to_owned());
    let invalid = states.invalid.map(|invalid| match invalid {
        Invalid::Grammar => "invalid=grammar".to_owned(),
        Invalid::Spelling => "invalid=spelling".to_owned(),
        Invalid::Other => "invalid".to_owned(),
    });
    let text = |value: &'_ Option<String>| value.clone();
    words.extend(valued("level", states.level.as_ref().map(|level| level as _)));
    words.extend(tristate("checked", states.checked));
    words.extend(tristate("pressed", states.pressed));
    words.extend(valued("selected", states.selected.as_ref().map(|is| is as _)));
    words.extend(valued("expanded", states.expanded.as_ref().map(|is| is as _)));
    words.extend(flag("disabled", states.disabled));
    words.extend(flag("readonly", states.readonly));
    words.extend(flag("required", states.required));
    words.extend(invalid);
    words.extend(states.autocomplete.map(|word| format!("autocomplete={word}")));
    words.extend(text(&states.autofill).map(|word| format!("autofill={word}")));
    words.extend(flag("secret", states.secret));
    words.extend(text(&states.current).map(|word| format!("current={word}")));
    words.extend(flag("busy", states.busy));
    words.extend(flag("focused", states.focused));
    words.extend(states.has_popup.map(|word| format!("haspopup={word}")));
    words.extend(states.horizontal.map(|is| if is { "horizontal" } else { "vertical" }.to_owned()));
    words.extend(flag("active descendant", states.active_descendant.is_some()));
    words.extend(flag("modal", states.modal));
    words.extend(flag("multiselectable", states.multiselectable));
    words.extend(text(&states.value_text).map(|value| format!("text={value}")));
    words.extend(text(&states.value_now).map(|value| format!("now={value}")));
    words.extend(text(&states.value_min).map(|value| format!("min={value}")));
    words.extend(text(&states.value_max).map(|value| format!("max={value}")));
    words
}
