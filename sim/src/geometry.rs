//! Boxes as the page's own `getBoundingClientRect` tells them: layout, moved by scrolling.

use crate::capture::Rects;
use crate::layout::Area;
use crate::style::{Display, Overflow, Position};
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
                    crate::style::Size::Given { px, .. } => px,
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
    fn scrolled_by(&self, id: NodeId) -> (f64, f64) {
        let styles = self.styles();
        let (mut x, mut y) = (0.0, 0.0);
        let mut at = id;
        loop {
            if styles.get(at).is_some_and(|style| style.position == Position::Fixed) {
                return (x, y);
            }
            let Some(parent) = self.dom.flat_parent(at) else { break };
            if let Some(element) = self.dom.element(parent) {
                x += element.scroll.0;
                y += element.scroll.1;
            }
            at = parent;
        }
        (x + self.scroll.0, y + self.scroll.1)
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

    /// Farthest vertical scroll offset of an element, CSS pixels.
    pub(crate) fn scroll_range(&self, id: NodeId) -> f64 {
        let layout = self.layout();
        let Some(Area { y, height, .. }) = layout.boxes.get(&id).copied() else { return 0.0 };
        let styles = self.styles();
        let Some(style) = styles.get(id) else { return 0.0 };
        let border = style.border_width(2);
        let padding = match style.padding[2] {
            crate::style::Size::Given { px, .. } => px,
            _ => 0.0,
        };
        let bottom = layout.content_bottom.get(&id).copied().unwrap_or(f32::MIN);
        f64::from((bottom + padding - (y + height - border)).max(0.0)).round()
    }
}
