//! What an agent wants of an element, and the input that does it.

use super::actionability::Need;
use super::failure::{Failure, NotActionable, Phase, Retry};
use crate::page::{Capture, Element, FieldValue, Frame, NodeIdx, collapse};
use crate::planted::{self, Bug};
use crate::port::{Button, InputPlan, Modifiers, MouseStep, Stroke, Typing};
use crate::refs::{RefEntry, Resolved};
use crate::text::quoted;
use alloc::{format, string::String, vec::Vec};

/// A wish, as the tool's arguments say it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Intent {
    /// Click. `modifiers` count for a trusted click only.
    Click { button: Button, double: bool, trusted: bool, modifiers: Modifiers },
    /// Enter text.
    Type { text: String, how: Typing, submit: bool },
    /// Select options, by value, else by label.
    Select { values: Vec<String> },
    /// Move the pointer there.
    Hover,
    /// Give it the focus.
    Focus,
    /// Take the focus from it.
    Blur,
    /// Give it the focus, if `focus` says so, and send keys.
    Keys { strokes: Vec<Stroke>, focus: bool },
    /// Mouse steps at its middle.
    Mouse { steps: Vec<MouseStep> },
    /// Drag it onto another element; `others` are the entries that were given together with that one.
    Drag { to: alloc::boxed::Box<RefEntry>, others: Vec<RefEntry> },
}

impl Intent {
    /// What was done with the target, as reports say it.
    pub(crate) fn done(&self) -> &'static str {
        match self {
            Self::Click { double: true, .. } => "double-clicked",
            Self::Click { .. } => "clicked",
            Self::Type { submit: true, .. } => "typed into and submitted",
            Self::Type { .. } => "typed into",
            Self::Select { .. } => "selected in",
            Self::Hover => "moved the pointer to",
            Self::Focus => "focused",
            Self::Blur => "took the focus from",
            Self::Keys { .. } => "sent keys to",
            Self::Mouse { .. } => "used the mouse on",
            Self::Drag { .. } => "dragged",
        }
    }

    /// The input for this target, and what the target must be able to do.
    pub(super) fn plan(
        &self,
        capture: &Capture,
        target: &Resolved,
    ) -> Result<(InputPlan, Need), Failure> {
        let (frame_at, at) = target.at;
        let frame = &capture.frames[frame_at as usize];
        let element =
            frame.element(at).ok_or_else(|| Failure::not_actionable(&NotActionable::Detached))?;
        match self {
            Self::Click { button, double, trusted, modifiers } => {
                if element.is_html("option") {
                    return Err(Failure::not_actionable(&NotActionable::NotEditable(
                        "options are chosen with select_option on their select",
                    )));
                }
                let (button, modifiers) = (*button, *modifiers);
                let double = *double && !planted::is(Bug::DoubleClickedOnce);
                let plan = match trusted {
                    true => InputPlan::TrustedClick { button, double, modifiers },
                    false => InputPlan::Click { button, double },
                };
                Ok((plan, Need::Pointer))
            }
            Self::Type { text, how, submit } => {
                check_takes_text(frame, at, element)?;
                // A text area knows one kind of line break.
                let text = match element.is_html("textarea") {
                    true => text.replace("\r\n", "\n").replace('\r', "\n"),
                    false => text.clone(),
                };
                if element.is_html("input") && text.contains(['\n', '\r']) {
                    return Err(Failure::arguments(
                        "Invalid parameters for type: text: a field of one line takes no line breaks; with submit the \
                         form is sent",
                    ));
                }
                check_length(element, &text, *how)?;
                let submit = *submit && !planted::is(Bug::SubmitForgotten);
                let how = if planted::is(Bug::AppendReplaces) { Typing::Replace } else { *how };
                Ok((InputPlan::Type { text, how, submit }, Need::Editable))
            }
            Self::Select { values } => Ok((
                InputPlan::Select { options: options(frame, at, element, values)? },
                Need::Control,
            )),
            Self::Hover => Ok((InputPlan::Hover, Need::Pointer)),
            Self::Focus => Ok((InputPlan::Focus, Need::Present)),
            Self::Blur => Ok((InputPlan::Blur, Need::Present)),
            Self::Keys { strokes, focus } => {
                Ok((InputPlan::Keys { strokes: strokes.clone(), focus: *focus }, Need::Present))
            }
            Self::Mouse { steps } => Ok((InputPlan::Mouse { steps: steps.clone() }, Need::Pointer)),
            // The end's guard takes the place of this one: it has to be found on the page first.
            Self::Drag { .. } => Ok((InputPlan::Hover, Need::Pointer)),
        }
    }
}

