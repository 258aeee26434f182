//! Focus.

use crate::dom::InputKind;
use crate::world::{Page, State};
use backlot_core::page::{FrameId, NodeId, Visibility};

impl Page {
    /// Whether the element can have the focus.
    pub(crate) fn is_focusable(&self, id: NodeId) -> bool {
        let dom = &self.dom;
        let styles = self.styles();
        let shown = styles.get(id).is_some_and(|style| style.visibility == Visibility::Visible)
            && styles.is_rendered(dom, id)
            && !dom.is_behind_modal(id)
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
        if dom.shadow_of(id).is_some_and(|root| dom.delegates_focus(root)) {
            return false;
        }
        let by_index = dom.attr(id, "tabindex").is_some_and(|t| t.trim().parse::<i32>().is_ok());
        by_kind || by_index || dom.editing_host(id) == Some(id)
    }
}

impl Page {
    /// What a host that passes the focus on passes it to.
    fn delegate(&self, host: NodeId) -> Option<NodeId> {
        let root = self.dom.shadow_of(host).filter(|root| self.dom.delegates_focus(*root))?;
        self.dom
            .subtree(root)
            .skip(1)
            .find(|id| self.dom.element(*id).is_some() && self.is_focusable(*id))
    }
}

impl State {
    /// Moves the focus to the nearest element around that can have it, or takes it away, as a press of the mouse does.
    pub(super) fn focus_from(&mut self, frame: FrameId, node: NodeId) {
        let Some(page) = self.pages.get(&frame) else { return };
        let found = page
            .dom
            .flat_ancestors(node)
            .find_map(|up| if page.is_focusable(up) { Some(up) } else { page.delegate(up) });
        // A host that passes the focus on keeps it where it is, if that is in it.
        let stays = found.zip(page.dom.focused).is_some_and(|(found, focused)| {
            found != focused
                && page.dom.flat_ancestors(node).any(|up| {
                    page.delegate(up) == Some(found)
                        && page.dom.flat_ancestors(focused).any(|at| at == up)
                })
        });
        if !stays {
            self.set_focus(frame, found);
        }
    }

    /// Gives the focus to an element, if it can have it.
    pub(super) fn focus(&mut self, frame: FrameId, node: NodeId) {
        let Some(page) = self.pages.get(&frame) else { return };
        let wanted = if page.is_focusable(node) { Some(node) } else { page.delegate(node) };
        if wanted.is_some() {
            self.set_focus(frame, wanted);
        }
    }

    pub(crate) fn set_focus(&mut self, frame: FrameId, node: Option<NodeId>) {
        let Some(page) = self.pages.get_mut(&frame) else { return };
        let old = page.dom.focused.filter(|old| page.dom.is_connected(*old));
        if old == node {
            page.dom.focused = node;
            return;
        }
        let inner = old.and_then(|old| self.pages.get(&frame)?.frames.get(&old).copied());
        if let Some(inner) = inner {
            // The focus was in the frame's document: its element hears nothing of it.
            self.leave_frame(inner);
        }
        let old = old.filter(|_| inner.is_none());
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
            if let Some(page) = self.pages.get_mut(&frame)
                && page.dom.editing_host(node) == Some(node)
            {
                // The caret of a host is that of the document, which was elsewhere.
                page.dom.set_selection(node, (0, 0));
            }
            self.fire_between(frame, node, "focus", true, old);
            self.fire_between(frame, node, "focusin", true, old);
        }
    }

    /// What has the focus in a frame, or in a frame in it, loses it.
    fn leave_frame(&mut self, frame: FrameId) {
        let Some(page) = self.pages.get_mut(&frame) else { return };
        let Some(old) = page.dom.focused.take() else { return };
        match page.frames.get(&old).copied() {
            Some(inner) => self.leave_frame(inner),
            None => {
                self.tell_change(frame, old);
                self.fire(frame, old, "blur", true);
                self.fire(frame, old, "focusout", true);
            }
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
