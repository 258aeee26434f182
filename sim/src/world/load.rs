//! Loading documents into frames.

use super::network::Fetched;
use super::{Page, Pending, State};
use crate::dom::{Dom, parse_document};
use backlot_core::page::limits::FRAME_DEPTH_MAX;
use backlot_core::page::{DocumentKey, FrameGap, FrameId, NodeId, TabId};
use backlot_core::port::{DriverError, EventKind};
use std::collections::BTreeMap;
use url::Url;

/// A document that was fetched and not put into its frame yet.
pub(crate) struct Arrived {
    pub(crate) url: Url,
    pub(crate) html: String,
    /// Virtual milliseconds until the document is there.
    pub(crate) latency_ms: u64,
}

impl Arrived {
    /// What stands in a frame whose URL did not load.
    ///
    /// SIM DIFFERENCE: Chromium shows a page that says what went wrong; ours is empty.
    pub(crate) fn failed(url: &Url) -> Self {
        Self { url: url.clone(), html: String::new(), latency_ms: 0 }
    }
}

pub(crate) fn about_blank() -> Url {
    // A constant that parses.
    Url::parse("about:blank").unwrap_or_else(|_| unreachable!("about:blank is a URL"))
}

impl State {
    /// Fetches what a frame is to show.
    pub(crate) fn arrive(&mut self, tab: TabId, url: &Url) -> Result<Arrived, DriverError> {
        let failed =
            |reason: &str| DriverError::LoadFailed { url: url.to_string(), reason: reason.into() };
        if url.scheme() == "about" {
            return Ok(Arrived { url: url.clone(), html: String::new(), latency_ms: 0 });
        }
        let Fetched { url: landed, response, latency_ms, .. } =
            self.fetch(tab, url, "document").map_err(failed)?;
        if matches!(response.status, 204 | 205) {
            return Err(failed("net::ERR_ABORTED"));
        }
        let html = as_html(&response.content_type, &response.body);
        let html = html.ok_or_else(|| failed("net::ERR_ABORTED"))?;
        Ok(Arrived { url: landed, html, latency_ms })
    }

    pub(crate) fn blank(&mut self, tab: TabId, frame: FrameId) {
        let arrived = Arrived { url: about_blank(), html: String::new(), latency_ms: 0 };
        self.put(tab, frame, arrived, None, 0);
    }

    /// Puts a document into the top frame or a frame that the page navigated, with all frames inside. Gives the virtual
    /// milliseconds until everything that `load` waits for is there.
    pub(crate) fn commit(&mut self, tab: TabId, frame: FrameId, arrived: Arrived) -> u64 {
        let old = self.pages.get(&frame);
        let owner = old.and_then(|page| page.owner);
        let depth = old.map_or(0, |page| page.depth);
        let viewport = old.map(|page| page.viewport);
        let children: Vec<FrameId> =
            old.map(|page| page.frames.values().copied().collect()).unwrap_or_default();
        for child in children {
            self.drop_frame(child);
        }
        let latency = self.put(tab, frame, arrived, owner, depth);
        if let (Some(page), Some(viewport)) = (self.pages.get_mut(&frame), viewport) {
            page.set_viewport(viewport);
        }
        self.announce(tab, frame, owner.is_none());
        let more = self.load_new_frames(tab);
        self.autofocus(frame);
        latency.max(more)
    }

    fn announce(&mut self, tab: TabId, frame: FrameId, top: bool) {
        let Some(page) = self.pages.get(&frame) else { return };
        let loader = page.document.loader;
        let visited = page.url.clone();
        if top {
            self.note_visit(tab, &visited);
        }
        let url = visited.to_string();
        self.emit(tab, EventKind::Navigated { frame, loader, url, top });
        let now = self.now;
        if let Some(tab) = self.tabs.get_mut(&tab) {
            tab.changed_at = now;
        }
    }

