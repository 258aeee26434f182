//! *The same thing*: what a node meant when its ref was given.

use crate::aria::{AriaFrame, Hidden};
use crate::page::{Element, NodeData, NodeIdx, collapse, push_reversed};
use crate::planted::{self, Bug};
use alloc::{string::String, vec};

/// Most characters of the context's text that are compared.
const CONTEXT_CHARS_MAX: usize = 200;

/// What a node means to a person. Frameworks re-use nodes: a row's button can come to mean another row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Likeness {
    /// Role word.
    pub role: &'static str,
    /// Tag.
    pub tag: String,
    /// `type` attribute, lower case.
    pub kind: String,
    /// Accessible name.
    pub name: String,
    /// Name, or else text without the node's own, of the nearest row, list item, article, option or dialog around it.
    pub context: String,
    /// `aria-label`.
    pub label: String,
    /// `placeholder`.
    pub placeholder: String,
}

impl Likeness {
    /// The likeness of an element now.
    pub fn of(aria: &AriaFrame<'_>, at: NodeIdx, element: &Element) -> Self {
        let attr = |name: &str| element.attr(name).unwrap_or_default().into();
        Self {
            role: aria.role(at).as_str(),
            tag: element.tag.as_str().into(),
            kind: element.attr("type").unwrap_or_default().to_ascii_lowercase(),
            name: aria.name(at).text,
            context: context(aria, at),
            label: attr("aria-label"),
            placeholder: attr("placeholder"),
        }
    }

    /// The node still means the same, its own name aside.
    pub fn means_the_same(&self, now: &Self) -> bool {
        planted::is(Bug::LikenessIgnored)
            || self.role == now.role
                && self.tag == now.tag
                && self.kind == now.kind
                && (self.context == now.context || planted::is(Bug::ContextIgnored))
    }

    /// Seed 000's strict match for an older generation: role, name, tag, type, label, placeholder; never the value.
    pub fn matches_strictly(&self, now: &Self) -> bool {
        self.means_the_same(now)
            && self.name == now.name
            && self.label == now.label
            && self.placeholder == now.placeholder
    }
}

fn context(aria: &AriaFrame<'_>, at: NodeIdx) -> String {
    let mut up = aria.lookup().flat_parent(at);
    while let Some(around) = up {
        if matches!(
            aria.role(around).as_str(),
            "row" | "listitem" | "article" | "option" | "dialog" | "alertdialog"
        ) {
            let name = aria.name(around).text;
            let is_own = matches!(aria.name(around).source, crate::aria::NameSource::Content);
            return if name.is_empty() || is_own { text_without(aria, around, at) } else { name };
        }
        up = aria.lookup().flat_parent(around);
    }
    String::new()
}

/// Shown text of a subtree, without the part under `skipped`.
pub(super) fn text_without(aria: &AriaFrame<'_>, root: NodeIdx, skipped: NodeIdx) -> String {
    let frame = aria.lookup().frame();
    let mut text = String::new();
    let mut stack = vec![root];
    while let Some(at) = stack.pop() {
        if at == skipped {
            continue;
        }
        match &frame.node(at).data {
            NodeData::Text(data) => {
                text.extend(data.chars().take(CONTEXT_CHARS_MAX));
                text.push(' ');
            }
            NodeData::Element(_) if matches!(aria.hidden(at), Hidden::SubtreeHidden(_)) => {}
            NodeData::Element(_) | NodeData::ShadowRoot(_) => {
                push_reversed(&mut stack, aria.lookup().flat_children(at));
            }
        }
        if text.len() > 4 * CONTEXT_CHARS_MAX {
            break;
        }
    }
    collapse(&text).chars().take(CONTEXT_CHARS_MAX).collect()
}
