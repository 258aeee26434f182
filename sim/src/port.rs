//! The sim's answer to every op.

use crate::world::{Arrived, Sleep, State, World};
use crate::{browser_tree, capture};
use backlot_core::page::{FrameId, TabId};
use backlot_core::port::{
    DriverError, EventKind, LoadState, Millis, NavigateTo, Navigated, Op, Port, Reply, SettleSpec,
    Settled,
};
use url::Url;

/// A connection to the simulated browser.
#[derive(Debug, Clone)]
pub struct SimPort {
    world: World,
}

impl SimPort {
    pub(crate) fn new(world: World) -> Self {
        Self { world }
    }

    fn with<R>(&self, run: impl FnOnce(&mut State) -> R) -> R {
        run(&mut self.world.state.borrow_mut())
    }

    async fn sleep_until(&self, moment: u64) {
        Sleep::new(&self.world.state, moment).await;
    }

    async fn navigate(&self, to: NavigateTo, deadline: Millis) -> Result<Reply, DriverError> {
        let target = to.permit.target();
        let is_judged = target.destination.as_deref() == Some(to.url.as_str())
            && target.tab.is_none_or(|tab| tab == to.tab);
        if !is_judged {
            return Err(refused("navigate", "the permit is for another target"));
        }
        let failed = |reason: String| DriverError::LoadFailed { url: to.url.clone(), reason };
        let url = Url::parse(&to.url).map_err(|error| failed(error.to_string()))?;
        let top = self.with(|state| Ok::<_, DriverError>(state.live_tab(to.tab)?.top))?;
        if let Some(navigated) = self.with(|state| state.navigate_to_fragment(top, &url)) {
            return Ok(Reply::Navigated(navigated));
        }
        let arrived = self.with(|state| {
            if let Some(tab) = state.tabs.get_mut(&to.tab) {
                tab.pending = None;
            }
            state.emit(to.tab, EventKind::NavigationStarted { frame: top });
            let arrived = state.arrive(&url);
            if arrived.is_err() {
                state.commit(to.tab, top, Arrived::failed(&url));
            }
            arrived
        })?;
        let start = self.with(|state| state.now);
        let there = start.saturating_add(arrived.latency_ms);
        if there > deadline.0 {
            self.sleep_until(deadline.0).await;
            return Err(DriverError::Deadline);
        }
        self.sleep_until(there).await;
        self.with(|state| state.live_tab(to.tab).map(drop))?;
        let rest = self.with(|state| state.commit(to.tab, top, arrived));
        let loaded = there.saturating_add(rest);
        self.sleep_until(loaded.min(deadline.0)).await;
        let load = if loaded > deadline.0 { LoadState::Interactive } else { LoadState::Complete };
        self.with(|state| {
            state.live_tab(to.tab)?;
            let page = state.pages.get(&top).ok_or(DriverError::TabGone)?;
            let (url, document) = (page.url.to_string(), page.document);
            Ok(Reply::Navigated(Navigated { url, document, load }))
        })
    }

    /// Waits for quiet; a navigation that the page started is carried out when its time has come.
    async fn settle(&self, tab: TabId, spec: SettleSpec) -> Result<Reply, DriverError> {
        let start = self.with(|state| state.now);
        let mut cap = start + u64::from(spec.cap_ms);
        let load_cap = start + u64::from(spec.load_ms);
        let quiet = loop {
            let (now, due) = self.with(|state| {
                let tab = state.live_tab(tab)?;
                let quiet_from = tab.changed_at.max(start);
                let rest =
                    (quiet_from + u64::from(spec.quiet_ms)).max(start + u64::from(spec.min_ms));
                let pending = tab.pending.as_ref().map(|pending| pending.at);
                Ok::<_, DriverError>((state.now, pending.map_or((rest, false), |at| (at, true))))
            })?;
            let (moment, is_navigation) = due;
            let limit = if is_navigation { load_cap } else { cap };
            if moment > limit {
                self.sleep_until(limit).await;
                break false;
            }
            if now < moment {
                self.sleep_until(moment).await;
            } else if is_navigation {
                self.with(|state| state.commit_pending(tab));
                cap = now + u64::from(spec.cap_ms);
            } else {
                break true;
            }
        };
        Ok(Reply::Settled(Settled {
            quiet,
            events: self.with(|state| state.events_since(spec.since)),
        }))
    }

    fn top(&self, tab: TabId) -> Result<FrameId, DriverError> {
        self.with(|state| Ok(state.live_tab(tab)?.top))
    }
}

pub(crate) fn refused(method: &str, reason: &str) -> DriverError {
    DriverError::Refused { method: method.into(), reason: reason.into() }
}

impl Port for SimPort {
    async fn call(&self, op: Op, deadline: Millis) -> Result<Reply, DriverError> {
        self.with(State::commit_due);
        match op {
            Op::Tabs => Ok(Reply::Tabs(self.with(|state| state.tab_infos()))),
            Op::OpenTab => self.with(|state| {
                let id = state.open_tab(None, "");
                let tab = state.live_tab(id)?;
                Ok(Reply::Tab(state.tab_info(id, tab)))
            }),
            Op::Navigate(to) => self.navigate(to, deadline).await,
            Op::Capture { tab, spec } => {
                let top = self.top(tab)?;
                Ok(Reply::Capture(self.with(|state| capture::capture(state, tab, top, &spec))))
            }
            Op::BrowserTree { tab } => {
                let top = self.top(tab)?;
                Ok(Reply::BrowserTree(self.with(|state| browser_tree::tree(state, top))))
            }
            Op::Settle { tab, spec } => self.settle(tab, spec).await,
            Op::Events { since } => Ok(Reply::Events(self.with(|state| state.events_since(since)))),
            Op::Dispatch(dispatch) => {
                Ok(Reply::Dispatched(self.with(|state| state.dispatch(&dispatch))))
            }
            Op::Probe { tab, node } => {
                self.top(tab)?;
                Ok(Reply::Probe(self.with(|state| state.probe(tab, node))))
            }
            Op::HitTest { tab, node, points } => {
                self.top(tab)?;
                Ok(Reply::Hit(self.with(|state| state.hit(node, &points))))
            }
            Op::Scroll { tab, what } => {
                Ok(Reply::Scrolled(self.with(|state| state.scroll(tab, &what))?))
            }
            op => Err(DriverError::Unsupported { op: op.name().into() }),
        }
    }
}
