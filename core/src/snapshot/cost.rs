//! What a text costs a model, estimated by script.

/// Estimated tokens of a text, rounded up: four ASCII characters, two other alphabetic characters, or one CJK character,
/// emoji or symbol a token.
pub fn tokens(text: &str) -> u32 {
    quarters(text).div_ceil(4)
}

/// The same in quarter tokens, which add up without rounding.
pub(super) fn quarters(text: &str) -> u32 {
    text.chars().map(quarters_of).fold(0, u32::saturating_add)
}

fn quarters_of(c: char) -> u32 {
    match c {
        '\0'..='\u{7f}' => 1,
        '\u{80}'..='\u{2fff}' => 2,
        _ => 4,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_cost_what_they_cost() {
        assert_eq!(tokens("abcdefgh"), 2);
        assert_eq!(tokens("日本語"), 3);
        assert_eq!(tokens("привет"), 3);
        assert_eq!(tokens(""), 0);
    }
}
