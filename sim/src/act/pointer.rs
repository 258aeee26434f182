//! Trusted pointer input besides clicks: moves, buttons, wheel, drags.

use crate::world::State;
use backlot_core::page::{NodeKey, TabId};
use backlot_core::port::{Button, MouseStep, Point, ScrollBy, ScrollWhat};

impl State {
    /// The pointer moves onto an element of a frame, and away from all others.
    pub(super) fn hover(&mut self, tab: TabId, key: NodeKey) {
        for page in self.pages.values_mut().filter(|page| page.tab == tab) {
            let hovered = (page.document == key.document).then_some(key.node);
            if page.dom.hovered != hovered {
                page.dom.hovered = hovered;
                page.dom.revision += 1;
            }
        }
    }

    /// What an event at the guard's point meets: the target, or what lies in it there.
    fn met(&self, key: NodeKey, points: &[Point]) -> NodeKey {
        let page = self.page(key.document);
        let point = points.last().copied();
        let found = page.zip(point).and_then(|(page, point)| page.element_at(point));
        NodeKey { node: found.unwrap_or(key.node), ..key }
    }

    /// Mouse steps at the target's point.
    pub(super) fn mouse(
        &mut self,
        tab: TabId,
        key: NodeKey,
        points: &[Point],
        steps: &[MouseStep],
    ) {
        let at = self.met(key, points);
        let frame = key.document.frame;
        for step in steps {
            match step {
                MouseStep::Move => self.hover(tab, at),
                MouseStep::Down { button, .. } => {
                    self.fire(frame, at.node, "pointerdown", true);
                    self.fire(frame, at.node, "mousedown", true);
                    self.focus_from(frame, at.node);
                    if *button == Button::Right {
                        self.fire(frame, at.node, "contextmenu", true);
                    }
                    if let Some(tab) = self.tabs.get_mut(&tab) {
                        tab.held.pressed = Some(at);
                    }
                }
                MouseStep::Up { button, count } => {
                    self.fire(frame, at.node, "pointerup", true);
                    self.fire(frame, at.node, "mouseup", true);
                    let pressed = self.tabs.get_mut(&tab).and_then(|tab| tab.held.pressed.take());
                    // SIM DIFFERENCE: a press and a release in different elements click their common ancestor in Chromium.
                    if pressed == Some(at) {
                        match button {
                            Button::Left => self.click_event(tab, frame, at.node, true),
                            Button::Middle | Button::Right => {
                                self.fire(frame, at.node, "auxclick", true);
                            }
                        }
                        if *count == 2 && *button == Button::Left {
                            self.fire(frame, at.node, "dblclick", true);
                        }
                    }
                }
                MouseStep::Wheel { dy, .. } => {
                    let what = ScrollWhat::Element(at, ScrollBy::Pixels(*dy));
                    // A node that is gone scrolls nothing.
                    let _ = self.scroll(tab, &what);
                }
            }
        }
    }

    /// A press at one element and a release at another.
    ///
    /// SIM DIFFERENCE: the browser's own dragging (`draggable`) fires no drag events here: no script could listen.
    pub(super) fn drag(&mut self, tab: TabId, from: (NodeKey, &[Point]), to: (NodeKey, &[Point])) {
        let button = Button::Left;
        self.mouse(tab, from.0, from.1, &[MouseStep::Move, MouseStep::Down { button, count: 1 }]);
        self.mouse(tab, to.0, to.1, &[MouseStep::Move, MouseStep::Up { button, count: 1 }]);
    }
}
