//! What is overwritten and what is put in.

use super::{HEAD, TAIL, place};
use oxc_span::Span;

/// A source and the changes to it.
pub(super) struct Blanks<'s> {
    pub(super) source: &'s str,
    out: Vec<u8>,
    /// Texts and the bytes of the source that they stand before.
    inserts: Vec<(usize, String)>,
    refusal: Option<String>,
}

impl<'s> Blanks<'s> {
    pub(super) fn new(source: &'s str) -> Self {
        Self { source, out: source.as_bytes().to_vec(), inserts: Vec::new(), refusal: None }
    }

    /// Overwrites from one byte to another; line breaks stay.
    pub(super) fn blank(&mut self, start: u32, end: u32) {
        for byte in &mut self.out[start as usize..end as usize] {
            if !matches!(*byte, b'\n' | b'\r') {
                *byte = b' ';
            }
        }
    }

    /// Overwrites, without line breaks: where JavaScript allows none.
    pub(super) fn blank_joined(&mut self, start: u32, end: u32) {
        self.out[start as usize..end as usize].fill(b' ');
    }

    /// Overwrites a whole statement, and ends the one before it.
    pub(super) fn blank_statement(&mut self, span: Span) {
        self.blank(span.start, span.end);
        self.put(span.start, b';');
    }

    /// Writes one byte over a blank.
    pub(super) fn put(&mut self, at: u32, byte: u8) {
        self.out[at as usize] = byte;
    }

    /// Blanks the first of these marks that stands outside comments.
    pub(super) fn blank_mark(&mut self, from: u32, to: u32, marks: &[u8]) {
        let text = &self.source[from as usize..to as usize];
        let mut at = 0;
        while at < text.len() {
            let rest = &text[at..];
            let comment =
                [("/*", "*/"), ("//", "\n")].iter().find(|(opens, _)| rest.starts_with(opens));
            if let Some((opens, closes)) = comment {
                let inside = &rest[opens.len()..];
                at += opens.len()
                    + inside.find(closes).map_or(inside.len(), |end| end + closes.len());
            } else if marks.contains(&text.as_bytes()[at]) {
                self.out[from as usize + at] = b' ';
                return;
            } else {
                at += rest.chars().next().map_or(1, char::len_utf8);
            }
        }
    }

    /// Blanks these words where they stand between two bytes.
    pub(super) fn blank_words(&mut self, from: u32, to: u32, words: &[&str]) {
        let text = &self.source[from as usize..to as usize];
        for word in words {
            for (offset, _) in text.match_indices(word) {
                let is_part = |byte: Option<&u8>| {
                    byte.is_some_and(|byte| {
                        byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$')
                    })
                };
                let bytes = text.as_bytes();
                let before = offset.checked_sub(1).and_then(|at| bytes.get(at));
                if !is_part(before) && !is_part(bytes.get(offset + word.len())) {
                    let start = from as usize + offset;
                    self.out[start..start + word.len()].fill(b' ');
                }
            }
        }
    }

    pub(super) fn insert(&mut self, before: u32, text: impl Into<String>) {
        self.inserts.push((before as usize, text.into()));
    }

    /// Bytes of the source.
    pub(super) fn text(&self, start: u32, end: u32) -> &'s str {
        &self.source[start as usize..end as usize]
    }

    /// The first byte at or after one that is no white space, and whether a line break lies before it.
    pub(super) fn next_byte(&self, from: u32) -> Option<(u8, bool)> {
        let rest = &self.source.as_bytes()[from as usize..];
        let skip = rest.iter().position(|byte| !byte.is_ascii_whitespace())?;
        Some((rest[skip], rest[..skip].contains(&b'\n')))
    }

    /// Refuses the code for what stands at a byte; the first refusal is told.
    pub(super) fn refuse(&mut self, at: u32, why: &str) {
        if self.refusal.is_none() {
            let body = &self.source[HEAD.len()..self.source.len() - TAIL.len()];
            let at = (at as usize).saturating_sub(HEAD.len());
            self.refusal = Some(format!("code cannot be run at {}: {why}", place(body, at)));
        }
    }

    pub(super) fn finish(mut self) -> Result<String, String> {
        if let Some(refusal) = self.refusal {
            return Err(refusal);
        }
        self.inserts.sort_by_key(|(at, _)| *at);
        let mut whole = Vec::with_capacity(self.out.len() + 256);
        let mut from = 0;
        for (at, text) in &self.inserts {
            whole.extend_from_slice(&self.out[from..*at]);
            whole.extend_from_slice(text.as_bytes());
            from = *at;
        }
        whole.extend_from_slice(&self.out[from..]);
        String::from_utf8(whole)
            .map_err(|_| "code cannot be read: its types hold broken text".to_owned())
    }
}
