//! Waits of code bodies.

use super::door::{CallError, LoadWait, WaitState};
use super::find::strict;
use super::glob::Glob;
use super::limits;
use super::page::{SessionDoor, error, timed_out};
use crate::action::Phase;
use crate::locate::{Locator, Patterns};
use crate::page::NodeKey;
use crate::port::{Browser, Host, LogEntry, LogKind, Millis, Op, ReadyState, Reply, TabInfo};
use alloc::string::String;
use serde_json::Value;

impl<B: Browser, H: Host> SessionDoor<B, H> {
    pub(super) async fn wait_for(
        &self,
        page: &str,
        locator: &Locator,
        state: WaitState,
        patterns: &dyn Patterns,
        timeout: u64,
    ) -> Result<Value, CallError> {
        let until = self.until(timeout);
        loop {
            let tab = self.tab(page)?;
            let seen = self.see(tab.tab, locator, patterns, until).await?;
            let holds = match (&seen.found[..], state) {
                ([], WaitState::Detached | WaitState::Hidden) => true,
                ([], WaitState::Attached | WaitState::Visible) => false,
                ([_], WaitState::Attached) => true,
                ([_], WaitState::Detached) => false,
                ([at], WaitState::Visible | WaitState::Hidden) => {
                    let node = seen.capture.top().key(*at);
                    let is_visible = self.is_visible(&tab, node, until).await?;
                    is_visible == (state == WaitState::Visible)
                }
                (several, _) => return Err(strict(&seen.capture, several)),
            };
            if holds {
                return Ok(Value::Null);
            }
            if self.session.engine.now() >= until {
                let word = match state {
                    WaitState::Attached => "attached",
                    WaitState::Detached => "detached",
                    WaitState::Visible => "visible",
                    WaitState::Hidden => "hidden",
                };
                return Err(timed_out(alloc::format!(
                    "what the locator finds has not become {word} in time"
                )));
            }
            self.pause(until).await;
        }
    }

    /// It has a box and is not invisible.
    pub(super) async fn is_visible(
        &self,
        tab: &TabInfo,
        node: NodeKey,
        until: Millis,
    ) -> Result<bool, CallError> {
        let deadline = until.max(self.session.engine.now().plus(limits::STATUS_MS));
        let op = Op::Probe { tab: tab.tab, node };
        match self.op(op, deadline, Phase::Read).await? {
            Reply::Probe(Some(probe)) => Ok(probe.rendered
                && probe.rect.has_area()
                && probe.style.visibility == crate::page::Visibility::Visible),
            _ => Ok(false),
        }
    }

    pub(super) async fn wait_for_url(
        &self,
        page: &str,
        wanted: (Option<String>, Option<(String, String)>),
        wait: LoadWait,
        patterns: &dyn Patterns,
        timeout: u64,
    ) -> Result<Value, CallError> {
        let until = self.until(timeout);
        let (glob, pattern) = wanted;
        let wrong = |why: String| error("invalid_pattern", why);
        let glob = glob.map(|glob| Glob::new(&glob)).transpose().map_err(wrong)?;
        loop {
            self.look_at_tabs().await?;
            let url = self.tab(page)?.url;
            let fits = match (&glob, &pattern) {
                (_, Some((source, flags))) => patterns.finds(source, flags, &url).map_err(wrong)?,
                (Some(glob), None) => glob.fits(&url).map_err(wrong)?,
                (None, None) => true,
            };
            if fits {
                return self.wait_for_load(page, wait, until).await;
            }
            if self.session.engine.now() >= until {
                return Err(timed_out(alloc::format!(
                    "the page's URL has not become that in time; it is {}",
                    crate::text::url_piece(&url)
                )));
            }
            self.pause(until).await;
        }
    }

    pub(super) async fn wait_for_load(
        &self,
        page: &str,
        wanted: LoadWait,
        until: Millis,
    ) -> Result<Value, CallError> {
        let mut idle_since: Option<Millis> = None;
        loop {
            self.look_at_tabs().await?;
            let tab = self.tab(page)?;
            let now = self.session.engine.now();
            let is_loaded = match wanted {
                LoadWait::Commit => true,
                LoadWait::DomContentLoaded => tab.ready != ReadyState::Loading,
                LoadWait::Load | LoadWait::NetworkIdle => tab.ready == ReadyState::Complete,
            };
            let is_idle = match wanted {
                LoadWait::NetworkIdle if is_loaded => {
                    let open = self.has_open_requests(&tab).await?;
                    idle_since = if open { None } else { idle_since.or(Some(now)) };
                    idle_since.is_some_and(|since| now >= since.plus(limits::NETWORK_IDLE_MS))
                }
                LoadWait::NetworkIdle => false,
                LoadWait::Commit | LoadWait::DomContentLoaded | LoadWait::Load => true,
            };
            if is_loaded && is_idle {
                return Ok(Value::Null);
            }
            if now >= until {
                return Err(timed_out("the page has not loaded that far in time"));
            }
            self.pause(until).await;
        }
    }

    async fn has_open_requests(&self, tab: &TabInfo) -> Result<bool, CallError> {
        let op = Op::Log { tab: tab.tab, kind: LogKind::Requests, clear: false };
        let deadline = self.session.engine.now().plus(limits::STATUS_MS);
        let Reply::Log(log) = self.op(op, deadline, Phase::Read).await? else { return Ok(false) };
        Ok(log
            .entries
            .iter()
            .any(|entry| matches!(entry, LogEntry::Request { status: None, failure: None, .. })))
    }
}
