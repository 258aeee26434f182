//! Clicks and what they activate.

use super::form::Submitter;
use crate::dom::InputKind;
use crate::world::State;
use backlot_core::page::{FrameId, NodeId, NodeKey, TabId};
use backlot_core::port::Button;

impl State {
    /// Always `None`: a click types no text.
    pub(super) fn click(
        &mut self,
        key: NodeKey,
        tab: TabId,
        (button, double): (Button, bool),
    ) -> Option<String> {
        let (frame, id) = (key.document.frame, key.node);
        for _ in 0..if double { 2 } else { 1 } {
            self.fire(frame, id, "pointerdown", false);
            self.fire(frame, id, "mousedown", false);
            self.focus_from(frame, id);
            if button == Button::Right {
                self.fire(frame, id, "contextmenu", false);
            }
            self.fire(frame, id, "pointerup", false);
            self.fire(frame, id, "mouseup", false);
            if button == Button::Left {
                self.click_event(tab, frame, id, false);
            }
        }
        if double && button == Button::Left {
            self.fire(frame, id, "dblclick", false);
        }
        None
    }

    /// A `click` event with its activation behaviour.
    pub(super) fn click_event(&mut self, tab: TabId, frame: FrameId, id: NodeId, trusted: bool) {
        let Some(page) = self.pages.get_mut(&frame) else { return };
        let target = page.dom.flat_ancestors(id).find(|up| is_activated(page, *up));
        let Some(target) = target else {
            self.fire(frame, id, "click", trusted);
            return;
        };
        let kind = page.dom.input_kind(target);
        if page.dom.is_disabled(target) {
            // A disabled control swallows the click.
            return;
        }
        if kind.is_some_and(InputKind::is_checkable) {
            self.click_checkable(frame, id, target, trusted);
            return;
        }
        let label = page.dom.is_html(target, "label");
        self.fire(frame, id, "click", trusted);
        if label {
            self.click_label(tab, frame, id, target, trusted);
        } else {
            self.activate(tab, frame, target, kind);
        }
    }

    /// The state flips before the event and the page hears of it after.
    fn click_checkable(&mut self, frame: FrameId, id: NodeId, target: NodeId, trusted: bool) {
        let Some(page) = self.pages.get_mut(&frame) else { return };
        let before = page.dom.is_checked(target);
        let radio = page.dom.input_kind(target) == Some(InputKind::Radio);
        let now = radio || !before;
        page.dom.set_checked(target, now);
        if let Some(element) = page.dom.element_mut(target) {
            element.live.indeterminate = false;
        }
        self.fire(frame, id, "click", trusted);
        if now != before {
            self.fire(frame, target, "input", true);
            self.fire(frame, target, "change", true);
        }
    }

    /// A label focuses and clicks its control. The second click is as trusted as the first.
    fn click_label(
        &mut self,
        tab: TabId,
        frame: FrameId,
        id: NodeId,
        label: NodeId,
        trusted: bool,
    ) {
        let Some(page) = self.pages.get(&frame) else { return };
        let Some(control) = page.dom.labeled_control(label) else { return };
        let inside = page.dom.flat_ancestors(id).any(|up| up == control);
        if inside || page.dom.is_disabled(control) {
            return;
        }
        self.focus(frame, control);
        self.click_event(tab, frame, control, trusted);
    }

    fn activate(&mut self, tab: TabId, frame: FrameId, target: NodeId, kind: Option<InputKind>) {
        // A button of a form that commands something is no submit button unless it says so.
        let says = self.pages.get(&frame).is_some_and(|page| page.dom.has_attr(target, "type"));
        if !says && self.command(frame, target) {
            return;
        }
        let Some(page) = self.pages.get_mut(&frame) else { return };
        let dom = &mut page.dom;
        match dom.html_tag(target) {
            "a" | "area" => self.follow(tab, frame, target),
            "summary" => {
                let Some(details) = dom.parent(target) else { return };
                let open = dom.has_attr(details, "open");
                dom.set_attr(details, "open", if open { None } else { Some("") });
                let others = if open { Vec::new() } else { dom.open_group(details) };
                for other in &others {
                    dom.set_attr(*other, "open", None);
                }
                self.fire(frame, details, "toggle", true);
                for other in others {
                    self.fire(frame, other, "toggle", true);
                }
            }
            "button" | "input" => {
                let role = match kind {
                    Some(InputKind::Submit | InputKind::Image) => "submit",
                    Some(InputKind::Reset) => "reset",
                    Some(_) => {
                        self.command(frame, target);
                        return;
                    }
                    None => {
                        match dom.attr(target, "type").map(str::to_ascii_lowercase).as_deref() {
                            Some("button") => {
                                self.command(frame, target);
                                return;
                            }
                            Some("reset") => "reset",
                            _ => "submit",
                        }
                    }
                };
                let form = dom.form_of(target);
                let Some(form) = form else {
                    self.command(frame, target);
                    return;
                };
                if role == "reset" {
                    self.reset(frame, form);
                } else {
                    self.submit(tab, frame, form, Some(Submitter(target)));
                }
            }
            _ => {}
        }
    }

    /// Follows a link.
    fn follow(&mut self, tab: TabId, frame: FrameId, link: NodeId) {
        let Some(page) = self.pages.get(&frame) else { return };
        let Some(href) = page.dom.attr(link, "href") else { return };
        let Ok(url) = page.base().join(href.trim()) else { return };
        if url.scheme() == "javascript" {
            return;
        }
        let target = page.dom.attr(link, "target").unwrap_or_default().to_string();
        if let Some(name) = page.dom.attr(link, "download").map(str::to_string) {
            let Ok(fetched) = self.fetch(tab, &url, "other", None) else { return };
            self.download(tab, &fetched.url, Some(name.as_str()), &fetched.response);
            return;
        }
        self.go(tab, frame, (url, None), &target);
    }
}

impl crate::dom::Dom {
    /// The open details that bear the same `name`.
    fn open_group(&self, details: NodeId) -> Vec<NodeId> {
        let name = self.attr(details, "name").filter(|name| !name.is_empty());
        let Some(name) = name else { return Vec::new() };
        let same = |id: &NodeId| {
            *id != details
                && self.is_html(*id, "details")
                && self.has_attr(*id, "open")
                && self.attr(*id, "name") == Some(name)
        };
        self.subtree(self.root_of(details)).filter(same).collect()
    }
}

/// Whether a click on or in this element does something of its own.
fn is_activated(page: &crate::world::Page, id: NodeId) -> bool {
    let dom = &page.dom;
    match dom.html_tag(id) {
        "a" | "area" => dom.has_attr(id, "href"),
        "button" | "input" | "label" | "select" | "textarea" => true,
        "summary" => dom.parent(id).is_some_and(|up| {
            dom.is_html(up, "details")
                && dom.children(up).find(|at| dom.is_html(*at, "summary")) == Some(id)
        }),
        _ => false,
    }
}
