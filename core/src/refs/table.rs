//! The refs of one snapshot, and how one is resolved against the page as it is now.

use super::apart::{self, Apart};
use super::elem_ref::{DocumentNonce, ElementRef};
use super::likeness::Likeness;
use crate::aria::AriaFrame;
use crate::page::{Capture, DocumentKey, NodeIdx, NodeKey};
use crate::planted::{self, Bug};
use crate::snapshot::Snapshot;
use alloc::{collections::BTreeMap, vec::Vec};
use serde::Serialize;

/// The refs of a tab's newest snapshot. The next snapshot replaces it; it is kept in memory only.
#[derive(Debug, Clone)]
pub struct RefTable {
    nonce: DocumentNonce,
    snapshot: u32,
    entries: Vec<RefEntry>,
    by_key: BTreeMap<NodeKey, u32>,
}

/// What one ref is bound to.
#[derive(Debug, Clone, PartialEq)]
pub struct RefEntry {
    /// The node.
    pub key: NodeKey,
    /// Documents from the top frame down to the node's.
    pub chain: Vec<DocumentKey>,
    /// URL that the node's document has its origin from.
    pub url: alloc::string::String,
    /// What it meant.
    pub likeness: Likeness,
    /// What tells it from others of the same role and name, where nothing else does.
    pub apart: Option<Apart>,
}

/// Why a ref is not good any more.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum StaleReason {
    /// It is not of this ref format.
    #[error("it is not a ref of this version")]
    Malformed,
    /// No snapshot of the tab has been taken yet.
    #[error("no snapshot of this tab has been taken")]
    NoSnapshot,
    /// It was given for another document.
    #[error("it belongs to another document")]
    OtherDocument,
    /// It was given in an older snapshot.
    #[error("it belongs to an older snapshot")]
    OldSnapshot,
    /// The snapshot gave no such ref.
    #[error("the snapshot has no such ref")]
    Unknown,
    /// A frame around the node has another document now.
    #[error("the frame around it was replaced")]
    FrameReplaced,
    /// The node is not in its document any more.
    #[error("its element was removed")]
    Removed,
    /// The node came to mean another thing.
    #[error("its element was re-used for something else")]
    Recycled,
}

/// A ref that is good.
#[derive(Debug, Clone, PartialEq)]
pub struct Resolved {
    /// The node.
    pub key: NodeKey,
    /// Its place in the capture: frame and node.
    pub at: (u32, NodeIdx),
    /// Documents from the top frame down.
    pub chain: Vec<DocumentKey>,
    /// Its likeness now.
    pub likeness: Likeness,
    /// What takes part in its mark besides itself, as in [`crate::page::MarkOf::context`].
    pub context: Option<NodeKey>,
    /// The name it had, where that changed.
    pub renamed_from: Option<alloc::string::String>,
}

impl RefTable {
    /// The table of a snapshot's refs, numbered from 1 in their order.
    pub fn new(nonce: DocumentNonce, number: u32, entries: Vec<RefEntry>) -> Self {
        // A snapshot of 2^32 refs does not fit in memory.
        let by_key = (1..).zip(&entries).map(|(index, entry)| (entry.key, index)).collect();
        Self { nonce, snapshot: number, entries, by_key }
    }

    /// The document's nonce.
    pub fn nonce(&self) -> &DocumentNonce {
        &self.nonce
    }

    /// The snapshot's number.
    pub fn snapshot(&self) -> u32 {
        self.snapshot
    }

    /// The ref of a node.
    pub fn ref_of(&self, key: NodeKey) -> Option<ElementRef> {
        let index = *self.by_key.get(&key)?;
        Some(ElementRef { nonce: self.nonce.clone(), snapshot: self.snapshot, index })
    }

    /// What a ref is bound to, without looking at the page.
    ///
    /// # Errors
    /// The ref is not of this table.
    pub fn look_up(&self, text: &str) -> Result<&RefEntry, StaleReason> {
        let elem_ref = ElementRef::parse(text).ok_or(StaleReason::Malformed)?;
        if elem_ref.nonce != self.nonce && !planted::is(Bug::NonceIgnored) {
            return Err(StaleReason::OtherDocument);
        }
        if elem_ref.snapshot < self.snapshot && !planted::is(Bug::OldSnapshotAccepted) {
            return Err(StaleReason::OldSnapshot);
        }
        if elem_ref.snapshot > self.snapshot {
            return Err(StaleReason::Unknown);
        }
        // The index is from 1: the parser refuses 0.
        self.entries.get(elem_ref.index as usize - 1).ok_or(StaleReason::Unknown)
    }

