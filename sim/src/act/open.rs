//! What opens and closes: dialogs, popovers, and the buttons that command them.

use crate::dom::{Dom, Top, TopKind};
use crate::world::State;
use backlot_core::page::{FrameId, NodeId};

/// What a button asks of the element it names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Wish {
    ShowModal,
    Close,
    /// Close unless the page objects.
    AskToClose,
    ShowPopover,
    HidePopover,
    TogglePopover,
}

impl State {
    /// A button that opens or closes something. `false`: it does not.
    pub(super) fn command(&mut self, frame: FrameId, button: NodeId) -> bool {
        let Some(page) = self.pages.get(&frame) else { return false };
        let Some((target, wish)) = commanded(&page.dom, button) else { return false };
        let dom = &page.dom;
        let is_dialog = dom.is_html(target, "dialog");
        let is_popover = dom.has_attr(target, "popover");
        let is_open = dom.has_attr(target, "open");
        let is_shown = dom.is_popover_open(target);
        match wish {
            Wish::ShowModal if is_dialog && !is_open => self.show_modal(frame, target),
            Wish::Close if is_dialog && is_open => self.close_dialog(frame, target),
            Wish::AskToClose if is_dialog && is_open => {
                self.fire(frame, target, "cancel", true);
                self.close_dialog(frame, target);
            }
            Wish::ShowPopover | Wish::TogglePopover if is_popover && !is_shown => {
                self.show_popover(frame, target);
            }
            Wish::HidePopover | Wish::TogglePopover if is_popover && is_shown => {
                self.hide_popover(frame, target);
            }
            _ => {}
        }
        true
    }

    fn show_modal(&mut self, frame: FrameId, dialog: NodeId) {
        let Some(page) = self.pages.get_mut(&frame) else { return };
        let focused = page.dom.focused;
        page.dom.set_attr(dialog, "open", Some(""));
        page.dom.add_top(Top { node: dialog, kind: TopKind::Modal, focused });
        let wanted = page.first_focusable(dialog);
        self.set_focus(frame, wanted);
        self.fire(frame, dialog, "toggle", true);
    }

    /// A dialog closes: the focus goes back to where it was.
    pub(super) fn close_dialog(&mut self, frame: FrameId, dialog: NodeId) {
        let Some(page) = self.pages.get_mut(&frame) else { return };
        page.dom.set_attr(dialog, "open", None);
        if let Some(top) = page.dom.take_top(dialog) {
            let back =
                top.focused.filter(|id| page.dom.is_connected(*id) && page.is_focusable(*id));
            self.set_focus(frame, back);
        }
        // Its `close` comes in a task of its own, in no order with other events: no log tells of it.
        self.fire(frame, dialog, "toggle", true);
    }

    fn show_popover(&mut self, frame: FrameId, popover: NodeId) {
        for other in self.outside(frame, Some(popover)) {
            self.hide_popover(frame, other);
        }
        let Some(page) = self.pages.get_mut(&frame) else { return };
        let is_manual =
            page.dom.attr(popover, "popover").is_some_and(|p| p.eq_ignore_ascii_case("manual"));
        let kind = if is_manual { TopKind::Manual } else { TopKind::Auto };
        let focused = page.dom.focused;
        page.dom.add_top(Top { node: popover, kind, focused });
        let wanted = page
            .dom
            .subtree(popover)
            .find(|id| page.dom.has_attr(*id, "autofocus") && page.is_focusable(*id));
        if wanted.is_some() {
            self.set_focus(frame, wanted);
        }
        self.fire(frame, popover, "toggle", true);
    }

    pub(super) fn hide_popover(&mut self, frame: FrameId, popover: NodeId) {
        let Some(page) = self.pages.get_mut(&frame) else { return };
        let Some(top) = page.dom.take_top(popover) else { return };
        let holds =
            page.dom.focused.is_some_and(|id| page.dom.flat_ancestors(id).any(|up| up == popover));
        if holds {
            let back =
                top.focused.filter(|id| page.dom.is_connected(*id) && page.is_focusable(*id));
            self.set_focus(frame, back);
        }
        self.fire(frame, popover, "toggle", true);
    }

    /// The popovers that a press at this node is outside of, but for the one its button commands.
    pub(super) fn outside(&self, frame: FrameId, at: Option<NodeId>) -> Vec<NodeId> {
        let Some(page) = self.pages.get(&frame) else { return Vec::new() };
        let dom = &page.dom;
        let around: Vec<NodeId> = at.map(|at| dom.flat_ancestors(at).collect()).unwrap_or_default();
        let commanded = around.iter().find_map(|up| commanded(dom, *up)).map(|(target, _)| target);
        dom.tops()
            .rev()
            .take_while(|top| top.kind != TopKind::Modal)
            .filter(|top| top.kind == TopKind::Auto)
            .map(|top| top.node)
            .take_while(|node| !around.contains(node) && commanded != Some(*node))
            .collect()
    }

    /// Escape closes what was opened last. `false`: nothing is open.
    pub(super) fn close_top(&mut self, frame: FrameId) -> bool {
        let Some(page) = self.pages.get(&frame) else { return false };
        let last = page.dom.tops().rev().find(|top| top.kind != TopKind::Manual).copied();
        let Some(top) = last else { return false };
        if top.kind == TopKind::Modal {
            self.fire(frame, top.node, "cancel", true);
            self.close_dialog(frame, top.node);
        } else {
            self.hide_popover(frame, top.node);
        }
        true
    }
}

impl crate::world::Page {
    /// What a dialog gives the focus to: what asks for it, else the first that can have it, else itself.
    fn first_focusable(&self, dialog: NodeId) -> Option<NodeId> {
        let inside = || self.dom.subtree(dialog).skip(1).filter(|id| self.is_focusable(*id));
        let asked = inside().find(|id| self.dom.has_attr(*id, "autofocus"));
        asked.or_else(|| inside().next()).or(Some(dialog))
    }
}

fn commanded(dom: &Dom, button: NodeId) -> Option<(NodeId, Wish)> {
    let is_button = dom.is_html(button, "button")
        || dom.input_kind(button).is_some_and(crate::dom::InputKind::is_button);
    if !is_button || dom.is_disabled(button) {
        return None;
    }
    let root = dom.root_of(button);
    let word = |name: &str| dom.attr(button, name).unwrap_or_default().to_ascii_lowercase();
    if let Some(target) = dom.attr(button, "commandfor").and_then(|id| dom.by_id(root, id)) {
        let wish = match word("command").as_str() {
            "show-modal" => Wish::ShowModal,
            "close" => Wish::Close,
            "request-close" => Wish::AskToClose,
            "show-popover" => Wish::ShowPopover,
            "hide-popover" => Wish::HidePopover,
            "toggle-popover" => Wish::TogglePopover,
            _ => return None,
        };
        return Some((target, wish));
    }
    let target = dom.attr(button, "popovertarget").and_then(|id| dom.by_id(root, id))?;
    let wish = match word("popovertargetaction").as_str() {
        "show" => Wish::ShowPopover,
        "hide" => Wish::HidePopover,
        _ => Wish::TogglePopover,
    };
    Some((target, wish))
}
