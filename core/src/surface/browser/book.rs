//! What is remembered of tabs: their ids, labels and refs.

use super::schema::bad;
use crate::action::{Failure, Phase, Retry};
use crate::page::{DocumentKey, TabId};
use crate::port::TabInfo;
use crate::refs::{LastingRefs, RefEntry, StaleReason, lasting_number};
use crate::text::quoted;
use alloc::{
    collections::{BTreeMap, BTreeSet},
    format,
    string::{String, ToString},
    vec::Vec,
};

/// Longest label, characters.
const LABEL_CHARS_MAX: usize = 60;

/// The tabs of the browser, and of those before it what must not be given again.
#[derive(Debug, Default)]
pub(super) struct Book {
    given: u32,
    handles: BTreeMap<TabId, Handle>,
    /// The tab used last.
    last: Option<TabId>,
    /// A blank tab that an `open` made and could not use.
    pub(super) spare: Option<TabId>,
    /// Numbers of all tabs' refs: one that was given for one tab is never one of another.
    refs: LastingRefs,
    /// Tabs that had a snapshot.
    read: BTreeSet<TabId>,
    /// Which tab shows a top document that refs were given for.
    shown: BTreeMap<DocumentKey, TabId>,
}

#[derive(Debug)]
struct Handle {
    number: u32,
    label: Option<String>,
}

impl Book {
    /// The browser is gone.
    pub(super) fn forget(&mut self) {
        self.refs.forget();
        *self =
            Self { given: self.given, refs: core::mem::take(&mut self.refs), ..Self::default() };
    }

    /// Takes note of the tabs as they are.
    pub(super) fn note(&mut self, tabs: &[TabInfo]) {
        let is_open = |tab: TabId| tabs.iter().any(|info| info.tab == tab);
        self.handles.retain(|tab, _| is_open(*tab));
        self.read.retain(|tab| is_open(*tab));
        self.shown.retain(|_, tab| is_open(*tab));
        self.spare = self.spare.filter(|tab| is_open(*tab));
        for info in tabs {
            if !self.handles.contains_key(&info.tab) {
                self.given += 1;
                self.handles.insert(info.tab, Handle { number: self.given, label: None });
            }
        }
    }

    /// The id of a tab.
    pub(super) fn id(&self, tab: TabId) -> String {
        self.handles.get(&tab).map_or_else(|| "t?".into(), |handle| format!("t{}", handle.number))
    }

    /// The label of a tab.
    pub(super) fn label(&self, tab: TabId) -> Option<&str> {
        self.handles.get(&tab)?.label.as_deref()
    }

    /// What a tab is called in results: its label, else its id.
    pub(super) fn name(&self, tab: TabId) -> String {
        self.label(tab).map_or_else(|| self.id(tab), Into::into)
    }

    pub(super) fn use_tab(&mut self, tab: TabId) {
        self.last = Some(tab);
    }

    pub(super) fn drop_tab(&mut self, tab: TabId) {
        self.handles.remove(&tab);
        if self.last == Some(tab) {
            self.last = None;
        }
    }

    /// A label that may be given to a new tab.
    pub(super) fn check_label(&self, label: &str) -> Result<(), Failure> {
        let is_id = label.strip_prefix('t').is_some_and(|rest| rest.parse::<u32>().is_ok());
        if is_id || label.chars().count() > LABEL_CHARS_MAX || label.chars().any(char::is_control) {
            return Err(bad(&format!(
                "label: must be at most {LABEL_CHARS_MAX} characters without controls, and must not look like a tab id"
            )));
        }
        if self.handles.values().any(|handle| handle.label.as_deref() == Some(label)) {
            return Err(bad("label: another tab has it; choose another label or close that tab"));
        }
        Ok(())
    }

    pub(super) fn set_label(&mut self, tab: TabId, label: &str) {
        if let Some(handle) = self.handles.get_mut(&tab) {
            handle.label = Some(label.into());
        }
    }

    /// The tab that a call names, or the one used last, or the first.
    pub(super) fn find(&self, given: Option<&str>, tabs: &[TabInfo]) -> Result<TabInfo, Failure> {
        let info = |tab: TabId| tabs.iter().find(|info| info.tab == tab).cloned();
        let Some(word) = given else {
            return match self.last {
                Some(last) => {
                    info(last).ok_or_else(|| self.gone("the tab used last is gone", tabs))
                }
                None => tabs.first().cloned().ok_or_else(|| self.gone("no tab is open", tabs)),
            };
        };
        let found = self.handles.iter().find(|(_, handle)| {
            handle.label.as_deref() == Some(word) || format!("t{}", handle.number) == word
        });
        if let Some(tab) = found.and_then(|(tab, _)| info(*tab)) {
            return Ok(tab);
        }
        let number = word.strip_prefix('t').and_then(|rest| rest.parse::<u32>().ok());
        let was_closed = number.is_some_and(|number| (1..=self.given).contains(&number));
        let what = match was_closed {
            true => format!("the tab {word} is gone"),
            false => format!("there is no tab {}", quoted(word, 60)),
        };
        Err(self.gone(&what, tabs))
    }

