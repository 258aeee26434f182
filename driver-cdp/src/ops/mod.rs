//! Core's port: one file for each group of ops.

mod capture;
mod dispatch;
mod emulate;
mod evaluate;
mod facts;
mod guarded;
mod history;
mod keys;
mod navigate;
mod page;
mod pointer;
mod probe;
mod screenshot;
mod scroll;
mod settle;
mod tabs;
mod tree;

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
                Ok(Reply::Dispatched(dispatch::dispatch(link, *dispatch, deadline).await))
            }
            Op::Settle { tab, spec } => {
                settle::settle(link, tab, spec, deadline).await.map(Reply::Settled)
            }
            Op::Events { since } => Ok(Reply::Events(link.book().log.since(since))),
            Op::CloseTab(write) => tabs::close(link, write, deadline).await.map(|()| Reply::Closed),
            Op::ActivateTab(write) => {
                tabs::activate(link, write, deadline).await.map(|()| Reply::Activated)
            }
            Op::History { go, write } => {
                history::history(link, go, write, deadline).await.map(Reply::Navigated)
            }
            Op::Evaluate(script) => {
                evaluate::evaluate(link, script, deadline).await.map(Reply::Evaluated)
            }
            Op::Screenshot { tab, spec } => {
                screenshot::screenshot(link, tab, &spec, deadline).await.map(Reply::Screenshot)
            }
            Op::Log { tab, kind, clear } => {
                let mut book = link.book();
                let state = book.tabs.get_mut(&tab).ok_or(DriverError::TabGone)?;
                Ok(Reply::Log(state.page_log.page(kind, clear)))
            }
            Op::Emulate { what, write } => {
                emulate::emulate(link, what, write, deadline).await.map(|()| Reply::Emulated)
            }
            Op::Html { tab } => page::html(link, tab, deadline).await.map(Reply::Html),
            Op::Cookies { tab } => page::cookies(link, tab, deadline).await.map(Reply::Cookies),
            Op::NodeAt { tab, point } => {
                page::node_at(link, tab, point, deadline).await.map(Reply::NodeAt)
            }
        }
    }
}