    fn put(
        &mut self,
        tab: TabId,
        frame: FrameId,
        arrived: Arrived,
        owner: Option<(FrameId, NodeId)>,
        depth: u32,
    ) -> u64 {
        let document = DocumentKey { frame, loader: self.new_loader() };
        let srcdoc = arrived.url.as_str() == "about:srcdoc";
        let dom = parse_document(&arrived.html, self.scripting, srcdoc);
        let mut page = Page::new(tab, document, arrived.url, dom);
        page.owner = owner;
        page.depth = depth;
        page.dark = self.tabs.get(&tab).is_some_and(|tab| tab.dark);
        if let Some(parent) = owner.and_then(|(parent, _)| self.pages.get(&parent))
            && page.url.scheme() == "about"
        {
            page.origin = parent.origin.clone();
            page.fallback_base = parent.base();
        }
        let base = page.base();
        let latency = self.load_sheets(&mut page, &base);
        self.load_pictures(&mut page, &base);
        self.notes.extend(page.styles().notes.iter().cloned());
        self.pages.insert(frame, page);
        latency
    }

    fn load_sheets(&mut self, page: &mut Page, base: &Url) -> u64 {
        let mut latency = 0;
        let mut linked = BTreeMap::new();
        for id in page.dom.composed() {
            if !page.dom.is_html(id, "link") || page.dom.has_attr(id, "disabled") {
                continue;
            }
            let rel = page.dom.attr(id, "rel").unwrap_or_default().to_ascii_lowercase();
            let words: Vec<&str> = rel.split_ascii_whitespace().collect();
            if !words.contains(&"stylesheet") || words.contains(&"alternate") {
                continue;
            }
            let Some(url) = page.dom.attr(id, "href").and_then(|href| base.join(href).ok()) else {
                continue;
            };
            let Ok(fetched) = self.fetch(page.tab, &url, "stylesheet") else { continue };
            let is_css = fetched.response.content_type.starts_with("text/css");
            if fetched.response.status < 400 && is_css {
                latency = latency.max(fetched.latency_ms);
                let text = String::from_utf8_lossy(&fetched.response.body).into_owned();
                let text = self.with_imports(page.tab, &fetched.url, &text, &mut latency);
                linked.insert(id, text);
            }
        }
        self.load_imports(page, base, &mut linked, &mut latency);
        page.linked = linked;
        latency
    }

    /// Loads the frame elements of a tab's pages that have no frame yet, in tree order, and drops the frames whose element
    /// is gone. Gives the longest latency.
    pub(crate) fn load_new_frames(&mut self, tab: TabId) -> u64 {
        let Some(top) = self.tabs.get(&tab).map(|tab| tab.top) else { return 0 };
        let mut latency = 0;
        let mut open = vec![top];
        while let Some(frame) = open.pop() {
            let Some(page) = self.pages.get(&frame) else { continue };
            let known = page.frames.clone();
            let elements: Vec<NodeId> = page
                .dom
                .composed()
                .into_iter()
                .filter(|id| matches!(page.dom.html_tag(*id), "iframe" | "frame"))
                .collect();
            for (element, child) in &known {
                if !elements.contains(element) {
                    self.drop_frame(*child);
                    if let Some(page) = self.pages.get_mut(&frame) {
                        page.frames.remove(element);
                    }
                }
            }
            let mut children = Vec::new();
            for element in elements {
                match known.get(&element) {
                    Some(child) => children.push(*child),
                    None => {
                        let (child, slow) = self.load_frame(tab, frame, element);
                        latency = latency.max(slow);
                        children.push(child);
                    }
                }
            }
            open.extend(children.into_iter().rev());
        }
        self.fit_frames(top);
        latency
    }

