//! Text on lines: words, spaces and tabs.

use super::inline::{Lines, Space, keeps_space, push_edge, wraps};
use super::line::What;
use super::{Flow, metrics};
use crate::style::{Computed, WhiteSpace, WordBreak};
use std::rc::Rc;

impl Flow<'_> {
    pub(super) fn put_text(&mut self, text: &str, lines: &mut Lines<'_>) {
        let style = Rc::clone(lines.style());
        let keeps = keeps_space(style.white_space);
        let breaks = wraps(style.white_space);
        let mut word = String::new();
        let mut chars = text.chars().peekable();
        while let Some(c) = chars.next() {
            if c == '\n' && (keeps || style.white_space == WhiteSpace::PreLine) {
                self.put_word(lines, &mut word, &style);
                if !lines.shown {
                    // An empty line is as high as a full one.
                    push_edge(lines, 0.0, What::Text);
                }
                self.end_line(lines, true);
            } else if c.is_ascii_whitespace() && !keeps {
                self.put_word(lines, &mut word, &style);
                if lines.space.is_none() && lines.shown {
                    let width = metrics::space_width(&style);
                    let at = lines.puts.len();
                    let chain = lines.chain.clone();
                    lines.space = Some(Space { width, at, chain, breaks });
                }
                lines.glue &= !breaks;
            } else if c == '\t' {
                self.put_word(lines, &mut word, &style);
                let stop = 8.0 * metrics::advance(style.font_size);
                let width = ((lines.x / stop).floor() + 1.0) * stop - lines.x;
                self.put(lines, width, false, What::Text);
            } else {
                word.push(c);
                let next = chars.peek().copied();
                let before = word.chars().rev().nth(1);
                if breaks && (metrics::breaks_after(before, c, next) || keeps && c == ' ') {
                    self.put_word(lines, &mut word, &style);
                    lines.glue = false;
                }
            }
        }
        self.put_word(lines, &mut word, &style);
    }

    fn put_word(&mut self, lines: &mut Lines<'_>, word: &mut String, style: &Computed) {
        if word.is_empty() {
            return;
        }
        let breaks = wraps(style.white_space);
        let width = metrics::styled_width(word, style);
        let anywhere = match style.word_break {
            WordBreak::Normal => false,
            WordBreak::Long => width > lines.room,
            WordBreak::All => true,
        };
        if anywhere && breaks {
            if style.word_break == WordBreak::Long {
                // The long word begins on a line of its own.
                self.make_room(lines, width, true);
            }
            for (at, c) in word.char_indices() {
                lines.glue &= at == 0;
                let width = metrics::styled_width(c.encode_utf8(&mut [0; 4]), style);
                self.put(lines, width, true, What::Text);
            }
        } else {
            self.put(lines, width, breaks, What::Text);
        }
        word.clear();
        lines.glue = true;
    }
}
