//! What happened in the browser, in one order.

use crate::page::{FrameId, LoaderId, TabId};
use alloc::{string::String, vec::Vec};
use serde::{Deserialize, Serialize};

/// Place in the one sequence of a browser connection. The next event gets this number or a larger one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
pub struct Seq(pub u64);

/// One event.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Event {
    /// Its place.
    pub seq: Seq,
    /// The tab it happened in.
    pub tab: TabId,
    /// What happened.
    pub kind: EventKind,
}

/// What happened.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum EventKind {
    /// The tab is new.
    TabCreated {
        /// The tab whose page opened it.
        opener: Option<TabId>,
    },
    /// The tab is gone.
    TabClosed,
    /// Its renderer crashed.
    TabCrashed,
    /// A frame began to load another document.
    NavigationStarted {
        /// The frame.
        frame: FrameId,
    },
    /// A frame has another document now.
    Navigated {
        /// The frame.
        frame: FrameId,
        /// The load.
        loader: LoaderId,
        /// Where to.
        url: String,
        /// It is the top frame.
        top: bool,
    },
    /// A page opened a dialog; the driver closed it at once: `alert` accepted, `confirm` and `prompt` dismissed,
    /// `beforeunload` accepted.
    Dialog {
        /// Which kind.
        kind: DialogKind,
        /// Its text, cut at 1,000 characters.
        message: String,
    },
}

/// Kind of a page dialog.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum DialogKind {
    /// `alert()`
    Alert,
    /// `confirm()`
    Confirm,
    /// `prompt()`
    Prompt,
    /// `beforeunload`
    BeforeUnload,
}

/// The events from a cursor on.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct EventBatch {
    /// In order.
    pub events: Vec<Event>,
    /// The cursor after them.
    pub next: Seq,
    /// Events between the cursor and the first one given that the bounded log no longer has.
    pub lost: u64,
}
