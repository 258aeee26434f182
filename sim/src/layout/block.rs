//! Block flow.

use super::float::Floats;
use super::{Area, Flow, NESTED_MAX, metrics, resolve};
use crate::dom::Quirks;
use crate::style::{Computed, Display, Float, Overflow, Position, PseudoStyle, Size};
use backlot_core::page::NodeId;
use std::rc::Rc;

/// What stands one below the other in a block.
enum Part {
    Block(NodeId),
    /// A run of inline-level nodes.
    Line(Vec<NodeId>),
}

impl Flow<'_> {
    /// Lays out a box whose border box starts at `at` and is `width` wide; `height` where it is given from outside;
    /// `containing` is the height that percentages refer to, where it is known. Gives the border box's height.
    pub(super) fn lay(
        &mut self,
        id: NodeId,
        at: (f32, f32),
        width: f32,
        height: Option<f32>,
        containing: Option<f32>,
    ) -> f32 {
        let Some(style) = self.style(id) else { return 0.0 };
        if self.deep >= NESTED_MAX {
            return 0.0;
        }
        self.deep += 1;
        let waiting = self.absolute.len();
        let edges = self.edges(id, width);
        let inner = (width - edges[1] - edges[3]).max(0.0);
        let origin = (at.0 + edges[3], at.1 + edges[0]);
        let definite = height.or_else(|| self.given_height(&style, &edges, containing));
        let inner_height = definite.map(|height| (height - edges[0] - edges[2]).max(0.0));
        let holds_floats = self.holds_floats(id, &style);
        if holds_floats {
            self.floats.push(Floats::default());
        }
        let content = match metrics::content_size(self.dom, id, &style) {
            Some((_, content)) => content,
            None => match style.display {
                Display::Flex | Display::Grid | Display::InlineFlex | Display::InlineGrid => {
                    self.lay_flex(id, &style, origin, (inner, inner_height))
                }
                Display::Table | Display::InlineTable => self.lay_table(id, &style, origin, inner),
                _ => self.lay_parts(id, &style, origin, inner, inner_height),
            },
        };
        let content = match holds_floats {
            true => {
                let bottom = self.floats_bottom();
                self.floats.pop();
                content.max(bottom - origin.1)
            }
            false => content,
        };
        // An empty editing host has room for the caret.
        let content = match content == 0.0 && self.dom.editing_host(id) == Some(id) {
            true => metrics::line_height(&style),
            false => content,
        };
        let auto = content + edges[0] + edges[2];
        let used = self.clamp_height(&style, definite.unwrap_or(auto), &edges, containing);
        if self.dom.is_html(id, "button") && used > auto {
            // A button's contents stand in its middle.
            self.shift_below(id, (0.0, (used - auto) / 2.0));
        }
        let area = Area { x: at.0, y: at.1, width, height: used };
        self.out.insert(id, area);
        if style.position != Position::Static || style.transform.is_some() {
            let border = self.borders(id);
            self.lay_absolute(
                waiting,
                Area {
                    x: at.0 + border[3],
                    y: at.1 + border[0],
                    width: width - border[1] - border[3],
                    height: used - border[0] - border[2],
                },
            );
        }
        self.deep -= 1;
        used
    }

    fn given_height(
        &self,
        style: &Computed,
        edges: &[f32; 4],
        containing: Option<f32>,
    ) -> Option<f32> {
        let px = match style.height {
            Size::Given { px, percent: 0.0 } => px,
            Size::Given { px, percent } => px + percent * containing?,
            _ => return None,
        };
        Some(if style.border_box { px.max(edges[0] + edges[2]) } else { px + edges[0] + edges[2] })
    }

    fn clamp_height(
        &self,
        style: &Computed,
        height: f32,
        edges: &[f32; 4],
        containing: Option<f32>,
    ) -> f32 {
        let extra = if style.border_box { 0.0 } else { edges[0] + edges[2] };
        let limit = |size: Size| match size {
            Size::Given { px, percent: 0.0 } => Some(px + extra),
            Size::Given { px, percent } => containing.map(|c| px + percent * c + extra),
            _ => None,
        };
        let capped = limit(style.max_height).map_or(height, |max| height.min(max));
        limit(style.min_height).map_or(capped, |min| capped.max(min))
    }

    /// Width of a block-level or shrink-to-fit border box in a container of this width.
    pub(super) fn used_width(&mut self, id: NodeId, containing: f32) -> f32 {
        let Some(style) = self.style(id) else { return 0.0 };
        let edges = self.edges(id, containing);
        let extra = edges[1] + edges[3];
        let margin = self.margins(id, containing);
        let room = (containing - margin[1] - margin[3]).max(0.0);
        let outer = |px: f32| if style.border_box { px.max(extra) } else { px + extra };
        let shrinks = style.float != Float::None
            || matches!(style.position, Position::Absolute | Position::Fixed)
            || !self.is_block_level(id)
            || matches!(style.display, Display::Table)
            || self.dom.is_html(id, "button")
            || self.dom.is_html(id, "legend");
        let width = match style.width {
            Size::Given { px, percent } => outer(px + percent * containing),
            Size::MinContent => self.intrinsic(id).0 + extra,
            Size::MaxContent => self.intrinsic(id).1 + extra,
            _ if metrics::content_size(self.dom, id, &style).is_some() => {
                self.intrinsic(id).1 + extra
            }
            Size::FitContent => self.fit(id, room - extra) + extra,
            _ if shrinks => self.fit(id, room - extra) + extra,
            _ => room,
        };
        let capped =
            resolve(style.max_width, containing).map_or(width, |max| width.min(outer(max)));
        resolve(style.min_width, containing).map_or(capped, |min| capped.max(outer(min)))
    }

    fn fit(&mut self, id: NodeId, room: f32) -> f32 {
        let (min, max) = self.intrinsic(id);
        max.min(room.max(min))
    }

    fn parts(&mut self, id: NodeId) -> Vec<Part> {
        let mut parts: Vec<Part> = Vec::new();
        for child in self.box_children(id) {
            if self.is_block_level(child) && !self.is_out(child) {
                parts.push(Part::Block(child));
            } else if let Some(Part::Line(run)) = parts.last_mut() {
                run.push(child);
            } else {
                parts.push(Part::Line(vec![child]));
            }
        }
        parts.retain(|part| match part {
            Part::Block(_) => true,
            Part::Line(run) => !run.iter().all(|node| self.is_blank_text(*node)),
        });
        let shown = |pseudo: Option<&PseudoStyle>| {
            pseudo.is_some_and(|p| p.style.display == Display::Inline && !p.told.is_empty())
        };
        if shown(self.styles.before(id)) && !matches!(parts.first(), Some(Part::Line(_))) {
            parts.insert(0, Part::Line(Vec::new()));
        }
        if shown(self.styles.after(id)) && !matches!(parts.last(), Some(Part::Line(_))) {
            parts.push(Part::Line(Vec::new()));
        }
        parts
    }

    fn is_blank_text(&self, id: NodeId) -> bool {
        let keeps = self
            .dom
            .flat_parent(id)
            .and_then(|up| self.style(up))
            .is_some_and(|style| super::inline::keeps_space(style.white_space));
        self.dom.text(id).is_some_and(|text| {
            if keeps { text.is_empty() } else { text.chars().all(|c| c.is_ascii_whitespace()) }
        })
    }

    fn lay_parts(
        &mut self,
        id: NodeId,
        style: &Computed,
        origin: (f32, f32),
        inner: f32,
        inner_height: Option<f32>,
    ) -> f32 {
        let mut y = 0.0_f32;
        let mut pending = 0.0_f32;
        let mut first = true;
        let joins = self.joins_edge(id, 0);
        let legend = self.legend(id);
        if let Some(legend) = legend {
            // It stands on the top border, and its height takes the border's place.
            let (border, padding) = (self.borders(id)[0], self.paddings(id, inner)[0]);
            let width = self.used_width(legend, inner);
            let at = (origin.0, origin.1 - border - padding);
            let height = self.lay(legend, at, width, None, None);
            y = (height - border).max(0.0);
            first = false;
        }
        let parts = self.parts(id);
        let count = parts.len();
        for (place, part) in parts.into_iter().enumerate() {
            match part {
                Part::Block(child) if Some(child) == legend => {}
                Part::Line(run) => {
                    let ends = ((place == 0).then_some(id), (place + 1 == count).then_some(id));
                    let height = self.lay_lines(
                        &run,
                        style,
                        (origin.0, origin.1 + y + pending),
                        inner,
                        ends,
                    );
                    if height > 0.0 {
                        y += pending + height;
                        pending = 0.0;
                        first = false;
                    }
                }
                Part::Block(child) => {
                    let top = self.collapsed(child, 0, inner, place == 0);
                    let mut gap = if first && joins { 0.0 } else { join(pending, top) };
                    let Some(own) = self.style(child) else { continue };
                    let mut is_cleared = false;
                    if own.clear != (false, false) {
                        let clearance = self.cleared(own.clear) - origin.1 - y;
                        // What clears is moved down for good: its margins meet nothing above.
                        is_cleared = clearance > gap;
                        gap = gap.max(clearance);
                    }
                    let (beside, room) =
                        self.beside(child, &own, (origin.0, inner), origin.1 + y + gap);
                    gap += beside.1;
                    let width = self.used_width(child, room);
                    let x = beside.0 + self.block_x(child, room, width);
                    let at = (origin.0 + x, origin.1 + y + gap);
                    let height = self.lay(child, at, width, None, inner_height);
                    let bottom = self.collapsed(child, 2, inner, place + 1 == count);
                    if height == 0.0
                        && !is_cleared
                        && self.joins_edge(child, 0)
                        && self.joins_edge(child, 2)
                    {
                        pending = if first && joins { pending } else { join(gap, bottom) };
                    } else {
                        y += gap + height;
                        pending = bottom;
                        first = false;
                    }
                }
            }
        }
        let height = if self.joins_edge(id, 2) && !first { y } else { y + pending.max(0.0) };
        // The usual way to keep floats in: a block behind everything that clears them.
        let clearing = self.styles.after(id).map(|after| Rc::clone(&after.style));
        match clearing.filter(|style| style.display != Display::Inline) {
            Some(style) if style.clear != (false, false) => {
                height.max(self.cleared(style.clear) - origin.1)
            }
            _ => height,
        }
    }

    /// A box that floats do not reach into stands beside them, or below: how far it moves, and how much room it has.
    fn beside(
        &mut self,
        id: NodeId,
        style: &Computed,
        across: (f32, f32),
        y: f32,
    ) -> ((f32, f32), f32) {
        if !self.holds_floats(id, style) && metrics::content_size(self.dom, id, style).is_none() {
            return ((0.0, 0.0), across.1);
        }
        let (left, right) = self.beside_floats(across, y, 0.0);
        if left + right == 0.0 {
            return ((0.0, 0.0), across.1);
        }
        let least = match style.width {
            Size::Auto if !matches!(style.display, Display::Table) => self.outer_widths(id).0,
            _ => {
                let margin = self.margins(id, across.1);
                self.used_width(id, across.1) + margin[1] + margin[3]
            }
        };
        let down = self.below_floats(across, y, least) - y;
        let (left, right) = self.beside_floats(across, y + down, 0.0);
        ((left, down), across.1 - left - right)
    }

    /// The rendered legend of a fieldset.
    fn legend(&self, id: NodeId) -> Option<NodeId> {
        if !self.dom.is_html(id, "fieldset") {
            return None;
        }
        self.box_children(id).into_iter().find(|at| {
            self.dom.is_html(*at, "legend") && self.is_block_level(*at) && !self.is_out(*at)
        })
    }

    fn block_x(&self, id: NodeId, inner: f32, width: f32) -> f32 {
        let Some(style) = self.style(id) else { return 0.0 };
        let margin = self.margins(id, inner);
        let auto = |side: usize| style.margin[side] == Size::Auto;
        let left = (inner - width - margin[1] - margin[3]).max(0.0);
        match (auto(3), auto(1)) {
            (true, true) => left / 2.0,
            (true, false) => left + margin[3],
            _ => margin[3],
        }
    }

    /// Whether the margin of a box at its top (0) or bottom (2) joins that of its first or last block.
    fn joins_edge(&self, id: NodeId, side: usize) -> bool {
        let Some(style) = self.style(id) else { return false };
        let edges = self.edges(id, 0.0);
        let is_root = self.dom.document_element() == Some(id);
        let plain = matches!(style.display, Display::Block | Display::ListItem)
            && !matches!(self.dom.html_tag(id), "fieldset" | "legend" | "button")
            && style.float == Float::None
            && !matches!(style.position, Position::Absolute | Position::Fixed)
            && matches!(style.overflow.1, Overflow::Visible | Overflow::Clip)
            && metrics::content_size(self.dom, id, &style).is_none();
        let in_flow = self
            .dom
            .flat_parent(id)
            .and_then(|up| self.style(up))
            .is_none_or(|up| !up.display.is_flex_or_grid());
        let open_end = side == 0 || style.height == Size::Auto;
        plain && !is_root && in_flow && open_end && edges[side] == 0.0
    }

    /// Margin of a box at its top (0) or bottom (2), joined with those of the blocks at that edge. `at_edge`: it is itself at
    /// that edge of the box around it.
    fn collapsed(&mut self, id: NodeId, side: usize, containing: f32, at_edge: bool) -> f32 {
        let around = self.dom.flat_parent(id).filter(|_| at_edge);
        let mut ignores = around.is_some_and(|around| self.ignores_quirky(around));
        let mut margin = 0.0;
        let mut at = id;
        for _ in 0..NESTED_MAX {
            let is_quirky = self.style(at).is_some_and(|style| style.quirky_margin[side]);
            if !(ignores && is_quirky) {
                margin = join(margin, self.margins(at, containing)[side]);
            }
            ignores |= self.ignores_quirky(at);
            if !self.joins_edge(at, side) {
                break;
            }
            let parts = self.parts(at);
            let mut in_flow = parts.iter().filter(|part| !self.is_only_floats(part));
            let edge = if side == 0 { in_flow.next() } else { in_flow.next_back() };
            let Some(Part::Block(child)) = edge else { break };
            at = *child;
        }
        margin
    }

    fn is_only_floats(&self, part: &Part) -> bool {
        let Part::Line(run) = part else { return false };
        let is_float = |id: NodeId| self.style(id).is_some_and(|style| style.float != Float::None);
        !run.is_empty() && run.iter().all(|id| is_float(*id) || self.is_blank_text(*id))
    }

    /// Margins of the browser's own sheet do not count at its edges (Quirks Mode standard, "The collapsing margins quirk").
    fn ignores_quirky(&self, id: NodeId) -> bool {
        self.dom.quirks == Quirks::Full && matches!(self.dom.html_tag(id), "body" | "td" | "th")
    }
}

/// Two margins that touch.
fn join(a: f32, b: f32) -> f32 {
    if a >= 0.0 && b >= 0.0 {
        a.max(b)
    } else if a < 0.0 && b < 0.0 {
        a.min(b)
    } else {
        a + b
    }
}
