//! The few computed styles and boxes that the read and act paths look at.

use alloc::{borrow::Cow, string::String};
use serde::{Deserialize, Serialize};

/// One fact of a capture: known, not asked for, or asked for and not to be had.
///
/// Core never reads `NotAsked` as a default value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Fact<T> {
    /// The value, as the page had it.
    Known(T),
    /// The [`super::CaptureSpec`] did not ask.
    #[default]
    NotAsked,
    /// The driver was asked and could not tell.
    Unavailable(Why),
}

impl<T> Fact<T> {
    /// The value where it is known.
    pub fn known(&self) -> Option<&T> {
        match self {
            Self::Known(value) => Some(value),
            Self::NotAsked | Self::Unavailable(_) => None,
        }
    }
}

/// Why a driver could not tell a fact.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Why {
    /// The element is not rendered, so it has no box.
    NotRendered,
    /// This driver has no means to learn it.
    NotSupported,
}

/// Outer display type, reduced to what names, text runs and visibility need.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Display {
    /// `none`: the element and its subtree are not rendered.
    None,
    /// `contents`: the element has no box, its children do.
    Contents,
    /// `inline` and ruby parts: part of the surrounding line.
    Inline,
    /// `inline-block`, `inline-flex`, `inline-grid`, `inline-table`.
    InlineBlock,
    /// `block`, `flex`, `grid`, `list-item`, `flow-root`, `table` and its rows.
    Block,
    /// `table-cell`: a box that separates its text from the next cell's.
    TableCell,
}

/// Computed `visibility`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Visibility {
    /// `visible`
    Visible,
    /// `hidden`
    Hidden,
    /// `collapse`
    Collapse,
}

/// Computed `text-transform`, reduced to the change of letters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum TextTransform {
    /// `none`, and transforms that change no letters.
    #[default]
    None,
    /// `uppercase`
    Uppercase,
    /// `lowercase`
    Lowercase,
    /// `capitalize`
    Capitalize,
}

impl TextTransform {
    /// A text node's data as it is shown.
    pub fn apply(self, text: &str) -> Cow<'_, str> {
        match self {
            Self::None => Cow::Borrowed(text),
            Self::Uppercase => Cow::Owned(text.to_uppercase()),
            Self::Lowercase => Cow::Owned(text.to_lowercase()),
            Self::Capitalize => {
                let mut starts_word = true;
                let mut out = String::with_capacity(text.len());
                for c in text.chars() {
                    if starts_word && c.is_alphanumeric() {
                        out.extend(c.to_uppercase());
                    } else {
                        out.push(c);
                    }
                    starts_word = !(c.is_alphanumeric() || c == '\'' || c == '\u{2019}');
                }
                Cow::Owned(out)
            }
        }
    }
}

/// Computed style of one element.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Style {
    /// Computed `display`. Of an element under a `display: none` ancestor: its own value all the same.
    pub display: Display,
    /// Computed `visibility` (inherited).
    pub visibility: Visibility,
    /// Computed `cursor` is `pointer`.
    pub cursor_pointer: bool,
    /// The contents are skipped: `content-visibility: hidden`, or the element lies in the skipped part of a closed
    /// `details` or of a `hidden=until-found` element. The element itself, where it is the owner, is rendered.
    pub contents_skipped: bool,
    /// The element is taken out of the line: `float` is not `none`, or `position` is `absolute` or `fixed`.
    pub out_of_flow: bool,
    /// Computed `text-transform` (inherited).
    pub text_transform: TextTransform,
}

impl Style {
    /// The style of an element about which nothing is special: a visible block.
    pub const BLOCK: Self = Self {
        display: Display::Block,
        visibility: Visibility::Visible,
        cursor_pointer: false,
        contents_skipped: false,
        out_of_flow: false,
        text_transform: TextTransform::None,
    };
}

/// A box in CSS pixels, relative to the viewport of its own frame.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Rect {
    /// Left edge.
    pub x: f64,
    /// Top edge.
    pub y: f64,
    /// Width, 0 or more.
    pub width: f64,
    /// Height, 0 or more.
    pub height: f64,
}

impl Rect {
    /// The middle of the box.
    pub fn center(&self) -> (f64, f64) {
        (self.x + self.width / 2.0, self.y + self.height / 2.0)
    }

    /// Both sides are longer than nothing.
    pub fn has_area(&self) -> bool {
        self.width > 0.0 && self.height > 0.0
    }

    /// The boxes share at least one point; touching edges count.
    pub fn touches(&self, other: &Self) -> bool {
        self.x <= other.x + other.width
            && other.x <= self.x + self.width
            && self.y <= other.y + other.height
            && other.y <= self.y + self.height
    }

    /// Largest difference of any edge to the same edge of the other box, in CSS pixels.
    pub fn drift(&self, other: &Self) -> f64 {
        let edges = |r: &Self| [r.x, r.y, r.x + r.width, r.y + r.height];
        edges(self).iter().zip(edges(other)).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
    }
}
