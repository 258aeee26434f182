//! Tab: which element has the focus next.

use crate::dom::InputKind;
use crate::world::{Page, State};
use backlot_core::page::{FrameId, NodeId};

impl State {
    /// Moves the focus to the next element in the order of `tabindex`, or the one before.
    ///
    /// SIM DIFFERENCE: it stays in its document; Chromium goes into frames and out of them.
    pub(super) fn tab_key(&mut self, frame: FrameId, backwards: bool) {
        let Some(page) = self.pages.get(&frame) else { return };
        let order = page.tab_order();
        let focused = page.dom.focused.filter(|id| page.dom.is_connected(*id));
        let here = order.iter().position(|id| Some(*id) == focused);
        // What has the focus and no place in the order is left from where it stands.
        let near = |id: NodeId| {
            let all = page.dom.composed();
            let place = |id: NodeId| all.iter().position(|at| *at == id);
            let own = place(id)?;
            let before =
                order.iter().filter(|at| place(**at).is_some_and(|place| place < own)).count();
            Some(if backwards { before.checked_sub(1)? } else { before })
        };
        let next = match (here, focused.and_then(near), backwards) {
            (Some(at), _, false) => order.get(at + 1),
            (Some(at), _, true) => at.checked_sub(1).and_then(|at| order.get(at)),
            (None, Some(at), _) => order.get(at),
            (None, None, false) => order.first(),
            (None, None, true) => order.last(),
        };
        let next = next.copied();
        let is_line = next.is_some_and(|id| page.dom.is_html(id, "input"));
        self.set_focus(frame, next);
        if let Some(next) = next.filter(|_| is_line) {
            self.select_all(frame, next);
        }
    }
}

impl Page {
    /// The elements that Tab goes through, in its order.
    fn tab_order(&self) -> Vec<NodeId> {
        let dom = &self.dom;
        let mut order = Vec::new();
        let top = dom.document_element();
        self.add_scope(top.into_iter().collect(), &mut order);
        order
    }

    /// A scope (the document, a shadow tree, a slot) has an order of its own: positive `tabindex` first, then the tree's.
    fn add_scope(&self, roots: Vec<NodeId>, order: &mut Vec<NodeId>) {
        let dom = &self.dom;
        let mut found: Vec<(i32, NodeId)> = Vec::new();
        let mut open: Vec<NodeId> = roots.into_iter().rev().collect();
        while let Some(id) = open.pop() {
            let is_scope = dom.shadow_of(id).is_some() || dom.is_html(id, "slot");
            let given = dom.attr(id, "tabindex").and_then(|t| t.trim().parse::<i32>().ok());
            if is_scope || (dom.element(id).is_some() && self.is_focusable(id)) {
                let index = given.unwrap_or(0);
                if index >= 0 {
                    found.push((if index == 0 { i32::MAX } else { index }, id));
                }
            }
            if !is_scope {
                open.extend(dom.flat_children(id).into_iter().rev());
            }
        }
        found.sort_by_key(|(index, _)| *index);
        for (_, id) in found {
            let is_scope = dom.shadow_of(id).is_some() || dom.is_html(id, "slot");
            if self.is_focusable(id) && self.is_stop(id) {
                order.push(id);
            }
            if is_scope {
                self.add_scope(dom.flat_children(id), order);
            }
        }
    }

    /// Of a group of radio buttons only the checked one is a stop, or the first where none is.
    fn is_stop(&self, id: NodeId) -> bool {
        let dom = &self.dom;
        if dom.input_kind(id) != Some(InputKind::Radio) || dom.is_checked(id) {
            return true;
        }
        let group = dom.radio_group(id);
        let checked = group.iter().any(|at| dom.is_checked(*at) && self.is_focusable(*at));
        let has_focus = group.iter().find(|at| dom.focused == Some(**at));
        !checked
            && has_focus.or_else(|| group.iter().find(|at| self.is_focusable(**at))) == Some(&id)
    }
}
