//! The one tool `browser` (seed 003): a browser of its own, tabs with ids that last, snapshots in three formats, acts by ref.
//!
//! `schema` (the flat arguments) -> `book` (which tab, which element) -> the action -> `report`. Writes go through the engine as
//! those of every surface do.

mod act;
mod book;
mod devices;
mod doctor;
mod emulate;
mod life;
mod logs;
mod navigate;
mod node_row;
mod picture;
mod prose;
mod report;
mod rows;
mod schema;
mod slot;
mod snapshot;
mod tabs;
mod words;
mod wrap;
mod yaml;

pub use schema::TOOLS;
pub use slot::Slot;

use crate::action::{Engine, Failure, Phase, Retry, ToolResult};
use crate::gatekeeper::{PolicyState, TargetIdentity, origin_of};
use crate::lane::Lane;
use crate::page::{Capture, CaptureSpec, TabId};
use crate::port::{Browser, DriverError, Host, Launcher, Millis, Op, Reply, TabInfo, TabWrite};
use crate::surface::Surface;
use crate::text::quoted;
use crate::tool::{Args, Registry, ToolCall};
use alloc::{format, string::String, vec::Vec};
use book::Book;
use core::cell::RefCell;
use report::{Failed, Report};

/// Time of a call that names none, milliseconds.
const CALL_MS: u64 = 20_000;
/// What a call may take beyond its time for coming to rest and reading the page.
const REST_MS: u64 = 10_000;
/// Longest start of a browser, milliseconds.
const LAUNCH_MS: u64 = 15_000;

type PortOf<L> = <<L as Launcher>::Browser as Browser>::Port;

/// The tool for one client. Its browser starts when it is first needed and ends with [`Surface::dispose`].
pub struct BrowserTool<L: Launcher, H> {
    launcher: L,
    engine: Engine<Slot<PortOf<L>>, H>,
    registry: Registry,
    browser: RefCell<Option<L::Browser>>,
    /// One start at a time.
    starting: Lane,
    book: RefCell<Book>,
}

impl<L: Launcher, H> core::fmt::Debug for BrowserTool<L, H> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("BrowserTool").field("book", &self.book).finish_non_exhaustive()
    }
}

impl<L: Launcher, H: Host + Clone> Surface for BrowserTool<L, H> {
    fn registry(&self) -> &Registry {
        &self.registry
    }

    async fn call(&self, call: &ToolCall) -> ToolResult {
        let done = if call.name == schema::NAME {
            match schema::check(&schema::TOOL, &call.arguments) {
                Ok(args) => self.run(&args).await,
                Err(failure) => Err(failure.into()),
            }
        } else {
            let message =
                format!("there is no tool named {}; the tool is browser", quoted(&call.name, 60));
            Err(Failure::new("unknown_tool", Phase::Validate, Retry::Never, message).into())
        };
        let nonce = || self.engine.host().nonce();
        match done {
            Ok(report) => {
                let dialogs = self.dialogs(report.tab);
                report.result(&dialogs, nonce)
            }
            Err(failed) => {
                let dialogs = self.dialogs(failed.tab.as_ref().map(|(tab, _)| *tab));
                failed.result(&dialogs, nonce)
            }
        }
    }

    async fn dispose(&self) {
        self.end_browser().await;
    }
}

impl<L: Launcher, H: Host + Clone> BrowserTool<L, H> {
    /// The tool over browsers of this launcher. Nothing is started yet.
    ///
    /// # Panics
    /// Never: the descriptor is complete, which a test checks.
    pub fn new(launcher: L, host: H, policy: PolicyState) -> Self {
        let mut registry = Registry::default();
        let added = registry.add(&[schema::TOOL]);
        assert!(added.is_ok(), "the descriptor is complete: {added:?}");
        Self {
            launcher,
            engine: Engine::new(Slot::empty(), host, policy),
            registry,
            browser: RefCell::new(None),
            starting: Lane::default(),
            book: RefCell::default(),
        }
    }

    /// Changes policy and rules.
    pub fn change_policy(&self, change: impl FnOnce(&mut PolicyState)) {
        self.engine.change_policy(change);
    }

    fn dialogs(&self, tab: Option<TabId>) -> Vec<String> {
        tab.map(|tab| self.engine.take_dialogs(tab)).unwrap_or_default()
    }

