//! What a capture is asked for.

use super::{NodeKey, limits};
use alloc::{string::String, vec::Vec};
use serde::{Deserialize, Serialize};

/// What a driver is to gather. Tree, attributes, live form state and focus are always gathered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CaptureSpec {
    /// Gather [`super::Style`] and pseudo-element text of every element.
    pub styles: bool,
    /// Gather the border box of every rendered element. Costs about as much as all styles together.
    pub boxes: bool,
    /// Most nodes, all frames together.
    pub nodes_max: u32,
    /// Take this node's mark ([`super::Capture::mark`]) in the same moment.
    pub mark: Option<MarkOf>,
    /// CSS selectors to be matched in the same moment, in the top document and the open shadow trees in it
    /// ([`super::Capture::matches`]).
    pub selectors: Vec<String>,
    /// Attributes (lower case) to be kept besides those of [`is_kept_attribute`].
    pub attributes: Vec<String>,
}

/// Which node's mark, and what around it takes part.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct MarkOf {
    /// The node.
    pub node: NodeKey,
    /// What says which of several such nodes it is; `None`: the nearest row, list item, article, option or dialog.
    pub context: Option<NodeKey>,
}

impl CaptureSpec {
    /// What a snapshot without a budget needs: styles, no boxes.
    pub const TEXT: Self = Self {
        styles: true,
        boxes: false,
        nodes_max: limits::NODES_MAX,
        mark: None,
        selectors: Vec::new(),
        attributes: Vec::new(),
    };
    /// What cutting to a budget needs: styles and boxes.
    pub const GEOMETRY: Self = Self {
        styles: true,
        boxes: true,
        nodes_max: limits::NODES_MAX,
        mark: None,
        selectors: Vec::new(),
        attributes: Vec::new(),
    };
}

/// The attributes (with all of `aria-*`) that a capture keeps, sorted. Both drivers filter by this one list.
pub const KEPT_ATTRIBUTES: &[&str] = &[
    "action",
    "alt",
    "autocomplete",
    "checked",
    "class",
    "colspan",
    "contenteditable",
    "data-testid",
    "data-v",
    "dir",
    "disabled",
    "download",
    "draggable",
    "for",
    "form",
    "headers",
    "height",
    "hidden",
    "href",
    "id",
    "inert",
    "label",
    "lang",
    "list",
    "max",
    "maxlength",
    "method",
    "min",
    "multiple",
    "name",
    "onclick",
    "onkeydown",
    "onmousedown",
    "onpointerdown",
    "open",
    "pattern",
    "placeholder",
    "popover",
    "popovertarget",
    "readonly",
    "rel",
    "required",
    "role",
    "rowspan",
    "scope",
    "selected",
    "shadowrootmode",
    "size",
    "slot",
    "src",
    "srcdoc",
    "srcset",
    "start",
    "step",
    "summary",
    "switch",
    "tabindex",
    "target",
    "title",
    "type",
    "usemap",
    "value",
    "width",
    "xlink:href",
    "xlink:title",
];

/// Whether a capture keeps the attribute of this (lower-case) name.
pub fn is_kept_attribute(name: &str) -> bool {
    name.starts_with("aria-") || KEPT_ATTRIBUTES.binary_search(&name).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kept_attributes_are_sorted_for_the_binary_search() {
        assert!(KEPT_ATTRIBUTES.is_sorted());
        assert!(is_kept_attribute("aria-label") && is_kept_attribute("href"));
        assert!(!is_kept_attribute("style") && !is_kept_attribute("data-reactid"));
    }
}
