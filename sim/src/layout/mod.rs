//! Boxes: block and inline flow, tables and positioned boxes of our own, flex and grid through taffy.
//!
//! SIM DIFFERENCE: boxes nested deeper than 120 have no size.

mod atom;
mod block;
mod columns;
mod finish;
mod flex;
mod float;
mod inline;
mod intrinsic;
mod line;
mod margins;
mod marker;
pub(crate) mod metrics;
pub(crate) mod paint;
mod parts;
mod place;
mod table;
mod tree;
mod words;

use self::paint::Item;
use self::tree::Tree;
use crate::dom::{Dom, InputKind};
use crate::style::{Computed, Display, Float, Position, Size, Styles};
use backlot_core::page::{NodeId, Rect};
use std::cell::OnceCell;
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
    /// Right and bottom edges of what an element holds, for scrollers.
    pub(crate) content_end: BTreeMap<NodeId, (f32, f32)>,
    /// Boxes that were laid out, each time that they were.
    pub(crate) laid: u64,
    /// Everything that can be hit, in tree order.
    pub(crate) items: Vec<Item>,
    ranks: OnceCell<Vec<u32>>,
}

impl Layout {
    /// The place of each item in paint order.
    pub(crate) fn ranks(&self) -> &[u32] {
        self.ranks.get_or_init(|| paint::ranks(&self.items))
    }
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

    /// Within what Chromium can tell: boxes of absurd pages have no end in sight.
    fn tamed(self) -> Self {
        let tame = |value: f32, least: f32| {
            if value.is_nan() { 0.0 } else { value.clamp(least, LENGTH_MAX) }
        };
        Self {
            x: tame(self.x, -LENGTH_MAX),
            y: tame(self.y, -LENGTH_MAX),
            width: tame(self.width, 0.0),
            height: tame(self.height, 0.0),
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
    let Some(root) = dom.document_element() else { return Layout::default() };
    if styles.get(root).is_none_or(|style| style.display == Display::None) {
        return Layout::default();
    }
    let tree = Tree::new(dom, styles, root);
    let mut flow = Flow::new(dom, &tree, viewport);
    for table in tree.tables() {
        flow.collapse_borders(table);
    }
    let width = flow.used_width(root, viewport.0);
    let margin = flow.margins(root, viewport.0);
    flow.lay(root, (margin[3], margin[0]), width, None, Some(viewport.1));
    let initial = Area { x: 0.0, y: 0.0, width: viewport.0, height: viewport.1 };
    flow.lay_absolute(0, None, initial);
    flow.unite_fragments();
    flow.move_positioned(root);
    flow.finish(root)
}

struct Flow<'a> {
    dom: &'a Dom,
    tree: &'a Tree<'a>,
    viewport: (f32, f32),
    out: BTreeMap<NodeId, Area>,
    /// Pieces of inline boxes, and of the text that stands in a block itself.
    fragments: BTreeMap<NodeId, Vec<Area>>,
    texts: BTreeMap<NodeId, Vec<Area>>,
    /// The room of blocks that stand in an inline box: it counts for that one's size and receives nothing.
    strips: BTreeMap<NodeId, Vec<Area>>,
    /// Baselines of the first and the last line, from the top of the border box.
    baselines: BTreeMap<NodeId, (f32, f32)>,
    /// Absolute and fixed boxes that wait for their containing block.
    absolute: Vec<place::Waiting>,
    /// Smallest and largest content widths.
    widths: BTreeMap<NodeId, (f32, f32)>,
    /// Heights by node and width, of measuring runs.
    heights: BTreeMap<(NodeId, u32), f32>,
    parts: Vec<Option<Rc<[parts::Part]>>>,
    /// Margins of boxes whose top and bottom meet, `None` for those whose do not.
    through: BTreeMap<NodeId, Option<f32>>,
    grids: BTreeMap<NodeId, Rc<table::Grid>>,
    /// Borders of cells and tables whose borders collapse.
    collapsed: BTreeMap<NodeId, [f32; 4]>,
    deep: u32,
    laid: u64,
    /// Floats of the block formatting contexts that are being laid out, the innermost last.
    floats: Vec<float::Floats>,
    /// In how many measuring runs we are: positions do not count then.
    measuring: u32,
}

impl<'a> Flow<'a> {
    fn new(dom: &'a Dom, tree: &'a Tree<'a>, viewport: (f32, f32)) -> Self {
        Self {
            dom,
            tree,
            viewport,
            out: BTreeMap::new(),
            fragments: BTreeMap::new(),
            texts: BTreeMap::new(),
            strips: BTreeMap::new(),
            baselines: BTreeMap::new(),
            absolute: Vec::new(),
            widths: BTreeMap::new(),
            heights: BTreeMap::new(),
            parts: vec![None; tree.count()],
            through: BTreeMap::new(),
            grids: BTreeMap::new(),
            collapsed: BTreeMap::new(),
            deep: 0,
            laid: 0,
            floats: Vec::new(),
            measuring: 0,
        }
    }
}

impl Flow<'_> {
    fn style(&self, id: NodeId) -> Option<Rc<Computed>> {
        self.tree.style(id).cloned()
    }

    /// Content size of a control or replaced element.
    fn content_size(&self, id: NodeId, style: &Computed) -> Option<(f32, f32)> {
        let node = self.tree.node(id)?;
        let size = metrics::content_size(self.dom, node, style)?;
        if self.tree.tag(id) == "select" && metrics::is_listbox(self.dom, node) {
            let rows = metrics::listbox_rows(self.dom, node);
            return Some((size.0, rows * self.option_row(id, style)));
        }
        Some(size)
    }

    /// Height of one row of a list box.
    fn option_row(&self, id: NodeId, style: &Computed) -> f32 {
        let option = self.tree.children(id).iter().find_map(|child| self.style(*child));
        metrics::listbox_row(style, option.is_some_and(|option| option.border_box))
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
        let node = self.tree.node(id);
        if node.and_then(|id| self.dom.input_kind(id)).is_some_and(InputKind::is_checkable) {
            return [0.0; 4];
        }
        match self.style(id) {
            Some(style) if style.border_collapse && is_table(&style) => [0.0; 4],
            Some(style) => style.padding.map(|size| resolve(size, containing).unwrap_or(0.0)),
            None => [0.0; 4],
        }
    }

    fn borders(&self, id: NodeId) -> [f32; 4] {
        if let Some(borders) = self.collapsed.get(&id) {
            return *borders;
        }
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
}

fn is_table(style: &Computed) -> bool {
    matches!(style.display, Display::Table | Display::InlineTable)
}

/// No used length is beyond this, CSS pixels.
const LENGTH_MAX: f32 = 33_554_428.0;

/// A length in CSS pixels, percentages of `containing`; `None` for keywords.
fn resolve(size: Size, containing: f32) -> Option<f32> {
    match size {
        // Layout counts in 64ths of a pixel, as Chromium's does.
        Size::Given { px, percent } => {
            let px = (px + percent * containing).clamp(-LENGTH_MAX, LENGTH_MAX);
            Some((px * 64.0).trunc() / 64.0)
        }
        Size::Bounded { px, percent, least, most } => {
            let px = (px + percent * containing).min(most).max(least);
            Some((px * 64.0).trunc() / 64.0)
        }
        _ => None,
    }
}
