//! Sessions and their pages.

use super::envelope::Bad;
use super::limits;
use super::tree::Tree;
use crate::action::Engine;
use crate::lane::Lane;
use crate::page::TabId;
use crate::port::{Browser, Host, TabInfo};
use crate::refs::LastingRefs;
use crate::text::header_piece;
use alloc::{collections::BTreeMap, format, string::String, vec::Vec};
use core::cell::RefCell;

/// One browser, opened or attached to.
pub(super) struct Session<B: Browser, H> {
    pub(super) id: String,
    /// `local`, or `attached`.
    pub(super) provider: &'static str,
    /// Taken when it is closed.
    pub(super) browser: RefCell<Option<B>>,
    pub(super) engine: Engine<B::Port, H>,
    /// One code body or snapshot at a time.
    pub(super) lane: Lane,
    pub(super) pages: RefCell<Pages>,
}

/// The pages of a session.
#[derive(Debug, Default)]
pub(super) struct Pages {
    /// As the browser told last.
    pub(super) tabs: Vec<TabInfo>,
    known: BTreeMap<TabId, Page>,
    /// The page that calls without `pageId` go to.
    current: Option<TabId>,
}

/// What is remembered of a page.
#[derive(Debug, Default)]
pub(super) struct Page {
    pub(super) id: String,
    pub(super) refs: LastingRefs,
    /// The tree after the last code body.
    pub(super) baseline: Option<Tree>,
}

impl<B: Browser, H: Host> Session<B, H> {
    /// Asks the browser for its tabs, and takes note of new and closed ones.
    pub(super) async fn look_at_tabs(&self) -> Result<(), Bad> {
        let deadline = self.engine.now().plus(limits::STATUS_MS);
        let tabs = self.engine.tabs(deadline).await.map_err(|failure| self.lost(&failure))?;
        self.take_tabs(tabs);
        Ok(())
    }

    /// Takes note of new and closed tabs.
    pub(super) fn take_tabs(&self, tabs: Vec<TabInfo>) {
        let mut nonce = || self.engine.host().nonce();
        self.pages.borrow_mut().take(tabs, &mut nonce);
    }

    /// A browser that does not answer.
    pub(super) fn lost(&self, failure: &crate::action::Failure) -> Bad {
        Bad::failed(
            failure,
            &format!(
                "session {} has lost its browser: close it with browser_close and open a new one",
                self.id
            ),
        )
    }

    /// The tab of a page id, or the default one.
    pub(super) fn tab(&self, page: Option<&str>) -> Result<TabInfo, Bad> {
        let pages = self.pages.borrow();
        let Some(id) = page else {
            return pages.current().cloned().ok_or_else(|| {
                Bad::told(
                    "no_page",
                    format!(
                        "session {} has no open pages; open one with browser_exec (await context.newPage()) or a new session",
                        self.id
                    ),
                )
            });
        };
        pages.by_id(id).cloned().ok_or_else(|| {
            Bad::told(
                "tab_gone",
                format!(
                    "there is no page {} in session {}; browser_status lists its pages",
                    header_piece(id, 60),
                    self.id
                ),
            )
        })
    }
}

impl Pages {
    fn take(&mut self, tabs: Vec<TabInfo>, nonce: &mut dyn FnMut() -> u64) {
        self.known.retain(|tab, _| tabs.iter().any(|info| info.tab == *tab));
        for info in &tabs {
            if self.known.contains_key(&info.tab) {
                continue;
            }
            let id = loop {
                let id = format!("page-{:04x}", nonce() & 0xffff);
                if self.known.values().all(|page| page.id != id) {
                    break id;
                }
            };
            self.known.insert(info.tab, Page { id, ..Page::default() });
            self.current = Some(info.tab);
        }
        if self.current.is_none_or(|tab| !self.known.contains_key(&tab)) {
            self.current = tabs.last().map(|info| info.tab);
        }
        self.tabs = tabs;
    }

    pub(super) fn current(&self) -> Option<&TabInfo> {
        self.tabs.iter().find(|info| Some(info.tab) == self.current)
    }

    pub(super) fn by_id(&self, id: &str) -> Option<&TabInfo> {
        self.tabs.iter().find(|info| self.known.get(&info.tab).is_some_and(|page| page.id == id))
    }

    pub(super) fn id_of(&self, tab: TabId) -> &str {
        self.known.get(&tab).map_or("", |page| &page.id)
    }

    pub(super) fn page(&mut self, tab: TabId) -> &mut Page {
        self.known.entry(tab).or_default()
    }

    /// The remembered page of a tab, without changing anything.
    pub(super) fn peek(&self, tab: TabId) -> Option<&Page> {
        self.known.get(&tab)
    }
}
