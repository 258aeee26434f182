//! Loading documents into frames.

use super::network::Fetched;
use super::{Page, Pending, Post, State};
use crate::dom::{Dom, parse_document};
use backlot_core::page::limits::FRAME_DEPTH_MAX;
use backlot_core::page::{DocumentKey, FrameGap, FrameId, NodeId, TabId};
use backlot_core::port::{DriverError, EventKind};
use std::collections::BTreeMap;
use url::Url;

/// Most frames in a tab besides the top one, as in Chromium; what would come after stays empty.
const FRAMES_MAX: usize = 1_000;

/// A document that was fetched and not put into its frame yet.
pub(crate) struct Arrived {
    pub(crate) url: Url,
    pub(crate) html: String,
    /// Virtual milliseconds until the document is there.
    pub(crate) latency_ms: u64,
    /// Where it was to lead, if another page stands there.
    pub(crate) tried: Option<Url>,
}

impl Arrived {
    fn here(url: &Url, html: String) -> Self {
        Self { url: url.clone(), html, latency_ms: 0, tried: None }
    }

    /// What stands in a frame whose URL did not load.
    ///
    /// SIM DIFFERENCE: Chromium's page of this kind has other words and more buttons.
    pub(crate) fn failed(url: &Url, error: &DriverError) -> Self {
        let escaped = |text: &str| text.replace('&', "&amp;").replace('<', "&lt;");
        let host = escaped(url.host_str().unwrap_or_default());
        let reason = match error {
            DriverError::LoadFailed { reason, .. } => escaped(reason.trim_start_matches("net::")),
            other => escaped(&other.to_string()),
        };
        let html = format!(
            "<!doctype html><title>{host}</title><h1>No page came from there</h1><p>{host}</p><p>{reason}</p>\
             <button type=button>Reload</button>"
        );
        Self { tried: Some(url.clone()), ..Self::here(&error_url(), html) }
    }
}

fn error_url() -> Url {
    // A constant that parses.
    Url::parse("chrome-error://chromewebdata/").unwrap_or_else(|_| about_blank())
}

pub(crate) fn about_blank() -> Url {
    // A constant that parses.
    Url::parse("about:blank").unwrap_or_else(|_| unreachable!("about:blank is a URL"))
}

impl State {
    /// Fetches what a frame is to show.
    pub(crate) fn arrive(
        &mut self,
        tab: TabId,
        url: &Url,
        post: Option<&Post>,
    ) -> Result<Arrived, DriverError> {
        let failed =
            |reason: &str| DriverError::LoadFailed { url: url.to_string(), reason: reason.into() };
        if url.scheme() == "about" {
            return Ok(Arrived::here(url, String::new()));
        }
        let Fetched { url: landed, response, latency_ms, .. } =
            self.fetch(tab, url, "document", post).map_err(failed)?;
        if matches!(response.status, 204 | 205) {
            return Err(failed("net::ERR_ABORTED"));
        }
        let is_attached = response
            .header("content-disposition")
            .any(|value| value.trim_start().to_ascii_lowercase().starts_with("attachment"));
        let html = as_html(&response.content_type, &response.body).filter(|_| !is_attached);
        let Some(html) = html else {
            self.download(tab, &landed, None, &response);
            return Err(failed("net::ERR_ABORTED"));
        };
        Ok(Arrived { latency_ms, ..Arrived::here(&landed, html) })
    }

    pub(crate) fn blank(&mut self, tab: TabId, frame: FrameId) {
        let arrived = Arrived::here(&about_blank(), String::new());
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
        let visited = arrived.tried.clone();
        let latency = self.put(tab, frame, arrived, owner, depth);
        if let (Some(page), Some(viewport)) = (self.pages.get_mut(&frame), viewport) {
            page.set_viewport(viewport);
        }
        self.announce(tab, frame, owner.is_none(), visited);
        let more = self.load_new_frames(tab);
        self.tell_open(frame);
        self.autofocus(frame);
        latency.max(more)
    }

    /// Details that are open from the start tell of it.
    fn tell_open(&mut self, frame: FrameId) {
        let Some(page) = self.pages.get(&frame) else { return };
        let dom = &page.dom;
        let open = dom.composed().into_iter();
        let open: Vec<NodeId> =
            open.filter(|id| dom.is_html(*id, "details") && dom.has_attr(*id, "open")).collect();
        for details in open {
            self.fire(frame, details, "toggle", true);
        }
    }

