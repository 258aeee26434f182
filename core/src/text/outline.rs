//! The outline of seed 000, section 1.1.
//!
//! ```text
//! # Page Snapshot (s{nonce}_{snapshot})
//! URL: …
//! Title: …
//!
//! - heading "Sign in" [level=1]
//! - form "Sign-in form" [ref=s4m9z_3_1]
//!   - textbox "Email" [value="user@example.com"] [ref=s4m9z_3_2]
//! ```

use super::escape::{header_piece, quoted, quoted_value, url_piece};
use crate::snapshot::{Gap, Line, LineKind, Omission, OmissionKind, Snapshot, State};
use alloc::{format, string::String};

/// Most characters of a name.
const NAME_CHARS_MAX: usize = 2_000;
/// Most characters of a `value` state.
const VALUE_CHARS_MAX: usize = 200;
/// Most characters of a text line.
const TEXT_CHARS_MAX: usize = 2_000;
/// Most characters of the title.
const HEADER_CHARS_MAX: usize = 500;
/// What stands below the header of a page that shows nothing.
pub const EMPTY_PAGE: &str = "(empty page)";

/// The rendered text of a snapshot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outline(pub String);

/// Renders a snapshot under a title such as `Page Snapshot (sk4m9z_3)`. `ref_of` gives the ref text of a line that has one;
/// it is asked for each kept line in order.
pub fn outline(
    title: &str,
    snapshot: &Snapshot,
    kept: impl IntoIterator<Item = usize>,
    mut ref_of: impl FnMut(&Line) -> Option<String>,
) -> Outline {
    let mut out = format!(
        "# {title}\nURL: {}\nTitle: {}\n",
        url_piece(&snapshot.url),
        header_piece(&snapshot.title, HEADER_CHARS_MAX),
    );
    for at in kept {
        let line = &snapshot.lines[at];
        out.push('\n');
        out.push_str(&outline_line(line, ref_of(line).as_deref()));
    }
    if snapshot.lines.is_empty() {
        out.push('\n');
        out.push_str(EMPTY_PAGE);
    }
    for omission in &snapshot.omissions {
        out.push('\n');
        out.push_str(&omission_line(*omission));
    }
    Outline(out)
}

/// One line with its indentation, without a line feed.
pub fn outline_line(line: &Line, elem_ref: Option<&str>) -> String {
    let mut out = String::new();
    for _ in 0..line.depth {
        out.push_str("  ");
    }
    out.push_str("- ");
    match &line.kind {
        LineKind::Text(text) => {
            out.push_str("text: ");
            out.push_str(&quoted(text, TEXT_CHARS_MAX));
        }
        LineKind::Node { role, name, states, .. } => {
            out.push_str(role);
            if !name.is_empty() {
                out.push(' ');
                out.push_str(&quoted(name, NAME_CHARS_MAX));
            }
            for state in states {
                out.push_str(" [");
                push_state(&mut out, state);
                out.push(']');
            }
        }
    }
    if let Some(elem_ref) = elem_ref {
        out.push_str(" [ref=");
        out.push_str(elem_ref);
        out.push(']');
    }
    out
}

fn push_state(out: &mut String, state: &State) {
    match state {
        State::Level(level) => out.push_str(&format!("level={level}")),
        State::Type(word) => out.push_str(&format!("type={word}")),
        State::Checked => out.push_str("checked"),
        State::Mixed => out.push_str("checked=mixed"),
        State::Value(value) => {
            out.push_str("value=");
            out.push_str(&quoted_value(value, VALUE_CHARS_MAX));
        }
        State::Filled => out.push_str("filled"),
        State::Disabled => out.push_str("disabled"),
        State::Expanded => out.push_str("expanded"),
        State::Collapsed => out.push_str("collapsed"),
        State::Selected => out.push_str("selected"),
        State::Pressed => out.push_str("pressed"),
        State::Invalid => out.push_str("invalid"),
        State::Current => out.push_str("current"),
        State::Gap(Gap::CrossOrigin) => out.push_str("cross-origin, not read"),
        State::Gap(Gap::TooDeep) => out.push_str("nested too deep, not read"),
        State::Gap(Gap::Torn) => out.push_str("kept changing, not read"),
    }
}

fn omission_line(omission: Omission) -> String {
    let count = omission.count;
    let (what, how) = match omission.kind {
        OmissionKind::OffscreenText => {
            ("lines of text outside the viewport", "a larger maxTokens shows them")
        }
        OmissionKind::OffscreenStructure => {
            ("lines of structure outside the viewport", "a larger maxTokens shows them")
        }
        OmissionKind::Visible => ("visible lines", "a larger maxTokens shows them"),
        OmissionKind::Interactive => ("lines with refs", "a larger maxTokens shows them"),
        OmissionKind::CaptureLimit => {
            ("nodes beyond the limit of a capture", "the page is too large to be read whole")
        }
        OmissionKind::Depth => ("nodes nested too deep", "they cannot be shown"),
        OmissionKind::LongText => ("characters of very long text", "they are cut"),
    };
    format!("[omitted: {count} {what}; {how}]")
}
