//! Accessibility: roles, names, descriptions, states and hidden-ness of a captured frame, as WAI-ARIA 1.2 (and its 1.3
//! draft), HTML-AAM 1.0, SVG-AAM 1.0 and accname 1.2 say.
//!
//! [`AriaFrame::new`] makes one pass over a frame in tree order and decides roles, hidden-ness and inertness; names,
//! descriptions and states are computed where they are asked for.

mod description;
mod disabled;
mod hidden;
mod implicit_role;
mod inner_text;
mod name;
mod note;
mod role;
#[cfg(test)]
mod role_tests;
mod state;
#[cfg(test)]
mod state_tests;
mod tree;

pub use hidden::{Hidden, HiddenReason, Unseen};
pub use inner_text::{inner_text, text_content};
pub use name::{NAME_BYTES_MAX, NAME_STEPS_MAX, Name, NameSource};
pub use note::{NOTE_CHARS_MAX, NOTES_MAX, Note, PassedOver};
pub use role::Role;
pub use state::{Invalid, States, Tristate};

use crate::page::{Capture, Frame, FrameLookup, NodeIdx};
use alloc::{string::String, vec::Vec};

/// The accessible views of a capture's frames, in their order.
pub fn frames(capture: &Capture) -> Vec<AriaFrame<'_>> {
    capture.frames.iter().map(AriaFrame::new).collect()
}

/// The accessible view of one frame.
#[derive(Debug)]
pub struct AriaFrame<'a> {
    tree: tree::FlatTree<'a>,
    hidden: Vec<Hidden>,
    inert: Vec<bool>,
    disabled: Vec<disabled::Disabled>,
    roles: implicit_role::Roles,
    memo: name::Memo,
}

impl<'a> AriaFrame<'a> {
    /// Looks at every node of the frame a fixed number of times.
    pub fn new(frame: &'a Frame) -> Self {
        let mut tree = tree::FlatTree::empty(frame);
        let mut hidden = Vec::with_capacity(frame.nodes.len());
        let mut inert = hidden::Inert::default();
        let mut disabled = disabled::Disabling::default();
        // One walk for all of them: a large frame does not fit into the processor's caches, and each walk would fetch it anew.
        for (at, _) in (0..).zip(&frame.nodes) {
            tree.push(at);
            hidden.push(hidden::next(&tree, &hidden, at));
            inert.push(&tree, at);
            disabled.push(&tree, at);
        }
        tree.finish();
        let (inert, disabled) = (inert.finish(), disabled.finish());
        let roles = implicit_role::Roles::new(&tree, &hidden);
        Self { tree, hidden, inert, disabled, roles, memo: name::Memo::default() }
    }

    /// Ids, scopes and slots of the frame.
    pub fn lookup(&self) -> &FrameLookup<'a> {
        &self.tree.lookup
    }

    /// The role under which a node is told; [`Role::NoRole`] for text and shadow roots.
    pub fn role(&self, at: NodeIdx) -> Role {
        self.roles.exposed(at)
    }

    /// Whether a node, or everything below it, is kept from all users.
    pub fn hidden(&self, at: NodeIdx) -> Hidden {
        self.hidden[at as usize]
    }

    /// Why nobody sees an element that is rendered; `None` where somebody may, and where boxes were not asked. Such an element
    /// is told all the same: it is often meant for those who cannot see.
    pub fn unseen(&self, at: NodeIdx) -> Option<Unseen> {
        self.tree.frame.element(at).and_then(hidden::unseen_by_box)
    }

    /// The node takes no input: an `inert` attribute on it or above it, or an open modal dialog elsewhere.
    pub fn is_inert(&self, at: NodeIdx) -> bool {
        self.inert[at as usize]
    }

    /// The accessible name.
    pub fn name(&self, at: NodeIdx) -> Name {
        name::of(self, at)
    }

    /// The accessible description; empty where there is none.
    pub fn description(&self, at: NodeIdx) -> String {
        description::of(self, at)
    }

    /// States and values.
    pub fn states(&self, at: NodeIdx) -> States {
        state::of(self, at)
    }

    /// What of the element's markup was passed over; at most [`NOTES_MAX`].
    pub fn notes(&self, at: NodeIdx) -> Vec<Note> {
        note::of(self, at)
    }

    /// How many nodes the names and descriptions asked so far looked at: a measure of work for benches and tests.
    pub fn steps(&self) -> u64 {
        self.memo.steps()
    }

    /// Places of the children that are told below a node: flat tree, without elements that `aria-owns` moved elsewhere,
    /// then those it moved here.
    pub fn children(&self, at: NodeIdx) -> impl Iterator<Item = NodeIdx> {
        self.tree.owned_children(at, &self.hidden)
    }
}