    fn announce(&mut self, tab: TabId, frame: FrameId, top: bool, tried: Option<Url>) {
        let Some(page) = self.pages.get(&frame) else { return };
        let loader = page.document.loader;
        let shown = page.url.clone();
        if top {
            self.note_visit(tab, &tried.unwrap_or_else(|| shown.clone()));
        }
        let url = shown.to_string();
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
            let Ok(fetched) = self.fetch(page.tab, &url, "stylesheet", None) else { continue };
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
            let mut loaded = Vec::new();
            for element in elements {
                match known.get(&element) {
                    Some(child) => children.push(*child),
                    None => {
                        let (child, slow) = self.load_frame(tab, frame, element);
                        latency = latency.max(slow);
                        children.push(child);
                        loaded.push((slow, child));
                    }
                }
            }
            // They load side by side: who is there first tells first, and chance decides between equals.
            let mut loaded = self.turns.shuffled(loaded);
            loaded.sort_by_key(|(slow, _)| *slow);
            for (_, child) in loaded {
                self.announce(tab, child, false, None);
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
        let mut wanted = frame_url(page, element);
        let count = self.pages.values().filter(|page| page.tab == tab).count();
        if count > FRAMES_MAX {
            self.notes.insert(format!("unsupported: more than {FRAMES_MAX} frames"));
            wanted = about_blank();
        } else if self.embeds_itself(parent, &wanted) {
            wanted = about_blank();
        }
        let Some(page) = self.pages.get(&parent) else { return (child, 0) };
        let mut gap = gap_of(page, element, &wanted);
        let is_srcdoc = wanted.as_str() == "about:srcdoc";
        let srcdoc = page.dom.attr(element, "srcdoc").filter(|_| is_srcdoc).map(str::to_string);
        if depth > FRAME_DEPTH_MAX {
            gap = Some(FrameGap::TooDeep);
        }
        let arrived = match (&gap, srcdoc) {
            (None, Some(html)) => Ok(Arrived::here(&wanted, html)),
            (None, None) => self.arrive(tab, &wanted, None),
            (Some(_), _) => Ok(Arrived::here(&wanted, String::new())),
        };
        let arrived = arrived.unwrap_or_else(|_| {
            // Chromium shows a page of its own there, of an origin of its own.
            gap = Some(FrameGap::CrossOrigin);
            Arrived::here(&wanted, String::new())
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
        self.fit_frame(child);
        (child, slow + latency)
    }

    /// A document may stand in itself once, as in Chromium; a second time it stays empty.
    fn embeds_itself(&self, parent: FrameId, url: &Url) -> bool {
        let bare = |url: &Url| {
            let mut url = url.clone();
            url.set_fragment(None);
            url
        };
        let wanted = bare(url);
        let around =
            std::iter::successors(self.pages.get(&parent), |page| self.pages.get(&page.owner?.0));
        url.scheme() != "about" && around.filter(|page| bare(&page.url) == wanted).count() > 1
    }

    /// Carries out the navigations of a tab's pages whose time has come; chance decides between those of one moment.
    pub(crate) fn commit_pending(&mut self, tab: TabId) {
        let now = self.now;
        let Some(own) = self.tabs.get_mut(&tab) else { return };
        let all = std::mem::take(&mut own.pending);
        let (due, rest): (Vec<Pending>, Vec<Pending>) =
            all.into_iter().partition(|pending| pending.at <= now);
        own.pending = rest;
        let mut due = self.turns.shuffled(due);
        due.sort_by_key(|pending| pending.at);
        for pending in due {
            let Some(arrived) = pending.arrived else { continue };
            // A frame whose parent went first is gone.
            if self.pages.contains_key(&pending.frame) {
                self.commit(tab, pending.frame, arrived);
            }
        }
    }

    /// What a page's own navigation leads to. `None`: what is downloaded, and what has no content, leaves the page as it is.
    pub(crate) fn arrive_or_stay(
        &mut self,
        tab: TabId,
        url: &Url,
        post: Option<&Post>,
    ) -> Option<Arrived> {
        match self.arrive(tab, url, post) {
            Ok(arrived) => Some(arrived),
            Err(DriverError::LoadFailed { reason, .. }) if reason == "net::ERR_ABORTED" => None,
            Err(error) => Some(Arrived::failed(url, &error)),
        }
    }

    /// Carries out every navigation whose time has come.
    pub(crate) fn commit_due(&mut self) {
        let now = self.now;
        let is_due = |pending: &Pending| pending.at <= now;
        let due: Vec<TabId> = self
            .tabs
            .iter()
            .filter(|(_, tab)| tab.pending.iter().any(is_due))
            .map(|(id, _)| *id)
            .collect();
        for tab in self.turns.shuffled(due) {
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
