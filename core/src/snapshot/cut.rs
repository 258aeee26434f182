//! Cutting a snapshot to a budget.
//!
//! Lines go in this order: text outside the viewport, structure outside it, visible lines that one cannot act on, and last
//! lines with a ref; within a group those farthest from the viewport's top first. A kept line keeps its ancestors' lines.
//! The order does not depend on the budget, so a smaller budget never shows a line that a larger one hides.

use super::cost::quarters;
use super::line::{Line, Omission, OmissionKind, Snapshot};
use alloc::{vec, vec::Vec};

/// A cut snapshot.
#[derive(Debug, Clone, PartialEq)]
pub struct Cut {
    /// Places of the lines that stay, rising.
    pub kept: Vec<usize>,
    /// What went, by kind.
    pub omissions: Vec<Omission>,
}

/// Chooses the lines that fit `tokens_max`. `render` gives the text that a line will have.
pub fn cut(
    snapshot: &Snapshot,
    tokens_max: u32,
    render: impl Fn(&Line) -> alloc::string::String,
) -> Cut {
    let lines = &snapshot.lines;
    // The line feed costs one quarter.
    let costs: Vec<u32> =
        lines.iter().map(|line| quarters(&render(line)).saturating_add(1)).collect();
    let budget = tokens_max.saturating_mul(4);
    let total = costs.iter().fold(0u32, |sum, cost| sum.saturating_add(*cost));
    if total <= budget {
        return Cut { kept: (0..lines.len()).collect(), omissions: Vec::new() };
    }
    let parents = parents(lines);
    let mut order: Vec<usize> = (0..lines.len()).collect();
    order.sort_by_key(|at| (core::cmp::Reverse(group(&lines[*at])), *at));
    let mut is_kept = vec![false; lines.len()];
    let mut spent = 0u32;
    for at in order {
        let mut cost = 0u32;
        let mut up = Some(at);
        while let Some(line) = up.filter(|line| !is_kept[*line]) {
            cost = cost.saturating_add(costs[line]);
            up = parents[line];
        }
        // The first line that does not fit ends the choice: taking a later, shorter one would let a smaller budget show
        // what a larger one hides.
        if spent.saturating_add(cost) > budget {
            break;
        }
        spent += cost;
        let mut up = Some(at);
        while let Some(line) = up.filter(|line| !is_kept[*line]) {
            is_kept[line] = true;
            up = parents[line];
        }
    }
    Cut {
        omissions: count(lines, &is_kept),
        kept: (0..lines.len()).filter(|at| is_kept[*at]).collect(),
    }
}

/// The kind that a line counts as when it goes; kinds are declared in the order in which they go.
fn group(line: &Line) -> OmissionKind {
    match (line.has_ref(), line.is_text(), line.offscreen) {
        (true, _, _) => OmissionKind::Interactive,
        (false, _, false) => OmissionKind::Visible,
        (false, false, true) => OmissionKind::OffscreenStructure,
        (false, true, true) => OmissionKind::OffscreenText,
    }
}

pub(super) fn parents(lines: &[Line]) -> Vec<Option<usize>> {
    let mut open: Vec<usize> = Vec::new();
    lines
        .iter()
        .enumerate()
        .map(|(at, line)| {
            while open.last().is_some_and(|last| lines[*last].depth >= line.depth) {
                open.pop();
            }
            let parent = open.last().copied();
            open.push(at);
            parent
        })
        .collect()
}

fn count(lines: &[Line], is_kept: &[bool]) -> Vec<Omission> {
    let mut omissions: Vec<Omission> = Vec::new();
    for (line, kept) in lines.iter().zip(is_kept) {
        if *kept {
            continue;
        }
        let kind = group(line);
        match omissions.iter_mut().find(|omission| omission.kind == kind) {
            Some(omission) => omission.count += 1,
            None => omissions.push(Omission { kind, count: 1 }),
        }
    }
    omissions.sort_by_key(|omission| omission.kind);
    omissions
}
