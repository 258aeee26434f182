//! A tab's history.

use super::State;
use backlot_core::page::TabId;
use backlot_core::port::HistoryGo;
use url::Url;

impl State {
    /// The tab shows another URL from now on: what lay ahead is forgotten.
    pub(crate) fn note_visit(&mut self, tab: TabId, url: &Url) {
        self.remember_visit(url);
        let Some(tab) = self.tabs.get_mut(&tab) else { return };
        let (urls, at) = &mut tab.history;
        if urls.get(*at) == Some(url) {
            return;
        }
        if !urls.is_empty() {
            *at += 1;
        }
        urls.truncate(*at);
        urls.push(url.clone());
    }

    /// Where a way leads, and which entry that is.
    pub(crate) fn history_entry(&self, tab: TabId, go: HistoryGo) -> Option<(usize, Url)> {
        let (urls, at) = &self.tabs.get(&tab)?.history;
        let at = match go {
            HistoryGo::Back => at.checked_sub(1)?,
            HistoryGo::Forward => at + 1,
            HistoryGo::Reload => *at,
        };
        urls.get(at).map(|url| (at, url.clone()))
    }
}
