//! A page's lines in the three forms of the tool: ai, role, aria.
//!
//! ```text
//! - link "More" [ref=e2] [cursor=pointer]:        ai: flags, then the ref
//!   - /url: /more
//! - button "Save" [ref=e3] [nth=1] [disabled]     role: the ref, then the rest
//! {"ref":"ax3","role":"button","name":"Save","depth":2}
//! ```

use super::yaml;
use crate::aria::{AriaFrame, Invalid, States, Tristate};
use crate::page::{Capture, Element, FieldValue, NodeIdx, NodeKey};
use crate::snapshot::{Gap, Line, LineKind, State};
use crate::text::{quoted, quoted_value, url_piece};
use alloc::{collections::BTreeMap, format, string::String, vec, vec::Vec};

/// Most characters of a name.
const NAME_CHARS_MAX: usize = 900;
/// Most characters of a text or value.
const TEXT_CHARS_MAX: usize = 2_000;
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
    search: Option<String>,
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
    fn element(&self, line: &Line) -> Option<&'a Element> {
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

fn is_interactive(line: &Line) -> bool {
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
        let text = format!("{}. {text} -> {}", out.len() + 1, url_piece(url));
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

fn indent(depth: u32) -> String {
    (0..depth).map(|_| "  ").collect()
}

/// An element's line.
struct Node<'a> {
    scope: &'a Scope<'a>,
    line: &'a Line,
    depth: u32,
    role: &'a str,
    name: &'a str,
    states: &'a [State],
    number: Option<u32>,
}

