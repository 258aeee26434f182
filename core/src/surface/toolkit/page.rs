//! What stands behind a code body's door: one session, judged and guarded step by step.

use super::domains::DomainPolicy;
use super::door::{CallError, LoadWait, PageCall, PageDoor};
use super::envelope::with_detail;
use super::session::Session;
use super::{limits, tools};
use crate::action::{Failure, Loaded, Phase, wrong_reply};
use crate::gatekeeper::{Destination, origin_of};
use crate::locate::{Locator, Patterns};
use crate::page::TabId;
use crate::port::{
    Browser, Emulation, Evaluate, HistoryGo, Host, Image, ImageFormat, LogEntry, LogKind, Millis,
    Op, Reply, ScreenshotArea, ScreenshotSpec, ScriptArgument, ScriptEnd, TabInfo,
};
use crate::text::header_piece;
use alloc::{
    format,
    rc::Rc,
    string::{String, ToString},
    vec::Vec,
};
use serde_json::{Value, json};

/// The door of one code body.
pub(super) struct SessionDoor<B: Browser, H> {
    pub(super) session: Rc<Session<B, H>>,
    pub(super) domains: DomainPolicy,
    page: String,
    /// When the body must be done.
    pub(super) deadline: Millis,
}

type Answer = Result<Value, CallError>;

impl<B: Browser, H: Host> SessionDoor<B, H> {
    pub(super) fn new(
        session: Rc<Session<B, H>>,
        domains: DomainPolicy,
        tab: TabId,
        deadline: Millis,
    ) -> Self {
        let page = session.page_id(tab);
        Self { session, domains, page, deadline }
    }

    /// The tab of a page id.
    pub(super) fn tab(&self, page: &str) -> Result<TabInfo, CallError> {
        let pages = self.session.pages.borrow();
        pages.by_id(page).cloned().ok_or_else(|| {
            error("tab_gone", "the page is closed; browser_status tells which pages are open")
        })
    }

    /// The end of a call that may take so long, within that of the body.
    pub(super) fn until(&self, timeout: u64) -> Millis {
        self.session.engine.now().plus(timeout).min(self.deadline)
    }

    pub(super) async fn look_at_tabs(&self) -> Result<(), CallError> {
        let deadline = self.session.engine.now().plus(limits::STATUS_MS);
        let tabs = self.session.engine.tabs(deadline).await.map_err(|failure| failed(&failure))?;
        self.session.take_tabs(tabs);
        Ok(())
    }

