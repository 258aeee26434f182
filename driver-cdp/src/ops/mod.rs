//! Core's port: one file for each group of ops.

mod capture;
mod dispatch;
mod facts;
mod navigate;
mod probe;
mod scroll;
mod settle;
mod tabs;
mod tree;
mod trusted;

use crate::session::Link;
use backlot_core::port::{DriverError, Millis, Op, Port, Reply};

/// Core's port on one browser; clones share the connection. Deadlines count on the clock of [`crate::TokioHost`].
#[derive(Clone)]
pub struct CdpPort {
    link: Link,
}

impl CdpPort {
    pub(crate) fn new(link: Link) -> Self {
        Self { link }
    }
}

impl Port for CdpPort {
    async fn call(&self, op: Op, deadline: Millis) -> Result<Reply, DriverError> {
        let link = &self.link;
        match op {
            Op::Tabs => tabs::tabs(link, deadline).await.map(Reply::Tabs),
            Op::OpenTab => tabs::open(link, deadline).await.map(Reply::Tab),
            Op::Navigate(to) => navigate::navigate(link, to, deadline).await.map(Reply::Navigated),
            Op::Capture { tab, spec } => {
                capture::capture(link, tab, spec, deadline).await.map(Reply::Capture)
            }
            Op::BrowserTree { tab } => {
                tree::browser_tree(link, tab, deadline).await.map(Reply::BrowserTree)
            }
            Op::Probe { tab, node } => {
                probe::probe(link, tab, node, deadline).await.map(Reply::Probe)
            }
            Op::HitTest { tab, node, points } => {
                probe::hit_test(link, tab, node, &points, deadline).await.map(Reply::Hit)
            }
            Op::Scroll { tab, what } => {
                scroll::scroll(link, tab, what, deadline).await.map(Reply::Scrolled)
            }
            Op::Dispatch(dispatch) => {
                Ok(Reply::Dispatched(dispatch::dispatch(link, dispatch, deadline).await))
            }
            Op::Settle { tab, spec } => {
                settle::settle(link, tab, spec, deadline).await.map(Reply::Settled)
            }
            Op::Events { since } => Ok(Reply::Events(link.book().log.since(since))),
            op => Err(DriverError::Unsupported { op: op.name().into() }),
        }
    }
}
