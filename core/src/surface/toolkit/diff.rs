//! What changed between two trees of a page, computed on their nodes.
//!
//! `+ ` is new, `- ` is gone, `~ ` says something else than before; lines without a mark are there for the place. An element that
//! stands in another place than before counts as gone there and new here only if it is another node.

use super::limits;
use super::render::{
    Lines, content, frame_tag, open_tag, page_tag, render_children, render_frame, render_node,
};
use super::tree::{Child, FrameTree, Node, Tree, texts};
use crate::page::NodeKey;
use crate::refs::LastingRefs;
use alloc::{
    collections::{BTreeMap, BTreeSet},
    format,
    string::String,
};

/// The changes as text; empty if there are none.
pub(super) fn diff(old: &Tree, new: &Tree, refs: &LastingRefs) -> String {
    let same_head = old.title == new.title && old.url == new.url;
    let changes = Changes::new(old, new);
    let has_frames = frames_differ(old, new, &changes);
    if same_head && !has_frames {
        return String::new();
    }
    let mut lines = Lines::new(refs, limits::DIFF_LINES_MAX);
    if same_head {
        lines.push("", 0, &page_tag(new));
    } else {
        lines.push("- ", 0, &page_tag(old).replace('>', " />"));
        lines.push("+ ", 0, &page_tag(new));
    }
    for frame in &new.frames {
        match old.frames.iter().find(|before| before.document == frame.document) {
            Some(before) => changes.frame(&mut lines, before, frame),
            None => render_frame(&mut lines, "+ ", frame),
        }
    }
    let stands = |frame: &FrameTree| new.frames.iter().any(|now| now.document == frame.document);
    for gone in old.frames.iter().filter(|frame| !stands(frame)) {
        // The whole page being another one, what it held is not of interest.
        lines.push("- ", 1, &format!("{} />", frame_tag(gone)));
    }
    lines.finish()
}

fn frames_differ(old: &Tree, new: &Tree, changes: &Changes<'_>) -> bool {
    old.frames.len() != new.frames.len()
        || new.frames.iter().any(|frame| {
            match old.frames.iter().find(|before| before.document == frame.document) {
                Some(before) => {
                    before.error != frame.error
                        || before.url != frame.url
                        || changes.children_differ(&before.children, &frame.children)
                }
                None => true,
            }
        })
}

struct Changes<'a> {
    old: BTreeMap<NodeKey, (&'a Node, Option<NodeKey>)>,
    /// Elements that stand in the new tree.
    stands: BTreeSet<NodeKey>,
}

impl<'a> Changes<'a> {
    fn new(old: &'a Tree, new: &Tree) -> Self {
        Self { old: old.nodes(), stands: new.nodes().into_keys().collect() }
    }

    /// Something below differs.
    fn children_differ(&self, old: &[Child], new: &[Child]) -> bool {
        if texts(old) != texts(new) {
            return true;
        }
        if removed(old, &self.stands).next().is_some() {
            return true;
        }
        new.iter().any(|child| match child {
            Child::Text(_) => false,
            Child::Node(node) => match self.old.get(&node.key) {
                None => true,
                Some((before, _)) => {
                    before.own() != node.own()
                        || self.children_differ(&before.children, &node.children)
                }
            },
        })
    }

    fn frame(&self, lines: &mut Lines<'_>, old: &FrameTree, new: &FrameTree) {
        if old.error != new.error || old.url != new.url {
            lines.push("- ", 1, &format!("{} />", frame_tag(old)));
            render_frame(lines, "+ ", new);
            return;
        }
        if !self.children_differ(&old.children, &new.children) {
            return;
        }
        lines.push("", 1, &format!("{}>", frame_tag(new)));
        self.children(lines, 2, &old.children, &new.children);
        lines.push("", 1, "</frame>");
    }

    fn children(&self, lines: &mut Lines<'_>, depth: usize, old: &[Child], new: &[Child]) {
        let before = texts(old);
        let mut kept = kept(&before, &texts(new));
        let mut gone = kept.clone();
        for text in &before {
            if !take(&mut gone, text) {
                lines.push("- ", depth, &content(text));
            }
        }
        let mut is_unchanged_told = false;
        for child in new {
            match child {
                Child::Text(text) if take(&mut kept, text) => {}
                Child::Text(text) => lines.push("+ ", depth, &content(text)),
                Child::Node(node) => {
                    let changed = self.node(lines, depth, node);
                    if !changed && !is_unchanged_told {
                        lines.push("", depth, "...");
                        is_unchanged_told = true;
                    }
                }
            }
        }
        for gone in removed(old, &self.stands) {
            let tag = open_tag(lines.refs, gone);
            let shown = if gone.children.is_empty() && gone.name.is_empty() {
                format!("<{tag} />")
            } else {
                let label =
                    if gone.name.is_empty() { gone.texts().join(" ") } else { gone.name.clone() };
                format!("<{tag}>{}</{}>", content(&label), gone.role)
            };
            lines.push("- ", depth, &shown);
        }
    }

    /// Whether it had to be told.
    fn node(&self, lines: &mut Lines<'_>, depth: usize, node: &Node) -> bool {
        let Some((before, _)) = self.old.get(&node.key) else {
            render_node(lines, "+ ", depth, node);
            return true;
        };
        let below = self.children_differ(&before.children, &node.children);
        let own = before.own() != node.own();
        if !own && !below {
            return false;
        }
        let only_texts = node.children.iter().all(|child| matches!(child, Child::Text(_)))
            && before.children.iter().all(|child| matches!(child, Child::Text(_)));
        if only_texts || own && !below {
            render_node(lines, "~ ", depth, node);
            return true;
        }
        let mark = if own { "~ " } else { "" };
        lines.push(mark, depth, &format!("<{}>", open_tag(lines.refs, node)));
        if below {
            self.children(lines, depth + 1, &before.children, &node.children);
        } else {
            render_children(lines, mark, depth + 1, &node.children);
        }
        lines.push(mark, depth, &format!("</{}>", node.role));
        true
    }
}

/// How often each text stands in both lists. Where only their order differs, none is kept: something must be told.
fn kept<'a>(before: &[&'a str], now: &[&str]) -> BTreeMap<&'a str, usize> {
    let mut left: BTreeMap<&str, usize> = BTreeMap::new();
    now.iter().for_each(|text| *left.entry(text).or_default() += 1);
    let mut kept: BTreeMap<&str, usize> = BTreeMap::new();
    for text in before.iter().filter(|text| take(&mut left, text)) {
        *kept.entry(text).or_default() += 1;
    }
    let is_order_only =
        before.len() == now.len() && kept.values().sum::<usize>() == before.len() && before != now;
    if is_order_only { BTreeMap::new() } else { kept }
}

fn take(kept: &mut BTreeMap<&str, usize>, text: &str) -> bool {
    match kept.get_mut(text) {
        Some(left) if *left > 0 => {
            *left -= 1;
            true
        }
        _ => false,
    }
}

fn removed<'a>(old: &'a [Child], stands: &'a BTreeSet<NodeKey>) -> impl Iterator<Item = &'a Node> {
    old.iter().filter_map(move |child| match child {
        Child::Node(node) if !stands.contains(&node.key) => Some(node),
        Child::Node(_) | Child::Text(_) => None,
    })
}
