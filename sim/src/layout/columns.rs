//! Widths of the columns of a table (CSS Tables 3, "Computing the column measures" and "Distributing excess width").

use super::table::Grid;
use super::{Flow, resolve};
use crate::style::{Computed, Display, Size};
use backlot_core::page::NodeId;

/// What the cells of a column ask for, CSS pixels.
#[derive(Debug, Clone, Copy, Default)]
struct Column {
    min: f32,
    max: f32,
    /// A width was given in pixels.
    fixed: bool,
    /// A share of the table's width was given.
    percent: Option<f32>,
}

impl Flow<'_> {
    fn columns(&mut self, grid: &Grid, gap: f32) -> Vec<Column> {
        let mut columns = vec![Column::default(); grid.columns];
        for (column, given) in columns.iter_mut().zip(&grid.given) {
            match *given {
                Size::Given { px, percent: 0.0 } => {
                    (column.max, column.fixed) = (px.max(0.0), true);
                }
                Size::Given { percent, .. } => column.percent = Some(percent),
                _ => {}
            }
        }
        for cell in grid.cells.iter().filter(|cell| cell.columns == 1) {
            let (min, max, given) = self.cell_widths(cell.id);
            let column = &mut columns[cell.column];
            column.min = column.min.max(min);
            column.max = column.max.max(max).max(column.min);
            match given {
                Some(Size::Given { percent: 0.0, .. }) => column.fixed = true,
                Some(Size::Given { percent, .. }) => {
                    column.percent = Some(column.percent.map_or(percent, |old| old.max(percent)));
                }
                _ => {}
            }
        }
        for cell in grid.cells.iter().filter(|cell| cell.columns > 1) {
            let (min, max, _) = self.cell_widths(cell.id);
            let own = &mut columns[cell.column..cell.column + cell.columns];
            let count = count(own.len());
            let gaps = gap * (count - 1.0);
            let sums = own.iter().fold((0.0, 0.0), |sum, c| (sum.0 + c.min, sum.1 + c.max));
            let more = ((min - gaps - sums.0).max(0.0), (max - gaps - sums.1).max(0.0));
            for column in own {
                // Wider columns get more.
                let part = if sums.1 > 0.0 { column.max / sums.1 } else { 1.0 / count };
                column.min += more.0 * part;
                column.max = (column.max + more.1 * part).max(column.min);
            }
        }
        columns
    }

    /// Smallest and largest outer width of a cell, and the width that its style gives.
    fn cell_widths(&mut self, id: NodeId) -> (f32, f32, Option<Size>) {
        let Some(style) = self.style(id) else { return (0.0, 0.0, None) };
        let edges = self.edges(id, 0.0);
        let extra = edges[1] + edges[3];
        let (min, max) = self.intrinsic(id);
        let (min, max) = (min + extra, max + extra);
        let floor = resolve(style.min_width, 0.0).map_or(0.0, |px| px + extra);
        let min = min.max(floor);
        match style.width {
            Size::Given { px, percent: 0.0 } => {
                let outer = if style.border_box { px.max(extra) } else { px + extra };
                (min, outer.max(min), Some(style.width))
            }
            given => (min, max.max(min), Some(given)),
        }
    }

    /// Smallest and largest width of a table's content box.
    pub(super) fn table_widths(&mut self, id: NodeId, style: &Computed) -> (f32, f32) {
        let grid = self.grid(id);
        let gap = Self::gaps(style).0;
        let columns = self.columns(&grid, gap);
        let gaps = if columns.is_empty() { 0.0 } else { gap * (count(columns.len()) + 1.0) };
        let min: f32 = columns.iter().map(|column| column.min).sum();
        let mut max: f32 = columns.iter().map(|column| column.max).sum();
        // A column that is to have a share makes the table as wide as that asks for.
        let mut rest = (0.0, 1.0);
        for column in &columns {
            match column.percent {
                Some(percent) if percent > 0.0 => {
                    max = max.max(column.max / percent);
                    rest.1 -= percent;
                }
                _ => rest.0 += column.max,
            }
        }
        if rest.1 > 0.0 && rest.1 < 1.0 {
            max = max.max(rest.0 / rest.1);
        }
        let captions: Vec<f32> = grid.captions.iter().map(|c| self.outer_widths(*c).0).collect();
        let caption = captions.into_iter().fold(0.0, f32::max);
        (caption.max(min + gaps), caption.max(max + gaps))
    }

    /// Shares a table's width out among its columns.
    pub(super) fn column_widths(&mut self, grid: &Grid, style: &Computed, inner: f32) -> Vec<f32> {
        let gap = Self::gaps(style).0;
        let room = inner - gap * (count(grid.columns) + 1.0);
        let is_fixed = style.table_fixed
            && matches!(style.width, Size::Given { .. })
            && matches!(style.display, Display::Table | Display::InlineTable);
        if is_fixed {
            return self.fixed_widths(grid, room);
        }
        share(&self.columns(grid, gap), room)
    }

    /// Only what the first row and `col` elements say counts.
    fn fixed_widths(&mut self, grid: &Grid, room: f32) -> Vec<f32> {
        let mut widths: Vec<Option<f32>> =
            (0..grid.columns).map(|at| resolve(*grid.given.get(at)?, room)).collect();
        for cell in grid.cells.iter().take_while(|cell| cell.row == 0) {
            let Some(style) = self.style(cell.id) else { continue };
            let Some(width) = resolve(style.width, room) else { continue };
            let edges = self.edges(cell.id, 0.0);
            let outer = if style.border_box { width } else { width + edges[1] + edges[3] };
            for place in &mut widths[cell.column..cell.column + cell.columns] {
                place.get_or_insert(outer / count(cell.columns));
            }
        }
        let given: f32 = widths.iter().flatten().sum();
        let open = count(widths.iter().filter(|width| width.is_none()).count());
        let each = if open > 0.0 { ((room - given) / open).max(0.0) } else { 0.0 };
        let scale = if open == 0.0 && given > 0.0 { (room / given).max(1.0) } else { 1.0 };
        widths.into_iter().map(|width| width.map_or(each, |width| width * scale)).collect()
    }
}

