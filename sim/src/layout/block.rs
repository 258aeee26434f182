//! Block flow.

use super::float::Floats;
use super::margins::join;
use super::parts::Part;
use super::{Area, Flow, NESTED_MAX, metrics, resolve};
use crate::dom::Quirks;
use crate::style::{Computed, Display, Float, Marker, Position, Size};
use backlot_core::page::NodeId;
use std::rc::Rc;

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
        self.laid += 1;
        self.texts.remove(&id);
        self.baselines.remove(&id);
        let waiting = self.absolute.len();
        let edges = self.edges(id, width);
        let inner = (width - edges[1] - edges[3]).max(0.0);
        let origin = (at.0 + edges[3], at.1 + edges[0]);
        // What a cell asks for counts for its row.
        let given = (style.display != Display::Cell)
            .then(|| self.given_height(&style, &edges, containing))
            .flatten();
        let definite = height.or(given);
        let inner_height = definite.map(|height| (height - edges[0] - edges[2]).max(0.0));
        let holds_floats = self.holds_floats(id, &style);
        if holds_floats {
            self.floats.push(Floats::default());
        }
        let ratio = self.ratio(id, &style);
        let (content, baselines) = match self.content_size(id, &style) {
            Some((_, content)) => (ratio.map_or(content, |ratio| inner / ratio), None),
            None => match style.display {
                Display::Flex | Display::Grid | Display::InlineFlex | Display::InlineGrid => {
                    self.lay_flex(id, &style, origin, (inner, inner_height))
                }
                Display::Table | Display::InlineTable => {
                    self.lay_table(id, &style, origin, (inner, inner_height))
                }
                _ => self.lay_parts(id, &style, origin, (inner, inner_height)),
            },
        };
        if let Some((first, last)) = baselines {
            self.baselines.insert(id, (first - at.1, last - at.1));
        }
        let content = ratio.map_or(content, |ratio| content.max(inner / ratio));
        let content = match holds_floats {
            true => {
                let bottom = self.floats_bottom();
                self.floats.pop();
                content.max(bottom - origin.1)
            }
            false => content,
        };
        let content = if content == 0.0 && self.has_line_of_its_own(id, &style) {
            metrics::line_height(&style)
        } else {
            content
        };
        let auto = content + edges[0] + edges[2];
        let auto = auto.max(self.quirky_height(id, &style));
        let used = self.clamp_height(&style, definite.unwrap_or(auto), &edges, containing);
        if self.tree.tag(id) == "button" && used > auto && !style.display.is_flex_or_grid() {
            // A button's contents stand in its middle.
            let down = (used - auto) / 2.0;
            self.shift_below(id, (0.0, down));
            if let Some((first, last)) = self.baselines.get_mut(&id) {
                *first += down;
                *last += down;
            }
        }
        if let Some(line) = self.control_baseline(id, &style, used) {
            self.baselines.insert(id, (line, line));
        }
        self.lay_options(id, (at.0 + edges[3], at.1 + edges[0]), inner, &style);
        let area = Area { x: at.0, y: at.1, width, height: used };
        self.out.insert(id, area);
        if style.position != Position::Static || style.transform.is_some() {
            let border = self.borders(id);
            self.lay_absolute(
                waiting,
                Some(id),
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

    /// The rows of a list box.
    fn lay_options(&mut self, id: NodeId, at: (f32, f32), width: f32, style: &Computed) {
        if self.tree.tag(id) != "select" || !metrics::is_listbox(self.dom, id) {
            return;
        }
        let row = self.option_row(id, style);
        let mut y = at.1;
        for option in self.dom.subtree(id).skip(1) {
            let rows = match self.dom.html_tag(option) {
                "option" => 1,
                // Its label has a row of its own.
                "optgroup" => {
                    1 + self
                        .dom
                        .children(option)
                        .filter(|at| self.dom.is_html(*at, "option"))
                        .count()
                }
                _ => continue,
            };
            #[expect(clippy::cast_precision_loss, reason = "no list has 2^24 rows")]
            let height = rows as f32 * row;
            self.out.insert(option, Area { x: at.0, y, width, height });
            y += row;
        }
    }

    /// Empty, it is as high as a line: an editing host for the caret, a list item for its marker.
    pub(super) fn has_line_of_its_own(&self, id: NodeId, style: &Computed) -> bool {
        let edits = self.tree.node(id).is_some_and(|node| self.dom.editing_host(node) == Some(id));
        edits
            || style.display == Display::ListItem
                && style.marker != Marker::None
                && !style.marker_inside
    }

    /// In quirks mode the body is at least as high as the viewport (Quirks Mode standard, "The body element fills the html
    /// element quirk").
    pub(super) fn quirky_height(&mut self, id: NodeId, style: &Computed) -> f32 {
        let is_body = self.tree.tag(id) == "body" && self.dom.body() == Some(id);
        if self.dom.quirks != Quirks::Full || style.height != Size::Auto || style.out_of_flow() {
            return 0.0;
        }
        if self.dom.document_element() == Some(id) {
            return self.viewport.1;
        }
        if !is_body {
            return 0.0;
        }
        let top = self.collapsed(id, 0, self.viewport.0, false);
        let bottom = self.collapsed(id, 2, self.viewport.0, false);
        self.viewport.1 - top - bottom
    }

    pub(super) fn given_height(
        &self,
        style: &Computed,
        edges: &[f32; 4],
        containing: Option<f32>,
    ) -> Option<f32> {
        let px = match style.height {
            Size::Given { px, percent: 0.0 } => px,
            size @ (Size::Given { .. } | Size::Bounded { .. }) => resolve(size, containing?)?,
            _ => return None,
        };
        Some(if style.border_box { px.max(edges[0] + edges[2]) } else { px + edges[0] + edges[2] })
    }

    pub(super) fn clamp_height(
        &self,
        style: &Computed,
        height: f32,
        edges: &[f32; 4],
        containing: Option<f32>,
    ) -> f32 {
        let extra = if style.border_box { 0.0 } else { edges[0] + edges[2] };
        let limit = |size: Size| match size {
            Size::Given { px, percent: 0.0 } => Some(px + extra),
            size @ (Size::Given { .. } | Size::Bounded { .. }) => {
                resolve(size, containing?).map(|px| px + extra)
            }
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
            || matches!(self.tree.tag(id), "button" | "legend");
        let width = match style.width {
            Size::Given { .. } | Size::Bounded { .. } => {
                outer(resolve(style.width, containing).unwrap_or(0.0))
            }
            Size::Stretch => room,
            Size::MinContent => self.intrinsic(id).0 + extra,
            Size::MaxContent => self.intrinsic(id).1 + extra,
            _ if let Some(width) = self.replaced_width(id, &style, room - extra) => width + extra,
            Size::FitContent => self.fit(id, room - extra) + extra,
            _ if shrinks => self.fit(id, room - extra) + extra,
            _ => room,
        };
        let capped =
            resolve(style.max_width, containing).map_or(width, |max| width.min(outer(max)));
        resolve(style.min_width, containing).map_or(capped, |min| capped.max(outer(min)))
    }

    pub(super) fn ratio(&self, id: NodeId, style: &Computed) -> Option<f32> {
        metrics::ratio(self.dom, self.tree.node(id)?, style)
    }

    /// Content width of a replaced element whose style gives none.
    fn replaced_width(&mut self, id: NodeId, style: &Computed, room: f32) -> Option<f32> {
        let (width, _) = self.content_size(id, style)?;
        let ratio = self.ratio(id, style);
        let node = self.tree.node(id)?;
        Some(match (ratio, style.height) {
            (Some(ratio), Size::Given { px, percent: 0.0 }) => px * ratio,
            (Some(_), _) if metrics::is_svg(self.dom, node) => room.max(0.0),
            _ => width,
        })
    }

    fn fit(&mut self, id: NodeId, room: f32) -> f32 {
        let (min, max) = self.intrinsic(id);
        max.min(room.max(min))
    }

    fn lay_parts(
        &mut self,
        id: NodeId,
        style: &Rc<Computed>,
        origin: (f32, f32),
        (inner, tall): (f32, Option<f32>),
    ) -> (f32, Baselines) {
        let joins = self.joins_edge(id, 0);
        let legend = self.legend(id);
        let mut stack = Stack { y: 0.0, pending: 0.0, first: true, baselines: None };
        if let Some(legend) = legend {
            // It stands on the top border, and its height takes the border's place.
            let (border, padding) = (self.borders(id)[0], self.paddings(id, inner)[0]);
            let margin = self.margins(legend, inner);
            let width = self.used_width(legend, inner);
            let x = origin.0 + self.block_x(legend, inner, width);
            let height = self.lay(legend, (x, origin.1 - border - padding), width, None, None);
            stack.y = (height + margin[2] - border).max(0.0);
            stack.first = false;
        }
        let parts = self.parts(id);
        let count = parts.len();
        for (place, part) in parts.iter().enumerate() {
            match part {
                Part::Block(child, _) if Some(*child) == legend => {}
                Part::Line(run) => {
                    let at = (origin.0, origin.1 + stack.y + stack.pending);
                    let lined = self.lay_lines(id, run, style, at, (inner, tall));
                    if lined.height > 0.0 {
                        stack.y += stack.pending + lined.height;
                        stack.pending = 0.0;
                        stack.first = false;
                    }
                    stack.meet_baselines(lined.baselines);
                }
                Part::Block(child, around) => {
                    let edge = (place == 0, place + 1 == count);
                    let open = stack.first && joins;
                    let top = self.lay_block(*child, origin, (inner, tall), &mut stack, edge, open);
                    for broken in around {
                        let height = origin.1 + stack.y - top;
                        let area =
                            Area { x: origin.0, y: top, width: inner, height: height.max(0.0) };
                        self.strips.entry(*broken).or_default().push(area);
                    }
                }
            }
        }
        let closed = self.joins_edge(id, 2) && !stack.first;
        let height = if closed { stack.y } else { stack.y + stack.pending.max(0.0) };
        (height, stack.baselines)
    }

    /// Lays out a block below what stands there. `edge`: it is the first, the last; `open`: its margin joins that of the box
    /// around. Gives its top.
    fn lay_block(
        &mut self,
        child: NodeId,
        origin: (f32, f32),
        (inner, tall): (f32, Option<f32>),
        stack: &mut Stack,
        edge: (bool, bool),
        open: bool,
    ) -> f32 {
        let Some(own) = self.style(child) else { return 0.0 };
        let top = self.collapsed(child, 0, inner, edge.0);
        let mut gap = if open { 0.0 } else { join(stack.pending, top) };
        let mut is_cleared = false;
        if own.clear != (false, false) {
            let clearance = self.cleared(own.clear) - origin.1 - stack.y;
            // What clears is moved down for good: its margins meet nothing above.
            is_cleared = clearance > gap;
            gap = gap.max(clearance);
        }
        let (beside, room) = self.beside(child, &own, (origin.0, inner), origin.1 + stack.y + gap);
        gap += beside.1;
        let width = self.used_width(child, room);
        let x = beside.0 + self.block_x(child, room, width);
        let at = (origin.0 + x, origin.1 + stack.y + gap);
        let height = self.lay(child, at, width, None, tall);
        if let Some((first, last)) = self.baselines.get(&child).copied() {
            stack.meet_baselines(Some((at.1 + first, at.1 + last)));
        }
        let through = if is_cleared { None } else { self.through(child, inner, 0) };
        match through {
            Some(margin) if height == 0.0 => {
                stack.pending = if open { stack.pending } else { join(stack.pending, margin) };
            }
            _ => {
                stack.y += gap + height;
                stack.pending = self.collapsed(child, 2, inner, edge.1);
                stack.first = false;
            }
        }
        at.1
    }

    /// A box that floats do not reach into stands beside them, or below: how far it moves, and how much room it has.
    fn beside(
        &mut self,
        id: NodeId,
        style: &Computed,
        across: (f32, f32),
        y: f32,
    ) -> ((f32, f32), f32) {
        if !self.holds_floats(id, style) && self.content_size(id, style).is_none() {
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
        if self.tree.tag(id) != "fieldset" {
            return None;
        }
        let is_legend = |at: &NodeId| {
            self.tree.tag(*at) == "legend" && !self.is_out(*at) && self.is_block_level(*at)
        };
        self.tree.children(id).iter().copied().find(is_legend)
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
}

/// Baselines of the first and the last line, in document coordinates.
pub(super) type Baselines = Option<(f32, f32)>;

/// Blocks and lines that stand already.
struct Stack {
    /// Bottom of the last one, and the margin below it that the next one's joins.
    y: f32,
    pending: f32,
    /// Nothing that has a height was met.
    first: bool,
    baselines: Baselines,
}

impl Stack {
    fn meet_baselines(&mut self, met: Baselines) {
        if let Some((first, last)) = met {
            self.baselines = Some((self.baselines.map_or(first, |(first, _)| first), last));
        }
    }
}
