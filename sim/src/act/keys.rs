//! Trusted keys: events and what the browser does for them.

use super::caret::Step;
use super::edit::Edit;
use super::event::Detail;
use crate::dom::InputKind;
use crate::world::{Held, State};
use backlot_core::page::{FrameId, NodeId, NodeKey, TabId};
use backlot_core::port::{Key, Modifiers, NotSent, ScrollBy, ScrollWhat, Stroke};

/// How far an arrow key scrolls, CSS pixels.
const LINE_PX: f64 = 40.0;
/// How much of a page `PageDown` scrolls.
const PAGE_SHARE: f64 = 0.875;

/// Who types where.
#[derive(Debug, Clone, Copy)]
struct Place {
    tab: TabId,
    frame: FrameId,
}

impl State {
    /// Sends keys to what has the focus, which must be the target at the first one.
    pub(super) fn keys(
        &mut self,
        tab: TabId,
        key: NodeKey,
        strokes: &[Stroke],
        focus: bool,
    ) -> Result<(), NotSent> {
        let frame = key.document.frame;
        if focus {
            self.focus(frame, key.node);
        }
        if self.key_target(frame) != Some(key.node) {
            return Err(NotSent::Unfit);
        }
        let place = Place { tab, frame };
        for stroke in strokes {
            self.stroke(place, stroke)?;
        }
        Ok(())
    }

    /// What keys go to: what has the focus, else the body.
    fn key_target(&self, frame: FrameId) -> Option<NodeId> {
        let dom = &self.pages.get(&frame)?.dom;
        let focused = dom.focused.filter(|id| dom.is_connected(*id));
        focused.or_else(|| dom.body()).or_else(|| dom.document_element())
    }

    fn stroke(&mut self, place: Place, stroke: &Stroke) -> Result<(), NotSent> {
        match stroke {
            Stroke::Insert { text } => {
                if let Some(at) = self.key_target(place.frame) {
                    self.insert(place.frame, at, Edit { kind: "insertText", text });
                }
            }
            Stroke::Down { key } => self.down(place, &self.key(place.tab, key)?),
            Stroke::Up { key } => self.up(place, &self.key(place.tab, key)?),
            Stroke::Press { key, modifiers } => {
                let held = modifiers.keys();
                held.iter().for_each(|key| self.down(place, key));
                let key = self.key(place.tab, key)?;
                self.down(place, &key);
                self.up(place, &key);
                held.iter().rev().for_each(|key| self.up(place, key));
            }
        }
        Ok(())
    }

    fn key(&self, tab: TabId, word: &str) -> Result<Key, NotSent> {
        let key = Key::of(word).map_err(|unknown| {
            NotSent::Failed(crate::port::refused("keys", &unknown.to_string()))
        })?;
        let shift = self.tabs.get(&tab).is_some_and(|tab| tab.held.modifiers.shift);
        Ok(if shift { key.shifted() } else { key })
    }

    fn hold(&mut self, tab: TabId, change: impl FnOnce(&mut Held)) -> Modifiers {
        let Some(tab) = self.tabs.get_mut(&tab) else { return Modifiers::default() };
        change(&mut tab.held);
        tab.held.modifiers
    }

    fn down(&mut self, place: Place, key: &Key) {
        let own = key.modifier().unwrap_or_default();
        let held = self.hold(place.tab, |held| held.modifiers = held.modifiers.and(own));
        let Some(at) = self.key_target(place.frame) else { return };
        let frame = place.frame;
        self.fire_with(frame, at, "keydown", true, Detail::Key(&key.key));
        if held.keeps_from_typing() {
            if held.control && !self.command_key(frame, at, &key.code, held.shift) {
                self.key_with_control(frame, at, &key.key, held.shift);
            }
            return;
        }
        match (key.key.as_str(), key.text.as_deref()) {
            ("Enter", _) => self.enter(place, at, held.shift),
            ("Tab", _) => self.tab_key(frame, held.shift),
            ("Escape", _) => self.escape(place, at),
            ("Backspace", _) => self.delete(frame, at, true, Step::Character),
            ("Delete", _) => self.delete(frame, at, false, Step::Character),
            (" ", _) if self.is_pressed_by_space(frame, at) => {
                let node = self
                    .pages
                    .get(&frame)
                    .map(|page| NodeKey { document: page.document, node: at });
                self.hold(place.tab, |held| held.space = node);
            }
            (word, text) => self.other_key(place, at, (word, text), held.shift),
        }
    }

