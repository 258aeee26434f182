//! Runs Playwright bodies: TypeScript is stripped, then QuickJS runs the rest inside our process, with nothing to reach but the
//! door ([`PageDoor`]) that it was given.
//!
//! A body sees `page`, `context`, `browser`, `console` and the language. There is no file, no network, no process and no module;
//! each run has a runtime of its own, and nothing of it stays. Work is bounded by counts ([`Limits`]), so the same body against
//! the same door ends the same way on every machine; only the deadline is a matter of the door's clock.

mod engine;
mod host;
mod output;
mod patterns;
mod prelude;
mod strip;

use backlot_core::port::Millis;
use backlot_core::surface::toolkit::{CodeEnd, CodeRunner, PageDoor};
use std::future::Future;

/// What a run may use. The defaults are stated with each field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of code: 128 KiB.
    pub code: usize,
    /// Bytes of memory for everything that the body makes: 64 MiB.
    pub memory: usize,
    /// Bytes of stack of the engine: 512 KiB. The calling thread must have twice that.
    pub stack: usize,
    /// Steps of ten thousand calls and loop turns each: 4,000. Long work inside the engine counts too.
    pub steps: u64,
    /// Promise reactions: 1,000,000.
    pub reactions: u64,
    /// Calls through the door: 10,000.
    pub calls: u32,
    /// Calls and timers that wait at one time: 1,000.
    pub waiting: usize,
    /// Bytes of each of the two outputs: 256 KiB. What goes beyond is cut, and the cut is told.
    pub output: usize,
    /// Bytes of the result as JSON: 1 MiB.
    pub result: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            code: 128 * 1024,
            memory: 64 * 1024 * 1024,
            stack: 512 * 1024,
            steps: 4_000,
            reactions: 1_000_000,
            calls: 10_000,
            waiting: 1_000,
            output: 256 * 1024,
            result: 1024 * 1024,
        }
    }
}

/// Runs bodies in QuickJS.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Runner {
    /// What each run may use.
    pub limits: Limits,
}

impl CodeRunner for Runner {
    fn run<D: PageDoor + 'static>(
        &self,
        door: D,
        code: &str,
        deadline: Millis,
    ) -> impl Future<Output = CodeEnd> {
        engine::run(self.limits, door, code.to_owned(), deadline)
    }
}
