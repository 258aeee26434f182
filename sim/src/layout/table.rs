//! Tables: automatic column widths, rows, column and row spans.

use super::block::Baselines;
use super::{Area, Flow, resolve};
use crate::style::{Computed, Display, Size};
use backlot_core::page::NodeId;

struct Cell {
    id: NodeId,
    row: usize,
    column: usize,
    columns: usize,
    rows: usize,
}

struct Grid {
    captions: Vec<NodeId>,
    groups: Vec<(NodeId, usize, usize)>,
    rows: Vec<NodeId>,
    cells: Vec<Cell>,
    columns: usize,
}

/// Most columns and rows that a span may reach over.
const SPAN_MAX: usize = 1_000;

impl Flow<'_> {
    fn grid(&self, table: NodeId) -> Grid {
        let mut grid = Grid {
            captions: Vec::new(),
            groups: Vec::new(),
            rows: Vec::new(),
            cells: Vec::new(),
            columns: 0,
        };
        let tree = self.tree;
        for child in tree.children(table).iter().copied() {
            match self.style(child).map(|style| style.display) {
                Some(Display::Caption) => grid.captions.push(child),
                Some(Display::Row) => grid.rows.push(child),
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
        let mut taken: Vec<usize> = Vec::new();
        for (row, id) in grid.rows.clone().into_iter().enumerate() {
            let mut column = 0;
            for cell in tree.children(id).iter().copied() {
                if tree.text(cell).is_some() || self.is_out(cell) {
                    continue;
                }
                while taken.get(column).is_some_and(|until| *until > row) {
                    column += 1;
                }
                let columns = self.span(cell, "colspan");
                let rows = self.span(cell, "rowspan");
                taken.resize(taken.len().max(column + columns), 0);
                taken[column..column + columns].fill(row + rows);
                grid.cells.push(Cell { id: cell, row, column, columns, rows });
                column += columns;
                grid.columns = grid.columns.max(column);
            }
        }
        grid
    }

    fn span(&self, cell: NodeId, name: &str) -> usize {
        let node = self.tree.node(cell);
        let attr = node.and_then(|node| self.dom.attr(node, name));
        let given = attr.and_then(|text| text.trim().parse().ok());
        given.unwrap_or(1).clamp(1, SPAN_MAX)
    }

    /// Smallest and largest width of each column.
    fn columns(&mut self, grid: &Grid, gap: f32) -> Vec<(f32, f32)> {
        let mut columns = vec![(0.0_f32, 0.0_f32); grid.columns];
        for cell in grid.cells.iter().filter(|cell| cell.columns == 1) {
            let (min, max) = self.outer_widths(cell.id);
            let column = &mut columns[cell.column];
            *column = (column.0.max(min), column.1.max(max));
        }
        for cell in grid.cells.iter().filter(|cell| cell.columns > 1) {
            let (min, max) = self.outer_widths(cell.id);
            let own = &mut columns[cell.column..cell.column + cell.columns];
            let count = f32::from(u16::try_from(own.len()).unwrap_or(u16::MAX));
            let gaps = gap * (count - 1.0);
            let sums = own.iter().fold((0.0, 0.0), |sum, c| (sum.0 + c.0, sum.1 + c.1));
            let more = ((min - gaps - sums.0).max(0.0), (max - gaps - sums.1).max(0.0));
            for column in own {
                // Wider columns get more.
                let part = if sums.1 > 0.0 { column.1 / sums.1 } else { 1.0 / count };
                *column = (column.0 + more.0 * part, column.1 + more.1 * part);
            }
        }
        columns
    }

    fn gaps(style: &Computed) -> (f32, f32) {
        if style.border_collapse { (0.0, 0.0) } else { style.border_spacing }
    }

    pub(super) fn table_widths(&mut self, id: NodeId, style: &Computed) -> (f32, f32) {
        let grid = self.grid(id);
        let gap = Self::gaps(style).0;
        let columns = self.columns(&grid, gap);
        let count = f32::from(u16::try_from(columns.len()).unwrap_or(u16::MAX));
        let gaps = if columns.is_empty() { 0.0 } else { gap * (count + 1.0) };
        let sums = columns.iter().fold((0.0, 0.0), |sum, c| (sum.0 + c.0, sum.1 + c.1));
        let captions: Vec<f32> = grid.captions.iter().map(|c| self.outer_widths(*c).0).collect();
        let caption = captions.into_iter().fold(0.0, f32::max);
        (caption.max(sums.0 + gaps), caption.max(sums.1 + gaps))
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
        let columns = self.columns(&grid, gap_x);
        let widths = self.share(&grid, &columns, inner, gap_x);
        let mut y = 0.0;
        for caption in &grid.captions {
            y += self.lay(*caption, (origin.0, origin.1 + y), inner, None, None);
        }
        let lefts: Vec<f32> = widths
            .iter()
            .scan(gap_x, |x, width| {
                let left = *x;
                *x += width + gap_x;
                Some(left)
            })
            .collect();
        let mut tops = Vec::new();
        let mut heights = Vec::new();
        for row in 0..grid.rows.len() {
            y += gap_y;
            let height = self.lay_row(&grid, row, (origin, y), &lefts, &widths);
            tops.push(origin.1 + y);
            heights.push(height);
            y += height;
        }
        let right = lefts.last().zip(widths.last()).map_or(0.0, |(left, width)| left + width);
        self.fit_cells(&grid, &tops, &heights);
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
        let height = if grid.rows.is_empty() { y } else { y + gap_y };
        let first = grid.cells.iter().find(|cell| cell.row == 0);
        let baseline = first.and_then(|cell| {
            let (first, _) = self.baselines.get(&cell.id)?;
            Some(self.out.get(&cell.id)?.y + first)
        });
        (height, baseline.map(|line| (line, line)))
    }

    fn lay_row(
        &mut self,
        grid: &Grid,
        row: usize,
        (origin, y): ((f32, f32), f32),
        lefts: &[f32],
        widths: &[f32],
    ) -> f32 {
        let mut height = self
            .style(grid.rows[row])
            .and_then(|style| resolve(style.height, 0.0))
            .unwrap_or(0.0);
        for cell in grid.cells.iter().filter(|cell| cell.row == row) {
            let last = cell.column + cell.columns - 1;
            let width = lefts[last] + widths[last] - lefts[cell.column];
            let at = (origin.0 + lefts[cell.column], origin.1 + y);
            let own = self.lay(cell.id, at, width, None, None);
            if cell.rows == 1 {
                height = height.max(own);
            }
        }
        height
    }

    /// Cells are as high as their rows, with their contents in the middle.
    fn fit_cells(&mut self, grid: &Grid, tops: &[f32], heights: &[f32]) {
        for cell in &grid.cells {
            let last = (cell.row + cell.rows - 1).min(tops.len() - 1);
            let height = tops[last] + heights[last] - tops[cell.row];
            let align = self.style(cell.id).map(|style| style.vertical_align);
            let Some(area) = self.out.get_mut(&cell.id) else { continue };
            let slack = height - area.height;
            area.height = height;
            let down = match align {
                Some(crate::style::VerticalAlign::Middle) => slack / 2.0,
                Some(crate::style::VerticalAlign::Bottom) => slack,
                _ => 0.0,
            };
            self.shift_below(cell.id, (0.0, down));
        }
    }

    /// Shares the width out among the columns.
    fn share(&self, grid: &Grid, columns: &[(f32, f32)], inner: f32, gap: f32) -> Vec<f32> {
        let count = f32::from(u16::try_from(columns.len()).unwrap_or(u16::MAX));
        let room = inner - gap * (count + 1.0);
        let mut fixed = vec![false; columns.len()];
        for cell in grid.cells.iter().filter(|cell| cell.columns == 1) {
            let given = self.style(cell.id).is_some_and(|s| matches!(s.width, Size::Given { .. }));
            fixed[cell.column] |= given;
        }
        let (min, max) = columns.iter().fold((0.0, 0.0), |sum, c| (sum.0 + c.0, sum.1 + c.1));
        if room >= max {
            let flexible: f32 =
                columns.iter().zip(&fixed).filter(|(_, fixed)| !**fixed).map(|(c, _)| c.1).sum();
            let extra = room - max;
            let share = |(column, fixed): (&(f32, f32), &bool)| match (flexible > 0.0, fixed) {
                (true, true) => column.1,
                (true, false) => column.1 + extra * column.1 / flexible,
                (false, _) if max > 0.0 => column.1 + extra * column.1 / max,
                (false, _) => extra / count,
            };
            return columns.iter().zip(&fixed).map(share).collect();
        }
        let spread = (max - min).max(f32::EPSILON);
        let part = ((room - min) / spread).clamp(0.0, 1.0);
        columns.iter().map(|column| column.0 + (column.1 - column.0) * part).collect()
    }
}
