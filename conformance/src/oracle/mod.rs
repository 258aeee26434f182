//! Our accessibility beside the browser's own, node by node.

mod judge;
mod role_words;

pub(crate) use judge::{Found, Kind, judge};
