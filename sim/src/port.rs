//! The sim's answer to every op.

use crate::dom::Dom;
use crate::world::{Arrived, BrowserId, Sleep, State, TabState, World};
use crate::{browser_tree, capture};
use backlot_core::page::{FrameId, NodeKey, TabId};
use backlot_core::port::{
    DriverError, Emulation, EventKind, HistoryGo, LoadState, LogKind, Millis, NavigateTo,
    Navigated, Op, Port, Reply, SettleSpec, Settled, TabWrite,
};
use url::Url;

/// A connection to the simulated browser.
#[derive(Debug, Clone)]
pub struct SimPort {
    world: World,
    browser: BrowserId,
}

impl SimPort {
    pub(crate) fn new(world: World, browser: BrowserId) -> Self {
        Self { world, browser }
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
        self.load(to.tab, url, deadline).await
    }

    /// Loads a URL into the top frame, as far as time goes.
    async fn load(&self, tab: TabId, url: Url, deadline: Millis) -> Result<Reply, DriverError> {
        let top = self.with(|state| Ok::<_, DriverError>(state.live_tab(tab)?.top))?;
        if let Some(navigated) = self.with(|state| state.navigate_to_fragment(top, &url)) {
            return Ok(Reply::Navigated(navigated));
        }
        let arrived = self.with(|state| {
            if let Some(tab) = state.tabs.get_mut(&tab) {
                tab.pending.clear();
            }
            state.emit(tab, EventKind::NavigationStarted { frame: top });
            let downloads = state.downloads.len();
            let arrived = state.arrive(tab, &url, None);
            let is_download = state.downloads.len() > downloads;
            if let (Err(error), false) = (&arrived, is_download) {
                state.commit(tab, top, Arrived::failed(&url, error));
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
        self.with(|state| state.live_tab(tab).map(drop))?;
        let rest = self.with(|state| state.commit(tab, top, arrived));
        let loaded = there.saturating_add(rest);
        self.sleep_until(loaded.min(deadline.0)).await;
        let load = if loaded > deadline.0 { LoadState::Interactive } else { LoadState::Complete };
        self.with(|state| {
            state.live_tab(tab)?;
            let page = state.pages.get(&top).ok_or(DriverError::TabGone)?;
            let (url, document) = (page.url.to_string(), page.document);
            Ok(Reply::Navigated(Navigated { url, document, load }))
        })
    }

    async fn history(
        &self,
        go: HistoryGo,
        write: TabWrite,
        deadline: Millis,
    ) -> Result<Reply, DriverError> {
        let tab = write.tab;
        check_permit(&write, "history")?;
        let (at, url, urls) = self.with(|state| {
            state.live_tab(tab)?;
            let (at, url) = state.history_entry(tab, go).ok_or(DriverError::NoHistory)?;
            let urls = state.tabs.get(&tab).map(|tab| tab.history.0.clone()).unwrap_or_default();
            Ok((at, url, urls))
        })?;
        let ended = self.load(tab, url, deadline).await;
        self.with(|state| {
            if let Some(tab) = state.tabs.get_mut(&tab) {
                tab.history = (urls, at);
            }
        });
        ended
    }

    fn emulate(&self, what: Emulation, write: &TabWrite) -> Result<Reply, DriverError> {
        check_permit(write, "emulate")?;
        let top = self.top(write.tab)?;
        let size = |(width, height): (u32, u32)| (width as f32, height as f32);
        self.with(|state| {
            match what {
                Emulation::Viewport { width, height } => {
                    state.set_viewport(write.tab, top, size((width, height)));
                }
                Emulation::Device(device) => {
                    state.set_viewport(write.tab, top, size(device.viewport));
                }
                Emulation::ColorScheme(scheme) => {
                    state.set_dark(write.tab, scheme.as_deref() == Some("dark"));
                }
                Emulation::Timezone(zone) if !is_zone(&zone) => {
                    return Err(refused("Emulation.setTimezoneOverride", "Invalid timezone id"));
                }
                // No script asks for either.
                Emulation::Timezone(_) | Emulation::Locale(_) => {}
            }
            Ok(Reply::Emulated)
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
                let pending = tab.pending.iter().map(|pending| pending.at).min();
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
            events: self.with(|state| state.events_since(self.browser, spec.since)),
        }))
    }

    fn top(&self, tab: TabId) -> Result<FrameId, DriverError> {
        self.with(|state| Ok(state.live_tab(tab)?.top))
    }
}

pub(crate) fn refused(method: &str, reason: &str) -> DriverError {
    DriverError::Refused { method: method.into(), reason: reason.into() }
}

fn check_permit(write: &TabWrite, op: &str) -> Result<(), DriverError> {
    if write.permit.target().tab == Some(write.tab) {
        return Ok(());
    }
    Err(refused(op, "the permit is for another tab"))
}

/// Whether a word looks like an IANA time zone: the sim keeps no list of them.
fn is_zone(word: &str) -> bool {
    const AREAS: &[&str] = &[
        "Africa",
        "America",
        "Antarctica",
        "Arctic",
        "Asia",
        "Atlantic",
        "Australia",
        "Etc",
        "Europe",
        "Indian",
        "Pacific",
    ];
    matches!(word, "UTC" | "GMT")
        || word
            .split_once('/')
            .is_some_and(|(area, place)| AREAS.contains(&area) && !place.is_empty())
}

impl Port for SimPort {
    async fn call(&self, op: Op, deadline: Millis) -> Result<Reply, DriverError> {
        self.with(State::commit_due);
        match op {
            Op::Tabs => Ok(Reply::Tabs(self.with(|state| state.tab_infos(self.browser)))),
            Op::OpenTab => self.with(|state| {
                let id = state.open_tab(self.browser, None, "");
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
            Op::Events { since } => {
                Ok(Reply::Events(self.with(|state| state.events_since(self.browser, since))))
            }
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
            Op::CloseTab(write) => {
                check_permit(&write, "close_tab")?;
                self.with(|state| match state.tabs.get(&write.tab).map(|tab| tab.state) {
                    None | Some(TabState::Closed) => Err(DriverError::TabGone),
                    Some(TabState::Live | TabState::Crashed) => {
                        state.end_tab(write.tab, TabState::Closed, EventKind::TabClosed);
                        Ok(Reply::Closed)
                    }
                })
            }
            Op::ActivateTab(write) => {
                check_permit(&write, "activate_tab")?;
                self.top(write.tab)?;
                self.with(|state| {
                    state.hide_tabs(self.browser);
                    if let Some(tab) = state.tabs.get_mut(&write.tab) {
                        tab.visible = true;
                    }
                });
                Ok(Reply::Activated)
            }
            Op::History { go, write } => self.history(go, write, deadline).await,
            Op::Emulate { what, write } => self.emulate(what, &write),
            Op::Log { tab, kind, clear } => self.with(|state| {
                let tab = state.tabs.get_mut(&tab).ok_or(DriverError::TabGone)?;
                Ok(Reply::Log(match kind {
                    LogKind::Requests => tab.requests.page(clear),
                    LogKind::Errors => tab.errors.page(clear),
                    LogKind::Console => tab.console.page(clear),
                }))
            }),
            Op::Html { tab } => {
                let top = self.top(tab)?;
                let html = self.with(|state| {
                    let dom = &state.pages.get(&top)?.dom;
                    Some(dom.html(Dom::DOCUMENT, &|id| capture::is_secret(dom, id)))
                });
                Ok(Reply::Html(html.unwrap_or_default()))
            }
            Op::Cookies { tab } => {
                let top = self.top(tab)?;
                Ok(Reply::Cookies(self.with(|state| {
                    let Some(page) = state.pages.get(&top) else { return Vec::new() };
                    let jar = state.jars.get(&self.browser);
                    let mut cookies =
                        jar.map(|jar| jar.of(&page.url, state.now)).unwrap_or_default();
                    cookies.sort_by(|a, b| a.name.cmp(&b.name));
                    cookies
                })))
            }
            Op::NodeAt { tab, point } => {
                let top = self.top(tab)?;
                Ok(Reply::NodeAt(self.with(|state| {
                    let page = state.pages.get(&top)?;
                    let node = page.element_at(point)?;
                    Some(NodeKey { document: page.document, node })
                })))
            }
            op @ (Op::Evaluate(_) | Op::Screenshot { .. }) => {
                Err(DriverError::Unsupported { op: op.name().into() })
            }
        }
    }
}
