//! Flex and grid boxes, through taffy: it places the items, our own flow fills them.

use super::Flow;
use super::block::Baselines;
use super::inline::{Run, Step};
use crate::style::{Align, Breadth, Computed, Display, Line, Size, Track, Tracks, Wrap};
use backlot_core::page::NodeId;
use std::rc::Rc;
use taffy::prelude::{
    AlignContent, AlignItems, AvailableSpace, Dimension, FlexDirection, FlexWrap, GridAutoFlow,
    GridPlacement, GridTemplateComponent, LengthPercentage, LengthPercentageAuto,
    MaxTrackSizingFunction, MinTrackSizingFunction, Rect, Size as Pair, Style, TaffyTree,
    TrackSizingFunction,
};
use taffy::prelude::{auto, length, line, max_content, min_content, percent, span};
use taffy::{GridTemplateArea, GridTemplateAreas, GridTemplateRepetition, RepetitionCount};

/// How many levels of nesting a flex or grid box counts for besides its own: its algorithm needs more stack.
const FLEX_DEEP: u32 = 5;

/// A text between items is an item of its own.
#[derive(Clone)]
enum Item {
    Box(NodeId),
    Text(Run),
}

impl Flow<'_> {
    /// Lays out a flex or grid box. `inner` is its content box; gives the content's height.
    pub(super) fn lay_flex(
        &mut self,
        id: NodeId,
        style: &Rc<Computed>,
        origin: (f32, f32),
        inner: (f32, Option<f32>),
    ) -> (f32, Baselines) {
        if self.deep + FLEX_DEEP >= super::NESTED_MAX {
            return (0.0, None);
        }
        self.deep += FLEX_DEEP;
        let done = self.lay_items(id, style, origin, inner);
        self.deep -= FLEX_DEEP;
        done
    }

    fn lay_items(
        &mut self,
        id: NodeId,
        style: &Rc<Computed>,
        origin: (f32, f32),
        inner: (f32, Option<f32>),
    ) -> (f32, Baselines) {
        let (items, out) = self.items(id);
        let mut tree: TaffyTree<Item> = TaffyTree::new();
        tree.disable_rounding();
        let mut nodes = Vec::new();
        for item in &items {
            let own = match item {
                Item::Box(id) => self.style(*id).map(|own| self.item_style(*id, &own)),
                Item::Text(_) => None,
            };
            match tree.new_leaf_with_context(own.unwrap_or_default(), item.clone()) {
                Ok(node) => nodes.push(node),
                Err(_) => return (0.0, None),
            }
        }
        let mut container = container_style(style);
        container.size = Pair { width: length(inner.0), height: inner.1.map_or(auto(), length) };
        if inner.1.is_none() {
            let edges = self.edges(id, inner.0);
            let least = self.clamp_height(style, 0.0, &edges, None) - edges[0] - edges[2];
            container.min_size.height = length(least.max(0.0));
        }
        let Ok(root) = tree.new_with_children(container, &nodes) else { return (0.0, None) };
        let space = Pair {
            width: AvailableSpace::Definite(inner.0),
            height: inner.1.map_or(AvailableSpace::MaxContent, AvailableSpace::Definite),
        };
        self.measuring += 1;
        let done = tree.compute_layout_with_measure(root, space, |input, _, item, _| {
            let known = input.known_dimensions;
            let size = match item.as_deref() {
                Some(item) => self.measure(id, item, known, input.available_space, style),
                None => Pair::ZERO,
            };
            let mut output = taffy::LayoutOutput::from_outer_size(size);
            if let Some(Item::Box(item)) = item.as_deref() {
                output.baselines.first = self.baselines.get(item).map(|(first, _)| *first);
            }
            output
        });
        self.measuring -= 1;
        if done.is_err() {
            return (0.0, None);
        }
        let mut baselines: Baselines = None;
        for (item, node) in items.iter().zip(&nodes) {
            let Ok(layout) = tree.layout(*node) else { continue };
            let at = (origin.0 + layout.location.x, origin.1 + layout.location.y);
            match item {
                Item::Box(id) => {
                    // Only the height is asked for: nothing needs its place.
                    if self.measuring == 0 {
                        self.lay(*id, at, layout.size.width, Some(layout.size.height), inner.1);
                    }
                    let own = self.baselines.get(id);
                    let own = own.map(|(first, last)| (at.1 + first, at.1 + last));
                    baselines = baselines.or(own);
                }
                Item::Text(run) => {
                    let lined = self.lay_lines(id, run, style, at, (layout.size.width, None));
                    baselines = baselines.or(lined.baselines);
                }
            }
        }
        let size = tree.layout(root).map_or(Pair::ZERO, |layout| layout.size);
        for child in out {
            let (x, y) = self.static_share(child, style);
            self.wait_at(child, (origin.0 + x * size.width, origin.1 + y * size.height), (x, y));
        }
        (size.height, baselines)
    }

    /// Items in order, and the absolute boxes among them.
    fn items(&mut self, id: NodeId) -> (Vec<Item>, Vec<NodeId>) {
        let (mut items, mut out) = (Vec::new(), Vec::new());
        let tree = self.tree;
        for child in tree.children(id).iter().copied() {
            match tree.text(child) {
                Some(text) if text.trim().is_empty() => {}
                Some(_) => {
                    let steps = vec![Step::Enter(child)];
                    items.push(Item::Text(Run { around: Vec::new(), steps }));
                }
                None if self.is_out(child) => out.push(child),
                None => items.push(Item::Box(child)),
            }
        }
        items.sort_by_key(|item| match item {
            Item::Box(id) => self.style(*id).map_or(0, |style| style.boxes.order),
            Item::Text(_) => 0,
        });
        (items, out)
    }

    /// Where an absolute box would stand as the only item: the share of the room that is before it.
    fn static_share(&self, child: NodeId, around: &Computed) -> (f32, f32) {
        let share = |align: Option<Align>| match align {
            Some(Align::Center | Align::SpaceAround | Align::SpaceEvenly) => 0.5,
            Some(Align::End | Align::FlexEnd) => 1.0,
            _ => 0.0,
        };
        let own = self.style(child);
        let boxes = &around.boxes;
        let across = own.as_ref().and_then(|own| own.boxes.align_self).or(boxes.align_items);
        let is_grid = matches!(around.display, Display::Grid | Display::InlineGrid);
        if is_grid {
            let along = own.and_then(|own| own.boxes.justify_self).or(boxes.justify_items);
            return (share(along), share(across));
        }
        let along = share(boxes.justify_content);
        let along = if boxes.reverse { 1.0 - along } else { along };
        if boxes.column { (share(across), along) } else { (along, share(across)) }
    }

    fn measure(
        &mut self,
        around_id: NodeId,
        item: &Item,
        known: Pair<Option<f32>>,
        space: Pair<AvailableSpace>,
        around: &Rc<Computed>,
    ) -> Pair<f32> {
        let (min, max, edges) = match item {
            Item::Box(id) => {
                let edges = self.edges(*id, 0.0);
                let (min, max) = self.intrinsic(*id);
                (min, max, edges[1] + edges[3])
            }
            Item::Text(run) => {
                let (min, max) = self.run_widths(run, around);
                (min, max, 0.0)
            }
        };
        let width = known.width.unwrap_or_else(|| match space.width {
            AvailableSpace::MinContent => min + edges,
            AvailableSpace::MaxContent => max + edges,
            AvailableSpace::Definite(room) => (max + edges).min(room.max(min + edges)),
        });
        let height = known.height.unwrap_or_else(|| match item {
            Item::Box(id) => self.height_at(*id, width),
            Item::Text(run) => {
                self.lay_lines(around_id, run, around, (0.0, 0.0), (width, None)).height
            }
        });
        Pair { width, height }
    }

    /// Height of a box at a width, without placing anything for good.
    fn height_at(&mut self, id: NodeId, width: f32) -> f32 {
        if let Some(known) = self.heights.get(&(id, width.to_bits())) {
            return *known;
        }
        let kept = (
            std::mem::take(&mut self.out),
            std::mem::take(&mut self.fragments),
            std::mem::take(&mut self.texts),
            std::mem::take(&mut self.strips),
        );
        let height = self.lay(id, (0.0, 0.0), width, None, None);
        (self.out, self.fragments, self.texts, self.strips) = kept;
        self.heights.insert((id, width.to_bits()), height);
        height
    }

    fn item_style(&self, id: NodeId, style: &Computed) -> Style {
        let replaced = self.content_size(id, style).is_some();
        let boxes = &style.boxes;
        Style {
            size: Pair { width: dimension(style.width), height: dimension(style.height) },
            min_size: Pair { width: floor(style.min_width), height: floor(style.min_height) },
            max_size: Pair { width: floor(style.max_width), height: floor(style.max_height) },
            margin: sides(style.margin.map(floor)),
            padding: sides(style.padding.map(fixed)),
            border: sides(std::array::from_fn(|side| length(style.border_width(side)))),
            box_sizing: if style.border_box {
                taffy::BoxSizing::BorderBox
            } else {
                taffy::BoxSizing::ContentBox
            },
            item_is_replaced: replaced,
            flex_grow: boxes.grow,
            flex_shrink: boxes.shrink,
            flex_basis: dimension(boxes.basis),
            align_self: boxes.align_self.map(items),
            justify_self: boxes.justify_self.map(items),
            grid_column: placement(&boxes.grid.column),
            grid_row: placement(&boxes.grid.row),
            aspect_ratio: self.ratio(id, style),
            ..Style::default()
        }
    }
}

