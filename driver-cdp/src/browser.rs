//! A browser: launched and ours to end, or attached to and left running.

use crate::clock;
use crate::events::Setup;
use crate::launch::{LaunchOptions, Process};
use crate::loopback;
use crate::ops::CdpPort;
use crate::oracle::{self, OracleNode};
use crate::session::Link;
use backlot_core::page::{Capture, TabId};
use backlot_core::port::DriverError;
use serde_json::{Value, json};
use std::path::Path;

/// Longest wait for an attached browser's answers while attaching, ms.
const ATTACH_MS: u64 = 10_000;

/// A connected browser.
pub struct CdpBrowser {
    link: Link,
    process: Option<Process>,
    version: String,
    is_headless: bool,
}

impl CdpBrowser {
    /// Launches a browser of our own in a fresh profile folder. It has no tab.
    ///
    /// # Errors
    /// [`DriverError::BrowserNotFound`] or [`DriverError::LaunchFailed`].
    pub async fn launch(options: LaunchOptions) -> Result<Self, DriverError> {
        let is_headless = options.headless;
        let process = Process::start(&options).await?;
        let setup = Setup {
            viewport: options.deterministic.then_some((1280, 720)),
            new_document_script: options.new_document_script,
            binding: options.binding,
            scripts_disabled: options.scripts_disabled,
            unwatched: options.headless,
            ..Setup::default()
        };
        let failed = |error: DriverError| DriverError::LaunchFailed { reason: error.to_string() };
        let link = Link::open(&process.endpoint, setup).await.map_err(failed)?;
        let version = version(&link).await.map_err(failed)?;
        Ok(Self { link, process: Some(process), version, is_headless })
    }

    /// Attaches to a running browser: `http://HOST:PORT` of its debugging endpoint, or its `ws:` URL. It and its tabs are
    /// left as they are at the end.
    ///
    /// # Errors
    /// [`DriverError::AttachFailed`].
    pub async fn attach(endpoint: &str) -> Result<Self, DriverError> {
        let failed = |reason| DriverError::AttachFailed { endpoint: endpoint.into(), reason };
        let socket = if endpoint.starts_with("ws:") || endpoint.starts_with("wss:") {
            endpoint.to_string()
        } else {
            let url = format!("{}/json/version", endpoint.trim_end_matches('/'));
            let deadline = clock::instant(clock::now().plus(ATTACH_MS));
            let body = tokio::time::timeout_at(deadline, loopback::get(&url)).await;
            let body = body.unwrap_or_else(|_| Err("no answer".into())).map_err(failed)?;
            let answer: Value =
                serde_json::from_slice(&body).map_err(|e| failed(format!("{url}: {e}")))?;
            answer["webSocketDebuggerUrl"]
                .as_str()
                .ok_or_else(|| failed(format!("{url} names no webSocketDebuggerUrl")))?
                .to_string()
        };
        let link = Link::open(&socket, Setup::default()).await?;
        let version = version(&link).await.map_err(|error| failed(error.to_string()))?;
        Ok(Self { link, process: None, version, is_headless: false })
    }

    /// Core's port on this browser.
    pub fn port(&self) -> CdpPort {
        CdpPort::new(self.link.clone())
    }

    /// Shows no window; false for a browser that was attached to, of which that is not known.
    pub fn is_headless(&self) -> bool {
        self.is_headless
    }

    /// Where a launched browser listens.
    pub(crate) fn endpoint(&self) -> &str {
        self.process.as_ref().map_or("", |process| &process.endpoint)
    }

    /// The connection.
    pub(crate) fn link(&self) -> &Link {
        &self.link
    }

    /// The browser's product and version, such as `Chrome/156.0.8078.114`.
    pub fn version(&self) -> &str {
        &self.version
    }

    /// The calls of [`LaunchOptions::binding`] since the last time, in order.
    pub fn binding_calls(&self) -> Vec<String> {
        take_binding_calls(&self.link)
    }

    /// Runs a script in the main world of a tab's top frame, for harnesses that change a page from outside. Tools never do.
    ///
    /// # Errors
    /// The tab is gone, the script threw ([`DriverError::Refused`] with its message), or there was no answer in 10 s.
    pub async fn run_page_script(&self, tab: TabId, script: &str) -> Result<(), DriverError> {
        run_page_script(&self.link, tab, script).await
    }

    /// The browser's own accessibility tree of the nodes of a capture, for harnesses that compare ours with it. `None` if the
    /// page has changed since the capture.
    ///
    /// # Errors
    /// The tab is gone, the browser refused, or there was no answer in 30 s.
    pub async fn oracle_tree(
        &self,
        capture: &Capture,
    ) -> Result<Option<Vec<OracleNode>>, DriverError> {
        oracle::tree(&self.link, capture).await
    }

    /// Process number of a launched browser.
    pub fn pid(&self) -> Option<u32> {
        self.process.as_ref().map(Process::pid)
    }

    /// Profile folder of a launched browser.
    pub fn profile(&self) -> Option<&Path> {
        self.process.as_ref().map(Process::profile)
    }

    /// Ends a launched browser and removes its profile; lets go of an attached one.
    pub async fn close(self) {
        if let Some(process) = self.process {
            let deadline = clock::now().plus(2_000);
            // A browser that is gone already cannot be asked to go.
            let _ = self.link.browser("Browser.close", json!({}), deadline).await;
            process.end().await;
        }
        self.link.close();
    }
}

/// The calls of the binding since the last time, in order.
pub(crate) fn take_binding_calls(link: &Link) -> Vec<String> {
    std::mem::take(&mut link.book().binding_calls)
}

/// Runs a script in the main world of a tab's top frame.
pub(crate) async fn run_page_script(
    link: &Link,
    tab: TabId,
    script: &str,
) -> Result<(), DriverError> {
    let deadline = clock::now().plus(ATTACH_MS);
    let method = "Runtime.evaluate";
    let answer = link.tab(tab, method, json!({ "expression": script }), deadline).await?;
    match answer["exceptionDetails"]["exception"]["description"].as_str() {
        Some(reason) => Err(DriverError::Refused { method: method.into(), reason: reason.into() }),
        None => Ok(()),
    }
}

async fn version(link: &Link) -> Result<String, DriverError> {
    let deadline = clock::now().plus(ATTACH_MS);
    let answer = link.browser("Browser.getVersion", json!({}), deadline).await?;
    Ok(answer["product"].as_str().unwrap_or_default().to_string())
}
