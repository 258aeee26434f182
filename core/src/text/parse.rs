//! Reads the outline back: for tests, and for programs that are given the text.
//!
//! The format is `docs/snapshot-format.md`. Nothing in this library parses what it printed: steps work on trees.

use super::outline::EMPTY_PAGE;
use alloc::{
    borrow::ToOwned,
    format,
    string::{String, ToString},
    vec::Vec,
};

/// An outline as text says it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ParsedOutline {
    /// What stands behind `# `, such as `Page Snapshot (sk4m9z_3)`.
    pub heading: String,
    /// The page's URL, as printed.
    pub url: String,
    /// Its title, as printed.
    pub title: String,
    /// The lines; none for a page that shows nothing.
    pub lines: Vec<ParsedLine>,
    /// What stands between the brackets of the omission lines, without `omitted: `.
    pub omissions: Vec<String>,
}

/// One line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParsedLine {
    /// Levels below the top.
    pub depth: usize,
    /// What it says.
    pub kind: ParsedKind,
}

/// What a line says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ParsedKind {
    /// Text that stands for itself.
    Text(String),
    /// An element.
    Node {
        /// Role word.
        role: String,
        /// Accessible name; empty where there is none.
        name: String,
        /// Bracketed states in their order, without the brackets.
        states: Vec<ParsedState>,
        /// The ref.
        elem_ref: Option<String>,
    },
}

/// A bracketed state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ParsedState {
    /// Words of ours, such as `disabled` or `level=2`.
    Words(String),
    /// `name="…"`: a value of the page.
    Value {
        /// The name.
        name: String,
        /// The value, unescaped.
        value: String,
    },
}

/// A line that is not as the format says.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {problem}")]
pub struct ParseError {
    /// Line number, from 1.
    pub line: usize,
    /// What is wrong there.
    pub problem: String,
}

/// Reads an outline.
///
/// # Errors
/// With the first line that is not as the format says.
pub fn parse(text: &str) -> Result<ParsedOutline, ParseError> {
    let mut lines = text.split('\n').enumerate();
    let mut header = |mark: &str| {
        let (at, line) = lines.next().unwrap_or((0, ""));
        let found = line.strip_prefix(mark).map(ToOwned::to_owned);
        found.ok_or_else(|| error(at, format!("{mark:?} is missing")))
    };
    let mut parsed = ParsedOutline {
        heading: header("# ")?,
        url: header("URL: ")?,
        title: header("Title: ")?,
        ..ParsedOutline::default()
    };
    if let Some((at, line)) = lines.next()
        && !line.is_empty()
    {
        return Err(error(at, "an empty line is missing after the header".into()));
    }
    for (at, line) in lines {
        if let Some(omission) = line.strip_prefix("[omitted: ").and_then(|l| l.strip_suffix(']')) {
            parsed.omissions.push(omission.into());
            continue;
        }
        if line == EMPTY_PAGE && parsed.lines.is_empty() {
            continue;
        }
        let found = if parsed.omissions.is_empty() {
            read_line(line, parsed.lines.last().map_or(0, |above: &ParsedLine| above.depth + 1))
        } else {
            Err("a line stands behind the omissions".into())
        };
        parsed.lines.push(found.map_err(|problem| error(at, problem))?);
    }
    Ok(parsed)
}

fn error(at: usize, problem: String) -> ParseError {
    ParseError { line: at + 1, problem }
}

fn read_line(line: &str, depth_max: usize) -> Result<ParsedLine, String> {
    let rest = line.trim_start_matches(' ');
    let indent = line.len() - rest.len();
    if indent % 2 == 1 {
        return Err("an odd number of spaces".into());
    }
    let depth = indent / 2;
    if depth > depth_max {
        return Err("it is indented by more than one level".into());
    }
    let rest = rest.strip_prefix("- ").ok_or("no `- `")?;
    if let Some(text) = rest.strip_prefix("text: ") {
        let (text, rest) = string(text)?;
        let kind = ParsedKind::Text(text);
        return if rest.is_empty() {
            Ok(ParsedLine { depth, kind })
        } else {
            Err("something stands behind the text".into())
        };
    }
    let end = rest.find(' ').unwrap_or(rest.len());
    let role = &rest[..end];
    let is_word = |c: char| c.is_ascii_lowercase() || c == '-';
    if role.is_empty() || !role.chars().all(is_word) {
        return Err(format!("{role:?} is no role"));
    }
    let mut rest = &rest[end..];
    let mut name = String::new();
    if let Some(quoted) = rest.strip_prefix(' ').filter(|rest| rest.starts_with('"')) {
        (name, rest) = string(quoted)?;
    }
    let mut states = Vec::new();
    let mut elem_ref = None;
    while !rest.is_empty() {
        let inner = rest.strip_prefix(" [").ok_or("something stands outside of brackets")?;
        if elem_ref.is_some() {
            return Err("something stands behind the ref".into());
        }
        let (state, after) = bracket(inner)?;
        rest = after;
        match state {
            ParsedState::Words(words) if words.starts_with("ref=") => {
                elem_ref = Some(words["ref=".len()..].to_owned());
            }
            state => states.push(state),
        }
    }
    Ok(ParsedLine { depth, kind: ParsedKind::Node { role: role.into(), name, states, elem_ref } })
}

