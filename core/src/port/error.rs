//! What can be wrong with the browser itself, as opposed to the page or the call.

use super::event::DialogKind;
use alloc::string::String;
use serde::{Deserialize, Serialize};

/// A driver's failure. Fragments are lower case and follow "failed: "; the advice is added in one place
/// (`action::report`).
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
pub enum DriverError {
    /// No browser program was found.
    #[error("no Chromium or Chrome was found ({looked_at})")]
    BrowserNotFound {
        /// Where it was looked for.
        looked_at: String,
    },
    /// The browser was found and did not start.
    #[error("the browser did not start: {reason}")]
    LaunchFailed {
        /// What it said.
        reason: String,
    },
    /// The endpoint given cannot be attached to.
    #[error("cannot attach to {endpoint}: {reason}")]
    AttachFailed {
        /// The endpoint.
        endpoint: String,
        /// What failed.
        reason: String,
    },
    /// The connection to the browser ended.
    #[error("the connection to the browser ended")]
    ConnectionClosed,
    /// No such tab, or it was closed.
    #[error("the tab is gone")]
    TabGone,
    /// The tab's renderer crashed.
    #[error("the tab crashed")]
    TabCrashed,
    /// The driver was detached from the tab.
    #[error("the driver was detached from the tab")]
    Detached,
    /// The document that the op was about was replaced while it ran.
    #[error("the document was replaced")]
    DocumentGone,
    /// A dialog opened and the op was given up for it.
    #[error("a page dialog ({kind:?}) interrupted it")]
    DialogOpened {
        /// Which kind.
        kind: DialogKind,
    },
    /// No answer by the deadline. The op was a read, or was not sent.
    #[error("no answer by the deadline")]
    Deadline,
    /// The URL did not load.
    #[error("{url} did not load: {reason}")]
    LoadFailed {
        /// The URL.
        url: String,
        /// The browser's reason, such as `net::ERR_CONNECTION_REFUSED`.
        reason: String,
    },
    /// There is no page to go back or forward to.
    #[error("there is no such page in the tab's history")]
    NoHistory,
    /// This driver cannot do the op.
    #[error("this driver does not support {op}")]
    Unsupported {
        /// The op's name.
        op: String,
    },
    /// The browser refused a command.
    #[error("the browser refused {method}: {reason}")]
    Refused {
        /// The protocol method.
        method: String,
        /// Its reason.
        reason: String,
    },
}

impl DriverError {
    /// The code of the wire form.
    pub fn code(&self) -> &'static str {
        match self {
            Self::BrowserNotFound { .. } => "browser_not_found",
            Self::LaunchFailed { .. } => "launch_failed",
            Self::AttachFailed { .. } => "attach_failed",
            Self::ConnectionClosed => "connection_closed",
            Self::TabGone => "tab_gone",
            Self::TabCrashed => "tab_crashed",
            Self::Detached => "detached_from_tab",
            Self::DocumentGone => "document_gone",
            Self::DialogOpened { .. } => "dialog_opened",
            Self::Deadline => "timeout",
            Self::LoadFailed { .. } => "load_failed",
            Self::NoHistory => "no_history",
            Self::Unsupported { .. } => "unsupported",
            Self::Refused { .. } => "browser_refused",
        }
    }
}
