//! The live driver: Backlot's port on a real Chromium, over CDP.
//!
//! ```text
//! CdpBrowser -> CdpPort (ops/*) -> world (the walker's isolated world) -> session (Link, Book) -> transport (chromiumoxide)
//! ```
//!
//! A [`CdpBrowser`] launches or attaches; its [`CdpPort`] is core's `Port`. Everything page-side is one walker script
//! (`src/walker/`) in an isolated world, which shares the page's tree and none of its script objects.

mod book;
mod browser;
mod clock;
mod event_log;
mod events;
mod host;
mod labels;
mod launch;
mod launcher;
mod log;
mod loopback;
mod ops;
mod oracle;
mod page_log;
mod session;
mod transport;
mod watchdog;
mod world;

pub use browser::CdpBrowser;
pub use event_log::{EVENT_LOG_BINDING, EVENT_LOG_MOVES, EVENT_LOG_SCRIPT};
pub use host::{Approver, TokioHost};
pub use launch::{LaunchOptions, PROGRAM_VARIABLE};
pub use launcher::CdpLauncher;
pub use loopback::{LoopbackServer, Route};
pub use ops::CdpPort;
pub use oracle::OracleNode;
