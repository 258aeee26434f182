//! The toolkit of seed 002: six tools over sessions, pages and code bodies.
//!
//! Every result is an envelope: `{ok: true, …}`, or `{ok: false, error}` for what the model can do something about. What it cannot,
//! a host that is not set up and the domain policy, is an error of the protocol.

mod act;
mod ask;
mod diff;
mod domains;
mod door;
mod envelope;
mod exec;
mod find;
mod glob;
mod input;
pub mod limits;
mod page;
mod render;
mod session;
mod status;
mod tools;
mod tree;
mod wait;

pub use domains::DomainPolicy;
pub use door::{
    Action, CallError, CodeEnd, CodeRunner, LoadWait, OptionWish, PageCall, PageDoor, PointerAct,
    Query, Shot, WaitState,
};
pub use tools::TOOLS;

use crate::action::{Engine, Failure, ToolResult};
use crate::gatekeeper::{Destination, PolicyState};
use crate::port::{Browser, Host, Launcher, Op, Reply};
use crate::surface::Surface;
use crate::text::header_piece;
use crate::tool::{Args, Registry, ToolCall};
use alloc::{
    collections::BTreeMap,
    format,
    rc::Rc,
    string::{String, ToString},
    vec::Vec,
};
use core::cell::RefCell;
use envelope::Bad;
use serde_json::{Map, Value};
use session::Session;

type SessionOf<L, H> = Session<<L as Launcher>::Browser, H>;

/// The toolkit for one client.
pub struct Toolkit<L: Launcher, H, R> {
    launcher: L,
    host: H,
    runner: R,
    policy: PolicyState,
    domains: DomainPolicy,
    registry: Registry,
    sessions: RefCell<BTreeMap<String, Rc<SessionOf<L, H>>>>,
}

/// What a tool gives: its payload, and a picture where one was asked for.
type Payload = (Map<String, Value>, Option<crate::port::Image>);

