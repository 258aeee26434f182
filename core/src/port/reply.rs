//! What a browser answers.

use super::event::EventBatch;
use crate::frame::FrameStep;
use crate::page::{Capture, DocumentKey, NodeId, NodeKey, Rect, Style};
use crate::route::TabInfo;
use alloc::{string::String, vec::Vec};
use serde::{Deserialize, Serialize};

/// One answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Reply {
    /// To `Tabs`.
    Tabs(Vec<TabInfo>),
    /// To `OpenTab`.
    Tab(TabInfo),
    /// To `Navigate`.
    Navigated(Navigated),
    /// To `Capture`.
    Capture(Capture),
    /// To `BrowserTree`: the nodes that the browser does not ignore, in tree order.
    BrowserTree(Vec<BrowserNode>),
    /// To `Probe`; `None` if the node is not in its document any more.
    Probe(Option<Probe>),
    /// To `HitTest`.
    Hit(HitAnswer),
    /// To `Scroll`.
    Scrolled(Scrolled),
    /// To `Dispatch`.
    Dispatched(DispatchOutcome),
    /// To `Settle`.
    Settled(Settled),
    /// To `Events`.
    Events(EventBatch),
    /// To `CloseTab`: the tab is gone.
    Closed,
    /// To `ActivateTab`.
    Activated,
    /// To `Evaluate`.
    Evaluated(ScriptEnd),
    /// To `Screenshot`.
    Screenshot(Image),
    /// To `Log`.
    Log(LogPage),
    /// To `Emulate`: it holds from now on.
    Emulated,
    /// To `Html`.
    Html(String),
    /// To `Cookies`, in the order of their names.
    Cookies(Vec<Cookie>),
    /// To `NodeAt`; `None` where nothing receives events.
    NodeAt(Option<NodeKey>),
}

/// How a script ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ScriptEnd {
    /// Its value (awaited, where it was a promise) as JSON; `None` is `undefined` or a value that JSON has no form for.
    Value(Option<serde_json::Value>),
    /// It threw; what, as the page would print it, cut at 2,000 characters.
    Threw(String),
    /// It did not end by the deadline, or a navigation took its document away; it may have done anything.
    Lost(super::DriverError),
}

/// A picture.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Image {
    /// MIME type.
    pub mime_type: String,
    /// Width, device pixels.
    pub width: u32,
    /// Height, device pixels.
    pub height: u32,
    /// The encoded bytes, in Base64.
    pub base64: String,
    /// Labels that lie outside the picture.
    pub labels_skipped: u32,
}

/// A log as it stands.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct LogPage {
    /// The newest entries, oldest first.
    pub entries: Vec<LogEntry>,
    /// Older ones that did not fit into the log.
    pub dropped: u64,
}

/// One entry of a log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LogEntry {
    /// A request.
    Request {
        /// Number within the tab, from 1.
        number: u64,
        /// Milliseconds since 1970 by the browser's clock (virtual in the sim).
        at: u64,
        /// Method.
        method: String,
        /// URL without credentials.
        url: String,
        /// What it is for: `document`, `stylesheet`, `script`, `image`, `fetch`, `xhr`, `font`, `media`, `websocket`, `other` …
        resource_type: String,
        /// Status, once the answer came.
        status: Option<u16>,
        /// Why it failed, where it did.
        failure: Option<String>,
    },
    /// An error that nothing caught.
    Error {
        /// As above.
        at: u64,
        /// The error's class, such as `TypeError`; empty where something else was thrown.
        name: String,
        /// What it says, cut at 2,000 characters.
        message: String,
        /// Its stack, cut at 4,000 characters.
        stack: String,
    },
    /// A line on the console.
    Console {
        /// As above.
        at: u64,
        /// `log`, `debug`, `info`, `warning` or `error`.
        level: String,
        /// The line, cut at 2,000 characters.
        text: String,
    },
}

/// A cookie.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Cookie {
    /// Name.
    pub name: String,
    /// Value.
    pub value: String,
    /// Domain, with a leading dot where subdomains get it too.
    pub domain: String,
    /// Path.
    pub path: String,
    /// Seconds since 1970; -1 for a session cookie.
    pub expires: f64,
    /// No script sees it.
    pub http_only: bool,
    /// Only over https.
    pub secure: bool,
    /// `Strict`, `Lax` or `None`; `Lax` where it says nothing.
    pub same_site: String,
}

