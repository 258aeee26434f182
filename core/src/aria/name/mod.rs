//! Accessible names: "Accessible Name and Description Computation 1.2", section "Computation Steps". Each step is a
//! function that cites its title.

mod apart;
mod embedded;
mod host_label;
#[cfg(test)]
mod tests;
mod text;
mod walk;

pub(super) use walk::{Memo, Walk};

use super::AriaFrame;
use crate::page::NodeIdx;
use alloc::string::String;

/// An accessible name.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Name {
    /// White space folded and trimmed; cut at [`NAME_BYTES_MAX`].
    pub text: String,
    /// What gave it.
    pub source: NameSource,
}

/// What gave a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum NameSource {
    /// Nothing: there is no name.
    #[default]
    None,
    /// `aria-labelledby`
    LabelledBy,
    /// `aria-label`
    AriaLabel,
    /// What the host language has for it: `label`, `legend`, `caption`, `alt`, `value` of a button, SVG `title`.
    HostLabel,
    /// The element's own content.
    Content,
    /// The tooltip.
    Title,
    /// `placeholder`
    Placeholder,
}

/// Longest name, in bytes. A longer one is cut: what follows would not help anyone to tell elements apart.
pub const NAME_BYTES_MAX: usize = 4_000;

/// Most nodes that one name is made of. The rest of a larger subtree is left out of the name.
pub const NAME_STEPS_MAX: u32 = 10_000;

/// The name of one element.
pub(super) fn of(aria: &AriaFrame<'_>, at: NodeIdx) -> Name {
    let Some(element) = aria.tree.frame.element(at) else { return Name::default() };
    let mut walk = Walk::new(aria, at);
    let source = walk.name(element);
    let text = walk.finish();
    if text.is_empty() { Name::default() } else { Name { text, source } }
}
