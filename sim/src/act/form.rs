//! Forms: reset, submission, and the navigations that pages start.

use crate::dom::{Dom, InputKind};
use crate::world::{Pending, State};
use backlot_core::page::{FrameId, NodeId, TabId};
use backlot_core::port::EventKind;
use url::Url;

/// The button that a form is submitted with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Submitter(pub(super) NodeId);

impl State {
    pub(super) fn reset(&mut self, frame: FrameId, form: NodeId) {
        self.fire(frame, form, "reset", true);
        let Some(page) = self.pages.get_mut(&frame) else { return };
        let dom = &mut page.dom;
        for id in dom.controls(form) {
            if dom.is_html(id, "select") {
                dom.reset_selectedness(id, true);
                continue;
            }
            let checked = dom.has_attr(id, "checked");
            let Some(element) = dom.element_mut(id) else { continue };
            element.live.value = None;
            element.live.dirty_checked = false;
            element.live.checked = checked;
        }
        dom.revision += 1;
    }

    /// `requestSubmit`: validity, the `submit` event, then the navigation.
    pub(super) fn submit(
        &mut self,
        tab: TabId,
        frame: FrameId,
        form: NodeId,
        submitter: Option<Submitter>,
    ) {
        let Some(page) = self.pages.get(&frame) else { return };
        let dom = &page.dom;
        let by = submitter.map(|Submitter(id)| id);
        let unchecked = dom.has_attr(form, "novalidate")
            || by.is_some_and(|id| dom.has_attr(id, "formnovalidate"));
        if !unchecked {
            let invalid: Vec<NodeId> =
                dom.controls(form).into_iter().filter(|id| !dom.is_valid(*id)).collect();
            for id in &invalid {
                self.fire(frame, *id, "invalid", true);
            }
            if let Some(first) = invalid.first() {
                self.focus(frame, *first);
                return;
            }
        }
        self.fire(frame, form, "submit", true);
        self.send(tab, frame, form, by);
    }

    fn send(&mut self, tab: TabId, frame: FrameId, form: NodeId, by: Option<NodeId>) {
        let Some(page) = self.pages.get_mut(&frame) else { return };
        let dom = &page.dom;
        let asked = |of_button: &str, of_form: &str| {
            by.and_then(|id| dom.attr(id, of_button))
                .or_else(|| dom.attr(form, of_form))
                .unwrap_or_default()
                .trim()
                .to_string()
        };
        let method = asked("formmethod", "method").to_ascii_lowercase();
        let (action, target) = (asked("formaction", "action"), asked("formtarget", "target"));
        if method == "dialog" {
            let dialog = dom.inclusive_ancestors(form).find(|up| dom.is_html(*up, "dialog"));
            if let Some(dialog) = dialog {
                self.close_dialog(frame, dialog);
            }
            return;
        }
        let joined =
            if action.is_empty() { Ok(page.url.clone()) } else { page.base().join(&action) };
        let Ok(mut url) = joined else { return };
        if method != "post" {
            // SIM DIFFERENCE: the body of a POST goes nowhere, the network answers by URL alone.
            url.set_query(Some(&entries(dom, form, by)));
        }
        self.go(tab, frame, url, &target, false);
    }

    /// A navigation that the page starts: here, in a frame of that name, or in a new tab.
    pub(super) fn go(&mut self, tab: TabId, frame: FrameId, url: Url, target: &str, apart: bool) {
        let Some(page) = self.pages.get(&frame) else { return };
        let top = self.tabs.get(&tab).map_or(frame, |tab| tab.top);
        let destination = match target.to_ascii_lowercase().as_str() {
            "" | "_self" => Some(frame),
            "_top" => Some(top),
            "_parent" => Some(page.owner.map_or(frame, |(parent, _)| parent)),
            "_blank" => None,
            _ => self.frame_named(top, target),
        };
        if let Some(destination) = destination {
            self.start(tab, destination, url);
            return;
        }
        let named = !target.eq_ignore_ascii_case("_blank");
        let Some(browser) = self.tabs.get(&tab).map(|tab| tab.browser) else { return };
        let mut known = self.tabs.iter().filter(|(_, tab)| tab.browser == browser);
        let known = known.find(|(_, tab)| named && tab.name == target).map(|(id, _)| *id);
        let opened = known.unwrap_or_else(|| {
            // The driver sees who opened it even where the page may not.
            let _ = apart;
            self.open_tab(browser, Some(tab), if named { target } else { "" })
        });
        let Some(top) = self.tabs.get(&opened).map(|tab| tab.top) else { return };
        self.start(opened, top, url);
    }

    fn frame_named(&self, top: FrameId, name: &str) -> Option<FrameId> {
        let mut open = vec![top];
        while let Some(frame) = open.pop() {
            let page = self.pages.get(&frame)?;
            for (element, child) in &page.frames {
                if page.dom.attr(*element, "name") == Some(name) {
                    return Some(*child);
                }
                open.push(*child);
            }
        }
        None
    }

    fn start(&mut self, tab: TabId, frame: FrameId, url: Url) {
        let Some(page) = self.pages.get_mut(&frame) else { return };
        if page.go_to_fragment(&url) {
            // The focus goes to the fragment's element, or nowhere; where there is none it stays.
            let found = url.fragment().and_then(|name| page.dom.by_id(Dom::DOCUMENT, name));
            if let Some(found) = found {
                let wanted = page.is_focusable(found).then_some(found);
                self.set_focus(frame, wanted);
            }
            return;
        }
        let latency = self.network.fetch(&url).map_or(0, |fetched| fetched.latency_ms);
        // Never at once: the task that started it ends first.
        let at = self.now + latency.max(1);
        self.emit(tab, EventKind::NavigationStarted { frame });
        if let Some(tab) = self.tabs.get_mut(&tab) {
            tab.pending = Some(Pending { frame, url, at });
        }
    }
}

/// The successful controls of a form as a query.
fn entries(dom: &Dom, form: NodeId, submitter: Option<NodeId>) -> String {
    let mut out = url::form_urlencoded::Serializer::new(String::new());
    for id in dom.controls(form) {
        let kind = dom.input_kind(id);
        let is_button = dom.is_html(id, "button") || kind.is_some_and(InputKind::is_button);
        let unchecked = kind.is_some_and(InputKind::is_checkable) && !dom.is_checked(id);
        if dom.is_disabled(id) || unchecked || (is_button && Some(id) != submitter) {
            continue;
        }
        let name = dom.attr(id, "name").unwrap_or_default();
        if kind == Some(InputKind::Image) {
            let prefix = if name.is_empty() { String::new() } else { format!("{name}.") };
            out.append_pair(&format!("{prefix}x"), "0");
            out.append_pair(&format!("{prefix}y"), "0");
            continue;
        }
        if name.is_empty() {
            continue;
        }
        if dom.is_html(id, "select") {
            let options = dom.options(id).into_iter();
            for option in
                options.filter(|o| dom.is_selected(*o) && !crate::probe::is_disabled(dom, *o))
            {
                out.append_pair(name, &dom.value(option));
            }
            continue;
        }
        let value = dom.value(id).replace("\r\n", "\n").replace('\n', "\r\n");
        out.append_pair(name, &value);
    }
    out.finish()
}

impl Dom {
    /// The controls that a form owns, in tree order.
    pub(super) fn controls(&self, form: NodeId) -> Vec<NodeId> {
        self.subtree(self.root_of(form))
            .filter(|id| matches!(self.html_tag(*id), "input" | "button" | "select" | "textarea"))
            .filter(|id| self.form_of(*id) == Some(form))
            .collect()
    }
}
