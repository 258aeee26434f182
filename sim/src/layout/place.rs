//! Moving boxes: positioned ones, transforms.

use super::line::Chain;
use super::{Area, Flow, resolve};
use crate::style::{Affine, Computed, Position, Size};
use backlot_core::page::NodeId;
use std::collections::BTreeSet;

/// An absolute or fixed box that waits for its containing block to have a size.
#[derive(Debug, Clone, Copy)]
pub(super) struct Waiting {
    id: NodeId,
    /// Where it would be in the flow.
    at: (f32, f32),
    /// The positioned inline box that contains it.
    inline: Option<NodeId>,
    /// How much of its own size it is moved back by there.
    share: (f32, f32),
}

impl Flow<'_> {
    /// Lets an absolute box wait; `chain`: the inline boxes around.
    pub(super) fn wait(&mut self, id: NodeId, at: (f32, f32), chain: Option<&Chain>) {
        if self.measuring == 0 {
            let mut around = std::iter::successors(chain, |chain| chain.up.as_deref());
            let inline = around.find(|chain| chain.style.position != Position::Static);
            let inline = inline.map(|chain| chain.id);
            self.absolute.push(Waiting { id, at, inline, share: (0.0, 0.0) });
        }
    }

    /// The same for one that stands at a share of the room between other edges.
    pub(super) fn wait_at(&mut self, id: NodeId, at: (f32, f32), share: (f32, f32)) {
        if self.measuring == 0 {
            self.absolute.push(Waiting { id, at, inline: None, share });
        }
    }

    /// Moves a box and all below it.
    pub(super) fn shift(&mut self, id: NodeId, by: (f32, f32)) {
        if by != (0.0, 0.0) {
            let mut moved = self.below(id);
            moved.push(id);
            self.shift_all(&moved, by);
        }
    }

    pub(super) fn shift_below(&mut self, id: NodeId, by: (f32, f32)) {
        if by != (0.0, 0.0) {
            let mut moved = self.below(id);
            self.shift_texts(id, by);
            moved.retain(|at| *at != id);
            self.shift_all(&moved, by);
        }
    }

    fn shift_all(&mut self, moved: &[NodeId], by: (f32, f32)) {
        for id in moved {
            if let Some(area) = self.out.get_mut(id) {
                area.x += by.0;
                area.y += by.1;
            }
            let pieces = self.fragments.get_mut(id).into_iter().flatten();
            for area in pieces.chain(self.strips.get_mut(id).into_iter().flatten()) {
                area.x += by.0;
                area.y += by.1;
            }
            self.shift_texts(*id, by);
        }
        if !self.absolute.is_empty() {
            let moved: BTreeSet<NodeId> = moved.iter().copied().collect();
            for waiting in self.absolute.iter_mut().filter(|waiting| moved.contains(&waiting.id)) {
                waiting.at = (waiting.at.0 + by.0, waiting.at.1 + by.1);
            }
        }
    }

    fn shift_texts(&mut self, id: NodeId, by: (f32, f32)) {
        for area in self.texts.get_mut(&id).into_iter().flatten() {
            area.x += by.0;
            area.y += by.1;
        }
    }

    /// Every box below another.
    fn below(&self, id: NodeId) -> Vec<NodeId> {
        let tree = self.tree;
        let mut all = Vec::new();
        let mut open: Vec<NodeId> = tree.children(id).to_vec();
        while let Some(at) = open.pop() {
            if tree.text(at).is_none() {
                all.push(at);
                open.extend(tree.children(at).iter());
            }
        }
        all
    }

    /// Lays out the waiting boxes from `from` on that this padding box contains; `owner` is none for the initial one.
    pub(super) fn lay_absolute(&mut self, from: usize, owner: Option<NodeId>, containing: Area) {
        if self.measuring > 0 || from >= self.absolute.len() {
            return;
        }
        let holds_fixed =
            owner.and_then(|id| self.style(id)).is_none_or(|style| style.transform.is_some());
        let mut kept = Vec::new();
        // What is laid out here may let others wait that this box contains too.
        while self.absolute.len() > from {
            for waiting in self.absolute.split_off(from) {
                let style = self.style(waiting.id);
                let fixed = style.is_some_and(|style| style.position == Position::Fixed);
                if fixed && !holds_fixed || self.deep > super::NESTED_MAX - 2 {
                    kept.push(waiting);
                    continue;
                }
                let area = match waiting.inline.filter(|_| !fixed) {
                    Some(inline) => self.inline_area(inline).unwrap_or(containing),
                    None => containing,
                };
                self.lay_out_of_flow(waiting, area);
            }
        }
        self.absolute.extend(kept);
    }

    /// Padding box of an inline box.
    fn inline_area(&self, id: NodeId) -> Option<Area> {
        let whole = self.fragments.get(&id)?.iter().copied().reduce(Area::union)?;
        let border = self.borders(id);
        Some(Area {
            x: whole.x + border[3],
            y: whole.y + border[0],
            width: whole.width - border[1] - border[3],
            height: whole.height - border[0] - border[2],
        })
    }

    fn lay_out_of_flow(&mut self, waiting: Waiting, area: Area) {
        let Waiting { id, at: place, share, .. } = waiting;
        let Some(style) = self.style(id) else { return };
        let inset: [Option<f32>; 4] = std::array::from_fn(|side| {
            let base = if side % 2 == 0 { area.height } else { area.width };
            resolve(style.inset[side], base)
        });
        let margin = self.margins(id, area.width);
        let room = area.width - inset[1].unwrap_or(0.0) - inset[3].unwrap_or(0.0);
        let stretched =
            |auto: bool, a: Option<f32>, b: Option<f32>| auto && a.is_some() && b.is_some();
        let replaced = self.content_size(id, &style).is_some();
        let is_auto = style.width == Size::Auto && !replaced;
        let width = if stretched(is_auto, inset[1], inset[3]) {
            (room - margin[1] - margin[3]).max(0.0)
        } else if style.width == Size::Auto || style.width == Size::FitContent {
            self.used_width(id, room)
        } else {
            self.used_width(id, area.width)
        };
        let tall = area.height - inset[0].unwrap_or(0.0) - inset[2].unwrap_or(0.0);
        let height = stretched(style.height == Size::Auto && !replaced, inset[0], inset[2])
            .then(|| (tall - margin[0] - margin[2]).max(0.0));
        let used = self.lay(id, (0.0, 0.0), width, height, Some(area.height));
        let auto = |side: usize| style.margin[side] == Size::Auto;
        let x = match (inset[3], inset[1]) {
            (Some(left), Some(_)) if auto(1) && auto(3) => {
                area.x + left + ((room - width) / 2.0).max(0.0)
            }
            (Some(left), _) => area.x + left + margin[3],
            (None, Some(right)) => area.x + area.width - right - margin[1] - width,
            (None, None) => place.0 + margin[3] - share.0 * (width + margin[1] + margin[3]),
        };
        let y = match (inset[0], inset[2]) {
            (Some(top), Some(_)) if auto(0) && auto(2) => {
                area.y + top + ((tall - used) / 2.0).max(0.0)
            }
            (Some(top), _) => area.y + top + margin[0],
            (None, Some(bottom)) => area.y + area.height - bottom - margin[2] - used,
            (None, None) => place.1 + margin[0] - share.1 * (used + margin[0] + margin[2]),
        };
        self.shift(id, (x, y));
    }

    /// Carries out relative positions, then transforms.
    pub(super) fn move_positioned(&mut self, root: NodeId) {
        let mut order: Vec<NodeId> = vec![root];
        order.extend(self.below(root));
        let mut transforms = false;
        for id in order.into_iter().rev() {
            let Some(style) = self.style(id) else { continue };
            transforms |= style.transform.is_some();
            if style.position == Position::Relative {
                let by = self.relative(id, &style);
                self.shift(id, by);
            }
        }
        if transforms {
            self.transform(root);
        }
    }

    /// How far a relative box is moved.
    fn relative(&self, id: NodeId, style: &Computed) -> (f32, f32) {
        let around = self.tree.parent(id).and_then(|up| self.out.get(&up)).copied();
        let around = around.unwrap_or_default();
        let base = |side: usize| if side.is_multiple_of(2) { around.height } else { around.width };
        let inset: [Option<f32>; 4] =
            std::array::from_fn(|side| resolve(style.inset[side], base(side)));
        let x = inset[3].or(inset[1].map(|right| -right)).unwrap_or(0.0);
        let y = inset[0].or(inset[2].map(|bottom| -bottom)).unwrap_or(0.0);
        (x, y)
    }

    /// Every box comes to lie where the transforms around it put it.
    fn transform(&mut self, root: NodeId) {
        let tree = self.tree;
        let mut open: Vec<(NodeId, Option<Affine>)> = vec![(root, None)];
        while let Some((id, around)) = open.pop() {
            let Some(style) = self.style(id) else { continue };
            let area = self.out.get(&id).copied().unwrap_or_default();
            let own = style.transform.as_ref().filter(|_| !self.is_plain_inline(id, &style));
            let own = own.map(|transform| transform.map((area.x, area.y, area.width, area.height)));
            let map = match (around, own) {
                (Some(around), Some(own)) => Some(around.then(&own)),
                (around, own) => around.or(own),
            };
            if let Some(map) = map {
                let put = |area: &mut Area| {
                    let (x, y, width, height) =
                        map.bounds((area.x, area.y, area.width, area.height));
                    *area = Area { x, y, width, height };
                };
                self.out.get_mut(&id).into_iter().for_each(put);
                self.fragments.get_mut(&id).into_iter().flatten().for_each(put);
                self.texts.get_mut(&id).into_iter().flatten().for_each(put);
            }
            let below = tree.children(id);
            let boxes = below.iter().filter(|child| tree.text(**child).is_none());
            open.extend(boxes.map(|child| (*child, map)));
        }
    }
}