    fn load_frame(&mut self, tab: TabId, parent: FrameId, element: NodeId) -> (FrameId, u64) {
        let child = self.new_frame();
        let Some(page) = self.pages.get(&parent) else { return (child, 0) };
        let depth = page.depth + 1;
        let wanted = frame_url(page, element);
        let mut gap = gap_of(page, element, &wanted);
        let srcdoc = page.dom.attr(element, "srcdoc").map(str::to_string);
        if depth > FRAME_DEPTH_MAX {
            gap = Some(FrameGap::TooDeep);
        }
        let arrived = match (&gap, srcdoc) {
            (None, Some(html)) => Ok(Arrived { url: wanted.clone(), html, latency_ms: 0 }),
            (None, None) => self.arrive(tab, &wanted),
            (Some(_), _) => Ok(Arrived { url: wanted.clone(), html: String::new(), latency_ms: 0 }),
        };
        let arrived = arrived.unwrap_or_else(|_| {
            // Chromium shows a page of its own there, of an origin of its own.
            gap = Some(FrameGap::CrossOrigin);
            Arrived { url: wanted.clone(), html: String::new(), latency_ms: 0 }
        });
        // A redirect may have led to another origin.
        if gap.is_none() && arrived.url.scheme() != "about" {
            gap = self.pages.get(&parent).and_then(|page| gap_of(page, element, &arrived.url));
        }
        let slow = arrived.latency_ms;
        let latency = self.put(tab, child, arrived, Some((parent, element)), depth);
        if let Some(page) = self.pages.get_mut(&child) {
            page.gap = gap;
            if gap.is_some() {
                page.dom = Dom::new(self.scripting);
            }
        }
        if let Some(page) = self.pages.get_mut(&parent) {
            page.frames.insert(element, child);
        }
        self.announce(tab, child, false);
        self.fit_frame(child);
        (child, slow + latency)
    }

    /// Carries out the navigation that a page started.
    pub(crate) fn commit_pending(&mut self, tab: TabId) {
        let pending = self.tabs.get_mut(&tab).and_then(|tab| tab.pending.take());
        let Some(pending) = pending else { return };
        let arrived = self.arrive(tab, &pending.url);
        let arrived = arrived.unwrap_or_else(|_| Arrived::failed(&pending.url));
        self.commit(tab, pending.frame, arrived);
    }

    /// Carries out every navigation whose time has come.
    pub(crate) fn commit_due(&mut self) {
        let now = self.now;
        let is_due = |pending: &Pending| pending.at <= now;
        let due: Vec<TabId> = self
            .tabs
            .iter()
            .filter(|(_, tab)| tab.pending.as_ref().is_some_and(is_due))
            .map(|(id, _)| *id)
            .collect();
        for tab in due {
            self.commit_pending(tab);
        }
    }

    /// Forgets a frame and all frames inside.
    pub(crate) fn drop_frame(&mut self, frame: FrameId) {
        let mut open = vec![frame];
        while let Some(frame) = open.pop() {
            if let Some(page) = self.pages.remove(&frame) {
                open.extend(page.frames.values());
            }
        }
    }
}

fn frame_url(page: &Page, element: NodeId) -> Url {
    if page.dom.has_attr(element, "srcdoc") && page.dom.is_html(element, "iframe") {
        return Url::parse("about:srcdoc").unwrap_or_else(|_| about_blank());
    }
    let src = page.dom.attr(element, "src").map(str::trim).filter(|src| !src.is_empty());
    src.and_then(|src| page.base().join(src).ok()).unwrap_or_else(about_blank)
}

/// A frame of another origin than the page around it.
fn gap_of(page: &Page, element: NodeId, url: &Url) -> Option<FrameGap> {
    let sandbox = page.dom.attr(element, "sandbox").map(str::to_ascii_lowercase);
    let apart = sandbox
        .is_some_and(|s| !s.split_ascii_whitespace().any(|word| word == "allow-same-origin"));
    let other = url.scheme() != "about" && url.origin() != page.origin.origin();
    (apart || other).then_some(FrameGap::CrossOrigin)
}

/// The HTML that a resource of this type is shown as; `None` if it would be downloaded.
fn as_html(content_type: &str, body: &[u8]) -> Option<String> {
    let mime = content_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    let text = String::from_utf8_lossy(body.strip_prefix(b"\xef\xbb\xbf").unwrap_or(body));
    match mime.as_str() {
        "" | "text/html" | "application/xhtml+xml" => Some(text.into_owned()),
        "text/plain" | "application/json" | "text/css" | "text/javascript" => {
            let escaped = text.replace('&', "&amp;").replace('<', "&lt;");
            let style = "word-wrap: break-word; white-space: pre-wrap;";
            Some(format!("<!doctype html><body><pre style=\"{style}\">\n{escaped}</pre>"))
        }
        _ => None,
    }
}
