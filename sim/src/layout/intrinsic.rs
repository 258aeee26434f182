//! Smallest and largest content widths.

use super::{Flow, NESTED_MAX, metrics, resolve};
use crate::style::{Computed, Display, Float, Size, WhiteSpace, WordBreak, Wrap};
use backlot_core::page::NodeId;

impl Flow<'_> {
    /// Content widths of a box: broken wherever it can be, and not broken at all.
    pub(super) fn intrinsic(&mut self, id: NodeId) -> (f32, f32) {
        if let Some(known) = self.widths.get(&id) {
            return *known;
        }
        if self.deep >= NESTED_MAX {
            return (0.0, 0.0);
        }
        self.deep += 1;
        let widths = self.intrinsic_of(id);
        self.deep -= 1;
        self.widths.insert(id, widths);
        widths
    }

    fn intrinsic_of(&mut self, id: NodeId) -> (f32, f32) {
        let Some(style) = self.style(id) else { return (0.0, 0.0) };
        if let Some((width, _)) = self.content_size(id, &style) {
            return (width, width);
        }
        if matches!(style.display, Display::Table | Display::InlineTable) {
            return self.table_widths(id, &style);
        }
        let children = self.tree.children(id);
        if matches!(style.display, Display::Flex | Display::InlineFlex) && !style.boxes.column {
            return self.row_widths(&children, &style);
        }
        let mut run = Run::default();
        for child in children.iter() {
            self.add_widths(*child, &style, &mut run, 0);
        }
        run.end_line();
        (run.min, run.max.max(run.min))
    }

    /// Widths of inline content by itself.
    pub(super) fn run_widths(
        &mut self,
        inline: &super::inline::Run,
        style: &Computed,
    ) -> (f32, f32) {
        let mut run = Run::default();
        for step in &inline.steps {
            if let super::inline::Step::Enter(id) = step {
                self.add_widths(*id, style, &mut run, 0);
            }
        }
        run.end_line();
        (run.min, run.max.max(run.min))
    }

    fn row_widths(&mut self, children: &[NodeId], style: &Computed) -> (f32, f32) {
        let gap = resolve(style.boxes.gap.1, 0.0).unwrap_or(0.0);
        let (mut min, mut max, mut count) = (0.0_f32, 0.0_f32, 0.0_f32);
        for child in children.iter().copied() {
            if self.is_out(child) {
                continue;
            }
            let (own_min, own_max) = match self.tree.text(child) {
                Some(_) => {
                    let mut run = Run::default();
                    self.add_widths(child, style, &mut run, 0);
                    run.end_line();
                    if run.max == 0.0 {
                        continue;
                    }
                    (run.min, run.max)
                }
                None => self.outer_widths(child),
            };
            max += own_max;
            min = if style.boxes.wrap != Wrap::No { min.max(own_min) } else { min + own_min };
            count += 1.0;
        }
        let gaps = gap * (count - 1.0).max(0.0);
        let min = if style.boxes.wrap != Wrap::No { min } else { min + gaps };
        (min, (max + gaps).max(min))
    }

    /// Adds a child of a box of this style to the run of its line.
    fn add_widths(&mut self, child: NodeId, style: &Computed, run: &mut Run, nested: u32) {
        let tree = self.tree;
        if let Some(text) = tree.text(child) {
            run.text(text, style);
            return;
        }
        if self.is_out(child) {
            return;
        }
        if tree.tag(child) == "br" {
            run.end_line();
            return;
        }
        let Some(own) = self.style(child) else { return };
        if self.is_block_level(child) {
            run.end_line();
            let (min, max) = self.outer_widths(child);
            run.min = run.min.max(min);
            run.max = run.max.max(max);
            return;
        }
        if self.is_plain_inline(child, &own) && nested < NESTED_MAX {
            let (edges, margin) = (self.edges(child, 0.0), self.margins(child, 0.0));
            run.edge(edges[3] + margin[3]);
            for inner in tree.children(child).iter() {
                self.add_widths(*inner, &own, run, nested + 1);
            }
            run.edge(edges[1] + margin[1]);
            return;
        }
        let widths = self.outer_widths(child);
        if own.float == Float::None {
            run.atom(widths, style.white_space);
        } else {
            run.float(widths, own.clear != (false, false));
        }
    }

    /// With padding, border and margins, and the style's own width where there is one.
    pub(super) fn outer_widths(&mut self, id: NodeId) -> (f32, f32) {
        let Some(style) = self.style(id) else { return (0.0, 0.0) };
        let edges = self.edges(id, 0.0);
        let margin = self.margins(id, 0.0);
        let extra = edges[1] + edges[3] + margin[1] + margin[3];
        let inside = edges[1] + edges[3];
        let pixels = |size: Size| match size {
            // A box is never smaller than its edges.
            Size::Given { px, percent: 0.0 } if style.border_box => {
                Some(px.max(inside) + margin[1] + margin[3])
            }
            Size::Given { px, percent: 0.0 } => Some(px + extra),
            _ => None,
        };
        let (min, max) = match pixels(style.width) {
            Some(width)
                if style.display != Display::Inline || self.content_size(id, &style).is_some() =>
            {
                (width, width)
            }
            _ => {
                let (min, max) = self.intrinsic(id);
                (min + extra, max + extra)
            }
        };
        let floor = pixels(style.min_width).unwrap_or(0.0);
        let ceiling = pixels(style.max_width).unwrap_or(f32::MAX);
        (min.min(ceiling).max(floor), max.min(ceiling).max(floor))
    }
}

