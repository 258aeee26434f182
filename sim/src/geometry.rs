//! Boxes as the page's own `getBoundingClientRect` tells them: layout, moved by scrolling.

use crate::capture::Rects;
use crate::style::{Display, Overflow, Position, Size};
use crate::world::{Page, State};
use backlot_core::page::{CaptureSpec, FrameId, NodeId, Rect};

impl State {
    /// Border boxes of a page's rendered elements, where they are asked for.
    pub(crate) fn boxes(&self, page: &Page, spec: &CaptureSpec) -> Option<Rects> {
        if !spec.boxes {
            return None;
        }
        let layout = page.layout();
        let rects = layout.boxes.keys().filter_map(|id| Some((*id, page.rect(*id)?)));
        Some(rects.collect())
    }

    /// Gives a frame's document the size of its frame element's content box.
    pub(crate) fn fit_frame(&mut self, frame: FrameId) {
        let Some((parent, element)) = self.pages.get(&frame).and_then(|page| page.owner) else {
            return;
        };
        let Some(parent) = self.pages.get(&parent) else { return };
        let size = match (parent.layout().boxes.get(&element), parent.styles().get(element)) {
            (Some(area), Some(style)) => {
                let border: [f32; 4] = std::array::from_fn(|side| style.border_width(side));
                let padding: [f32; 4] = std::array::from_fn(|side| match style.padding[side] {
                    Size::Given { px, .. } => px,
                    _ => 0.0,
                });
                let inner = |whole: f32, a: usize, b: usize| {
                    (whole - border[a] - border[b] - padding[a] - padding[b]).max(0.0)
                };
                (inner(area.width, 1, 3), inner(area.height, 0, 2))
            }
            _ => (0.0, 0.0),
        };
        if let Some(page) = self.pages.get_mut(&frame) {
            page.set_viewport(size);
        }
    }

    /// Brings the viewports of all frames of a page up to date, parents first.
    pub(crate) fn fit_frames(&mut self, top: FrameId) {
        let mut open = vec![top];
        while let Some(frame) = open.pop() {
            self.fit_frame(frame);
            if let Some(page) = self.pages.get(&frame) {
                open.extend(page.frames.values());
            }
        }
    }
}

impl Page {
    /// Border box in the viewport; `None` where there is no box.
    pub(crate) fn rect(&self, id: NodeId) -> Option<Rect> {
        let area = self.layout().boxes.get(&id).copied()?;
        let (x, y) = self.scrolled_by(id);
        let rect = area.rect();
        Some(Rect { x: rect.x - x, y: rect.y - y, ..rect })
    }

    /// How far the scrollers around a node have moved it, CSS pixels.
    pub(crate) fn scrolled_by(&self, id: NodeId) -> (f64, f64) {
        let styles = self.styles();
        let (mut x, mut y) = (0.0, 0.0);
        let mut position = styles.get(id).map_or(Position::Static, |style| style.position);
        let mut at = id;
        loop {
            if position == Position::Fixed {
                return (x, y);
            }
            if position == Position::Sticky {
                let (right, down) = self.stuck(at);
                x -= right;
                y -= down;
            }
            let Some(parent) = self.dom.flat_parent(at) else { break };
            let Some(around) = styles.get(parent) else {
                at = parent;
                continue;
            };
            // An absolute box moves with its containing block, not with scrollers in between.
            let holds = position != Position::Absolute
                || around.position != Position::Static
                || around.transform.is_some();
            if holds {
                if let Some(element) = self.dom.element(parent) {
                    x += element.scroll.0;
                    y += element.scroll.1;
                }
                position = around.position;
            }
            at = parent;
        }
        (x + self.scroll.0, y + self.scroll.1)
    }

    /// How far a sticky box was moved to stay in view, CSS pixels to the right and down.
    fn stuck(&self, id: NodeId) -> (f64, f64) {
        let styles = self.styles();
        let layout = self.layout();
        let (Some(style), Some(area)) = (styles.get(id), layout.boxes.get(&id)) else {
            return (0.0, 0.0);
        };
        let scroller = self.dom.flat_ancestors(id).skip(1).find(|up| self.is_scroller(*up));
        let scroller =
            scroller.and_then(|up| Some((layout.boxes.get(&up)?, self.dom.element(up)?)));
        let (view, scroll) = match scroller {
            Some((view, element)) => (view.rect(), element.scroll),
            None => {
                let (width, height) = (f64::from(self.viewport.0), f64::from(self.viewport.1));
                (Rect { x: 0.0, y: 0.0, width, height }, self.scroll)
            }
        };
        let around = self.dom.flat_parent(id).and_then(|up| layout.boxes.get(&up));
        let (rect, around) = (area.rect(), around.map_or(view, |area| area.rect()));
        let inset = |side: usize, whole: f64| match style.inset[side] {
            Size::Given { px, percent } => Some(f64::from(px) + f64::from(percent) * whole),
            _ => None,
        };
        let one = |from: f64,
                   size: f64,
                   view: (f64, f64),
                   scroll: f64,
                   around: (f64, f64),
                   near: Option<f64>,
                   far: Option<f64>| {
            let mut moved = 0.0_f64;
            if let Some(far) = far {
                let over = from + size - (view.0 + scroll + view.1 - far);
                moved = moved.min(-over.max(0.0)).max((around.0 - from).min(0.0));
            }
            if let Some(near) = near {
                let under = view.0 + scroll + near - from;
                moved = moved.max(under.max(0.0)).min((around.0 + around.1 - from - size).max(0.0));
            }
            moved
        };
        (
            one(
                rect.x,
                rect.width,
                (view.x, view.width),
                scroll.0,
                (around.x, around.width),
                inset(3, view.width),
                inset(1, view.width),
            ),
            one(
                rect.y,
                rect.height,
                (view.y, view.height),
                scroll.1,
                (around.y, around.height),
                inset(0, view.height),
                inset(2, view.height),
            ),
        )
    }

    /// Whether the element clips what overflows it.
    pub(crate) fn clips(&self, id: NodeId) -> bool {
        let is_viewport = matches!(self.dom.html_tag(id), "html" | "body");
        !is_viewport
            && self.styles().get(id).is_some_and(|style| {
                style.display != Display::Inline
                    && (style.overflow.1 != Overflow::Visible
                        || style.overflow.0 != Overflow::Visible)
            })
    }

    /// Whether the element scrolls when it is asked to.
    pub(crate) fn is_scroller(&self, id: NodeId) -> bool {
        let is_viewport = matches!(self.dom.html_tag(id), "html" | "body");
        let can = self.styles().get(id).is_some_and(|style| {
            matches!(style.overflow.1, Overflow::Hidden | Overflow::Scroll | Overflow::Auto)
                && style.display != Display::Inline
        });
        can && !is_viewport
    }

    /// Farthest scroll offsets of an element to the right and down, CSS pixels.
    pub(crate) fn scroll_range(&self, id: NodeId) -> (f64, f64) {
        let layout = self.layout();
        let Some(area) = layout.boxes.get(&id).copied() else { return (0.0, 0.0) };
        let styles = self.styles();
        let Some(style) = styles.get(id) else { return (0.0, 0.0) };
        let padding = |side: usize| match style.padding[side] {
            Size::Given { px, .. } => px,
            _ => 0.0,
        };
        let end = layout.content_end.get(&id).copied().unwrap_or((f32::MIN, f32::MIN));
        let right = end.0 - (area.x + area.width - style.border_width(1));
        let bottom = end.1 + padding(2) - (area.y + area.height - style.border_width(2));
        (f64::from(right.max(0.0)).round(), f64::from(bottom.max(0.0)).round())
    }
}
