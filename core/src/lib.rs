//! Backlot's core.
#![no_std]
extern crate alloc;

pub mod aria;
pub mod gatekeeper;
pub mod page;
pub mod port;
pub mod tool;