    fn gone(&self, what: &str, tabs: &[TabInfo]) -> Failure {
        let open: Vec<String> = tabs
            .iter()
            .map(|info| match self.label(info.tab) {
                Some(label) => format!("{} ({})", self.id(info.tab), quoted(label, 60)),
                None => self.id(info.tab),
            })
            .collect();
        let next = match open.is_empty() {
            true => "open one (action \"open\")".to_string(),
            false => format!("open tabs: {}; give one of them as targetId", open.join(", ")),
        };
        Failure::new("tab_gone", Phase::Route, Retry::Never, format!("{what}; {next}"))
    }

    /// Takes the refs of a tab's new snapshot.
    pub(super) fn renew(&mut self, tab: TabId, top: DocumentKey, entries: &[RefEntry]) {
        self.shown.retain(|_, of| *of != tab);
        self.shown.insert(top, tab);
        self.refs.renew(entries);
        self.read.insert(tab);
    }

    /// The number of a node that the newest snapshot gave a ref.
    pub(super) fn number(&self, key: crate::page::NodeKey) -> Option<u32> {
        self.refs.number(key)
    }

    /// What a ref is bound to, and what else was given in its page.
    pub(super) fn look_up(
        &self,
        tab: TabId,
        text: &str,
    ) -> Result<(RefEntry, Vec<RefEntry>), Failure> {
        let bare = text.strip_prefix('@').or_else(|| text.strip_prefix("ref=")).unwrap_or(text);
        let number = lasting_number(&["e", "ax", ""], bare).map_err(Failure::stale)?;
        if !self.read.contains(&tab) {
            return Err(Failure::stale(StaleReason::NoSnapshot));
        }
        let entry = self.refs.look_up(number).map_err(Failure::stale)?;
        let of = entry.chain.first().and_then(|top| self.shown.get(top)).copied();
        match of {
            Some(of) if of != tab => {
                let message = format!(
                    "stale_ref: {} belongs to the tab {}; give that tab as targetId, or take a new snapshot (action \"snapshot\")",
                    quoted(bare, 20),
                    self.id(of)
                );
                Err(Failure::new("stale_ref", Phase::Resolve, Retry::AfterNewSnapshot, message))
            }
            _ => {
                let others = entry.chain.first().map(|top| self.refs.given_in(*top));
                Ok((entry.clone(), others.unwrap_or_default()))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::aria;
    use crate::page::{Capture, FrameId, LoaderId, outline};
    use crate::port::ReadyState;
    use crate::refs::entries_at;

    /// A page with one button, in the document that every browser's first one is.
    fn entries() -> Vec<RefEntry> {
        let mut frame = outline::frame("button \"Save\"").unwrap();
        frame.document = DocumentKey { frame: FrameId(1), loader: LoaderId(1) };
        let capture = Capture {
            tab: TabId(1),
            sequence: 0,
            mark: None,
            matches: Vec::new(),
            frames: alloc::vec![frame],
        };
        entries_at([(0, 0)].into_iter(), &capture, &aria::frames(&capture))
    }

    fn tab(number: u32) -> TabInfo {
        TabInfo {
            tab: TabId(number),
            url: "about:blank".into(),
            title: String::new(),
            visible: true,
            opener: None,
            ready: ReadyState::Complete,
            viewport: None,
        }
    }

    #[test]
    fn another_browser_gives_neither_ids_nor_refs_again() {
        let mut book = Book::default();
        let top = DocumentKey { frame: FrameId(1), loader: LoaderId(1) };
        book.note(&[tab(1)]);
        book.renew(TabId(1), top, &entries());
        assert_eq!(book.number(entries()[0].key), Some(1));
        book.forget();
        assert_eq!(book.look_up(TabId(1), "e1").map_err(|failure| failure.code), Err("stale_ref"));
        book.note(&[tab(1)]);
        book.renew(TabId(1), top, &entries());
        assert_eq!((book.id(TabId(1)), book.number(entries()[0].key)), ("t2".into(), Some(2)));
        assert_eq!(book.look_up(TabId(1), "e1").map_err(|failure| failure.code), Err("stale_ref"));
        assert!(book.look_up(TabId(1), "e2").is_ok());
        assert!(book.find(Some("t1"), &[tab(1)]).is_err());
    }
}