    async fn page_call(&self, call: PageCall, patterns: &dyn Patterns) -> Answer {
        match call {
            PageCall::Pages => Ok(json!(self.pages())),
            PageCall::NewPage => self.new_page().await,
            PageCall::Cookies => self.cookies().await,
            PageCall::Goto { page, url, wait_until, timeout } => {
                self.goto(&page, &url, wait_until, timeout).await
            }
            PageCall::Reload { page, wait_until, timeout } => {
                self.history(&page, HistoryGo::Reload, wait_until, timeout).await
            }
            PageCall::GoBack { page, wait_until, timeout } => {
                self.history(&page, HistoryGo::Back, wait_until, timeout).await
            }
            PageCall::GoForward { page, wait_until, timeout } => {
                self.history(&page, HistoryGo::Forward, wait_until, timeout).await
            }
            PageCall::Title { page } => self.title(&page).await,
            PageCall::Url { page } => Ok(self.tab(&page)?.url.into()),
            PageCall::Content { page } => self.content(&page).await,
            PageCall::SetViewportSize { page, width, height } => {
                self.set_viewport(&page, width, height).await
            }
            PageCall::ClosePage { page } => self.close_page(&page).await,
            PageCall::BringToFront { page } => {
                let (tab, write) = self.tab_write(&page).await?;
                let deadline = self.until(limits::STATUS_MS);
                self.op(Op::ActivateTab(write), deadline, Phase::Dispatch).await?;
                drop(tab);
                Ok(Value::Null)
            }
            PageCall::Evaluate { page, source, is_function, argument, locator, timeout } => {
                let script = Script { source, is_function, argument };
                self.evaluate(&page, script, locator.as_ref(), patterns, timeout).await
            }
            PageCall::WaitForUrl { page, glob, pattern, wait_until, timeout } => {
                let wanted = (glob, pattern);
                self.wait_for_url(&page, wanted, wait_until, patterns, timeout).await
            }
            PageCall::WaitForLoadState { page, state, timeout } => {
                self.wait_for_load(&page, state, self.until(timeout)).await
            }
            PageCall::Sleep { ms } => {
                self.session.engine.host().sleep_until(self.until(ms)).await;
                Ok(Value::Null)
            }
            PageCall::Keyboard { page, strokes, delay } => {
                self.keyboard(&page, strokes, delay).await
            }
            PageCall::Mouse { page, x, y, act } => self.mouse(&page, (x, y), act).await,
            PageCall::Screenshot { page, shot, locator, timeout } => {
                let area = match &locator {
                    Some(locator) => {
                        let until = self.until(timeout);
                        self.box_of(&page, locator, patterns, until)
                            .await
                            .map(ScreenshotArea::Box)?
                    }
                    None if shot.full_page => ScreenshotArea::Page,
                    None => ScreenshotArea::Viewport,
                };
                self.screenshot(&page, area, shot.jpeg_quality, timeout).await
            }
            PageCall::Act { page, locator, action, timeout } => {
                self.act(&page, &locator, action, patterns, timeout).await
            }
            PageCall::Query { page, locator, query, timeout } => {
                self.query(&page, &locator, &query, patterns, timeout).await
            }
            PageCall::WaitFor { page, locator, state, timeout } => {
                self.wait_for(&page, &locator, state, patterns, timeout).await
            }
        }
    }

    async fn new_page(&self) -> Answer {
        let deadline = self.until(limits::STATUS_MS);
        let Reply::Tab(tab) = self.op(Op::OpenTab, deadline, Phase::Route).await? else {
            return Err(failed(&wrong_reply(Phase::Route)));
        };
        self.look_at_tabs().await?;
        Ok(self.session.page_id(tab.tab).into())
    }

    async fn cookies(&self) -> Answer {
        let tab = self.tab(&self.page)?;
        let deadline = self.until(limits::STATUS_MS);
        match self.op(Op::Cookies { tab: tab.tab }, deadline, Phase::Read).await? {
            Reply::Cookies(cookies) => Ok(json!(cookies)),
            _ => Err(failed(&wrong_reply(Phase::Read))),
        }
    }

    async fn goto(&self, page: &str, url: &str, wait: LoadWait, timeout: u64) -> Answer {
        let tab = self.tab(page)?;
        let destination = Destination::parse(url).map_err(|bad| {
            let url = header_piece(url, 200);
            error(
                "invalid_arguments",
                format!("{url} is no absolute URL ({bad}); give a full https:// URL"),
            )
        })?;
        if let Some(refusal) = self.domains.refusal(destination.url()) {
            return Err(error("domain_policy", refusal));
        }
        let until = self.until(timeout);
        let engine = &self.session.engine;
        let room = until.0.saturating_sub(engine.now().0);
        let loaded = engine.load(&tools::EXEC_LOAD, tab.tab, &destination, room).await;
        self.loaded(page, loaded.map_err(|failure| failed(&failure))?, wait, until).await
    }

    async fn history(&self, page: &str, go: HistoryGo, wait: LoadWait, timeout: u64) -> Answer {
        let tab = self.tab(page)?;
        let until = self.until(timeout);
        let engine = &self.session.engine;
        let room = until.0.saturating_sub(engine.now().0);
        let origin = origin_of(&tab.url);
        match engine.go(&tools::EXEC_LOAD, tab.tab, (go, &origin), room).await {
            Ok(loaded) => self.loaded(page, loaded, wait, until).await,
            Err(failure) if failure.code == "no_history" => Ok(Value::Null),
            Err(failure) => Err(failed(&failure)),
        }
    }

