//! A deterministic simulated browser: ordinary static pages, no page scripts, no real time, no randomness but a seed.
//!
//! A [`World`] holds tabs, network and clock. [`World::port`] is a [`backlot_core::port::Port`], [`World::host`] a
//! [`backlot_core::port::Host`], and [`World::block_on`] runs futures over both on virtual time.

mod act;
mod browser_tree;
mod capture;
mod dom;
mod geometry;
mod hit;
mod layout;
mod picture;
mod port;
mod probe;
mod scroll;
mod style;
mod work;
mod world;

pub use dom::Mutation;
pub use port::SimPort;
pub use work::Work;
pub use world::{
    Answer, BrowserData, Download, Field, Hit, ITEM, Numbers, PageEditor, Reach, Request, Response,
    Route, SimBrowser, SimHost, SimLauncher, Visit, World,
};
