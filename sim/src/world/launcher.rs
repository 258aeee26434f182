//! Browsers of a world, for surfaces that open and close them.

use super::{BrowserId, TabState, World};
use crate::port::SimPort;
use backlot_core::page::TabId;
use backlot_core::port::{Browser, BrowserInfo, DriverError, EventKind, Launcher, Millis};

/// Opens browsers in one world: tabs of their own, one network and clock.
#[derive(Debug, Clone)]
pub struct SimLauncher {
    world: World,
}

/// A browser of a world.
#[derive(Debug, Clone)]
pub struct SimBrowser {
    world: World,
    id: BrowserId,
    is_owned: bool,
}

impl World {
    /// Opens browsers. [`World::port`] is that of a browser that was there before; it can be attached to at
    /// [`SimLauncher::ENDPOINT`].
    pub fn launcher(&self) -> SimLauncher {
        SimLauncher { world: self.clone() }
    }
}

impl SimLauncher {
    /// Where the world's first browser can be attached to.
    pub const ENDPOINT: &'static str = "ws://127.0.0.1:9222/devtools/browser/sim";
}

impl Launcher for SimLauncher {
    type Browser = SimBrowser;

    async fn launch(&self, _deadline: Millis) -> Result<SimBrowser, DriverError> {
        let id = self.world.state.borrow_mut().new_browser();
        Ok(SimBrowser { world: self.world.clone(), id, is_owned: true })
    }

    async fn connect(&self, endpoint: &str, _deadline: Millis) -> Result<SimBrowser, DriverError> {
        if endpoint == Self::ENDPOINT {
            return Ok(SimBrowser { world: self.world.clone(), id: BrowserId(0), is_owned: false });
        }
        let reason = "IO error: Connection refused (os error 111)".into();
        Err(DriverError::AttachFailed { endpoint: endpoint.into(), reason })
    }
}

impl Browser for SimBrowser {
    type Port = SimPort;

    fn port(&self) -> SimPort {
        SimPort::new(self.world.clone(), self.id)
    }

    fn info(&self) -> BrowserInfo {
        BrowserInfo {
            version: concat!("Sim/", env!("CARGO_PKG_VERSION")).into(),
            is_owned: self.is_owned,
            pid: None,
            endpoint: String::new(),
            is_headless: true,
        }
    }

    async fn close(self) {
        if !self.is_owned {
            return;
        }
        let mut state = self.world.state.borrow_mut();
        let tabs: Vec<TabId> = state
            .tabs
            .iter()
            .filter(|(_, tab)| tab.browser == self.id)
            .map(|(id, _)| *id)
            .collect();
        for tab in tabs {
            state.end_tab(tab, TabState::Closed, EventKind::TabClosed);
        }
    }
}
