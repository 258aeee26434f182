//! What stands on lines as one thing, and its baseline.

use super::inline::{Lines, push, wraps};
use super::line::{Put, What, strut};
use super::{Flow, metrics};
use crate::dom::InputKind;
use crate::style::{Computed, Overflow, Size, VerticalAlign};
use backlot_core::page::NodeId;

impl Flow<'_> {
    pub(super) fn put_atom(&mut self, id: NodeId, style: &Computed, lines: &mut Lines<'_>) {
        let width = self.used_width(id, lines.inner);
        let margin = self.margins(id, lines.inner);
        // Laid out at the origin; moved when the line's baseline is known.
        let height = self.lay(id, (0.0, 0.0), width, None, lines.tall);
        let outer = width + margin[1] + margin[3];
        // Lines break before and behind it wherever it stands.
        lines.glue = false;
        let free = self.make_room(lines, outer, wraps(lines.style().white_space));
        let baseline = self.baseline(id, style, height, margin[2]);
        let total = height + margin[0] + margin[2];
        let (above, below) = (baseline + margin[0], height - baseline + margin[2]);
        let parent = lines.style();
        let (ascent, descent) = metrics::ascent_descent(parent.font_size);
        let rise = lines.rise();
        let above = match style.vertical_align {
            VerticalAlign::Middle => total / 2.0 + (0.547 * parent.font_size / 2.0).round() + rise,
            VerticalAlign::TextTop => ascent + rise,
            VerticalAlign::TextBottom => total - descent + rise,
            _ => above + raised(style, parent) + rise,
        };
        let below = if total == 0.0 { below } else { total - above };
        let align = style.vertical_align;
        let what = What::Atom { id, height, margin, align };
        let chain = lines.chain.clone();
        push(lines, Put { x: lines.x, width: outer, above, below, chain, what }, free);
        lines.glue = false;
    }

    /// Distance of an atom's baseline from the top of its border box.
    pub(super) fn baseline(&self, id: NodeId, style: &Computed, height: f32, margin: f32) -> f32 {
        let own = self.baselines.get(&id).map(|(_, last)| *last);
        let scrolls = !matches!(style.overflow.1, Overflow::Visible | Overflow::Clip);
        let edges = self.edges(id, 0.0);
        match self.tree.tag(id) {
            "button" if scrolls => height + margin,
            "button" => own.unwrap_or(height - edges[2]),
            _ if self.content_size(id, style).is_some() => {
                self.control_baseline(id, style, height).unwrap_or(height + margin)
            }
            _ if scrolls && !style.display.is_flex_or_grid() => height + margin,
            _ => own.unwrap_or(height + margin),
        }
    }

    /// Baseline of a control that shows text, or stands as if it did; from the top of its border box.
    pub(super) fn control_baseline(
        &self,
        id: NodeId,
        style: &Computed,
        height: f32,
    ) -> Option<f32> {
        let node = self.tree.node(id)?;
        let (ascent, descent) = metrics::ascent_descent(style.font_size);
        let edges = self.edges(id, 0.0);
        let line = metrics::control_line(self.dom, node, style);
        let half = ((line - ascent - descent) / 2.0).floor();
        let inside = height - edges[0] - edges[2];
        let is_button = self.dom.input_kind(node).is_some_and(InputKind::is_button);
        let above = (inside - line) / 2.0;
        let middle = edges[0] + if is_button { above.max(0.0) } else { above } + half + ascent;
        Some(match self.tree.tag(id) {
            "input" => match self.dom.input_kind(node)? {
                InputKind::Color => height - 6.0,
                InputKind::Image if metrics::shows_alternative(self.dom, node) => {
                    edges[0] + half + ascent
                }
                InputKind::Image => return None,
                kind if kind.is_checkable() || kind == InputKind::Range => height,
                _ => middle,
            },
            "select" if !metrics::is_listbox(self.dom, node) => middle,
            "img" if metrics::shows_alternative(self.dom, node) => edges[0] + half + ascent,
            _ => return None,
        })
    }
}

/// How far the baseline of an inline-level box stands above that of the box around.
pub(super) fn raised(style: &Computed, parent: &Computed) -> f32 {
    match style.vertical_align {
        VerticalAlign::Sub => -(parent.font_size / 5.0 + 1.0).floor(),
        VerticalAlign::Super => (parent.font_size / 3.0 + 1.0).floor(),
        VerticalAlign::Length(Size::Given { px, percent }) => {
            px + percent * metrics::line_height(style)
        }
        VerticalAlign::Middle => {
            let (ascent, descent) = metrics::ascent_descent(style.font_size);
            0.547 * parent.font_size / 2.0 - (ascent - descent) / 2.0
        }
        VerticalAlign::TextTop => {
            let (outer, _) = metrics::ascent_descent(parent.font_size);
            outer - strut(style).0
        }
        VerticalAlign::TextBottom => {
            let (_, outer) = metrics::ascent_descent(parent.font_size);
            strut(style).1 - outer
        }
        _ => 0.0,
    }
}
