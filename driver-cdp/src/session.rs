//! The one session layer: attaches to every tab and child frame, gives each command a deadline, and keeps the [`Book`].

use crate::book::{Book, Life};
use crate::clock;
use crate::events::{self, Setup};
use crate::transport::{self, CommandError, RawEvent, Sink, Wire};
use backlot_core::page::TabId;
use backlot_core::port::{DriverError, Millis};
use serde_json::{Value, json};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::Notify;

/// A connection to a browser; clones share it.
#[derive(Clone)]
pub(crate) struct Link {
    wire: Wire,
    shared: Arc<Shared>,
}

struct Shared {
    book: Mutex<Book>,
    changed: Notify,
    secret_type: String,
}

impl Shared {
    fn book(&self) -> MutexGuard<'_, Book> {
        // A panic while the book was held leaves counters and maps, each of them whole.
        self.book.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

struct Keeper {
    shared: Arc<Shared>,
    setup: Setup,
}

impl Sink for Keeper {
    fn event(&mut self, wire: &Wire, event: RawEvent) {
        let lost = events::take(&mut self.shared.book(), wire, &self.setup, &event);
        self.shared.changed.notify_waiters();
        if let Some(tab) = lost {
            tokio::spawn(settle_end(self.shared.clone(), wire.clone(), tab));
        }
    }

    fn closed(&mut self) {
        self.shared.book().closed = true;
        self.shared.changed.notify_waiters();
    }
}

/// Decides whether a tab whose session ended is closed or only detached: its target is told to be destroyed some time after the
/// session ended, but the browser knows at once.
async fn settle_end(shared: Arc<Shared>, wire: Wire, tab: TabId) {
    let target = shared.book().tabs.get(&tab).map(|tab| tab.target.clone());
    let answer = wire.send("Target.getTargetInfo", None, json!({ "targetId": target })).await;
    let life = match answer {
        Ok(Ok(_)) => Life::Detached,
        Ok(Err(CommandError::Refused(_))) => Life::Closed,
        // The connection's own end says more.
        Ok(Err(CommandError::Closed | CommandError::SessionEnded)) | Err(_) => return,
    };
    events::lost(&mut shared.book(), &wire, tab, life);
    shared.changed.notify_waiters();
}

impl Link {
    /// Connects to a browser and attaches to all its tabs, now and later.
    pub(crate) async fn open(endpoint: &str, mut setup: Setup) -> Result<Self, DriverError> {
        let attach_failed =
            |reason| DriverError::AttachFailed { endpoint: endpoint.into(), reason };
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes).map_err(|e| attach_failed(e.to_string()))?;
        let secret_type = format!("backlot-{:032x}", u128::from_le_bytes(bytes));
        setup.secret_type.clone_from(&secret_type);
        let changed = Notify::new();
        let shared = Arc::new(Shared { book: Mutex::default(), changed, secret_type });
        let keeper = Keeper { shared: shared.clone(), setup };
        let wire = transport::connect(endpoint, keeper).await.map_err(attach_failed)?;
        let link = Self { wire, shared };
        let deadline = clock::now().plus(10_000);
        let discover = json!({ "discover": true, "filter": events::PAGES.clone() });
        link.browser("Target.setDiscoverTargets", discover, deadline).await?;
        link.browser("Target.setAutoAttach", events::auto_attach(&events::PAGES), deadline).await?;
        Ok(link)
    }

