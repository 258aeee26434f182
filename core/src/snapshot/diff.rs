//! What changed between two snapshots of the same document, computed on their lines by node.

use super::line::{Line, LineKind, Snapshot};
use crate::page::NodeKey;
use alloc::{collections::BTreeMap, string::String, vec::Vec};

/// One change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    /// The line (a place in the new snapshot) is new.
    Added(usize),
    /// The line says something else than the line (a place in the old snapshot) of the same node did.
    Changed {
        /// Place in the new snapshot.
        new: usize,
        /// Place in the old snapshot.
        old: usize,
    },
    /// The line (a place in the old snapshot) is gone.
    Removed(usize),
}

/// All changes.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Diff {
    /// The URL before, where it changed.
    pub old_url: Option<String>,
    /// The title before, where it changed.
    pub old_title: Option<String>,
    /// Added and changed lines in the new order, then removed ones in the old order.
    pub changes: Vec<Change>,
}

impl Diff {
    /// Nothing changed.
    pub fn is_empty(&self) -> bool {
        self.old_url.is_none() && self.old_title.is_none() && self.changes.is_empty()
    }
}

/// Compares two snapshots. Several lines about one node (its texts) are matched in their order.
pub fn diff(old: &Snapshot, new: &Snapshot) -> Diff {
    let mut before: BTreeMap<(NodeKey, bool, u32), usize> = BTreeMap::new();
    let old_names = identities(&old.lines);
    for (at, name) in old_names.iter().enumerate() {
        before.insert(*name, at);
    }
    let mut changes = Vec::new();
    for (at, name) in identities(&new.lines).into_iter().enumerate() {
        match before.remove(&name) {
            None => changes.push(Change::Added(at)),
            Some(old_at) if old.lines[old_at].kind != new.lines[at].kind => {
                changes.push(Change::Changed { new: at, old: old_at });
            }
            Some(_) => {}
        }
    }
    let mut removed: Vec<usize> = before.into_values().collect();
    removed.sort_unstable();
    changes.extend(removed.into_iter().map(Change::Removed));
    Diff {
        old_url: (old.url != new.url).then(|| old.url.clone()),
        old_title: (old.title != new.title).then(|| old.title.clone()),
        changes,
    }
}

/// A name for each line that is the same in both snapshots: node, text or not, and which one of several.
fn identities(lines: &[Line]) -> Vec<(NodeKey, bool, u32)> {
    let mut seen: BTreeMap<(NodeKey, bool), u32> = BTreeMap::new();
    lines
        .iter()
        .map(|line| {
            let is_text = matches!(line.kind, LineKind::Text(_));
            let count = seen.entry((line.key, is_text)).or_insert(0);
            *count += 1;
            (line.key, is_text, *count)
        })
        .collect()
}
