//! Inline flow: words and inline boxes in lines.

use super::{Area, Flow, NESTED_MAX, metrics, resolve};
use crate::dom::{InputKind, Quirks};
use crate::style::{Computed, Display, PseudoStyle, TextAlign, VerticalAlign, WhiteSpace};
use backlot_core::page::NodeId;

pub(super) fn keeps_space(white_space: WhiteSpace) -> bool {
    matches!(white_space, WhiteSpace::Pre | WhiteSpace::PreWrap)
}

/// Something that was put on the current line.
struct Put {
    x: f32,
    width: f32,
    /// Above and below the baseline, margins included.
    above: f32,
    below: f32,
    what: What,
}

enum What {
    /// Text or an edge of inline boxes, which all grow over it.
    Text { around: Vec<NodeId> },
    /// An inline-block with its border box's height and margins.
    Atom { id: NodeId, around: Vec<NodeId>, height: f32, margin: [f32; 4], align: VerticalAlign },
}

/// Lines under construction.
struct Lines<'a> {
    origin: (f32, f32),
    inner: f32,
    block: &'a Computed,
    x: f32,
    y: f32,
    puts: Vec<Put>,
    /// A collapsible space waits: it shows only if something follows on the line.
    space: Option<(f32, Vec<NodeId>, (f32, f32))>,
}

impl Lines<'_> {
    fn put_word(&mut self, width: f32, height: (f32, f32), wraps: bool, around: &[NodeId]) {
        self.make_room(width, wraps);
        let what = What::Text { around: around.to_vec() };
        self.puts.push(Put { x: self.x, width, above: height.0, below: height.1, what });
        self.x += width;
    }

    /// Shows a waiting space or breaks the line before what comes.
    fn make_room(&mut self, width: f32, wraps: bool) {
        let space = self.space.as_ref().map_or(0.0, |(width, ..)| *width);
        let has_any = self.puts.iter().any(|put| put.width > 0.0);
        if wraps && has_any && self.x + space + width > self.inner + 0.01 {
            // What only opened on this line goes over to the next one.
            let open: Vec<Put> = match self.puts.iter().rposition(|put| put.width > 0.0) {
                Some(last) => self.puts.split_off(last + 1),
                None => Vec::new(),
            };
            self.space = None;
            self.break_line(open);
            return;
        }
        if let Some((width, around, (above, below))) = self.space.take() {
            let what = What::Text { around };
            self.puts.push(Put { x: self.x, width, above, below, what });
            self.x += width;
        }
    }

    /// A put without a place ends the line; lines are placed when all are there.
    fn break_line(&mut self, carried: Vec<Put>) {
        self.puts.push(Put {
            x: f32::NAN,
            width: 0.0,
            above: 0.0,
            below: 0.0,
            what: What::Text { around: Vec::new() },
        });
        self.x = 0.0;
        for mut put in carried {
            put.x = 0.0;
            self.puts.push(put);
        }
    }
}

enum Step {
    Enter(NodeId),
    Leave(NodeId),
}

