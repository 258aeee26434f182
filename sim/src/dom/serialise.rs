//! A document as HTML (HTML standard, "Serializing HTML fragments").

use super::{Data, Dom};
use backlot_core::page::NodeId;

/// Elements without an end tag.
const VOID: &[&str] = &[
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track",
    "wbr",
];
/// Elements whose text stands as it is.
const RAW: &[&str] =
    &["style", "script", "xmp", "iframe", "noembed", "noframes", "plaintext", "noscript"];

enum Todo {
    Open(NodeId),
    Close(NodeId),
}

impl Dom {
    /// An element with its content.
    pub(crate) fn outer_html(&self, id: NodeId) -> String {
        self.html_of(vec![Todo::Open(id)], &|_| false)
    }

    /// The document, or the content of one node. Values of fields that `leave_out` names are left out.
    pub(crate) fn html(&self, root: NodeId, leave_out: &dyn Fn(NodeId) -> bool) -> String {
        self.html_of(self.reversed_children(root), leave_out)
    }

    fn html_of(&self, mut open: Vec<Todo>, leave_out: &dyn Fn(NodeId) -> bool) -> String {
        let mut html = String::new();
        while let Some(next) = open.pop() {
            match next {
                Todo::Close(id) => {
                    html.push_str(&format!("</{}>", self.element(id).map_or("", |e| e.tag())));
                }
                Todo::Open(id) => match self.data(id) {
                    Data::Doctype => html.push_str("<!DOCTYPE html>"),
                    Data::Text(text) => self.push_text(&mut html, id, text),
                    Data::Element(element) => {
                        let tag = element.tag();
                        html.push_str(&format!("<{tag}"));
                        for attr in &element.attrs {
                            if attr.name != "value" || !leave_out(id) {
                                let value = escaped(&attr.value, true);
                                html.push_str(&format!(" {}=\"{value}\"", attr.name));
                            }
                        }
                        html.push('>');
                        if !VOID.contains(&tag) {
                            open.push(Todo::Close(id));
                            open.extend(self.reversed_children(id));
                        }
                    }
                    _ => {}
                },
            }
        }
        html
    }

    fn reversed_children(&self, id: NodeId) -> Vec<Todo> {
        let mut children: Vec<Todo> = self.children(id).map(Todo::Open).collect();
        children.reverse();
        children
    }

    fn push_text(&self, html: &mut String, id: NodeId, text: &str) {
        let parent = self.parent(id).and_then(|parent| self.element(parent));
        if parent.is_some_and(|parent| RAW.contains(&parent.tag())) {
            html.push_str(text);
        } else {
            html.push_str(&escaped(text, false));
        }
    }
}

fn escaped(text: &str, in_attribute: bool) -> String {
    let text = text.replace('&', "&amp;").replace('\u{a0}', "&nbsp;");
    let text = text.replace('<', "&lt;").replace('>', "&gt;");
    if in_attribute { text.replace('"', "&quot;") } else { text }
}