/// Widths of lines as they are gathered: `line` and `word` are what stands on the line and since it could last be broken.
#[derive(Default)]
struct Run {
    min: f32,
    max: f32,
    line: f32,
    word: f32,
    /// A collapsible space waits: it shows only if something follows.
    space: f32,
    started: bool,
    /// Widths of the floats beside the lines, all together.
    floats: f32,
}

impl Run {
    fn text(&mut self, text: &str, style: &Computed) {
        let keeps = super::inline::keeps_space(style.white_space);
        let wraps = super::inline::wraps(style.white_space);
        let mut before = None;
        let mut chars = text.chars().peekable();
        while let Some(c) = chars.next() {
            if c == '\n' && (keeps || style.white_space == WhiteSpace::PreLine) {
                self.end_line();
            } else if c.is_ascii_whitespace() && !keeps {
                if self.started && self.space == 0.0 {
                    self.space = metrics::space_width(style);
                }
                if wraps {
                    self.end_word();
                }
            } else {
                self.put(metrics::styled_width(c.encode_utf8(&mut [0; 4]), style), wraps);
                let breaks = metrics::breaks_after(before, c, chars.peek().copied())
                    || keeps && c == ' '
                    || style.word_break == WordBreak::All;
                if wraps && breaks {
                    self.end_word();
                }
            }
            before = Some(c);
        }
    }

    /// Something that cannot be broken, joined to what stands before it.
    fn put(&mut self, width: f32, wraps: bool) {
        let space = std::mem::take(&mut self.space);
        self.line += space + width;
        self.word += width + if wraps { 0.0 } else { space };
        self.started = true;
    }

    /// An edge of an inline box: room without content.
    fn edge(&mut self, width: f32) {
        self.line += width;
        self.word += width;
    }

    fn atom(&mut self, (min, max): (f32, f32), white_space: WhiteSpace) {
        let wraps = !matches!(white_space, WhiteSpace::NoWrap | WhiteSpace::Pre);
        if wraps {
            self.end_word();
        }
        self.line += std::mem::take(&mut self.space) + max;
        self.word += if wraps { min } else { max };
        self.started = true;
        if wraps {
            self.end_word();
        }
    }

    /// Floats stand side by side, and beside the line.
    fn float(&mut self, (min, max): (f32, f32), clears: bool) {
        self.min = self.min.max(min);
        if clears {
            self.max = self.max.max(self.floats);
            self.floats = 0.0;
        }
        self.floats += max;
    }

    fn end_word(&mut self) {
        self.min = self.min.max(self.word);
        self.word = 0.0;
    }

    fn end_line(&mut self) {
        self.end_word();
        self.max = self.max.max(self.line + self.floats);
        self.line = 0.0;
        self.space = 0.0;
        self.started = false;
    }
}
