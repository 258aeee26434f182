//! accname "Embedded Control": a control within a name stands for its value.

use super::super::role::Role;
use super::super::state::is_secret;
use super::super::tree::is_blank;
use super::walk::{Walk, Way};
use crate::page::{Element, FieldValue, NodeIdx, push_reversed};
use alloc::{borrow::Cow, vec, vec::Vec};

/// Most nodes looked at for the chosen options of one listbox.
const OPTION_STEPS_MAX: u32 = 10_000;

impl Walk<'_, '_> {
    /// A textbox, combobox, listbox or range.
    pub(super) fn is_embedded_control(&self, at: NodeIdx) -> bool {
        let role = self.aria.roles.naming(at);
        matches!(role, Role::Combobox | Role::Listbox)
            || role.is_a(Role::Textbox)
            || role.is_a(Role::Range)
    }

    /// Adds the value of a control; false where it has none to tell.
    pub(super) fn embedded_control(&mut self, at: NodeIdx, element: &Element, way: Way) -> bool {
        let role = self.aria.roles.naming(at);
        let before = self.text.size();
        if role.is_a(Role::Textbox) {
            self.textbox(at, element, way);
        } else if role.is_a(Role::Range) {
            self.range(element);
        } else {
            self.choice(at, element, way);
        }
        // A secret field tells nothing, not even by its other names.
        self.text.size() > before || is_secret(element)
    }

    fn textbox(&mut self, at: NodeIdx, element: &Element, way: Way) {
        match live_value(element) {
            Some(value) => self.text.push(&value),
            None if element.is_html("input") => {}
            None => self.content(at, way),
        }
    }

    fn choice(&mut self, at: NodeIdx, element: &Element, way: Way) {
        if element.is_html("input") || element.is_html("textarea") {
            if let Some(value) = live_value(element) {
                self.text.push(&value);
            }
            return;
        }
        let chosen = self.chosen_options(at, element);
        for option in &chosen {
            self.text.space();
            self.content(*option, way);
            self.text.space();
        }
        let native = element.is_html("select");
        if chosen.is_empty() && !native && self.aria.roles.naming(at) == Role::Combobox {
            self.content(at, way);
        }
    }

    fn range(&mut self, element: &Element) {
        let filled = |name| element.attr(name).filter(|value| !is_blank(value));
        if let Some(value) = filled("aria-valuetext").or_else(|| filled("aria-valuenow")) {
            self.text.push(value);
        } else if let Some(value) = live_value(element) {
            self.text.push(&value);
        } else if let Some(value) = filled("value").filter(|_| !is_secret(element)) {
            self.text.push(value);
        }
    }

    /// The selected options of a listbox or combobox, in order.
    fn chosen_options(&self, at: NodeIdx, element: &Element) -> Vec<NodeIdx> {
        let mut chosen = Vec::new();
        let mut first = None;
        let mut stack = vec![at];
        let mut steps = OPTION_STEPS_MAX;
        while let Some(next) = stack.pop() {
            if steps == 0 {
                break;
            }
            steps -= 1;
            if let Some(option) = self.aria.tree.frame.element(next)
                && (option.is_html("option") || self.aria.roles.naming(next) == Role::Option)
            {
                first = first.or(Some(next));
                if is_chosen(option) {
                    chosen.push(next);
                }
                continue;
            }
            push_reversed(&mut stack, self.aria.children(next));
        }
        // A drop-down always shows one of its options.
        let drop_down =
            element.is_html("select") && !super::super::implicit_role::is_listbox(element);
        if drop_down && chosen.is_empty() {
            chosen.extend(first);
        }
        chosen
    }
}

fn is_chosen(option: &Element) -> bool {
    if option.is_html("option") {
        return match &option.control {
            Some(control) => control.selected,
            None => option.has_attr("selected"),
        };
    }
    option.attr("aria-selected").is_some_and(|value| value.trim() == "true")
}

/// The live value of a field that is no secret.
fn live_value(element: &Element) -> Option<Cow<'_, str>> {
    match element.control.as_ref().map(|control| &control.value) {
        Some(FieldValue::Text(value)) => Some(Cow::Borrowed(value)),
        Some(FieldValue::Secret { .. }) => Some(Cow::Borrowed("")),
        Some(FieldValue::None) => None,
        None if element.is_html("input") && !is_secret(element) => {
            element.attr("value").map(Cow::Borrowed)
        }
        None => None,
    }
}
