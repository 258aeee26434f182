//! What a tool is: one descriptor, from which schema, policy class and dispatch are derived.

mod class;

pub use class::{Category, Effects, Level, Provenance, Recovery};
