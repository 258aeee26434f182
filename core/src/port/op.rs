//! What can be asked of a browser.

use super::event::Seq;
use super::input::InputPlan;
use super::view::{Emulation, LogKind, ScreenshotSpec};
use crate::frame::Point;
use crate::gatekeeper::Permit;
use crate::page::{CaptureSpec, DocumentKey, NodeKey, Rect, TabId};
use alloc::{string::String, vec::Vec};
use serde::{Deserialize, Serialize};

/// One request to a browser.
///
/// It serialises for transcripts and is not read back: a [`Permit`] cannot be made from text.
#[derive(Debug, Serialize)]
pub enum Op {
    /// All tabs, in the order of their numbers. Answer: [`super::Reply::Tabs`].
    Tabs,
    /// A new blank tab, not brought to the front. Answer: [`super::Reply::Tab`].
    OpenTab,
    /// Loads a URL into the top frame and waits until it is loaded or the deadline has come. Answer:
    /// [`super::Reply::Navigated`].
    Navigate(NavigateTo),
    /// The page's state. Answer: [`super::Reply::Capture`].
    Capture {
        /// The tab.
        tab: TabId,
        /// What to gather.
        spec: CaptureSpec,
    },
    /// The browser's own accessibility tree, flat. Answer: [`super::Reply::BrowserTree`].
    BrowserTree {
        /// The tab.
        tab: TabId,
    },
    /// One node's state now. Answer: [`super::Reply::Probe`].
    Probe {
        /// The tab.
        tab: TabId,
        /// The node.
        node: NodeKey,
    },
    /// What lies at a point. Answer: [`super::Reply::Hit`].
    HitTest {
        /// The tab.
        tab: TabId,
        /// The node that is expected there.
        node: NodeKey,
        /// The point in each frame's viewport, the top frame's first, the node's own last.
        points: Vec<Point>,
    },
    /// Scrolls. Answer: [`super::Reply::Scrolled`].
    Scroll {
        /// The tab.
        tab: TabId,
        /// What and how far.
        what: ScrollWhat,
    },
    /// The only write to a page. Answer: [`super::Reply::Dispatched`].
    Dispatch(alloc::boxed::Box<Dispatch>),
    /// Waits until the page has come to rest. Answer: [`super::Reply::Settled`].
    Settle {
        /// The tab.
        tab: TabId,
        /// For how long and for what.
        spec: SettleSpec,
    },
    /// The events from a cursor on, at once. Answer: [`super::Reply::Events`].
    Events {
        /// The cursor.
        since: Seq,
    },
    /// Closes a tab without asking its page. Answer: [`super::Reply::Closed`].
    CloseTab(TabWrite),
    /// Brings a tab to the front of its window. Answer: [`super::Reply::Activated`].
    ActivateTab(TabWrite),
    /// Goes through the tab's history, or loads its document again. Answer: [`super::Reply::Navigated`].
    History {
        /// Where to.
        go: HistoryGo,
        /// The tab, with the permit.
        write: TabWrite,
    },
    /// Runs a script in the page's own world. Answer: [`super::Reply::Evaluated`].
    Evaluate(Evaluate),
    /// A picture of the page. Answer: [`super::Reply::Screenshot`].
    Screenshot {
        /// The tab.
        tab: TabId,
        /// Of what and how.
        spec: ScreenshotSpec,
    },
    /// A log that the driver keeps of a tab since it has known it. Answer: [`super::Reply::Log`].
    Log {
        /// The tab.
        tab: TabId,
        /// Which.
        kind: LogKind,
        /// Empties the log after reading it.
        clear: bool,
    },
    /// Makes a tab believe that its device, preferences or place are others. Answer: [`super::Reply::Emulated`].
    Emulate {
        /// What to pretend.
        what: Emulation,
        /// The tab, with the permit.
        write: TabWrite,
    },
    /// The top document as HTML, values of secret fields left out. Answer: [`super::Reply::Html`].
    Html {
        /// The tab.
        tab: TabId,
    },
    /// The cookies that the tab's URL is sent. Answer: [`super::Reply::Cookies`].
    Cookies {
        /// The tab.
        tab: TabId,
    },
    /// Which node of the top document receives pointer events at a point. Answer: [`super::Reply::NodeAt`].
    NodeAt {
        /// The tab.
        tab: TabId,
        /// The point in the top viewport.
        point: Point,
    },
}