impl Node<'_> {
    fn row(&self, text: String) -> Row {
        let interactive = self.number.is_some() && is_interactive(self.line);
        Row { text, search: None, number: self.number, interactive }
    }

    fn known(&self) -> States {
        self.scope.views[self.line.at.0 as usize].states(self.line.at.1)
    }

    fn points(&self) -> bool {
        let element = self.scope.element(self.line);
        element.and_then(|element| element.style.known()).is_some_and(|style| style.cursor_pointer)
    }

    /// Its lines in the ai and role forms; how many of the lines after it they say already.
    fn tree(
        &self,
        after: &[(u32, &Line)],
        points: bool,
        twin: Option<u32>,
        out: &mut Vec<Row>,
    ) -> usize {
        let flags = self.flags();
        let elem_ref = self.number.map(|number| format!(" [ref=e{number}]")).unwrap_or_default();
        let mut key = self.role.into();
        if !self.name.is_empty() {
            key = format!("{key} {}", quoted(self.name, NAME_CHARS_MAX));
        }
        let key = match twin {
            // Only the role form counts twins, and it has the ref first.
            Some(twin) => {
                let nth = if twin > 0 { format!(" [nth={twin}]") } else { String::new() };
                format!("{key}{elem_ref}{nth}{flags}")
            }
            None if points => format!("{key}{flags}{elem_ref} [cursor=pointer]"),
            None => format!("{key}{flags}{elem_ref}"),
        };
        let below = indent(self.depth + 1);
        let has_properties = twin.is_none() && self.number.is_some();
        let properties: Vec<String> = if has_properties { self.properties() } else { Vec::new() };
        let inner = after.iter().take_while(|(depth, _)| *depth > self.depth);
        let inner: Vec<&Line> = inner.map(|(_, line)| *line).collect();
        let value = self.value().filter(|_| inner.is_empty() || self.role != "combobox");
        let (only_text, said) = match (inner.as_slice(), &value) {
            ([line], None) => match &line.kind {
                LineKind::Text(text) => (Some(text.clone()), 1),
                LineKind::Node { .. } => (None, 0),
            },
            ([], Some(value)) => (Some(value.clone()), 0),
            _ => (None, 0),
        };
        let (head, key) = (indent(self.depth), yaml::key(key));
        if let Some(text) = only_text.filter(|_| properties.is_empty()) {
            let text = yaml::value(&text, TEXT_CHARS_MAX);
            out.push(self.row(format!("{head}- {key}: {text}")));
            return said;
        }
        let has_more = !inner.is_empty() || !properties.is_empty() || value.is_some();
        out.push(self.row(format!("{head}- {key}{}", if has_more { ":" } else { "" })));
        out.extend(
            properties.into_iter().map(|property| Row::plain(format!("{below}- {property}"))),
        );
        if let Some(value) = value {
            let value = yaml::value(&value, TEXT_CHARS_MAX);
            out.push(Row::plain(format!("{below}- text: {value}")));
        }
        0
    }

    fn properties(&self) -> Vec<String> {
        let Some(element) = self.scope.element(self.line) else { return vec![] };
        let url = element.attr("href").filter(|_| self.role == "link");
        let hint = element.attr("placeholder").filter(|hint| *hint != self.name);
        let hint = hint.filter(|_| matches!(element.tag.as_str(), "input" | "textarea"));
        let piece = |name: &str, value: &str| format!("/{name}: {}", yaml::value(value, 500));
        let url = url.map(|url| piece("url", &url_piece(url)));
        url.into_iter().chain(hint.map(|hint| piece("placeholder", hint))).collect()
    }

    /// The live value of a field that is no secret.
    fn value(&self) -> Option<String> {
        self.states.iter().find_map(|state| match state {
            State::Value(value) => Some(value.clone()),
            _ => None,
        })
    }

    /// Flags in the order of the grammar.
    fn flags(&self) -> String {
        let known = self.known();
        let mut flags: Vec<String> = Vec::new();
        let mut push = |flag: &str| flags.push(flag.into());
        match known.checked {
            Some(Tristate::True) => push("checked"),
            Some(Tristate::Mixed) => push("checked=mixed"),
            Some(Tristate::False) | None => {}
        }
        if known.disabled {
            push("disabled");
        }
        if known.expanded == Some(true) {
            push("expanded");
        }
        // The focused element of a document within: the frame's own focus is on the frame element.
        if known.focused && !matches!(self.role, "iframe" | "form") {
            push("active");
        }
        match known.invalid {
            Some(Invalid::Grammar) => push("invalid=grammar"),
            Some(Invalid::Spelling) => push("invalid=spelling"),
            Some(Invalid::Other) => push("invalid"),
            None => {}
        }
        if let Some(level) = known.level.filter(|_| self.role == "heading") {
            push(&format!("level={level}"));
        }
        match known.pressed {
            Some(Tristate::True) => push("pressed"),
            Some(Tristate::Mixed) => push("pressed=mixed"),
            Some(Tristate::False) | None => {}
        }
        if known.selected == Some(true) {
            push("selected");
        }
        if let Some(word) = self.secret() {
            push(word);
        }
        for state in self.states {
            match state {
                State::Gap(Gap::CrossOrigin) => push("cross-origin, not read"),
                State::Gap(Gap::TooDeep) => push("nested too deep, not read"),
                State::Gap(Gap::Torn) => push("kept changing, not read"),
                _ => {}
            }
        }
        flags.iter().map(|flag| format!(" [{flag}]")).collect()
    }

    /// Of a secret field: only whether it holds something.
    fn secret(&self) -> Option<&'static str> {
        match self.scope.element(self.line)?.control.as_ref()?.value {
            FieldValue::Secret { filled: true } => Some("filled"),
            FieldValue::Secret { filled: false } => Some("empty"),
            FieldValue::Text(_) | FieldValue::None => None,
        }
    }

    /// One JSON object.
    fn aria(&self) -> Row {
        let name = quoted(self.name, NAME_CHARS_MAX);
        let elem_ref = self.number.map(|number| format!("ax{number}"));
        let mut text = String::from("{");
        if let Some(elem_ref) = &elem_ref {
            text.push_str(&format!("\"ref\":\"{elem_ref}\","));
        }
        text.push_str(&format!("\"role\":\"{}\",\"name\":{name}", self.role));
        let mut search = format!("- {} {name}", self.role);
        if let Some(elem_ref) = &elem_ref {
            search.push_str(&format!(" [ref={elem_ref}]"));
        }
        let value = self.value().or_else(|| self.secret().map(|word| format!("({word})")));
        let described = self.scope.views[self.line.at.0 as usize].description(self.line.at.1);
        let described = Some(described).filter(|text| !text.is_empty());
        for (word, value) in [("value", value), ("description", described)] {
            if let Some(value) = value {
                let value = quoted_value(&value, TEXT_CHARS_MAX);
                text.push_str(&format!(",\"{word}\":{value}"));
                search.push_str(&format!(" {word}={value}"));
            }
        }
        text.push_str(&format!(",\"depth\":{}}}", self.depth));
        Row { search: Some(search), ..self.row(text) }
    }
}
