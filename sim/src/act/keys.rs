//! Trusted keys: events and what the browser does for them.

use crate::dom::{Dom, InputKind};
use crate::world::{Held, State};
use backlot_core::page::{FrameId, NodeId, NodeKey, TabId};
use backlot_core::port::{Key, Modifiers, NotSent, Stroke};

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
                    self.insert(place.frame, at, text);
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
        self.fire(place.frame, at, "keydown", true);
        if held.keeps_from_typing() {
            if held.control && key.code == "KeyA" {
                self.select_all(place.frame, at);
            }
            return;
        }
        match (key.key.as_str(), key.text.as_deref()) {
            ("Enter", _) => self.enter(place, at),
            ("Tab", _) => self.tab_key(place.frame, held.shift),
            ("Backspace" | "Delete" | "Home" | "End" | "ArrowLeft" | "ArrowRight", _) => {
                self.edit_key(place.frame, at, &key.key, held.shift);
            }
            (" ", _) if self.is_pressed_by_space(place.frame, at) => {}
            (_, Some(text)) => self.insert(place.frame, at, text),
            _ => {}
        }
    }

    fn up(&mut self, place: Place, key: &Key) {
        let own = key.modifier().unwrap_or_default();
        self.hold(place.tab, |held| held.modifiers = held.modifiers.without(own));
        let Some(at) = self.key_target(place.frame) else { return };
        self.fire(place.frame, at, "keyup", true);
        if key.key == " " && self.is_pressed_by_space(place.frame, at) {
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

    fn enter(&mut self, place: Place, at: NodeId) {
        let Some(page) = self.pages.get(&place.frame) else { return };
        let dom = &page.dom;
        match dom.html_tag(at) {
            "textarea" => self.insert(place.frame, at, "\n"),
            "button" | "summary" | "a" | "area" => {
                self.click_event(place.tab, place.frame, at, true);
            }
            "input" => {
                let kind = dom.input_kind(at).unwrap_or(InputKind::Text);
                if !kind.is_textless() {
                    // A line break is tried before it is found that the field takes none.
                    self.fire(place.frame, at, "beforeinput", true);
                }
                if kind.is_button() {
                    self.click_event(place.tab, place.frame, at, true);
                    return;
                }
                let form = self.pages.get(&place.frame).and_then(|page| page.dom.form_of(at));
                self.tell_change(place.frame, at);
                if let Some(form) = form {
                    self.submit_by_enter(place, form);
                }
            }
            _ => {}
        }
    }

    /// Implicit submission (HTML standard): by the form's first submit button, or without one if there is one field only.
    fn submit_by_enter(&mut self, place: Place, form: NodeId) {
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
        if blocking.count() <= 1 {
            self.submit(place.tab, place.frame, form, None);
        }
    }

    fn insert(&mut self, frame: FrameId, at: NodeId, text: &str) {
        let Some(page) = self.pages.get_mut(&frame) else { return };
        if let Some((value, (start, end))) = field(&page.dom, at) {
            self.fire(frame, at, "beforeinput", true);
            let limit = self.pages.get(&frame).and_then(|page| max_length(&page.dom, at));
            let kept = value.chars().count() - (end - start);
            let room = limit.map_or(usize::MAX, |limit| limit.saturating_sub(kept));
            let text: String = text.chars().take(room).collect();
            let caret = start + text.chars().count();
            self.replace_selection(frame, at, &value, (start, end), &text, caret);
            return;
        }
        let Some(host) = page.dom.editing_host(at) else { return };
        self.fire(frame, host, "beforeinput", true);
        if let Some(page) = self.pages.get_mut(&frame) {
            page.dom.append_text(host, text);
            page.dom.revision += 1;
        }
        self.fire(frame, host, "input", true);
    }

    fn edit_key(&mut self, frame: FrameId, at: NodeId, key: &str, extends: bool) {
        let Some(page) = self.pages.get_mut(&frame) else { return };
        let Some((value, (start, end))) = field(&page.dom, at) else { return };
        let length = value.chars().count();
        let (from, to) = match (key, start == end) {
            ("Backspace", true) => (start.saturating_sub(1), end),
            ("Delete", true) => (start, (end + 1).min(length)),
            ("Backspace" | "Delete", false) => (start, end),
            _ => {
                let caret = match key {
                    "Home" => 0,
                    "End" => length,
                    "ArrowLeft" if start == end || extends => start.saturating_sub(1),
                    "ArrowLeft" => start,
                    _ if start == end || extends => (end + 1).min(length),
                    _ => end,
                };
                let selection = match extends {
                    true => (caret.min(start), caret.max(end)),
                    false => (caret, caret),
                };
                page.dom.set_selection(at, selection);
                return;
            }
        };
        if from < to {
            self.fire(frame, at, "beforeinput", true);
            self.replace_selection(frame, at, &value, (from, to), "", from);
        }
    }

    fn replace_selection(
        &mut self,
        frame: FrameId,
        at: NodeId,
        value: &str,
        (start, end): (usize, usize),
        text: &str,
        caret: usize,
    ) {
        let Some(page) = self.pages.get_mut(&frame) else { return };
        let before: String = value.chars().take(start).collect();
        let after: String = value.chars().skip(end).collect();
        page.dom.set_value(at, &format!("{before}{text}{after}"));
        page.dom.set_selection(at, (caret, caret));
        if let Some(element) = page.dom.element_mut(at) {
            element.live.edited_from.get_or_insert_with(|| value.to_string());
        }
        self.fire(frame, at, "input", true);
    }

    fn select_all(&mut self, frame: FrameId, at: NodeId) {
        let Some(page) = self.pages.get_mut(&frame) else { return };
        if let Some((value, _)) = field(&page.dom, at) {
            let length = value.chars().count();
            page.dom.set_selection(at, (0, length));
        }
    }

    /// Moves the focus to the next element in the order of `tabindex`, or the one before.
    fn tab_key(&mut self, frame: FrameId, backwards: bool) {
        let Some(page) = self.pages.get(&frame) else { return };
        let mut order: Vec<(i32, NodeId)> = page
            .dom
            .composed()
            .into_iter()
            .filter(|id| page.dom.element(*id).is_some() && page.is_focusable(*id))
            .filter_map(|id| {
                let given = page.dom.attr(id, "tabindex").and_then(|t| t.trim().parse().ok());
                let index: i32 = given.unwrap_or(0);
                // Positive ones come first, in their order.
                (index >= 0).then_some((if index == 0 { i32::MAX } else { index }, id))
            })
            .collect();
        order.sort_by_key(|(index, _)| *index);
        let here = order.iter().position(|(_, id)| Some(*id) == page.dom.focused);
        let next = match (here, backwards) {
            (None, false) => order.first(),
            (None, true) => order.last(),
            (Some(at), false) => order.get(at + 1),
            (Some(at), true) => at.checked_sub(1).and_then(|at| order.get(at)),
        };
        let next = next.map(|(_, id)| *id);
        self.set_focus(frame, next);
        if let Some(next) = next {
            self.select_all(frame, next);
        }
    }

    /// A field that a person has edited tells of it once it is left or sent.
    pub(super) fn tell_change(&mut self, frame: FrameId, at: NodeId) {
        let Some(page) = self.pages.get_mut(&frame) else { return };
        let Some(element) = page.dom.element_mut(at) else { return };
        let Some(before) = element.live.edited_from.take() else { return };
        if before != page.dom.value(at) {
            self.fire(frame, at, "change", true);
        }
    }
}

/// Value and selection, in characters, of a field that takes text.
fn field(dom: &Dom, at: NodeId) -> Option<(String, (usize, usize))> {
    let takes_text = match dom.html_tag(at) {
        "textarea" => true,
        "input" => {
            let kind = dom.input_kind(at).unwrap_or(InputKind::Text);
            !kind.is_textless()
                && !matches!(kind, InputKind::File | InputKind::Range | InputKind::Color)
        }
        _ => false,
    };
    if !takes_text || dom.has_attr(at, "readonly") || dom.is_disabled(at) {
        return None;
    }
    let value = dom.value(at);
    let length = value.chars().count();
    let (start, end) = dom.selection(at);
    Some((value, (start.min(length), end.min(length))))
}

fn max_length(dom: &Dom, at: NodeId) -> Option<usize> {
    dom.attr(at, "maxlength").and_then(|most| most.trim().parse().ok())
}
