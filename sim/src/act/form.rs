//! Forms: reset, submission, and the navigations that pages start.

use crate::dom::{Dom, InputKind};
use crate::world::{Pending, Post, State};
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
        let data = entries(dom, form, by);
        let post = match (
            method.as_str(),
            asked("formenctype", "enctype").to_ascii_lowercase().as_str(),
        ) {
            ("post", "multipart/form-data") => Some(multipart(&data, self.boundaries.draw())),
            ("post", "text/plain") => Some(plain(&data)),
            ("post", _) => Some(Post {
                content_type: "application/x-www-form-urlencoded".into(),
                body: encoded(&data).into_bytes(),
            }),
            _ => {
                url.set_query(Some(&encoded(&data)));
                None
            }
        };
        self.go(tab, frame, (url, post), &target);
    }

    /// A navigation that the page starts: here, in a frame of that name, or in a new tab.
    pub(super) fn go(
        &mut self,
        tab: TabId,
        frame: FrameId,
        (url, post): (Url, Option<Post>),
        target: &str,
    ) {
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
            self.start(tab, destination, &url, post.as_ref());
            return;
        }
        let named = !target.eq_ignore_ascii_case("_blank");
        let Some(browser) = self.tabs.get(&tab).map(|tab| tab.browser) else { return };
        let mut known = self.tabs.iter().filter(|(_, tab)| tab.browser == browser);
        let known = known.find(|(_, tab)| named && tab.name == target).map(|(id, _)| *id);
        let opened = known.unwrap_or_else(|| {
            // The driver sees who opened it even where the page may not.
            self.open_tab(browser, Some(tab), if named { target } else { "" })
        });
        let Some(top) = self.tabs.get(&opened).map(|tab| tab.top) else { return };
        self.start(opened, top, &url, post.as_ref());
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

    fn start(&mut self, tab: TabId, frame: FrameId, url: &Url, post: Option<&Post>) {
        let Some(page) = self.pages.get_mut(&frame) else { return };
        if post.is_none() && page.go_to_fragment(url) {
            // The focus goes to the fragment's element, or nowhere; where there is none it stays.
            let found = url.fragment().and_then(|name| page.dom.by_id(Dom::DOCUMENT, name));
            if let Some(found) = found {
                let wanted = page.is_focusable(found).then_some(found);
                self.set_focus(frame, wanted);
            }
            return;
        }
        self.emit(tab, EventKind::NavigationStarted { frame });
        let arrived = self.arrive_or_stay(tab, url, post);
        let latency = arrived.as_ref().map_or(0, |arrived| arrived.latency_ms);
        // Never at once: the task that started it ends first.
        let at = self.now + latency.max(1);
        if let Some(tab) = self.tabs.get_mut(&tab) {
            tab.pending.retain(|other| other.frame != frame);
            tab.pending.push(Pending { frame, arrived, at });
        }
    }
}

/// One entry of what a form sends: a name with text, or with a file (name and content).
enum Entry {
    Text(String, String),
    File(String, String, Vec<u8>),
}

/// The successful controls of a form.
fn entries(dom: &Dom, form: NodeId, submitter: Option<NodeId>) -> Vec<Entry> {
    let mut out = Vec::new();
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
            out.push(Entry::Text(format!("{prefix}x"), "0".into()));
            out.push(Entry::Text(format!("{prefix}y"), "0".into()));
            continue;
        }
        if name.is_empty() {
            continue;
        }
        if kind == Some(InputKind::File) {
            let files =
                dom.element(id).map(|element| element.live.files.clone()).unwrap_or_default();
            let none = files.is_empty().then(|| (String::new(), Vec::new()));
            let all = files.into_iter().chain(none);
            out.extend(all.map(|(file, content)| Entry::File(name.into(), file, content)));
            continue;
        }
        if dom.is_html(id, "select") {
            let options = dom.options(id).into_iter();
            for option in
                options.filter(|o| dom.is_selected(*o) && !crate::probe::is_disabled(dom, *o))
            {
                out.push(Entry::Text(name.into(), dom.value(option)));
            }
            continue;
        }
        let value = dom.value(id).replace("\r\n", "\n").replace('\n', "\r\n");
        out.push(Entry::Text(name.into(), value));
    }
    out
}

/// As a query; of a file only its name.
fn encoded(entries: &[Entry]) -> String {
    let mut out = url::form_urlencoded::Serializer::new(String::new());
    for entry in entries {
        match entry {
            Entry::Text(name, value) | Entry::File(name, value, _) => out.append_pair(name, value),
        };
    }
    out.finish()
}

fn plain(entries: &[Entry]) -> Post {
    let lines = entries.iter().map(|entry| match entry {
        Entry::Text(name, value) | Entry::File(name, value, _) => format!("{name}={value}\r\n"),
    });
    Post { content_type: "text/plain".into(), body: lines.collect::<String>().into_bytes() }
}

fn multipart(entries: &[Entry], number: u64) -> Post {
    let boundary = format!("----FormBoundary{number:016x}");
    let quoted = |text: &str| text.replace('"', "%22").replace('\r', "%0D").replace('\n', "%0A");
    let mut body = Vec::new();
    for entry in entries {
        body.extend(format!("--{boundary}\r\nContent-Disposition: form-data; ").bytes());
        match entry {
            Entry::Text(name, value) => {
                body.extend(format!("name=\"{}\"\r\n\r\n{value}", quoted(name)).bytes());
            }
            Entry::File(name, file, content) => {
                let (name, file) = (quoted(name), quoted(file));
                let kind = "Content-Type: application/octet-stream";
                body.extend(
                    format!("name=\"{name}\"; filename=\"{file}\"\r\n{kind}\r\n\r\n").bytes(),
                );
                body.extend(content);
            }
        }
        body.extend(*b"\r\n");
    }
    body.extend(format!("--{boundary}--\r\n").bytes());
    Post { content_type: format!("multipart/form-data; boundary={boundary}"), body }
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
