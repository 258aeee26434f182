//! The log of what changed in a document since it was parsed.

use super::Dom;
use backlot_core::page::NodeId;

/// Most changes that are kept.
const KEPT_MAX: usize = 10_000;

/// One change of a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Mutation {
    /// A node came in, with its subtree.
    Added {
        /// Where.
        parent: NodeId,
        /// The node.
        node: NodeId,
    },
    /// A node went, with its subtree.
    Removed {
        /// From where.
        parent: NodeId,
        /// The node.
        node: NodeId,
    },
    /// An attribute was set or taken away.
    Attribute {
        /// Of which element.
        node: NodeId,
        /// Its name.
        name: String,
    },
    /// The data of a text node.
    Text {
        /// The node.
        node: NodeId,
    },
}

/// Changes in order; the oldest go when there are too many.
#[derive(Debug, Default)]
pub(crate) struct Mutations {
    is_on: bool,
    kept: Vec<Mutation>,
    /// How many went.
    dropped: u64,
}

impl Dom {
    /// Changes are not logged until [`Dom::resume_log`]; gives whether they were.
    pub(super) fn pause_log(&mut self) -> bool {
        std::mem::replace(&mut self.mutations.is_on, false)
    }

    pub(super) fn resume_log(&mut self, on: bool) {
        self.mutations.is_on = on;
    }

    pub(super) fn note(&mut self, mutation: impl FnOnce() -> Mutation) {
        let log = &mut self.mutations;
        if !log.is_on {
            return;
        }
        if log.kept.len() == KEPT_MAX {
            // Half at once: each change must not move all others.
            log.kept.drain(..KEPT_MAX / 2);
            log.dropped += KEPT_MAX as u64 / 2;
        }
        log.kept.push(mutation());
    }

    /// What changed since the document was parsed, and how many older changes are not kept.
    pub(crate) fn mutations(&self) -> (&[Mutation], u64) {
        (&self.mutations.kept, self.mutations.dropped)
    }
}
