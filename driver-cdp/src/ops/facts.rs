//! Facts that several answers of the walker share.

use backlot_core::page::{Display, Rect, Style, TextTransform, Visibility};

/// The walker's style number.
pub(super) fn style(bits: u32) -> Style {
    Style {
        display: match bits & 7 {
            0 => Display::None,
            1 => Display::Contents,
            2 => Display::Inline,
            3 => Display::InlineBlock,
            5 => Display::TableCell,
            _ => Display::Block,
        },
        visibility: match bits >> 3 & 3 {
            0 => Visibility::Visible,
            1 => Visibility::Hidden,
            _ => Visibility::Collapse,
        },
        cursor_pointer: bits & 32 != 0,
        contents_skipped: bits & 64 != 0,
        out_of_flow: bits & 128 != 0,
        text_transform: match bits >> 8 & 3 {
            1 => TextTransform::Uppercase,
            2 => TextTransform::Lowercase,
            3 => TextTransform::Capitalize,
            _ => TextTransform::None,
        },
    }
}

/// `[x, y, width, height]`
pub(super) fn rect([x, y, width, height]: [f64; 4]) -> Rect {
    Rect { x, y, width, height }
}