    /// The book. Never held over a wait.
    pub(crate) fn book(&self) -> MutexGuard<'_, Book> {
        self.shared.book()
    }

    /// The event type that our worlds talk through.
    pub(crate) fn secret_type(&self) -> &str {
        &self.shared.secret_type
    }

    /// Ends the connection.
    pub(crate) fn close(&self) {
        self.wire.close();
    }

    /// Sends a command to the browser itself.
    pub(crate) async fn browser(
        &self,
        method: &'static str,
        params: Value,
        deadline: Millis,
    ) -> Result<Value, DriverError> {
        self.command(method, None, params, deadline).await.map_err(|error| match error {
            Failed::Deadline => DriverError::Deadline,
            Failed::Command(CommandError::Refused(reason)) => refused(method, reason),
            Failed::Command(_) => DriverError::ConnectionClosed,
        })
    }

    /// Sends a command to a tab's root session.
    pub(crate) async fn tab(
        &self,
        tab: TabId,
        method: &'static str,
        params: Value,
        deadline: Millis,
    ) -> Result<Value, DriverError> {
        let session = self.session(tab, deadline).await?;
        match self.command(method, Some(&session), params, deadline).await {
            Ok(value) => Ok(value),
            Err(Failed::Deadline) => Err(DriverError::Deadline),
            Err(Failed::Command(CommandError::Closed)) => Err(DriverError::ConnectionClosed),
            Err(Failed::Command(CommandError::SessionEnded)) => {
                Err(self.why_ended(tab, &session, deadline).await)
            }
            // The session is gone, and the browser noticed before we did.
            Err(Failed::Command(CommandError::Refused(reason)))
                if reason.contains("Session with given id not found") =>
            {
                Err(self.why_ended(tab, &session, deadline).await)
            }
            Err(Failed::Command(CommandError::Refused(reason))) => Err(refused(method, reason)),
        }
    }

    /// Waits until the book answers, at most until the deadline.
    pub(crate) async fn until<T>(
        &self,
        deadline: Millis,
        mut ask: impl FnMut(&mut Book) -> Option<T>,
    ) -> Option<T> {
        loop {
            let changed = self.shared.changed.notified();
            tokio::pin!(changed);
            changed.as_mut().enable();
            if let Some(answer) = ask(&mut self.book()) {
                return Some(answer);
            }
            tokio::time::timeout_at(clock::instant(deadline), changed).await.ok()?;
        }
    }

    async fn session(&self, tab: TabId, deadline: Millis) -> Result<String, DriverError> {
        self.until(deadline, |book| match book.tab(tab) {
            Ok(tab) => tab.session.clone().map(Ok),
            Err(error) => Some(Err(error)),
        })
        .await
        .unwrap_or(Err(DriverError::Deadline))
    }

    async fn command(
        &self,
        method: &'static str,
        session: Option<&str>,
        params: Value,
        deadline: Millis,
    ) -> Result<Value, Failed> {
        let answer = self.wire.send(method, session, params);
        match tokio::time::timeout_at(clock::instant(deadline), answer).await {
            Err(_) => Err(Failed::Deadline),
            Ok(Err(_)) => Err(Failed::Command(CommandError::Closed)),
            Ok(Ok(answer)) => answer.map_err(Failed::Command),
        }
    }

    /// Why a tab's session ended.
    async fn why_ended(&self, tab: TabId, session: &str, deadline: Millis) -> DriverError {
        let ended = self.until(deadline, |book| match book.tab(tab) {
            // Attached again meanwhile.
            Ok(tab) if tab.session.as_deref().is_some_and(|now| now != session) => {
                Some(DriverError::Detached)
            }
            Ok(_) => None,
            Err(error) => Some(error),
        });
        let ended = ended.await;
        ended.unwrap_or(DriverError::Deadline)
    }
}

enum Failed {
    Deadline,
    Command(CommandError),
}

fn refused(method: &str, reason: String) -> DriverError {
    DriverError::Refused { method: method.into(), reason }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{CdpBrowser, LaunchOptions};
    use backlot_core::page::CaptureSpec;
    use backlot_core::port::{Op, Port, Reply, Seq, SettleSpec};

    /// What an op that is waiting ends with when this command is given.
    async fn interrupted_by(method: &'static str, params: fn(&str, &str) -> Value) -> DriverError {
        let browser = CdpBrowser::launch(LaunchOptions::default()).await.unwrap();
        let port = browser.port();
        let Ok(Reply::Tab(tab)) = port.call(Op::OpenTab, clock::now().plus(10_000)).await else {
            panic!("no tab")
        };
        let tab = tab.tab;
        let link = browser.link();
        let (target, session) = {
            let book = link.book();
            let state = book.tab(tab).unwrap();
            (state.target.clone(), state.session.clone().unwrap())
        };
        let spec = SettleSpec {
            since: Seq(0),
            min_ms: 60_000,
            quiet_ms: 0,
            cap_ms: 60_000,
            load_ms: 60_000,
        };
        let waiting = port.call(Op::Settle { tab, spec }, clock::now().plus(60_000));
        let deadline = clock::now().plus(5_000);
        let interrupting = link.browser(method, params(&target, &session), deadline);
        let start = clock::now();
        let (ended, _) = tokio::join!(waiting, interrupting);
        assert!(clock::now() < start.plus(3_000));
        let spec = CaptureSpec::TEXT;
        let after = port.call(Op::Capture { tab, spec }, clock::now().plus(5_000)).await;
        assert_eq!(after.err(), ended.clone().err());
        browser.close().await;
        ended.unwrap_err()
    }

    #[tokio::test]
    async fn a_closed_tab_is_gone() {
        let params = |target: &str, _: &str| json!({ "targetId": target });
        assert_eq!(interrupted_by("Target.closeTarget", params).await, DriverError::TabGone);
    }

    #[tokio::test]
    async fn a_detached_tab_says_so() {
        let params = |_: &str, session: &str| json!({ "sessionId": session });
        let ended = interrupted_by("Target.detachFromTarget", params).await;
        assert_eq!(ended, DriverError::Detached);
    }
}
