//! The snapshot: the page as lines of a tree, before they are text.

mod article;
mod build;
mod cost;
mod cut;
mod diff;
mod line;
mod part;
mod shown;
mod states;

pub use article::{Block, article};
pub use build::build;
pub use cost::tokens;
pub use cut::{Cut, cut};
pub use diff::{Change, Diff, diff};
pub use line::{Gap, Line, LineKind, Omission, OmissionKind, Snapshot, State};
pub use part::{Found, find, part};
pub(crate) use shown::breaks_line;
