//! Choosing options.

use crate::world::State;
use backlot_core::page::NodeKey;
use backlot_core::port::NotSent;

impl State {
    /// Selects exactly these options; `input` and `change` tell of it if that changes anything.
    pub(super) fn select(&mut self, key: NodeKey, wanted: &[u32]) -> Result<(), NotSent> {
        let frame = key.document.frame;
        let page = self.pages.get_mut(&frame).ok_or(NotSent::Gone)?;
        let options = page.dom.options(key.node);
        let mut changed = false;
        for (at, option) in (0..).zip(options) {
            let selected = wanted.contains(&at);
            if let Some(element) = page.dom.element_mut(option) {
                changed |= element.live.selected != selected;
                element.live.selected = selected;
                element.live.dirty_selected = true;
            }
        }
        page.dom.revision += 1;
        if changed {
            self.fire(frame, key.node, "input", false);
            self.fire(frame, key.node, "change", false);
        }
        Ok(())
    }
}
