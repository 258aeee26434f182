//! Backlot's core: browser tools for LLM agents as pure functions. It reads no clock, no randomness, no file.
//!
//! Everything lies on one of two paths, in this order; the modules below stand in the order of the paths.
//!
//! ```text
//! read:  page source -> page model -> accessibility -> interactive -> snapshot -> refs -> text
//!        sim|driver-cdp   page          aria            interactive    snapshot    refs    text
//! act:   call -> descriptor -> validate -> route -> gatekeeper -> resolve -> actionability -> dispatch -> settle -> verify -> report
//!        tool                             route    gatekeeper    action::{resolve, actionability, act, after, verify, report}
//! ```
//!
//! `planted` stands before both: bugs for tests of the tests, compiled in by a feature only.
#![no_std]
extern crate alloc;

pub mod planted;
pub mod page;
pub mod aria;
pub mod interactive;
pub mod snapshot;
pub mod refs;
pub mod locate;
pub mod text;
pub mod tool;
pub mod route;
pub mod frame;
pub mod gatekeeper;
pub mod port;
pub mod lane;
pub mod action;
pub mod surface;