impl Flow<'_> {
    /// Lays out a run of inline-level nodes, with `::before` of the first of `ends` and `::after` of the second. Gives the height of all lines.
    pub(super) fn lay_lines(
        &mut self,
        run: &[NodeId],
        block: &Computed,
        origin: (f32, f32),
        inner: f32,
        ends: (Option<NodeId>, Option<NodeId>),
    ) -> f32 {
        let mut lines =
            Lines { origin, inner, block, x: 0.0, y: 0.0, puts: Vec::new(), space: None };
        let mut around: Vec<NodeId> = Vec::new();
        self.put_pseudo(ends.0.and_then(|id| self.styles.before(id)), &mut lines, &around);
        let mut open: Vec<Step> = run.iter().rev().map(|id| Step::Enter(*id)).collect();
        while let Some(step) = open.pop() {
            match step {
                Step::Leave(id) => {
                    self.put_pseudo(self.styles.after(id), &mut lines, &around);
                    let holds = |put: &Put| match &put.what {
                        What::Text { around } | What::Atom { around, .. } => around.contains(&id),
                    };
                    if !lines.puts.iter().any(holds)
                        && !self.out.contains_key(&id)
                        && let Some(style) = self.style(id)
                    {
                        self.put_edge(&style, &mut lines, &around);
                    }
                    let edges = self.edges(id, inner);
                    lines.x += edges[1] + self.margins(id, inner)[1];
                    around.pop();
                }
                Step::Enter(id) => self.enter(id, &mut lines, &mut around, &mut open),
            }
        }
        self.put_pseudo(ends.1.and_then(|id| self.styles.after(id)), &mut lines, &around);
        self.end_line(&mut lines, false);
        lines.y
    }

    fn enter(
        &mut self,
        id: NodeId,
        lines: &mut Lines<'_>,
        around: &mut Vec<NodeId>,
        open: &mut Vec<Step>,
    ) {
        if let Some(text) = self.dom.text(id) {
            let style = around.last().and_then(|up| self.style(*up));
            let text = text.to_string();
            let block = lines.block.clone();
            self.put_text(&text, style.as_deref().unwrap_or(&block), lines, around);
            return;
        }
        let Some(style) = self.style(id) else { return };
        if self.is_out(id) {
            let at = (lines.origin.0 + lines.x, lines.origin.1 + lines.y);
            if self.measuring == 0 {
                self.absolute.push((id, at));
            }
            return;
        }
        if self.dom.is_html(id, "br") {
            let line = metrics::line_height(lines.block);
            self.put_edge(&style, lines, &[&around[..], &[id]].concat());
            if lines.puts.is_empty() {
                lines.y += line;
            }
            self.end_line(lines, true);
            return;
        }
        let plain = style.display == Display::Inline || style.display == Display::RubyText;
        if plain
            && metrics::content_size(self.dom, id, &style).is_none()
            && around.len() < NESTED_MAX as usize
        {
            around.push(id);
            let start = self.edges(id, lines.inner)[3] + self.margins(id, lines.inner)[3];
            if start != 0.0 {
                lines.make_room(start, false);
                lines.x += start;
            }
            self.put_pseudo(self.styles.before(id), lines, around);
            open.push(Step::Leave(id));
            open.extend(self.box_children(id).into_iter().rev().map(Step::Enter));
            return;
        }
        self.put_atom(id, &style, lines, around);
    }

    /// Text of a pseudo-element that is part of the line.
    fn put_pseudo(
        &mut self,
        pseudo: Option<&PseudoStyle>,
        lines: &mut Lines<'_>,
        around: &[NodeId],
    ) {
        if let Some(pseudo) = pseudo.filter(|pseudo| pseudo.style.display == Display::Inline) {
            self.put_text(&pseudo.told, &pseudo.style, lines, around);
        }
    }

    /// An inline box has a place even where nothing is in it.
    fn put_edge(&self, style: &Computed, lines: &mut Lines<'_>, around: &[NodeId]) {
        let (above, below) = strut(style);
        let what = What::Text { around: around.to_vec() };
        lines.puts.push(Put { x: lines.x, width: 0.0, above, below, what });
    }

    fn put_text(&mut self, text: &str, style: &Computed, lines: &mut Lines<'_>, around: &[NodeId]) {
        let letter = metrics::advance(style.font_size);
        let keeps = keeps_space(style.white_space);
        let wraps = !matches!(style.white_space, WhiteSpace::NoWrap | WhiteSpace::Pre);
        let height = strut(style);
        let mut word = String::new();
        let flush = |word: &mut String, lines: &mut Lines<'_>| {
            if !word.is_empty() {
                let width = metrics::text_width(word, style.font_size);
                lines.put_word(width, height, wraps, around);
                word.clear();
            }
        };
        for c in text.chars() {
            let is_break = c == '\n' && (keeps || style.white_space == WhiteSpace::PreLine);
            if is_break {
                flush(&mut word, lines);
                if lines.puts.is_empty() {
                    lines.y += metrics::line_height(lines.block);
                }
                self.end_line(lines, true);
            } else if c.is_ascii_whitespace() && !keeps {
                flush(&mut word, lines);
                let at_start = lines.puts.iter().all(|put| put.width == 0.0);
                if lines.space.is_none() && !at_start {
                    lines.space = Some((letter, around.to_vec(), height));
                }
            } else {
                word.push(c);
                if c == '-' && wraps {
                    flush(&mut word, lines);
                }
            }
        }
        flush(&mut word, lines);
    }

    fn put_atom(&mut self, id: NodeId, style: &Computed, lines: &mut Lines<'_>, around: &[NodeId]) {
        let width = self.used_width(id, lines.inner);
        let margin = self.margins(id, lines.inner);
        // Laid out at the origin; moved when the line's baseline is known.
        let height = self.lay(id, (0.0, 0.0), width, None, None);
        let outer = width + margin[1] + margin[3];
        let wraps = !matches!(lines.block.white_space, WhiteSpace::NoWrap | WhiteSpace::Pre);
        lines.make_room(outer, wraps);
        let baseline = self.baseline(id, style, height);
        let (above, below) = match style.vertical_align {
            VerticalAlign::Middle => {
                let half = (height + margin[0] + margin[2]) / 2.0;
                let middle = 0.547 * lines.block.font_size / 2.0;
                (half + middle, half - middle)
            }
            _ => (baseline + margin[0], height - baseline + margin[2]),
        };
        let align = style.vertical_align;
        let what = What::Atom { id, around: around.to_vec(), height, margin, align };
        lines.puts.push(Put { x: lines.x, width: outer, above, below, what });
        lines.x += outer;
    }

    /// Distance of an atom's baseline from the top of its border box.
    fn baseline(&self, id: NodeId, style: &Computed, height: f32) -> f32 {
        let edges = self.edges(id, 0.0);
        let (ascent, _) = metrics::ascent_descent(style.font_size);
        let half = metrics::half_leading(style);
        match self.dom.html_tag(id) {
            "input" => match self.dom.input_kind(id) {
                Some(kind) if kind.is_checkable() || kind == InputKind::Range => height,
                _ => (height - metrics::line_height(style)) / 2.0 + half + ascent,
            },
            "button" => (height - metrics::line_height(style)) / 2.0 + half + ascent,
            "select" if height < 40.0 => {
                (height - metrics::line_height(style)) / 2.0 + half + ascent
            }
            "textarea" | "iframe" | "img" | "video" | "canvas" | "audio" | "object" | "meter"
            | "progress" | "select" | "" => height,
            _ if self.dom.text_content(id).trim().is_empty() => height,
            _ => height - edges[2] - (metrics::line_height(style) - half - ascent),
        }
    }

    /// Puts everything of the finished lines at its place.
    fn end_line(&mut self, lines: &mut Lines<'_>, forced: bool) {
        let puts = std::mem::take(&mut lines.puts);
        let mut line: Vec<Put> = Vec::new();
        for put in puts {
            if put.x.is_nan() {
                self.place_line(std::mem::take(&mut line), lines);
            } else {
                line.push(put);
            }
        }
        let shows = line.iter().any(|put| put.width > 0.0 || matches!(put.what, What::Atom { .. }));
        if shows || forced {
            self.place_line(line, lines);
        } else {
            let y = lines.y;
            self.place_line(line, lines);
            lines.y = y;
        }
        lines.x = 0.0;
        lines.space = None;
    }

    fn place_line(&mut self, line: Vec<Put>, lines: &mut Lines<'_>) {
        if line.is_empty() {
            return;
        }
        let (mut above, mut below) = self.line_strut(&line, lines.block);
        for put in &line {
            above = above.max(put.above);
            below = below.max(put.below);
        }
        let end = line.iter().map(|put| put.x + put.width).fold(0.0, f32::max);
        let slack = (lines.inner - end).max(0.0);
        let shift = match lines.block.text_align {
            TextAlign::Start => 0.0,
            TextAlign::Center => slack / 2.0,
            TextAlign::End => slack,
        };
        let baseline = lines.origin.1 + lines.y + above;
        for put in line {
            let x = lines.origin.0 + put.x + shift;
            let around = match &put.what {
                What::Text { around } => around,
                What::Atom { id, around, height, margin, align } => {
                    let y = match align {
                        VerticalAlign::Top => lines.origin.1 + lines.y + margin[0],
                        VerticalAlign::Bottom => {
                            lines.origin.1 + lines.y + above + below - height - margin[2]
                        }
                        _ => baseline - put.above + margin[0],
                    };
                    self.shift(*id, (x + margin[3], y));
                    around
                }
            };
            self.grow_inline(around, (x, put.width), baseline, lines.inner);
        }
        lines.y += above + below;
    }

    /// What the block's own font asks for on a line. Nothing in quirks mode where no text of its own stands there (Quirks Mode
    /// standard, "The line height calculation quirk").
    fn line_strut(&self, line: &[Put], block: &Computed) -> (f32, f32) {
        let holds_only = |put: &Put| match &put.what {
            What::Atom { .. } => true,
            What::Text { around } => put.width == 0.0 || !around.is_empty(),
        };
        let is_quirky = self.dom.quirks != Quirks::No
            && block.display != Display::ListItem
            && line.iter().any(|put| put.width > 0.0)
            && line.iter().all(holds_only);
        if is_quirky { (0.0, 0.0) } else { strut(block) }
    }

    /// Inline boxes are as high as their font and grow over all they hold.
    fn grow_inline(&mut self, around: &[NodeId], span: (f32, f32), baseline: f32, inner: f32) {
        for id in around {
            let Some(style) = self.style(*id) else { continue };
            let (ascent, descent) = metrics::ascent_descent(style.font_size);
            let edges = self.edges(*id, inner);
            let area = Area {
                x: span.0 - edges[3],
                y: baseline - ascent - edges[0],
                width: span.1 + edges[1] + edges[3],
                height: ascent + descent + edges[0] + edges[2],
            };
            let grown = self.out.get(id).map_or(area, |old| old.union(area));
            self.out.insert(*id, grown);
        }
    }

    /// A percentage or length, for callers that only have the containing width.
    pub(super) fn used(&self, size: crate::style::Size, containing: f32) -> Option<f32> {
        resolve(size, containing)
    }
}

/// What a font asks for above and below the baseline.
fn strut(style: &Computed) -> (f32, f32) {
    let (ascent, _) = metrics::ascent_descent(style.font_size);
    let line = metrics::line_height(style);
    let above = ascent + metrics::half_leading(style);
    (above, line - above)
}
