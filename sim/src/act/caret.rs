//! Where a caret goes: by character, word, line and text.

/// Which way a key goes, and how far.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    Character,
    Word,
    /// To the line's edge.
    Line,
    /// To the text's edge.
    All,
}

/// The place after a step from `at`.
pub(super) fn place(text: &[char], at: usize, back: bool, step: Step) -> usize {
    let at = at.min(text.len());
    match (step, back) {
        (Step::Character, true) => at.saturating_sub(1),
        (Step::Character, false) => (at + 1).min(text.len()),
        (Step::Word, true) => word_start(text, at),
        (Step::Word, false) => word_end(text, at),
        (Step::Line, true) => line_start(text, at),
        (Step::Line, false) => line_end(text, at),
        (Step::All, true) => 0,
        (Step::All, false) => text.len(),
    }
}

/// The same column one line up or down; `None` at the first or the last line.
pub(super) fn vertical(text: &[char], at: usize, up: bool) -> Option<usize> {
    let start = line_start(text, at);
    let column = at - start;
    if up {
        let end = start.checked_sub(1)?;
        let above = line_start(text, end);
        return Some((above + column).min(end));
    }
    let end = line_end(text, at);
    (end < text.len()).then(|| (end + 1 + column).min(line_end(text, end + 1)))
}

/// The word around a place, or the run of other characters there, as a double click selects it.
pub(super) fn word_at(text: &[char], at: usize) -> (usize, usize) {
    let Some(kind) = text.get(at).or_else(|| text.last()).map(|c| Kind::of(*c)) else {
        return (0, 0);
    };
    let at = at.min(text.len().saturating_sub(1));
    let is_same = |c: &&char| Kind::of(**c) == kind;
    let before = text[..at].iter().rev().take_while(is_same).count();
    let after = text[at..].iter().take_while(is_same).count();
    (at - before, at + after)
}

/// The line around a place, as a triple click selects it.
pub(super) fn line_at(text: &[char], at: usize) -> (usize, usize) {
    (line_start(text, at), line_end(text, at))
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Space,
    Word,
    Other,
}

impl Kind {
    fn of(c: char) -> Self {
        match c {
            c if c.is_whitespace() => Self::Space,
            c if c.is_alphanumeric() || c == '_' => Self::Word,
            _ => Self::Other,
        }
    }
}

fn word_start(text: &[char], at: usize) -> usize {
    let spaces = text[..at].iter().rev().take_while(|c| Kind::of(**c) == Kind::Space).count();
    let end = at - spaces;
    let Some(kind) = text[..end].last().map(|c| Kind::of(*c)) else { return 0 };
    end - text[..end].iter().rev().take_while(|c| Kind::of(**c) == kind).count()
}

fn word_end(text: &[char], at: usize) -> usize {
    let spaces = text[at..].iter().take_while(|c| Kind::of(**c) == Kind::Space).count();
    let start = at + spaces;
    let Some(kind) = text[start..].first().map(|c| Kind::of(*c)) else { return text.len() };
    start + text[start..].iter().take_while(|c| Kind::of(**c) == kind).count()
}

fn line_start(text: &[char], at: usize) -> usize {
    let at = at.min(text.len());
    text[..at].iter().rposition(|c| *c == '\n').map_or(0, |found| found + 1)
}

fn line_end(text: &[char], at: usize) -> usize {
    let at = at.min(text.len());
    text[at..].iter().position(|c| *c == '\n').map_or(text.len(), |found| at + found)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, at: usize, back: bool, step: Step, wanted: usize) {
        let text: Vec<char> = text.chars().collect();
        assert_eq!(place(&text, at, back, step), wanted, "{text:?} from {at}");
    }

    #[test]
    fn words_end_where_their_kind_does() {
        check("one two", 0, false, Step::Word, 3);
        check("one two", 3, false, Step::Word, 7);
        check("one two", 7, true, Step::Word, 4);
        check("one -two", 5, true, Step::Word, 4);
        check("  ", 2, true, Step::Word, 0);
        check("  ", 0, false, Step::Word, 2);
        check("", 3, false, Step::Word, 0);
    }

    #[test]
    fn lines_end_at_line_feeds() {
        check("ab\ncd", 4, true, Step::Line, 3);
        check("ab\ncd", 1, false, Step::Line, 2);
        let text: Vec<char> = "abc\nd\nefg".chars().collect();
        assert_eq!(vertical(&text, 2, false), Some(5));
        assert_eq!(vertical(&text, 5, false), Some(7));
        assert_eq!(vertical(&text, 8, true), Some(5));
        assert_eq!(vertical(&text, 1, true), None);
        assert_eq!(vertical(&text, 8, false), None);
    }

    #[test]
    fn a_double_click_takes_the_word() {
        let text: Vec<char> = "some words".chars().collect();
        assert_eq!(word_at(&text, 1), (0, 4));
        assert_eq!(word_at(&text, 10), (5, 10));
        assert_eq!(word_at(&[], 0), (0, 0));
    }
}
