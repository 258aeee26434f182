//! How much work styles and layout are: counted, so that tests need no clock.

use crate::world::World;
use backlot_core::page::TabId;

/// Work that a document takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Work {
    /// Selectors that were tried on elements.
    pub selectors: u64,
    /// Boxes that were laid out, each time that they were.
    pub boxes: u64,
}

impl World {
    /// The work of the styles and the layout of a tab's top document, as it is now; `None` without a page.
    pub fn work(&self, tab: TabId) -> Option<Work> {
        let state = self.state.borrow();
        let page = state.pages.get(&state.live_tab(tab).ok()?.top)?;
        Some(Work { selectors: page.styles().tried, boxes: page.layout().laid })
    }
}
