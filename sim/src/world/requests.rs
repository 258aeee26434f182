//! The log of a tab's requests.

use super::network::{Fetched, Post};
use super::{State, World};
use backlot_core::page::TabId;
use backlot_core::port::{LogEntry, LogPage};
use std::collections::VecDeque;
use url::Url;

/// Most requests kept.
const REQUESTS_MAX: usize = 500;

#[derive(Debug, Default)]
pub(crate) struct RequestLog {
    entries: VecDeque<LogEntry>,
    dropped: u64,
    last: u64,
}

impl RequestLog {
    fn push(
        &mut self,
        at: u64,
        (url, method): (&Url, &str),
        kind: &str,
        end: (Option<u16>, Option<String>),
    ) {
        self.last += 1;
        let mut url = url.clone();
        // Neither fails: the URL was fetched, so it has a host.
        let _ = url.set_username("");
        let _ = url.set_password(None);
        url.set_fragment(None);
        self.entries.push_back(LogEntry::Request {
            number: self.last,
            at,
            method: method.into(),
            url: url.into(),
            resource_type: kind.into(),
            status: end.0,
            failure: end.1,
        });
        if self.entries.len() > REQUESTS_MAX {
            self.entries.pop_front();
            self.dropped += 1;
        }
    }

    pub(crate) fn page(&mut self, clear: bool) -> LogPage {
        let page =
            LogPage { entries: self.entries.iter().cloned().collect(), dropped: self.dropped };
        if clear {
            self.entries.clear();
            self.dropped = 0;
        }
        page
    }
}

/// Most lines of the console, and most errors, that are kept.
const LINES_MAX: usize = 500;

/// A log of lines that pages write.
#[derive(Debug, Default)]
pub(crate) struct LineLog {
    entries: VecDeque<LogEntry>,
    dropped: u64,
}

impl LineLog {
    fn push(&mut self, entry: LogEntry) {
        self.entries.push_back(entry);
        if self.entries.len() > LINES_MAX {
            self.entries.pop_front();
            self.dropped += 1;
        }
    }

    pub(crate) fn page(&mut self, clear: bool) -> LogPage {
        let page =
            LogPage { entries: self.entries.iter().cloned().collect(), dropped: self.dropped };
        if clear {
            self.entries.clear();
            self.dropped = 0;
        }
        page
    }
}

impl World {
    /// A page writes a line on its console, as a script could: `log`, `debug`, `info`, `warning` or `error`.
    pub fn log_console(&self, tab: TabId, level: &str, text: &str) {
        let mut state = self.state.borrow_mut();
        let at = state.now;
        let text = text.chars().take(2_000).collect();
        if let Some(tab) = state.tabs.get_mut(&tab) {
            tab.console.push(LogEntry::Console { at, level: level.into(), text });
        }
    }

    /// An error of a page that nothing catches: its class and what it says.
    pub fn log_error(&self, tab: TabId, name: &str, message: &str) {
        let mut state = self.state.borrow_mut();
        let at = state.now;
        let message = message.chars().take(2_000).collect();
        if let Some(tab) = state.tabs.get_mut(&tab) {
            let (name, stack) = (name.into(), String::new());
            tab.errors.push(LogEntry::Error { at, name, message, stack });
        }
    }
}

impl State {
    /// Fetches for a tab and logs it, redirects too.
    pub(crate) fn fetch(
        &mut self,
        tab: TabId,
        url: &Url,
        kind: &str,
        post: Option<&Post>,
    ) -> Result<Fetched, &'static str> {
        let Some(browser) = self.tabs.get(&tab).map(|tab| tab.browser) else {
            return Err("net::ERR_ABORTED");
        };
        let now = self.now;
        let jar = self.jars.entry(browser).or_default();
        let fetched = self.network.fetch(url, post, jar, (now, &mut self.latencies));
        let Some(tab) = self.tabs.get_mut(&tab) else { return fetched };
        match &fetched {
            Ok(fetched) => {
                for (url, method, status) in &fetched.redirects {
                    tab.requests.push(now, (url, method), kind, (Some(*status), None));
                }
                let response = &fetched.response;
                // A sheet that is none is fetched and thrown away.
                let is_thrown_away = kind == "stylesheet"
                    && (response.status >= 400 || !response.content_type.starts_with("text/css"));
                let failure = is_thrown_away.then(|| "net::ERR_ABORTED".into());
                let status = Some(response.status);
                tab.requests.push(now, (&fetched.url, fetched.method), kind, (status, failure));
            }
            Err(reason) => {
                let method = if post.is_some() { "POST" } else { "GET" };
                tab.requests.push(now, (url, method), kind, (None, Some((*reason).into())));
            }
        }
        fetched
    }
}
