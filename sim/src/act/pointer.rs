//! Trusted pointer input: moves, buttons, wheel, drags.

use super::caret;
use crate::dom::Dom;
use crate::layout::metrics;
use crate::style::Size;
use crate::world::{Page, State};
use backlot_core::page::{FrameId, NodeId, NodeKey, TabId};
use backlot_core::port::{Button, MouseStep, Point};

/// A press or release: where, with what, and which of a double or triple click it is.
#[derive(Debug, Clone, Copy)]
pub(super) struct Press {
    pub(super) at: NodeKey,
    pub(super) point: Option<Point>,
    pub(super) button: Button,
    pub(super) count: u8,
}

impl State {
    /// The pointer moves onto an element of a frame, and away from all others.
    pub(super) fn hover(&mut self, tab: TabId, key: NodeKey) {
        let before = self.pages.values().find_map(|page| {
            let node =
                page.dom.hovered.filter(|node| page.tab == tab && page.dom.is_connected(*node))?;
            Some(NodeKey { document: page.document, node })
        });
        for page in self.pages.values_mut().filter(|page| page.tab == tab) {
            let hovered = (page.document == key.document).then_some(key.node);
            if page.dom.hovered != hovered {
                page.dom.hovered = hovered;
                page.dom.revision += 1;
            }
        }
        if self.logs_moves {
            self.tell_move(before, key);
        }
    }

    /// The events of a move: out of one element and into another, then the move itself.
    fn tell_move(&mut self, before: Option<NodeKey>, now: NodeKey) {
        let frame = now.document.frame;
        let left = before.filter(|before| *before != now);
        for (out, over) in [("pointerout", "pointerover"), ("mouseout", "mouseover")] {
            // Only what is in the same document is told of.
            let other = |key: NodeKey| (key.document == now.document).then_some(key.node);
            if let Some(left) = left {
                let related = other(left).map(|_| now.node);
                self.fire_between(left.document.frame, left.node, out, true, related);
            }
            if before != Some(now) {
                self.fire_between(frame, now.node, over, true, left.and_then(other));
            }
        }
        self.fire(frame, now.node, "pointermove", true);
        self.fire(frame, now.node, "mousemove", true);
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
        let point = points.last().copied();
        for step in steps {
            match *step {
                MouseStep::Move => {
                    self.hover(tab, at);
                    self.drag_over(tab, at);
                    self.drag_select(tab, at, point);
                }
                MouseStep::Down { button, count } => {
                    self.press(tab, Press { at, point, button, count });
                }
                MouseStep::Up { button, count } => {
                    self.release(tab, Press { at, point, button, count });
                }
                MouseStep::Wheel { dy, .. } => {
                    self.fire(at.document.frame, at.node, "wheel", true);
                    self.wheel(at, dy);
                }
            }
        }
    }

    /// A trusted press, with what it does to focus and selection.
    pub(super) fn press(&mut self, tab: TabId, press: Press) {
        let (frame, node) = (press.at.document.frame, press.at.node);
        if let Some(tab) = self.tabs.get_mut(&tab) {
            tab.held.pressed = Some(press.at);
            tab.held.button = Some(press.button);
        }
        if !self.is_deaf(frame, node) {
            self.fire(frame, node, "pointerdown", true);
            self.fire(frame, node, "mousedown", true);
        }
        self.focus_from(frame, node);
        let extends = self.tabs.get(&tab).is_some_and(|tab| tab.held.modifiers.shift);
        self.select_at(frame, press, extends);
        if press.button == Button::Right {
            self.fire(frame, node, "contextmenu", true);
        }
    }

    /// A trusted release, and the click that comes of it.
    pub(super) fn release(&mut self, tab: TabId, release: Press) {
        let (frame, node) = (release.at.document.frame, release.at.node);
        let Some(held) = self.tabs.get_mut(&tab).map(|tab| &mut tab.held) else { return };
        let (pressed, dragged) = (held.pressed.take(), held.dragged.take());
        if let Some((source, over)) = dragged {
            // No script runs that could let it drop anywhere.
            if let Some(over) = over {
                self.fire(over.document.frame, over.node, "dragleave", true);
            }
            self.fire(source.document.frame, source.node, "dragend", true);
        }
        if !self.is_deaf(frame, node) {
            self.fire(frame, node, "pointerup", true);
            self.fire(frame, node, "mouseup", true);
        }
        let outside = self.outside(frame, Some(node));
        self.clicked(tab, release, (pressed, dragged.is_some()));
        for popover in outside {
            self.hide_popover(frame, popover);
        }
    }

    /// The click that comes of a press and a release.
    fn clicked(
        &mut self,
        tab: TabId,
        release: Press,
        (pressed, is_dragged): (Option<NodeKey>, bool),
    ) {
        let frame = release.at.document.frame;
        let shared = pressed.and_then(|pressed| self.common(pressed, release.at));
        let Some(clicked) = shared.filter(|_| !is_dragged) else { return };
        if self.is_deaf(frame, clicked) {
            return;
        }
        match release.button {
            Button::Left => {
                self.click_event(tab, frame, clicked, true);
                if release.count == 2 {
                    self.fire(frame, clicked, "dblclick", true);
                }
            }
            Button::Middle => {
                self.fire(frame, clicked, "auxclick", true);
                // What was selected last would be pasted: nothing, as a browser without a window holds no such thing.
                // SIM DIFFERENCE: where text cannot be selected, Chromium tells the body of it.
                let at = pressed.map_or(clicked, |pressed| pressed.node);
                self.fire(frame, at, "paste", true);
            }
            Button::Right => self.fire(frame, clicked, "auxclick", true),
        }
    }

