//! What can be asked of a browser.

use super::event::Seq;
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
    Dispatch(Dispatch),
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

/// A mouse button.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Button {
    /// The main one.
    Left,
    /// The one for context menus.
    Right,
}

/// Input to give. All but `TrustedClick` are DOM events from the content world.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum InputPlan {
    /// Left: `pointerdown mousedown (focus) pointerup mouseup click`, twice and then `dblclick` for a double click.
    /// Right: `pointerdown mousedown (focus) contextmenu pointerup mouseup`.
    Click {
        /// Which button.
        button: Button,
        /// Two clicks and a `dblclick`.
        double: bool,
    },
    /// The same through the browser's input pipeline at the guard's top point.
    TrustedClick {
        /// Which button.
        button: Button,
        /// Two clicks.
        double: bool,
    },
    /// Text into an `input`, `textarea` or editing host.
    Type {
        /// What the field is to hold, or what is to be appended.
        text: String,
        /// How.
        how: Typing,
        /// Then Enter, and the form's submission unless a key handler cancels it.
        submit: bool,
    },
    /// Selectedness of a `select`'s options: `input` and `change` if it changes.
    Select {
        /// Places of the options to be selected, in the order of the select's `options`; all others are not selected.
        options: Vec<u32>,
    },
}

/// How text goes into a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Typing {
    /// The text is the whole new value, set at once: `beforeinput input`, then `change`.
    Replace,
    /// The text goes behind what is there, at once.
    Append,
    /// As `Replace`, one character after another: `keydown beforeinput input keyup` for each, `change` at the end.
    ReplaceSlowly,
    /// As `Append`, one character after another.
    AppendSlowly,
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
