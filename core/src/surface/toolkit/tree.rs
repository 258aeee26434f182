//! The page as the tree that the toolkit prints: frames side by side, elements and texts below them.

use crate::aria::AriaFrame;
use crate::page::{Capture, DocumentKey, FrameGap, NodeIdx, NodeKey};
use crate::snapshot::{Gap, Line, LineKind, Snapshot, State};
use alloc::{
    collections::BTreeMap,
    format,
    string::{String, ToString},
    vec::Vec,
};

/// A page.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Tree {
    pub(super) title: String,
    pub(super) url: String,
    pub(super) frames: Vec<FrameTree>,
}

/// One frame.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct FrameTree {
    pub(super) index: usize,
    pub(super) document: DocumentKey,
    pub(super) url: String,
    /// Index of the frame around it.
    pub(super) parent: Option<u32>,
    /// Why there is nothing to see.
    pub(super) error: Option<&'static str>,
    pub(super) children: Vec<Child>,
}

/// What stands in a frame or element.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Child {
    Text(String),
    Node(Node),
}

/// An element.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Node {
    pub(super) key: NodeKey,
    pub(super) role: &'static str,
    pub(super) name: String,
    /// Depth of a heading.
    pub(super) level: Option<u32>,
    /// In the order in which they are printed.
    pub(super) attributes: Vec<(&'static str, String)>,
    pub(super) children: Vec<Child>,
}

