//! Live state of form controls: values, checkedness, selectedness.

use super::Dom;
use super::walk::collapse;
use backlot_core::page::{Namespace, NodeId};

/// What a control holds beyond its attributes.
#[derive(Debug, Clone, Default)]
pub(crate) struct Live {
    /// The value, once set by a person or a script.
    pub(crate) value: Option<String>,
    pub(crate) checked: bool,
    pub(crate) dirty_checked: bool,
    pub(crate) indeterminate: bool,
    /// Of an option.
    pub(crate) selected: bool,
    pub(crate) dirty_selected: bool,
    /// Selection in a field or editing host, in characters: where it began, where it goes to.
    pub(crate) selection: (usize, usize),
    /// What undoing goes back to, and redoing forward to: values with their selections.
    pub(crate) undo: Vec<Past>,
    pub(crate) redo: Vec<Past>,
    /// A person made it what it is.
    pub(crate) by_person: bool,
    /// Keys typed now belong to the last step of `undo`.
    pub(crate) typing: bool,
    /// The value before a person changed it, until a `change` has told of it.
    pub(crate) edited_from: Option<String>,
    /// Names and contents of the files that were chosen.
    pub(crate) files: Vec<(String, Vec<u8>)>,
    /// It was a password field once.
    pub(crate) was_password: bool,
    /// Width and height of the picture that an image shows, CSS pixels.
    pub(crate) picture: Option<(f32, f32)>,
}

/// What a field held once, with the selection of then.
pub(crate) type Past = (String, (usize, usize));

/// How an `input` behaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum InputKind {
    Text,
    Password,
    Checkbox,
    Radio,
    Hidden,
    Button,
    Submit,
    Reset,
    Image,
    File,
    Number,
    Range,
    Color,
    Date,
    Time,
    DateTime,
    Month,
    Week,
    Email,
    Search,
    Tel,
    Url,
}

impl InputKind {
    pub(crate) fn of(given: &str) -> Self {
        match given.to_ascii_lowercase().as_str() {
            "password" => Self::Password,
            "checkbox" => Self::Checkbox,
            "radio" => Self::Radio,
            "hidden" => Self::Hidden,
            "button" => Self::Button,
            "submit" => Self::Submit,
            "reset" => Self::Reset,
            "image" => Self::Image,
            "file" => Self::File,
            "number" => Self::Number,
            "range" => Self::Range,
            "color" => Self::Color,
            "date" => Self::Date,
            "time" => Self::Time,
            "datetime-local" => Self::DateTime,
            "month" => Self::Month,
            "week" => Self::Week,
            "email" => Self::Email,
            "search" => Self::Search,
            "tel" => Self::Tel,
            "url" => Self::Url,
            _ => Self::Text,
        }
    }

    /// It has no live text of its own.
    pub(crate) fn is_textless(self) -> bool {
        matches!(
            self,
            Self::Checkbox
                | Self::Radio
                | Self::Hidden
                | Self::Button
                | Self::Submit
                | Self::Reset
                | Self::Image
        )
    }

    pub(crate) fn is_button(self) -> bool {
        matches!(self, Self::Button | Self::Submit | Self::Reset | Self::Image)
    }

    pub(crate) fn is_checkable(self) -> bool {
        matches!(self, Self::Checkbox | Self::Radio)
    }
}

impl Dom {
    /// `None` for anything but an `input`.
    pub(crate) fn input_kind(&self, id: NodeId) -> Option<InputKind> {
        self.is_html(id, "input").then(|| InputKind::of(self.attr(id, "type").unwrap_or_default()))
    }

    /// Live value of an `input`, `textarea`, `select` or `option`.
    pub(crate) fn value(&self, id: NodeId) -> String {
        match self.html_tag(id) {
            "option" => match self.attr(id, "value") {
                Some(value) => value.to_string(),
                None => self.option_text(id),
            },
            "select" => self
                .options(id)
                .into_iter()
                .find(|option| self.is_selected(*option))
                .map(|option| self.value(option))
                .unwrap_or_default(),
            "textarea" => match self.element(id).and_then(|e| e.live.value.clone()) {
                Some(value) => value,
                None => self.child_text(id).replace("\r\n", "\n").replace('\r', "\n"),
            },
            "input" => self.input_value(id),
            "button" => self.attr(id, "value").unwrap_or_default().to_string(),
            _ => String::new(),
        }
    }

