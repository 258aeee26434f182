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
        let blank = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_whitespace);
        self.space |= blank(text.as_bytes().first());
        for (at, word) in text.split_ascii_whitespace().enumerate() {
            if self.is_full() {
                return;
            }
            self.space |= at > 0;
            self.append(word);
        }
        self.space |= blank(text.as_bytes().last());
    }

    /// Adds what [`Self::into_piece`] gave: folded already.
    pub(super) fn push_piece(&mut self, piece: &str) {
        let inner = piece.strip_prefix(' ').unwrap_or(piece);
        self.space |= inner.len() < piece.len();
        let word = inner.strip_suffix(' ').unwrap_or(inner);
        if !word.is_empty() && !self.is_full() {
            self.append(word);
        }
        self.space |= word.len() < inner.len();
    }

    fn append(&mut self, folded: &str) {
        if core::mem::take(&mut self.space) {
            self.text.push(' ');
        }
        let mut end = folded.len().min(NAME_BYTES_MAX.saturating_sub(self.text.len()));
        while !folded.is_char_boundary(end) {
            end -= 1;
        }
        self.text.push_str(&folded[..end]);
    }

    /// Makes sure that what follows is a word of its own.
    pub(super) fn space(&mut self) {
        self.space = true;
    }

    /// What follows is a word of its own.
    pub(super) fn has_space(&self) -> bool {
        self.space
    }

    /// Says whether what follows is a word of its own.
    pub(super) fn set_space(&mut self, space: bool) {
        self.space = space;
    }

    /// No more is taken. A character that would not fit as a whole is left out.
    pub(super) fn is_full(&self) -> bool {
        self.text.len() + 4 > NAME_BYTES_MAX
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
        match self.text.trim_matches(' ') {
            trimmed if trimmed.len() < self.text.len() => trimmed.into(),
            _ => self.text,
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
        let piece = text.into_piece();
        assert_eq!(piece, " a ");
        let mut text = Text::default();
        text.push("x");
        text.push_piece(&piece);
        text.push("y");
        assert_eq!(text.finish(), "x a y");
    }

    #[test]
    fn length_is_bounded() {
        let mut text = Text::default();
        text.push(&"x".repeat(2 * NAME_BYTES_MAX));
        assert_eq!(text.finish().len(), NAME_BYTES_MAX);
        let mut text = Text::default();
        text.push(&"\u{1f600}".repeat(NAME_BYTES_MAX));
        text.push(" more");
        assert_eq!(text.finish().len(), NAME_BYTES_MAX);
    }
}
