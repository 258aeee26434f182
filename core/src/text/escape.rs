//! Page strings become one escaped, capped piece of one line: they cannot forge structure.

use crate::page::collapse;
use alloc::string::String;

/// A JSON string of the text, collapsed and cut to `chars_max` characters (the last one is then `…`). Controls, bidi
/// controls and zero-width characters stand as `\uXXXX`.
pub fn quoted(text: &str, chars_max: usize) -> String {
    let mut out = String::with_capacity(text.len().min(4 * chars_max) + 2);
    out.push('"');
    for c in capped(&collapse(text), chars_max) {
        if c == '"' {
            out.push('\\');
        }
        push_escaped(&mut out, c);
    }
    out.push('"');
    out
}

/// Rest of a header line: as [`quoted`], without the quotes and with quotes as they are.
pub fn header_piece(text: &str, chars_max: usize) -> String {
    let mut out = String::new();
    for c in capped(&collapse(text), chars_max) {
        push_escaped(&mut out, c);
    }
    out
}

fn capped(text: &str, chars_max: usize) -> impl Iterator<Item = char> + '_ {
    let is_long = text.chars().nth(chars_max).is_some();
    let kept = if is_long { chars_max.saturating_sub(1) } else { chars_max };
    text.chars().take(kept).chain(is_long.then_some('…'))
}

fn push_escaped(out: &mut String, c: char) {
    if c == '\\' {
        out.push_str("\\\\");
    } else if is_invisible(c) {
        let mut units = [0; 2];
        for unit in c.encode_utf16(&mut units) {
            out.push_str("\\u");
            for shift in [12, 8, 4, 0] {
                // Four bits are always a hexadecimal digit.
                out.extend(char::from_digit(u32::from(*unit >> shift) & 0xf, 16));
            }
        }
    } else {
        out.push(c);
    }
}

/// Characters that are not seen where they stand, or that reorder what is seen.
fn is_invisible(c: char) -> bool {
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
        check("a\"] [ref=s1", r#""a\"] [ref=s1""#);
        check("a\n- button", r#""a - button""#);
        check("a\\", r#""a\\""#);
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