/// End of a navigation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Navigated {
    /// Where it ended, after redirects.
    pub url: String,
    /// The new top document.
    pub document: DocumentKey,
    /// How far it came.
    pub load: LoadState,
}

/// How far a load came.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum LoadState {
    /// `load` has fired.
    Complete,
    /// The document is there; `load` had not fired by the deadline.
    Interactive,
}

/// A node of the browser's own accessibility tree.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BrowserNode {
    /// Depth below the root.
    pub depth: u32,
    /// The browser's role word.
    pub role: String,
    /// Its name.
    pub name: String,
}

/// State of one node at one moment.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Probe {
    /// Border box in its frame's viewport; all zero if it has none.
    pub rect: Rect,
    /// Computed style.
    pub style: Style,
    /// It or an ancestor in the flat tree is not rendered.
    pub rendered: bool,
    /// It is disabled: `disabled` of its own, of a fieldset, optgroup or select around it, or `aria-disabled="true"` on it
    /// or an ancestor.
    pub disabled: bool,
    /// It is inert: an `inert` ancestor or itself, in any frame around it, or outside the top modal dialog.
    pub inert: bool,
    /// `readonly`, by attribute or `aria-readonly="true"`.
    pub readonly: bool,
    /// The frames around it, the top frame's viewport first; the last one is the node's own frame.
    pub frames: Vec<FrameStep>,
}

/// Answer to a hit test.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum HitAnswer {
    /// The node receives events there: itself, a descendant in the flat tree, or a label of it.
    Target,
    /// Something else does.
    Covered {
        /// The node there.
        node: NodeKey,
        /// Its tag, lower case.
        tag: String,
        /// Its `id` attribute, cut at 100 characters.
        id: String,
        /// Its text, collapsed, cut at 60 characters.
        text: String,
    },
    /// Nothing is there: outside the viewport, or no element takes pointer events.
    Nothing,
    /// The node is gone.
    Gone,
}

/// What a scroll did.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Scrolled {
    /// CSS pixels moved, negative is up.
    pub moved: f64,
    /// It is at the top of what it scrolls.
    pub at_start: bool,
    /// It is at the bottom.
    pub at_end: bool,
}

/// How a write ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum DispatchOutcome {
    /// No event reached the page.
    NotSent(NotSent),
    /// It was done.
    Done(DispatchEvidence),
    /// It was sent and the answer was lost. Never retried.
    Unknown {
        /// What was seen instead of an answer.
        reason: super::DriverError,
    },
}

/// Why a write was held back by its guard.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum NotSent {
    /// The node or its document is gone.
    Gone,
    /// The mark is another one: the node came to mean something else.
    Recycled,
    /// It moved by more than the tolerance.
    Moved,
    /// Something else would receive the events.
    Covered(HitAnswer),
    /// It is disabled or inert now.
    NotEnabled,
    /// The page's own `beforeinput` listener cancelled the text. The events sent up to then reached the page.
    Cancelled,
    /// The target cannot take this plan (no text field, no such option).
    Unfit,
    /// The driver failed before anything was sent.
    Failed(super::DriverError),
}

/// What the page showed in the task of the write.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct DispatchEvidence {
    /// Live value afterwards; `None` for secret fields and for nodes without one.
    pub value: Option<String>,
    /// The field holds exactly what was asked for (secret fields too: compared inside the page).
    pub value_matches: Option<bool>,
    /// Places of the selected options afterwards.
    pub selected: Vec<u32>,
    /// The page cancelled the click's or key's default action.
    pub default_prevented: bool,
}

/// End of a settle.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Settled {
    /// The page was quiet for as long as asked.
    pub quiet: bool,
    /// What happened since the cursor.
    pub events: EventBatch,
}

impl HitAnswer {
    /// The covering node, where there is one.
    pub fn cover(&self) -> Option<NodeId> {
        match self {
            Self::Covered { node, .. } => Some(node.node),
            Self::Target | Self::Nothing | Self::Gone => None,
        }
    }
}
