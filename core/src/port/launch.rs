//! Where browsers come from, for surfaces that open and close them.

use super::{DriverError, Millis, Port};
use alloc::string::String;
use core::future::Future;
use serde::Serialize;

/// Starts browsers, and attaches to running ones.
pub trait Launcher {
    /// What it gives.
    type Browser: Browser;

    /// Starts a browser of our own, with one blank tab or none.
    ///
    /// # Errors
    /// There is no browser program, or it did not start by the deadline.
    fn launch(&self, deadline: Millis) -> impl Future<Output = Result<Self::Browser, DriverError>>;

    /// Attaches to a running browser.
    ///
    /// # Errors
    /// [`DriverError::AttachFailed`]: nothing answers there, or no browser does.
    fn connect(
        &self,
        endpoint: &str,
        deadline: Millis,
    ) -> impl Future<Output = Result<Self::Browser, DriverError>>;
}

/// A browser that is open.
pub trait Browser {
    /// Its door.
    type Port: Port;

    /// Its door.
    fn port(&self) -> Self::Port;

    /// What it is.
    fn info(&self) -> BrowserInfo;

    /// Ends a browser of our own, or lets go of one that was attached to. Never waits for a page.
    fn close(self) -> impl Future<Output = ()>;
}

/// What a browser is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct BrowserInfo {
    /// Product and version, such as `Chrome/156.0.8078.114`.
    pub version: String,
    /// It was started by us and ends with us.
    pub is_owned: bool,
    /// Process number of a browser of our own.
    pub pid: Option<u32>,
    /// Where it can be attached to, without credentials; empty where nowhere.
    pub endpoint: String,
    /// It shows no window.
    pub is_headless: bool,
}

impl<L: Launcher> Launcher for &L {
    type Browser = L::Browser;

    fn launch(&self, deadline: Millis) -> impl Future<Output = Result<Self::Browser, DriverError>> {
        L::launch(self, deadline)
    }

    fn connect(
        &self,
        endpoint: &str,
        deadline: Millis,
    ) -> impl Future<Output = Result<Self::Browser, DriverError>> {
        L::connect(self, endpoint, deadline)
    }
}