    fn input_value(&self, id: NodeId) -> String {
        let kind = self.input_kind(id).unwrap_or(InputKind::Text);
        let attribute = self.attr(id, "value");
        if kind.is_checkable() {
            return attribute.unwrap_or("on").to_string();
        }
        if kind.is_textless() {
            return attribute.unwrap_or_default().to_string();
        }
        if kind == InputKind::File {
            // The standard gives every file this path, and no other.
            let first = self.element(id).and_then(|element| element.live.files.first());
            return first.map(|(name, _)| format!("C:\\fakepath\\{name}")).unwrap_or_default();
        }
        let live = self.element(id).and_then(|element| element.live.value.as_deref());
        self.sanitised(id, live.or(attribute).unwrap_or_default())
    }

    /// Sets the live value as a script does.
    pub(crate) fn set_value(&mut self, id: NodeId, value: &str) {
        self.revision += 1;
        let value = match self.input_kind(id) {
            Some(_) => self.sanitised(id, value),
            None => value.replace("\r\n", "\n").replace('\r', "\n"),
        };
        let end = value.chars().count();
        if let Some(element) = self.element_mut(id) {
            element.live.value = Some(value);
            element.live.selection = (end, end);
            element.live.by_person = false;
            element.live.undo.clear();
            element.live.redo.clear();
        }
    }

    /// The text that a person sees in a field: its value before it is sanitised.
    pub(crate) fn raw_value(&self, id: NodeId) -> String {
        let live = self.element(id).and_then(|element| element.live.value.clone());
        live.unwrap_or_else(|| self.value(id))
    }

    /// A person's edit of a field: the value is what of it makes sense.
    pub(crate) fn set_raw_value(&mut self, id: NodeId, value: String, caret: usize) {
        self.revision += 1;
        if let Some(element) = self.element_mut(id) {
            element.live.value = Some(value);
            element.live.selection = (caret, caret);
            element.live.by_person = true;
        }
    }

    /// Selection in a field, in characters: where it began, where it goes to.
    pub(crate) fn selection(&self, id: NodeId) -> (usize, usize) {
        self.element(id).map(|element| element.live.selection).unwrap_or_default()
    }

    /// The selection is another one from now on; what is typed next is a step of its own.
    pub(crate) fn set_selection(&mut self, id: NodeId, selection: (usize, usize)) {
        if let Some(element) = self.element_mut(id) {
            element.live.selection = selection;
            element.live.typing = false;
        }
    }

    pub(crate) fn child_text(&self, id: NodeId) -> String {
        self.children(id).filter_map(|child| self.text(child)).collect()
    }

    /// `option.text`: its text without scripts, collapsed.
    pub(crate) fn option_text(&self, id: NodeId) -> String {
        let mut text = String::new();
        let mut skip_under: Option<NodeId> = None;
        for at in self.subtree(id) {
            if let Some(script) = skip_under {
                if self.inclusive_ancestors(at).any(|up| up == script) {
                    continue;
                }
                skip_under = None;
            }
            match self.text(at) {
                Some(data) => text.push_str(data),
                None if self.element(at).is_some_and(|e| e.tag() == "script") => {
                    skip_under = Some(at);
                }
                None => {}
            }
        }
        collapse(&text)
    }

    /// A select's options, in the order of `select.options`.
    pub(crate) fn options(&self, select: NodeId) -> Vec<NodeId> {
        self.subtree(select).filter(|id| self.is_html(*id, "option")).collect()
    }

    pub(crate) fn select_of(&self, option: NodeId) -> Option<NodeId> {
        self.inclusive_ancestors(option).find(|id| self.is_html(*id, "select"))
    }

    pub(crate) fn is_selected(&self, option: NodeId) -> bool {
        self.element(option).is_some_and(|element| element.live.selected)
    }

    pub(crate) fn is_checked(&self, id: NodeId) -> bool {
        self.element(id).is_some_and(|element| element.live.checked)
    }

    /// Checks or unchecks; a radio's group follows.
    pub(crate) fn set_checked(&mut self, id: NodeId, checked: bool) {
        self.revision += 1;
        if let Some(element) = self.element_mut(id) {
            element.live.checked = checked;
            element.live.dirty_checked = true;
        }
        if checked {
            self.uncheck_others(id);
        }
    }

    pub(crate) fn radio_group(&self, id: NodeId) -> Vec<NodeId> {
        let name = self.attr(id, "name").unwrap_or_default();
        if self.input_kind(id) != Some(InputKind::Radio) || name.is_empty() {
            return vec![id];
        }
        let form = self.form_of(id);
        self.subtree(self.root_of(id))
            .filter(|at| {
                self.input_kind(*at) == Some(InputKind::Radio)
                    && self.attr(*at, "name") == Some(name)
                    && self.form_of(*at) == form
            })
            .collect()
    }

