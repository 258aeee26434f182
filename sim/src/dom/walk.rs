//! Reading the tree. Every walk is a loop: pages nest as deep as they like.

use super::{Data, Dom};
use backlot_core::page::NodeId;

impl Dom {
    pub(crate) fn parent(&self, id: NodeId) -> Option<NodeId> {
        self.node(id).parent
    }

    /// The parent, or the host for a shadow root.
    pub(crate) fn parent_or_host(&self, id: NodeId) -> Option<NodeId> {
        match self.data(id) {
            Data::ShadowRoot { host, .. } => Some(*host),
            _ => self.node(id).parent,
        }
    }

    pub(crate) fn parent_element(&self, id: NodeId) -> Option<NodeId> {
        self.parent(id).filter(|parent| self.element(*parent).is_some())
    }

    pub(crate) fn next_sibling(&self, id: NodeId) -> Option<NodeId> {
        self.node(id).next
    }

    pub(crate) fn prev_sibling(&self, id: NodeId) -> Option<NodeId> {
        self.node(id).prev
    }

    pub(crate) fn first_child(&self, id: NodeId) -> Option<NodeId> {
        self.node(id).first
    }

    pub(crate) fn last_child(&self, id: NodeId) -> Option<NodeId> {
        self.node(id).last
    }

    pub(crate) fn children(&self, id: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::successors(self.node(id).first, |at| self.node(*at).next)
    }

    /// The node and all below it in tree order, shadow trees left out.
    pub(crate) fn subtree(&self, root: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::successors(Some(root), move |at| self.following(*at, root))
    }

    fn following(&self, at: NodeId, root: NodeId) -> Option<NodeId> {
        if let Some(child) = self.node(at).first {
            return Some(child);
        }
        let mut at = at;
        while at != root {
            if let Some(next) = self.node(at).next {
                return Some(next);
            }
            at = self.node(at).parent?;
        }
        None
    }

    /// Every node connected to the document, a shadow tree before its host's light children.
    pub(crate) fn composed(&self) -> Vec<NodeId> {
        self.composed_under(Self::DOCUMENT)
    }

    pub(crate) fn composed_under(&self, root: NodeId) -> Vec<NodeId> {
        let mut order = Vec::new();
        let mut open = vec![root];
        while let Some(at) = open.pop() {
            order.push(at);
            let mut child = self.node(at).last;
            while let Some(id) = child {
                open.push(id);
                child = self.node(id).prev;
            }
            if let Some(shadow) = self.element(at).and_then(|element| element.shadow) {
                open.push(shadow);
            }
        }
        order
    }

    /// The node and what is around it, across shadow roots, up to the document.
    pub(crate) fn inclusive_ancestors(&self, id: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::successors(Some(id), |at| self.parent_or_host(*at))
    }

    /// The document, a shadow root, or the top of a detached tree.
    pub(crate) fn root_of(&self, id: NodeId) -> NodeId {
        let mut at = id;
        while let Some(parent) = self.node(at).parent {
            at = parent;
        }
        at
    }

    pub(crate) fn is_connected(&self, id: NodeId) -> bool {
        self.exists(id) && self.inclusive_ancestors(id).last() == Some(Self::DOCUMENT)
    }

    /// The `html` element, or whatever stands in its place.
    pub(crate) fn document_element(&self) -> Option<NodeId> {
        self.children(Self::DOCUMENT).find(|id| self.element(*id).is_some())
    }

    /// The `body` element.
    pub(crate) fn body(&self) -> Option<NodeId> {
        let root = self.document_element()?;
        self.children(root).find(|id| matches!(self.html_tag(*id), "body" | "frameset"))
    }

    /// First element with this id in the tree of `root`.
    pub(crate) fn by_id(&self, root: NodeId, id: &str) -> Option<NodeId> {
        self.subtree(root).find(|at| !id.is_empty() && self.attr(*at, "id") == Some(id))
    }

    /// Text of all text nodes below, as `textContent` gives it.
    pub(crate) fn text_content(&self, id: NodeId) -> String {
        self.subtree(id).filter_map(|at| self.text(at)).collect()
    }

    /// `document.title`.
    pub(crate) fn title(&self) -> String {
        let title = self.subtree(Self::DOCUMENT).find(|id| self.is_html(*id, "title"));
        let Some(title) = title else { return String::new() };
        let own: String = self.children(title).filter_map(|id| self.text(id)).collect();
        collapse(&own)
    }
}

/// Strips and collapses ASCII white space.
pub(crate) fn collapse(text: &str) -> String {
    text.split_ascii_whitespace().collect::<Vec<_>>().join(" ")
}
