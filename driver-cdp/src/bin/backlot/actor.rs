//! The browser's own thread. Core has no `Send` bound: it lives here and is reached through a channel.
//!
//! The browser starts at the first call. When its connection ends, everything that knew it is dropped, and the next call
//! starts afresh.

use crate::cli::McpArgs;
use backlot_core::action::{Failure, Phase, ToolResult};
use backlot_core::gatekeeper::PolicyState;
use backlot_core::port::DriverError;
use backlot_core::surface::Surface;
use backlot_core::surface::catalog::{Catalog, ToolCall};
use backlot_core::tool::Level;
use backlot_driver_cdp::{Approver, CdpBrowser, CdpPort, LaunchOptions, TokioHost};
use std::cell::Cell;
use std::rc::Rc;
use std::thread;
use tokio::sync::{Mutex, mpsc, oneshot};
use tokio::task::LocalSet;

/// What declines say until approvals are built.
const HOW_TO_ALLOW: &str = "nobody can be asked yet; the user can allow such calls by starting the server with \
                            `--policy auto`";

/// A call and where its result goes.
type Request = (ToolCall, oneshot::Sender<ToolResult>);

/// The way to the browser's thread.
#[derive(Debug, Clone)]
pub(crate) struct Actor {
    requests: mpsc::UnboundedSender<Request>,
}

/// The thread itself, to be waited for at the end.
pub(crate) struct Running {
    thread: thread::JoinHandle<()>,
    stop: oneshot::Sender<()>,
}

struct Browser {
    browser: CdpBrowser,
    catalog: Rc<Catalog<CdpPort, TokioHost>>,
}

struct Stage {
    args: McpArgs,
    /// Locked while a browser starts, so that two first calls start one.
    browser: Mutex<Option<Browser>>,
    /// A browser ended by itself, and no result told that another one runs now.
    restarted: Cell<bool>,
}

impl Actor {
    /// Starts the thread; no browser yet.
    pub(crate) fn start(args: McpArgs) -> anyhow::Result<(Self, Running)> {
        let (requests, inbox) = mpsc::unbounded_channel();
        let (stop, stopped) = oneshot::channel();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let thread = thread::Builder::new().name("browser".into()).spawn(move || {
            LocalSet::new().block_on(&runtime, run(args, inbox, stopped));
        })?;
        Ok((Self { requests }, Running { thread, stop }))
    }

    /// One call.
    pub(crate) async fn call(&self, call: ToolCall) -> ToolResult {
        let (answer, result) = oneshot::channel();
        // Both fail only once the thread has stopped.
        if self.requests.send((call, answer)).is_ok()
            && let Ok(result) = result.await
        {
            return result;
        }
        failed(&DriverError::ConnectionClosed)
    }
}

impl Running {
    /// Ends the browser and its thread.
    pub(crate) fn stop(self) {
        // The receiver is gone only if the thread has ended by itself.
        let _ = self.stop.send(());
        if self.thread.join().is_err() {
            eprintln!("backlot: the browser's thread ended with a panic");
        }
    }
}

async fn run(
    args: McpArgs,
    mut inbox: mpsc::UnboundedReceiver<Request>,
    mut stopped: oneshot::Receiver<()>,
) {
    let stage = Rc::new(Stage { args, browser: Mutex::new(None), restarted: Cell::new(false) });
    loop {
        tokio::select! {
            request = inbox.recv() => {
                let Some((call, answer)) = request else { break };
                let stage = Rc::clone(&stage);
                // Each call runs on its own: core's lanes keep the order within a tab, and what needs no tab never waits.
                tokio::task::spawn_local(async move {
                    // Nobody waits for the answer any more if the client is gone.
                    let _ = answer.send(stage.call(&call).await);
                });
            }
            _ = &mut stopped => break,
        }
    }
    stage.close().await;
}

impl Stage {
    async fn call(&self, call: &ToolCall) -> ToolResult {
        let catalog = match self.catalog().await {
            Ok(catalog) => catalog,
            Err(error) => return failed(&error),
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

    async fn catalog(&self) -> Result<Rc<Catalog<CdpPort, TokioHost>>, DriverError> {
        let mut browser = self.browser.lock().await;
        if let Some(running) = &*browser {
            return Ok(Rc::clone(&running.catalog));
        }
        let started = start(&self.args).await?;
        let catalog = Rc::clone(&started.catalog);
        *browser = Some(started);
        Ok(catalog)
    }

    /// The browser of this catalog is gone: the next call starts another one.
    async fn forget(&self, catalog: &Rc<Catalog<CdpPort, TokioHost>>) {
        let mut browser = self.browser.lock().await;
        if browser.as_ref().is_some_and(|running| Rc::ptr_eq(&running.catalog, catalog))
            && let Some(gone) = browser.take()
        {
            gone.browser.close().await;
            self.restarted.set(true);
        }
    }

    async fn close(&self) {
        if let Some(running) = self.browser.lock().await.take() {
            running.browser.close().await;
        }
    }
}

async fn start(args: &McpArgs) -> Result<Browser, DriverError> {
    let browser = match &args.cdp {
        Some(endpoint) => CdpBrowser::attach(endpoint).await?,
        None => {
            let options = LaunchOptions {
                program: args.chromium.clone(),
                headless: !args.headed,
                ..LaunchOptions::default()
            };
            CdpBrowser::launch(options).await?
        }
    };
    let host = TokioHost::new(Approver::Decline(HOW_TO_ALLOW.into()));
    let policy = PolicyState::new(args.policy.into());
    let catalog = Rc::new(Catalog::new(browser.port(), host, policy, levels(args)));
    Ok(Browser { browser, catalog })
}

/// The levels of the tools on offer.
pub(crate) fn levels(args: &McpArgs) -> &'static [Level] {
    if args.l2 { &[Level::L0, Level::L1, Level::L2] } else { &[Level::L0, Level::L1] }
}

/// A call that no browser could take.
fn failed(error: &DriverError) -> ToolResult {
    ToolResult::failure(&Failure::driver(Phase::Route, error))
}
