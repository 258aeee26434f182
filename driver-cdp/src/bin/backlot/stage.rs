//! The tool set that a server serves, with the browsers behind it.

use crate::cli::{McpArgs, SurfaceName};
use backlot_core::action::{Failure, Phase, ToolResult};
use backlot_core::gatekeeper::PolicyState;
use backlot_core::port::{DriverError, Launcher, Millis};
use backlot_core::surface::Surface;
use backlot_core::surface::browser::BrowserTool;
use backlot_core::surface::catalog::Catalog;
use backlot_core::surface::toolkit::{DomainPolicy, Toolkit};
use backlot_core::tool::{Level, ToolCall};
use backlot_driver_cdp::{Approver, CdpBrowser, CdpLauncher, CdpPort, LaunchOptions, TokioHost};
use backlot_exec::Runner;
use std::cell::Cell;
use std::rc::Rc;
use tokio::sync::Mutex;

/// What declines say until approvals are built.
const HOW_TO_ALLOW: &str = "nobody can be asked yet; the user can allow such calls by starting the server with \
                            `--policy auto`";

/// One tool set for one client.
pub(crate) enum Stage {
    /// Over one browser, which starts at the first call.
    Catalog(Box<CatalogStage>),
    /// Its sessions have a browser each.
    Toolkit(Box<Toolkit<Browsers, TokioHost, Runner>>),
    /// It starts and stops its browser itself.
    Browser(Box<BrowserTool<Browsers, TokioHost>>),
}

impl Stage {
    pub(crate) fn new(args: &McpArgs) -> Self {
        let policy = PolicyState::new(args.policy.into());
        match args.surface {
            SurfaceName::Catalog => Self::Catalog(Box::new(CatalogStage::new(args.clone()))),
            SurfaceName::Toolkit => {
                let allowed = args.allowed_domain.clone();
                let domains = DomainPolicy {
                    allowed: (!allowed.is_empty()).then_some(allowed),
                    blocked: args.blocked_domain.clone(),
                };
                let (browsers, runner) = (Browsers::new(args), Runner::default());
                Self::Toolkit(Box::new(Toolkit::new(browsers, host(), runner, policy, domains)))
            }
            SurfaceName::Browser => {
                Self::Browser(Box::new(BrowserTool::new(Browsers::new(args), host(), policy)))
            }
        }
    }

    pub(crate) async fn call(&self, call: &ToolCall) -> ToolResult {
        match self {
            Self::Catalog(stage) => stage.call(call).await,
            Self::Toolkit(tools) => tools.call(call).await,
            Self::Browser(tool) => tool.call(call).await,
        }
    }

    /// Ends what was opened.
    pub(crate) async fn close(&self) {
        match self {
            Self::Catalog(stage) => stage.close().await,
            Self::Toolkit(tools) => tools.dispose().await,
            Self::Browser(tool) => tool.dispose().await,
        }
    }
}

fn host() -> TokioHost {
    TokioHost::new(Approver::Decline(HOW_TO_ALLOW.into()))
}

/// The browsers of this server: launched ones, or the one that it was told to attach to.
pub(crate) struct Browsers {
    launcher: CdpLauncher,
    endpoint: Option<String>,
}

impl Browsers {
    fn new(args: &McpArgs) -> Self {
        let options = LaunchOptions {
            program: args.chromium.clone(),
            headless: !args.headed,
            ..LaunchOptions::default()
        };
        Self { launcher: CdpLauncher::new(options), endpoint: args.cdp.clone() }
    }
}

impl Launcher for Browsers {
    type Browser = CdpBrowser;

    async fn launch(&self, deadline: Millis) -> Result<CdpBrowser, DriverError> {
        match &self.endpoint {
            Some(endpoint) => self.launcher.connect(endpoint, deadline).await,
            None => self.launcher.launch(deadline).await,
        }
    }

    async fn connect(&self, endpoint: &str, deadline: Millis) -> Result<CdpBrowser, DriverError> {
        self.launcher.connect(endpoint, deadline).await
    }
}

type CdpCatalog = Catalog<CdpPort, TokioHost>;

struct Running {
    browser: CdpBrowser,
    catalog: Rc<CdpCatalog>,
}

/// The catalog over a browser that is started again when it has ended.
pub(crate) struct CatalogStage {
    args: McpArgs,
    browsers: Browsers,
    /// Locked while a browser starts, so that two first calls start one.
    running: Mutex<Option<Running>>,
    /// A browser ended by itself, and no result told that another one runs now.
    restarted: Cell<bool>,
}

impl CatalogStage {
    fn new(args: McpArgs) -> Self {
        let browsers = Browsers::new(&args);
        Self { args, browsers, running: Mutex::new(None), restarted: Cell::new(false) }
    }

    async fn call(&self, call: &ToolCall) -> ToolResult {
        let catalog = match self.catalog().await {
            Ok(catalog) => catalog,
            // A call that no browser could take.
            Err(error) => return ToolResult::failure(&Failure::driver(Phase::Route, &error)),
        };
        let mut result = catalog.call(call).await;
        if self.restarted.replace(false) {
            result
                .text
                .push_str("\nnote: the browser had ended and was started again; its tabs are new");
        }
        if result.is_error && result.details["code"] == "connection_closed" {
            self.forget(&catalog).await;
        }
        result
    }

    async fn catalog(&self) -> Result<Rc<CdpCatalog>, DriverError> {
        let mut running = self.running.lock().await;
        if let Some(running) = &*running {
            return Ok(Rc::clone(&running.catalog));
        }
        let host = host();
        let deadline = backlot_core::port::Host::now(&host).plus(START_MS);
        let browser = self.browsers.launch(deadline).await?;
        let policy = PolicyState::new(self.args.policy.into());
        let catalog = Catalog::new(browser.port(), host, policy, levels(&self.args));
        let catalog = Rc::new(catalog);
        *running = Some(Running { browser, catalog: Rc::clone(&catalog) });
        Ok(catalog)
    }

    /// The browser of this catalog is gone: the next call starts another one.
    async fn forget(&self, catalog: &Rc<CdpCatalog>) {
        let mut running = self.running.lock().await;
        if running.as_ref().is_some_and(|running| Rc::ptr_eq(&running.catalog, catalog))
            && let Some(gone) = running.take()
        {
            gone.browser.close().await;
            self.restarted.set(true);
        }
    }

    async fn close(&self) {
        if let Some(running) = self.running.lock().await.take() {
            running.browser.close().await;
        }
    }
}

/// Longest start of a browser, ms.
const START_MS: u64 = 60_000;

/// The levels of the catalog's tools on offer.
pub(crate) fn levels(args: &McpArgs) -> &'static [Level] {
    if args.l2 { &[Level::L0, Level::L1, Level::L2] } else { &[Level::L0, Level::L1] }
}
