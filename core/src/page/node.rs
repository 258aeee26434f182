//! One node of a captured frame.

use super::style::{Fact, Rect, Style};
use alloc::{boxed::Box, string::String};
use compact_str::CompactString;
use serde::{Deserialize, Serialize};

/// A node's number within its document: the same node has the same number in every capture, a removed node's number is
/// not given to another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct NodeId(pub u32);

/// A node's place in [`super::Frame::nodes`]. Valid for that one capture only.
pub type NodeIdx = u32;

/// One node. Nodes stand in tree order (parents before children); an open shadow root stands before the light children of
/// its host.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Node {
    /// The lasting number.
    pub id: NodeId,
    /// Place of the parent; `None` for the root element (and for a second root, should a document have one).
    pub parent: Option<NodeIdx>,
    /// One past the place of the last node of this subtree. Filled by [`super::Frame::new`].
    pub end: NodeIdx,
    /// What it is.
    pub data: NodeData,
}

/// What a node is. Comments, processing instructions, and the subtrees of `head`, `script`, `style`, `template`, `link` and
/// `meta` (any namespace) are not captured; every other text node is, blank ones too.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum NodeData {
    /// An element.
    Element(Box<Element>),
    /// A text node's data, as it stands (not collapsed), cut at [`super::limits::TEXT_UNITS_MAX`].
    Text(CompactString),
    /// A shadow root; its parent is the host.
    ShadowRoot(ShadowMode),
}

/// Mode of a shadow root. Closed ones are captured only by a driver that can see into them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum ShadowMode {
    /// `open`
    Open,
    /// `closed`
    Closed,
}

/// Namespace of an element.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Namespace {
    /// HTML
    Html,
    /// SVG
    Svg,
    /// MathML
    MathMl,
    /// any other
    Other,
}

/// An element with its kept attributes, live state and asked facts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Element {
    /// Local name; lower case for HTML elements.
    pub tag: CompactString,
    /// Its namespace.
    pub namespace: Namespace,
    /// Kept attributes in document order, names lower case for HTML; `xlink:` prefixed ones as written.
    pub attributes: Box<[(CompactString, CompactString)]>,
    /// Live state of a form control or option.
    pub control: Option<Box<Control>>,
    /// Computed style.
    pub style: Fact<Style>,
    /// Border box; `Unavailable(NotRendered)` where there is none.
    pub rect: Fact<Rect>,
    /// Text of `::before`, where it is rendered and not empty. Empty unless styles were asked.
    pub before: Option<Box<PseudoText>>,
    /// Text of `::after`, likewise.
    pub after: Option<Box<PseudoText>>,
    /// Of a `slot` in a shadow tree: the nodes assigned to it, in order. Empty means its own children are its fallback.
    pub assigned: Box<[NodeIdx]>,
    /// Place in [`super::Capture::frames`] of the document inside this frame element, where it was captured.
    pub frame: Option<u32>,
}

impl Element {
    /// A bare element of this tag, for building captures.
    pub fn new(tag: impl Into<CompactString>, namespace: Namespace) -> Self {
        Self {
            tag: tag.into(),
            namespace,
            attributes: Box::default(),
            control: None,
            style: Fact::NotAsked,
            rect: Fact::NotAsked,
            before: None,
            after: None,
            assigned: Box::default(),
            frame: None,
        }
    }

    /// Value of a kept attribute.
    pub fn attr(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(n, _)| n == name).map(|(_, v)| v.as_str())
    }

    /// The attribute is there, whatever its value.
    pub fn has_attr(&self, name: &str) -> bool {
        self.attr(name).is_some()
    }

    /// An HTML element of this tag.
    pub fn is_html(&self, tag: &str) -> bool {
        self.namespace == Namespace::Html && self.tag == tag
    }

    /// `type` of an `input`, lower case, `text` where absent; for other elements the empty string.
    pub fn input_type(&self) -> String {
        if !self.is_html("input") {
            return String::new();
        }
        match self.attr("type").map(str::trim) {
            None | Some("") => "text".into(),
            Some(given) => given.to_ascii_lowercase(),
        }
    }
}

/// Live state of an `input`, `textarea`, `select` or `option`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Control {
    /// The live value.
    pub value: FieldValue,
    /// Checkbox, radio: live checkedness.
    pub checked: bool,
    /// Checkbox: the `indeterminate` property.
    pub indeterminate: bool,
    /// Option: live selectedness.
    pub selected: bool,
}

/// A live value. A secret one never enters our process.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum FieldValue {
    /// The control has no live text of its own: checkbox, radio, hidden, the button types, `select`, `option`.
    None,
    /// `textarea` and all other `input` types, as the page has it; cut at [`super::limits::TEXT_UNITS_MAX`]. Of a file
    /// input: the file names, joined by a comma and a space.
    Text(String),
    /// A secret field (see [`super::secret`]): only whether it holds anything.
    Secret {
        /// The field is not empty.
        filled: bool,
    },
}

/// Text of a pseudo-element.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PseudoText {
    /// Strings and `attr()` of `content`, resolved and joined; the alternative text where `content` gives one.
    pub text: String,
    /// It is not part of the line (`display` other than `inline`).
    pub block: bool,
}
