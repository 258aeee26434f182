//! The live arm: Chromium under the text-metrics profile, with the site on loopback.

use super::{Arm, Setup};
use crate::command::CommandError;
use backlot_core::page::{Capture, TabId};
use backlot_core::port::DriverError;
use backlot_driver_cdp::{
    Approver, CdpBrowser, CdpPort, EVENT_LOG_BINDING, EVENT_LOG_SCRIPT, LaunchOptions,
    LoopbackServer, OracleNode, TokioHost,
};
use backlot_fixtures::{Mutation, font_config};
use std::future::Future;
use tokio::runtime::{Builder, Runtime};
use tokio::task::LocalSet;

pub(crate) struct CdpArm {
    runtime: Runtime,
    tasks: LocalSet,
    browser: Option<CdpBrowser>,
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
        let started = tasks.block_on(&runtime, start(setup));
        let (server, browser) = started?;
        Ok(Self {
            runtime,
            tasks,
            browser: Some(browser),
            declines: setup.declines,
            _server: server,
        })
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
        // Taken only when the arm is dropped.
        self.browser.as_ref().expect("the browser runs as long as its arm")
    }
}

async fn start(setup: &Setup<'_>) -> Result<(LoopbackServer, CdpBrowser), CommandError> {
    let server = LoopbackServer::start(Some(setup.site.folder().to_owned()))
        .await
        .map_err(|error| CommandError::Failed(format!("no loopback server: {error}")))?;
    let options = LaunchOptions {
        deterministic: true,
        scripts_disabled: !setup.scripts,
        extra_args: vec![format!("--host-resolver-rules=MAP *.test 127.0.0.1:{}", server.port())],
        env: vec![("FONTCONFIG_FILE".into(), font_config().to_string_lossy().into_owned())],
        new_document_script: setup.events.then(|| EVENT_LOG_SCRIPT.to_owned()),
        binding: setup.events.then(|| EVENT_LOG_BINDING.to_owned()),
        ..LaunchOptions::default()
    };
    let browser = CdpBrowser::launch(options).await.map_err(|error| match error {
        DriverError::BrowserNotFound { looked_at } => CommandError::NoBrowser(looked_at),
        other => CommandError::Failed(other.to_string()),
    })?;
    Ok((server, browser))
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
        self.browser().binding_calls()
    }

    fn mutate(&self, tab: TabId, mutation: &Mutation) -> Result<(), String> {
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
        self.block_on(self.browser().run_page_script(tab, &script))
            .map_err(|error| error.to_string())
    }

    fn version(&self) -> Option<String> {
        Some(self.browser().version().to_owned())
    }
}
