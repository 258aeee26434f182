//! Inline flow: words and inline boxes in lines.

use super::atom::raised;
use super::line::{Chain, Place, Put, What, strut};
use super::{Flow, NESTED_MAX, metrics, resolve};
use crate::style::{Computed, Display, Float, WhiteSpace};
use backlot_core::page::NodeId;
use std::rc::Rc;

pub(super) fn keeps_space(white_space: WhiteSpace) -> bool {
    matches!(white_space, WhiteSpace::Pre | WhiteSpace::PreWrap)
}

pub(super) fn wraps(white_space: WhiteSpace) -> bool {
    !matches!(white_space, WhiteSpace::NoWrap | WhiteSpace::Pre)
}

/// What a run of inline content is made of, in order.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Step {
    /// A text, or an inline-level box with all that is in it.
    Enter(NodeId),
    /// Start and end of an inline box that blocks break.
    Open(NodeId),
    Close(NodeId),
}

/// Inline content between blocks.
#[derive(Debug, Clone, Default)]
pub(super) struct Run {
    /// Inline boxes that are open from before, the outermost first.
    pub(super) around: Vec<NodeId>,
    pub(super) steps: Vec<Step>,
}

/// Lines that are laid out.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Lined {
    pub(super) height: f32,
    /// Baselines of the first and the last line, in document coordinates.
    pub(super) baselines: Option<(f32, f32)>,
}

/// A collapsible space waits: it shows only if something follows on the line.
pub(super) struct Space {
    pub(super) width: f32,
    /// Place among what stands on the line.
    pub(super) at: usize,
    pub(super) chain: Option<Rc<Chain>>,
    pub(super) breaks: bool,
}

/// Lines under construction.
pub(super) struct Lines<'a> {
    block_id: NodeId,
    block: &'a Rc<Computed>,
    origin: (f32, f32),
    pub(super) inner: f32,
    /// What percentages of heights refer to, where it is known.
    pub(super) tall: Option<f32>,
    pub(super) x: f32,
    y: f32,
    /// How far floats reach into the line from the left, and the room that they leave.
    left: f32,
    pub(super) room: f32,
    pub(super) puts: Vec<Put>,
    /// Something on the line shows.
    pub(super) shown: bool,
    /// The last place where the line can be broken behind something that shows.
    breakable: Option<usize>,
    /// Floats that come below the line.
    later: Vec<NodeId>,
    pub(super) space: Option<Space>,
    /// What comes next is joined to what stands before it.
    pub(super) glue: bool,
    pub(super) chain: Option<Rc<Chain>>,
    deep: usize,
    baselines: Option<(f32, f32)>,
}

impl Lines<'_> {
    pub(super) fn style(&self) -> &Rc<Computed> {
        self.chain.as_ref().map_or(self.block, |chain| &chain.style)
    }

    pub(super) fn rise(&self) -> f32 {
        self.chain.as_ref().map_or(0.0, |chain| chain.rise)
    }
}

