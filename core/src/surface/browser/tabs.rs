//! Tabs: list, focus, close.

use super::report::{Failed, Report};
use super::{BrowserTool, CALL_MS, schema};
use crate::action::Failure;
use crate::gatekeeper::TargetIdentity;
use crate::port::{Host, Launcher, Op, ReadyState, TabInfo};
use crate::text::{quoted, url_piece};
use crate::tool::Args;
use alloc::{format, string::String, vec::Vec};
use serde_json::{Value, json};

impl<L: Launcher, H: Host + Clone> BrowserTool<L, H> {
    pub(super) async fn list_tabs(&self) -> Result<Report, Failure> {
        self.engine.clear(&schema::READ, TargetIdentity::default(), None).await?;
        let running = self.is_running().await;
        let tabs = if running { self.tabs().await? } else { Vec::new() };
        let mut report = Report::default();
        report.fact("running", running);
        report.fact("tabCount", tabs.len());
        let records: Vec<Value> = tabs.iter().map(|tab| self.record(tab)).collect();
        report.extra("tabs", records);
        if !tabs.is_empty() {
            let lines: Vec<String> = tabs.iter().map(|tab| self.line(tab)).collect();
            report.say("tabs", lines.join("\n"));
        }
        Ok(report)
    }

    /// A tab for programs. Its title is the page's and stands in the text only.
    pub(super) fn record(&self, tab: &TabInfo) -> Value {
        let book = self.book.borrow();
        json!({
            "suggestedTargetId": book.name(tab.tab),
            "tabId": book.id(tab.tab),
            "targetId": book.id(tab.tab),
            "label": book.label(tab.tab),
            "url": url_piece(&tab.url),
            "type": "page",
            "active": tab.visible,
        })
    }

    /// A tab for the agent, in one line that the page cannot break.
    pub(super) fn line(&self, tab: &TabInfo) -> String {
        let book = self.book.borrow();
        let label = book.label(tab.tab).map(|label| format!(" label={}", quoted(label, 60)));
        let visible = if tab.visible { " (visible)" } else { "" };
        let loading = if tab.ready == ReadyState::Complete { "" } else { " (loading)" };
        format!(
            "- {}{}{visible}{loading} {} {}",
            book.id(tab.tab),
            label.unwrap_or_default(),
            quoted(&tab.title, 200),
            url_piece(&tab.url),
        )
    }

    pub(super) async fn focus(&self, args: &Args) -> Result<Report, Failed> {
        let Some(given) = args.text("targetId") else {
            let failure =
                schema::bad("targetId: is required for focus; list the tabs (action \"tabs\")");
            return Err(failure.into());
        };
        let tab = self.tab(Some(given)).await?;
        let failed = |failure| self.failed(&tab, failure);
        let write = self.tab_write(&tab).await.map_err(failed)?;
        let op = Op::ActivateTab(write);
        self.order(op, self.deadline(args, CALL_MS)).await.map_err(failed)?;
        let mut report = self.report(&tab);
        report.url(&tab.url);
        Ok(report)
    }

    /// Closes a tab. It enters no lane: a page that hangs must not keep its tab from being closed.
    pub(super) async fn close(&self, given: Option<&str>) -> Result<Report, Failed> {
        let tab = self.tab(given).await?;
        let failed = |failure| self.failed(&tab, failure);
        let report = self.report(&tab);
        let write = self.tab_write(&tab).await.map_err(failed)?;
        let deadline = self.engine.now().plus(CALL_MS);
        self.order(Op::CloseTab(write), deadline).await.map_err(failed)?;
        self.book.borrow_mut().drop_tab(tab.tab);
        let mut report = report;
        report.fact("closed", true);
        report.fact("tabCount", self.tabs().await.map_or(0, |tabs| tabs.len()));
        Ok(report)
    }
}