/// What stands after an opening bracket, and what follows the closing one.
fn bracket(text: &str) -> Result<(ParsedState, &str), String> {
    let end = text.find(['=', ']']).ok_or("a bracket is not closed")?;
    if let Some(quoted) = text[end..].strip_prefix('=').filter(|value| value.starts_with('"')) {
        let (value, rest) = string(quoted)?;
        let rest = rest.strip_prefix(']').ok_or("a bracket is not closed")?;
        return Ok((ParsedState::Value { name: text[..end].into(), value }, rest));
    }
    let end = text.find(']').ok_or("a bracket is not closed")?;
    Ok((ParsedState::Words(text[..end].into()), &text[end + 1..]))
}

/// A JSON string, and what follows it.
fn string(text: &str) -> Result<(String, &str), String> {
    let mut is_escaped = false;
    let closing = text.char_indices().skip(1).find(|(_, c)| {
        let closes = *c == '"' && !is_escaped;
        is_escaped = *c == '\\' && !is_escaped;
        closes
    });
    let (end, _) = closing.ok_or("a string is not closed")?;
    let value = serde_json::from_str(&text[..=end]).map_err(|error| error.to_string())?;
    Ok((value, &text[end + 1..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADER: &str = "# Page Snapshot (s7_1)\nURL: http://a.test/\nTitle: A \"b\"\n\n";

    fn check(body: &str, expected: &str) {
        let lines = parse(&format!("{HEADER}{body}")).map(|parsed| format!("{:?}", parsed.lines));
        let got = lines.unwrap_or_else(|error| error.to_string());
        assert!(got.contains(expected), "{body}\n{got}");
    }

    #[test]
    fn the_form_of_the_seed_reads_back() {
        let text = format!(
            "{HEADER}- form \"Sign-in form\" [ref=s7_1_1]\n  - textbox \"Password\" [type=password] [value=\"a\\\"] [x\"] \
             [ref=s7_1_2]\n- text: \"Hi\"\n[omitted: 3 visible lines; a larger maxTokens shows them]"
        );
        let parsed = parse(&text).unwrap();
        assert_eq!(parsed.heading, "Page Snapshot (s7_1)");
        assert_eq!(parsed.title, "A \"b\"");
        assert_eq!(parsed.omissions, ["3 visible lines; a larger maxTokens shows them"]);
        let ParsedKind::Node { role, name, states, elem_ref } = &parsed.lines[1].kind else {
            panic!("no node: {:?}", parsed.lines[1])
        };
        assert_eq!((role.as_str(), name.as_str()), ("textbox", "Password"));
        let value = ParsedState::Value { name: "value".into(), value: "a\"] [x".into() };
        assert_eq!(states, &[ParsedState::Words("type=password".into()), value]);
        assert_eq!(elem_ref.as_deref(), Some("s7_1_2"));
        assert_eq!(parsed.lines[1].depth, 1);
        assert_eq!(parsed.lines[2].kind, ParsedKind::Text("Hi".into()));
    }

    #[test]
    fn what_is_not_the_format_names_its_line() {
        check("- button \"a", "line 5: a string is not closed");
        check("- button [a", "line 5: a bracket is not closed");
        check("- Button", "line 5: \"Button\" is no role");
        check("- list\n    - listitem", "line 6: it is indented by more than one level");
        check("- button [ref=a] [disabled]", "line 5: something stands behind the ref");
        check("button", "line 5: no `- `");
        check("[omitted: 1 x]\n- list", "line 6: a line stands behind the omissions");
        let error = parse("# x\nTitle: y").unwrap_err();
        assert_eq!(error.to_string(), "line 2: \"URL: \" is missing");
    }

    #[test]
    fn an_empty_page_has_no_lines() {
        check(EMPTY_PAGE, "[]");
    }
}