fn share(columns: &[Column], room: f32) -> Vec<f32> {
    let min: f32 = columns.iter().map(|column| column.min).sum();
    // Each step asks for more: all at their smallest, shares, fixed ones at theirs, the others at their largest.
    let with_percent: Vec<f32> = columns
        .iter()
        .map(|column| column.percent.map_or(column.min, |p| (p * room).max(column.min)))
        .collect();
    let with_fixed: Vec<f32> = columns
        .iter()
        .zip(&with_percent)
        .map(|(column, width)| if is_plain_fixed(column) { column.max } else { *width })
        .collect();
    let largest: Vec<f32> = columns
        .iter()
        .zip(&with_percent)
        .map(|(column, width)| if column.percent.is_some() { *width } else { column.max })
        .collect();
    let smallest: Vec<f32> = columns.iter().map(|column| column.min).collect();
    let sum = |widths: &[f32]| widths.iter().sum::<f32>();
    if room <= min {
        return smallest;
    }
    for (low, high) in
        [(&smallest, &with_percent), (&with_percent, &with_fixed), (&with_fixed, &largest)]
    {
        let (from, to) = (sum(low), sum(high));
        if room < to {
            let part = (room - from) / (to - from).max(f32::EPSILON);
            let between = |(low, high): (&f32, &f32)| low + (high - low) * part.clamp(0.0, 1.0);
            return low.iter().zip(high).map(between).collect();
        }
    }
    grow(columns, largest, room)
}

fn is_plain_fixed(column: &Column) -> bool {
    column.fixed && column.percent.is_none()
}

/// What is left over goes to columns without a width of their own, else to fixed ones, else to those with shares.
fn grow(columns: &[Column], mut widths: Vec<f32>, room: f32) -> Vec<f32> {
    let extra = room - widths.iter().sum::<f32>();
    let open = |column: &Column| !column.fixed && column.percent.is_none();
    let has_room = |column: &Column| open(column) && column.max > 0.0;
    let takes: Vec<bool> = if columns.iter().any(has_room) {
        columns.iter().map(has_room).collect()
    } else if columns.iter().any(open) {
        columns.iter().map(open).collect()
    } else if columns.iter().any(is_plain_fixed) {
        columns.iter().map(is_plain_fixed).collect()
    } else {
        vec![true; columns.len()]
    };
    let sum: f32 = widths.iter().zip(&takes).filter(|(_, takes)| **takes).map(|(w, _)| *w).sum();
    let takers = count(takes.iter().filter(|takes| **takes).count());
    for (width, takes) in widths.iter_mut().zip(&takes) {
        if *takes {
            *width += if sum > 0.0 { extra * *width / sum } else { extra / takers };
        }
    }
    widths
}

#[expect(clippy::cast_precision_loss, reason = "no table has 2^24 columns")]
fn count(count: usize) -> f32 {
    count as f32
}
