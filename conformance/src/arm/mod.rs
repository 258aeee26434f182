//! The two arms. Everything else in this crate runs one body over this trait.

#[cfg(feature = "live")]
pub(crate) mod cdp;
pub(crate) mod sim;

#[cfg(not(feature = "live"))]
use crate::command::CommandError;
use crate::fault::FaultAt;
use crate::site::Site;
use backlot_core::page::TabId;
use backlot_core::port::{Browser, Host, Launcher, Port};
use backlot_fixtures::Mutation;
use std::future::Future;

/// A browser with a site to look at.
pub(crate) trait Arm {
    type Port: Port + 'static;
    type Host: Host + Clone + 'static;
    /// A browser beside the one behind [`Arm::port`].
    type Browser: Browser<Port = Self::Port> + 'static;
    /// Opens such browsers.
    type Launcher: Launcher<Browser = Self::Browser>;

    /// The door to the browser.
    fn port(&self) -> Self::Port;
    /// Browsers for surfaces that open their own.
    fn launcher(&self) -> Self::Launcher;
    /// Time, chance and approvals.
    fn host(&self) -> Self::Host;
    /// Runs a future to its end on this arm's clock.
    fn block_on<F: Future>(&self, future: F) -> F::Output;
    /// Events that pages saw since the last time this was asked, in order.
    fn take_events(&self) -> Vec<String>;
    /// Changes the page of a tab, as no tool does. Without a tab: the newest one of the browser that was launched last.
    fn mutate(&self, tab: Option<TabId>, mutation: &Mutation) -> Result<(), String>;
    /// What falls before which op of the next calls, until it is planned again.
    fn plan(&self, faults: &[FaultAt]) -> Result<(), String>;
    /// The browser's version, where it is a real one.
    fn version(&self) -> Option<String>;
}

/// Makes an arm.
pub(crate) struct Setup<'a> {
    pub(crate) site: &'a Site,
    pub(crate) seed: u64,
    /// There is a browser from the start, behind [`Arm::port`].
    #[cfg_attr(not(feature = "live"), expect(dead_code, reason = "a simulated one costs nothing"))]
    pub(crate) own_browser: bool,
    /// Pages run scripts.
    pub(crate) scripts: bool,
    /// Keep the log of in-page events.
    pub(crate) events: bool,
    /// With moves of the pointer.
    pub(crate) moves: bool,
    /// Whoever is asked declines.
    pub(crate) declines: bool,
}

impl<'a> Setup<'a> {
    /// An arm that only reads pages.
    pub(crate) fn reader(site: &'a Site, scripts: bool) -> Self {
        Self {
            site,
            seed: 1,
            own_browser: true,
            scripts,
            events: false,
            moves: false,
            declines: false,
        }
    }
}

/// Runs a body over the arm of this name.
#[macro_export]
macro_rules! with_arm {
    ($name:expr, $setup:expr, $arm:ident => $body:expr) => {
        match $name {
            $crate::cli::ArmName::Sim => {
                let $arm = $crate::arm::sim::SimArm::start($setup)?;
                $body
            }
            #[cfg(feature = "live")]
            $crate::cli::ArmName::Cdp => {
                let $arm = $crate::arm::cdp::CdpArm::start($setup)?;
                $body
            }
            #[cfg(not(feature = "live"))]
            $crate::cli::ArmName::Cdp => Err($crate::arm::not_live()),
            $crate::cli::ArmName::Both => Err($crate::command::CommandError::Usage(
                "this command takes one arm: sim or cdp".into(),
            )),
        }
    };
}

/// This program was built without the live arm.
#[cfg(not(feature = "live"))]
pub(crate) fn not_live() -> CommandError {
    CommandError::Usage(
        "this build has no live arm; use `cargo run --release -p backlot-conformance --` in place of `cargo conformance`"
            .into(),
    )
}

/// The arms that a word stands for.
pub(crate) fn each(arm: crate::cli::ArmName) -> Vec<crate::cli::ArmName> {
    use crate::cli::ArmName::{Both, Cdp, Sim};
    match arm {
        Both => vec![Sim, Cdp],
        one => vec![one],
    }
}