fn placement((start, end): &(Line, Line)) -> taffy::Line<GridPlacement<String>> {
    let one = |given: &Line| match given {
        Line::Auto => GridPlacement::Auto,
        Line::At(at) => line(*at),
        Line::Named(name, at) => GridPlacement::NamedLine(name.clone(), *at),
        Line::Span(count) => span(*count),
        Line::NamedSpan(name, count) => GridPlacement::NamedSpan(name.clone(), *count),
    };
    taffy::Line { start: one(start), end: one(end) }
}

fn container_style(style: &Computed) -> Style {
    let boxes = &style.boxes;
    let grid = matches!(style.display, Display::Grid | Display::InlineGrid);
    Style {
        display: if grid { taffy::Display::Grid } else { taffy::Display::Flex },
        flex_direction: match (boxes.column, boxes.reverse) {
            (false, false) => FlexDirection::Row,
            (false, true) => FlexDirection::RowReverse,
            (true, false) => FlexDirection::Column,
            (true, true) => FlexDirection::ColumnReverse,
        },
        flex_wrap: match boxes.wrap {
            Wrap::No => FlexWrap::NoWrap,
            Wrap::Yes => FlexWrap::Wrap,
            Wrap::Reverse => FlexWrap::WrapReverse,
        },
        align_items: boxes.align_items.map_or(AlignItems::STRETCH, items),
        justify_items: boxes.justify_items.map_or(AlignItems::STRETCH, items),
        align_content: boxes.align_content.map_or(AlignContent::STRETCH, content),
        justify_content: boxes
            .justify_content
            .map_or(if grid { AlignContent::STRETCH } else { AlignContent::FLEX_START }, content),
        gap: Pair { width: fixed(boxes.gap.1), height: fixed(boxes.gap.0) },
        grid_template_columns: template(&boxes.grid.columns),
        grid_template_rows: template(&boxes.grid.rows),
        grid_template_column_names: boxes.grid.columns.names.clone(),
        grid_template_row_names: boxes.grid.rows.names.clone(),
        grid_auto_columns: boxes.grid.auto_columns.iter().map(sizing).collect(),
        grid_auto_rows: boxes.grid.auto_rows.iter().map(sizing).collect(),
        grid_auto_flow: match boxes.grid.flow {
            (false, false) => GridAutoFlow::Row,
            (false, true) => GridAutoFlow::RowDense,
            (true, false) => GridAutoFlow::Column,
            (true, true) => GridAutoFlow::ColumnDense,
        },
        grid_template_areas: (!boxes.grid.areas.is_empty()).then(|| GridTemplateAreas {
            areas: boxes.grid.areas.iter().map(named_area).collect(),
            row_count: boxes.grid.area_size.0,
            column_count: boxes.grid.area_size.1,
        }),
        ..Style::default()
    }
}

