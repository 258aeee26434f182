//! Scrolling.

use crate::dom::Dom;
use crate::world::{Page, State};
use backlot_core::page::{FrameId, NodeId, NodeKey, Rect, TabId};
use backlot_core::port::{DriverError, LoadState, Navigated, ScrollBy, ScrollWhat, Scrolled};
use url::Url;

impl State {
    pub(crate) fn scroll(
        &mut self,
        tab: TabId,
        what: &ScrollWhat,
    ) -> Result<Scrolled, DriverError> {
        let top = self.live_tab(tab)?.top;
        match what {
            ScrollWhat::Page(by) => {
                let page = self.pages.get_mut(&top).ok_or(DriverError::TabGone)?;
                Ok(scroll_page(page, by))
            }
            ScrollWhat::Element(key, by) => {
                self.page_of(tab, *key).ok_or(DriverError::DocumentGone)?;
                let page =
                    self.pages.get_mut(&key.document.frame).ok_or(DriverError::DocumentGone)?;
                let scroller = page.dom.flat_ancestors(key.node).find(|up| page.is_scroller(*up));
                Ok(match scroller {
                    Some(scroller) => scroll_element(page, scroller, by),
                    None => scroll_page(page, by),
                })
            }
            ScrollWhat::IntoView(key) => {
                self.page_of(tab, *key).ok_or(DriverError::DocumentGone)?;
                Ok(self.bring_into_view(*key))
            }
        }
    }

    /// The wheel turns: the nearest scroller around, in any frame, that has room left that way.
    pub(crate) fn wheel(&mut self, at: NodeKey, dy: f64) {
        let by = ScrollBy::Pixels(dy);
        let mut at: Option<(FrameId, NodeId)> = Some((at.document.frame, at.node));
        while let Some((frame, node)) = at {
            let Some(page) = self.pages.get_mut(&frame) else { return };
            let scrollers: Vec<NodeId> =
                page.dom.flat_ancestors(node).filter(|up| page.is_scroller(*up)).collect();
            let moved = scrollers.into_iter().any(|up| scroll_element(page, up, &by).moved != 0.0);
            if moved || scroll_page(page, &by).moved != 0.0 {
                return;
            }
            at = page.owner;
        }
    }

    fn bring_into_view(&mut self, key: NodeKey) -> Scrolled {
        let mut moved = 0.0;
        let mut at: Option<(FrameId, NodeId)> = Some((key.document.frame, key.node));
        while let Some((frame, node)) = at {
            let Some(page) = self.pages.get_mut(&frame) else { break };
            moved += center(page, node);
            at = page.owner;
        }
        Scrolled { moved, at_start: false, at_end: false }
    }
}

impl State {
    /// A navigation that only changes the fragment keeps the document.
    pub(crate) fn navigate_to_fragment(&mut self, frame: FrameId, url: &Url) -> Option<Navigated> {
        let page = self.pages.get_mut(&frame)?;
        let document = page.document;
        page.go_to_fragment(url).then(|| Navigated {
            url: url.to_string(),
            document,
            load: LoadState::Complete,
        })
    }
}

impl Page {
    /// Height of what scrolls around a node, CSS pixels.
    pub(crate) fn view_around(&self, node: NodeId) -> f64 {
        let scroller = self.dom.flat_ancestors(node).find(|up| self.is_scroller(*up));
        let area = scroller.and_then(|id| self.layout().boxes.get(&id).map(|area| area.height));
        f64::from(area.unwrap_or(self.viewport.1))
    }

    /// Scrolls to the fragment of a URL that is this document's but for that. `false`: it is another document's.
    pub(crate) fn go_to_fragment(&mut self, url: &Url) -> bool {
        let mut bare = (self.url.clone(), url.clone());
        bare.0.set_fragment(None);
        bare.1.set_fragment(None);
        let (Some(fragment), true) = (url.fragment(), bare.0 == bare.1) else { return false };
        let found = self.dom.by_id(Dom::DOCUMENT, fragment);
        let top = found.and_then(|id| self.rect(id)).map(|rect| rect.y);
        self.url = url.clone();
        if let Some(top) = top {
            scroll_page(self, &ScrollBy::Pixels(top));
        }
        true
    }
}

