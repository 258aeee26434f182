//! What an element says, as locators compare it, and whether it is seen.

use crate::aria::AriaFrame;
use crate::page::{NodeData, NodeIdx, Rect, ShadowMode, Visibility};
use alloc::string::String;

/// Text of an element: all text below, hidden text and open shadow trees too, nothing between the pieces. Of a button that is
/// an `input`: its value.
pub(super) fn element_text(aria: &AriaFrame<'_>, at: NodeIdx) -> String {
    let frame = aria.lookup().frame();
    if let Some(element) = frame.element(at)
        && matches!(element.input_type().as_str(), "button" | "submit" | "reset")
    {
        return element.attr("value").unwrap_or_default().into();
    }
    let mut text = String::new();
    let mut here = at + 1;
    while here < frame.node(at).end {
        match &frame.node(here).data {
            NodeData::ShadowRoot(ShadowMode::Closed) => {
                here = frame.node(here).end;
                continue;
            }
            NodeData::Text(data) => text.push_str(data),
            NodeData::Element(element) => {
                if matches!(element.input_type().as_str(), "button" | "submit" | "reset") {
                    text.push_str(element.attr("value").unwrap_or_default());
                }
            }
            NodeData::ShadowRoot(ShadowMode::Open) => {}
        }
        here += 1;
    }
    text
}

/// The element has a box with an area and is not invisible. Needs boxes.
pub(super) fn is_visible(aria: &AriaFrame<'_>, at: NodeIdx) -> bool {
    let Some(element) = aria.lookup().frame().element(at) else { return false };
    let style = element.style.known();
    style.is_some_and(|style| style.visibility == Visibility::Visible)
        && element.rect.known().is_some_and(Rect::has_area)
}
