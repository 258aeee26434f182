//! What only a real browser can say. A missing browser fails these tests with the hint how to install one.

#![expect(clippy::unwrap_used, reason = "a test that meets an error ends there")]

mod act;
mod browser_tool;
mod capture;
mod faults;
mod input;
mod life;
mod page;
mod probe;
mod sequence;
mod support;