/// Brings a node into view in its scrollers and its viewport, if it is not wholly in view.
fn center(page: &mut Page, node: NodeId) -> f64 {
    let Some(rect) = page.rect(node) else { return 0.0 };
    let scrollers: Vec<NodeId> =
        page.dom.flat_ancestors(node).skip(1).filter(|up| page.is_scroller(*up)).collect();
    let view = Rect {
        x: 0.0,
        y: 0.0,
        width: f64::from(page.viewport.0),
        height: f64::from(page.viewport.1),
    };
    let inside = |view: &Rect| rect.y >= view.y && rect.y + rect.height <= view.y + view.height;
    let across = |view: &Rect| rect.x >= view.x && rect.x + rect.width <= view.x + view.width;
    let views: Vec<Rect> = scrollers.iter().filter_map(|id| page.rect(*id)).chain([view]).collect();
    let (tall, wide) = (!views.iter().all(inside), !views.iter().all(across));
    let mut moved = 0.0;
    for scroller in scrollers {
        let (Some(rect), Some(view)) = (page.rect(node), page.rect(scroller)) else { continue };
        if wide {
            moved += slide_element(page, scroller, rect.center().0 - view.center().0);
        }
        if tall {
            let by = rect.center().1 - view.center().1;
            moved += scroll_element(page, scroller, &ScrollBy::Pixels(by)).moved;
        }
    }
    if let Some(rect) = page.rect(node) {
        if wide {
            let range = f64::from(page.layout().extent.0) - view.width;
            let by = ScrollBy::Pixels(rect.center().0 - view.width / 2.0);
            page.scroll.0 = target(&by, page.scroll.0, view.width, range.max(0.0).round());
        }
        if tall {
            let by = rect.center().1 - view.height / 2.0;
            moved += scroll_page(page, &ScrollBy::Pixels(by)).moved;
        }
    }
    moved
}

/// Scrolls an element to the side.
fn slide_element(page: &mut Page, id: NodeId, by: f64) -> f64 {
    let range = page.scroll_range(id).0;
    let Some(element) = page.dom.element_mut(id) else { return 0.0 };
    let before = element.scroll.0;
    element.scroll.0 = target(&ScrollBy::Pixels(by), before, 0.0, range);
    element.scroll.0 - before
}

fn target(by: &ScrollBy, now: f64, view: f64, range: f64) -> f64 {
    let wanted = match by {
        ScrollBy::Pixels(px) => now + px,
        ScrollBy::Pages(pages) => now + pages * view,
        ScrollBy::Start => 0.0,
        ScrollBy::End => range,
    };
    // Offsets are whole device pixels.
    wanted.round().clamp(0.0, range)
}

fn answer(before: f64, now: f64, range: f64) -> Scrolled {
    Scrolled { moved: now - before, at_start: now <= 0.5, at_end: now >= range - 0.5 }
}

fn scroll_page(page: &mut Page, by: &ScrollBy) -> Scrolled {
    let view = f64::from(page.viewport.1);
    let range = (f64::from(page.layout().extent.1) - view).max(0.0).round();
    let before = page.scroll.1;
    page.scroll.1 = target(by, before, view, range);
    answer(before, page.scroll.1, range)
}

fn scroll_element(page: &mut Page, id: NodeId, by: &ScrollBy) -> Scrolled {
    let range = page.scroll_range(id).1;
    let view = page.layout().boxes.get(&id).map_or(0.0, |area| f64::from(area.height));
    let Some(element) = page.dom.element_mut(id) else { return answer(0.0, 0.0, 0.0) };
    let before = element.scroll.1;
    element.scroll.1 = target(by, before, view, range);
    answer(before, element.scroll.1, range)
}
