//! A page's lines in the three forms of the tool: ai, role, aria.
//!
//! ```text
//! - link "More" [ref=e2] [cursor=pointer]:        ai: flags, then the ref
//!   - /url: /more
//! - button "Save" [ref=e3] [nth=1] [disabled]     role: the ref, then the rest
//! {"ref":"ax3","role":"button","name":"Save","depth":2}
//! ```

use super::node_row::Node;
use super::yaml;
use crate::aria::AriaFrame;
use crate::page::{Capture, Element, NodeIdx, NodeKey};
use crate::snapshot::{Line, LineKind};
use crate::text::{quoted, url_piece};
use alloc::{collections::BTreeMap, format, string::String, vec::Vec};

/// Most characters of a name.
pub(super) const NAME_CHARS_MAX: usize = 900;
/// Most characters of a text or value.
pub(super) const TEXT_CHARS_MAX: usize = 2_000;
/// Most links that are listed, and most characters of a link's text.
const LINKS_MAX: usize = 100;
const LINK_CHARS_MAX: usize = 120;

/// How lines are printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    Ai,
    Role,
    Aria,
}

/// Which lines are wanted, and how.
#[derive(Debug, Clone, Copy)]
pub(super) struct Wish {
    pub(super) form: Form,
    /// Only what one can act on, flat.
    pub(super) interactive: bool,
    /// Without structure that leads to nothing.
    pub(super) compact: bool,
    /// Deepest level, from 0.
    pub(super) depth: Option<u32>,
}

/// One printed line.
#[derive(Debug, Clone, Default)]
pub(super) struct Row {
    pub(super) text: String,
    /// What a query looks at, where that is not the text.
    pub(super) search: Option<String>,
    /// Number of its ref.
    pub(super) number: Option<u32>,
    pub(super) interactive: bool,
}

impl Row {
    /// A line that is about no element.
    pub(super) fn plain(text: String) -> Self {
        Self { text, ..Self::default() }
    }

    /// What a query looks at.
    pub(super) fn searched(&self) -> &str {
        self.search.as_deref().unwrap_or(&self.text)
    }
}

/// The part of a page that is printed.
pub(super) struct Scope<'a> {
    pub(super) capture: &'a Capture,
    pub(super) views: &'a [AriaFrame<'a>],
    pub(super) lines: &'a [Line],
    /// An element of the top document; `None` is the whole page.
    pub(super) root: Option<NodeIdx>,
}

impl<'a> Scope<'a> {
    pub(super) fn element(&self, line: &Line) -> Option<&'a Element> {
        self.capture.frames[line.at.0 as usize].element(line.at.1)
    }

    /// The line lies in the part, through frames too.
    fn holds(&self, line: &Line) -> bool {
        let Some(root) = self.root else { return true };
        let (mut frame, mut at) = line.at;
        while let Some((parent, owner)) = self.capture.frames[frame as usize].owner {
            (frame, at) = (parent, owner);
        }
        (root..self.capture.top().node(root).end).contains(&at)
    }

    fn takes_ref(&self, line: &Line, form: Form) -> bool {
        let LineKind::Node { role, name, has_ref, .. } = &line.kind else { return false };
        let is_named_content = !name.is_empty()
            && matches!(
                *role,
                "article"
                    | "cell"
                    | "columnheader"
                    | "gridcell"
                    | "heading"
                    | "listitem"
                    | "main"
                    | "navigation"
                    | "region"
                    | "rowheader"
            );
        *has_ref || form == Form::Aria || is_named_content || *role == "iframe"
    }

    /// The lines that are wanted, each with its level; how many lie too deep.
    fn kept(&self, wish: &Wish) -> (Vec<(u32, &'a Line)>, usize) {
        let lines: Vec<&Line> = self.lines.iter().filter(|line| self.holds(line)).collect();
        let base = lines.iter().map(|line| line.depth).min().unwrap_or_default();
        let level = |line: &Line| line.depth - base;
        let fits = |line: &&Line| wish.depth.is_none_or(|depth| level(line) <= depth);
        let fit: Vec<(u32, &Line)> =
            lines.iter().copied().filter(fits).map(|line| (level(line), line)).collect();
        let deeper = lines.len() - fit.len();
        if wish.interactive {
            let flat = fit.into_iter().filter(|(_, line)| is_interactive(line));
            return (flat.map(|(_, line)| (0, line)).collect(), deeper);
        }
        if !wish.compact {
            return (fit, deeper);
        }
        // From the last to the first: a line stays if it says something, or something below it stays.
        let mut kept: Vec<(u32, &Line)> = Vec::new();
        let mut needed: Option<u32> = None;
        for (depth, line) in fit.into_iter().rev() {
            let is_parent = needed.is_some_and(|needed| depth < needed);
            let says = matches!(line.kind, LineKind::Text(_)) || self.takes_ref(line, wish.form);
            if says || is_parent {
                kept.push((depth, line));
                needed = Some(depth);
            }
        }
        kept.reverse();
        (kept, deeper)
    }

    /// Places of the elements that get a ref.
    pub(super) fn places(&self, wish: &Wish) -> Vec<(u32, NodeIdx)> {
        let (kept, _) = self.kept(wish);
        let with_ref = kept.iter().filter(|(_, line)| self.takes_ref(line, wish.form));
        with_ref.map(|(_, line)| line.at).collect()
    }
}

