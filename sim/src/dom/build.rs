//! Changing the tree.

use super::{Data, Dom, Mutation};
use backlot_core::page::NodeId;

impl Dom {
    /// Appends a node that has no parent.
    pub(crate) fn append(&mut self, parent: NodeId, child: NodeId) {
        self.revision += 1;
        let last = self.node(parent).last;
        let node = self.node_mut(child);
        node.parent = Some(parent);
        node.prev = last;
        node.next = None;
        match last {
            Some(last) => self.node_mut(last).next = Some(child),
            None => self.node_mut(parent).first = Some(child),
        }
        self.node_mut(parent).last = Some(child);
        self.note(|| Mutation::Added { parent, node: child });
    }

    /// Puts a node that has no parent before one that has.
    pub(crate) fn insert_before(&mut self, sibling: NodeId, child: NodeId) {
        let Some(parent) = self.node(sibling).parent else { return };
        self.revision += 1;
        let prev = self.node(sibling).prev;
        let node = self.node_mut(child);
        node.parent = Some(parent);
        node.prev = prev;
        node.next = Some(sibling);
        self.node_mut(sibling).prev = Some(child);
        match prev {
            Some(prev) => self.node_mut(prev).next = Some(child),
            None => self.node_mut(parent).first = Some(child),
        }
        self.note(|| Mutation::Added { parent, node: child });
    }

    /// Takes a node out of its parent; its subtree goes with it.
    pub(crate) fn detach(&mut self, id: NodeId) {
        let Some(parent) = self.node(id).parent else { return };
        self.revision += 1;
        let (prev, next) = (self.node(id).prev, self.node(id).next);
        match prev {
            Some(prev) => self.node_mut(prev).next = next,
            None => self.node_mut(parent).first = next,
        }
        match next {
            Some(next) => self.node_mut(next).prev = prev,
            None => self.node_mut(parent).last = prev,
        }
        let node = self.node_mut(id);
        node.parent = None;
        node.prev = None;
        node.next = None;
        self.note(|| Mutation::Removed { parent, node: id });
    }

    /// Appends text, to the last text node where there is one.
    pub(crate) fn append_text(&mut self, parent: NodeId, text: &str) {
        if let Some(last) = self.node(parent).last
            && let Data::Text(old) = &mut self.node_mut(last).data
        {
            old.push_str(text);
            self.note(|| Mutation::Text { node: last });
            return;
        }
        let id = self.create(Data::Text(text.into()));
        self.append(parent, id);
    }

    pub(super) fn insert_text_before(&mut self, sibling: NodeId, text: &str) {
        if let Some(prev) = self.node(sibling).prev
            && let Data::Text(old) = &mut self.node_mut(prev).data
        {
            old.push_str(text);
            return;
        }
        let id = self.create(Data::Text(text.into()));
        self.insert_before(sibling, id);
    }

    pub(crate) fn remove_children(&mut self, parent: NodeId) {
        while let Some(child) = self.node(parent).first {
            self.detach(child);
        }
    }

    pub(crate) fn move_children(&mut self, from: NodeId, to: NodeId) {
        while let Some(child) = self.node(from).first {
            self.detach(child);
            self.append(to, child);
        }
    }
}
