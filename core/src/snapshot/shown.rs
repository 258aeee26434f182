//! What a person sees of an element: where its text ends, whether it lies in the viewport, what it says itself.

use super::states;
use crate::aria::{AriaFrame, Hidden};
use crate::page::{Display, Element, Frame, NodeData, NodeIdx, Rect, collapse, push_reversed};
use alloc::string::String;

/// Text and names end before and after it.
pub(crate) fn breaks_line(element: &Element) -> bool {
    match element.style.known() {
        Some(style) => match style.display {
            Display::Block | Display::InlineBlock | Display::TableCell => true,
            Display::Inline | Display::Contents | Display::None => style.out_of_flow,
        },
        None => !matches!(
            element.tag.as_str(),
            "a" | "abbr"
                | "b"
                | "bdi"
                | "bdo"
                | "cite"
                | "code"
                | "data"
                | "dfn"
                | "em"
                | "i"
                | "kbd"
                | "mark"
                | "q"
                | "s"
                | "samp"
                | "slot"
                | "small"
                | "span"
                | "strong"
                | "sub"
                | "sup"
                | "time"
                | "u"
                | "var"
        ),
    }
}

pub(super) fn is_offscreen(frame: &Frame, element: &Element) -> Option<bool> {
    let rect = element.rect.known()?;
    // A box without area says nothing about its children.
    rect.has_area().then(|| !rect.touches(&Rect { x: 0.0, y: 0.0, ..frame.viewport }))
}

/// Visible text of an element, for one that has a ref and no name.
pub(super) fn own_text(aria: &AriaFrame<'_>, at: NodeIdx) -> String {
    let frame = aria.lookup().frame();
    let mut text = String::new();
    let mut stack = alloc::vec![at];
    while let Some(at) = stack.pop() {
        match &frame.node(at).data {
            NodeData::Text(data) => text.push_str(&frame.shown_text(at, data)),
            NodeData::Element(element) => {
                if aria.hidden(at) != Hidden::Shown || states::is_leaf(element) {
                    continue;
                }
                if breaks_line(element) {
                    text.push(' ');
                }
                push_reversed(&mut stack, aria.lookup().flat_children(at));
            }
            NodeData::ShadowRoot(_) => {}
        }
        if text.len() > 4_000 {
            break;
        }
    }
    collapse(&text)
}
