//! How a call fails: one shape for every cause.

use crate::gatekeeper::DenyReason;
use crate::port::DriverError;
use crate::refs::StaleReason;
use alloc::{
    format,
    string::{String, ToString},
};
use serde::Serialize;

/// A failed call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// Code of the wire form.
    pub code: &'static str,
    /// Where on the act path.
    pub phase: Phase,
    /// What happened, in our own words.
    pub message: String,
    /// What the page says to it: untrusted, printed inside the fence.
    pub detail: Option<String>,
    /// Whether trying again makes sense.
    pub retry: Retry,
    /// Whether the page may have been changed.
    pub effect: Effect,
}

/// A step of the act path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// Arguments.
    Validate,
    /// Which tab.
    Route,
    /// The Gatekeeper.
    Policy,
    /// From a ref to a node.
    Resolve,
    /// Before the write.
    Precheck,
    /// The write.
    Dispatch,
    /// The wait after it.
    Settle,
    /// Whether it did what it should.
    Verify,
    /// Reading the page.
    Read,
}

/// Whether trying again makes sense.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Retry {
    /// Not as it is.
    Never,
    /// With a ref of a new snapshot.
    AfterNewSnapshot,
    /// The same call may work later.
    SameCall,
}

/// What is known of the effect.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Effect {
    /// Nothing was done.
    None,
    /// It was done.
    Done,
    /// It may have been done; it must not be repeated blindly.
    Unknown,
}

/// Why a target cannot be acted on, in the order in which it is checked.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum NotActionable {
    /// Not attached.
    #[error("the target is not in its document any more")]
    Detached,
    /// Not visible.
    #[error("the target is not visible: {0}")]
    NotVisible(&'static str),
    /// Not in the viewport, even after scrolling.
    #[error("the target lies outside the viewport and cannot be scrolled into it")]
    OutsideViewport,
    /// It keeps moving.
    #[error("the target kept moving for {0} ms")]
    NotStable(u64),
    /// Disabled.
    #[error("the target is disabled")]
    Disabled,
    /// Inert.
    #[error("the target is inert: a modal dialog or an inert ancestor keeps input from it")]
    Inert,
    /// Not editable.
    #[error("the target cannot be edited: {0}")]
    NotEditable(&'static str),
    /// Something else would receive the events.
    #[error("the target is covered")]
    Covered,
    /// In a frame whose geometry cannot be told exactly.
    #[error("the target lies in a frame that cannot be mapped exactly ({0})")]
    UnsupportedFrame(String),
}

impl NotActionable {
    fn code(&self) -> &'static str {
        match self {
            Self::Detached => "detached",
            Self::NotVisible(_) => "not_visible",
            Self::OutsideViewport => "outside_viewport",
            Self::NotStable(_) => "not_stable",
            Self::Disabled => "disabled",
            Self::Inert => "inert",
            Self::NotEditable(_) => "not_editable",
            Self::Covered => "occluded",
            Self::UnsupportedFrame(_) => "unsupported_frame",
        }
    }

    fn retry(&self) -> Retry {
        match self {
            Self::Detached => Retry::AfterNewSnapshot,
            Self::NotVisible(_) | Self::NotStable(_) | Self::Covered | Self::Inert => {
                Retry::SameCall
            }
            Self::OutsideViewport
            | Self::Disabled
            | Self::NotEditable(_)
            | Self::UnsupportedFrame(_) => Retry::Never,
        }
    }

    fn advice(&self) -> &'static str {
        match self {
            Self::Detached => "call read_page and use a new ref",
            Self::NotVisible(_) => {
                "make it visible first, for example by opening the menu or section it is in"
            }
            Self::OutsideViewport => {
                "it may belong to a menu that is closed; read_page shows what can be reached"
            }
            Self::NotStable(_) => "wait until the page has come to rest and try again",
            Self::Disabled => "fill in or select what enables it first",
            Self::Inert => "deal with the dialog first",
            Self::NotEditable(_) => "choose an editable field, or another tool",
            Self::Covered => "close or act on what covers it, or scroll, then try again",
            Self::UnsupportedFrame(_) => "act on the page around the frame instead",
        }
    }
}