fn items(align: Align) -> AlignItems {
    match align {
        Align::Start => AlignItems::START,
        Align::End => AlignItems::END,
        Align::FlexStart => AlignItems::FLEX_START,
        Align::FlexEnd => AlignItems::FLEX_END,
        Align::Center => AlignItems::CENTER,
        Align::Baseline => AlignItems::BASELINE,
        _ => AlignItems::STRETCH,
    }
}

fn content(align: Align) -> AlignContent {
    match align {
        Align::Start | Align::Baseline => AlignContent::START,
        Align::End => AlignContent::END,
        Align::FlexStart => AlignContent::FLEX_START,
        Align::FlexEnd => AlignContent::FLEX_END,
        Align::Center => AlignContent::CENTER,
        Align::Stretch => AlignContent::STRETCH,
        Align::SpaceBetween => AlignContent::SPACE_BETWEEN,
        Align::SpaceAround => AlignContent::SPACE_AROUND,
        Align::SpaceEvenly => AlignContent::SPACE_EVENLY,
    }
}

fn dimension(size: Size) -> Dimension {
    match size {
        Size::Given { px, percent: share } if share != 0.0 && px == 0.0 => percent(share),
        Size::Given { px, .. } => length(px),
        _ => auto(),
    }
}

fn floor(size: Size) -> LengthPercentageAuto {
    match size {
        Size::Given { px, percent: share } if share != 0.0 && px == 0.0 => percent(share),
        Size::Given { px, .. } => length(px),
        _ => auto(),
    }
}

