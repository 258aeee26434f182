//! The live arm: Chromium under the text-metrics profile, with the site on loopback.

use super::{Arm, Setup};
use crate::command::CommandError;
use crate::fault::FaultAt;
use backlot_core::page::{Capture, TabId};
use backlot_core::port::{DriverError, Host, Launcher};
use backlot_driver_cdp::{
    Approver, CdpBrowser, CdpLauncher, CdpPort, EVENT_LOG_BINDING, EVENT_LOG_MOVES,
    EVENT_LOG_SCRIPT, LaunchOptions, LoopbackServer, OracleNode, TokioHost,
};
use backlot_fixtures::{Mutation, font_config};
use std::cell::OnceCell;
use std::future::Future;
use tokio::runtime::{Builder, Runtime};
use tokio::task::LocalSet;

/// Longest start of a browser, ms.
const LAUNCH_MS: u64 = 30_000;

pub(crate) struct CdpArm {
    runtime: Runtime,
    tasks: LocalSet,
    launcher: CdpLauncher,
    /// Started when it is first asked for: some surfaces have none but those that they open.
    browser: OnceCell<CdpBrowser>,
    declines: bool,
    _server: LoopbackServer,
}

impl CdpArm {
    pub(crate) fn start(setup: &Setup<'_>) -> Result<Self, CommandError> {
        let runtime = Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(|error| CommandError::Failed(format!("no runtime: {error}")))?;
        let tasks = LocalSet::new();
        let server = tasks
            .block_on(&runtime, LoopbackServer::start(Some(setup.site.folder().to_owned())))
            .map_err(|error| CommandError::Failed(format!("no loopback server: {error}")))?;
        let arm = Self {
            runtime,
            tasks,
            launcher: CdpLauncher::new(options(setup, server.port())),
            browser: OnceCell::new(),
            declines: setup.declines,
            _server: server,
        };
        if setup.own_browser {
            let started = arm.block_on(arm.launcher.launch(arm.host().now().plus(LAUNCH_MS)));
            let browser = started.map_err(|error| match error {
                DriverError::BrowserNotFound { looked_at } => CommandError::NoBrowser(looked_at),
                other => CommandError::Failed(other.to_string()),
            })?;
            let _ = arm.browser.set(browser);
        }
        Ok(arm)
    }

    /// The browser's own tree of the nodes of a capture; `None` if the page has changed since.
    pub(crate) fn oracle_tree(
        &self,
        capture: &Capture,
    ) -> Result<Option<Vec<OracleNode>>, CommandError> {
        self.block_on(self.browser().oracle_tree(capture))
            .map_err(|error| CommandError::Failed(error.to_string()))
    }

    fn browser(&self) -> &CdpBrowser {
        self.browser.get().expect("an arm whose port is used was set up with a browser of its own")
    }
}

fn options(setup: &Setup<'_>, port: u16) -> LaunchOptions {
    LaunchOptions {
        deterministic: true,
        scripts_disabled: !setup.scripts,
        extra_args: vec![format!("--host-resolver-rules=MAP *.test 127.0.0.1:{port}")],
        env: vec![("FONTCONFIG_FILE".into(), font_config().to_string_lossy().into_owned())],
        new_document_script: setup.events.then(|| {
            let moves = if setup.moves { EVENT_LOG_MOVES } else { "" };
            format!("{moves}{EVENT_LOG_SCRIPT}")
        }),
        binding: setup.events.then(|| EVENT_LOG_BINDING.to_owned()),
        ..LaunchOptions::default()
    }
}

impl Drop for CdpArm {
    fn drop(&mut self) {
        if let Some(browser) = self.browser.take() {
            self.tasks.block_on(&self.runtime, browser.close());
        }
    }
}

impl Arm for CdpArm {
    type Port = CdpPort;
    type Host = TokioHost;
    type Browser = CdpBrowser;
    type Launcher = CdpLauncher;

    fn launcher(&self) -> CdpLauncher {
        self.launcher.clone()
    }

    fn port(&self) -> CdpPort {
        self.browser().port()
    }

    fn host(&self) -> TokioHost {
        TokioHost::new(match self.declines {
            true => Approver::Decline("the case declines".into()),
            false => Approver::Accept,
        })
    }

    fn block_on<F: Future>(&self, future: F) -> F::Output {
        self.tasks.block_on(&self.runtime, future)
    }

    fn take_events(&self) -> Vec<String> {
        self.launcher.binding_calls()
    }

    fn mutate(&self, tab: Option<TabId>, mutation: &Mutation) -> Result<(), String> {
        let script = format!(
            "(() => {{ const found = document.querySelectorAll({selector});
            if (found.length !== 1) throw new Error({selector} + ' does not match one element');
            const e = found[0];
            for (const [name, value] of Object.entries({attributes})) e.setAttribute(name, value);
            if ({text} !== null) e.textContent = {text};
            if ({remove}) e.remove(); }})()",
            selector = serde_json::json!(mutation.selector),
            attributes = serde_json::json!(mutation.attributes),
            text = serde_json::json!(mutation.text),
            remove = mutation.remove,
        );
        self.block_on(self.launcher.run_page_script(tab, &script))
            .map_err(|error| error.to_string())
    }

    fn plan(&self, faults: &[FaultAt]) -> Result<(), String> {
        match faults.is_empty() {
            true => Ok(()),
            false => Err("faults fall in the simulated browser only".into()),
        }
    }

    fn version(&self) -> Option<String> {
        self.browser.get().map(|browser| browser.version().to_owned())
    }
}