impl<L, H, R> Toolkit<L, H, R>
where
    L: Launcher,
    H: Host + Clone + 'static,
    R: CodeRunner,
    L::Browser: 'static,
    <L::Browser as Browser>::Port: 'static,
{
    /// The six tools over browsers of this launcher; code bodies run in `runner`.
    ///
    /// # Panics
    /// Never: the toolkit's own descriptors are complete, which a test checks.
    pub fn new(
        launcher: L,
        host: H,
        runner: R,
        policy: PolicyState,
        domains: DomainPolicy,
    ) -> Self {
        let mut registry = Registry::default();
        let added = registry.add(TOOLS);
        assert!(added.is_ok(), "the toolkit's descriptors are complete: {added:?}");
        let sessions = RefCell::new(BTreeMap::new());
        Self { launcher, host, runner, policy, domains, registry, sessions }
    }

    async fn run(&self, name: &str, args: &Args) -> Result<Payload, Bad> {
        let payload = match name {
            "browser_open" => self.open(args).await?,
            "browser_connect" => self.connect(args).await?,
            "browser_status" => self.status(args).await?,
            "browser_close" => self.close(args).await?,
            "browser_exec" => self.exec(args).await?,
            _ => return self.snapshot(args).await,
        };
        Ok((payload, None))
    }

    /// Opens a session and, where a URL is given, loads it.
    async fn open(&self, args: &Args) -> Result<Map<String, Value>, Bad> {
        let url = args.text("url").map(str::trim).filter(|url| !url.is_empty());
        let destination = match url.map(Destination::parse) {
            None => None,
            Some(Ok(destination)) => Some(destination),
            Some(Err(bad)) => {
                return Err(Bad::told(
                    "invalid_arguments",
                    format!(
                        "Could not navigate: {} is an Invalid URL ({bad}); give a full https:// URL, or leave url out and load a page \
                         in browser_exec with await page.goto(...)",
                        header_piece(url.unwrap_or_default(), 200)
                    ),
                ));
            }
        };
        if let Some(refusal) = destination.as_ref().and_then(|to| self.domains.refusal(to.url())) {
            return Err(Bad::thrown("domain_policy", refusal));
        }
        self.check_room()?;
        let deadline = self.host.now().plus(limits::LAUNCH_MS);
        let browser = self.launcher.launch(deadline).await;
        let browser = browser.map_err(|error| Bad::thrown(error.code(), error.to_string()))?;
        let browser = self.with_room(browser).await?;
        let session = self.enter(browser, "local");
        match self.first_page(&session, destination.as_ref()).await {
            Ok(()) => Ok(named(&session)),
            Err(bad) => {
                self.leave(&session).await;
                Err(bad)
            }
        }
    }

    async fn first_page(
        &self,
        session: &SessionOf<L, H>,
        destination: Option<&Destination>,
    ) -> Result<(), Bad> {
        session.look_at_tabs().await?;
        if session.pages.borrow().current().is_none() {
            let deadline = self.host.now().plus(limits::STATUS_MS);
            let opened =
                session.engine.ask(Op::OpenTab, deadline, crate::action::Phase::Route).await;
            match opened {
                Ok(Reply::Tab(_)) => session.look_at_tabs().await?,
                Ok(_) => return Err(Bad::thrown("driver_fault", "the browser opened no page")),
                Err(failure) => return Err(session.lost(&failure)),
            }
        }
        let Some(destination) = destination else { return Ok(()) };
        let tab = session.tab(None)?.tab;
        let loaded = session.engine.load(&tools::OPEN, tab, destination, limits::OPEN_MS).await;
        let gone = |failure: &Failure| {
            Bad::failed(failure, "the session was closed: call browser_open again")
        };
        let loaded = loaded.map_err(|failure| gone(&failure))?;
        self.check_domains(session, loaded.since).await
    }

    async fn connect(&self, args: &Args) -> Result<Map<String, Value>, Bad> {
        let endpoint = args.text("cdpUrl").unwrap_or_default().trim().to_string();
        self.check_room()?;
        let deadline = self.host.now().plus(limits::LAUNCH_MS);
        let browser = self.launcher.connect(&endpoint, deadline).await;
        let browser = browser.map_err(|error| {
            Bad::told(
                error.code(),
                format!(
                    "Could not connect to {}: {error}; check that a browser with remote debugging listens there and that the URL is its \
                     websocket URL",
                    header_piece(&endpoint, 200)
                ),
            )
        })?;
        let browser = self.with_room(browser).await?;
        let session = self.enter(browser, "attached");
        let looked = session.look_at_tabs().await;
        let shown = self.shown_refusal(&session);
        match (looked, shown) {
            (Ok(()), None) => Ok(named(&session)),
            (Err(bad), _) => {
                self.leave(&session).await;
                Err(bad)
            }
            (_, Some(refusal)) => {
                self.leave(&session).await;
                Err(Bad::thrown("domain_policy", refusal))
            }
        }
    }

    /// Why a page that is open already may not be shown.
    fn shown_refusal(&self, session: &SessionOf<L, H>) -> Option<String> {
        let pages = session.pages.borrow();
        pages.tabs.iter().find_map(|tab| self.domains.refusal(&tab.url))
    }

    fn check_room(&self) -> Result<(), Bad> {
        if self.sessions.borrow().len() < limits::SESSIONS_MAX {
            return Ok(());
        }
        Err(Bad::told(
            "too_many_sessions",
            format!(
                "{} sessions are open, and no more can be; close one with browser_close (browser_status lists them)",
                limits::SESSIONS_MAX
            ),
        ))
    }

    /// Other calls may have taken the room while the browser started.
    async fn with_room(&self, browser: L::Browser) -> Result<L::Browser, Bad> {
        match self.check_room() {
            Ok(()) => Ok(browser),
            Err(full) => {
                browser.close().await;
                Err(full)
            }
        }
    }

    fn enter(&self, browser: L::Browser, provider: &'static str) -> Rc<SessionOf<L, H>> {
        let id = loop {
            let id = format!("ses-{:04x}", self.host.nonce() & 0xffff);
            if !self.sessions.borrow().contains_key(&id) {
                break id;
            }
        };
        let session = Rc::new(Session {
            id: id.clone(),
            provider,
            engine: Engine::new(browser.port(), self.host.clone(), self.policy.clone()),
            browser: RefCell::new(Some(browser)),
            lane: crate::lane::Lane::default(),
            pages: RefCell::default(),
        });
        self.sessions.borrow_mut().insert(id, Rc::clone(&session));
        session
    }

    /// Forgets a session, then ends or lets go of its browser. Never waits for a page.
    async fn leave(&self, session: &SessionOf<L, H>) {
        self.sessions.borrow_mut().remove(&session.id);
        let browser = session.browser.borrow_mut().take();
        if let Some(browser) = browser {
            browser.close().await;
        }
    }

    async fn close(&self, args: &Args) -> Result<Map<String, Value>, Bad> {
        let session = self.session(args)?;
        self.leave(&session).await;
        Ok(Map::new())
    }

    fn session(&self, args: &Args) -> Result<Rc<SessionOf<L, H>>, Bad> {
        let id = args.text("sessionId").unwrap_or_default();
        let found = self.sessions.borrow().get(id).cloned();
        found.ok_or_else(|| {
            Bad::told(
                "unknown_session",
                format!(
                    "there is no session {}; browser_status without arguments lists those that are open, browser_open opens one",
                    header_piece(id, 60)
                ),
            )
        })
    }
}

fn named<B: Browser, H>(session: &Session<B, H>) -> Map<String, Value> {
    let mut payload = Map::new();
    payload.insert("sessionId".into(), session.id.clone().into());
    payload
}

impl<L, H, R> Surface for Toolkit<L, H, R>
where
    L: Launcher,
    H: Host + Clone + 'static,
    R: CodeRunner,
    L::Browser: 'static,
    <L::Browser as Browser>::Port: 'static,
{
    fn registry(&self) -> &Registry {
        &self.registry
    }

    async fn call(&self, call: &ToolCall) -> ToolResult {
        let Some(tool) = self.registry.get(&call.name) else {
            return envelope::failure(Bad::told(
                "unknown_tool",
                format!("there is no tool named {}; list the tools", header_piece(&call.name, 60)),
            ));
        };
        let args = match Args::check(tool, &call.arguments) {
            Ok(args) => args,
            Err(bad) => return envelope::failure(Bad::told("invalid_arguments", bad.to_string())),
        };
        match self.run(tool.name, &args).await {
            Ok((payload, image)) => envelope::success(payload, image),
            Err(bad) => envelope::failure(bad),
        }
    }

    async fn dispose(&self) {
        let open: Vec<Rc<SessionOf<L, H>>> = self.sessions.borrow().values().cloned().collect();
        for session in open {
            self.leave(&session).await;
        }
    }
}
