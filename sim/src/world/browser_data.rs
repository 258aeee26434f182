//! What a browser keeps besides its pages: downloads, visits, bookmarks, closed tabs, groups, the clipboard. No tool asks for it
//! through a port yet: a world holds it, a test sets and reads it.

use super::network::Response;
use super::{State, World};
use backlot_core::page::TabId;
use std::collections::BTreeMap;
use url::Url;

/// Most visits and closed tabs that are kept.
const KEPT_MAX: usize = 1_000;
/// Most sites that are called top sites.
const TOP_SITES: usize = 10;

/// A file that a page made the browser keep.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Download {
    /// The tab whose page asked for it.
    pub tab: TabId,
    /// Where it came from, after redirects.
    pub url: String,
    /// Suggested name of the file.
    pub name: String,
    /// The content.
    pub body: Vec<u8>,
}

/// A page that was shown in a tab.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Visit {
    /// Virtual milliseconds.
    pub at: u64,
    /// Its URL.
    pub url: String,
}

/// Visits, bookmarks, closed tabs and groups.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct BrowserData {
    /// Visits, the oldest first.
    pub visits: Vec<Visit>,
    /// Bookmarks: title and URL.
    pub bookmarks: Vec<(String, String)>,
    /// URLs of closed tabs, the one closed last at the end.
    pub closed: Vec<String>,
    /// Groups of tabs by name.
    pub groups: BTreeMap<String, Vec<TabId>>,
}

impl BrowserData {
    /// Origins by how often they were visited, most often first; at most ten.
    pub fn top_sites(&self) -> Vec<(String, usize)> {
        let mut counts: BTreeMap<String, usize> = BTreeMap::new();
        for visit in &self.visits {
            if let Ok(url) = Url::parse(&visit.url) {
                *counts.entry(url.origin().ascii_serialization()).or_default() += 1;
            }
        }
        let mut sites: Vec<(String, usize)> = counts.into_iter().collect();
        sites.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        sites.truncate(TOP_SITES);
        sites
    }
}

impl World {
    /// Files that were downloaded, the oldest first.
    pub fn downloads(&self) -> Vec<Download> {
        self.state.borrow().downloads.clone()
    }

    /// What is on the clipboard.
    pub fn clipboard(&self) -> String {
        self.state.borrow().clipboard.clone()
    }

    /// Puts text on the clipboard.
    pub fn set_clipboard(&self, text: &str) {
        self.state.borrow_mut().clipboard = text.into();
    }

    /// Reads or changes what the browsers of this world keep.
    pub fn browser_data<R>(&self, with: impl FnOnce(&mut BrowserData) -> R) -> R {
        with(&mut self.state.borrow_mut().data)
    }
}

impl State {
    /// Keeps what is not shown. `name`: what the page calls it.
    pub(crate) fn download(
        &mut self,
        tab: TabId,
        url: &Url,
        name: Option<&str>,
        response: &Response,
    ) {
        let given = response.header("content-disposition").find_map(|value| {
            let (_, name) = value.split_once("filename=")?;
            Some(name.split(';').next().unwrap_or_default().trim().trim_matches('"').to_string())
        });
        let own = url.path_segments().and_then(|mut parts| parts.next_back()).unwrap_or_default();
        let name = given.or_else(|| name.map(str::to_string)).filter(|name| !name.is_empty());
        // A name is a name: no page chooses a folder.
        let name = name.unwrap_or_else(|| own.to_string()).replace(['/', '\\'], "_");
        let name = if name.is_empty() { "download".into() } else { name };
        let body = response.body.clone();
        self.downloads.push(Download { tab, url: url.to_string(), name, body });
    }

    pub(super) fn remember_visit(&mut self, url: &Url) {
        if url.scheme() == "about" {
            return;
        }
        let at = self.now;
        push_kept(&mut self.data.visits, Visit { at, url: url.to_string() });
    }

    pub(super) fn remember_closed(&mut self, tab: TabId) {
        let Some(tab) = self.tabs.get(&tab) else { return };
        let (urls, at) = &tab.history;
        if let Some(url) = urls.get(*at) {
            let url = url.to_string();
            push_kept(&mut self.data.closed, url);
        }
        for tabs in self.data.groups.values_mut() {
            tabs.retain(|id| {
                self.tabs.get(id).is_some_and(|tab| tab.state == super::TabState::Live)
            });
        }
    }
}

fn push_kept<T>(list: &mut Vec<T>, item: T) {
    list.push(item);
    if list.len() > KEPT_MAX {
        list.remove(0);
    }
}
