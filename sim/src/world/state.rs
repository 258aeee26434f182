//! All that a world holds.

use super::browser_data::{BrowserData, Download};
use super::cookies::Jar;
use super::network::Network;
use super::{Arrived, Hit, LineLog, Page, RequestLog};
use backlot_core::page::{DocumentKey, FrameId, LoaderId, NodeKey, TabId};
use backlot_core::planted::{self, Bug};
use backlot_core::port::{
    Approval, Button, DriverError, Event, EventKind, Modifiers, ReadyState, TabInfo,
};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::task::Waker;

/// Size of the top viewport, CSS pixels.
pub(crate) const VIEWPORT: (f32, f32) = (1280.0, 720.0);

pub(crate) struct State {
    /// Virtual milliseconds.
    pub(crate) now: u64,
    /// Who is to be woken when.
    pub(crate) wake_ups: BTreeMap<u64, Vec<Waker>>,
    pub(crate) nonces: Numbers,
    /// What chance adds to latencies.
    pub(crate) latencies: Numbers,
    /// Which of several tasks that are due at once comes first.
    pub(crate) turns: Numbers,
    /// Boundaries of form data.
    pub(crate) boundaries: Numbers,
    /// Cookies of each browser.
    pub(crate) jars: BTreeMap<BrowserId, Jar>,
    pub(crate) network: Network,
    pub(crate) scripting: bool,
    pub(crate) approval: Approval,
    pub(crate) tabs: BTreeMap<TabId, Tab>,
    pub(crate) pages: BTreeMap<FrameId, Page>,
    pub(crate) sequence: u64,
    pub(crate) events: VecDeque<Event>,
    pub(crate) event_log: Vec<String>,
    /// Moves of the pointer stand in it.
    pub(crate) logs_moves: bool,
    pub(crate) hits: Vec<Hit>,
    pub(crate) before_op: Option<super::BeforeOp>,
    pub(crate) notes: BTreeSet<String>,
    /// Files that were downloaded.
    pub(crate) downloads: Vec<Download>,
    /// Visits, bookmarks and the like.
    pub(crate) data: BrowserData,
    /// What was copied last.
    pub(crate) clipboard: String,
    next_browser: u32,
    next_tab: u32,
    next_frame: u32,
    next_loader: u32,
}

pub(crate) struct Tab {
    pub(crate) top: FrameId,
    pub(crate) opener: Option<TabId>,
    pub(crate) name: String,
    pub(crate) visible: bool,
    pub(crate) state: TabState,
    /// Navigations that its pages started and that have not committed yet, one for a frame at most.
    pub(crate) pending: Vec<Pending>,
    /// Virtual moment of the last change of its pages.
    pub(crate) changed_at: u64,
    /// The browser it is in.
    pub(crate) browser: BrowserId,
    /// What trusted input holds down.
    pub(crate) held: Held,
    /// URLs that it showed, and which of them it shows.
    pub(crate) history: (Vec<url::Url>, usize),
    /// Requests so far.
    pub(crate) requests: RequestLog,
    /// Lines of the console, and errors that nothing caught.
    pub(crate) console: LineLog,
    pub(crate) errors: LineLog,
    /// What it is made to believe.
    pub(crate) viewport: (f32, f32),
    pub(crate) dark: bool,
}

/// One of the browsers of a world, with tabs of its own; they share the network and the clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct BrowserId(pub(crate) u32);

/// What trusted input holds down between two dispatches.
#[derive(Debug, Clone, Default)]
pub(crate) struct Held {
    pub(crate) modifiers: Modifiers,
    /// Where a button went down.
    pub(crate) pressed: Option<NodeKey>,
    /// Which button that was.
    pub(crate) button: Option<Button>,
    /// What is dragged, and over what it is.
    pub(crate) dragged: Option<(NodeKey, Option<NodeKey>)>,
    /// What the space bar is held down on.
    pub(crate) space: Option<NodeKey>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TabState {
    Live,
    Closed,
    Crashed,
}

/// A navigation under way.
pub(crate) struct Pending {
    pub(crate) frame: FrameId,
    /// What came of it; `None` where the page stays as it is.
    pub(crate) arrived: Option<Arrived>,
    /// Virtual moment when it commits.
    pub(crate) at: u64,
}

/// A stream of numbers from a seed (splitmix64): never the same one twice within 2^64.
#[derive(Debug)]
pub struct Numbers(u64);

impl Numbers {
    /// Starts a stream.
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The items in an order that is drawn. Fewer than two draw nothing.
    pub(crate) fn shuffled<T>(&mut self, mut items: Vec<T>) -> Vec<T> {
        for last in (1..items.len()).rev() {
            let other = (self.draw() % (last as u64 + 1)) as usize;
            items.swap(last, other);
        }
        items
    }

    /// The next number.
    pub fn draw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}

impl State {
    pub(super) fn new(seed: u64) -> Self {
        Self {
            now: 0,
            wake_ups: BTreeMap::new(),
            // One stream for each purpose: a new purpose must not shift the numbers of the others.
            nonces: Numbers::new(seed ^ 0x6e6f_6e63_6573),
            latencies: Numbers::new(seed ^ 0x6c61_7465_6e63),
            turns: Numbers::new(seed ^ 0x7475_726e_7321),
            boundaries: Numbers::new(seed ^ 0x626f_756e_6473),
            jars: BTreeMap::new(),
            network: Network::default(),
            scripting: true,
            approval: Approval::Accept,
            tabs: BTreeMap::new(),
            pages: BTreeMap::new(),
            sequence: 1,
            events: VecDeque::new(),
            event_log: Vec::new(),
            logs_moves: false,
            hits: Vec::new(),
            before_op: None,
            notes: BTreeSet::new(),
            downloads: Vec::new(),
            data: BrowserData::default(),
            clipboard: String::new(),
            next_browser: 1,
            next_tab: 1,
            next_frame: 1,
            next_loader: 1,
        }
    }