    fn key_with_control(&mut self, frame: FrameId, at: NodeId, key: &str, shift: bool) {
        match key {
            "Backspace" => self.delete(frame, at, true, Step::Word),
            "Delete" => self.delete(frame, at, false, Step::Word),
            "ArrowLeft" | "ArrowRight" | "Home" | "End" => {
                self.move_caret(frame, at, key, (shift, true));
            }
            _ => {}
        }
    }

    /// Keys that choose, move the caret, scroll or type.
    fn other_key(
        &mut self,
        place: Place,
        at: NodeId,
        (key, text): (&str, Option<&str>),
        shift: bool,
    ) {
        let frame = place.frame;
        let Some(page) = self.pages.get(&frame) else { return };
        let kind = page.dom.input_kind(at);
        let is_arrow = key.starts_with("Arrow");
        if page.dom.is_html(at, "select") && self.choose_by_key(frame, at, key, shift) {
            return;
        }
        match kind {
            Some(InputKind::Radio) if is_arrow => {
                let back = matches!(key, "ArrowUp" | "ArrowLeft");
                return self.arrow_in_radios(place.tab, frame, at, back);
            }
            Some(InputKind::Number) if matches!(key, "ArrowUp" | "ArrowDown") => {
                return self.step_number(frame, at, key == "ArrowUp");
            }
            Some(InputKind::Range) if self.slide(frame, at, key) => return,
            _ => {}
        }
        let is_editable = self.editable(frame, at).is_some();
        match (key, text) {
            (_, Some(text)) if is_editable => {
                self.insert(frame, at, Edit { kind: "insertText", text });
            }
            ("Home" | "End", _) if is_editable => self.move_caret(frame, at, key, (shift, false)),
            _ if is_editable && is_arrow => self.move_caret(frame, at, key, (shift, false)),
            _ if is_editable => {}
            _ => self.scroll_by_key(place, at, key, shift),
        }
    }

    fn scroll_by_key(&mut self, place: Place, at: NodeId, key: &str, shift: bool) {
        let Some(view) = self.pages.get(&place.frame).map(|page| page.view_around(at)) else {
            return;
        };
        let page = (view * PAGE_SHARE).floor();
        let by = match key {
            "ArrowUp" => ScrollBy::Pixels(-LINE_PX),
            "ArrowDown" => ScrollBy::Pixels(LINE_PX),
            "PageUp" => ScrollBy::Pixels(-page),
            "PageDown" => ScrollBy::Pixels(page),
            " " if shift => ScrollBy::Pixels(-page),
            " " => ScrollBy::Pixels(page),
            "Home" => ScrollBy::Start,
            "End" => ScrollBy::End,
            _ => return,
        };
        let Some(page) = self.pages.get(&place.frame) else { return };
        let key = NodeKey { document: page.document, node: at };
        // A node that is gone scrolls nothing.
        let _ = self.scroll(place.tab, &ScrollWhat::Element(key, by));
    }

    fn up(&mut self, place: Place, key: &Key) {
        let own = key.modifier().unwrap_or_default();
        self.hold(place.tab, |held| held.modifiers = held.modifiers.without(own));
        let Some(at) = self.key_target(place.frame) else { return };
        self.fire_with(place.frame, at, "keyup", true, Detail::Key(&key.key));
        if key.key != " " {
            return;
        }
        let mut pressed = None;
        self.hold(place.tab, |held| pressed = held.space.take());
        let Some(page) = self.pages.get(&place.frame) else { return };
        let is_same = pressed == Some(NodeKey { document: page.document, node: at });
        // A radio button that is checked has nothing to be pressed for.
        let is_set = page.dom.input_kind(at) == Some(InputKind::Radio) && page.dom.is_checked(at);
        if is_same && !is_set {
            self.click_event(place.tab, place.frame, at, true);
        }
    }