fn check_takes_text(frame: &Frame, at: NodeIdx, element: &Element) -> Result<(), Failure> {
    let not_editable = |why| Err(Failure::not_actionable(&NotActionable::NotEditable(why)));
    if element.is_html("textarea") {
        return Ok(());
    }
    if element.is_html("select") {
        return not_editable("it is a select; use select_option");
    }
    if element.is_html("input") {
        return match element.input_type().as_str() {
            "checkbox" | "radio" => not_editable("it is a check box or radio button; use click"),
            "button" | "submit" | "reset" | "image" => not_editable("it is a button; use click"),
            "file" => not_editable("it is a file field"),
            "hidden" => not_editable("it is a hidden field"),
            _ => Ok(()),
        };
    }
    let mut up = Some(at);
    while let Some(here) = up {
        match frame.element(here).and_then(|element| element.attr("contenteditable")) {
            Some(word) if word.eq_ignore_ascii_case("false") => break,
            Some(_) => return Ok(()),
            None => up = frame.node(here).parent,
        }
    }
    not_editable("it is no text field")
}

/// `maxlength` holds back a person's keys and no script: the rule is kept here.
fn check_length(element: &Element, text: &str, how: Typing) -> Result<(), Failure> {
    let is_limited = element.is_html("textarea")
        || matches!(
            element.input_type().as_str(),
            "text" | "search" | "url" | "tel" | "email" | "password"
        ) && element.is_html("input");
    let most = element.attr("maxlength").and_then(|most| most.trim().parse::<usize>().ok());
    let Some(most) = most.filter(|_| is_limited) else { return Ok(()) };
    let before = match (how, element.control.as_ref().map(|control| &control.value)) {
        (Typing::Append | Typing::AppendSlowly, Some(FieldValue::Text(value))) => {
            value.encode_utf16().count()
        }
        _ => 0,
    };
    let wanted = before + text.encode_utf16().count();
    if text.is_empty() || wanted <= most {
        return Ok(());
    }
    Err(Failure::new(
        "too_long",
        Phase::Precheck,
        Retry::Never,
        format!(
            "the field takes {most} characters at most and would hold {wanted}; nothing was entered; give a shorter text"
        ),
    ))
}

/// Places of the wanted options. Each wanted string matches by value first; where no value fits, by label. Nothing is
/// changed before all of them are found.
fn options(
    frame: &Frame,
    at: NodeIdx,
    element: &Element,
    wanted: &[String],
) -> Result<Vec<u32>, Failure> {
    if !element.is_html("select") {
        return Err(Failure::not_actionable(&NotActionable::NotEditable(
            "it is not a select element; for a list built of other elements click it and then the option",
        )));
    }
    let all = select_options(frame, at);
    if wanted.len() > 1 && !element.has_attr("multiple") {
        return Err(Failure::arguments(
            "Invalid parameters for select_option: values: this select takes one value only",
        ));
    }
    let mut chosen = Vec::new();
    for want in wanted {
        let by_value = all.iter().position(|option| option.value == *want);
        let by_label = || all.iter().position(|option| collapse(&option.label) == collapse(want));
        let found = match planted::is(Bug::LabelBeforeValue) {
            true => by_label().or(by_value),
            false => by_value.or_else(by_label),
        };
        let Some(found) = found else { return Err(no_such_option(&all)) };
        if all[found].is_disabled {
            let failure = Failure::new(
                "disabled",
                Phase::Precheck,
                Retry::Never,
                "the option is disabled; choose another one",
            );
            return Err(failure);
        }
        chosen.extend(u32::try_from(found));
    }
    chosen.sort_unstable();
    chosen.dedup();
    Ok(chosen)
}

fn no_such_option(all: &[SelectOption]) -> Failure {
    const LISTED_MAX: usize = 50;
    let mut lines: Vec<String> = all
        .iter()
        .take(LISTED_MAX)
        .map(|option| {
            format!("- {} [value={}]", quoted(&option.label, 100), quoted(&option.value, 100))
        })
        .collect();
    if all.len() > LISTED_MAX {
        lines.push(format!("[omitted: {} options]", all.len() - LISTED_MAX));
    }
    Failure::new(
        "no_such_option",
        Phase::Precheck,
        Retry::Never,
        "no option has that value or label; nothing was changed; the options are listed",
    )
    .with_detail(lines.join("\n"))
}

struct SelectOption {
    value: String,
    label: String,
    is_disabled: bool,
}

/// The options of a select in the order of its `options` (HTML standard, "The select element").
fn select_options(frame: &Frame, select: NodeIdx) -> Vec<SelectOption> {
    let mut all = Vec::new();
    for at in select + 1..frame.node(select).end {
        let Some(option) = frame.element(at).filter(|element| element.is_html("option")) else {
            continue;
        };
        let text = collapse(&text_of(frame, at));
        let in_disabled_group = frame
            .node(at)
            .parent
            .and_then(|parent| frame.element(parent))
            .is_some_and(|group| group.is_html("optgroup") && group.has_attr("disabled"));
        all.push(SelectOption {
            value: option.attr("value").map_or_else(|| text.clone(), Into::into),
            label: option.attr("label").filter(|label| !label.is_empty()).map_or(text, Into::into),
            is_disabled: option.has_attr("disabled") || in_disabled_group,
        });
    }
    all
}

fn text_of(frame: &Frame, at: NodeIdx) -> String {
    let mut text = String::new();
    for inner in at + 1..frame.node(at).end {
        if let crate::page::NodeData::Text(data) = &frame.node(inner).data {
            text.push_str(data);
        }
    }
    text
}