    async fn run(&self, args: &Args) -> Result<Report, Failed> {
        match args.text("action").unwrap_or_default() {
            "doctor" => Ok(self.doctor(args).await?),
            "status" => Ok(self.status().await?),
            "start" => Ok(self.start().await?),
            "stop" => Ok(self.stop().await?),
            "tabs" => Ok(self.list_tabs().await?),
            "open" => self.open(args).await,
            "navigate" => self.navigate(args).await,
            "focus" => self.focus(args).await,
            "close" => self.close(args.text("targetId")).await,
            "act" => self.act(args).await,
            other => {
                let tab = self.tab(args.text("targetId")).await?;
                let _turn = self.engine.lane(tab.tab).enter().await;
                // It may have gone elsewhere while others had their turn.
                let now = self.info_of(tab.tab).await;
                let tab = now.map_err(|failure| self.failed(&tab, failure))?;
                let failed = |failure| self.failed(&tab, failure);
                let deadline = self.deadline(args, CALL_MS);
                let done = match other {
                    "snapshot" => self.snapshot(&tab, args, deadline).await,
                    "screenshot" => self.screenshot(&tab, args, deadline).await,
                    "requests" | "errors" => self.log(&tab, args, deadline).await,
                    "text" => self.prose(&tab, args, deadline).await,
                    _ => self.emulate(&tab, args, deadline).await,
                };
                done.map_err(failed)
            }
        }
    }

    fn failed(&self, tab: &TabInfo, failure: Failure) -> Failed {
        Failed { tab: Some((tab.tab, self.book.borrow().id(tab.tab))), failure }
    }

    /// When the call has to be done: the time it asks for, else the usual one.
    fn deadline(&self, args: &Args, usual_ms: u64) -> Millis {
        let asked = args.integer("timeoutMs").and_then(|ms| u64::try_from(ms).ok());
        self.engine.now().plus(asked.map_or(usual_ms, |ms| ms.clamp(500, 120_000)))
    }

    /// The tabs, each with its id.
    async fn tabs(&self) -> Result<Vec<TabInfo>, Failure> {
        let tabs = self.engine.tabs(self.engine.now().plus(CALL_MS)).await?;
        self.book.borrow_mut().note(&tabs);
        Ok(tabs)
    }

    /// The tab that a call names, or the one used last. Never starts a browser.
    async fn tab(&self, given: Option<&str>) -> Result<TabInfo, Failure> {
        let tabs = self.tabs_of_running().await?;
        let mut book = self.book.borrow_mut();
        let tab = book.find(given, &tabs)?;
        book.use_tab(tab.tab);
        Ok(tab)
    }

    /// A report about a tab.
    fn report(&self, tab: &TabInfo) -> Report {
        Report::of(tab.tab, &self.book.borrow().name(tab.tab))
    }

    /// The verdict over a read of a tab, and what happened in the browser up to now. Gives the deadline anew: waiting for a person
    /// does not eat the call's time.
    async fn clear_read(&self, tab: &TabInfo, deadline: Millis) -> Result<Millis, Failure> {
        let asked_at = self.engine.now();
        self.engine.clear(&schema::READ, identity(tab), None).await?;
        let deadline = deadline.plus(self.engine.now().0 - asked_at.0);
        let noted = self.engine.events(deadline).await;
        noted.map_err(|error| Failure::driver(Phase::Read, &error))?;
        Ok(deadline)
    }

    /// The permit for a write to a tab as a whole.
    async fn tab_write(&self, tab: &TabInfo) -> Result<TabWrite, Failure> {
        self.engine.tab_write(&schema::NAVIGATE, tab.tab, &origin_of(&tab.url)).await
    }

    /// The tab as it is now.
    async fn info_of(&self, tab: TabId) -> Result<TabInfo, Failure> {
        let found = self.tabs().await?.into_iter().find(|info| info.tab == tab);
        found.ok_or_else(|| Failure::driver(Phase::Route, &DriverError::TabGone))
    }

    /// A capture of a page that may be read: it may be another one than the call was judged for.
    async fn read(
        &self,
        tab: TabId,
        spec: CaptureSpec,
        deadline: Millis,
        phase: Phase,
    ) -> Result<Capture, Failure> {
        let capture = self.engine.capture(tab, spec, deadline).await;
        let capture = capture.map_err(|error| Failure::driver(phase, &error))?;
        let origin = origin_of(&capture.top().url);
        let shown = TargetIdentity { tab: Some(tab), origin, ..TargetIdentity::default() };
        match self.engine.refusal(&schema::READ, shown, None) {
            Some(refusal) => Err(refusal),
            None => Ok(capture),
        }
    }

    /// One op whose answer says no more than that it was done.
    async fn order(&self, op: Op, deadline: Millis) -> Result<Reply, Failure> {
        self.engine.ask(op, deadline, Phase::Dispatch).await
    }
}

/// What the Gatekeeper is asked about a tab as a whole.
fn identity(tab: &TabInfo) -> TargetIdentity {
    TargetIdentity { tab: Some(tab.tab), origin: origin_of(&tab.url), ..TargetIdentity::default() }
}