impl Tree {
    /// The tree of a captured page (with boxes) and the places of its elements, in the order of the tree.
    pub(super) fn of(
        capture: &Capture,
        views: &[AriaFrame<'_>],
        snapshot: &Snapshot,
    ) -> (Self, Vec<(u32, NodeIdx)>) {
        let scopes: Vec<Option<NodeIdx>> = views.iter().map(shown_modal).collect();
        let mut by_frame: BTreeMap<u32, Vec<&Line>> = BTreeMap::new();
        let mut places = Vec::new();
        for line in &snapshot.lines {
            if !in_scope(capture, &scopes, line.at) {
                continue;
            }
            by_frame.entry(line.at.0).or_default().push(line);
            if !line.is_text() {
                places.push(line.at);
            }
        }
        let frames = (0..)
            .zip(&capture.frames)
            .filter(|(at, _)| is_frame_in_scope(capture, &scopes, *at))
            .map(|(at, frame)| FrameTree {
                index: at as usize,
                document: frame.document,
                url: frame.url.clone(),
                parent: frame.owner.map(|(parent, _)| parent),
                error: frame.gap.map(|gap| match gap {
                    FrameGap::CrossOrigin => "its content is of another origin and cannot be read",
                    FrameGap::TooDeep => "it is nested too deep to be read",
                    FrameGap::Torn => "it kept changing while it was read",
                }),
                children: by_frame
                    .remove(&at)
                    .map(|lines| nest(capture, &lines))
                    .unwrap_or_default(),
            })
            .collect();
        let tree = Self { title: snapshot.title.clone(), url: snapshot.url.clone(), frames };
        (tree, places)
    }

    /// All elements, each with the one around it.
    pub(super) fn nodes(&self) -> BTreeMap<NodeKey, (&Node, Option<NodeKey>)> {
        let mut found = BTreeMap::new();
        for frame in &self.frames {
            let mut open: Vec<(&Child, Option<NodeKey>)> =
                frame.children.iter().map(|child| (child, None)).collect();
            while let Some((child, around)) = open.pop() {
                if let Child::Node(node) = child {
                    found.insert(node.key, (node, around));
                    open.extend(node.children.iter().map(|inner| (inner, Some(node.key))));
                }
            }
        }
        found
    }
}

/// The modal dialog that covers a frame, if one is really shown: the topmost of those that the browser holds open as modal,
/// else the last one that calls itself modal and has a box that somebody can see.
fn shown_modal(aria: &AriaFrame<'_>) -> Option<NodeIdx> {
    let frame = aria.lookup().frame();
    let is_seen = |at: NodeIdx| {
        let rect = frame.element(at).and_then(|element| element.rect.known());
        let view = frame.viewport;
        aria.hidden(at).is_shown()
            && rect.is_some_and(|rect| {
                rect.has_area() && rect.touches(&crate::page::Rect { x: 0.0, y: 0.0, ..view })
            })
    };
    if let Some(top) = frame.modal.iter().rev().find(|at| is_seen(**at)) {
        return Some(*top);
    }
    let count = NodeIdx::try_from(frame.nodes.len()).unwrap_or(NodeIdx::MAX);
    (0..count).rev().find(|at| {
        let names_itself = frame
            .element(*at)
            .and_then(|element| element.attr("aria-modal"))
            .is_some_and(|value| value == "true");
        names_itself && matches!(aria.role(*at).as_str(), "dialog" | "alertdialog") && is_seen(*at)
    })
}

fn in_scope(capture: &Capture, scopes: &[Option<NodeIdx>], (frame_at, at): (u32, NodeIdx)) -> bool {
    let frame = &capture.frames[frame_at as usize];
    let inside =
        scopes[frame_at as usize].is_none_or(|scope| at >= scope && at < frame.node(scope).end);
    inside && is_frame_in_scope(capture, scopes, frame_at)
}

fn is_frame_in_scope(capture: &Capture, scopes: &[Option<NodeIdx>], frame_at: u32) -> bool {
    match capture.frames[frame_at as usize].owner {
        Some(owner) => in_scope(capture, scopes, owner),
        None => true,
    }
}

/// Lines as a tree: a line's parent is the nearest one before it that stands less deep.
fn nest(capture: &Capture, lines: &[&Line]) -> Vec<Child> {
    let mut roots: Vec<Child> = Vec::new();
    let mut open: Vec<(u32, Node)> = Vec::new();
    let close = |open: &mut Vec<(u32, Node)>, roots: &mut Vec<Child>| {
        if let Some((_, node)) = open.pop() {
            let child = Child::Node(node);
            match open.last_mut() {
                Some((_, around)) => around.children.push(child),
                None => roots.push(child),
            }
        }
    };
    for line in lines {
        while open.last().is_some_and(|(depth, _)| *depth >= line.depth) {
            close(&mut open, &mut roots);
        }
        match &line.kind {
            LineKind::Text(text) => {
                let child = Child::Text(text.clone());
                match open.last_mut() {
                    Some((_, around)) => around.children.push(child),
                    None => roots.push(child),
                }
            }
            LineKind::Node { role, name, states, .. } => {
                open.push((line.depth, node(capture, line, role, name, states)));
            }
        }
    }
    while !open.is_empty() {
        close(&mut open, &mut roots);
    }
    roots
}

fn node(capture: &Capture, line: &Line, role: &'static str, name: &str, states: &[State]) -> Node {
    let mut level = None;
    let mut attributes: Vec<(&'static str, String)> = Vec::new();
    let truth = || "true".to_string();
    for state in states {
        match state {
            State::Level(depth) => level = Some(*depth),
            State::Type(kind) => attributes.push(("type", kind.to_string())),
            State::Checked => attributes.push(("checked", truth())),
            State::Mixed => attributes.push(("checked", "mixed".into())),
            State::Value(value) => attributes.push(("value", value.clone())),
            State::Filled => attributes.push(("filled", truth())),
            State::Disabled => attributes.push(("disabled", truth())),
            State::Expanded => attributes.push(("expanded", truth())),
            State::Collapsed => attributes.push(("expanded", "false".into())),
            State::Selected => attributes.push(("selected", truth())),
            State::Pressed => attributes.push(("pressed", truth())),
            State::Invalid => attributes.push(("invalid", truth())),
            State::Current => attributes.push(("current", truth())),
            State::Gap(gap) => attributes.push(("unreadable", gap_word(*gap).into())),
        }
    }
    let element = capture.frames[line.at.0 as usize].element(line.at.1);
    let attribute = |name: &str| element.and_then(|element| element.attr(name));
    if role == "link"
        && let Some(href) = attribute("href")
    {
        attributes.push(("href", href.into()));
    }
    if let Some(placeholder) = attribute("placeholder").filter(|text| *text != name) {
        attributes.push(("placeholder", placeholder.into()));
    }
    Node { key: line.key, role, name: name.into(), level, attributes, children: Vec::new() }
}

fn gap_word(gap: Gap) -> &'static str {
    match gap {
        Gap::CrossOrigin => "another origin",
        Gap::TooDeep => "too deep",
        Gap::Torn => "kept changing",
    }
}

impl Node {
    /// What it says of itself, its place and its children aside. An address counts without query and fragment.
    pub(super) fn own(&self) -> String {
        let mut own = format!("{} {} {:?}", self.role, self.name, self.level);
        for (name, value) in &self.attributes {
            let value = if *name == "href" {
                value.split(['?', '#']).next().unwrap_or_default()
            } else {
                value
            };
            own.push_str(&format!(" {name}={value}"));
        }
        own
    }

    /// Its texts.
    pub(super) fn texts(&self) -> Vec<&str> {
        texts(&self.children)
    }
}

/// The texts among children.
pub(super) fn texts(children: &[Child]) -> Vec<&str> {
    let text = |child: &'_ Child| match child {
        Child::Text(_) => true,
        Child::Node(_) => false,
    };
    children
        .iter()
        .filter(|child| text(child))
        .map(|child| match child {
            Child::Text(text) => text.as_str(),
            Child::Node(_) => "",
        })
        .collect()
}
