//! Floats, and the room that they leave (CSS 2.2, section 9.5).

use super::{Area, Flow};
use crate::style::{Computed, Display, Float, Overflow, Position};
use backlot_core::page::NodeId;

/// Floats of one block formatting context, as margin boxes.
#[derive(Debug, Default)]
pub(super) struct Floats {
    placed: Vec<(Side, Area)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Side {
    Left,
    Right,
}

impl Floats {
    /// How far floats reach in from the left and from the right of a content box, at a height.
    fn reach(&self, (x, width): (f32, f32), y: f32, height: f32) -> (f32, f32) {
        let (mut left, mut right) = (0.0_f32, 0.0_f32);
        for (side, area) in &self.placed {
            let beside = area.y < y + height.max(0.01) && y < area.y + area.height - 0.001;
            if !beside {
                continue;
            }
            match side {
                Side::Left => left = left.max(area.x + area.width - x),
                Side::Right => right = right.max(x + width - area.x),
            }
        }
        (left.max(0.0), right.max(0.0))
    }

    /// The next edge of a float below a height.
    fn next_edge(&self, y: f32) -> Option<f32> {
        let edges = self.placed.iter().map(|(_, area)| area.y + area.height);
        edges.filter(|edge| *edge > y + 0.001).min_by(f32::total_cmp)
    }

    fn bottom(&self, clear: (bool, bool)) -> f32 {
        let counts = |side: Side| if side == Side::Left { clear.0 } else { clear.1 };
        let cleared = self.placed.iter().filter(|(side, _)| counts(*side));
        cleared.map(|(_, area)| area.y + area.height).fold(f32::MIN, f32::max)
    }
}

impl Flow<'_> {
    /// Whether floats stay inside of a box, and those around it outside.
    pub(super) fn holds_floats(&self, id: NodeId, style: &Computed) -> bool {
        let scrolls = !matches!(style.overflow.1, Overflow::Visible | Overflow::Clip);
        let in_flex = self
            .tree
            .parent(id)
            .and_then(|up| self.style(up))
            .is_some_and(|up| up.display.is_flex_or_grid());
        style.float != Float::None
            || matches!(style.position, Position::Absolute | Position::Fixed)
            || !matches!(style.display, Display::Block | Display::ListItem)
            || matches!(self.tree.tag(id), "fieldset" | "legend" | "button")
            || scrolls
            || in_flex
            || self.dom.document_element() == Some(id)
    }

    fn floats(&mut self) -> &mut Floats {
        if self.floats.is_empty() {
            self.floats.push(Floats::default());
        }
        let last = self.floats.len() - 1;
        &mut self.floats[last]
    }

    /// How far floats reach into a content box (left edge, width) from both sides, at a height.
    pub(super) fn beside_floats(&mut self, across: (f32, f32), y: f32, height: f32) -> (f32, f32) {
        self.floats().reach(across, y, height)
    }

    /// The height from `y` on at which a box of this width fits between the floats.
    pub(super) fn below_floats(&mut self, across: (f32, f32), y: f32, width: f32) -> f32 {
        let floats = self.floats();
        let mut y = y;
        loop {
            let (left, right) = floats.reach(across, y, 0.0);
            if left + right == 0.0 || across.1 - left - right >= width - 0.01 {
                return y;
            }
            match floats.next_edge(y) {
                Some(edge) => y = edge,
                None => return y,
            }
        }
    }

    /// Bottom of the floats that a box clears; below everything there is if none.
    pub(super) fn cleared(&mut self, clear: (bool, bool)) -> f32 {
        self.floats().bottom(clear)
    }

    /// Bottom of all floats of the innermost context.
    pub(super) fn floats_bottom(&mut self) -> f32 {
        self.floats().bottom((true, true))
    }

    /// Lays a float out in a content box (left edge, width), not above `y`.
    pub(super) fn lay_float(&mut self, id: NodeId, across: (f32, f32), y: f32) {
        let Some(style) = self.style(id) else { return };
        let width = self.used_width(id, across.1);
        let margin = self.margins(id, across.1);
        let outer = width + margin[1] + margin[3];
        let clear = style.clear;
        let floats = self.floats();
        let above = floats.placed.last().map_or(f32::MIN, |(_, area)| area.y);
        let from = y.max(above).max(floats.bottom(clear));
        let top = self.below_floats(across, from, outer);
        let (left, right) = self.beside_floats(across, top, 0.0);
        let side = if style.float == Float::Left { Side::Left } else { Side::Right };
        let x = match side {
            Side::Left => across.0 + left,
            Side::Right => across.0 + across.1 - right - outer,
        };
        let height = self.lay(id, (x + margin[3], top + margin[0]), width, None, None);
        let area = Area { x, y: top, width: outer, height: height + margin[0] + margin[2] };
        self.floats().placed.push((side, area));
    }
}