    /// The nearest element around both ends of a press.
    fn common(&self, pressed: NodeKey, released: NodeKey) -> Option<NodeId> {
        let page =
            self.page(released.document).filter(|_| pressed.document == released.document)?;
        let around: Vec<NodeId> = page.dom.flat_ancestors(pressed.node).collect();
        let shared = page.dom.flat_ancestors(released.node).find(|up| around.contains(up))?;
        page.dom.element(shared).map(|_| shared)
    }

    /// A disabled control hears no mouse.
    fn is_deaf(&self, frame: FrameId, node: NodeId) -> bool {
        self.pages.get(&frame).is_some_and(|page| page.dom.is_disabled(node))
    }

    /// A press puts the caret where it is, a second one selects the word there, a third one the line.
    fn select_at(&mut self, frame: FrameId, press: Press, extends: bool) {
        let Some(point) = press.point.filter(|_| press.button == Button::Left) else { return };
        let Some(field) = self.editable(frame, press.at.node) else {
            return;
        };
        let Some(page) = self.pages.get_mut(&frame) else { return };
        let Some(at) = page.place_in_field(field.at, &field.text, point) else { return };
        let selection = match press.count {
            0 | 1 if extends => (field.selection.0, at),
            0 | 1 => (at, at),
            2 => caret::word_at(&field.text, at),
            _ => caret::line_at(&field.text, at),
        };
        page.dom.set_selection(field.at, selection);
    }

    /// A move with a button down in a field selects up to where it is.
    fn drag_select(&mut self, tab: TabId, at: NodeKey, point: Option<Point>) {
        let held = self.tabs.get(&tab).map(|tab| (tab.held.pressed, tab.held.dragged.is_some()));
        let Some((Some(pressed), false)) = held else { return };
        let (frame, Some(point)) = (at.document.frame, point) else { return };
        if pressed != at {
            return;
        }
        if self.tabs.get(&tab).is_some_and(|tab| tab.held.button == Some(Button::Left)) {
            let press = Press { at, point: Some(point), button: Button::Left, count: 1 };
            self.select_at(frame, press, true);
        }
    }

    /// A move with a button down begins or goes on with the browser's own dragging.
    fn drag_over(&mut self, tab: TabId, at: NodeKey) {
        let Some(held) = self.tabs.get(&tab).map(|tab| tab.held.clone()) else { return };
        let Some(pressed) = held.pressed else { return };
        let (source, before) = match held.dragged {
            Some(dragged) => dragged,
            None => {
                let page = self.page(pressed.document);
                let source = page.and_then(|page| {
                    page.dom.flat_ancestors(pressed.node).find(|up| is_draggable(&page.dom, *up))
                });
                let Some(source) = source.filter(|_| at != pressed) else { return };
                let source = NodeKey { node: source, ..pressed };
                self.fire(source.document.frame, source.node, "dragstart", true);
                (source, None)
            }
        };
        if before != Some(at) {
            self.fire(at.document.frame, at.node, "dragenter", true);
            if let Some(before) = before {
                self.fire(before.document.frame, before.node, "dragleave", true);
            }
        }
        self.fire_once(at.document.frame, at.node, "dragover", true);
        if let Some(tab) = self.tabs.get_mut(&tab) {
            tab.held.dragged = Some((source, Some(at)));
        }
    }

    /// A press at one element and a release at another.
    pub(super) fn drag(&mut self, tab: TabId, from: (NodeKey, &[Point]), to: (NodeKey, &[Point])) {
        let button = Button::Left;
        self.mouse(tab, from.0, from.1, &[MouseStep::Move, MouseStep::Down { button, count: 1 }]);
        self.mouse(tab, to.0, to.1, &[MouseStep::Move, MouseStep::Up { button, count: 1 }]);
    }
}

/// `draggable`, or what can be dragged unless it says no.
fn is_draggable(dom: &Dom, id: NodeId) -> bool {
    match dom.attr(id, "draggable").map(str::to_ascii_lowercase).as_deref() {
        Some("true") => true,
        Some("false") => false,
        _ => match dom.html_tag(id) {
            "a" => dom.has_attr(id, "href"),
            "img" => true,
            _ => false,
        },
    }
}

impl Page {
    /// Which character of a field is at a point of the viewport.
    fn place_in_field(&self, field: NodeId, text: &[char], point: Point) -> Option<usize> {
        let rect = self.rect(field)?;
        let styles = self.styles();
        let style = styles.get(field)?;
        let padding = |side: usize| match style.padding[side] {
            Size::Given { px, .. } => f64::from(px),
            _ => 0.0,
        };
        let left = rect.x + f64::from(style.border_width(3)) + padding(3);
        let letter = f64::from(metrics::advance(style.font_size));
        let column = ((point.x - left) / letter).round().max(0.0);
        let line = if !self.dom.is_html(field, "input") {
            let top = rect.y + f64::from(style.border_width(0)) + padding(0);
            ((point.y - top) / f64::from(metrics::line_height(style))).floor().max(0.0)
        } else {
            0.0
        };
        let mut start = 0;
        for _ in 0..line as usize {
            match text[start..].iter().position(|c| *c == '\n') {
                Some(found) => start += found + 1,
                None => return Some(text.len()),
            }
        }
        let length = text[start..].iter().position(|c| *c == '\n').unwrap_or(text.len() - start);
        Some(start + (column as usize).min(length))
    }
}