    /// `{url, status}` once the load has come as far as asked.
    async fn loaded(&self, page: &str, loaded: Loaded, wait: LoadWait, until: Millis) -> Answer {
        self.look_at_tabs().await?;
        if !loaded.is_complete() && matches!(wait, LoadWait::Load | LoadWait::NetworkIdle) {
            return Err(timed_out("the page's load event has not fired in time"));
        }
        if wait == LoadWait::NetworkIdle {
            self.wait_for_load(page, wait, until).await?;
        }
        let tab = self.tab(page)?;
        let status = self.document_status(tab.tab, &loaded.navigated.url).await;
        Ok(json!({ "url": loaded.navigated.url, "status": status }))
    }

    /// Status of the last answer for a document of this URL.
    async fn document_status(&self, tab: TabId, url: &str) -> Option<u16> {
        let deadline = self.until(limits::STATUS_MS);
        let op = Op::Log { tab, kind: LogKind::Requests, clear: false };
        let Ok(Reply::Log(log)) = self.op(op, deadline, Phase::Read).await else { return None };
        let without_fragment = url.split('#').next().unwrap_or_default();
        log.entries.iter().rev().find_map(|entry| match entry {
            LogEntry::Request { url, resource_type, status, .. }
                if resource_type == "document" && url == without_fragment =>
            {
                *status
            }
            _ => None,
        })
    }

    async fn title(&self, page: &str) -> Answer {
        let tab = self.tab(page)?;
        let deadline = self.until(limits::STATUS_MS);
        let spec = crate::page::CaptureSpec { styles: false, ..crate::page::CaptureSpec::TEXT };
        let captured = self.session.engine.capture(tab.tab, spec, deadline).await;
        let capture = captured.map_err(|error| failed(&Failure::driver(Phase::Read, &error)))?;
        Ok(capture.top().title.clone().into())
    }

    async fn content(&self, page: &str) -> Answer {
        let tab = self.tab(page)?;
        let deadline = self.until(limits::STATUS_MS);
        match self.op(Op::Html { tab: tab.tab }, deadline, Phase::Read).await? {
            Reply::Html(html) => Ok(html.into()),
            _ => Err(failed(&wrong_reply(Phase::Read))),
        }
    }

    async fn set_viewport(&self, page: &str, width: u32, height: u32) -> Answer {
        let (_, write) = self.tab_write(page).await?;
        let what = Emulation::Viewport { width, height };
        let deadline = self.until(limits::STATUS_MS);
        self.op(Op::Emulate { what, write }, deadline, Phase::Dispatch).await?;
        self.look_at_tabs().await?;
        Ok(Value::Null)
    }

    async fn close_page(&self, page: &str) -> Answer {
        let (_, write) = self.tab_write(page).await?;
        let deadline = self.until(limits::STATUS_MS);
        self.op(Op::CloseTab(write), deadline, Phase::Dispatch).await?;
        self.look_at_tabs().await?;
        Ok(Value::Null)
    }

    async fn tab_write(&self, page: &str) -> Result<(TabInfo, crate::port::TabWrite), CallError> {
        let tab = self.tab(page)?;
        let origin = origin_of(&tab.url);
        let engine = &self.session.engine;
        let write = engine
            .tab_write(&tools::EXEC_LOAD, tab.tab, &origin)
            .await
            .map_err(|failure| failed(&failure))?;
        Ok((tab, write))
    }

