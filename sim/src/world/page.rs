//! A document in a frame.

use super::State;
use crate::dom::{Dom, parse_fragment_into};
use crate::layout::{self, Layout};
use crate::style::{self, Media, Styles, selector};
use backlot_core::page::{DocumentKey, FrameGap, FrameId, NodeId, TabId};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use url::Url;

pub(crate) struct Page {
    pub(crate) tab: TabId,
    pub(crate) document: DocumentKey,
    pub(crate) url: Url,
    /// A URL of its origin: the parent's for `about:blank` and `srcdoc`.
    pub(crate) origin: Url,
    /// What relative URLs refer to where no `base` says so.
    pub(crate) fallback_base: Url,
    pub(crate) dom: Dom,
    /// Why its content is not to be seen.
    pub(crate) gap: Option<FrameGap>,
    /// Parent frame and the frame element in it.
    pub(crate) owner: Option<(FrameId, NodeId)>,
    /// Frames inside, by frame element.
    pub(crate) frames: BTreeMap<NodeId, FrameId>,
    /// Nesting of frames; the top one is 0.
    pub(crate) depth: u32,
    /// Text of loaded sheets by `link` element.
    pub(crate) linked: BTreeMap<NodeId, String>,
    /// Size, CSS pixels.
    pub(crate) viewport: (f32, f32),
    pub(crate) scroll: (f64, f64),
    /// It prefers a dark theme.
    pub(crate) dark: bool,
    styles: RefCell<Option<(u64, Rc<Styles>)>>,
    layout: RefCell<Option<(u64, Rc<Layout>)>>,
}

impl Page {
    pub(crate) fn new(tab: TabId, document: DocumentKey, url: Url, dom: Dom) -> Self {
        Self {
            tab,
            document,
            origin: url.clone(),
            fallback_base: url.clone(),
            url,
            dom,
            gap: None,
            owner: None,
            frames: BTreeMap::new(),
            depth: 0,
            linked: BTreeMap::new(),
            viewport: super::state::VIEWPORT,
            scroll: (0.0, 0.0),
            dark: false,
            styles: RefCell::new(None),
            layout: RefCell::new(None),
        }
    }

    /// The styles of the document as it is now.
    pub(crate) fn styles(&self) -> Rc<Styles> {
        let mut cached = self.styles.borrow_mut();
        match &*cached {
            Some((revision, styles)) if *revision == self.dom.revision => Rc::clone(styles),
            _ => {
                let styles = Rc::new(style::compute(&self.dom, &self.linked, self.media()));
                *cached = Some((self.dom.revision, Rc::clone(&styles)));
                styles
            }
        }
    }

    /// The boxes of the document as it is now.
    pub(crate) fn layout(&self) -> Rc<Layout> {
        let styles = self.styles();
        let mut cached = self.layout.borrow_mut();
        match &*cached {
            Some((revision, layout)) if *revision == self.dom.revision => Rc::clone(layout),
            _ => {
                let layout = Rc::new(layout::layout(&self.dom, &styles, self.viewport));
                *cached = Some((self.dom.revision, Rc::clone(&layout)));
                layout
            }
        }
    }

    fn media(&self) -> Media {
        Media { viewport: self.viewport, dark: self.dark }
    }

    pub(crate) fn set_dark(&mut self, dark: bool) {
        if self.dark != dark {
            self.dark = dark;
            self.styles.replace(None);
            self.layout.replace(None);
        }
    }

    pub(crate) fn set_viewport(&mut self, viewport: (f32, f32)) {
        if self.viewport != viewport {
            self.viewport = viewport;
            self.styles.replace(None);
            self.layout.replace(None);
        }
    }

    /// What relative URLs refer to.
    pub(crate) fn base(&self) -> Url {
        let base = self
            .dom
            .subtree(Dom::DOCUMENT)
            .find(|id| self.dom.is_html(*id, "base") && self.dom.has_attr(*id, "href"));
        let href = base.and_then(|id| self.dom.attr(id, "href"));
        let fallback = &self.fallback_base;
        href.and_then(|href| fallback.join(href.trim()).ok()).unwrap_or_else(|| fallback.clone())
    }
}

/// Changes a document as a page script could. Selectors also find elements in shadow trees.
pub struct PageEditor<'a> {
    state: &'a mut State,
    frame: FrameId,
}

impl std::fmt::Debug for PageEditor<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PageEditor").field("frame", &self.frame).finish_non_exhaustive()
    }
}

