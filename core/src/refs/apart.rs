//! What tells a ref's element from its twins: other refs of the same role and name, in rows that are rows only by their looks.

use super::likeness::text_without;
use super::table::RefEntry;
use crate::aria::AriaFrame;
use crate::page::{Frame, NodeIdx, NodeKey};
use crate::planted::{self, Bug};
use alloc::{collections::BTreeMap, string::String, vec::Vec};

/// The part of the page that one of several twins stands in, and what it said.
#[derive(Debug, Clone, PartialEq)]
pub struct Apart {
    /// The outermost element around the twin that holds no other one, beside others of its kind that do.
    pub key: NodeKey,
    /// Its text without the twin's.
    pub text: String,
}

impl Apart {
    /// The element at this place still stands in that part, and the part says the same.
    pub(super) fn still_holds(&self, aria: &AriaFrame<'_>, at: NodeIdx) -> bool {
        if planted::is(Bug::ApartIgnored) {
            return true;
        }
        let frame = aria.lookup().frame();
        let mut up = aria.lookup().flat_parent(at);
        while let Some(around) = up {
            if frame.node(around).id == self.key.node {
                return text_without(aria, around, at) == self.text;
            }
            up = aria.lookup().flat_parent(around);
        }
        false
    }
}

/// Entries (place of the node, number of the entry) by frame, role and name.
type Twins = BTreeMap<(u32, &'static str, String), Vec<(NodeIdx, usize)>>;

/// Finds the part of each entry that has twins and no row, list item, article, option or dialog that speaks for it.
pub(super) fn tell_apart(found: &mut [((u32, NodeIdx), RefEntry)], views: &[AriaFrame<'_>]) {
    let mut twins: Twins = BTreeMap::new();
    for (number, ((frame_at, at), entry)) in found.iter().enumerate() {
        let likeness = &entry.likeness;
        let group = twins.entry((*frame_at, likeness.role, likeness.name.clone())).or_default();
        group.push((*at, number));
    }
    for ((frame_at, ..), mut group) in twins {
        if group.len() < 2 {
            continue;
        }
        group.sort_unstable();
        let aria = &views[frame_at as usize];
        let places: Vec<NodeIdx> = group.iter().map(|(at, _)| *at).collect();
        for (at, number) in group {
            if !found[number].1.likeness.context.is_empty() {
                continue;
            }
            let Some(part) = part_of(aria, at, &places) else { continue };
            let frame = aria.lookup().frame();
            let key = NodeKey { document: frame.document, node: frame.node(part).id };
            found[number].1.apart = Some(Apart { key, text: text_without(aria, part, at) });
        }
    }
}

/// The outermost element around a twin without another twin in it, if a sibling of the same tag and class holds another one.
fn part_of(aria: &AriaFrame<'_>, at: NodeIdx, twins: &[NodeIdx]) -> Option<NodeIdx> {
    let frame = aria.lookup().frame();
    let mut part = at;
    let parent = loop {
        let parent = aria.lookup().flat_parent(part)?;
        if holds_other(frame, parent, at, twins) {
            break parent;
        }
        part = parent;
    };
    if part == at {
        return None;
    }
    let own = frame.element(part)?;
    let is_row = aria.lookup().flat_children(parent).any(|sibling| {
        sibling != part
            && frame.element(sibling).is_some_and(|element| {
                element.tag == own.tag && element.attr("class") == own.attr("class")
            })
            && holds_other(frame, sibling, at, twins)
    });
    is_row.then_some(part)
}

/// `twins` is in tree order.
fn holds_other(frame: &Frame, part: NodeIdx, at: NodeIdx, twins: &[NodeIdx]) -> bool {
    let from = twins.partition_point(|twin| *twin < part);
    let end = frame.node(part).end;
    twins[from..].iter().take_while(|twin| **twin < end).any(|twin| *twin != at)
}
