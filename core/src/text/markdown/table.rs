//! Tables of data: one line for each row.

use super::super::markdown::markdown;
use crate::aria::{AriaFrame, Hidden, Role};
use crate::page::{Capture, NodeIdx};
use alloc::{string::String, vec, vec::Vec};

/// Most characters of one cell.
const CELL_CHARS_MAX: usize = 2_000;
/// Most columns.
const COLUMNS_MAX: usize = 100;

/// A table within this one: it cannot stand in a cell of Markdown, so this one is written as blocks.
pub(super) fn holds_a_table(view: &AriaFrame<'_>, at: NodeIdx) -> bool {
    let frame = view.lookup().frame();
    (at + 1..frame.node(at).end).any(|inner| view.role(inner).is_a(Role::Table))
}

/// The rows as lines; empty if there is none.
pub(super) fn rows(
    capture: &Capture,
    views: &[AriaFrame<'_>],
    frame: u32,
    table: NodeIdx,
) -> String {
    let view = &views[frame as usize];
    let page = view.lookup().frame();
    let mut rows: Vec<Vec<String>> = Vec::new();
    let mut caption = String::new();
    for at in table + 1..page.node(table).end {
        if view.hidden(at) != Hidden::Shown {
            continue;
        }
        let role = view.role(at);
        if role == Role::Row {
            rows.push(Vec::new());
        } else if role == Role::Caption && caption.is_empty() {
            caption = cell(capture, views, frame, at);
        } else if is_cell(role) && rows.last().is_some_and(|row| row.len() < COLUMNS_MAX) {
            let text = cell(capture, views, frame, at);
            let span = page.element(at).and_then(|e| e.attr("colspan")?.trim().parse().ok());
            if let Some(row) = rows.last_mut() {
                row.push(text);
                let more = span.unwrap_or(1usize).clamp(1, COLUMNS_MAX) - 1;
                row.extend((0..more).map(|_| String::new()));
                row.truncate(COLUMNS_MAX);
            }
        }
    }
    rows.retain(|row| row.iter().any(|cell| !cell.is_empty()));
    let columns = rows.iter().map(Vec::len).max().unwrap_or_default();
    let mut lines = Vec::new();
    if !caption.is_empty() {
        lines.push(caption);
        lines.push(String::new());
    }
    for (place, mut row) in rows.into_iter().enumerate() {
        row.resize(columns, String::new());
        lines.push(line(&row));
        if place == 0 {
            lines.push(line(&vec!["---".into(); columns]));
        }
    }
    lines.join("\n")
}

fn is_cell(role: Role) -> bool {
    matches!(role, Role::Cell | Role::Gridcell | Role::Columnheader | Role::Rowheader)
}

fn line(cells: &[String]) -> String {
    let mut line = String::from("|");
    for cell in cells {
        line.push(' ');
        line.push_str(cell);
        line.push_str(" |");
    }
    line
}

/// The Markdown of one cell as a piece of its row's line.
fn cell(capture: &Capture, views: &[AriaFrame<'_>], frame: u32, at: NodeIdx) -> String {
    let text = markdown(capture, views, frame, Some(at), CELL_CHARS_MAX).text;
    text.replace("\\\n", " ").replace('\n', " ").replace('|', "\\|")
}
