//! Tables: rows, their cells, and where the cells stand. Column widths are in [`super::columns`].

use super::block::Baselines;
use super::{Area, Flow, resolve};
use crate::style::{Computed, Display, Size, VerticalAlign};
use backlot_core::page::NodeId;
use std::rc::Rc;

pub(super) struct Cell {
    pub(super) id: NodeId,
    pub(super) row: usize,
    pub(super) column: usize,
    pub(super) columns: usize,
    pub(super) rows: usize,
}

/// A table's parts.
#[derive(Default)]
pub(super) struct Grid {
    pub(super) captions: Vec<NodeId>,
    /// Row groups, each with its first row and the one behind its last.
    pub(super) groups: Vec<(NodeId, usize, usize)>,
    pub(super) rows: Vec<NodeId>,
    /// In row order.
    pub(super) cells: Vec<Cell>,
    /// Place of the first cell of each row, and the number of cells.
    starts: Vec<usize>,
    pub(super) columns: usize,
    /// Widths that `col` elements ask for.
    pub(super) given: Vec<Size>,
}

impl Grid {
    fn row(&self, row: usize) -> &[Cell] {
        &self.cells[self.starts[row]..self.starts[row + 1]]
    }
}

/// Most columns and rows that a span may reach over.
const SPAN_MAX: usize = 1_000;

