//! Refs: the short handles in a snapshot, and what they are bound to.
//!
//! A ref is bound to a node ([`crate::page::NodeKey`]: the same node) and to what the node meant ([`Likeness`]: the same
//! thing). What cannot be proved to be both is [`StaleReason`].

mod apart;
mod elem_ref;
mod lasting;
mod likeness;
mod table;

pub use apart::Apart;
pub use elem_ref::{DocumentNonce, ElementRef};
pub use lasting::{LASTING_MAX, LastingRefs, lasting_number, lasting_ref};
pub use likeness::Likeness;
pub use table::{
    RefEntry, RefTable, Resolved, StaleReason, entries, entries_at, entry_of, resolve,
};
