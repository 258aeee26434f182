//! Which tab a call acts in.

use crate::page::TabId;
use crate::planted::{self, Bug};
use alloc::string::String;
use serde::{Deserialize, Serialize};

/// One tab.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TabInfo {
    /// Its number.
    pub tab: TabId,
    /// URL of its top document.
    pub url: String,
    /// Its title.
    pub title: String,
    /// It is the visible tab of its window.
    pub visible: bool,
    /// The tab whose page opened it.
    pub opener: Option<TabId>,
    /// How far its top document is. Told by the browser, never by the page: a hung page answers too.
    pub ready: ReadyState,
    /// Size of its viewport, CSS pixels, where the driver knows it without the page.
    pub viewport: Option<(u32, u32)>,
}

/// How far a document is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReadyState {
    /// It is being parsed.
    Loading,
    /// It is parsed; images and the like are still loading.
    Interactive,
    /// `load` has fired.
    Complete,
}

/// The choice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Choice<'a> {
    /// This tab.
    Tab(&'a TabInfo),
    /// The tab that was named, or was the default, is gone. No other takes its place.
    Gone(TabId),
    /// There is no web tab to begin with, or no tab at all any more: open one.
    Open,
}

/// Chooses: the given tab, else the default one, else (at a client's first call) the visible web tab, else a new one.
pub fn choose(tabs: &[TabInfo], given: Option<TabId>, default: Option<TabId>) -> Choice<'_> {
    // Where no tab is left, a default that is gone must not be a dead end.
    let default = default.filter(|_| !tabs.is_empty());
    let wanted = given.or(default).filter(|wanted| {
        !planted::is(Bug::GoneTabReplaced) || tabs.iter().any(|tab| tab.tab == *wanted)
    });
    if let Some(wanted) = wanted {
        return tabs.iter().find(|tab| tab.tab == wanted).map_or(Choice::Gone(wanted), Choice::Tab);
    }
    let is_web = |tab: &&TabInfo| tab.url.starts_with("http://") || tab.url.starts_with("https://");
    tabs.iter().filter(is_web).find(|tab| tab.visible).map_or(Choice::Open, Choice::Tab)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tab(number: u32, url: &str, visible: bool) -> TabInfo {
        TabInfo {
            tab: TabId(number),
            url: url.into(),
            title: "".into(),
            visible,
            opener: None,
            ready: ReadyState::Complete,
            viewport: None,
        }
    }

    #[test]
    fn a_named_or_default_tab_is_never_replaced() {
        let tabs = [tab(1, "http://a.test/", true), tab(2, "http://b.test/", false)];
        let number = |choice| match choice {
            Choice::Tab(tab) => Some(tab.tab.0),
            Choice::Gone(_) | Choice::Open => None,
        };
        assert_eq!(number(choose(&tabs, Some(TabId(2)), Some(TabId(1)))), Some(2));
        assert_eq!(number(choose(&tabs, None, Some(TabId(2)))), Some(2));
        assert_eq!(choose(&tabs, Some(TabId(9)), Some(TabId(1))), Choice::Gone(TabId(9)));
        assert_eq!(choose(&tabs, None, Some(TabId(9))), Choice::Gone(TabId(9)));
    }

    #[test]
    fn the_first_call_takes_the_visible_web_tab_or_opens_one() {
        let tabs = [tab(1, "about:blank", true), tab(2, "http://b.test/", true)];
        assert_eq!(choose(&tabs, None, None), Choice::Tab(&tabs[1]));
        assert_eq!(choose(&tabs[..1], None, None), Choice::Open);
        assert_eq!(choose(&[tab(1, "http://a.test/", false)], None, None), Choice::Open);
    }
}
