//! The top layer: modal dialogs and open popovers.

use super::Dom;
use backlot_core::page::NodeId;

/// Something in the top layer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Top {
    pub(crate) node: NodeId,
    pub(crate) kind: TopKind,
    /// What had the focus when it was opened.
    pub(crate) focused: Option<NodeId>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TopKind {
    /// All outside is inert.
    Modal,
    /// A press outside closes it.
    Auto,
    /// Only the page closes it.
    Manual,
}

impl Dom {
    /// What is in the top layer, the lowest first.
    pub(crate) fn tops(&self) -> impl DoubleEndedIterator<Item = &Top> {
        self.top.iter().filter(|top| self.is_connected(top.node))
    }

    pub(crate) fn is_modal(&self, id: NodeId) -> bool {
        self.tops().any(|top| top.node == id && top.kind == TopKind::Modal)
    }

    pub(crate) fn is_popover_open(&self, id: NodeId) -> bool {
        self.tops().any(|top| top.node == id && top.kind != TopKind::Modal)
    }

    /// Outside the modal dialog that was opened last.
    pub(crate) fn is_behind_modal(&self, id: NodeId) -> bool {
        let Some(modal) = self.tops().rev().find(|top| top.kind == TopKind::Modal) else {
            return false;
        };
        !self.flat_ancestors(id).any(|up| up == modal.node)
    }

    pub(crate) fn add_top(&mut self, top: Top) {
        self.revision += 1;
        self.top.retain(|other| other.node != top.node);
        self.top.push(top);
    }

    pub(crate) fn take_top(&mut self, id: NodeId) -> Option<Top> {
        self.revision += 1;
        let at = self.top.iter().position(|top| top.node == id)?;
        Some(self.top.remove(at))
    }
}
