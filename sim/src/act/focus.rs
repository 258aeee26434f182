//! Focus.

use crate::dom::InputKind;
use crate::world::{Page, State};
use backlot_core::page::{FrameId, NodeId, Visibility};

impl Page {
    /// Whether the element can have the focus.
    pub(super) fn is_focusable(&self, id: NodeId) -> bool {
        let dom = &self.dom;
        let styles = self.styles();
        let shown = styles.get(id).is_some_and(|style| style.visibility == Visibility::Visible)
            && styles.is_rendered(dom, id)
            && !dom.flat_ancestors(id).any(|up| dom.has_attr(up, "inert"));
        if !shown || dom.is_disabled(id) {
            return false;
        }
        let by_kind = match dom.html_tag(id) {
            "a" | "area" => dom.has_attr(id, "href"),
            "input" => dom.input_kind(id) != Some(InputKind::Hidden),
            "button" | "select" | "textarea" | "iframe" => true,
            "summary" => dom.parent(id).is_some_and(|up| {
                dom.is_html(up, "details")
                    && dom.children(up).find(|at| dom.is_html(*at, "summary")) == Some(id)
            }),
            "audio" | "video" => dom.has_attr(id, "controls"),
            _ => false,
        };
        let by_index = dom.attr(id, "tabindex").is_some_and(|t| t.trim().parse::<i32>().is_ok());
        by_kind || by_index || dom.editing_host(id) == Some(id)
    }
}

impl State {
    /// Moves the focus to the nearest element around that can have it, or takes it away, as a press of the mouse does.
    pub(super) fn focus_from(&mut self, frame: FrameId, node: NodeId) {
        let Some(page) = self.pages.get(&frame) else { return };
        let found = page.dom.flat_ancestors(node).find(|up| page.is_focusable(*up));
        self.set_focus(frame, found);
    }

    /// Gives the focus to an element, if it can have it.
    pub(super) fn focus(&mut self, frame: FrameId, node: NodeId) {
        if self.pages.get(&frame).is_some_and(|page| page.is_focusable(node)) {
            self.set_focus(frame, Some(node));
        }
    }

    pub(crate) fn set_focus(&mut self, frame: FrameId, node: Option<NodeId>) {
        let Some(page) = self.pages.get_mut(&frame) else { return };
        let old = page.dom.focused.filter(|old| page.dom.is_connected(*old));
        if old == node {
            page.dom.focused = node;
            return;
        }
        if let Some(old) = old {
            self.tell_change(frame, old);
        }
        let Some(page) = self.pages.get_mut(&frame) else { return };
        page.dom.focused = node;
        page.dom.revision += 1;
        self.blur_other_frames(frame);
        if let Some(old) = old {
            self.fire_between(frame, old, "blur", true, node);
            self.fire_between(frame, old, "focusout", true, node);
        }
        if let Some(node) = node {
            self.fire_between(frame, node, "focus", true, old);
            self.fire_between(frame, node, "focusin", true, old);
        }
    }

    /// The frame elements around a focused document have the focus in theirs.
    fn blur_other_frames(&mut self, frame: FrameId) {
        let mut at = self.pages.get(&frame).and_then(|page| page.owner);
        while let Some((parent, element)) = at {
            let Some(page) = self.pages.get_mut(&parent) else { return };
            let old = page.dom.focused.replace(element);
            at = page.owner;
            if let Some(old) = old.filter(|old| *old != element) {
                self.fire(parent, old, "blur", true);
                self.fire(parent, old, "focusout", true);
            }
        }
    }

    /// Focuses the first element that asks for it, once a document is loaded.
    pub(crate) fn autofocus(&mut self, frame: FrameId) {
        let Some(page) = self.pages.get(&frame) else { return };
        let wanted = page
            .dom
            .composed()
            .into_iter()
            .find(|id| page.dom.has_attr(*id, "autofocus") && page.is_focusable(*id));
        if wanted.is_some() {
            self.set_focus(frame, wanted);
        }
    }
}
