//! `backlot mcp` from the outside: a client over standard input and output, a real browser, pages on loopback.

#![cfg(feature = "mcp")]
#![expect(clippy::unwrap_used, reason = "a test that meets an error ends there")]

mod acting;
mod client;
mod life;
mod surfaces;
