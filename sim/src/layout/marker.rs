//! Markers of list items that are part of the first line.
//!
//! SIM DIFFERENCE: `::marker` has no style and no `content`, counters are not kept, and letters and other numberings are as wide as
//! one letter.

use super::metrics;
use crate::dom::Dom;
use crate::style::{Computed, Marker};
use backlot_core::page::NodeId;

/// What stands for a marker: a text, or room of a width.
pub(super) enum Inside {
    Text(String),
    /// CSS pixels.
    Room(f32),
}

/// The marker of an item, where it stands inside.
pub(super) fn inside(dom: &Dom, id: NodeId, style: &Computed) -> Option<Inside> {
    if !style.marker_inside {
        return None;
    }
    let size = style.font_size;
    let (ascent, _) = metrics::ascent_descent(size);
    let units = |px: f32| (px * 64.0).trunc() / 64.0;
    Some(match style.marker {
        Marker::None => return None,
        Marker::Disclosure => Inside::Room(units(0.66 * size) + units(0.4 * size)),
        Marker::Symbol => {
            let bullet = ((ascent * 2.0 / 3.0).floor() + 1.0) / 2.0;
            Inside::Room(bullet.floor() + ascent + if size < 24.0 { 2.0 } else { 3.0 })
        }
        Marker::Number => Inside::Text(format!("{}. ", number(dom, id))),
        Marker::Letter => Inside::Text("a. ".into()),
    })
}

/// The ordinal of a list item.
fn number(dom: &Dom, id: NodeId) -> i64 {
    let attr = |id: NodeId, name: &str| dom.attr(id, name)?.trim().parse::<i64>().ok();
    let mut count = 1;
    let mut at = Some(id);
    while let Some(item) = at {
        if let Some(value) = attr(item, "value").filter(|_| dom.is_html(item, "li")) {
            return value.saturating_add(count - 1);
        }
        at = dom.prev_sibling(item);
        count += i64::from(at.is_some_and(|before| dom.is_html(before, "li")));
    }
    let start = dom.parent_element(id).and_then(|list| attr(list, "start")).unwrap_or(1);
    start.saturating_add(count - 1)
}
