//! Typing and deleting in fields and editing hosts, with the events that tell of it.

use super::caret::{self, Step};
use super::event::Detail;
use crate::dom::{Dom, InputKind};
use crate::world::State;
use backlot_core::page::{FrameId, NodeId};

/// What an edit is told as: its `inputType`, and its data where it has some.
#[derive(Debug, Clone, Copy)]
pub(super) struct Edit<'a> {
    pub(super) kind: &'a str,
    pub(super) text: &'a str,
}

impl Edit<'_> {
    fn detail(&self) -> Detail<'_> {
        let is_break = matches!(self.kind, "insertLineBreak" | "insertParagraph");
        let has_data = !self.text.is_empty() && !is_break;
        Detail::Edit(self.kind, has_data.then_some(self.text))
    }

    /// What comes next belongs to the same step of undoing.
    fn is_typing(&self) -> bool {
        !matches!(self.kind, "insertFromPaste" | "deleteByCut")
    }
}

/// What takes text.
#[derive(Debug, Clone)]
pub(super) struct Editable {
    /// The field, or the editing host.
    pub(super) at: NodeId,
    pub(super) is_host: bool,
    /// It shows a caret, and takes nothing.
    pub(super) is_readonly: bool,
    /// What it holds, as a person sees it.
    pub(super) text: Vec<char>,
    /// Where the selection began, and where it goes to.
    pub(super) selection: (usize, usize),
}

impl Editable {
    pub(super) fn of(dom: &Dom, at: NodeId) -> Option<Self> {
        let takes_text = match dom.html_tag(at) {
            "textarea" => true,
            "input" => dom.input_kind(at).is_some_and(InputKind::takes_typing),
            _ => false,
        };
        let (at, text) = if takes_text {
            if dom.is_disabled(at) {
                return None;
            }
            (at, dom.raw_value(at).chars().collect::<Vec<char>>())
        } else {
            let host = dom.editing_host(at)?;
            (host, dom.spots(host).into_iter().map(|(c, _)| c).collect())
        };
        let (anchor, focus) = dom.selection(at);
        let selection = (anchor.min(text.len()), focus.min(text.len()));
        let is_readonly = takes_text && dom.has_attr(at, "readonly");
        Some(Self { at, is_host: !takes_text, is_readonly, text, selection })
    }

    /// The selection in order.
    pub(super) fn range(&self) -> (usize, usize) {
        let (a, b) = self.selection;
        (a.min(b), a.max(b))
    }

    pub(super) fn selected(&self) -> String {
        let (start, end) = self.range();
        self.text[start..end].iter().collect()
    }
}

impl State {
    pub(super) fn editable(&self, frame: FrameId, at: NodeId) -> Option<Editable> {
        Editable::of(&self.pages.get(&frame)?.dom, at)
    }

    /// Text in place of the selection.
    pub(super) fn insert(&mut self, frame: FrameId, at: NodeId, edit: Edit<'_>) {
        let Some(field) = self.editable(frame, at) else { return };
        self.fire_with(frame, field.at, "beforeinput", true, edit.detail());
        if field.is_readonly {
            return;
        }
        let Some(page) = self.pages.get_mut(&frame) else { return };
        let text = if field.is_host {
            edit.text.to_string()
        } else {
            fitted(&page.dom, &field, edit.text)
        };
        let (start, end) = field.range();
        if text.is_empty() && start == end {
            return;
        }
        let told = Edit { text: &text, ..edit };
        self.replace(frame, &field, (start, end), told);
    }

    /// Deletes the selection, or as far as a step goes.
    pub(super) fn delete(&mut self, frame: FrameId, at: NodeId, back: bool, step: Step) {
        let Some(field) = self.editable(frame, at).filter(|field| !field.is_readonly) else {
            return;
        };
        let (start, end) = field.range();
        let (from, to) = match start == end {
            false => (start, end),
            true => {
                let other = caret::place(&field.text, start, back, step);
                (start.min(other), start.max(other))
            }
        };
        let kind = match (step, back) {
            (Step::Word, true) => "deleteWordBackward",
            (Step::Word, false) => "deleteWordForward",
            (_, true) => "deleteContentBackward",
            (_, false) => "deleteContentForward",
        };
        let edit = Edit { kind, text: "" };
        self.fire_with(frame, field.at, "beforeinput", true, edit.detail());
        if from < to {
            self.replace(frame, &field, (from, to), edit);
        }
    }

    /// Puts text in place of a stretch of what the field holds, and tells of it.
    pub(super) fn replace(
        &mut self,
        frame: FrameId,
        field: &Editable,
        (from, to): (usize, usize),
        edit: Edit<'_>,
    ) {
        let Some(page) = self.pages.get_mut(&frame) else { return };
        let dom = &mut page.dom;
        let caret = from + edit.text.chars().count();
        if field.is_host {
            dom.delete_in_host(field.at, from, to);
            match edit.kind {
                "insertParagraph" => dom.break_in_host(field.at, from, true),
                "insertLineBreak" => dom.break_in_host(field.at, from, false),
                _ if edit.text.is_empty() => {}
                _ => dom.insert_in_host(field.at, from, edit.text),
            }
            dom.set_selection(field.at, (caret, caret));
        } else {
            let old: String = field.text.iter().collect();
            let new = field.text[..from].iter().collect::<String>()
                + edit.text
                + &field.text[to..].iter().collect::<String>();
            dom.remember(field.at, (old, field.selection), edit.is_typing());
            let before = dom.value(field.at);
            dom.set_raw_value(field.at, new, caret);
            if let Some(element) = dom.element_mut(field.at) {
                element.live.edited_from.get_or_insert(before);
            }
        }
        if edit.kind != "insertText" || field.is_host || !edit.text.contains('\n') {
            self.fire_with(frame, field.at, "input", true, edit.detail());
            return;
        }
        // Lines go in one by one, and each break between them.
        for (number, line) in edit.text.split('\n').enumerate() {
            if number > 0 {
                self.fire_with(frame, field.at, "input", true, Detail::Edit(edit.kind, None));
            }
            if !line.is_empty() {
                self.fire_with(frame, field.at, "input", true, Detail::Edit(edit.kind, Some(line)));
            }
        }
    }

