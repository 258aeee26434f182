//! White space, as a person sees it.

use alloc::string::String;

/// Runs of white space become one space; none stays at the ends. Line and paragraph separators count as white space, a
/// no-break space does not.
pub fn collapse(text: &str) -> String {
    let mut out = String::with_capacity(text.len().min(4096));
    for word in text.split(is_space).filter(|word| !word.is_empty()) {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(word);
    }
    out
}

fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}')
}
