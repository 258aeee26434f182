//! Margins that meet (CSS 2.2, section 8.3.1).

use super::inline::{Run, Step};
use super::parts::Part;
use super::{Flow, NESTED_MAX};
use crate::dom::Quirks;
use crate::style::{Display, Float, Overflow, Position, Size};
use backlot_core::page::NodeId;

impl Flow<'_> {
    /// Whether the margin of a box at its top (0) or bottom (2) joins that of its first or last block.
    pub(super) fn joins_edge(&self, id: NodeId, side: usize) -> bool {
        let is_auto = self.style(id).is_some_and(|style| style.height == Size::Auto);
        (side == 0 || is_auto) && self.meets_edge(id, side)
    }

    /// Nothing keeps the margin of a box from that of what is in it, at its top (0) or bottom (2).
    fn meets_edge(&self, id: NodeId, side: usize) -> bool {
        let Some(style) = self.style(id) else { return false };
        let edges = self.edges(id, 0.0);
        let is_root = self.dom.document_element() == Some(id);
        let plain = matches!(style.display, Display::Block | Display::ListItem)
            && !matches!(self.tree.tag(id), "fieldset" | "legend" | "button")
            && style.float == Float::None
            && !matches!(style.position, Position::Absolute | Position::Fixed)
            && matches!(style.overflow.1, Overflow::Visible | Overflow::Clip)
            && self.content_size(id, &style).is_none();
        let in_flow = self
            .tree
            .parent(id)
            .and_then(|up| self.style(up))
            .is_none_or(|up| !up.display.is_flex_or_grid());
        plain && !is_root && in_flow && edges[side] == 0.0
    }

    /// Margin of a box at its top (0) or bottom (2), joined with those of the blocks at that edge. `at_edge`: it is itself at
    /// that edge of the box around it.
    pub(super) fn collapsed(
        &mut self,
        id: NodeId,
        side: usize,
        containing: f32,
        at_edge: bool,
    ) -> f32 {
        let around = self.tree.parent(id).filter(|_| at_edge);
        let mut ignores = around.is_some_and(|around| self.ignores_quirky(around, side));
        let mut margin = 0.0;
        let mut at = id;
        for _ in 0..NESTED_MAX {
            let is_quirky = self.style(at).is_some_and(|style| style.quirky_margin[side]);
            if !(ignores && is_quirky) {
                margin = join(margin, self.margins(at, containing)[side]);
            }
            ignores |= self.ignores_quirky(at, side);
            if !self.joins_edge(at, side) {
                break;
            }
            let parts = self.parts(at);
            let mut next = None;
            for place in 0..parts.len() {
                let part = if side == 0 { &parts[place] } else { &parts[parts.len() - 1 - place] };
                match part {
                    Part::Line(run) if self.is_hollow(run) => {}
                    Part::Line(_) => break,
                    Part::Block(child, _) => match self.through(*child, containing, 0) {
                        Some(inside) => margin = join(margin, inside),
                        None => {
                            next = Some(*child);
                            break;
                        }
                    },
                }
            }
            let Some(child) = next else { break };
            at = child;
        }
        margin
    }

    /// The one margin of a box whose top and bottom meet because nothing is between them.
    pub(super) fn through(&mut self, id: NodeId, containing: f32, deep: u32) -> Option<f32> {
        if let Some(known) = self.through.get(&id) {
            return *known;
        }
        let margin = self.through_of(id, containing, deep);
        self.through.insert(id, margin);
        margin
    }

    fn through_of(&mut self, id: NodeId, containing: f32, deep: u32) -> Option<f32> {
        let style = self.style(id)?;
        let flat = |size: Size| matches!(size, Size::Auto | Size::ZERO);
        let is_flat = flat(style.height) && flat(style.min_height) && style.clear == (false, false);
        if deep > NESTED_MAX
            || !is_flat
            || self.has_line_of_its_own(id, &style)
            || self.quirky_height(id, &style) > 0.0
            || !(self.meets_edge(id, 0) && self.meets_edge(id, 2))
        {
            return None;
        }
        let own = self.margins(id, containing);
        let mut margin = join(own[0], own[2]);
        let parts = self.parts(id);
        for part in parts.iter() {
            match part {
                Part::Line(run) if self.is_hollow(run) => {}
                Part::Line(_) => return None,
                Part::Block(child, _) => {
                    margin = join(margin, self.through(*child, containing, deep + 1)?);
                }
            }
        }
        Some(margin)
    }

    /// Nothing on it makes a line.
    fn is_hollow(&self, run: &Run) -> bool {
        let mut open: Vec<Step> = run.steps.clone();
        while let Some(step) = open.pop() {
            let (Step::Enter(id) | Step::Open(id) | Step::Close(id)) = step;
            if self.tree.text(id).is_some() {
                if !self.is_blank_text(id) {
                    return false;
                }
                continue;
            }
            let Some(style) = self.style(id) else { continue };
            if style.float != Float::None || self.is_out(id) {
                continue;
            }
            let edges = self.edges(id, 0.0);
            if !self.is_plain_inline(id, &style)
                || self.tree.tag(id) == "br"
                || edges[1] + edges[3] != 0.0
            {
                return false;
            }
            if matches!(step, Step::Enter(_)) {
                open.extend(self.tree.children(id).iter().map(|child| Step::Enter(*child)));
            }
        }
        true
    }

    /// Margins of the browser's own sheet do not count at its edges (Quirks Mode standard, "The collapsing margins quirk").
    fn ignores_quirky(&self, id: NodeId, side: usize) -> bool {
        let counts = match self.tree.tag(id) {
            "td" | "th" => true,
            "body" => side == 0,
            _ => false,
        };
        self.dom.quirks == Quirks::Full && counts
    }
}

/// Two margins that touch.
pub(super) fn join(a: f32, b: f32) -> f32 {
    if a >= 0.0 && b >= 0.0 {
        a.max(b)
    } else if a < 0.0 && b < 0.0 {
        a.min(b)
    } else {
        a + b
    }
}