    /// Moves the caret; with `extends` the selection's other end stays.
    pub(super) fn move_caret(&mut self, frame: FrameId, at: NodeId, key: &str, how: (bool, bool)) {
        let (extends, by_word) = how;
        let Some(field) = self.editable(frame, at) else { return };
        let (start, end) = field.range();
        let (back, step) = match (key, by_word) {
            ("ArrowLeft", false) => (true, Step::Character),
            ("ArrowRight", false) => (false, Step::Character),
            ("ArrowLeft", true) => (true, Step::Word),
            ("ArrowRight", true) => (false, Step::Word),
            ("Home", false) => (true, Step::Line),
            ("End", false) => (false, Step::Line),
            ("Home", true) => (true, Step::All),
            ("End", true) => (false, Step::All),
            _ => {
                // SIM DIFFERENCE: lines end at line breaks only, not where a field wraps them.
                let to = caret::vertical(&field.text, field.selection.1, key == "ArrowUp");
                let edge = if key == "ArrowUp" { 0 } else { field.text.len() };
                let to = to.unwrap_or(edge);
                return self.put_caret(frame, &field, to, extends);
            }
        };
        let to = match (step, start == end || extends) {
            (Step::Character, false) => {
                if back {
                    start
                } else {
                    end
                }
            }
            _ => caret::place(&field.text, field.selection.1, back, step),
        };
        self.put_caret(frame, &field, to, extends);
    }

    fn put_caret(&mut self, frame: FrameId, field: &Editable, to: usize, extends: bool) {
        let Some(page) = self.pages.get_mut(&frame) else { return };
        let anchor = if extends { field.selection.0 } else { to };
        page.dom.set_selection(field.at, (anchor, to));
    }

    pub(super) fn select_all(&mut self, frame: FrameId, at: NodeId) {
        let Some(field) = self.editable(frame, at) else { return };
        if let Some(page) = self.pages.get_mut(&frame) {
            page.dom.set_selection(field.at, (0, field.text.len()));
        }
    }

    /// A field that a person has edited tells of it once it is left or sent.
    pub(super) fn tell_change(&mut self, frame: FrameId, at: NodeId) {
        let Some(page) = self.pages.get_mut(&frame) else { return };
        let Some(element) = page.dom.element_mut(at) else { return };
        element.live.typing = false;
        let Some(before) = element.live.edited_from.take() else { return };
        if before != page.dom.value(at) {
            self.fire(frame, at, "change", true);
        }
    }
}

impl InputKind {
    /// A person types into it.
    pub(super) fn takes_typing(self) -> bool {
        // SIM DIFFERENCE: the parts of date and time fields take no keys.
        !self.is_textless()
            && !matches!(
                self,
                Self::File
                    | Self::Range
                    | Self::Color
                    | Self::Date
                    | Self::Time
                    | Self::DateTime
                    | Self::Month
                    | Self::Week
            )
    }
}

impl Dom {
    /// What undoing goes back to.
    fn remember(&mut self, id: NodeId, past: crate::dom::Past, is_typing: bool) {
        /// Most steps that are kept.
        const STEPS_MAX: usize = 100;
        let Some(element) = self.element_mut(id) else { return };
        let live = &mut element.live;
        if !(is_typing && live.typing) {
            live.undo.push(past);
            if live.undo.len() > STEPS_MAX {
                live.undo.remove(0);
            }
        }
        live.typing = is_typing;
        live.redo.clear();
    }
}

/// As much of a text as a field takes in place of its selection.
fn fitted(dom: &Dom, field: &Editable, text: &str) -> String {
    let (start, end) = field.range();
    let text = match dom.input_kind(field.at) {
        Some(InputKind::Number) => {
            text.chars().filter(|c| "0123456789eE+-.".contains(*c)).collect()
        }
        Some(_) => text.replace("\r\n", " ").replace(['\r', '\n'], " "),
        None => text.replace("\r\n", "\n").replace('\r', "\n"),
    };
    let limits = dom.is_html(field.at, "textarea")
        || dom.input_kind(field.at).is_some_and(|kind| kind != InputKind::Number);
    let limit = dom.attr(field.at, "maxlength").and_then(|most| most.trim().parse::<usize>().ok());
    let Some(limit) = limit.filter(|_| limits) else { return text };
    let units = |text: &[char]| text.iter().map(|c| c.len_utf16()).sum::<usize>();
    let mut room = limit.saturating_sub(units(&field.text) - units(&field.text[start..end]));
    text.chars()
        .take_while(|c| {
            let fits = c.len_utf16() <= room;
            room = room.saturating_sub(c.len_utf16());
            fits
        })
        .collect()
}
