//! The tree as text. One element a line, indented by tabs; every piece of page text is escaped, so that none can be a tag.
//!
//! ```text
//! <page title="T" url="U">
//!   <frame index="0" url="U">
//!     <main ref="l2">
//!       ## A heading
//!       <button ref="l4" disabled="true">Send</button>
//!       ...
//!       [Truncated 12 more elements. Interactive elements: <link ref="l9">Next</link>]
//! ```
//!
//! `...` stands for elements with one child each that say nothing themselves.

use super::limits;
use super::tree::{Child, FrameTree, Node, Tree};
use crate::refs::{LastingRefs, lasting_ref};
use crate::text::{header_piece, url_piece};
use alloc::{
    format,
    string::{String, ToString},
    vec::Vec,
};

/// Roles that print a tag even where they hold a single text.
const TAGGED: &[&str] = &[
    "document",
    "main",
    "navigation",
    "banner",
    "contentinfo",
    "form",
    "search",
    "list",
    "table",
    "tabpanel",
    "dialog",
    "alertdialog",
];
/// Roles that somebody acts on.
pub(super) const ACTIONS: &[&str] = &[
    "button",
    "link",
    "textbox",
    "searchbox",
    "checkbox",
    "radio",
    "switch",
    "combobox",
    "listbox",
    "menuitem",
    "menuitemcheckbox",
    "menuitemradio",
    "tab",
    "slider",
    "spinbutton",
    "option",
    "treeitem",
];
/// Actions that the summary of what is cut lists.
const LISTED_MAX: usize = 3;

/// Lines under construction.
pub(super) struct Lines<'a> {
    pub(super) refs: &'a LastingRefs,
    out: Vec<String>,
    most: usize,
    omitted: usize,
}

impl<'a> Lines<'a> {
    pub(super) fn new(refs: &'a LastingRefs, most: usize) -> Self {
        Self { refs, out: Vec::new(), most, omitted: 0 }
    }

    pub(super) fn push(&mut self, prefix: &str, depth: usize, text: &str) {
        if self.out.len() >= self.most {
            self.omitted += 1;
            return;
        }
        let mut line = String::from(prefix);
        line.extend((0..depth).map(|_| '\t'));
        line.push_str(text);
        self.out.push(line);
    }

    pub(super) fn finish(mut self) -> String {
        if self.omitted > 0 {
            self.out.push(format!("[Truncated {} more lines]", self.omitted));
        }
        self.out.join("\n")
    }
}

/// A page as text.
pub(super) fn render(tree: &Tree, refs: &LastingRefs) -> String {
    let mut lines = Lines::new(refs, limits::TREE_LINES_MAX);
    lines.push("", 0, &page_tag(tree));
    for frame in &tree.frames {
        render_frame(&mut lines, "", frame);
    }
    lines.push("", 0, "</page>");
    lines.finish()
}

pub(super) fn page_tag(tree: &Tree) -> String {
    let title = if tree.title.is_empty() { &tree.url } else { &tree.title };
    format!("<page title=\"{}\" url=\"{}\">", attribute(title, 200), address(&tree.url))
}

pub(super) fn render_frame(lines: &mut Lines<'_>, prefix: &str, frame: &FrameTree) {
    if let Some(error) = frame.error {
        lines.push(prefix, 1, &format!("{} error=\"{error}\" />", frame_tag(frame)));
        return;
    }
    if frame.children.is_empty() {
        return;
    }
    lines.push(prefix, 1, &format!("{}>", frame_tag(frame)));
    render_children(lines, prefix, 2, &frame.children);
    lines.push(prefix, 1, "</frame>");
}

pub(super) fn frame_tag(frame: &FrameTree) -> String {
    let parent = frame.parent.map(|parent| format!(" parent=\"{parent}\"")).unwrap_or_default();
    format!("<frame index=\"{}\" url=\"{}\"{parent}", frame.index, address(&frame.url))
}

pub(super) fn render_children(
    lines: &mut Lines<'_>,
    prefix: &str,
    depth: usize,
    children: &[Child],
) {
    for child in children.iter().take(limits::CHILDREN_MAX) {
        match child {
            Child::Text(text) => lines.push(prefix, depth, &content(text)),
            Child::Node(node) => render_node(lines, prefix, depth, node),
        }
    }
    if let Some(rest) = children.get(limits::CHILDREN_MAX..).filter(|rest| !rest.is_empty()) {
        let text = omitted(lines, rest);
        lines.push(prefix, depth, &text);
    }
}

pub(super) fn render_node(lines: &mut Lines<'_>, prefix: &str, depth: usize, node: &Node) {
    if let Some(level) = node.level.filter(|_| node.role == "heading") {
        render_heading(lines, prefix, depth, node, level);
        return;
    }
    if let Some(text) = bare_text(node) {
        lines.push(prefix, depth, &content(&text));
        return;
    }
    let chain = chain_end(node);
    let (tag, shown) = (open_tag(lines.refs, node), shown_children(node));
    match &shown[..] {
        [] => lines.push(prefix, depth, &format!("<{tag} />")),
        [Child::Text(text)] => {
            let text = content(text);
            lines.push(prefix, depth, &format!("<{tag}>{text}</{}>", node.role));
        }
        _ => {
            lines.push(prefix, depth, &format!("<{tag}>"));
            match chain {
                Some(end) => {
                    lines.push(prefix, depth + 1, "...");
                    render_children(lines, prefix, depth + 1, &end.children);
                }
                None => render_children(lines, prefix, depth + 1, &shown),
            }
            lines.push(prefix, depth, &format!("</{}>", node.role));
        }
    }
}