    /// All that was given together.
    pub fn entries(&self) -> &[RefEntry] {
        &self.entries
    }
}

/// Another of these bore this role and name.
fn another_bore(others: &[RefEntry], entry: &RefEntry, now: &Likeness) -> bool {
    let others = if planted::is(Bug::TwinsIgnored) { &[] } else { others };
    others.iter().any(|other| {
        other.key != entry.key && other.likeness.name == now.name && other.likeness.role == now.role
    })
}

/// What the refs of a snapshot are bound to: one entry for each line with a ref, in their order.
pub fn entries(snapshot: &Snapshot, capture: &Capture, views: &[AriaFrame<'_>]) -> Vec<RefEntry> {
    let lines = snapshot.lines.iter().filter(|line| line.has_ref());
    entries_at(lines.map(|line| line.at), capture, views)
}

/// What refs to the elements at these places (frame and node) are bound to, in their order.
pub fn entries_at(
    places: impl Iterator<Item = (u32, NodeIdx)>,
    capture: &Capture,
    views: &[AriaFrame<'_>],
) -> Vec<RefEntry> {
    let chains: Vec<Vec<DocumentKey>> =
        (0..).zip(&capture.frames).map(|(at, _)| capture.chain(at)).collect();
    let mut found: Vec<((u32, NodeIdx), RefEntry)> = places
        .filter_map(|(frame_at, at)| {
            let frame = &capture.frames[frame_at as usize];
            let entry = RefEntry {
                key: frame.key(at),
                chain: chains[frame_at as usize].clone(),
                url: capture.origin_url(frame_at).into(),
                likeness: Likeness::of(&views[frame_at as usize], at, frame.element(at)?),
                apart: None,
            };
            Some(((frame_at, at), entry))
        })
        .collect();
    apart::tell_apart(&mut found, views);
    found.into_iter().map(|(_, entry)| entry).collect()
}

/// What an element that was found by other means than a ref is bound to, from now on.
pub fn entry_of(
    capture: &Capture,
    views: &[AriaFrame<'_>],
    at: (u32, NodeIdx),
) -> Option<RefEntry> {
    let frame = &capture.frames[at.0 as usize];
    Some(RefEntry {
        key: frame.key(at.1),
        chain: capture.chain(at.0),
        url: capture.origin_url(at.0).into(),
        likeness: Likeness::of(&views[at.0 as usize], at.1, frame.element(at.1)?),
        apart: None,
    })
}

/// Resolves an entry against the page now: the same node, and still the same thing. `others` are the entries that were given
/// together with it: a node that took over the name of another one is not the same thing.
///
/// # Errors
/// [`StaleReason::FrameReplaced`], [`StaleReason::Removed`] or [`StaleReason::Recycled`].
pub fn resolve(
    others: &[RefEntry],
    entry: &RefEntry,
    capture: &Capture,
) -> Result<Resolved, StaleReason> {
    let frame_at = capture
        .frames
        .iter()
        .position(|frame| frame.document == entry.key.document)
        .ok_or(StaleReason::FrameReplaced)?;
    let frame_at = u32::try_from(frame_at).map_err(|_| StaleReason::FrameReplaced)?;
    let chain = capture.chain(frame_at);
    if chain != entry.chain {
        return Err(StaleReason::FrameReplaced);
    }
    let (_, at) = capture.find(entry.key).ok_or(StaleReason::Removed)?;
    let frame = &capture.frames[frame_at as usize];
    let element = frame.element(at).ok_or(StaleReason::Removed)?;
    let aria = AriaFrame::new(frame);
    let now = Likeness::of(&aria, at, element);
    let was = &entry.likeness;
    if !was.means_the_same(&now) || was.name != now.name && another_bore(others, entry, &now) {
        return Err(StaleReason::Recycled);
    }
    if entry.apart.as_ref().is_some_and(|apart| !apart.still_holds(&aria, at)) {
        return Err(StaleReason::Recycled);
    }
    Ok(Resolved {
        key: entry.key,
        at: (frame_at, at),
        chain,
        context: entry.apart.as_ref().map(|apart| apart.key),
        renamed_from: (was.name != now.name).then(|| was.name.clone()),
        likeness: now,
    })
}
