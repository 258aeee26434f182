//! The browser's own thread. Core has no `Send` bound: it lives here and is reached through a channel.
//!
//! The browser starts at the first call. When its connection ends, everything that knew it is dropped, and the next call
//! starts afresh.

use crate::cli::McpArgs;
use crate::stage::Stage;
use backlot_core::action::{Failure, Phase, ToolResult};
use backlot_core::port::DriverError;
use backlot_core::tool::ToolCall;
use std::rc::Rc;
use std::thread;
use tokio::sync::{mpsc, oneshot};
use tokio::task::LocalSet;

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
        let error = DriverError::ConnectionClosed;
        ToolResult::failure(&Failure::driver(Phase::Route, &error))
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
    let stage = Rc::new(Stage::new(&args));
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
