//! Editing hosts (`contenteditable`).

use super::Dom;
use backlot_core::page::NodeId;

impl Dom {
    /// The editing host around a node: the outermost editable element of an unbroken chain.
    pub(crate) fn editing_host(&self, id: NodeId) -> Option<NodeId> {
        let mut host = None;
        for at in std::iter::successors(Some(id), |at| self.parent(*at)) {
            match self.attr(at, "contenteditable").map(str::to_ascii_lowercase).as_deref() {
                Some("" | "true" | "plaintext-only") => host = Some(at),
                Some("false") => break,
                _ => {}
            }
        }
        host
    }
}
