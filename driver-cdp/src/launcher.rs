//! Browsers for surfaces that open and close them.

use crate::book::Life;
use crate::browser::{run_page_script, take_binding_calls};
use crate::session::Link;
use crate::{CdpBrowser, CdpPort, LaunchOptions, clock};
use backlot_core::page::TabId;
use backlot_core::port::{Browser, BrowserInfo, DriverError, Launcher, Millis};
use std::cell::RefCell;
use std::rc::Rc;

/// Starts Chromium by the same options each time, and attaches to running ones. Clones know of the same browsers.
#[derive(Clone, Default)]
pub struct CdpLauncher {
    options: LaunchOptions,
    /// The connections of launched browsers that have a binding, for harnesses.
    watched: Rc<RefCell<Vec<Link>>>,
}

impl CdpLauncher {
    /// A launcher with these options.
    pub fn new(options: LaunchOptions) -> Self {
        Self { options, watched: Rc::default() }
    }

    /// The calls of [`LaunchOptions::binding`] in all browsers since the last time, browser by browser.
    pub fn binding_calls(&self) -> Vec<String> {
        self.watched.borrow().iter().flat_map(take_binding_calls).collect()
    }

    /// Runs a script in a tab of the newest browser, as [`CdpBrowser::run_page_script`] does; in its newest tab if none is
    /// given.
    ///
    /// # Errors
    /// As there; [`DriverError::TabGone`] where no browser with a binding was launched, or it has no tab.
    pub async fn run_page_script(
        &self,
        tab: Option<TabId>,
        script: &str,
    ) -> Result<(), DriverError> {
        let link = self.watched.borrow().last().cloned().ok_or(DriverError::TabGone)?;
        let newest = || {
            let book = link.book();
            let live = book.tabs.iter().filter(|(_, tab)| tab.life == Life::Alive);
            live.map(|(id, _)| *id).next_back()
        };
        let tab = tab.or_else(newest).ok_or(DriverError::TabGone)?;
        run_page_script(&link, tab, script).await
    }
}

impl Launcher for CdpLauncher {
    type Browser = CdpBrowser;

    async fn launch(&self, deadline: Millis) -> Result<CdpBrowser, DriverError> {
        let launched = CdpBrowser::launch(self.options.clone());
        let ended = tokio::time::timeout_at(clock::instant(deadline), launched).await;
        let browser = ended.unwrap_or(Err(DriverError::Deadline))?;
        if self.options.binding.is_some() {
            self.watched.borrow_mut().push(browser.link().clone());
        }
        Ok(browser)
    }

    async fn connect(&self, endpoint: &str, deadline: Millis) -> Result<CdpBrowser, DriverError> {
        let attached = CdpBrowser::attach(endpoint);
        let ended = tokio::time::timeout_at(clock::instant(deadline), attached).await;
        ended.unwrap_or(Err(DriverError::Deadline))
    }
}

impl Browser for CdpBrowser {
    type Port = CdpPort;

    fn port(&self) -> CdpPort {
        Self::port(self)
    }

    fn info(&self) -> BrowserInfo {
        BrowserInfo {
            version: self.version().into(),
            is_owned: self.pid().is_some(),
            pid: self.pid(),
            endpoint: self.endpoint().into(),
            is_headless: self.is_headless(),
        }
    }

    async fn close(self) {
        Self::close(self).await;
    }
}