    /// Space presses it, once it is let go.
    fn is_pressed_by_space(&self, frame: FrameId, at: NodeId) -> bool {
        let Some(page) = self.pages.get(&frame) else { return false };
        match page.dom.html_tag(at) {
            "button" | "summary" => true,
            "input" => {
                page.dom.input_kind(at).is_some_and(|kind| kind.is_button() || kind.is_checkable())
            }
            _ => false,
        }
    }

    fn enter(&mut self, place: Place, at: NodeId, shift: bool) {
        let Some(page) = self.pages.get(&place.frame) else { return };
        let frame = place.frame;
        match page.dom.html_tag(at) {
            "textarea" => self.insert(frame, at, Edit { kind: "insertLineBreak", text: "\n" }),
            "button" | "summary" | "a" | "area" => self.click_event(place.tab, frame, at, true),
            "input" => self.enter_in_input(place, at),
            _ => {
                let Some(host) = page.dom.editing_host(at) else { return };
                let kind = page.dom.attr(host, "contenteditable").unwrap_or_default();
                let plain = shift || kind.eq_ignore_ascii_case("plaintext-only");
                let kind = if plain { "insertLineBreak" } else { "insertParagraph" };
                self.insert(frame, host, Edit { kind, text: "\n" });
            }
        }
    }

    fn enter_in_input(&mut self, place: Place, at: NodeId) {
        let Some(page) = self.pages.get(&place.frame) else { return };
        let kind = page.dom.input_kind(at).unwrap_or(InputKind::Text);
        if kind.is_button() {
            self.click_event(place.tab, place.frame, at, true);
            return;
        }
        if kind.takes_typing() {
            // A line break is tried before it is found that the field takes none.
            let detail = Detail::Edit("insertLineBreak", None);
            self.fire_with(place.frame, at, "beforeinput", true, detail);
        }
        self.tell_change(place.frame, at);
        self.submit_from(place, at, !kind.is_checkable());
    }

    fn submit_from(&mut self, place: Place, at: NodeId, is_field: bool) {
        let form = self.pages.get(&place.frame).and_then(|page| page.dom.form_of(at));
        if let Some(form) = form {
            self.submit_by_enter(place, form, is_field);
        }
    }

    /// Implicit submission (HTML standard): by the form's first submit button, or without one from its only text field.
    fn submit_by_enter(&mut self, place: Place, form: NodeId, is_field: bool) {
        let Some(page) = self.pages.get(&place.frame) else { return };
        let dom = &page.dom;
        let controls = dom.controls(form);
        let button = controls.iter().copied().find(|id| match dom.html_tag(*id) {
            "button" => !matches!(
                dom.attr(*id, "type").map(str::to_ascii_lowercase).as_deref(),
                Some("button" | "reset")
            ),
            _ => matches!(dom.input_kind(*id), Some(InputKind::Submit | InputKind::Image)),
        });
        if let Some(button) = button {
            if !dom.is_disabled(button) {
                self.click_event(place.tab, place.frame, button, true);
            }
            return;
        }
        let blocking = controls.iter().filter(|id| {
            dom.input_kind(**id).is_some_and(|kind| !kind.is_textless() && kind != InputKind::File)
        });
        if is_field && blocking.count() <= 1 {
            self.submit(place.tab, place.frame, form, None);
        }
    }

    /// Closes what was opened last, else empties a search field.
    fn escape(&mut self, place: Place, at: NodeId) {
        if !self.close_top(place.frame) {
            self.clear_search(place.frame, at);
        }
    }
}