fn fixed(size: Size) -> LengthPercentage {
    match size {
        Size::Given { px, percent: share } if share != 0.0 && px == 0.0 => percent(share),
        Size::Given { px, .. } => length(px),
        _ => length(0.0),
    }
}

fn sides<T: Copy>([top, right, bottom, left]: [T; 4]) -> Rect<T> {
    Rect { left, right, top, bottom }
}

fn named_area(area: &crate::style::GridArea) -> GridTemplateArea<String> {
    GridTemplateArea {
        name: area.name.clone(),
        row_start: area.rows.0,
        row_end: area.rows.1,
        column_start: area.columns.0,
        column_end: area.columns.1,
    }
}

fn template(tracks: &Tracks<Size>) -> Vec<GridTemplateComponent<String>> {
    let mut all: Vec<GridTemplateComponent<String>> =
        tracks.tracks.iter().map(|track| GridTemplateComponent::Single(sizing(track))).collect();
    if let Some((at, repeated, fit)) = &tracks.repeated {
        let count = if *fit { RepetitionCount::AutoFit } else { RepetitionCount::AutoFill };
        let tracks = repeated.iter().map(sizing).collect();
        let repeat = GridTemplateRepetition { count, tracks, line_names: Vec::new() };
        all.insert((*at).min(all.len()), GridTemplateComponent::Repeat(repeat));
    }
    all
}

fn sizing(track: &Track<Size>) -> TrackSizingFunction {
    let min = match track.min {
        Breadth::Length(Size::MinContent) => min_content(),
        Breadth::Length(Size::MaxContent) => max_content(),
        Breadth::Length(Size::Given { px, percent: share }) => match share == 0.0 || px != 0.0 {
            true => MinTrackSizingFunction::from(length::<_, LengthPercentage>(px)),
            false => percent(share),
        },
        _ => auto(),
    };
    let max = match track.max {
        Breadth::Fraction(fraction) => MaxTrackSizingFunction::fr(fraction),
        Breadth::Length(Size::MinContent) => min_content(),
        Breadth::Length(Size::MaxContent) => max_content(),
        Breadth::Length(Size::Given { px, percent: share }) => match share == 0.0 || px != 0.0 {
            true => MaxTrackSizingFunction::from(length::<_, LengthPercentage>(px)),
            false => percent(share),
        },
        Breadth::FitContent(Size::Given { px, percent: share }) => {
            match share == 0.0 || px != 0.0 {
                true => MaxTrackSizingFunction::fit_content_px(px),
                false => MaxTrackSizingFunction::fit_content_percent(share),
            }
        }
        _ => auto(),
    };
    TrackSizingFunction { min, max }
}
