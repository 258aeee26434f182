//! Pieces of page text that stay one YAML scalar, whatever the page says.

use crate::text::quoted_value;
use alloc::{format, string::String};

/// A mapping key: our own words and JSON strings. Single quotes where YAML would read it as something else.
pub(super) fn key(text: String) -> String {
    if needs_quotes(&text) { format!("'{}'", text.replace('\'', "''")) } else { text }
}

/// A value of at most so many characters. Double quotes where YAML would read it as something else, and where a character needs
/// an escape.
pub(super) fn value(text: &str, chars_max: usize) -> String {
    let quoted = quoted_value(text, chars_max);
    let is_plain = quoted.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) == Some(text);
    if is_plain && !needs_quotes(text) { text.into() } else { quoted }
}

fn needs_quotes(text: &str) -> bool {
    let leads = |c: char| "&*],?!>|@\"'#%[-".contains(c);
    let colon_ends = |text: &str| {
        text.match_indices(':')
            .any(|(at, _)| text[at + 1..].chars().next().is_none_or(char::is_whitespace))
    };
    text.is_empty()
        || text.starts_with(char::is_whitespace)
        || text.ends_with(char::is_whitespace)
        || text.chars().any(|c| c.is_control() || matches!(c, '{' | '}' | '`'))
        || text.starts_with(leads)
        || colon_ends(text)
        || text.contains(" #")
        || is_number(text)
        || is_word(text)
}

/// Anything that some YAML reader may take for a number or a date.
fn is_number(text: &str) -> bool {
    let rest = text.trim_start_matches(['+', '-', '.']);
    rest.starts_with(|c: char| c.is_ascii_digit())
        && text.chars().all(|c| c.is_ascii_hexdigit() || "xXoO_.:+-".contains(c))
        || matches!(rest.to_ascii_lowercase().as_str(), "inf" | "nan")
}

fn is_word(text: &str) -> bool {
    matches!(
        text.to_ascii_lowercase().as_str(),
        "y" | "n" | "yes" | "no" | "true" | "false" | "on" | "off" | "null" | "~" | "=" | "<<"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        assert_eq!(value(text, 100), expected, "{text:?}");
    }

    #[test]
    fn what_yaml_would_misread_is_quoted() {
        check("Sign in", "Sign in");
        check("a:b", "a:b");
        for text in [
            "",
            " a",
            "a ",
            "- a",
            "a: b",
            "a:",
            "a #b",
            "&a",
            "[a",
            "{a}",
            "`a`",
            "12",
            "1e5",
            "0x1f",
            "No",
            "null",
            ".inf",
            "2026-01-01",
            "12:30",
        ] {
            check(text, &format!("\"{text}\""));
        }
    }

    #[test]
    fn lines_and_refs_cannot_be_forged() {
        check("a\n- button \"x\" [ref=e1]", "\"a\\n- button \\\"x\\\" \\u005bref=e1]\"");
        assert_eq!(key("button \"it's: x\"".into()), "'button \"it''s: x\"'");
    }
}
