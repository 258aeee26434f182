//! Which elements get a ref, and why (seed 000, section 1.2).

use crate::aria::{AriaFrame, Hidden, Role};
use crate::page::{Element, Frame, Namespace, NodeData, NodeIdx};
use alloc::{vec, vec::Vec};

/// Why an element has a ref.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum InteractiveReason {
    /// A control, link, summary or media element with controls of HTML or SVG.
    Element,
    /// An explicit role of a control.
    Role,
    /// It takes the focus: `tabindex` of 0 or more.
    Tabindex,
    /// The host of editable content.
    Editable,
    /// It has a listener attribute of its own for clicks, mouse, pointer or keys.
    Listener,
    /// `cursor: pointer` begins here.
    Pointer,
    /// A form: something to refer to, as in the seed's example.
    Form,
}

/// For each node of a frame, the reason for a ref; `None` for all that have none.
///
/// Inert and hidden elements have none. Weak reasons (a pointer cursor, a listener attribute) collapse to the targets inside:
/// a pointer element gives way to any visible target in it, a listener element only if it shows nothing of its own besides.
pub fn interactive(aria: &AriaFrame<'_>) -> Vec<Option<InteractiveReason>> {
    let frame = aria.lookup().frame();
    let mut reasons: Vec<Option<InteractiveReason>> = vec![None; frame.nodes.len()];
    for (at, node) in (0..).zip(&frame.nodes) {
        if let NodeData::Element(element) = &node.data {
            reasons[at as usize] = own_reason(aria, frame, at, element)
                .filter(|_| aria.hidden(at) == Hidden::Shown && !aria.is_inert(at));
        }
    }
    collapse(frame, aria, &mut reasons);
    reasons
}

fn own_reason(
    aria: &AriaFrame<'_>,
    frame: &Frame,
    at: NodeIdx,
    element: &Element,
) -> Option<InteractiveReason> {
    if is_control(frame, at, element) {
        return Some(InteractiveReason::Element);
    }
    if element.has_attr("role") && is_control_role(aria.role(at)) || written_role(element).is_some()
    {
        return Some(InteractiveReason::Role);
    }
    if tabindex(element).is_some_and(|index| index >= 0) {
        return Some(InteractiveReason::Tabindex);
    }
    if is_editing_host(frame, at, element) {
        return Some(InteractiveReason::Editable);
    }
    if element.is_html("form") {
        return Some(InteractiveReason::Form);
    }
    // Listeners on `html` and `body` delegate for everything below; they make no target of those.
    if matches!(element.tag.as_str(), "html" | "body") {
        return None;
    }
    if ["onclick", "onmousedown", "onpointerdown", "onkeydown"]
        .iter()
        .any(|name| element.has_attr(name))
    {
        return Some(InteractiveReason::Listener);
    }
    let points = |at: NodeIdx| {
        frame
            .element(at)
            .and_then(|element| element.style.known())
            .is_some_and(|style| style.cursor_pointer)
    };
    let begins_here = points(at) && !aria.lookup().flat_parent(at).is_some_and(points);
    begins_here.then_some(InteractiveReason::Pointer)
}

fn is_control(frame: &Frame, at: NodeIdx, element: &Element) -> bool {
    match element.namespace {
        Namespace::Html => match element.tag.as_str() {
            "a" | "area" => element.has_attr("href"),
            "button" | "select" | "textarea" => true,
            "input" => element.input_type() != "hidden",
            "audio" | "video" => element.has_attr("controls"),
            "summary" => is_details_summary(frame, at),
            _ => false,
        },
        Namespace::Svg => {
            element.tag == "a" && (element.has_attr("href") || element.has_attr("xlink:href"))
        }
        Namespace::MathMl | Namespace::Other => false,
    }
}