impl Flow<'_> {
    /// Lays out a run of inline-level content of a block.
    pub(super) fn lay_lines(
        &mut self,
        block_id: NodeId,
        run: &Run,
        block: &Rc<Computed>,
        origin: (f32, f32),
        (inner, tall): (f32, Option<f32>),
    ) -> Lined {
        let mut lines = Lines {
            block_id,
            block,
            origin,
            inner,
            tall,
            x: 0.0,
            y: 0.0,
            left: 0.0,
            room: inner,
            puts: Vec::new(),
            shown: false,
            breakable: None,
            later: Vec::new(),
            space: None,
            glue: false,
            chain: None,
            deep: 0,
            baselines: None,
        };
        self.start_line(&mut lines);
        lines.x = resolve(block.text_indent, inner).unwrap_or(0.0);
        for id in &run.around {
            self.open_chain(*id, &mut lines);
        }
        let mut open: Vec<Step> = run.steps.iter().rev().copied().collect();
        while let Some(step) = open.pop() {
            match step {
                Step::Open(id) => self.open(id, &mut lines),
                Step::Close(id) => self.close(id, &mut lines),
                Step::Enter(id) => self.enter(id, &mut lines, &mut open),
            }
        }
        self.end_line(&mut lines, false);
        Lined { height: lines.y, baselines: lines.baselines }
    }

    /// Where a line stands between the floats.
    fn start_line(&mut self, lines: &mut Lines<'_>) {
        let height = metrics::line_height(lines.block);
        let across = (lines.origin.0, lines.inner);
        let (left, right) = self.beside_floats(across, lines.origin.1 + lines.y, height);
        lines.left = left;
        lines.room = (lines.inner - left - right).max(0.0);
    }

    fn open_chain(&self, id: NodeId, lines: &mut Lines<'_>) {
        let Some(style) = self.style(id) else { return };
        let rise = lines.rise() + raised(&style, lines.style());
        lines.chain = Some(Rc::new(Chain { id, style, rise, up: lines.chain.take() }));
        lines.deep += 1;
    }

    fn open(&mut self, id: NodeId, lines: &mut Lines<'_>) {
        self.fragments.remove(&id);
        self.strips.remove(&id);
        self.open_chain(id, lines);
        let margin = self.margins(id, lines.inner)[3];
        let width = self.edges(id, lines.inner)[3] + margin;
        push_edge(lines, width, What::Open { margin });
    }

    fn close(&mut self, id: NodeId, lines: &mut Lines<'_>) {
        let margin = self.margins(id, lines.inner)[1];
        let width = self.edges(id, lines.inner)[1] + margin;
        push_edge(lines, width, What::Close { margin });
        lines.chain = lines.chain.take().and_then(|chain| chain.up.clone());
        lines.deep = lines.deep.saturating_sub(1);
    }

    fn enter(&mut self, id: NodeId, lines: &mut Lines<'_>, open: &mut Vec<Step>) {
        let tree = self.tree;
        if let Some(text) = tree.text(id) {
            self.put_text(text, lines);
            return;
        }
        let Some(style) = self.style(id) else { return };
        if self.is_out(id) {
            self.meet_out(id, &style, lines);
            return;
        }
        if style.float != Float::None {
            self.meet_float(id, lines);
            return;
        }
        match tree.tag(id) {
            "br" => {
                push_edge(lines, 0.0, What::Break(id));
                self.end_line(lines, true);
                if style.clear != (false, false) {
                    let below = self.cleared(style.clear) - lines.origin.1;
                    lines.y = lines.y.max(below);
                    self.start_line(lines);
                }
                return;
            }
            "wbr" => {
                push_edge(lines, 0.0, What::Open { margin: 0.0 });
                lines.glue = false;
                return;
            }
            _ => {}
        }
        if self.is_plain_inline(id, &style) && lines.deep < NESTED_MAX as usize {
            self.open(id, lines);
            open.push(Step::Close(id));
            open.extend(tree.children(id).iter().rev().map(|child| Step::Enter(*child)));
            return;
        }
        self.put_atom(id, &style, lines);
    }

    /// An inline box whose contents stand on the lines of the block around.
    pub(super) fn is_plain_inline(&self, id: NodeId, style: &Computed) -> bool {
        matches!(style.display, Display::Inline | Display::RubyText)
            && style.float == Float::None
            && !self.is_out(id)
            && self.content_size(id, style).is_none()
    }

    /// An absolute box without a place of its own stands where it would be in the flow.
    fn meet_out(&mut self, id: NodeId, style: &Computed, lines: &mut Lines<'_>) {
        if style.was_inline {
            push_edge(lines, 0.0, What::Out(id));
            return;
        }
        // A block would begin below what stands on the line.
        let line = metrics::line_height(lines.block);
        let down = if lines.shown { lines.y + line } else { lines.y };
        let at = (lines.origin.0, lines.origin.1 + down);
        self.wait(id, at, lines.chain.as_deref());
    }

    /// A float beside what stands on the line, or below it where there is no room.
    fn meet_float(&mut self, id: NodeId, lines: &mut Lines<'_>) {
        let margin = self.margins(id, lines.inner);
        let outer = self.used_width(id, lines.inner) + margin[1] + margin[3];
        if lines.shown && (lines.x + outer > lines.room + 0.01 || !lines.later.is_empty()) {
            lines.later.push(id);
            return;
        }
        self.lay_float(id, (lines.origin.0, lines.inner), lines.origin.1 + lines.y);
        self.start_line(lines);
    }

    /// Puts something on the line, or on the next one where this one is full.
    pub(super) fn put(&mut self, lines: &mut Lines<'_>, width: f32, wraps: bool, what: What) {
        let free = self.make_room(lines, width, wraps);
        let (above, below) = match what {
            What::Text => extent(lines),
            _ => (0.0, 0.0),
        };
        push(
            lines,
            Put { x: lines.x, width, above, below, chain: lines.chain.clone(), what },
            free,
        );
    }

    /// Shows a waiting space or breaks the line before what comes. Whether the line may be broken there.
    pub(super) fn make_room(&mut self, lines: &mut Lines<'_>, width: f32, wraps: bool) -> bool {
        let waiting = lines.space.as_ref();
        let space = waiting.map_or(0.0, |space| space.width);
        let free = match waiting {
            Some(space) => space.breaks || wraps,
            None => wraps && !lines.glue,
        };
        let is_full = lines.x + space + width > lines.room + 0.01 && lines.shown;
        if is_full && free {
            let open = trailing_edges(&lines.puts);
            self.break_at(lines, open);
        } else if is_full && let Some(at) = lines.breakable {
            show_space(lines);
            self.break_at(lines, at);
        } else {
            show_space(lines);
        }
        if !lines.shown && width > lines.room && lines.room < lines.inner {
            // Not even the first word fits beside the floats.
            let across = (lines.origin.0, lines.inner);
            let y = lines.origin.1 + lines.y;
            lines.y += self.below_floats(across, y, width) - y;
            self.start_line(lines);
        }
        free
    }

    /// Ends the line before the thing at this place; it and what follows go over to the next one.
    fn break_at(&mut self, lines: &mut Lines<'_>, at: usize) {
        let over = lines.puts.split_off(at);
        while lines.puts.last().is_some_and(|put| matches!(put.what, What::Space)) {
            lines.puts.pop();
        }
        let from = over.first().map_or(lines.x, |put| put.x);
        let width = lines.x - from;
        self.end_line(lines, true);
        lines.puts = over;
        for put in &mut lines.puts {
            put.x -= from;
        }
        lines.shown = lines.puts.iter().any(|put| put.what.shows());
        lines.x = width;
    }

    /// Puts everything of the full line at its place.
    pub(super) fn end_line(&mut self, lines: &mut Lines<'_>, forced: bool) {
        let line = std::mem::take(&mut lines.puts);
        let edge = |put: &Put| put.width != 0.0 && !matches!(put.what, What::Space);
        let shows = line.iter().any(|put| put.what.shows() || edge(put));
        if !line.is_empty() {
            let place = Place {
                block_id: lines.block_id,
                block: lines.block,
                left: lines.origin.0 + lines.left,
                top: lines.origin.1 + lines.y,
                room: lines.room,
                shows,
            };
            let (height, above) = self.place_line(&line, &place);
            if shows {
                let baseline = place.top + above;
                let first = lines.baselines.map_or(baseline, |(first, _)| first);
                lines.baselines = Some((first, baseline));
            }
            if shows || forced {
                lines.y += height;
            }
        }
        lines.x = 0.0;
        lines.space = None;
        lines.glue = false;
        lines.shown = false;
        lines.breakable = None;
        for id in std::mem::take(&mut lines.later) {
            self.lay_float(id, (lines.origin.0, lines.inner), lines.origin.1 + lines.y);
        }
        self.start_line(lines);
    }
}

