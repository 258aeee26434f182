//! The page as a value: what a driver gathered from one tab at one moment.
//!
//! A [`Capture`] answers a [`CaptureSpec`]. It is the narrow waist of the read path: a driver's walker fills it with facts
//! and decides nothing, and everything after it is a pure function of it.

mod capture;
pub mod limits;
mod lookups;
mod node;
pub mod outline;
pub mod secret;
mod spec;
mod style;
mod whitespace;

pub use capture::{
    Capture, Children, DocumentKey, Frame, FrameGap, FrameId, Frames, LoaderId, Matches, NodeKey,
    TabId,
};
pub use compact_str::CompactString;
pub(crate) use lookups::push_reversed;
pub use lookups::{FlatChildren, FrameLookup};
pub use node::{
    Control, Element, FieldValue, Namespace, Node, NodeData, NodeId, NodeIdx, PseudoText,
    ShadowMode,
};
pub use spec::{CaptureSpec, KEPT_ATTRIBUTES, MarkOf, is_kept_attribute};
pub use style::{Display, Fact, Rect, Style, TextTransform, Visibility, Why};
pub use whitespace::collapse;