    pub(crate) fn new_frame(&mut self) -> FrameId {
        self.next_frame += 1;
        FrameId(self.next_frame - 1)
    }

    pub(crate) fn new_loader(&mut self) -> LoaderId {
        if !planted::is(Bug::LoaderKept) {
            self.next_loader += 1;
        }
        LoaderId(self.next_loader.saturating_sub(1))
    }

    /// Another browser, without a tab.
    pub(crate) fn new_browser(&mut self) -> BrowserId {
        self.next_browser += 1;
        BrowserId(self.next_browser - 1)
    }

    /// A new tab at `about:blank`. It is the visible one of its browser if a page opened it, or if none is.
    pub(crate) fn open_tab(
        &mut self,
        browser: BrowserId,
        opener: Option<TabId>,
        name: &str,
    ) -> TabId {
        let id = TabId(self.next_tab);
        self.next_tab += 1;
        let top = self.new_frame();
        if opener.is_some() {
            self.hide_tabs(browser);
        }
        let tab = Tab {
            top,
            opener,
            name: name.into(),
            visible: !self
                .tabs
                .values()
                .any(|tab| tab.browser == browser && tab.state == TabState::Live && tab.visible),
            state: TabState::Live,
            pending: Vec::new(),
            changed_at: self.now,
            browser,
            held: Held::default(),
            history: (Vec::new(), 0),
            requests: RequestLog::default(),
            console: LineLog::default(),
            errors: LineLog::default(),
            viewport: VIEWPORT,
            dark: false,
        };
        self.tabs.insert(id, tab);
        self.emit(id, EventKind::TabCreated { opener });
        self.blank(id, top);
        id
    }

    /// No tab of a browser is in front.
    pub(crate) fn hide_tabs(&mut self, browser: BrowserId) {
        let of_it = self.tabs.values_mut().filter(|tab| tab.browser == browser);
        of_it.for_each(|tab| tab.visible = false);
    }

    pub(crate) fn end_tab(&mut self, id: TabId, end: TabState, event: EventKind) {
        let Some(tab) = self.tabs.get_mut(&id) else { return };
        if tab.state == TabState::Closed || tab.state == end {
            return;
        }
        tab.state = end;
        tab.pending.clear();
        let top = tab.top;
        if end == TabState::Closed {
            tab.visible = false;
        }
        if end == TabState::Closed {
            self.remember_closed(id);
        }
        self.drop_frame(top);
        self.emit(id, event);
    }

    pub(crate) fn live_tab(&self, id: TabId) -> Result<&Tab, DriverError> {
        match self.tabs.get(&id) {
            Some(tab) => match tab.state {
                TabState::Live => Ok(tab),
                TabState::Closed => Err(DriverError::TabGone),
                TabState::Crashed => Err(DriverError::TabCrashed),
            },
            None => Err(DriverError::TabGone),
        }
    }

    pub(crate) fn tab_infos(&self, browser: BrowserId) -> Vec<TabInfo> {
        let of_it = self.tabs.iter().filter(|(_, tab)| tab.browser == browser);
        let open = of_it.filter(|(_, tab)| tab.state != TabState::Closed);
        open.map(|(id, tab)| self.tab_info(*id, tab)).collect()
    }

    pub(crate) fn tab_info(&self, id: TabId, tab: &Tab) -> TabInfo {
        let page = self.pages.get(&tab.top);
        TabInfo {
            tab: id,
            url: page.map(|page| page.url.to_string()).unwrap_or_default(),
            title: page.map(|page| page.dom.title()).unwrap_or_default(),
            visible: tab.visible,
            opener: tab.opener,
            ready: ReadyState::Complete,
            viewport: Some((tab.viewport.0 as u32, tab.viewport.1 as u32)),
        }
    }

    pub(crate) fn set_viewport(&mut self, id: TabId, top: FrameId, size: (f32, f32)) {
        if let Some(tab) = self.tabs.get_mut(&id) {
            tab.viewport = size;
        }
        if let Some(page) = self.pages.get_mut(&top) {
            page.set_viewport(size);
        }
        self.page_changed(id);
    }

    pub(crate) fn set_dark(&mut self, id: TabId, dark: bool) {
        if let Some(tab) = self.tabs.get_mut(&id) {
            tab.dark = dark;
        }
        self.pages.values_mut().filter(|page| page.tab == id).for_each(|page| page.set_dark(dark));
        self.page_changed(id);
    }

    /// The page of a document, if it is still there.
    pub(crate) fn page(&self, document: DocumentKey) -> Option<&Page> {
        self.pages.get(&document.frame).filter(|page| page.document == document)
    }

    /// The page of a node that is connected to it, in this tab.
    pub(crate) fn page_of(&self, tab: TabId, node: NodeKey) -> Option<&Page> {
        let page = self.page(node.document)?;
        let own = page.tab == tab && page.dom.is_connected(node.node);
        own.then_some(page)
    }

    pub(crate) fn page_changed(&mut self, tab: TabId) {
        let now = self.now;
        if let Some(tab) = self.tabs.get_mut(&tab) {
            tab.changed_at = now;
        }
        self.load_new_frames(tab);
    }
}
