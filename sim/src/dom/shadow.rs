//! Shadow roots and slots.

use super::{Data, Dom};
use backlot_core::page::{Namespace, NodeId, ShadowMode};

/// HTML elements, besides custom ones, that can be shadow hosts.
const HOSTS: &[&str] = &[
    "article",
    "aside",
    "blockquote",
    "body",
    "div",
    "footer",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "header",
    "main",
    "nav",
    "p",
    "section",
    "span",
];

/// Names with a hyphen that SVG and MathML have taken.
const NOT_CUSTOM: &[&str] = &[
    "annotation-xml",
    "color-profile",
    "font-face",
    "font-face-format",
    "font-face-name",
    "font-face-src",
    "font-face-uri",
    "missing-glyph",
];

impl Dom {
    /// Gives the element a shadow root, if it can be a host and is none yet.
    pub(crate) fn attach_shadow(&mut self, host: NodeId, mode: ShadowMode) -> Option<NodeId> {
        let element = self.element(host)?;
        let tag = element.tag();
        let is_custom = tag.contains('-')
            && tag.starts_with(|c: char| c.is_ascii_lowercase())
            && !NOT_CUSTOM.contains(&tag);
        let fit = element.namespace() == Namespace::Html && (is_custom || HOSTS.contains(&tag));
        if !fit || element.shadow.is_some() {
            return None;
        }
        let root = self.create(Data::ShadowRoot { mode, host, delegates_focus: false });
        self.revision += 1;
        self.element_mut(host)?.shadow = Some(root);
        Some(root)
    }

    pub(crate) fn shadow_of(&self, host: NodeId) -> Option<NodeId> {
        self.element(host)?.shadow
    }

    pub(crate) fn shadow_mode(&self, root: NodeId) -> Option<ShadowMode> {
        match self.data(root) {
            Data::ShadowRoot { mode, .. } => Some(*mode),
            _ => None,
        }
    }

    /// A root whose host passes the focus on.
    pub(crate) fn delegates_focus(&self, root: NodeId) -> bool {
        matches!(self.data(root), Data::ShadowRoot { delegates_focus: true, .. })
    }

    pub(super) fn set_delegates_focus(&mut self, root: NodeId) {
        if let Data::ShadowRoot { delegates_focus, .. } = &mut self.node_mut(root).data {
            *delegates_focus = true;
        }
    }

    fn slots(&self, root: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        self.subtree(root).filter(|id| self.is_html(*id, "slot"))
    }

    /// The slot that a light child of a host is assigned to.
    pub(crate) fn assigned_slot(&self, id: NodeId) -> Option<NodeId> {
        let root = self.shadow_of(self.parent(id)?)?;
        let wanted = match self.data(id) {
            Data::Element(element) => element.attr("slot").unwrap_or_default(),
            Data::Text(_) => "",
            _ => return None,
        };
        self.slots(root).find(|slot| self.attr(*slot, "name").unwrap_or_default() == wanted)
    }

    /// The nodes assigned to a slot of a shadow tree, in order.
    pub(crate) fn assigned(&self, slot: NodeId) -> Vec<NodeId> {
        if !self.is_html(slot, "slot") {
            return Vec::new();
        }
        let Data::ShadowRoot { host, .. } = *self.data(self.root_of(slot)) else {
            return Vec::new();
        };
        let root = self.root_of(slot);
        let name = self.attr(slot, "name").unwrap_or_default();
        let first = self.slots(root).find(|s| self.attr(*s, "name").unwrap_or_default() == name);
        if first != Some(slot) {
            return Vec::new();
        }
        self.children(host)
            .filter(|id| match self.data(*id) {
                Data::Element(element) => element.attr("slot").unwrap_or_default() == name,
                Data::Text(_) => name.is_empty(),
                _ => false,
            })
            .collect()
    }

    /// Children in the flat tree.
    pub(crate) fn flat_children(&self, id: NodeId) -> Vec<NodeId> {
        if let Some(root) = self.shadow_of(id) {
            return self.children(root).collect();
        }
        let assigned = self.assigned(id);
        if assigned.is_empty() { self.children(id).collect() } else { assigned }
    }

    /// Parent in the flat tree; `None` for what the flat tree leaves out.
    pub(crate) fn flat_parent(&self, id: NodeId) -> Option<NodeId> {
        let parent = self.parent(id)?;
        if let Data::ShadowRoot { host, .. } = self.data(parent) {
            return Some(*host);
        }
        if self.shadow_of(parent).is_some() {
            return self.assigned_slot(id);
        }
        if self.is_html(parent, "slot") && !self.assigned(parent).is_empty() {
            return None;
        }
        Some(parent)
    }

    /// The node and what is around it in the flat tree.
    pub(crate) fn flat_ancestors(&self, id: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::successors(Some(id), |at| self.flat_parent(*at))
    }
}