/// Only the first `summary` child of a `details` toggles it.
fn is_details_summary(frame: &Frame, at: NodeIdx) -> bool {
    let Some(parent) = frame.node(at).parent else { return false };
    frame.element(parent).is_some_and(|parent| parent.is_html("details"))
        && frame
            .children(parent)
            .find(|child| frame.element(*child).is_some_and(|child| child.is_html("summary")))
            == Some(at)
}

/// The control role that the page wrote, where it does not count for lack of context: a tab outside a tab list is one to whoever
/// sees it.
pub(crate) fn written_role(element: &Element) -> Option<Role> {
    let tokens = element.attr("role")?.split_ascii_whitespace();
    tokens.filter_map(Role::parse).next().filter(|role| is_control_role(*role))
}

fn is_control_role(role: Role) -> bool {
    matches!(
        role,
        Role::Button
            | Role::Checkbox
            | Role::Combobox
            | Role::Link
            | Role::Listbox
            | Role::Menuitem
            | Role::Menuitemcheckbox
            | Role::Menuitemradio
            | Role::Option
            | Role::Radio
            | Role::Scrollbar
            | Role::Searchbox
            | Role::Slider
            | Role::Spinbutton
            | Role::Switch
            | Role::Tab
            | Role::Textbox
            | Role::Treeitem
    )
}

/// The integer of a `tabindex` attribute, by the HTML standard's rules for parsing integers: leading white space, an
/// optional sign, digits, and whatever follows.
fn tabindex(element: &Element) -> Option<i64> {
    let text = element.attr("tabindex")?.trim_start();
    let (negative, digits) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let len = digits.bytes().take_while(u8::is_ascii_digit).count();
    let value: i64 = digits[..len.min(15)].parse().ok()?;
    Some(if negative { -value } else { value })
}

/// `contenteditable` begins here.
fn is_editing_host(frame: &Frame, at: NodeIdx, element: &Element) -> bool {
    let editable = |element: &Element| {
        element.attr("contenteditable").map(|word| {
            matches!(word.to_ascii_lowercase().as_str(), "" | "true" | "plaintext-only")
        })
    };
    if editable(element) != Some(true) {
        return false;
    }
    let mut up = frame.node(at).parent;
    while let Some(parent) = up {
        match frame.element(parent).and_then(editable) {
            Some(true) => return false,
            Some(false) => return true,
            None => up = frame.node(parent).parent,
        }
    }
    true
}

/// Takes weak reasons away from what only wraps stronger or inner targets. One pass from the last node to the first.
fn collapse(frame: &Frame, aria: &AriaFrame<'_>, reasons: &mut [Option<InteractiveReason>]) {
    let count = frame.nodes.len();
    // Of each subtree: a target is in it; text or an image of its own, outside any target, is in it.
    let mut has_target = vec![false; count];
    let mut shows_own = vec![false; count];
    for at in (0..count).rev() {
        let place = NodeIdx::try_from(at).unwrap_or(NodeIdx::MAX);
        match &frame.nodes[at].data {
            NodeData::Text(text) => {
                let parent = frame.nodes[at].parent;
                let shown = parent.is_none_or(|parent| aria.hidden(parent) == Hidden::Shown);
                shows_own[at] = shown && !text.trim().is_empty();
            }
            NodeData::Element(element) => {
                shows_own[at] |= element.is_html("img") && aria.hidden(place) == Hidden::Shown;
                match reasons[at] {
                    Some(InteractiveReason::Pointer) if has_target[at] => reasons[at] = None,
                    Some(InteractiveReason::Listener) if has_target[at] && !shows_own[at] => {
                        reasons[at] = None;
                    }
                    _ => {}
                }
            }
            NodeData::ShadowRoot(_) => {}
        }
        let is_target = reasons[at].is_some_and(|reason| reason != InteractiveReason::Form);
        if let Some(parent) = frame.nodes[at].parent {
            has_target[parent as usize] |= is_target || has_target[at];
            shows_own[parent as usize] |= shows_own[at] && !is_target;
        }
    }
}