    async fn evaluate(
        &self,
        page: &str,
        script: Script,
        locator: Option<&Locator>,
        patterns: &dyn Patterns,
        timeout: u64,
    ) -> Answer {
        let tab = self.tab(page)?;
        let until = self.until(timeout);
        let mut arguments = Vec::new();
        if let Some(locator) = locator {
            let found = self.find_one(&tab, locator, patterns, until).await?;
            arguments.push(ScriptArgument::Node(found.entry.key));
        }
        let argument = script.argument.map_or(ScriptArgument::Undefined, ScriptArgument::Json);
        arguments.push(argument);
        let origin = origin_of(&tab.url);
        let write = self.session.engine.tab_write(&tools::EXEC, tab.tab, &origin);
        let permit = write.await.map_err(|failure| failed(&failure))?.permit;
        let arguments = script.is_function.then_some(arguments);
        let op = Op::Evaluate(Evaluate { tab: tab.tab, source: script.source, arguments, permit });
        let ended = self.op(op, until, Phase::Dispatch).await?;
        self.look_at_tabs().await?;
        match ended {
            Reply::Evaluated(ScriptEnd::Value(Some(value))) => Ok(json!({ "value": value })),
            Reply::Evaluated(ScriptEnd::Value(None)) => Ok(json!({})),
            Reply::Evaluated(ScriptEnd::Threw(thrown)) => Err(error("script_threw", thrown)),
            Reply::Evaluated(ScriptEnd::Lost(crate::port::DriverError::Deadline)) => Err(
                timed_out("the script did not end in time; it may still be running in the page"),
            ),
            Reply::Evaluated(ScriptEnd::Lost(why)) => Err(error(
                why.code(),
                format!(
                    "Execution context was destroyed, most likely because of a navigation ({why})"
                ),
            )),
            _ => Err(failed(&wrong_reply(Phase::Dispatch))),
        }
    }

    async fn screenshot(
        &self,
        page: &str,
        area: ScreenshotArea,
        jpeg: Option<u8>,
        timeout: u64,
    ) -> Answer {
        let tab = self.tab(page)?;
        let format = jpeg.map_or(ImageFormat::Png, ImageFormat::Jpeg);
        let spec = ScreenshotSpec { area, format, labels: Vec::new() };
        let op = Op::Screenshot { tab: tab.tab, spec };
        match self.op(op, self.until(timeout), Phase::Read).await? {
            Reply::Screenshot(Image { base64, mime_type, .. }) => {
                Ok(json!({ "base64": base64, "mimeType": mime_type }))
            }
            _ => Err(failed(&wrong_reply(Phase::Read))),
        }
    }

    pub(super) async fn op(
        &self,
        op: Op,
        deadline: Millis,
        phase: Phase,
    ) -> Result<Reply, CallError> {
        self.session.engine.ask(op, deadline, phase).await.map_err(|failure| failed(&failure))
    }
}

struct Script {
    source: String,
    is_function: bool,
    argument: Option<Value>,
}

pub(super) fn error(code: &str, message: impl Into<String>) -> CallError {
    CallError { code: code.into(), message: message.into(), is_timeout: false }
}

pub(super) fn timed_out(message: impl Into<String>) -> CallError {
    CallError { is_timeout: true, ..error("timeout", message) }
}

/// A failure of the act path, as the body is told of it.
pub(super) fn failed(failure: &Failure) -> CallError {
    let is_timeout = failure.code == "timeout";
    CallError { code: failure.code.to_string(), message: with_detail(failure, ""), is_timeout }
}

impl<B: Browser, H: Host> PageDoor for SessionDoor<B, H> {
    async fn call(&self, call: PageCall, patterns: &dyn Patterns) -> Answer {
        if self.session.engine.now() >= self.deadline {
            return Err(timed_out("the time for this code is over; do less in one call"));
        }
        self.page_call(call, patterns).await
    }

    fn page(&self) -> &str {
        &self.page
    }

    fn pages(&self) -> Vec<String> {
        let pages = self.session.pages.borrow();
        pages.tabs.iter().map(|tab| pages.id_of(tab.tab).to_string()).collect()
    }

    fn url(&self, page: &str) -> String {
        let pages = self.session.pages.borrow();
        pages.by_id(page).map(|tab| tab.url.clone()).unwrap_or_default()
    }

    fn viewport(&self, page: &str) -> Option<(u32, u32)> {
        self.session.pages.borrow().by_id(page)?.viewport
    }

    fn version(&self) -> String {
        let browser = self.session.browser.borrow();
        let version = browser.as_ref().map(|browser| browser.info().version).unwrap_or_default();
        version.rsplit('/').next().unwrap_or_default().into()
    }

    fn now(&self) -> Millis {
        self.session.engine.now()
    }

    async fn sleep_until(&self, moment: Millis) {
        self.session.engine.host().sleep_until(moment).await;
    }
}
