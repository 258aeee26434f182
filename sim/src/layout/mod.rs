//! Boxes: block and inline flow, tables and positioned boxes of our own, flex and grid through taffy.
//!
//! SIM DIFFERENCE: boxes nested deeper than [`NESTED_MAX`] have no size. Pseudo-elements take room only where they are part of a
//! line.

mod block;
mod flex;
mod float;
mod inline;
mod intrinsic;
pub(crate) mod metrics;
mod place;
mod table;

use crate::dom::{Data, Dom, InputKind};
use crate::style::{Computed, Display, Float, Overflow, Position, Size, Styles, has_no_box};
use backlot_core::page::{NodeId, Rect};
use std::collections::BTreeMap;
use std::rc::Rc;

/// Deepest nesting of boxes that is laid out: layout is recursive, and a page must not end our stack.
const NESTED_MAX: u32 = 120;

/// Border boxes in document coordinates, before scrolling. CSS pixels.
#[derive(Debug, Default)]
pub(crate) struct Layout {
    pub(crate) boxes: BTreeMap<NodeId, Area>,
    /// Width and height of what the document scrolls.
    pub(crate) extent: (f32, f32),
    /// Bottom edge of what an element holds, for scrollers.
    pub(crate) content_bottom: BTreeMap<NodeId, f32>,
}

/// A box.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Area {
    pub(crate) x: f32,
    pub(crate) y: f32,
    pub(crate) width: f32,
    pub(crate) height: f32,
}

impl Area {
    pub(crate) fn rect(self) -> Rect {
        Rect {
            x: f64::from(self.x),
            y: f64::from(self.y),
            width: f64::from(self.width),
            height: f64::from(self.height),
        }
    }

    fn union(self, other: Self) -> Self {
        let x = self.x.min(other.x);
        let y = self.y.min(other.y);
        Self {
            x,
            y,
            width: (self.x + self.width).max(other.x + other.width) - x,
            height: (self.y + self.height).max(other.y + other.height) - y,
        }
    }
}

/// Lays a document out.
pub(crate) fn layout(dom: &Dom, styles: &Styles, viewport: (f32, f32)) -> Layout {
    let mut flow = Flow {
        dom,
        styles,
        viewport,
        out: BTreeMap::new(),
        absolute: Vec::new(),
        widths: BTreeMap::new(),
        heights: BTreeMap::new(),
        deep: 0,
        floats: Vec::new(),
        measuring: 0,
    };
    let Some(root) = dom.document_element() else { return Layout::default() };
    if styles.get(root).is_none_or(|style| style.display == Display::None) {
        return Layout::default();
    }
    let width = flow.used_width(root, viewport.0);
    let margin = flow.margins(root, viewport.0);
    flow.lay(root, (margin[3], margin[0]), width, None, Some(viewport.1));
    let initial = Area { x: 0.0, y: 0.0, width: viewport.0, height: viewport.1 };
    flow.lay_absolute(0, initial);
    flow.move_positioned(root);
    flow.finish(viewport)
}

struct Flow<'a> {
    dom: &'a Dom,
    styles: &'a Styles,
    viewport: (f32, f32),
    out: BTreeMap<NodeId, Area>,
    /// Absolute and fixed boxes that wait for their containing block, with their static position.
    absolute: Vec<(NodeId, (f32, f32))>,
    /// Smallest and largest content widths.
    widths: BTreeMap<NodeId, (f32, f32)>,
    /// Heights by node and width, of measuring runs.
    heights: BTreeMap<(NodeId, u32), f32>,
    deep: u32,
    /// Floats of the block formatting contexts that are being laid out, the innermost last.
    floats: Vec<float::Floats>,
    /// In how many measuring runs we are: positions do not count then.
    measuring: u32,
}

