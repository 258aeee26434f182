//! Inline flow: words and inline boxes in lines.

use super::{Area, Flow, NESTED_MAX, metrics, resolve};
use crate::dom::{InputKind, Quirks};
use crate::style::{Computed, Display, Float, PseudoStyle, TextAlign, VerticalAlign, WhiteSpace};
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
    /// How far floats reach into the line from the left, and the room that they leave.
    left: f32,
    room: f32,
    puts: Vec<Put>,
    /// Floats that come below the line.
    later: Vec<NodeId>,
    /// A collapsible space waits: it shows only if something follows on the line.
    space: Option<(f32, Vec<NodeId>, (f32, f32))>,
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
        let mut lines = Lines {
            origin,
            inner,
            block,
            x: 0.0,
            y: 0.0,
            left: 0.0,
            room: inner,
            puts: Vec::new(),
            later: Vec::new(),
            space: None,
        };
        self.start_line(&mut lines);
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

    /// Where a line stands between the floats.
    fn start_line(&mut self, lines: &mut Lines<'_>) {
        let height = metrics::line_height(lines.block);
        let across = (lines.origin.0, lines.inner);
        let (left, right) = self.beside_floats(across, lines.origin.1 + lines.y, height);
        lines.left = left;
        lines.room = (lines.inner - left - right).max(0.0);
    }

    fn put_word(
        &mut self,
        lines: &mut Lines<'_>,
        width: f32,
        height: (f32, f32),
        wraps: bool,
        around: &[NodeId],
    ) {
        self.make_room(lines, width, wraps);
        let what = What::Text { around: around.to_vec() };
        lines.puts.push(Put { x: lines.x, width, above: height.0, below: height.1, what });
        lines.x += width;
    }

    /// Shows a waiting space or breaks the line before what comes.
    fn make_room(&mut self, lines: &mut Lines<'_>, width: f32, wraps: bool) {
        let space = lines.space.as_ref().map_or(0.0, |(width, ..)| *width);
        let has_any = lines.puts.iter().any(|put| put.width > 0.0);
        if wraps && has_any && lines.x + space + width > lines.room + 0.01 {
            // What only opened on this line goes over to the next one.
            let open: Vec<Put> = match lines.puts.iter().rposition(|put| put.width > 0.0) {
                Some(last) => lines.puts.split_off(last + 1),
                None => Vec::new(),
            };
            self.end_line(lines, true);
            lines.puts = open;
            lines.puts.iter_mut().for_each(|put| put.x = 0.0);
        } else if let Some((width, around, (above, below))) = lines.space.take() {
            let what = What::Text { around };
            lines.puts.push(Put { x: lines.x, width, above, below, what });
            lines.x += width;
        }
        let is_first = lines.puts.iter().all(|put| put.width == 0.0);
        if is_first && wraps && width > lines.room && lines.room < lines.inner {
            // Not even the first word fits beside the floats.
            let across = (lines.origin.0, lines.inner);
            let y = lines.origin.1 + lines.y;
            lines.y += self.below_floats(across, y, width) - y;
            self.start_line(lines);
        }
    }

    /// A float beside what stands on the line, or below it where there is no room.
    fn meet_float(&mut self, id: NodeId, lines: &mut Lines<'_>) {
        let margin = self.margins(id, lines.inner);
        let outer = self.used_width(id, lines.inner) + margin[1] + margin[3];
        let has_any = lines.puts.iter().any(|put| put.width > 0.0);
        if has_any && (lines.x + outer > lines.room + 0.01 || !lines.later.is_empty()) {
            lines.later.push(id);
            return;
        }
        self.lay_float(id, (lines.origin.0, lines.inner), lines.origin.1 + lines.y);
        self.start_line(lines);
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
        if style.float != Float::None {
            self.meet_float(id, lines);
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
                self.make_room(lines, start, false);
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
        let flush = |flow: &mut Self, word: &mut String, lines: &mut Lines<'_>| {
            if !word.is_empty() {
                let width = metrics::text_width(word, style.font_size);
                flow.put_word(lines, width, height, wraps, around);
                word.clear();
            }
        };
        for c in text.chars() {
            let is_break = c == '\n' && (keeps || style.white_space == WhiteSpace::PreLine);
            if is_break {
                flush(self, &mut word, lines);
                if lines.puts.is_empty() {
                    lines.y += metrics::line_height(lines.block);
                }
                self.end_line(lines, true);
            } else if c.is_ascii_whitespace() && !keeps {
                flush(self, &mut word, lines);
                let at_start = lines.puts.iter().all(|put| put.width == 0.0);
                if lines.space.is_none() && !at_start {
                    lines.space = Some((letter, around.to_vec(), height));
                }
            } else {
                word.push(c);
                if c == '-' && wraps {
                    flush(self, &mut word, lines);
                }
            }
        }
        flush(self, &mut word, lines);
    }

    fn put_atom(&mut self, id: NodeId, style: &Computed, lines: &mut Lines<'_>, around: &[NodeId]) {
        let width = self.used_width(id, lines.inner);
        let margin = self.margins(id, lines.inner);
        // Laid out at the origin; moved when the line's baseline is known.
        let height = self.lay(id, (0.0, 0.0), width, None, None);
        let outer = width + margin[1] + margin[3];
        let wraps = !matches!(lines.block.white_space, WhiteSpace::NoWrap | WhiteSpace::Pre);
        self.make_room(lines, outer, wraps);
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
            "button" if self.dom.text_content(id).trim().is_empty() => height - edges[2],
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

    /// Puts everything of the finished line at its place.
    fn end_line(&mut self, lines: &mut Lines<'_>, forced: bool) {
        let line = std::mem::take(&mut lines.puts);
        let shows = line.iter().any(|put| put.width > 0.0 || matches!(put.what, What::Atom { .. }));
        let y = lines.y;
        self.place_line(line, lines);
        if !shows && !forced {
            lines.y = y;
        }
        lines.x = 0.0;
        lines.space = None;
        for id in std::mem::take(&mut lines.later) {
            self.lay_float(id, (lines.origin.0, lines.inner), lines.origin.1 + lines.y);
        }
        self.start_line(lines);
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
        let slack = (lines.room - end).max(0.0);
        let shift = match lines.block.text_align {
            TextAlign::Start => 0.0,
            TextAlign::Center => slack / 2.0,
            TextAlign::End => slack,
        };
        let baseline = lines.origin.1 + lines.y + above;
        for put in line {
            let x = lines.origin.0 + lines.left + put.x + shift;
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
