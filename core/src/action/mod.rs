//! Acting on a page: from a ref to a report that says only what was seen.
//!
//! `resolve` (the node that was meant) -> `actionability` -> `act` (permit, dispatch) -> `after` (settle, snapshot) ->
//! `verify` -> `report`.

mod act;
mod actionability;
mod after;
mod engine;
mod extract;
mod failure;
mod intent;
pub mod limits;
mod load;
mod read;
mod report;
mod resolve;
mod verify;

pub use engine::Engine;
pub use failure::{Effect, Failure, NotActionable, Phase, Retry};
pub use report::ToolResult;

pub(crate) use act::{Act, Aim};
pub(crate) use engine::wrong_reply;
pub(crate) use intent::Intent;
pub(crate) use load::Loaded;
pub(crate) use report::Parts;
pub(crate) use verify::verify;
