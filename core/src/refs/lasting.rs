//! Refs that keep their number: `l7`, `e12`. A node has the same one in every snapshot, and a number is never given again.

use super::table::{RefEntry, StaleReason};
use crate::page::{DocumentKey, NodeKey};
use alloc::{
    collections::{BTreeMap, BTreeSet},
    format,
    string::String,
    vec::Vec,
};

/// Most refs that are remembered; with more, those of older documents are forgotten first.
pub const LASTING_MAX: usize = 200_000;

/// The numbered refs of one tab.
///
/// Numbers go on over documents, so that a ref of an older page is never one of this page. A node that came to mean another thing
/// gets another number: the old one stays bound to what it was given for, whether the snapshot in between was seen or not.
#[derive(Debug, Clone, Default)]
pub struct LastingRefs {
    last: u32,
    numbers: BTreeMap<NodeKey, u32>,
    /// What each number was given for, with the entry of the newest snapshot that had it.
    given: BTreeMap<u32, RefEntry>,
}

impl LastingRefs {
    /// Takes the entries of a new snapshot: nodes that mean what they meant keep their numbers, others get the next.
    pub fn renew(&mut self, entries: &[RefEntry]) {
        if self.given.len() + entries.len() > LASTING_MAX {
            self.make_room(entries);
        }
        let kept = self.kept(entries);
        for (entry, kept) in entries.iter().zip(kept) {
            let number = kept.unwrap_or_else(|| {
                self.last += 1;
                self.last
            });
            self.numbers.insert(entry.key, number);
            self.given.insert(number, entry.clone());
        }
    }

    /// The numbers of the entries whose nodes mean what they meant when they got them.
    fn kept(&self, entries: &[RefEntry]) -> Vec<Option<u32>> {
        // Which nodes bore a role and name: a name that went from one node to another is not a mere change of name.
        let mut bore: BTreeMap<(&str, &str), BTreeSet<NodeKey>> = BTreeMap::new();
        for entry in self.given.values() {
            let worn = (entry.likeness.role, entry.likeness.name.as_str());
            bore.entry(worn).or_default().insert(entry.key);
        }
        let is_kept = |was: &RefEntry, now: &RefEntry| {
            let worn = (now.likeness.role, now.likeness.name.as_str());
            let is_anothers =
                || bore.get(&worn).is_some_and(|keys| keys.iter().any(|key| *key != now.key));
            means_the_same(was, now) && (was.likeness.name == now.likeness.name || !is_anothers())
        };
        let number = |now: &RefEntry| {
            let number = *self.numbers.get(&now.key)?;
            is_kept(self.given.get(&number)?, now).then_some(number)
        };
        entries.iter().map(number).collect()
    }

    /// Forgets those of other documents, and if that is not enough, those of nodes that the new snapshot does not have.
    fn make_room(&mut self, entries: &[RefEntry]) {
        let documents: BTreeSet<DocumentKey> =
            entries.iter().map(|entry| entry.key.document).collect();
        self.numbers.retain(|key, _| documents.contains(&key.document));
        if self.numbers.len() + entries.len() > LASTING_MAX {
            let keys: BTreeSet<NodeKey> = entries.iter().map(|entry| entry.key).collect();
            self.numbers.retain(|key, _| keys.contains(key));
        }
        let numbers = &self.numbers;
        self.given.retain(|number, entry| numbers.get(&entry.key) == Some(number));
    }

    /// All that was given in documents below this top document.
    pub fn given_in(&self, top: DocumentKey) -> Vec<RefEntry> {
        self.given.values().filter(|entry| entry.chain.first() == Some(&top)).cloned().collect()
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
}

/// The node is what it was. A twin that comes or goes does not make it another thing.
fn means_the_same(was: &RefEntry, now: &RefEntry) -> bool {
    was.likeness.means_the_same(&now.likeness)
        && match (&was.apart, &now.apart) {
            (Some(was), Some(now)) => was == now,
            _ => true,
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
        refs.renew(&[entry(1, 5), entry(1, 6)]);
        refs.renew(&[entry(1, 6), entry(1, 7)]);
        let number = |node| refs.number(entry(1, node).key);
        assert_eq!([number(5), number(6), number(7)], [Some(1), Some(2), Some(3)]);
        assert_eq!(refs.look_up(1).map(|entry| entry.key.node), Ok(NodeId(5)));
        refs.renew(&[entry(2, 5)]);
        assert_eq!(refs.number(entry(2, 5).key), Some(4));
        assert_eq!(refs.look_up(5).err(), Some(StaleReason::Unknown));
    }

    #[test]
    fn a_node_that_means_another_thing_gets_another_number() {
        let mut refs = LastingRefs::default();
        let of_row = |row: &str| {
            let mut entry = entry(1, 5);
            entry.likeness.context = row.into();
            entry
        };
        refs.renew(&[of_row("Ann")]);
        refs.renew(&[of_row("Bob")]);
        assert_eq!(refs.number(entry(1, 5).key), Some(2));
        let context = |number| refs.look_up(number).map(|entry| entry.likeness.context.as_str());
        assert_eq!((context(1), context(2)), (Ok("Ann"), Ok("Bob")));
        assert_eq!(refs.given_in(entry(1, 5).key.document).len(), 2);
        assert!(refs.given_in(entry(2, 5).key.document).is_empty());
    }

    #[test]
    fn one_document_that_goes_on_for_ever_is_bounded() {
        let mut refs = LastingRefs::default();
        for round in 0..3 {
            let entries: Vec<RefEntry> =
                (0..90_000).map(|n| entry(1, round * 90_000 + n)).collect();
            refs.renew(&entries);
        }
        assert!(refs.given.len() <= LASTING_MAX, "{}", refs.given.len());
        assert_eq!(refs.look_up(1).err(), Some(StaleReason::Unknown));
        assert!(refs.look_up(270_000).is_ok());
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