impl Flow<'_> {
    /// The parts of a table.
    pub(super) fn grid(&mut self, table: NodeId) -> Rc<Grid> {
        if let Some(known) = self.grids.get(&table) {
            return Rc::clone(known);
        }
        let grid = Rc::new(self.grid_of(table));
        self.grids.insert(table, Rc::clone(&grid));
        grid
    }

    fn grid_of(&self, table: NodeId) -> Grid {
        let tree = self.tree;
        let mut grid = Grid::default();
        for child in tree.children(table).iter().copied() {
            match self.style(child).map(|style| style.display) {
                _ if tree.text(child).is_some() || self.is_out(child) => {}
                Some(Display::Caption) => grid.captions.push(child),
                Some(Display::Row) => grid.rows.push(child),
                Some(Display::Column) => self.add_columns(child, &mut grid),
                Some(Display::RowGroup) => {
                    let first = grid.rows.len();
                    let rows = tree.children(child);
                    grid.rows.extend(rows.iter().filter(|row| {
                        self.style(**row).is_some_and(|style| style.display == Display::Row)
                    }));
                    grid.groups.push((child, first, grid.rows.len()));
                }
                _ => {}
            }
        }
        self.sort_groups(&mut grid);
        let mut taken: Vec<usize> = Vec::new();
        for (row, id) in grid.rows.clone().into_iter().enumerate() {
            grid.starts.push(grid.cells.len());
            let mut column = 0;
            for cell in tree.children(id).iter().copied() {
                if tree.text(cell).is_some() || self.is_out(cell) {
                    continue;
                }
                while taken.get(column).is_some_and(|until| *until > row) {
                    column += 1;
                }
                let columns = self.span(cell, "colspan");
                let rows = self.span(cell, "rowspan").min(grid.rows.len() - row);
                taken.resize(taken.len().max(column + columns), 0);
                taken[column..column + columns].fill(row + rows);
                grid.cells.push(Cell { id: cell, row, column, columns, rows });
                column += columns;
                grid.columns = grid.columns.max(column);
            }
        }
        grid.starts.push(grid.cells.len());
        grid
    }

    /// Header groups stand first, footer groups last, wherever they are written.
    fn sort_groups(&self, grid: &mut Grid) {
        let place = |id: NodeId| match self.tree.tag(id) {
            "thead" => 0,
            "tfoot" => 2,
            _ => 1,
        };
        let is_sorted = grid.groups.is_sorted_by_key(|(id, ..)| place(*id));
        let grouped: usize = grid.groups.iter().map(|(_, first, end)| end - first).sum();
        if is_sorted || grouped != grid.rows.len() {
            return;
        }
        grid.groups.sort_by_key(|(id, ..)| place(*id));
        let mut rows = Vec::with_capacity(grid.rows.len());
        for (_, first, end) in &mut grid.groups {
            let from = rows.len();
            rows.extend(&grid.rows[*first..*end]);
            (*first, *end) = (from, rows.len());
        }
        grid.rows = rows;
    }

    fn add_columns(&self, id: NodeId, grid: &mut Grid) {
        let inside = self.tree.children(id);
        let inner: Vec<NodeId> =
            inside.iter().copied().filter(|at| self.tree.text(*at).is_none()).collect();
        for column in if inner.is_empty() { vec![id] } else { inner } {
            let width = self.style(column).map_or(Size::Auto, |style| style.width);
            let count = self.span(column, "span").min(SPAN_MAX - grid.given.len().min(SPAN_MAX));
            grid.given.extend(std::iter::repeat_n(width, count));
        }
    }

    fn span(&self, cell: NodeId, name: &str) -> usize {
        let node = self.tree.node(cell);
        let attr = node.and_then(|node| self.dom.attr(node, name));
        let given = attr.and_then(|text| text.trim().parse().ok());
        given.unwrap_or(1).clamp(1, SPAN_MAX)
    }

    pub(super) fn gaps(style: &Computed) -> (f32, f32) {
        if style.border_collapse { (0.0, 0.0) } else { style.border_spacing }
    }

    pub(super) fn lay_table(
        &mut self,
        id: NodeId,
        style: &Computed,
        origin: (f32, f32),
        (inner, tall): (f32, Option<f32>),
    ) -> (f32, Baselines) {
        let grid = self.grid(id);
        let (gap_x, gap_y) = Self::gaps(style);
        let widths = self.column_widths(&grid, style, inner);
        // Captions stand above the borders.
        let edges = self.edges(id, inner);
        let (left, wide) = (origin.0 - edges[3], inner + edges[1] + edges[3]);
        let mut y = 0.0_f32;
        for caption in &grid.captions {
            let margin = self.margins(*caption, wide);
            let width = self.used_width(*caption, wide);
            let at = (left + margin[3], origin.1 - edges[0] + y + margin[0]);
            y += margin[0] + self.lay(*caption, at, width, None, None) + margin[2];
        }
        let lefts: Vec<f32> = widths
            .iter()
            .scan(gap_x, |x, width| {
                let left = *x;
                *x += width + gap_x;
                Some(left)
            })
            .collect();
        let mut heights = Vec::new();
        for row in 0..grid.rows.len() {
            let height = self.lay_row(&grid, row, origin, &lefts, &widths);
            heights.push(height);
        }
        self.fit_spans(&grid, &mut heights, gap_y);
        let gaps = if heights.is_empty() { 0.0 } else { gap_y };
        let used = y + heights.iter().map(|height| height + gap_y).sum::<f32>() + gaps;
        if let Some(more) = tall.map(|tall| tall - used).filter(|more| *more > 0.0) {
            stretch(&mut heights, more);
        }
        let mut tops = Vec::new();
        for height in &heights {
            y += gap_y;
            tops.push(origin.1 + y);
            y += height;
        }
        let right = lefts.last().zip(widths.last()).map_or(0.0, |(left, width)| left + width);
        let baseline = self.fit_cells(&grid, &tops, &heights);
        let strip = |top: f32, bottom: f32| Area {
            x: origin.0 + gap_x,
            y: top,
            width: (right - gap_x).max(0.0),
            height: bottom - top,
        };
        for (row, id) in grid.rows.iter().enumerate() {
            self.out.insert(*id, strip(tops[row], tops[row] + heights[row]));
        }
        for (group, first, end) in &grid.groups {
            if end > first {
                let bottom = tops[end - 1] + heights[end - 1];
                self.out.insert(*group, strip(tops[*first], bottom));
            }
        }
        (y + gaps, baseline.map(|line| (line, line)))
    }

    /// Lays the cells of a row out at the table's top, and gives the height that those ask for which span no other row.
    fn lay_row(
        &mut self,
        grid: &Grid,
        row: usize,
        origin: (f32, f32),
        lefts: &[f32],
        widths: &[f32],
    ) -> f32 {
        let given = self.style(grid.rows[row]).and_then(|style| resolve(style.height, 0.0));
        let mut height: f32 = given.unwrap_or(0.0);
        let (mut above, mut below) = (0.0_f32, 0.0_f32);
        for cell in grid.row(row) {
            let last = cell.column + cell.columns - 1;
            let width = lefts[last] + widths[last] - lefts[cell.column];
            let at = (origin.0 + lefts[cell.column], origin.1);
            let laid = self.lay(cell.id, at, width, None, None);
            if cell.rows > 1 {
                continue;
            }
            let edges = self.edges(cell.id, width);
            let given = self.style(cell.id).and_then(|s| self.given_height(&s, &edges, None));
            let own = laid.max(given.unwrap_or(0.0));
            height = height.max(own);
            if self.is_on_baseline(cell.id) {
                let line = self.cell_baseline(cell.id, laid);
                above = above.max(line);
                below = below.max(laid - line);
            }
        }
        height.max(above + below)
    }

    fn is_on_baseline(&self, id: NodeId) -> bool {
        self.style(id).is_some_and(|style| {
            !matches!(
                style.vertical_align,
                VerticalAlign::Top | VerticalAlign::Middle | VerticalAlign::Bottom
            )
        })
    }

    fn cell_baseline(&self, id: NodeId, height: f32) -> f32 {
        let own = self.baselines.get(&id).map(|(first, _)| *first);
        own.unwrap_or_else(|| height - self.edges(id, 0.0)[2])
    }

    /// Rows that a cell spans are together as high as it is; what is missing goes to the last one.
    fn fit_spans(&self, grid: &Grid, heights: &mut [f32], gap: f32) {
        for cell in grid.cells.iter().filter(|cell| cell.rows > 1) {
            let rows = &mut heights[cell.row..cell.row + cell.rows];
            let gaps = gap * f32::from(u16::try_from(rows.len() - 1).unwrap_or(u16::MAX));
            let sum: f32 = rows.iter().sum::<f32>() + gaps;
            let own = self.out.get(&cell.id).map_or(0.0, |area| area.height);
            if let Some(last) = rows.last_mut() {
                *last += (own - sum).max(0.0);
            }
        }
    }

    /// Cells are as high as their rows, with their contents where they are to stand. Gives the first row's baseline.
    fn fit_cells(&mut self, grid: &Grid, tops: &[f32], heights: &[f32]) -> Option<f32> {
        let mut first = None;
        for row in 0..grid.rows.len() {
            let line = grid
                .row(row)
                .iter()
                .filter(|cell| self.is_on_baseline(cell.id))
                .filter_map(|cell| {
                    let height = self.out.get(&cell.id)?.height;
                    Some(self.cell_baseline(cell.id, height))
                })
                .fold(0.0, f32::max);
            for cell in grid.row(row) {
                let last = cell.row + cell.rows - 1;
                let height = tops[last] + heights[last] - tops[row];
                let align = self.style(cell.id).map(|style| style.vertical_align);
                let Some(area) = self.out.get(&cell.id).copied() else { continue };
                let slack = height - area.height;
                let down = match align {
                    Some(VerticalAlign::Top) => 0.0,
                    Some(VerticalAlign::Middle) => slack / 2.0,
                    Some(VerticalAlign::Bottom) => slack,
                    _ => line - self.cell_baseline(cell.id, area.height),
                };
                self.shift(cell.id, (0.0, tops[row] - area.y));
                self.shift_below(cell.id, (0.0, down));
                if let Some(area) = self.out.get_mut(&cell.id) {
                    area.height = height;
                }
                if row == 0 && first.is_none() {
                    first = Some(tops[row] + down + self.cell_baseline(cell.id, area.height));
                }
            }
        }
        first
    }

    /// Gives every cell of a table with collapsed borders half of what its edges come to, and the table the other half of those
    /// around it (CSS 2.2, section 17.6.2).
    pub(super) fn collapse_borders(&mut self, table: NodeId) {
        let grid = self.grid(table);
        let Some(style) = self.style(table) else { return };
        let mut places = vec![None; grid.rows.len() * grid.columns.min(COLLAPSED_MAX)];
        let width = grid.columns.min(COLLAPSED_MAX);
        for (at, cell) in grid.cells.iter().enumerate() {
            for row in cell.row..cell.row + cell.rows {
                for column in cell.column..(cell.column + cell.columns).min(width) {
                    places[row * width + column] = Some(at);
                }
            }
        }
        let own = |id: NodeId, side: usize| self.style(id).map_or(0.0, |s| s.border_width(side));
        let mut around = [0.0_f32; 4];
        let mut found: Vec<(NodeId, [f32; 4])> = Vec::new();
        for cell in &grid.cells {
            let mut borders: [f32; 4] = std::array::from_fn(|side| own(cell.id, side));
            let (right, bottom) = (cell.column + cell.columns, cell.row + cell.rows);
            let mut meet = |side: usize, row: Option<usize>, column: Option<usize>| {
                let facing = (side + 2) % 4;
                let next = row
                    .zip(column)
                    .filter(|(row, column)| *row < grid.rows.len() && *column < width);
                match next {
                    Some((row, column)) => {
                        if let Some(at) = places[row * width + column] {
                            borders[side] = borders[side].max(own(grid.cells[at].id, facing));
                        }
                    }
                    None => borders[side] = borders[side].max(style.border_width(side)),
                }
            };
            meet(0, cell.row.checked_sub(1), Some(cell.column));
            meet(1, Some(cell.row), Some(right));
            meet(2, Some(bottom), Some(cell.column));
            meet(3, Some(cell.row), cell.column.checked_sub(1));
            borders[0] = borders[0].max(own(grid.rows[cell.row], 0));
            borders[2] = borders[2].max(own(grid.rows[bottom - 1], 2));
            if let Some(next) = grid.rows.get(bottom) {
                borders[2] = borders[2].max(own(*next, 0));
            }
            if let Some(before) = cell.row.checked_sub(1) {
                borders[0] = borders[0].max(own(grid.rows[before], 2));
            }
            for (group, first, end) in &grid.groups {
                if *first == cell.row {
                    borders[0] = borders[0].max(own(*group, 0));
                }
                if *end == bottom {
                    borders[2] = borders[2].max(own(*group, 2));
                }
            }
            let at_edge =
                [cell.row == 0, right >= grid.columns, bottom == grid.rows.len(), cell.column == 0];
            for side in (0..4).filter(|side| at_edge[*side]) {
                around[side] = around[side].max(borders[side]);
            }
            found.push((cell.id, borders.map(|border| border / 2.0)));
        }
        self.collapsed.extend(found);
        if !grid.cells.is_empty() {
            self.collapsed.insert(table, around.map(|border| border / 2.0));
        }
    }
}

/// Most columns whose borders meet each other.
const COLLAPSED_MAX: usize = 200;

/// Makes rows higher, each by its share.
fn stretch(heights: &mut [f32], more: f32) {
    let sum: f32 = heights.iter().sum();
    #[expect(clippy::cast_precision_loss, reason = "no table has 2^24 rows")]
    let count = heights.len() as f32;
    for height in heights.iter_mut() {
        *height += if sum > 0.0 { more * *height / sum } else { more / count };
    }
}
