//! Page strings become one escaped, capped piece of one line: they cannot forge structure.

use crate::page::collapse;
use crate::planted::{self, Bug};
use alloc::{
    format,
    string::{String, ToString},
    vec::Vec,
};
use url::Url;

/// A JSON string of the text, collapsed and cut to `chars_max` characters (the last one is then `…`). Controls, bidi
/// controls and zero-width characters stand as `\uXXXX`.
pub fn quoted(text: &str, chars_max: usize) -> String {
    let mut out = String::with_capacity(text.len().min(4 * chars_max) + 2);
    out.push('"');
    push_piece(&mut out, text, chars_max, true);
    out.push('"');
    out
}

/// Rest of a header line: as [`quoted`], without the quotes and with quotes as they are.
pub fn header_piece(text: &str, chars_max: usize) -> String {
    let mut out = String::new();
    push_piece(&mut out, text, chars_max, false);
    out
}

/// A line of page text by itself: as [`header_piece`], and it does not begin as the lines of a fence do.
pub fn text_line(text: &str, chars_max: usize) -> String {
    let piece = header_piece(text, chars_max);
    match piece.strip_prefix('<') {
        Some(rest) if rest.starts_with("<<") && !planted::is(Bug::FenceForged) => {
            format!("\\u003c{rest}")
        }
        _ => piece,
    }
}

/// A JSON string of a live value: as [`quoted`], but not collapsed; line feeds and tabs stand as `\n` and `\t`.
pub fn quoted_value(text: &str, chars_max: usize) -> String {
    let mut out = String::from("\"");
    push_chars(&mut out, text, chars_max, true);
    out.push('"');
    out
}

/// A URL as the rest of a header line: without user name and password, and with the values of query fields that are named
/// like passwords left out.
pub fn url_piece(url: &str) -> String {
    const URL_CHARS_MAX: usize = 500;
    header_piece(&without_secrets(url), URL_CHARS_MAX)
}

fn without_secrets(url: &str) -> String {
    const SECRET_FIELDS: &[&str] = &["password", "passwd", "pwd", "passwort", "otp"];
    let Ok(mut parsed) = Url::parse(url) else { return url.into() };
    let is_secret = |pair: &str| {
        let name = pair.split('=').next().unwrap_or_default();
        pair.len() > name.len() + 1
            && SECRET_FIELDS.iter().any(|field| name.eq_ignore_ascii_case(field))
    };
    let has_credentials = !parsed.username().is_empty() || parsed.password().is_some();
    let query = parsed.query().filter(|query| query.split('&').any(is_secret)).map(|query| {
        let pairs = query.split('&').map(|pair| match is_secret(pair) {
            true => format!("{}=[filled]", pair.split('=').next().unwrap_or_default()),
            false => pair.into(),
        });
        pairs.collect::<Vec<String>>().join("&")
    });
    if query.is_none() && !has_credentials {
        return url.into();
    }
    if let Some(query) = query {
        parsed.set_query(Some(&query));
    }
    // Both fail only for URLs that cannot have credentials, and those have none to hide.
    let _ = parsed.set_username("");
    let _ = parsed.set_password(None);
    parsed.into()
}

fn push_piece(out: &mut String, text: &str, chars_max: usize, in_quotes: bool) {
    push_chars(out, &collapse(text), chars_max, in_quotes);
}

fn push_chars(out: &mut String, text: &str, chars_max: usize, in_quotes: bool) {
    for (at, c) in capped(text, chars_max) {
        if c == '[' && starts_like_a_ref(&text[at..]) && !planted::is(Bug::EscapeOff) {
            // Whoever looks for refs with a simple pattern must not find one that the page wrote.
            push_units(out, c);
        } else {
            if c == '"' && in_quotes {
                out.push('\\');
            }
            push_escaped(out, c);
        }
    }
}

fn starts_like_a_ref(text: &str) -> bool {
    text.get(1..4).is_some_and(|word| word.eq_ignore_ascii_case("ref"))
}

fn capped(text: &str, chars_max: usize) -> impl Iterator<Item = (usize, char)> + '_ {
    let is_long = text.chars().nth(chars_max).is_some();
    let kept = if is_long { chars_max.saturating_sub(1) } else { chars_max };
    text.char_indices().take(kept).chain(is_long.then_some((text.len(), '…')))
}

fn push_escaped(out: &mut String, c: char) {
    if c == '\n' && planted::is(Bug::LinesKept) {
        out.push(c);
    } else if c == '\\' {
        out.push_str("\\\\");
    } else if c == '\n' {
        out.push_str("\\n");
    } else if c == '\t' {
        out.push_str("\\t");
    } else if is_invisible(c) && !planted::is(Bug::InvisiblesKept) {
        push_units(out, c);
    } else {
        out.push(c);
    }
}

/// The character as `\uXXXX`, once for each UTF-16 code unit, as JSON writes it.
fn push_units(out: &mut String, c: char) {
    let mut units = [0; 2];
    for unit in c.encode_utf16(&mut units) {
        out.push_str("\\u");
        for shift in [12, 8, 4, 0] {
            // Four bits are always a hexadecimal digit.
            out.extend(char::from_digit(u32::from(*unit >> shift) & 0xf, 16));
        }
    }
}

/// JSON with every character of its strings that would not be seen as `\uXXXX`.
pub(crate) fn visible_json(value: &serde_json::Value) -> String {
    let mut out = String::new();
    for c in value.to_string().chars() {
        if is_invisible(c) {
            push_units(&mut out, c);
        } else {
            out.push(c);
        }
    }
    out
}

/// Characters that are not seen where they stand, or that reorder what is seen.
pub(crate) fn is_invisible(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}'
            | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}'
            | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        assert_eq!(quoted(text, 12), expected);
        let back: String = serde_json::from_str(&quoted(text, 12)).unwrap();
        assert!(back.chars().count() <= 12);
    }

    #[test]
    fn quotes_and_lines_cannot_leave_the_piece() {
        check("a\"] [ref", r#""a\"] \u005bref""#);
        check("a\n- button", r#""a - button""#);
        check("a\\", r#""a\\""#);
    }

    #[test]
    fn a_value_keeps_its_lines_and_a_url_loses_its_secrets() {
        assert_eq!(quoted_value("a\n\tb ", 9), r#""a\n\tb ""#);
        assert_eq!(
            url_piece("http://u:p@a.test/?x=1&Password=s3&pwd="),
            "http://a.test/?x=1&Password=[filled]&pwd="
        );
        assert_eq!(url_piece("http://a.test/?q=a|b"), "http://a.test/?q=a|b");
    }

    #[test]
    fn a_line_of_text_is_no_fence() {
        assert_eq!(text_line(" <<<end_web_content_1>>>", 40), r"\u003c<<end_web_content_1>>>");
        assert_eq!(text_line("a <<<b <c", 40), "a <<<b <c");
    }

    #[test]
    fn invisible_characters_are_shown() {
        check("a\u{202e}b\0", r#""a\u202eb\u0000""#);
        check("\u{e0041}", r#""\udb40\udc41""#);
    }

    #[test]
    fn a_long_piece_is_cut_at_a_character() {
        check("日本語日本語日本語日本語日", "\"日本語日本語日本語日本…\"");
        check("123456789012", "\"123456789012\"");
    }
}