impl<'a> PageEditor<'a> {
    pub(super) fn new(state: &'a mut State, frame: FrameId) -> Self {
        Self { state, frame }
    }

    pub(super) fn dom(&mut self) -> &mut Dom {
        match self.state.pages.get_mut(&self.frame) {
            Some(page) => &mut page.dom,
            None => panic!("frame {} has no document", self.frame.0),
        }
    }

    fn first(&mut self, selector: &str) -> NodeId {
        match selector::query_all(self.dom(), selector).unwrap_or_default().first() {
            Some(id) => *id,
            None => panic!("no element matches {selector}"),
        }
    }

    /// How many elements match.
    pub fn count(&mut self, selector: &str) -> usize {
        selector::query_all(self.dom(), selector).map_or(0, |all| all.len())
    }

    /// The document inside the first frame element that matches.
    ///
    /// # Panics
    /// If there is none.
    pub fn frame(&mut self, selector: &str) -> PageEditor<'_> {
        let id = self.first(selector);
        let frame = self.state.pages.get(&self.frame).and_then(|page| page.frames.get(&id));
        match frame.copied() {
            Some(frame) => PageEditor { state: self.state, frame },
            None => panic!("{selector} holds no document"),
        }
    }

    /// Removes the first element that matches, with its subtree.
    ///
    /// # Panics
    /// If none matches; so do all methods that take a selector.
    pub fn remove(&mut self, selector: &str) {
        let id = self.first(selector);
        self.leave_focus(id);
        self.dom().detach(id);
    }

    /// A focused element that is removed loses the focus first, with its events, as in Chromium.
    pub(super) fn leave_focus(&mut self, removed: NodeId) {
        let dom = self.dom();
        let Some(focused) = dom.focused else { return };
        if dom.flat_ancestors(focused).any(|up| up == removed) {
            self.state.set_focus(self.frame, None);
        }
    }

    /// Sets or (with `None`) removes an attribute.
    pub fn set_attribute(&mut self, selector: &str, name: &str, value: Option<&str>) {
        let id = self.first(selector);
        self.dom().set_attr(id, name, value);
    }

    /// Replaces all children by one text node.
    pub fn set_text(&mut self, selector: &str, text: &str) {
        let id = self.first(selector);
        let children: Vec<NodeId> = self.dom().children(id).collect();
        children.into_iter().for_each(|child| self.leave_focus(child));
        self.dom().remove_children(id);
        self.dom().append_text(id, text);
    }

    /// Parses markup and appends it to the first element that matches.
    pub fn append_html(&mut self, selector: &str, html: &str) {
        let id = self.first(selector);
        parse_fragment_into(self.dom(), id, html);
    }

    /// Moves the first element that matches before another one.
    pub fn move_before(&mut self, selector: &str, before: &str) {
        let (id, before) = (self.first(selector), self.first(before));
        self.dom().detach(id);
        self.dom().insert_before(before, id);
    }

    /// Sets a field's live value as a script does.
    pub fn set_value(&mut self, selector: &str, value: &str) {
        let id = self.first(selector);
        self.dom().set_value(id, value);
    }

    /// Chooses files (name and content) in a file field as a person does.
    pub fn set_files(&mut self, selector: &str, files: &[(&str, &[u8])]) {
        let id = self.first(selector);
        if let Some(element) = self.dom().element_mut(id) {
            element.live.files =
                files.iter().map(|(name, content)| ((*name).into(), content.to_vec())).collect();
        }
        self.dom().revision += 1;
        self.state.fire(self.frame, id, "input", true);
        self.state.fire(self.frame, id, "change", true);
    }

    /// Live value of the first field that matches.
    pub fn value(&mut self, selector: &str) -> String {
        let id = self.first(selector);
        self.dom().value(id)
    }

    /// Live checkedness.
    pub fn is_checked(&mut self, selector: &str) -> bool {
        let id = self.first(selector);
        self.dom().is_checked(id)
    }

    /// Makes a box neither checked nor unchecked to the eye, as a script does.
    pub fn set_indeterminate(&mut self, selector: &str) {
        let id = self.first(selector);
        if let Some(element) = self.dom().element_mut(id) {
            element.live.indeterminate = true;
        }
    }

    /// Text of the first element that matches.
    pub fn text(&mut self, selector: &str) -> String {
        let id = self.first(selector);
        self.dom().text_content(id)
    }
}
