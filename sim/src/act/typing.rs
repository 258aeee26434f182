//! Text into fields and editing hosts.

use super::event::Detail;
use crate::world::State;
use backlot_core::page::{FrameId, NodeId, NodeKey, TabId};
use backlot_core::port::{NotSent, Typing};

impl State {
    /// Gives what the field is to hold now.
    pub(super) fn type_text(
        &mut self,
        tab: TabId,
        key: NodeKey,
        text: &str,
        how: Typing,
        submit: bool,
    ) -> Result<String, NotSent> {
        let (frame, id) = (key.document.frame, key.node);
        let page = self.pages.get(&frame).ok_or(NotSent::Gone)?;
        let mut expected = text.to_string();
        let is_field = matches!(page.dom.html_tag(id), "input" | "textarea");
        let replaces = matches!(how, Typing::Replace | Typing::ReplaceSlowly);
        let slowly = matches!(how, Typing::ReplaceSlowly | Typing::AppendSlowly);
        self.focus(frame, id);
        if is_field {
            let before = if replaces { String::new() } else { self.value_of(frame, id) };
            expected = format!("{before}{text}");
            if slowly {
                self.type_slowly(frame, id, &before, text);
            } else {
                let kind = if replaces { "insertReplacementText" } else { "insertText" };
                self.fire_with(frame, id, "beforeinput", false, Detail::Edit(kind, Some(text)));
                self.put_value(frame, id, &expected);
                self.fire_with(frame, id, "input", false, Detail::Edit(kind, Some(text)));
            }
            self.fire(frame, id, "change", false);
        } else {
            if !replaces {
                expected = format!("{}{text}", page_text(self, frame, id));
            }
            self.edit(frame, id, text, replaces);
        }
        if submit {
            self.fire_with(frame, id, "keydown", false, Detail::Key("Enter"));
            self.fire_with(frame, id, "keyup", false, Detail::Key("Enter"));
            let form = self.pages.get(&frame).and_then(|page| page.dom.form_of(id));
            if let Some(form) = form.filter(|_| is_field) {
                self.submit(tab, frame, form, None);
            }
        }
        Ok(expected)
    }

    fn type_slowly(&mut self, frame: FrameId, id: NodeId, before: &str, text: &str) {
        let mut value = before.to_string();
        for c in text.chars() {
            value.push(c);
            let typed = c.to_string();
            let edit = Detail::Edit("insertText", Some(&typed));
            let key = Detail::Key(if c == '\n' { "Enter" } else { &typed });
            self.fire_with(frame, id, "keydown", false, key);
            self.fire_with(frame, id, "beforeinput", false, edit);
            self.put_value(frame, id, &value);
            self.fire_with(frame, id, "input", false, edit);
            self.fire_with(frame, id, "keyup", false, key);
        }
        if text.is_empty() {
            self.put_value(frame, id, &value);
        }
    }

    fn value_of(&self, frame: FrameId, id: NodeId) -> String {
        self.pages.get(&frame).map(|page| page.dom.value(id)).unwrap_or_default()
    }

    fn put_value(&mut self, frame: FrameId, id: NodeId, value: &str) {
        if let Some(page) = self.pages.get_mut(&frame) {
            page.dom.set_value(id, value);
        }
    }

    /// The browser's own text insertion, for which Chromium fires `input` alone, after a `beforeinput` of the driver's.
    fn edit(&mut self, frame: FrameId, id: NodeId, text: &str, replaces: bool) {
        let host = self.pages.get(&frame).and_then(|page| page.dom.editing_host(id)).unwrap_or(id);
        let edit = match text {
            "" => Detail::Edit("deleteContentBackward", None),
            text => Detail::Edit("insertText", Some(text)),
        };
        self.fire_with(frame, host, "beforeinput", false, edit);
        let Some(page) = self.pages.get_mut(&frame) else { return };
        if replaces {
            page.dom.remove_children(id);
        }
        page.dom.append_text(id, text);
        page.dom.revision += 1;
        let end = page.dom.spots(host).len();
        page.dom.set_selection(host, (end, end));
        let edit = match text {
            "" => Detail::Edit("deleteContentBackward", None),
            text => Detail::Edit("insertText", Some(text)),
        };
        self.fire_with(frame, host, "input", true, edit);
    }
}

fn page_text(state: &State, frame: FrameId, id: NodeId) -> String {
    state.pages.get(&frame).map(|page| page.dom.text_content(id)).unwrap_or_default()
}
