//! Refs that keep their number: `l7`, `e12`. A node has the same one in every snapshot, and a number is never given again.

use super::table::{RefEntry, StaleReason};
use crate::page::{DocumentKey, NodeKey};
use alloc::{collections::BTreeMap, format, string::String, vec::Vec};

/// Most refs that are remembered; with more, those of older documents are forgotten first.
pub const LASTING_MAX: usize = 200_000;

/// The numbered refs of one tab.
///
/// Numbers go on over documents, so that a ref of an older page is never one of this page.
#[derive(Debug, Clone, Default)]
pub struct LastingRefs {
    last: u32,
    numbers: BTreeMap<NodeKey, u32>,
    /// Of the newest snapshot, in its order.
    entries: Vec<RefEntry>,
    /// What each number was given for, with the entry of the newest snapshot that had it.
    given: BTreeMap<u32, RefEntry>,
}

impl LastingRefs {
    /// Takes the entries of a new snapshot: known nodes keep their numbers, new ones get the next.
    pub fn renew(&mut self, entries: Vec<RefEntry>) {
        let documents: Vec<DocumentKey> = entries.iter().map(|entry| entry.key.document).collect();
        if self.given.len() + entries.len() > LASTING_MAX {
            self.numbers.retain(|key, _| documents.contains(&key.document));
            let numbers = &self.numbers;
            self.given.retain(|_, entry| numbers.contains_key(&entry.key));
        }
        for entry in &entries {
            let number = *self.numbers.entry(entry.key).or_insert_with(|| {
                self.last += 1;
                self.last
            });
            self.given.insert(number, entry.clone());
        }
        self.entries = entries;
    }

    /// Forgets what the numbers were given for, and never gives them again: the browser they were of is gone.
    pub fn forget(&mut self) {
        *self = Self { last: self.last, ..Self::default() };
    }

    /// The number of a node of the newest snapshot.
    pub fn number(&self, key: NodeKey) -> Option<u32> {
        self.numbers.get(&key).copied()
    }

    /// What a number is bound to, without looking at the page.
    ///
    /// # Errors
    /// [`StaleReason::NoSnapshot`], [`StaleReason::Unknown`]: never given or forgotten.
    pub fn look_up(&self, number: u32) -> Result<&RefEntry, StaleReason> {
        if self.last == 0 {
            return Err(StaleReason::NoSnapshot);
        }
        self.given.get(&number).ok_or(StaleReason::Unknown)
    }

    /// The entries of the newest snapshot.
    pub fn entries(&self) -> &[RefEntry] {
        &self.entries
    }
}

/// The number in a ref of one of these prefixes, as it is printed.
///
/// # Errors
/// [`StaleReason::Malformed`]
pub fn lasting_number(prefixes: &[&str], text: &str) -> Result<u32, StaleReason> {
    let digits = prefixes.iter().find_map(|prefix| text.strip_prefix(prefix));
    let digits = digits.filter(|digits| !digits.starts_with('0') && digits.len() <= 9);
    let digits = digits.filter(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()));
    digits.and_then(|digits| digits.parse().ok()).ok_or(StaleReason::Malformed)
}

/// A ref as it is printed.
pub fn lasting_ref(prefix: &str, number: u32) -> String {
    format!("{prefix}{number}")
}

#[cfg(test)]
mod tests {
    use super::super::Likeness;
    use super::*;
    use crate::page::{FrameId, LoaderId, NodeId};

    fn entry(loader: u32, node: u32) -> RefEntry {
        let document = DocumentKey { frame: FrameId(1), loader: LoaderId(loader) };
        let likeness = Likeness {
            role: "button",
            tag: "button".into(),
            kind: String::new(),
            name: String::new(),
            context: String::new(),
            label: String::new(),
            placeholder: String::new(),
        };
        RefEntry {
            key: NodeKey { document, node: NodeId(node) },
            chain: alloc::vec![document],
            url: String::new(),
            likeness,
            apart: None,
        }
    }

    #[test]
    fn a_number_lasts_and_is_never_given_again() {
        let mut refs = LastingRefs::default();
        assert_eq!(refs.look_up(1).err(), Some(StaleReason::NoSnapshot));
        refs.renew(alloc::vec![entry(1, 5), entry(1, 6)]);
        refs.renew(alloc::vec![entry(1, 6), entry(1, 7)]);
        let number = |node| refs.number(entry(1, node).key);
        assert_eq!([number(5), number(6), number(7)], [Some(1), Some(2), Some(3)]);
        assert_eq!(refs.look_up(1).map(|entry| entry.key.node), Ok(NodeId(5)));
        refs.renew(alloc::vec![entry(2, 5)]);
        assert_eq!(refs.number(entry(2, 5).key), Some(4));
        assert_eq!(refs.look_up(5).err(), Some(StaleReason::Unknown));
    }

    #[test]
    fn only_the_printed_form_is_a_ref() {
        assert_eq!(lasting_number(&["l"], "l7"), Ok(7));
        assert_eq!(lasting_number(&["e", "ax"], "ax12"), Ok(12));
        for bad in ["", "l", "7", "l07", "l-1", "L7", "l7 ", "l1234567890", "e7x"] {
            assert_eq!(lasting_number(&["l", "e"], bad), Err(StaleReason::Malformed), "{bad}");
        }
    }
}
