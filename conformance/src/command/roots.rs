//! Where a difference between boxes begins.

use super::boxes::{DRIFT_MAX, short};
use backlot_core::page::{Fact, Frame, NodeData, Rect};
use serde::{Deserialize, Serialize};

/// One element of the top frame.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct NodeBox {
    /// Place in the list of the element around.
    parent: Option<usize>,
    /// Tag, id and classes.
    label: String,
    rect: Option<Rect>,
}

/// The elements of a frame, in tree order.
pub(super) fn nodes(frame: &Frame) -> Vec<NodeBox> {
    let mut places: Vec<Option<usize>> = Vec::new();
    let mut found = Vec::new();
    for node in &frame.nodes {
        let around = node.parent.and_then(|up| places[up as usize]);
        let NodeData::Element(element) = &node.data else {
            places.push(around);
            continue;
        };
        let mut label = element.tag.to_string();
        for (mark, name) in [("#", "id"), (".", "class")] {
            if let Some(value) = element.attr(name) {
                label.push_str(mark);
                label.push_str(&value.split_whitespace().collect::<Vec<_>>().join("."));
            }
        }
        let rect = match &element.rect {
            Fact::Known(rect) => Some(*rect),
            _ => None,
        };
        places.push(Some(found.len()));
        found.push(NodeBox { parent: around, label, rect });
    }
    found
}

/// Boxes whose size differs though no box in them differs, and those that stand elsewhere though all before them are alike.
pub(super) fn of(ours: &[NodeBox], theirs: &[NodeBox]) -> Vec<String> {
    let mut lines = Vec::new();
    if ours.len() != theirs.len() {
        lines.push(format!("{} elements, cdp {}", ours.len(), theirs.len()));
    }
    let count = ours.len().min(theirs.len());
    let differs: Vec<bool> = (0..count).map(|at| size_differs(&ours[at], &theirs[at])).collect();
    let mut inside = vec![false; count];
    for at in (0..count).rev() {
        if let Some(up) = theirs[at].parent {
            inside[up] |= inside[at] || differs[at];
        }
    }
    // By element: one of its children so far stands elsewhere or has another size.
    let mut moved = vec![false; count];
    for at in 0..count {
        let Some(up) = theirs[at].parent else { continue };
        let (Some(own), Some(other)) = (ours[at].rect, theirs[at].rect) else {
            if differs[at] {
                lines.push(line(&ours[at], &theirs[at], "box"));
            }
            continue;
        };
        let from = |rect: Rect, up: Option<Rect>| {
            up.map_or((rect.x, rect.y), |up| (rect.x - up.x, rect.y - up.y))
        };
        let (a, b) = (from(own, ours[up].rect), from(other, theirs[up].rect));
        let elsewhere = (a.0 - b.0).abs() > DRIFT_MAX || (a.1 - b.1).abs() > DRIFT_MAX;
        if differs[at] && !inside[at] {
            lines.push(line(&ours[at], &theirs[at], "size"));
        } else if elsewhere && !moved[up] {
            lines.push(line(&ours[at], &theirs[at], "place"));
        }
        moved[up] |= elsewhere || differs[at];
    }
    lines
}

fn size_differs(ours: &NodeBox, theirs: &NodeBox) -> bool {
    match (ours.rect, theirs.rect) {
        (Some(ours), Some(theirs)) => {
            (ours.width - theirs.width).abs() > DRIFT_MAX
                || (ours.height - theirs.height).abs() > DRIFT_MAX
        }
        (None, None) => false,
        _ => true,
    }
}

fn line(ours: &NodeBox, theirs: &NodeBox, what: &str) -> String {
    let (own, other) = (ours.rect.map(short), theirs.rect.map(short));
    format!("{what} {}: cdp {other:?}, sim {own:?}", theirs.label)
}
