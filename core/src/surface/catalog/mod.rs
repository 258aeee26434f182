//! The catalog of seed 000: tools in levels, refs `s…`, results that begin with `[tabId=N]`.

mod call;
mod tabs;
mod tools;

pub use crate::tool::ToolCall;
pub use call::Catalog;
pub use tools::TOOLS;
