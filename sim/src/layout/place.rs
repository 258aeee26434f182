//! Moving boxes: positioned ones, transforms.

use super::{Area, Flow, resolve};
use crate::style::{Position, Size};
use backlot_core::page::NodeId;

impl Flow<'_> {
    /// Moves a box and all below it.
    pub(super) fn shift(&mut self, id: NodeId, by: (f32, f32)) {
        if by == (0.0, 0.0) {
            return;
        }
        self.shift_below(id, by);
        self.shift_one(id, by);
    }

    fn shift_one(&mut self, id: NodeId, by: (f32, f32)) {
        if let Some(area) = self.out.get_mut(&id) {
            area.x += by.0;
            area.y += by.1;
        }
        for (waiting, at) in &mut self.absolute {
            if *waiting == id {
                *at = (at.0 + by.0, at.1 + by.1);
            }
        }
    }

    pub(super) fn shift_below(&mut self, id: NodeId, by: (f32, f32)) {
        for at in self.below(id) {
            self.shift_one(at, by);
        }
    }

    /// Everything below a node in the flat tree.
    fn below(&self, id: NodeId) -> Vec<NodeId> {
        let mut all = Vec::new();
        let mut open = self.dom.flat_children(id);
        while let Some(at) = open.pop() {
            if self.dom.element(at).is_some() {
                all.push(at);
                open.extend(self.dom.flat_children(at));
            }
        }
        all
    }

    /// Lays out the waiting boxes from `from` on that this padding box contains.
    pub(super) fn lay_absolute(&mut self, from: usize, containing: Area) {
        if self.measuring > 0 {
            return;
        }
        let mut at = from;
        while at < self.absolute.len() {
            let (id, place) = self.absolute[at];
            let fixed = self.style(id).is_some_and(|style| style.position == Position::Fixed);
            if fixed && from > 0 || self.deep > super::NESTED_MAX - 2 {
                at += 1;
                continue;
            }
            self.absolute.remove(at);
            let area = if fixed {
                Area { x: 0.0, y: 0.0, width: self.viewport.0, height: self.viewport.1 }
            } else {
                containing
            };
            self.lay_out_of_flow(id, place, area);
        }
    }

    fn lay_out_of_flow(&mut self, id: NodeId, place: (f32, f32), area: Area) {
        let Some(style) = self.style(id) else { return };
        let inset: [Option<f32>; 4] = std::array::from_fn(|side| {
            let base = if side % 2 == 0 { area.height } else { area.width };
            self.used(style.inset[side], base)
        });
        let margin = self.margins(id, area.width);
        let room = area.width - inset[1].unwrap_or(0.0) - inset[3].unwrap_or(0.0);
        let stretched =
            |auto: bool, a: Option<f32>, b: Option<f32>| auto && a.is_some() && b.is_some();
        let replaced = super::metrics::content_size(self.dom, id, &style).is_some();
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
            (None, None) => place.0 + margin[3],
        };
        let y = match (inset[0], inset[2]) {
            (Some(top), Some(_)) if auto(0) && auto(2) => {
                area.y + top + ((tall - used) / 2.0).max(0.0)
            }
            (Some(top), _) => area.y + top + margin[0],
            (None, Some(bottom)) => area.y + area.height - bottom - margin[2] - used,
            (None, None) => place.1 + margin[0],
        };
        self.shift(id, (x, y));
    }

    /// Carries out relative positions and transforms, the innermost first.
    pub(super) fn move_positioned(&mut self, root: NodeId) {
        let mut order: Vec<NodeId> = vec![root];
        order.extend(self.below(root));
        for id in order.into_iter().rev() {
            let (Some(style), Some(area)) = (self.style(id), self.out.get(&id).copied()) else {
                continue;
            };
            if style.position == Position::Relative {
                let inset = style.inset.map(|size| self.used(size, 0.0));
                let x = inset[3].or(inset[1].map(|right| -right)).unwrap_or(0.0);
                let y = inset[0].or(inset[2].map(|bottom| -bottom)).unwrap_or(0.0);
                self.shift(id, (x, y));
            }
            let Some(transform) = style.transform else { continue };
            let x = resolve(transform.translate.0, area.width).unwrap_or(0.0);
            let y = resolve(transform.translate.1, area.height).unwrap_or(0.0);
            let center = (area.x + area.width / 2.0, area.y + area.height / 2.0);
            if transform.scale != (1.0, 1.0) {
                let mut scaled = self.below(id);
                scaled.push(id);
                for at in scaled {
                    if let Some(area) = self.out.get_mut(&at) {
                        area.x = center.0 + (area.x - center.0) * transform.scale.0;
                        area.y = center.1 + (area.y - center.1) * transform.scale.1;
                        area.width *= transform.scale.0.abs();
                        area.height *= transform.scale.1.abs();
                    }
                }
            }
            self.shift(id, (x, y));
        }
    }
}
