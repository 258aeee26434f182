//! The catalog of seed 000: tools in levels, refs `s…`, results that begin with `[tabId=N]`.

mod call;
mod tools;

pub use call::{Catalog, ToolCall};
pub use tools::TOOLS;