/// Room above and below the line's baseline for text of the box that is open.
fn extent(lines: &Lines<'_>) -> (f32, f32) {
    let (above, below) = strut(lines.style());
    (above + lines.rise(), below - lines.rise())
}

/// An edge of an inline box, or something else that has no place of its own on the line.
pub(super) fn push_edge(lines: &mut Lines<'_>, width: f32, what: What) {
    let (above, below) = extent(lines);
    let chain = lines.chain.clone();
    lines.shown |= what.shows();
    lines.puts.push(Put { x: lines.x, width, above, below, chain, what });
    lines.x += width;
}

/// `free`: the line may be broken before it.
pub(super) fn push(lines: &mut Lines<'_>, put: Put, free: bool) {
    if free && lines.shown {
        lines.breakable = Some(trailing_edges(&lines.puts));
    }
    lines.x += put.width;
    lines.shown |= put.what.shows();
    lines.puts.push(put);
}

fn show_space(lines: &mut Lines<'_>) {
    let Some(space) = lines.space.take() else { return };
    let at = space.at.min(lines.puts.len());
    let x = lines.puts.get(at).map_or(lines.x, |put| put.x);
    let put = Put {
        x,
        width: space.width,
        above: 0.0,
        below: 0.0,
        chain: space.chain,
        what: What::Space,
    };
    lines.puts.insert(at, put);
    for put in &mut lines.puts[at + 1..] {
        put.x += space.width;
    }
    lines.x += space.width;
}

/// Where the starts of inline boxes at the end of a line begin: they go with what comes next.
fn trailing_edges(puts: &[Put]) -> usize {
    let stays = |put: &Put| !matches!(put.what, What::Open { .. } | What::Out(_));
    puts.iter().rposition(stays).map_or(0, |last| last + 1)
}
