//! Going somewhere: open and navigate, with the loaded page's state.

use super::report::{Failed, Report};
use super::snapshot::SnapshotSpec;
use super::{BrowserTool, CALL_MS, REST_MS, schema};
use crate::action::{Effect, Failure, Phase, wrong_reply};
use crate::gatekeeper::{DenyReason, Destination, TargetIdentity};
use crate::page::TabId;
use crate::port::{Host, Launcher, LoadState, Op, Reply, TabInfo};
use crate::tool::Args;
use alloc::format;

const BLANK: &str = "about:blank";

/// Where `targetUrl`, or `url`, leads: a web page or the empty one.
fn goal_of(args: &Args, action: &str) -> Result<Destination, Failure> {
    let Some(text) = args.text("targetUrl").or_else(|| args.text("url")) else {
        return Err(schema::bad(&format!("targetUrl: is required for {action}")));
    };
    let parsed = Destination::parse(text.trim());
    let goal = parsed.map_err(|bad| {
        schema::bad(&format!(
            "targetUrl: must be an absolute URL such as https://example.com/ ({bad})"
        ))
    })?;
    if matches!(goal.scheme(), "http" | "https") || goal.url() == BLANK {
        return Ok(goal);
    }
    Err(Failure::denied(&DenyReason::Scheme { scheme: goal.scheme().into() }))
}

impl<L: Launcher, H: Host + Clone> BrowserTool<L, H> {
    pub(super) async fn open(&self, args: &Args) -> Result<Report, Failed> {
        let goal = goal_of(args, "open")?;
        if let Some(label) = args.text("label") {
            self.book.borrow().check_label(label)?;
        }
        self.not_refused(&goal)?;
        let started = self.ensure_started().await?;
        let tab = self.blank_tab(started).await?;
        let failed = |failure| self.failed(&tab, failure);
        let _turn = self.engine.lane(tab.tab).enter().await;
        if let Err(failure) = self.load(&tab, &goal, args).await {
            // Nothing was loaded into it: the next `open` takes it.
            if failure.effect == Effect::None {
                self.book.borrow_mut().spare = Some(tab.tab);
            }
            return Err(failed(failure));
        }
        {
            let mut book = self.book.borrow_mut();
            book.use_tab(tab.tab);
            if let Some(label) = args.text("label") {
                book.set_label(tab.tab, label);
            }
        }
        let tabs = self.tabs().await.map_err(failed)?;
        let now = tabs.iter().find(|info| info.tab == tab.tab).unwrap_or(&tab);
        let mut report = self.report(now);
        let book = self.book.borrow();
        report.fact("tabId", book.id(tab.tab));
        report.fact("label", book.label(tab.tab));
        drop(book);
        report.fact("tabCount", tabs.len());
        report.url(&now.url);
        report.say("tabs", self.line(now));
        Ok(report)
    }

    pub(super) async fn navigate(&self, args: &Args) -> Result<Report, Failed> {
        let goal = goal_of(args, "navigate")?;
        self.not_refused(&goal)?;
        let given = args.text("targetId");
        if given.is_none() {
            self.ensure_started().await?;
            if self.tabs().await?.is_empty() {
                self.blank_tab(false).await?;
            }
        }
        let tab = self.tab(given).await?;
        let failed = |failure| self.failed(&tab, failure);
        let _turn = self.engine.lane(tab.tab).enter().await;
        let loaded = self.load(&tab, &goal, args).await.map_err(failed)?;
        let mut report = self.report(&tab);
        report.url(&loaded.url);
        if loaded.load == LoadState::Interactive {
            report.notes.push("the page had not finished loading in time".into());
        }
        if loaded.url != goal.url() {
            report.notes.push("it was redirected".into());
        }
        self.add_page_state(&mut report, tab.tab).await;
        Ok(report)
    }

    /// Adds the page as it is now, as an efficient snapshot; where it cannot be had, a remark.
    pub(super) async fn add_page_state(&self, report: &mut Report, tab: TabId) {
        let deadline = self.engine.now().plus(CALL_MS);
        match self.take(tab, &SnapshotSpec::efficient(), deadline).await {
            Ok(state) => report.add(state),
            Err(failure) => report.notes.push(format!(
                "the page could not be read ({}); take a snapshot (action \"snapshot\")",
                failure.code
            )),
        }
    }

    /// Nobody who is asked could allow it.
    fn not_refused(&self, goal: &Destination) -> Result<(), Failure> {
        let target = TargetIdentity {
            origin: goal.origin().into(),
            destination: Some(goal.url().into()),
            ..TargetIdentity::default()
        };
        let refusal = self.engine.refusal(&schema::NAVIGATE, target, Some(goal));
        refusal.map_or(Ok(()), Err)
    }

    /// A blank tab to be used: that of a browser that was just started, one that was left over, or a new one.
    async fn blank_tab(&self, started: bool) -> Result<TabInfo, Failure> {
        let tabs = self.tabs().await?;
        let spare = self.book.borrow_mut().spare.take();
        let blank = tabs
            .iter()
            .find(|tab| tab.url == BLANK && (started && tabs.len() == 1 || spare == Some(tab.tab)));
        if let Some(tab) = blank {
            return Ok(tab.clone());
        }
        let deadline = self.engine.now().plus(CALL_MS);
        match self.engine.ask(Op::OpenTab, deadline, Phase::Route).await? {
            Reply::Tab(tab) => {
                self.tabs().await?;
                Ok(tab)
            }
            _ => Err(wrong_reply(Phase::Route)),
        }
    }

    /// Loads the goal and waits for rest.
    async fn load(
        &self,
        tab: &TabInfo,
        goal: &Destination,
        args: &Args,
    ) -> Result<crate::port::Navigated, Failure> {
        let asked = args.integer("timeoutMs").and_then(|ms| u64::try_from(ms).ok());
        let ms = asked.map_or(CALL_MS, |ms| ms.clamp(1_000, 120_000));
        let loaded = self.engine.load(&schema::NAVIGATE, tab.tab, goal, ms).await?;
        let rest_by = self.engine.now().plus(REST_MS);
        let settled = self.engine.settle(tab.tab, loaded.since, rest_by).await;
        settled.map_err(|failure| failure.with_effect(Effect::Done))?;
        Ok(loaded.navigated)
    }
}
