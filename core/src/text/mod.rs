//! Text given to the agent: escaping, the outline of seed 000, fences.
//!
//! Text is made here and never parsed, cut or compared by the steps before: they work on trees. [`parse`] is for those who are
//! given the text.

mod escape;
mod fence;
mod markdown;
mod outline;
mod parse;

pub use escape::{header_piece, quoted, quoted_value, text_line, url_piece};
pub(crate) use escape::{is_invisible, visible_json};
pub use fence::Fence;
pub use markdown::{Markdown, markdown};
pub use outline::{EMPTY_PAGE, Outline, outline, outline_line};
pub use parse::{ParseError, ParsedKind, ParsedLine, ParsedOutline, ParsedState, parse};
