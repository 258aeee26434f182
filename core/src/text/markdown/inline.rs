//! One line of Markdown while it grows: folded white space, escaped text, links and emphasis around it.

use super::super::escape::{is_invisible, url_piece};
use alloc::{
    format,
    string::{String, ToString},
    vec::Vec,
};
use core::fmt::Write;
use url::Url;

/// What surrounds a piece of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Kind {
    Link(String),
    Strong,
    Emphasis,
    Code,
}

/// The line.
#[derive(Debug, Default)]
pub(super) struct Inline {
    text: String,
    /// A space is due before what comes next.
    space: bool,
    /// What is open, with where it began.
    open: Vec<(Kind, usize)>,
}

impl Inline {
    /// Adds text as it stands in the page.
    pub(super) fn text(&mut self, text: &str) {
        let in_code = self.open.iter().any(|(kind, _)| *kind == Kind::Code);
        for c in text.chars() {
            if matches!(c, ' ' | '\t' | '\n' | '\r' | '\u{c}') {
                self.space = true;
                continue;
            }
            self.due_space();
            if in_code {
                // A backtick would end the code.
                push_visible(&mut self.text, if c == '`' { '\'' } else { c });
            } else {
                escaped(&mut self.text, c);
            }
        }
    }

    fn due_space(&mut self) {
        if core::mem::take(&mut self.space) && !self.text.is_empty() && !self.text.ends_with('\n') {
            self.text.push(' ');
        }
    }

    /// A line break within the block.
    pub(super) fn line_break(&mut self) {
        if !self.text.is_empty() {
            self.text.push_str("\\\n");
        }
        self.space = false;
    }

    /// A picture; without an address it is its words alone.
    pub(super) fn image(&mut self, name: &str, src: Option<&str>) {
        self.due_space();
        let mut words = String::new();
        name.chars().for_each(|c| escaped(&mut words, c));
        // Fails only where the buffer does, and strings take everything.
        let _ = write!(self.text, "![{words}]({})", src.unwrap_or_default());
    }

    /// Opens what surrounds the next pieces; false where it is open already, or code is.
    pub(super) fn open(&mut self, kind: &Kind) -> bool {
        let is_open = self.open.iter().any(|(open, _)| {
            *open == Kind::Code || core::mem::discriminant(open) == core::mem::discriminant(kind)
        });
        if !is_open {
            self.due_space();
            self.open.push((kind.clone(), self.text.len()));
        }
        !is_open
    }

    /// Closes what was opened last; nothing is left of it where there is no text in it.
    pub(super) fn close(&mut self, kind: &Kind) {
        let Some(place) = self.open.iter().rposition(|(open, _)| open == kind) else { return };
        let (_, from) = self.open.remove(place);
        let Some(inner) = self.text.get(from..).map(ToString::to_string) else { return };
        if inner.trim().is_empty() {
            return;
        }
        self.text.truncate(from);
        let whole = match kind {
            Kind::Link(url) => format!("[{inner}]({url})"),
            Kind::Strong => format!("**{inner}**"),
            Kind::Emphasis => format!("*{inner}*"),
            Kind::Code => format!("`{inner}`"),
        };
        self.text.push_str(&whole);
    }

    /// The line's end: its text, with what would begin a block escaped. What is open goes on in the next line.
    pub(super) fn take(&mut self) -> String {
        // A link that holds blocks closes with each of them.
        let open: Vec<Kind> = self.open.iter().map(|(kind, _)| kind.clone()).collect();
        open.iter().rev().for_each(|kind| self.close(kind));
        let text = core::mem::take(&mut self.text);
        self.space = false;
        self.open = open.into_iter().map(|kind| (kind, 0)).collect();
        let text = text.trim_end_matches(['\\', '\n', ' ']);
        text.split('\n').map(|line| not_a_block(line.trim_start())).collect::<Vec<_>>().join("\n")
    }
}

/// Escapes what would make a heading, an item, a quote or a rule of a line.
fn not_a_block(line: &str) -> String {
    let marks = line.find(|c: char| !c.is_ascii_digit()).unwrap_or(line.len());
    let ends = |rest: &str| rest.is_empty() || rest.starts_with(' ');
    if let Some(rest) = line[marks..].strip_prefix(['.', ')'])
        && marks > 0
        && ends(rest)
    {
        return format!("{}\\{}", &line[..marks], &line[marks..]);
    }
    let makes_a_block = match line.chars().next() {
        Some('>' | '|' | '=') => true,
        Some('#') => ends(line.trim_start_matches('#')),
        Some('+') => ends(&line[1..]),
        Some('-') => ends(&line[1..]) || line.starts_with("--") || line.starts_with("- "),
        Some('~') => line.starts_with("~~~"),
        _ => false,
    };
    if makes_a_block { format!("\\{line}") } else { line.into() }
}

/// A character of the page, escaped where it would be Markdown.
fn escaped(out: &mut String, c: char) {
    // A single underscore inside a word is no emphasis, and names are full of them.
    let in_word = c == '_' && out.chars().next_back().is_some_and(char::is_alphanumeric);
    if matches!(c, '\\' | '`' | '*' | '[' | ']' | '<') || c == '_' && !in_word {
        out.push('\\');
    }
    push_visible(out, c);
}

fn push_visible(out: &mut String, c: char) {
    if is_invisible(c) {
        let _ = write!(out, "\\u{{{:x}}}", u32::from(c));
    } else {
        out.push(c);
    }
}

/// Code in a fence that it cannot close.
pub(super) fn fenced(code: &str) -> String {
    let mut longest = 0;
    let mut run = 0;
    for c in code.chars() {
        run = if c == '`' { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    let fence: String = (0..(longest + 1).max(3)).map(|_| '`').collect();
    let mut text = String::new();
    for (at, line) in code.trim_matches('\n').split('\n').enumerate() {
        if at > 0 {
            text.push('\n');
        }
        // A line that begins like the fence around the whole result reads otherwise.
        let rest = line.strip_prefix("<<<").inspect(|_| text.push_str("\\u003c<<"));
        for c in rest.unwrap_or(line).chars() {
            match c {
                '\t' => text.push(c),
                '\r' => {}
                c => push_visible(&mut text, c),
            }
        }
    }
    if text.trim().is_empty() { String::new() } else { format!("{fence}\n{text}\n{fence}") }
}

/// An address as it can stand in a link: absolute, without secrets; `None` for what leads nowhere from outside (scripts, data).
pub(super) fn url(base: &str, written: &str) -> Option<String> {
    let url = match Url::parse(base) {
        Ok(base) => base.join(written.trim()),
        Err(_) => Url::parse(written.trim()),
    };
    let url = url.ok().filter(|url| !matches!(url.scheme(), "javascript" | "data" | "blob"))?;
    Some(url_piece(url.as_str()).replace('(', "%28").replace(')', "%29"))
}
