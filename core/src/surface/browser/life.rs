//! The browser's life: start, stop, status.

use super::report::Report;
use super::{BrowserTool, LAUNCH_MS, schema};
use crate::action::{Failure, Phase, Retry};
use crate::gatekeeper::TargetIdentity;
use crate::port::{Browser, BrowserInfo, DriverError, Host, Launcher, Op, Port, TabInfo};
use alloc::vec::Vec;
use serde_json::Value;

impl<L: Launcher, H: Host + Clone> BrowserTool<L, H> {
    /// Whether a browser runs. One that ended by itself is forgotten.
    pub(super) async fn is_running(&self) -> bool {
        if self.engine.port().is_empty() {
            return false;
        }
        let asked = self.engine.port().call(Op::Tabs, self.engine.now().plus(LAUNCH_MS)).await;
        if matches!(asked, Err(DriverError::ConnectionClosed)) {
            self.end_browser().await;
            return false;
        }
        true
    }

    /// The tabs of the browser that runs; fails unless one does.
    pub(super) async fn tabs_of_running(&self) -> Result<Vec<TabInfo>, Failure> {
        let not_running = Failure::new(
            "not_running",
            Phase::Route,
            Retry::Never,
            "the browser is not running, and this action does not start it; use open with a targetUrl, or start",
        );
        if self.engine.port().is_empty() {
            return Err(not_running);
        }
        match self.tabs().await {
            Err(failure) if failure.code == DriverError::ConnectionClosed.code() => {
                self.end_browser().await;
                Err(not_running)
            }
            tabs => tabs,
        }
    }

    /// Starts a browser unless one runs. Says whether it started one.
    pub(super) async fn ensure_started(&self) -> Result<bool, Failure> {
        let _turn = self.starting.enter().await;
        if self.is_running().await {
            return Ok(false);
        }
        let launched = self.launcher.launch(self.engine.now().plus(LAUNCH_MS)).await;
        let browser = launched.map_err(|error| Failure::driver(Phase::Route, &error))?;
        self.engine.port().fill(browser.port());
        *self.browser.borrow_mut() = Some(browser);
        Ok(true)
    }

    /// Ends the browser, if one runs, and forgets its tabs and refs.
    pub(super) async fn end_browser(&self) {
        let browser = self.browser.borrow_mut().take();
        self.engine.port().clear();
        self.engine.forget_browser();
        self.book.borrow_mut().forget();
        if let Some(browser) = browser {
            browser.close().await;
        }
    }

    pub(super) async fn start(&self) -> Result<Report, Failure> {
        self.engine.clear(&schema::NAVIGATE, TargetIdentity::default(), None).await?;
        self.ensure_started().await?;
        self.status_report().await
    }

    pub(super) async fn stop(&self) -> Result<Report, Failure> {
        if !self.engine.port().is_empty() {
            self.engine.clear(&schema::NAVIGATE, TargetIdentity::default(), None).await?;
            self.end_browser().await;
        }
        self.status_report().await
    }

    pub(super) async fn status(&self) -> Result<Report, Failure> {
        self.engine.clear(&schema::READ, TargetIdentity::default(), None).await?;
        self.status_report().await
    }

    /// What the browser is, where one runs.
    pub(super) fn info(&self) -> Option<BrowserInfo> {
        self.browser.borrow().as_ref().map(Browser::info)
    }

    async fn status_report(&self) -> Result<Report, Failure> {
        let running = self.is_running().await;
        let info = self.info().filter(|_| running);
        let mut report = Report::default();
        report.fact("enabled", true);
        report.fact("profile", schema::PROFILE);
        report.fact("driver", "managed");
        report.fact("transport", "cdp");
        report.fact("target", "host");
        report.fact("running", running);
        report.fact("cdpReady", running);
        let tabs = if running { self.tabs().await? } else { alloc::vec![] };
        report.fact("pageReady", !tabs.is_empty());
        report.fact("tabCount", tabs.len());
        report
            .fact("pid", info.as_ref().and_then(|info| info.pid).map_or(Value::Null, Value::from));
        let endpoint = info.as_ref().map(|info| info.endpoint.as_str()).unwrap_or_default();
        let url = url::Url::parse(endpoint).ok();
        report.fact("cdpPort", url.and_then(|url| url.port()).map_or(Value::Null, Value::from));
        report.fact("cdpUrl", if endpoint.is_empty() { Value::Null } else { endpoint.into() });
        if let Some(info) = info {
            report.fact("version", info.version);
            report.fact("headless", info.is_headless);
        }
        Ok(report)
    }
}