impl Failure {
    /// A failure before anything was done.
    pub fn new(code: &'static str, phase: Phase, retry: Retry, message: impl Into<String>) -> Self {
        Self { code, phase, message: message.into(), detail: None, retry, effect: Effect::None }
    }

    /// The arguments do not fit.
    pub fn arguments(message: impl Into<String>) -> Self {
        Self::new("invalid_arguments", Phase::Validate, Retry::Never, message)
    }

    /// The ref is stale.
    pub fn stale(reason: StaleReason) -> Self {
        let message = format!("stale_ref: {reason}; call read_page and use a new ref");
        Self::new("stale_ref", Phase::Resolve, Retry::AfterNewSnapshot, message)
    }

    /// The Gatekeeper refused.
    pub fn denied(reason: &DenyReason) -> Self {
        let (code, retry) = match reason {
            DenyReason::Declined { .. } => ("declined", Retry::Never),
            DenyReason::TargetChanged => ("target_changed", Retry::AfterNewSnapshot),
            DenyReason::PolicyChanged => ("policy_changed", Retry::SameCall),
            DenyReason::Rule { .. } | DenyReason::Scheme { .. } | DenyReason::Sensitive { .. } => {
                ("denied", Retry::Never)
            }
        };
        Self::new(code, Phase::Policy, retry, reason.to_string())
    }

    /// The target cannot be acted on.
    pub fn not_actionable(cause: &NotActionable) -> Self {
        Self::new(
            cause.code(),
            Phase::Precheck,
            cause.retry(),
            format!("{cause}; {}", cause.advice()),
        )
    }

    /// The browser or tab failed, with no effect.
    pub fn driver(phase: Phase, error: &DriverError) -> Self {
        let (retry, advice) = driver_advice(error);
        let mut failure = Self::new(error.code(), phase, retry, advice);
        // The texts of a load error and of a refusal may quote the page or its URL.
        match error {
            DriverError::LoadFailed { .. } | DriverError::Refused { .. } => {
                failure.detail = Some(crate::text::header_piece(&error.to_string(), 500));
            }
            other => failure.message = format!("{other}; {advice}"),
        }
        failure
    }

    /// Adds what is known of the effect.
    #[must_use]
    pub fn with_effect(mut self, effect: Effect) -> Self {
        self.effect = effect;
        self
    }

    /// Adds what the page says.
    #[must_use]
    pub fn with_detail(mut self, detail: impl Into<String>) -> Self {
        self.detail = Some(detail.into());
        self
    }
}

fn driver_advice(error: &DriverError) -> (Retry, &'static str) {
    match error {
        DriverError::BrowserNotFound { .. } => (
            Retry::Never,
            "install Chromium (Debian: apt-get install chromium) or name one by BACKLOT_CHROMIUM",
        ),
        DriverError::LaunchFailed { .. } => (Retry::Never, "start the browser by hand to see why"),
        DriverError::AttachFailed { .. } => {
            (Retry::Never, "check that a browser with --remote-debugging-port listens there")
        }
        DriverError::ConnectionClosed => {
            (Retry::SameCall, "the next call starts or finds a browser again")
        }
        DriverError::TabGone => (Retry::Never, "call tabs_list and choose another tab"),
        DriverError::TabCrashed => (Retry::Never, "navigate the tab again or use another one"),
        DriverError::Detached => (Retry::SameCall, "something else took the tab over; try again"),
        DriverError::DocumentGone => (Retry::AfterNewSnapshot, "call read_page and use a new ref"),
        DriverError::DialogOpened { .. } => (Retry::SameCall, "the dialog was closed; try again"),
        DriverError::Deadline => {
            (Retry::SameCall, "the page may be busy; try again or use another tab")
        }
        DriverError::LoadFailed { .. } => (Retry::Never, "the URL did not load; check it"),
        DriverError::NoHistory => (Retry::Never, "give the URL instead"),
        DriverError::Unsupported { .. } => (Retry::Never, "use another tool"),
        DriverError::Refused { .. } => {
            (Retry::SameCall, "the browser refused a command; try again")
        }
    }
}
