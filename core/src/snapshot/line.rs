//! Lines and what they say.

use crate::page::{NodeKey, Rect};
use alloc::{string::String, vec::Vec};

/// A page as lines in tree order.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Snapshot {
    /// URL of the top document.
    pub url: String,
    /// Its title.
    pub title: String,
    /// The lines; a line's parent is the nearest one before it with a smaller depth.
    pub lines: Vec<Line>,
    /// What is not there, counted.
    pub omissions: Vec<Omission>,
}

/// One line.
#[derive(Debug, Clone, PartialEq)]
pub struct Line {
    /// Levels below the top.
    pub depth: u32,
    /// What it says.
    pub kind: LineKind,
    /// The element it is about; for text the element around it.
    pub key: NodeKey,
    /// Place in the capture: frame and node.
    pub at: (u32, u32),
    /// Its box in its frame's viewport, where boxes were asked.
    pub rect: Option<Rect>,
    /// It lies outside the viewport (of its own frame, or a frame around it does). Always false where boxes were not
    /// asked.
    pub offscreen: bool,
}

/// What a line says.
#[derive(Debug, Clone, PartialEq)]
pub enum LineKind {
    /// Text that stands for itself, collapsed.
    Text(String),
    /// An element.
    Node {
        /// Role word.
        role: &'static str,
        /// Accessible name, or the element's own text where it has a ref and no name.
        name: String,
        /// States in the order of the format.
        states: Vec<State>,
        /// It gets a ref.
        has_ref: bool,
    },
}

/// A bracketed state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum State {
    /// `level=N`
    Level(u32),
    /// `type=T`
    Type(&'static str),
    /// `checked`
    Checked,
    /// `checked=mixed`
    Mixed,
    /// `value="V"`
    Value(String),
    /// `filled`: a secret field that holds something.
    Filled,
    /// `disabled`
    Disabled,
    /// `expanded`
    Expanded,
    /// `collapsed`
    Collapsed,
    /// `selected`
    Selected,
    /// `pressed`
    Pressed,
    /// `invalid`
    Invalid,
    /// `current`
    Current,
    /// Content that is not in the snapshot.
    Gap(Gap),
}

/// Content behind a line that is not in the snapshot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Gap {
    /// A frame of another origin.
    CrossOrigin,
    /// A frame nested too deep.
    TooDeep,
    /// A frame that kept changing.
    Torn,
}

/// Something left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Omission {
    /// What kind.
    pub kind: OmissionKind,
    /// How many: lines for the budget's kinds, else nodes.
    pub count: u32,
}

/// Kinds of what is left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum OmissionKind {
    /// Text outside the viewport.
    OffscreenText,
    /// Elements outside the viewport that one cannot act on.
    OffscreenStructure,
    /// Visible text and elements that one cannot act on.
    Visible,
    /// Elements with a ref.
    Interactive,
    /// Nodes beyond a limit of the capture.
    CaptureLimit,
    /// Nodes nested deeper than a snapshot goes.
    Depth,
    /// Characters of text lines and names beyond their cap.
    LongText,
}

impl Line {
    /// Whether the line has a ref.
    pub fn has_ref(&self) -> bool {
        matches!(self.kind, LineKind::Node { has_ref: true, .. })
    }

    /// Whether the line is text.
    pub fn is_text(&self) -> bool {
        matches!(self.kind, LineKind::Text(_))
    }
}
