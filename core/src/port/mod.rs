//! The one door to a browser, and the one to the host program.
//!
//! [`Port::call`] takes an [`Op`] and a deadline and gives a [`Reply`]. `sim` and `driver-cdp` implement it; tracing and
//! faults are wrappers written once, here. [`Host`] gives what core must not have: the time, sleep, chance, approvals.

mod error;
mod event;
mod fault;
mod input;
mod keys;
mod launch;
mod op;
mod reply;
mod replay;
mod trace;
mod view;

pub use error::DriverError;
pub use event::{DialogKind, Event, EventBatch, EventKind, Seq};
pub use fault::{Fault, FaultPlan, Faulty};
pub use input::{Button, InputPlan, Modifiers, MouseStep, Stroke, Typing};
pub use keys::{Key, UnknownKey};
pub use launch::{Browser, BrowserInfo, Launcher};
pub use op::{
    Dispatch, Evaluate, Guard, HistoryGo, NavigateTo, Op, ScriptArgument, ScrollBy, ScrollWhat,
    SettleSpec, TabWrite,
};
pub use replay::Replayed;
pub use reply::{
    BrowserNode, Cookie, DispatchEvidence, DispatchOutcome, HitAnswer, Image, LoadState, LogEntry,
    LogPage, Navigated, NotSent, Probe, Reply, ScriptEnd, Scrolled, Settled,
};
pub use trace::{Trace, Traced};
pub use view::{Device, Emulation, ImageFormat, Label, LogKind, ScreenshotArea, ScreenshotSpec};

pub use crate::frame::{FrameStep, Point};
pub use crate::route::{ReadyState, TabInfo};

use crate::gatekeeper::ApprovalRequest;
use alloc::{rc::Rc, string::String};
use core::future::Future;
use serde::{Deserialize, Serialize};

/// Milliseconds of the host's monotonic clock, from a start of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
pub struct Millis(pub u64);

impl Millis {
    /// This moment and so many milliseconds.
    #[must_use]
    pub fn plus(self, ms: u64) -> Self {
        Self(self.0.saturating_add(ms))
    }
}

/// A browser, as core sees it.
pub trait Port {
    /// Carries out one op and answers by the deadline.
    ///
    /// A read may be dropped at its deadline ([`DriverError::Deadline`]). A dispatch never is: it ends as a
    /// [`DispatchOutcome`].
    ///
    /// # Errors
    /// A [`DriverError`]: the connection, the tab or the document is gone, or the op is not supported.
    fn call(&self, op: Op, deadline: Millis) -> impl Future<Output = Result<Reply, DriverError>>;
}

impl<P: Port> Port for &P {
    fn call(&self, op: Op, deadline: Millis) -> impl Future<Output = Result<Reply, DriverError>> {
        P::call(self, op, deadline)
    }
}

impl<P: Port> Port for Rc<P> {
    fn call(&self, op: Op, deadline: Millis) -> impl Future<Output = Result<Reply, DriverError>> {
        P::call(self, op, deadline)
    }
}

/// What the program around core provides.
pub trait Host {
    /// Now.
    fn now(&self) -> Millis;
    /// Ends at the given moment, or at once if that has passed.
    fn sleep_until(&self, moment: Millis) -> impl Future<Output = ()>;
    /// A number that nobody can guess and that is never given twice.
    fn nonce(&self) -> u64;
    /// Asks whoever may approve. Bounded by the host.
    fn approve(&self, request: &ApprovalRequest) -> impl Future<Output = Approval>;
}

impl<H: Host> Host for &H {
    fn now(&self) -> Millis {
        H::now(self)
    }
    fn sleep_until(&self, moment: Millis) -> impl Future<Output = ()> {
        H::sleep_until(self, moment)
    }
    fn nonce(&self) -> u64 {
        H::nonce(self)
    }
    fn approve(&self, request: &ApprovalRequest) -> impl Future<Output = Approval> {
        H::approve(self, request)
    }
}

/// An answer to an [`ApprovalRequest`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Approval {
    /// This call may go on.
    Accept,
    /// This call may go on, and the same tool on the same origin for the rest of the session.
    AcceptForSession,
    /// It may not; the note goes to the agent.
    Decline {
        /// Why, and how to allow it.
        note: String,
    },
}