impl Op {
    /// The op's name, for transcripts, faults and errors.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Tabs => "tabs",
            Self::OpenTab => "open_tab",
            Self::Navigate(_) => "navigate",
            Self::Capture { .. } => "capture",
            Self::BrowserTree { .. } => "browser_tree",
            Self::Probe { .. } => "probe",
            Self::HitTest { .. } => "hit_test",
            Self::Scroll { .. } => "scroll",
            Self::Dispatch(_) => "dispatch",
            Self::Settle { .. } => "settle",
            Self::Events { .. } => "events",
            Self::CloseTab(_) => "close_tab",
            Self::ActivateTab(_) => "activate_tab",
            Self::History { .. } => "history",
            Self::Evaluate(_) => "evaluate",
            Self::Screenshot { .. } => "screenshot",
            Self::Log { .. } => "log",
            Self::Emulate { .. } => "emulate",
            Self::Html { .. } => "html",
            Self::Cookies { .. } => "cookies",
            Self::NodeAt { .. } => "node_at",
        }
    }
}

/// A navigation with the permit for it.
#[derive(Debug, Serialize)]
pub struct NavigateTo {
    /// The tab.
    pub tab: TabId,
    /// The canonical URL that was judged.
    pub url: String,
    /// The permit; consumed.
    pub permit: Permit,
}

/// A write to a page.
#[derive(Debug, Serialize)]
pub struct Dispatch {
    /// The tab.
    pub tab: TabId,
    /// What to do.
    pub plan: InputPlan,
    /// What must still hold when it is done.
    pub guard: Guard,
    /// The permit; consumed.
    pub permit: Permit,
}

/// What must still hold at the moment of a write. The driver checks it and fires in one task of the page.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Guard {
    /// The target.
    pub node: NodeKey,
    /// The documents from the top frame down to the target's.
    pub chain: Vec<DocumentKey>,
    /// The target's mark, as [`crate::page::Capture::mark`] gave it when the target was found.
    pub mark: String,
    /// What took part in the mark, as in [`crate::page::MarkOf::context`].
    pub context: Option<NodeKey>,
    /// Its border box, in its frame's viewport.
    pub rect: Rect,
    /// How far an edge may have moved since, CSS pixels.
    pub tolerance_px: f64,
    /// The point in each frame's viewport (top first) where the target must receive events; empty for plans that need
    /// no hit test.
    pub points: Vec<Point>,
}

/// A write to a tab as a whole.
#[derive(Debug, Serialize)]
pub struct TabWrite {
    /// The tab.
    pub tab: TabId,
    /// The permit; consumed.
    pub permit: Permit,
}

/// A way through the history.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HistoryGo {
    /// One back.
    Back,
    /// One forward.
    Forward,
    /// The same document again.
    Reload,
}

/// A script for the page's own world, in the top document.
#[derive(Debug, Serialize)]
pub struct Evaluate {
    /// The tab.
    pub tab: TabId,
    /// An expression, or a function's source.
    pub source: String,
    /// What the function is called with. `None`: the source is tried as a function first (called without arguments), then as an
    /// expression.
    pub arguments: Option<Vec<ScriptArgument>>,
    /// The permit; consumed.
    pub permit: Permit,
}

/// An argument of a script.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ScriptArgument {
    /// `undefined`.
    Undefined,
    /// A JSON value.
    Json(serde_json::Value),
    /// An element.
    Node(NodeKey),
}

/// What to scroll.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum ScrollWhat {
    /// A node into view, in every scroller and frame around it, at once and only if it is not wholly in view.
    IntoView(NodeKey),
    /// A node's nearest scroller (the node itself, where it scrolls).
    Element(NodeKey, ScrollBy),
    /// The page.
    Page(ScrollBy),
}

/// How far to scroll, vertically.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub enum ScrollBy {
    /// CSS pixels, negative is up.
    Pixels(f64),
    /// Share of the scroller's height, negative is up.
    Pages(f64),
    /// To the top.
    Start,
    /// To the bottom.
    End,
}

/// Until when to wait for rest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct SettleSpec {
    /// Cursor taken before the dispatch: a navigation after it is waited for.
    pub since: Seq,
    /// At least this long, ms.
    pub min_ms: u32,
    /// No DOM change for this long, ms.
    pub quiet_ms: u32,
    /// At most this long for the quiet, ms: a page that never rests must not cost more.
    pub cap_ms: u32,
    /// At most this long for the load of a navigation, ms; the quiet counts from its end.
    pub load_ms: u32,
}