pub(super) fn is_interactive(line: &Line) -> bool {
    matches!(&line.kind, LineKind::Node { has_ref: true, role, .. } if *role != "form")
}

/// The rows, and how many lines lie too deep. `number` gives the number of an element's ref.
pub(super) fn rows(
    scope: &Scope<'_>,
    wish: &Wish,
    number: impl Fn(NodeKey) -> Option<u32>,
) -> (Vec<Row>, usize) {
    let (kept, deeper) = scope.kept(wish);
    let mut out = Vec::with_capacity(kept.len());
    let mut seen: BTreeMap<(&str, &str), u32> = BTreeMap::new();
    // Levels of the lines around that say already that the pointer changes.
    let mut pointing: Vec<u32> = Vec::new();
    let mut at = 0;
    while at < kept.len() {
        let (depth, line) = kept[at];
        at += 1;
        let LineKind::Node { role, name, states, .. } = &line.kind else {
            if let LineKind::Text(text) = &line.kind {
                out.push(text_row(wish.form, depth, text));
            }
            continue;
        };
        let number = number(line.key).filter(|_| scope.takes_ref(line, wish.form));
        let node = Node { scope, line, depth, role, name, states, number };
        pointing.retain(|around| *around < depth);
        match wish.form {
            Form::Aria => out.push(node.aria()),
            Form::Ai => {
                let points = number.is_some() && pointing.is_empty() && node.points();
                if points {
                    pointing.push(depth);
                }
                at += node.tree(&kept[at..], points, None, &mut out);
            }
            Form::Role => {
                let twin = number.map(|_| {
                    let count = seen.entry((role, name)).or_default();
                    *count += 1;
                    *count - 1
                });
                at += node.tree(&kept[at..], false, twin, &mut out);
            }
        }
    }
    (out, deeper)
}

/// The links of a part, numbered.
pub(super) fn links(scope: &Scope<'_>) -> Vec<Row> {
    let mut out = Vec::new();
    let (kept, _) =
        scope.kept(&Wish { form: Form::Role, interactive: false, compact: false, depth: None });
    for (_, line) in kept {
        let LineKind::Node { role: "link", name, .. } = &line.kind else { continue };
        let Some(url) = scope.element(line).and_then(|element| element.attr("href")) else {
            continue;
        };
        if out.len() == LINKS_MAX {
            break;
        }
        let text = quoted(name, LINK_CHARS_MAX);
        let base = url::Url::parse(&scope.capture.frames[line.at.0 as usize].url);
        let whole = base.and_then(|base| base.join(url)).map(String::from);
        let whole = whole.unwrap_or_else(|_| url.into());
        let text = format!("{}. {text} -> {}", out.len() + 1, url_piece(&whole));
        out.push(Row::plain(text));
    }
    if !out.is_empty() {
        out.insert(0, Row::plain("Links:".into()));
    }
    out
}

fn text_row(form: Form, depth: u32, text: &str) -> Row {
    let text = match form {
        Form::Aria => {
            let piece = quoted(text, TEXT_CHARS_MAX);
            return Row {
                text: format!("{{\"role\":\"text\",\"name\":{piece},\"depth\":{depth}}}"),
                search: Some(format!("- text: {piece}")),
                ..Row::default()
            };
        }
        Form::Ai | Form::Role => yaml::value(text, TEXT_CHARS_MAX),
    };
    Row::plain(format!("{}- text: {text}", indent(depth)))
}

pub(super) fn indent(depth: u32) -> String {
    (0..depth).map(|_| "  ").collect()
}
