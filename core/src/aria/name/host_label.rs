//! accname "Host Language Label": what HTML-AAM ("Accessible Name Computations By HTML Element") and SVG-AAM
//! ("Name and Description") name an element by.

use super::super::role::Role;
use super::super::tree::{is_blank, is_labelable};
use super::walk::{Walk, Way};
use crate::page::{Element, Namespace, NodeData, NodeIdx};
use crate::planted::{self, Bug};

impl Walk<'_, '_> {
    /// Adds the host language's label; false where there is none.
    pub(super) fn host_label(&mut self, at: NodeIdx, element: &Element, way: Way) -> bool {
        let before = self.text.size();
        match element.namespace {
            Namespace::Html => self.html_label(at, element, way),
            Namespace::Svg => self.svg_label(at, element),
            Namespace::MathMl | Namespace::Other => {}
        }
        self.text.size() > before
    }

    fn html_label(&mut self, at: NodeIdx, element: &Element, way: Way) {
        if is_labelable(element)
            && !planted::is(Bug::LabelForgotten)
            && !way.in_label
            && self.aria.roles.own(at) != Role::None
        {
            let before = self.text.size();
            let aria = self.aria;
            let labels = aria.tree.labels(at);
            if labels.len() > 1 {
                // A label within another one speaks once.
                self.told.extend(labels);
            }
            for label in labels {
                self.label(*label, at, way);
            }
            if self.text.size() > before {
                return;
            }
        }
        match element.tag.as_str() {
            "input" => self.input_label(element),
            "img" | "area" => self.attribute(element, "alt"),
            "option" | "optgroup" => self.attribute(element, "label"),
            "fieldset" => self.child_label(at, "legend", way),
            "table" => {
                let before = self.text.size();
                self.child_label(at, "caption", way);
                if self.text.size() == before {
                    self.attribute(element, "summary");
                }
            }
            _ => {}
        }
    }

    /// HTML-AAM "input type=button, submit and reset" and "input type=image": alternative text, value, and the default that
    /// browsers write on it in English.
    fn input_label(&mut self, element: &Element) {
        let kind = element.input_type();
        let default = match kind.as_str() {
            "button" => "",
            "submit" | "image" => "Submit",
            "reset" => "Reset",
            _ => return,
        };
        if kind == "image" && element.attr("alt").is_some_and(|alt| !is_blank(alt)) {
            self.attribute(element, "alt");
            return;
        }
        match element.attr("value") {
            Some(_) => self.attribute(element, "value"),
            None if kind == "image"
                && element.attr("title").is_some_and(|title| !is_blank(title)) =>
            {
                self.attribute(element, "title");
            }
            None => self.text.push(default),
        }
    }

    fn attribute(&mut self, element: &Element, name: &str) {
        if let Some(value) = element.attr(name).filter(|value| !is_blank(value)) {
            self.text.push(value);
        }
    }

    /// The first child of this tag.
    fn child_label(&mut self, at: NodeIdx, tag: &str, way: Way) {
        if let Some(child) = self.aria.tree.first_child(at, tag) {
            self.label(child, at, way);
        }
    }

    /// SVG-AAM: the first `title` child, else `xlink:title` of a link.
    fn svg_label(&mut self, at: NodeIdx, element: &Element) {
        let frame = self.aria.tree.frame;
        let title = frame.children(at).find(|child| {
            frame.element(*child).is_some_and(|e| e.namespace == Namespace::Svg && e.tag == "title")
        });
        let before = self.text.size();
        if let Some(title) = title {
            for child in frame.children(title) {
                if let NodeData::Text(text) = &frame.node(child).data {
                    self.text.push(text);
                }
            }
        }
        if self.text.size() == before && element.tag == "a" {
            self.attribute(element, "xlink:title");
        }
    }
}
