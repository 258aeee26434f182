//! The text of a name while it grows: white space folds as it comes.

use super::NAME_BYTES_MAX;
use alloc::string::String;

/// Text with folded white space, a possible space kept at either end.
#[derive(Debug, Clone, Default)]
pub(super) struct Text {
    text: String,
    space: bool,
}

impl Text {
    /// Adds text as it stands in the page.
    pub(super) fn push(&mut self, text: &str) {
        for ch in text.chars() {
            if ch.is_ascii_whitespace() {
                self.space = true;
            } else if self.is_full() {
                return;
            } else {
                if self.space {
                    self.text.push(' ');
                    self.space = false;
                }
                self.text.push(ch);
            }
        }
    }

    /// Makes sure that what follows is a word of its own.
    pub(super) fn space(&mut self) {
        self.space = true;
    }

    /// No more is taken.
    pub(super) fn is_full(&self) -> bool {
        self.text.len() >= NAME_BYTES_MAX
    }

    /// How much there is besides white space around it; grows with everything that counts as a name.
    pub(super) fn size(&self) -> usize {
        self.text.trim_start_matches(' ').len()
    }

    /// The text with a space at each end that had one.
    pub(super) fn into_piece(mut self) -> String {
        if self.space {
            self.text.push(' ');
        }
        self.text
    }

    /// The text, trimmed.
    pub(super) fn finish(self) -> String {
        match self.text.strip_prefix(' ') {
            Some(rest) => rest.into(),
            None => self.text,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(pieces: &[&str], expected: &str) {
        let mut text = Text::default();
        for piece in pieces {
            text.push(piece);
        }
        assert_eq!(text.finish(), expected);
    }

    #[test]
    fn white_space_folds_across_pieces_and_a_no_break_space_counts() {
        check(&["  a", "b \n", "\tc  "], "ab c");
        check(&["a\u{a0}", " b"], "a\u{a0} b");
        check(&[" ", ""], "");
    }

    #[test]
    fn a_piece_keeps_its_edges() {
        let mut text = Text::default();
        text.push(" a ");
        assert_eq!(text.into_piece(), " a ");
    }

    #[test]
    fn length_is_bounded() {
        let mut text = Text::default();
        text.push(&"x".repeat(2 * NAME_BYTES_MAX));
        assert_eq!(text.finish().len(), NAME_BYTES_MAX);
    }
}
