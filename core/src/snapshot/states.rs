//! What an element's line says besides its name: role word, states, and whether it stands at all.

use super::line::State;
use crate::aria::{AriaFrame, Hidden, Role, Tristate};
use crate::interactive::written_role;
use crate::page::{Element, FieldValue, Frame, NodeIdx};
use alloc::{string::String, vec::Vec};

/// The role word of an element's line; `None` for elements that have no line of their own.
pub(super) fn printed_role(
    aria: &AriaFrame<'_>,
    at: NodeIdx,
    element: &Element,
    has_ref: bool,
) -> Option<&'static str> {
    if element.is_html("form") {
        return Some("form");
    }
    if element.is_html("iframe") || element.is_html("frame") {
        return Some("iframe");
    }
    if element.is_html("canvas") && !element.has_attr("role") {
        return Some("canvas");
    }
    let role = aria.role(at);
    if let Some(word) = structural(role) {
        return Some(word);
    }
    if !has_ref {
        return None;
    }
    if element.is_html("input") && matches!(role, Role::NoRole | Role::Generic) {
        // HTML-AAM gives these no ARIA role; a person would call them this.
        return Some(match element.input_type().as_str() {
            "file" => "file",
            "color" => "color",
            _ => "textbox",
        });
    }
    if matches!(role, Role::NoRole | Role::Generic)
        && let Some(written) = written_role(element)
    {
        return Some(written.as_str());
    }
    Some(match role {
        Role::NoRole | Role::None | Role::Generic => match element.tag.as_str() {
            "summary" => "button",
            "video" => "video",
            "audio" => "audio",
            _ => "generic",
        },
        other => other.as_str(),
    })
}

/// Roles that are worth a line without a ref. All others hand their place to their children.
fn structural(role: Role) -> Option<&'static str> {
    match role {
        Role::Generic
        | Role::None
        | Role::NoRole
        | Role::Paragraph
        | Role::Strong
        | Role::Emphasis
        | Role::Subscript
        | Role::Superscript
        | Role::Code
        | Role::Time
        | Role::Mark
        | Role::Insertion
        | Role::Deletion
        | Role::Suggestion
        | Role::Rowgroup
        | Role::Caption
        | Role::Document => None,
        other => Some(other.as_str()),
    }
}

/// Roles that print a name made of their content even without a ref. For the others the content stands below.
pub(super) fn prints_content_name(role: &str) -> bool {
    matches!(
        role,
        "button"
            | "cell"
            | "checkbox"
            | "columnheader"
            | "gridcell"
            | "heading"
            | "link"
            | "menuitem"
            | "menuitemcheckbox"
            | "menuitemradio"
            | "option"
            | "radio"
            | "rowheader"
            | "switch"
            | "tab"
            | "tooltip"
            | "treeitem"
    )
}

/// Cells: with controls in them, their content stands below and is not said twice.
pub(super) fn is_cell(role: &str) -> bool {
    matches!(role, "cell" | "gridcell" | "columnheader" | "rowheader")
}

/// Roles that say nothing without a name.
pub(super) fn needs_name(role: &str) -> bool {
    matches!(
        role,
        "img"
            | "image"
            | "region"
            | "group"
            | "graphics-document"
            | "graphics-symbol"
            | "graphics-object"
    )
}

/// Roles that keep their line inside a name that holds their text.
pub(super) fn stands_inside_a_name(role: &str) -> bool {
    matches!(role, "iframe" | "canvas" | "option")
}

/// Elements whose children are not shown: their text is a value, or a fallback that nobody sees.
pub(super) fn is_leaf(element: &Element) -> bool {
    element.namespace == crate::page::Namespace::Html
        && matches!(
            element.tag.as_str(),
            "input"
                | "textarea"
                | "img"
                | "canvas"
                | "video"
                | "audio"
                | "meter"
                | "progress"
                | "embed"
                | "datalist"
        )
}

/// States in the order of the format: level, type, checked or value, disabled, expanded, selected, checked by ARIA,
/// invalid, current, pressed.
pub(super) fn states(
    aria: &AriaFrame<'_>,
    frame: &Frame,
    at: NodeIdx,
    element: &Element,
) -> Vec<State> {
    let known = aria.states(at);
    let mut states = Vec::new();
    if aria.role(at) == Role::Heading {
        states.extend(known.level.map(State::Level));
    }
    states.extend(printed_type(element).map(State::Type));
    let is_native_toggle =
        element.is_html("input") && matches!(element.input_type().as_str(), "checkbox" | "radio");
    let toggle = match known.checked {
        Some(Tristate::True) => Some(State::Checked),
        Some(Tristate::Mixed) => Some(State::Mixed),
        Some(Tristate::False) | None => None,
    };
    if is_native_toggle {
        states.extend(toggle.clone());
    } else {
        states.extend(value(aria, frame, at, element));
    }
    if known.disabled {
        states.push(State::Disabled);
    }
    states.extend(known.expanded.map(|open| if open { State::Expanded } else { State::Collapsed }));
    if known.selected == Some(true) {
        states.push(State::Selected);
    }
    if !is_native_toggle {
        states.extend(toggle);
    }
    if known.invalid.is_some() {
        states.push(State::Invalid);
    }
    if known.current.is_some() {
        states.push(State::Current);
    }
    if matches!(known.pressed, Some(Tristate::True | Tristate::Mixed)) {
        states.push(State::Pressed);
    }
    states
}

/// Input types that the role does not say already.
fn printed_type(element: &Element) -> Option<&'static str> {
    const SHOWN: &[&str] = &[
        "color",
        "date",
        "datetime-local",
        "email",
        "image",
        "month",
        "password",
        "tel",
        "time",
        "url",
        "week",
    ];
    let given = element.input_type();
    SHOWN.iter().copied().find(|word| *word == given)
}

fn value(aria: &AriaFrame<'_>, frame: &Frame, at: NodeIdx, element: &Element) -> Option<State> {
    if element.is_html("select") {
        return selected_label(aria, frame, at).filter(|label| !label.is_empty()).map(State::Value);
    }
    match &element.control.as_ref()?.value {
        FieldValue::None => None,
        FieldValue::Secret { filled } => filled.then_some(State::Filled),
        FieldValue::Text(text) => (!text.is_empty()).then(|| State::Value(text.clone())),
    }
}

/// Label of the one selected option of a closed `select`.
fn selected_label(aria: &AriaFrame<'_>, frame: &Frame, select: NodeIdx) -> Option<String> {
    let element = frame.element(select)?;
    if element.has_attr("multiple") {
        return None;
    }
    let end = frame.node(select).end;
    let option = (select + 1..end).find(|at| {
        frame.element(*at).is_some_and(|option| {
            option.is_html("option")
                && option.control.as_ref().is_some_and(|control| control.selected)
        })
    })?;
    (!matches!(aria.hidden(option), Hidden::SubtreeHidden(_))).then(|| aria.name(option).text)
}
