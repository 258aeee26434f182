//! The world around the pages: tabs, network, time, chance, and the handle that tests hold.

mod browser_data;
mod clock;
mod cookies;
mod events;
mod history;
mod host;
mod imports;
mod inspect;
mod launcher;
mod load;
mod network;
mod page;
mod pictures;
mod rerender;
mod requests;
mod state;

pub use browser_data::{BrowserData, Download, Visit};
pub use host::SimHost;
pub use inspect::{Field, Hit, ITEM, Reach};
pub use launcher::{SimBrowser, SimLauncher};
pub use network::{Answer, Request, Response, Route};
pub use page::PageEditor;
pub use state::Numbers;

pub(crate) use clock::Sleep;
pub(crate) use load::Arrived;
pub(crate) use network::Post;
pub(crate) use page::Page;
pub(crate) use requests::{LineLog, RequestLog};
pub(crate) use state::{BrowserId, Held, Pending, State, TabState};

use crate::fate::Fate;
use crate::port::SimPort;
use backlot_core::page::TabId;
use backlot_core::port::{Approval, DialogKind, EventKind, Op};
use std::cell::RefCell;
use std::fmt;
use std::future::Future;
use std::rc::Rc;

/// What happens before an op, and what becomes of it.
pub type BeforeOp = Rc<dyn Fn(&Op) -> Fate>;

/// A simulated browser and all that surrounds it. A cheap handle: clones share one world.
#[derive(Clone)]
pub struct World {
    pub(crate) state: Rc<RefCell<State>>,
}

impl fmt::Debug for World {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("World").field("now", &self.state.borrow().now).finish_non_exhaustive()
    }
}

impl World {
    /// A world without tabs or pages. Equal seeds give equal worlds.
    pub fn new(seed: u64) -> Self {
        Self { state: Rc::new(RefCell::new(State::new(seed))) }
    }

    /// Serves one URL (absolute; a fragment is ignored). A later call for the same URL replaces the answer.
    pub fn serve(&self, url: &str, response: Response) {
        self.state.borrow_mut().network.serve(url, response);
    }

    /// Asks a function for every URL that [`World::serve`] does not know, such as the files of a folder.
    pub fn serve_with(&self, answer: Answer) {
        self.state.borrow_mut().network.serve_with(answer);
    }

    /// Asks a function for every request first, before [`World::serve`]; the one that was given last is asked first.
    pub fn route(&self, route: Route) {
        self.state.borrow_mut().network.route(route);
    }

    /// Chance adds up to so many virtual milliseconds to every answer, so that they come in another order.
    pub fn set_jitter(&self, most_ms: u64) {
        self.state.borrow_mut().network.jitter_ms = most_ms;
    }

    /// A connection to the world's first browser.
    pub fn port(&self) -> SimPort {
        SimPort::new(self.clone(), BrowserId(0))
    }

    /// The host program's side: virtual time, numbers from the seed, approvals.
    pub fn host(&self) -> SimHost {
        SimHost::new(self.clone())
    }

    /// Runs a future to its end on virtual time: whenever it waits, time jumps to the next wake-up.
    ///
    /// # Panics
    /// If the future waits for something that no wake-up of this world can bring.
    pub fn block_on<F: Future>(&self, future: F) -> F::Output {
        clock::block_on(&self.state, future)
    }

    /// In-page events so far, one line each: `type isTrusted path`, for fields with their value.
    pub fn event_log(&self) -> Vec<String> {
        self.state.borrow().event_log.clone()
    }

    /// Whether moves of the pointer stand in the event log (they do not until this is called).
    pub fn log_moves(&self, on: bool) {
        self.state.borrow_mut().logs_moves = on;
    }

    /// What pages used that this browser lacks: `unsupported: name`, sorted, each once.
    pub fn notes(&self) -> Vec<String> {
        self.state.borrow().notes.iter().cloned().collect()
    }

    /// Whether `noscript` is skipped, as in a browser with scripts on (the default). For documents loaded from now on.
    pub fn set_scripting(&self, on: bool) {
        self.state.borrow_mut().scripting = on;
    }

    /// What [`SimHost`] answers to every approval request; [`Approval::Accept`] until this is called.
    pub fn set_approval(&self, approval: Approval) {
        self.state.borrow_mut().approval = approval;
    }

    /// Changes the top document of a tab as a page script could, between any two ops.
    ///
    /// # Panics
    /// If the tab has no page.
    pub fn mutate<R>(&self, tab: TabId, change: impl FnOnce(&mut PageEditor<'_>) -> R) -> R {
        let mut state = self.state.borrow_mut();
        let Some(top) = state.live_tab(tab).ok().map(|tab| tab.top) else {
            panic!("tab {} has no page to change", tab.0);
        };
        let result = change(&mut PageEditor::new(&mut state, top));
        state.page_changed(tab);
        result
    }

    /// Whatever is to happen between ops: called before each one, until it is replaced or (by `None`) taken away.
    pub fn before_each_op(&self, befall: Option<BeforeOp>) {
        self.state.borrow_mut().before_op = befall;
    }

    pub(crate) fn befall(&self, op: &Op) -> Fate {
        // Whatever happens may look at the world.
        let befall = self.state.borrow().before_op.clone();
        befall.map_or(Fate::Carried, |befall| befall(op))
    }

    /// The tab's renderer dies.
    pub fn crash(&self, tab: TabId) {
        self.state.borrow_mut().end_tab(tab, TabState::Crashed, EventKind::TabCrashed);
    }

    /// The newest tab that is open, in whichever browser.
    pub fn newest_tab(&self) -> Option<TabId> {
        let state = self.state.borrow();
        let open = state.tabs.iter().filter(|(_, tab)| tab.state == TabState::Live);
        open.map(|(id, _)| *id).next_back()
    }

    /// The tab is closed by a person.
    pub fn close_tab(&self, tab: TabId) {
        self.state.borrow_mut().end_tab(tab, TabState::Closed, EventKind::TabClosed);
    }

    /// The page opens a dialog, which is closed at once as every driver does.
    pub fn dialog(&self, tab: TabId, kind: DialogKind, message: &str) {
        let message = message.chars().take(1_000).collect();
        self.state.borrow_mut().emit(tab, EventKind::Dialog { kind, message });
    }
}