impl Flow<'_> {
    fn style(&self, id: NodeId) -> Option<Rc<Computed>> {
        self.styles.get(id).cloned()
    }

    /// Flat-tree children that take part in layout, with those of `display: contents` in their place.
    fn box_children(&self, id: NodeId) -> Vec<NodeId> {
        let mut children = Vec::new();
        let mut open: Vec<NodeId> = self.dom.flat_children(id).into_iter().rev().collect();
        let closed = self.dom.is_html(id, "details") && !self.dom.has_attr(id, "open");
        if self.style(id).is_some_and(|style| style.content_hidden) {
            return children;
        }
        while let Some(at) = open.pop() {
            match self.dom.data(at) {
                Data::Text(_) if !closed => children.push(at),
                Data::Element(_) => match self.style(at) {
                    Some(style) if style.display == Display::Contents => {
                        open.extend(self.dom.flat_children(at).into_iter().rev());
                    }
                    Some(style) if style.display == Display::None => {}
                    Some(_) if has_no_box(self.dom, at) => {}
                    Some(_) if self.styles.is_skipped(at) && !self.styles.is_skipped(id) => {}
                    Some(_) => children.push(at),
                    None => {}
                },
                _ => {}
            }
        }
        children
    }

    fn is_block_level(&self, id: NodeId) -> bool {
        self.style(id).is_some_and(|style| {
            style.float == Float::None
                && !matches!(
                    style.display,
                    Display::Inline
                        | Display::RubyText
                        | Display::InlineBlock
                        | Display::InlineFlex
                        | Display::InlineGrid
                        | Display::InlineTable
                )
        })
    }

    fn is_out(&self, id: NodeId) -> bool {
        self.style(id)
            .is_some_and(|style| matches!(style.position, Position::Absolute | Position::Fixed))
    }

    /// Used margins; `auto` counts as 0.
    fn margins(&self, id: NodeId, containing: f32) -> [f32; 4] {
        match self.style(id) {
            Some(style) => style.margin.map(|size| resolve(size, containing).unwrap_or(0.0)),
            None => [0.0; 4],
        }
    }

    fn paddings(&self, id: NodeId, containing: f32) -> [f32; 4] {
        // Check boxes and radio buttons have a fixed look, without padding.
        if self.dom.input_kind(id).is_some_and(InputKind::is_checkable) {
            return [0.0; 4];
        }
        match self.style(id) {
            Some(style) => style.padding.map(|size| resolve(size, containing).unwrap_or(0.0)),
            None => [0.0; 4],
        }
    }

    fn borders(&self, id: NodeId) -> [f32; 4] {
        match self.style(id) {
            Some(style) => std::array::from_fn(|side| style.border_width(side)),
            None => [0.0; 4],
        }
    }

    /// Border and padding of each side.
    fn edges(&self, id: NodeId, containing: f32) -> [f32; 4] {
        let (padding, border) = (self.paddings(id, containing), self.borders(id));
        std::array::from_fn(|side| padding[side] + border[side])
    }

    fn finish(self, viewport: (f32, f32)) -> Layout {
        let mut layout = Layout { extent: viewport, ..Layout::default() };
        for (id, area) in &self.out {
            let bottom = area.y + area.height;
            let fixed = self.dom.flat_ancestors(*id).any(|up| {
                self.styles.get(up).is_some_and(|style| style.position == Position::Fixed)
            });
            let mut clipped = false;
            for up in self.dom.flat_ancestors(*id).skip(1) {
                let entry = layout.content_bottom.entry(up).or_insert(f32::MIN);
                *entry = entry.max(bottom);
                clipped = self.styles.get(up).is_some_and(|style| {
                    !matches!(style.overflow.1, Overflow::Visible)
                        && !matches!(self.dom.html_tag(up), "html" | "body")
                });
                if clipped {
                    break;
                }
            }
            if !clipped && !fixed {
                layout.extent.1 = layout.extent.1.max(bottom);
                layout.extent.0 = layout.extent.0.max(area.x + area.width);
            }
        }
        layout.boxes = self.out;
        layout
    }
}

/// A length in CSS pixels, percentages of `containing`; `None` for keywords.
fn resolve(size: Size, containing: f32) -> Option<f32> {
    match size {
        // Layout counts in 64ths of a pixel, as Chromium's does.
        Size::Given { px, percent } => Some(((px + percent * containing) * 64.0).trunc() / 64.0),
        _ => None,
    }
}
