//! Lookups over one frame that the accessibility step asks again and again: ids, labels, the flat tree.

use super::capture::{Children, Frame};
use super::node::{NodeData, NodeIdx};
use alloc::{collections::BTreeMap, vec::Vec};
use core::slice;

/// Scope, digest of the id, id. The digest decides almost always, so that a search does not fetch a string at each step; it
/// orders and no more: ids of one digest, which a page may choose on purpose, are still found in so many steps as others.
type IdKey<'a> = (Option<NodeIdx>, u64, &'a str);

fn id_key(scope: Option<NodeIdx>, id: &str) -> IdKey<'_> {
    // FNV-1a, 64 bits.
    let digest = id.bytes().fold(0xcbf2_9ce4_8422_2325, |digest: u64, byte| {
        (digest ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    (scope, digest, id)
}

/// Index of one frame: ids by tree scope, slot assignment, flat-tree parents. Built once in one pass.
#[derive(Debug)]
pub struct FrameLookup<'a> {
    frame: &'a Frame,
    /// First element with this id in this tree scope (the place of the shadow root, or `None` for the document).
    by_id: BTreeMap<IdKey<'a>, NodeIdx>,
    scope: Vec<Option<NodeIdx>>,
    slot_of: BTreeMap<NodeIdx, NodeIdx>,
    shadow_root: BTreeMap<NodeIdx, NodeIdx>,
}

/// Iterator over the children of a node in the flat tree.
#[derive(Debug, Clone)]
pub enum FlatChildren<'a> {
    /// As they stand in the tree: those of the node, or of its shadow root.
    Tree(Children<'a>),
    /// What a slot shows.
    Assigned(slice::Iter<'a, NodeIdx>),
}

impl Iterator for FlatChildren<'_> {
    type Item = NodeIdx;

    fn next(&mut self) -> Option<NodeIdx> {
        match self {
            Self::Tree(children) => children.next(),
            Self::Assigned(nodes) => nodes.next().copied(),
        }
    }
}

/// Pushes items so that the first one is popped first.
pub(crate) fn push_reversed<T>(stack: &mut Vec<T>, items: impl Iterator<Item = T>) {
    let from = stack.len();
    stack.extend(items);
    stack[from..].reverse();
}

impl<'a> FrameLookup<'a> {
    /// Indexes a frame.
    pub fn new(frame: &'a Frame) -> Self {
        let mut lookup = Self::empty(frame);
        for (at, _) in (0..).zip(&frame.nodes) {
            lookup.push(at);
        }
        lookup
    }

    /// An index without a node, for a walk that adds each as it meets it.
    pub(crate) fn empty(frame: &'a Frame) -> Self {
        Self {
            frame,
            by_id: BTreeMap::new(),
            scope: Vec::with_capacity(frame.nodes.len()),
            slot_of: BTreeMap::new(),
            shadow_root: BTreeMap::new(),
        }
    }

    /// Adds the next node in tree order.
    pub(crate) fn push(&mut self, at: NodeIdx) {
        let node = self.frame.node(at);
        let scope = match node.parent {
            Some(parent) if matches!(self.frame.node(parent).data, NodeData::ShadowRoot(_)) => {
                Some(parent)
            }
            Some(parent) => self.scope[parent as usize],
            None => None,
        };
        self.scope.push(scope);
        match &node.data {
            NodeData::Element(element) => {
                if let Some(id) = element.attr("id").filter(|id| !id.is_empty()) {
                    self.by_id.entry(id_key(scope, id)).or_insert(at);
                }
                for assigned in &element.assigned {
                    self.slot_of.entry(*assigned).or_insert(at);
                }
            }
            NodeData::ShadowRoot(_) => {
                if let Some(host) = node.parent {
                    self.shadow_root.entry(host).or_insert(at);
                }
            }
            NodeData::Text(_) => {}
        }
    }

    /// The frame that was indexed.
    pub fn frame(&self) -> &'a Frame {
        self.frame
    }

    /// The element with this id in the tree scope of `from` (shadow trees have ids of their own).
    pub fn by_id(&self, from: NodeIdx, id: &str) -> Option<NodeIdx> {
        self.by_id.get(&id_key(self.scope[from as usize], id)).copied()
    }

    /// The tree scope of a node: the place of its shadow root, `None` for the document.
    pub fn scope(&self, at: NodeIdx) -> Option<NodeIdx> {
        self.scope[at as usize]
    }

    /// The shadow root of a host, where it was captured.
    pub fn shadow_root(&self, host: NodeIdx) -> Option<NodeIdx> {
        self.shadow_root.get(&host).copied()
    }

    /// The slot that a light child of a shadow host is assigned to.
    pub fn slot_of(&self, at: NodeIdx) -> Option<NodeIdx> {
        self.slot_of.get(&at).copied()
    }

    /// Children in the flat tree: a host shows its shadow tree, a slot what is assigned to it.
    pub fn flat_children(&self, at: NodeIdx) -> FlatChildren<'a> {
        if let Some(root) = self.shadow_root(at) {
            return FlatChildren::Tree(self.frame.children(root));
        }
        match self.frame.element(at) {
            Some(slot) if !slot.assigned.is_empty() => FlatChildren::Assigned(slot.assigned.iter()),
            _ => FlatChildren::Tree(self.frame.children(at)),
        }
    }

    /// Parent in the flat tree; `None` for roots, and for light children of a host that no slot shows.
    pub fn flat_parent(&self, at: NodeIdx) -> Option<NodeIdx> {
        let parent = self.frame.node(at).parent?;
        if let NodeData::ShadowRoot(_) = self.frame.node(parent).data {
            return self.frame.node(parent).parent;
        }
        if self.shadow_root(parent).is_some() {
            return self.slot_of(at);
        }
        Some(parent)
    }
}
