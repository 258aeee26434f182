//! Cut, copy, paste, undo, redo.

use super::edit::Edit;
use super::event::Detail;
use crate::world::State;
use backlot_core::page::{FrameId, NodeId};

impl State {
    /// A key with Control; whether it is one of the browser's own.
    pub(super) fn command_key(
        &mut self,
        frame: FrameId,
        at: NodeId,
        code: &str,
        shift: bool,
    ) -> bool {
        match (code, shift) {
            ("KeyA", false) => self.select_all_of(frame, at),
            ("KeyC", false) => self.copy(frame, at),
            ("KeyX", false) => self.cut(frame, at),
            ("KeyV", _) => self.paste(frame, at),
            ("KeyZ", false) => self.travel(frame, at, true),
            ("KeyZ", true) | ("KeyY", false) => self.travel(frame, at, false),
            _ => return false,
        }
        true
    }

    fn select_all_of(&mut self, frame: FrameId, at: NodeId) {
        let is_list = self.pages.get(&frame).is_some_and(|page| page.dom.is_html(at, "select"));
        if is_list {
            self.choose_all(frame, at);
        } else {
            self.select_all(frame, at);
        }
    }

    fn copy(&mut self, frame: FrameId, at: NodeId) {
        let Some(field) = self.editable(frame, at) else { return };
        let text = field.selected();
        if !text.is_empty() && !self.is_password(frame, field.at) {
            self.fire(frame, field.at, "copy", true);
            self.clipboard = text;
        }
    }

    fn cut(&mut self, frame: FrameId, at: NodeId) {
        let Some(field) = self.editable(frame, at).filter(|field| !field.is_readonly) else {
            return;
        };
        let text = field.selected();
        if text.is_empty() || self.is_password(frame, field.at) {
            return;
        }
        self.fire(frame, field.at, "cut", true);
        self.clipboard = text;
        self.fire_with(frame, field.at, "beforeinput", true, Detail::Edit("deleteByCut", None));
        self.replace(frame, &field, field.range(), Edit { kind: "deleteByCut", text: "" });
    }

    fn paste(&mut self, frame: FrameId, at: NodeId) {
        let Some(field) = self.editable(frame, at).filter(|field| !field.is_readonly) else {
            return;
        };
        self.fire(frame, field.at, "paste", true);
        let text = self.clipboard.clone();
        if !text.is_empty() {
            self.insert(frame, field.at, Edit { kind: "insertFromPaste", text: &text });
        }
    }

    /// What a password field holds is never copied.
    fn is_password(&self, frame: FrameId, at: NodeId) -> bool {
        let kind = self.pages.get(&frame).and_then(|page| page.dom.input_kind(at));
        kind == Some(crate::dom::InputKind::Password)
    }

    /// One step of undoing or redoing.
    ///
    /// SIM DIFFERENCE: each field has steps of its own, editing hosts have none; Chromium keeps one list for a document.
    fn travel(&mut self, frame: FrameId, at: NodeId, back: bool) {
        let Some(field) = self.editable(frame, at).filter(|field| !field.is_readonly) else {
            return;
        };
        let Some(page) = self.pages.get_mut(&frame) else { return };
        let Some(element) = page.dom.element_mut(field.at) else { return };
        let from = if back { &mut element.live.undo } else { &mut element.live.redo };
        let Some((value, selection)) = from.pop() else { return };
        let kind = if back { "historyUndo" } else { "historyRedo" };
        self.fire_with(frame, field.at, "beforeinput", true, Detail::Edit(kind, None));
        let Some(page) = self.pages.get_mut(&frame) else { return };
        let before = page.dom.value(field.at);
        page.dom.set_raw_value(field.at, value, 0);
        page.dom.set_selection(field.at, selection);
        if let Some(element) = page.dom.element_mut(field.at) {
            let now = (field.text.iter().collect(), field.selection);
            let to = if back { &mut element.live.redo } else { &mut element.live.undo };
            to.push(now);
            element.live.edited_from.get_or_insert(before);
        }
        self.fire_with(frame, field.at, "input", true, Detail::Edit(kind, None));
    }
}