fn render_heading(lines: &mut Lines<'_>, prefix: &str, depth: usize, node: &Node, level: u32) {
    let marks: String = (0..level.clamp(1, 6)).map(|_| '#').collect();
    let texts = node.texts().join(" ");
    let text = if node.name.is_empty() { &texts } else { &node.name };
    lines.push(prefix, depth, &format!("{marks} {}", content(text)));
    let actions: Vec<&Node> = inner_nodes(node);
    for action in actions {
        render_node(lines, prefix, depth + 1, action);
    }
}

fn inner_nodes(node: &Node) -> Vec<&Node> {
    let inner = node.children.iter().filter_map(|child| match child {
        Child::Node(node) => Some(node),
        Child::Text(_) => None,
    });
    inner.collect()
}

/// Children with the name in front, unless they say it already.
fn shown_children(node: &Node) -> Vec<Child> {
    let mut children = node.children.clone();
    let says_it = node.texts().iter().any(|text| text.contains(&node.name));
    if !node.name.is_empty() && !says_it {
        children.insert(0, Child::Text(node.name.clone()));
    }
    children
}

/// An element that is nothing but its text.
fn bare_text(node: &Node) -> Option<String> {
    if ACTIONS.contains(&node.role) || TAGGED.contains(&node.role) || !node.attributes.is_empty() {
        return None;
    }
    match &shown_children(node)[..] {
        [Child::Text(text)]
            if matches!(
                node.role,
                "paragraph"
                    | "listitem"
                    | "cell"
                    | "generic"
                    | "strong"
                    | "emphasis"
                    | "code"
                    | "time"
                    | "term"
                    | "definition"
            ) =>
        {
            (node.role != "generic").then(|| text.clone())
        }
        _ => None,
    }
}

/// The last element of a chain of elements that have one child each and say nothing.
fn chain_end(node: &Node) -> Option<&Node> {
    let next = |node: &'_ Node| -> Option<usize> {
        let is_plain = node.name.is_empty() && node.attributes.is_empty();
        match &node.children[..] {
            [Child::Node(inner)]
                if is_plain && !ACTIONS.contains(&inner.role) && inner.role != "heading" =>
            {
                Some(0)
            }
            _ => None,
        }
    };
    let mut end = node;
    let mut steps = 0;
    while next(end).is_some() {
        let [Child::Node(inner)] = &end.children[..] else { break };
        if inner.role == "list" || inner.children.is_empty() || !inner.name.is_empty() {
            break;
        }
        end = inner;
        steps += 1;
    }
    (steps > 0).then_some(end)
}

pub(super) fn open_tag(refs: &LastingRefs, node: &Node) -> String {
    let mut tag = String::from(node.role);
    if let Some(number) = refs.number(node.key) {
        tag.push_str(&format!(" ref=\"{}\"", lasting_ref("l", number)));
    }
    for (name, value) in &node.attributes {
        let value = match *name {
            "href" => attribute(&url_piece(value), limits::HREF_CHARS_MAX),
            _ => attribute(value, limits::TEXT_CHARS_MAX),
        };
        tag.push_str(&format!(" {name}=\"{value}\""));
    }
    tag
}

/// What is cut, counted, with what it says and holds.
pub(super) fn omitted(lines: &Lines<'_>, rest: &[Child]) -> String {
    let (mut elements, mut actions, mut texts) = (0_usize, Vec::new(), Vec::new());
    let mut open: Vec<&Child> = rest.iter().rev().collect();
    while let Some(child) = open.pop() {
        match child {
            Child::Text(text) => texts.push(text.as_str()),
            Child::Node(node) => {
                elements += 1;
                if ACTIONS.contains(&node.role) {
                    actions.push(node);
                } else {
                    texts.extend((!node.name.is_empty()).then_some(node.name.as_str()));
                    open.extend(node.children.iter().rev());
                }
            }
        }
    }
    let plural = if elements == 1 { "" } else { "s" };
    let mut text = format!("[Truncated {elements} more element{plural}");
    let snippet = texts.join(" \u{b7} ");
    if !snippet.is_empty() {
        text.push_str(&format!(". Text snippet: {}", crate::text::quoted(&snippet, 80)));
    }
    if !actions.is_empty() {
        let mut listed: Vec<String> = actions
            .iter()
            .take(LISTED_MAX)
            .map(|node| {
                let label =
                    if node.name.is_empty() { node.texts().join(" ") } else { node.name.clone() };
                format!("<{}>{}</{}>", open_tag(lines.refs, node), content(&label), node.role)
            })
            .collect();
        if actions.len() > LISTED_MAX {
            listed.push("...".to_string());
        }
        text.push_str(&format!(". Interactive elements: {}", listed.join(", ")));
    }
    text.push(']');
    text
}

/// Page text between tags. A text cannot begin a line that looks like one of ours.
pub(super) fn content(text: &str) -> String {
    let piece = header_piece(text, limits::TEXT_CHARS_MAX);
    let piece = piece.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    if piece.starts_with(['#', '[', '+', '-', '~']) || piece == "..." {
        return format!("\\{piece}");
    }
    piece
}

/// Page text in a tag.
pub(super) fn attribute(text: &str, chars_max: usize) -> String {
    let piece = header_piece(text, chars_max);
    piece.replace('&', "&amp;").replace('"', "&quot;").replace('<', "&lt;").replace('>', "&gt;")
}

fn address(url: &str) -> String {
    attribute(&url_piece(url), 500)
}