    fn uncheck_others(&mut self, id: NodeId) {
        if self.input_kind(id) != Some(InputKind::Radio) {
            return;
        }
        for other in self.radio_group(id) {
            if other != id
                && let Some(element) = self.element_mut(other)
            {
                element.live.checked = false;
            }
        }
    }

    /// The form that owns a control.
    pub(crate) fn form_of(&self, id: NodeId) -> Option<NodeId> {
        if let Some(wanted) = self.attr(id, "form") {
            let root = self.root_of(id);
            return self.by_id(root, wanted).filter(|form| self.is_html(*form, "form"));
        }
        let around = std::iter::successors(self.parent(id), |at| self.parent(*at))
            .find(|at| self.is_html(*at, "form"));
        let parsed = self.element(id).and_then(|element| element.parsed_form);
        around.or_else(|| parsed.filter(|form| self.root_of(*form) == self.root_of(id)))
    }

    /// `disabled` of its own, or of a fieldset, optgroup or select around it.
    pub(crate) fn is_disabled(&self, id: NodeId) -> bool {
        let tag = self.html_tag(id);
        let can = ["button", "input", "select", "textarea", "option", "optgroup", "fieldset"];
        if !can.contains(&tag) {
            return false;
        }
        if self.has_attr(id, "disabled") {
            return true;
        }
        let mut below = id;
        while let Some(at) = self.parent(below) {
            match self.html_tag(at) {
                "fieldset" if !matches!(tag, "option" | "optgroup") => {
                    let legend = self.children(at).find(|child| self.is_html(*child, "legend"));
                    if self.has_attr(at, "disabled") && legend != Some(below) {
                        return true;
                    }
                }
                "optgroup" if tag == "option" && self.has_attr(at, "disabled") => return true,
                _ => {}
            }
            below = at;
        }
        false
    }

    /// Sets up live state once the parser is done.
    pub(super) fn finish_parsing(&mut self) {
        self.finish_parsing_under(Self::DOCUMENT);
    }

    pub(super) fn finish_parsing_under(&mut self, root: NodeId) {
        for id in self.composed_under(root) {
            let Some(element) = self.element(id) else { continue };
            if element.namespace() != Namespace::Html {
                continue;
            }
            match element.tag() {
                "input" => {
                    for name in ["type", "checked"] {
                        self.attribute_changed(id, name);
                    }
                }
                "option" => self.attribute_changed(id, "selected"),
                _ => {}
            }
        }
        for id in self.composed_under(root) {
            if self.is_html(id, "select") {
                self.reset_selectedness(id, false);
            }
        }
    }

    pub(super) fn attribute_changed(&mut self, id: NodeId, name: &str) {
        match (self.html_tag(id), name) {
            ("input", "checked") => {
                let checked = self.has_attr(id, "checked");
                let Some(element) = self.element_mut(id) else { return };
                if element.live.dirty_checked {
                    return;
                }
                element.live.checked = checked;
                if checked {
                    self.uncheck_others(id);
                }
            }
            ("input", "type") => {
                if self.input_kind(id) == Some(InputKind::Password)
                    && let Some(element) = self.element_mut(id)
                {
                    element.live.was_password = true;
                }
            }
            ("option", "selected") => {
                let selected = self.has_attr(id, "selected");
                if let Some(element) = self.element_mut(id)
                    && !element.live.dirty_selected
                {
                    element.live.selected = selected;
                }
            }
            _ => {}
        }
    }

    /// One option at most stays selected in a select that shows one; a drop-down shows its first enabled option where
    /// none is.
    pub(crate) fn reset_selectedness(&mut self, select: NodeId, to_default: bool) {
        let options = self.options(select);
        if to_default {
            for option in &options {
                let selected = self.has_attr(*option, "selected");
                if let Some(element) = self.element_mut(*option) {
                    element.live.selected = selected;
                    element.live.dirty_selected = false;
                }
            }
        }
        if self.has_attr(select, "multiple") {
            return;
        }
        let last = options.iter().rev().find(|option| self.is_selected(**option)).copied();
        let size = self.attr(select, "size").and_then(|size| size.trim().parse().ok());
        let is_drop_down = size.unwrap_or(0) <= 1;
        let first_enabled = || options.iter().find(|option| !self.is_disabled(**option)).copied();
        let chosen = last.or_else(|| if is_drop_down { first_enabled() } else { None });
        for option in options {
            if let Some(element) = self.element_mut(option) {
                element.live.selected = Some(option) == chosen;
            }
        }
    }
}
