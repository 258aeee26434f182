//! From boxes that were placed to what the rest of the browser looks at.

use super::paint::{Item, Kind, Pieces};
use super::{Area, Flow, Layout};
use crate::style::{Display, Overflow, Position};
use backlot_core::page::NodeId;
use std::rc::Rc;

impl Flow<'_> {
    /// The box of an inline box is what its pieces lie in.
    pub(super) fn unite_fragments(&mut self) {
        let ids: Vec<NodeId> = self.fragments.keys().chain(self.strips.keys()).copied().collect();
        for id in &ids {
            let strips = self.strips.get(id).into_iter().flatten();
            let pieces: Vec<Area> =
                self.fragments.get(id).into_iter().flatten().chain(strips).copied().collect();
            let shown = pieces.iter().filter(|piece| piece.width != 0.0 && piece.height != 0.0);
            if let Some(whole) = shown.copied().reduce(Area::union).or(pieces.first().copied()) {
                self.out.insert(*id, whole);
            }
        }
    }

    pub(super) fn finish(mut self, root: NodeId) -> Layout {
        let pieces = self.fragments.values_mut().chain(self.texts.values_mut()).flatten();
        for area in self.out.values_mut().chain(pieces) {
            *area = area.tamed();
        }
        let items = self.listed(root);
        let mut layout = Layout { extent: self.viewport, laid: self.laid, ..Layout::default() };
        // Of each item: it is clipped by something around, or does not scroll.
        let mut held: Vec<bool> = Vec::with_capacity(items.len());
        let mut ends: Vec<(f32, f32)> = vec![(f32::MIN, f32::MIN); items.len()];
        for (at, item) in items.iter().enumerate() {
            let around = item.up.map(|up| (held[up], &items[up]));
            let own = item.style.position == Position::Fixed && item.kind != Kind::Text;
            let is_held = around.is_some_and(|(held, up)| {
                let is_viewport = matches!(self.tree.tag(up.node), "html" | "body");
                held || up.style.overflow.1 != Overflow::Visible && !is_viewport
            });
            held.push(own || is_held);
            for area in item.areas.as_slice() {
                let end = &mut ends[at];
                *end = (end.0.max(area.x + area.width), end.1.max(area.y + area.height));
                if !held[at] {
                    layout.extent.0 = layout.extent.0.max(area.x + area.width);
                    layout.extent.1 = layout.extent.1.max(area.y + area.height);
                }
            }
        }
        for (at, item) in items.iter().enumerate().rev() {
            let Some(up) = item.up else { continue };
            let own = ends[at];
            let join = |to: &mut (f32, f32)| *to = (to.0.max(own.0), to.1.max(own.1));
            join(layout.content_end.entry(items[up].node).or_insert((f32::MIN, f32::MIN)));
            if items[up].style.overflow.1 == Overflow::Visible {
                join(&mut ends[up]);
            }
        }
        layout.items = items;
        let boxes = self.out.into_iter();
        layout.boxes = boxes.filter(|(id, _)| self.tree.node(*id).is_some()).collect();
        layout
    }

    /// Every box with what stands on lines in pieces, in tree order.
    fn listed(&self, root: NodeId) -> Vec<Item> {
        let tree = self.tree;
        let tops: Vec<NodeId> = self.dom.tops().map(|top| top.node).collect();
        let mut items: Vec<Item> = Vec::with_capacity(self.out.len());
        let mut open: Vec<(NodeId, Option<usize>)> = vec![(root, None)];
        while let Some((id, up)) = open.pop() {
            let Some(style) = tree.style(id) else { continue };
            let node = tree.owner(id);
            let areas = match (self.fragments.get(&id), self.out.get(&id)) {
                (Some(pieces), _) => Pieces::Many(pieces.clone()),
                (None, _) if self.strips.contains_key(&id) => Pieces::None,
                (None, Some(area)) => Pieces::One(*area),
                (None, None) => Pieces::None,
            };
            let on_line =
                style.display == Display::Inline && self.content_size(id, style).is_some();
            let kind = if on_line { Kind::Replaced } else { Kind::Box };
            let at = items.len();
            let top = tops.iter().position(|top| *top == id);
            items.push(Item { node, style: Rc::clone(style), up, top, areas, kind });
            if let Some(texts) = self.texts.get(&id) {
                let areas = Pieces::Many(texts.clone());
                items.push(Item {
                    node,
                    style: Rc::clone(style),
                    up: Some(at),
                    top: None,
                    areas,
                    kind: Kind::Text,
                });
            }
            open.extend(tree.children(id).iter().rev().map(|child| (*child, Some(at))));
        }
        items
    }
}
