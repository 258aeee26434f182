//! Computing the styles of a document.

use super::apply::{Around, Ranked, compute as compute_one};
use super::block::{Block, Declared};
use super::computed::{Computed, ContentItem, Display};
use super::media::{self, Media};
use super::scope::{Entry, Scope, Seen};
use super::selector::PseudoBox;
use super::sheet::{Rules, UNLAYERED, inline};
use super::{hints, ua};
use crate::dom::{Data, Dom, Quirks};
use backlot_core::page::NodeId;
use selectors::context::SelectorCaches;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// The styles of a document's flat tree.
#[derive(Debug, Default)]
pub(crate) struct Styles {
    styles: Vec<Option<Rc<Computed>>>,
    /// In the skipped part of a closed `details` or of a `hidden=until-found` element.
    skipped: BTreeSet<NodeId>,
    before: BTreeMap<NodeId, PseudoStyle>,
    after: BTreeMap<NodeId, PseudoStyle>,
    /// Selectors that were tried on elements.
    pub(crate) tried: u64,
    /// What the sheets use that is not supported.
    pub(crate) notes: BTreeSet<String>,
}

/// A pseudo-element that is there.
#[derive(Debug, Clone)]
pub(crate) struct PseudoStyle {
    pub(crate) style: Rc<Computed>,
    /// Its text, or the alternative that `content` gives for it.
    pub(crate) told: String,
    /// The text that takes room.
    pub(crate) shown: String,
}

impl Styles {
    /// `None`: the element is not in the flat tree.
    pub(crate) fn get(&self, id: NodeId) -> Option<&Rc<Computed>> {
        self.styles.get(id.0 as usize)?.as_ref()
    }

    pub(crate) fn is_skipped(&self, id: NodeId) -> bool {
        self.skipped.contains(&id)
    }

    pub(crate) fn before(&self, id: NodeId) -> Option<&PseudoStyle> {
        self.before.get(&id)
    }

    pub(crate) fn after(&self, id: NodeId) -> Option<&PseudoStyle> {
        self.after.get(&id)
    }

    /// The element has a box, or its children have: no `display: none` and no skipped contents around it.
    pub(crate) fn is_rendered(&self, dom: &Dom, id: NodeId) -> bool {
        let mut at = id;
        loop {
            let Some(style) = self.get(at) else { return false };
            if style.display == Display::None || self.is_skipped(at) || has_no_box(dom, at) {
                return false;
            }
            if at != id && style.content_hidden {
                return false;
            }
            match dom.flat_parent(at) {
                Some(Dom::DOCUMENT) => return true,
                Some(parent) => at = parent,
                None => return false,
            }
        }
    }
}

thread_local! {
    /// The user agent's rules, without and with those for documents in quirks mode.
    static UA: [Rc<Scope>; 2] = [false, true].map(|quirks| {
        let mut rules = Rules::default();
        let mut notes = BTreeSet::new();
        for sheet in [ua::SHEET, if quirks { ua::QUIRKS } else { "" }] {
            let media = Media { viewport: (1280.0, 720.0), dark: false };
            rules.add(sheet, media, &mut notes);
        }
        debug_assert!(notes.is_empty(), "{notes:?}");
        Rc::new(Scope::new(&rules, Quirks::No))
    });
}

/// Computes every style. `linked` holds the text of loaded sheets by their `link` element; `media`: what media queries ask about.
pub(crate) fn compute(dom: &Dom, linked: &BTreeMap<NodeId, String>, media: Media) -> Styles {
    let mut cascade = Cascade {
        dom,
        media,
        ua: UA.with(|ua| Rc::clone(&ua[usize::from(dom.quirks == Quirks::Full)])),
        scopes: BTreeMap::new(),
        caches: SelectorCaches::default(),
        out: Styles { styles: vec![None; dom.node_count()], ..Styles::default() },
        rem: 16.0,
    };
    cascade.gather(linked);
    cascade.run();
    cascade.out.tried = cascade.scopes.values().map(|scope| scope.tried.get()).sum();
    cascade.out
}

struct Cascade<'a> {
    dom: &'a Dom,
    media: Media,
    ua: Rc<Scope>,
    /// By the scope's root: the document or a shadow root.
    scopes: BTreeMap<NodeId, Rc<Scope>>,
    caches: SelectorCaches,
    out: Styles,
    rem: f32,
}

impl Cascade<'_> {
    fn gather(&mut self, linked: &BTreeMap<NodeId, String>) {
        let mut rules: BTreeMap<NodeId, Rules> = BTreeMap::new();
        for id in self.dom.composed() {
            let text = match self.dom.html_tag(id) {
                "style" => match linked.get(&id) {
                    // With the sheets that it imports.
                    Some(text) => text.clone(),
                    None => self.dom.child_text(id),
                },
                "link" => match linked.get(&id) {
                    Some(text) => text.clone(),
                    None => continue,
                },
                _ => continue,
            };
            let kind = self.dom.attr(id, "type").unwrap_or_default().trim();
            let on = self.dom.attr(id, "media").is_none_or(|m| media::matches(m, self.media));
            if on && (kind.is_empty() || kind.eq_ignore_ascii_case("text/css")) {
                let root = self.dom.root_of(id);
                let scope = rules.entry(root).or_default();
                scope.add(&text, self.media, &mut self.out.notes);
            }
        }
        for (root, rules) in rules {
            self.scopes.insert(root, Rc::new(Scope::new(&rules, self.dom.quirks)));
        }
    }

    fn run(&mut self) {
        let initial = Rc::new(Computed::initial());
        let mut open: Vec<(NodeId, Rc<Computed>, bool)> = self
            .dom
            .children(Dom::DOCUMENT)
            .filter(|id| self.dom.element(*id).is_some())
            .map(|id| (id, Rc::clone(&initial), false))
            .collect();
        while let Some((id, parent, skipped)) = open.pop() {
            let is_root = self.dom.parent(id) == Some(Dom::DOCUMENT);
            let style = Rc::new(self.element(id, &parent, is_root));
            if is_root {
                self.rem = style.font_size;
            }
            if skipped {
                self.out.skipped.insert(id);
            }
            self.pseudos(id, &style);
            // A child of `display: contents` is an item of the box around.
            let box_around = if style.display == Display::Contents {
                let mut through = (*style).clone();
                through.display = parent.display;
                Rc::new(through)
            } else {
                Rc::clone(&style)
            };
            for (child, child_skipped) in self.styled_children(id, &style) {
                open.push((child, Rc::clone(&box_around), skipped || child_skipped));
            }
            self.out.styles[id.0 as usize] = Some(style);
        }
    }

    /// Elements below in the flat tree, and whether each lies in a skipped part.
    fn styled_children(&self, id: NodeId, style: &Computed) -> Vec<(NodeId, bool)> {
        let dom = self.dom;
        if is_closed_to_children(dom, id) {
            return Vec::new();
        }
        let children = dom.flat_children(id).into_iter().filter(|at| dom.element(*at).is_some());
        let until_found = style.content_hidden
            && dom.attr(id, "hidden").is_some_and(|h| h.eq_ignore_ascii_case("until-found"));
        let closed = dom.is_html(id, "details") && !dom.has_attr(id, "open");
        let summary = dom.children(id).find(|at| dom.is_html(*at, "summary"));
        children.map(|at| (at, until_found || (closed && Some(at) != summary))).collect()
    }

    fn element(&mut self, id: NodeId, parent: &Computed, is_root: bool) -> Computed {
        let inline_block = self.dom.attr(id, "style").map(inline);
        let hints = hints::of(self.dom, id);
        let layers = self.layers(id, None);
        let declarations = layers.order(&hints, inline_block.as_ref());
        let around = Around { parent, rem: self.rem, viewport: self.media.viewport };
        let mut style = compute_one(&declarations, around);
        if self.dom.is_html(id, "input") {
            let author = &declarations[layers.browser_count()..];
            style.appearance_none |= author.iter().any(|one| one.declared.draws());
        }
        if is_root || parent.display.is_flex_or_grid() {
            style.display = style.display.blockified();
        }
        if style.display == Display::Contents {
            style.display = contents_of(self.dom, id, is_root);
        }
        style
    }

    fn layers(&mut self, id: NodeId, pseudo: Option<&PseudoBox>) -> Layers {
        let dom = self.dom;
        let mut layers = Layers::default();
        let caches = &mut self.caches;
        let ua = Rc::clone(&self.ua);
        layers.ua = blocks(&ua.matching(dom, id, pseudo, Seen::Own, None, caches));
        if let Some(scope) = dom.shadow_of(id).and_then(|root| self.scopes.get(&root)) {
            let found = scope.matching(dom, id, pseudo, Seen::Host, Some(id), caches);
            layers.author.push(blocks(&found));
        }
        if let Some(slot) = dom.assigned_slot(id) {
            let root = dom.root_of(slot);
            if let (Some(scope), Data::ShadowRoot { host, .. }) =
                (self.scopes.get(&root), dom.data(root))
            {
                let found = scope.matching(dom, id, pseudo, Seen::Slotted, Some(*host), caches);
                layers.author.push(blocks(&found));
            }
        }
        let root = dom.root_of(id);
        if let Some(scope) = self.scopes.get(&root) {
            let host = match dom.data(root) {
                Data::ShadowRoot { host, .. } => Some(*host),
                _ => None,
            };
            let found = scope.matching(dom, id, pseudo, Seen::Own, host, caches);
            layers.author.push(blocks(&found));
        }
        if dom.has_attr(id, "part") {
            self.parts(id, pseudo, &mut layers);
        }
        layers
    }

    /// What the trees around the shadow tree of a part say about it.
    fn parts(&mut self, id: NodeId, pseudo: Option<&PseudoBox>, layers: &mut Layers) {
        let dom = self.dom;
        let mut root = dom.root_of(id);
        while let Data::ShadowRoot { host, .. } = *dom.data(root) {
            root = dom.root_of(host);
            let outer = match dom.data(root) {
                Data::ShadowRoot { host, .. } => Some(*host),
                _ => None,
            };
            if let Some(scope) = self.scopes.get(&root) {
                let found = scope.matching(dom, id, pseudo, Seen::Part, outer, &mut self.caches);
                layers.author.push(blocks(&found));
            }
        }
    }

    fn pseudos(&mut self, id: NodeId, style: &Rc<Computed>) {
        for pseudo in [PseudoBox::Before, PseudoBox::After] {
            let layers = self.layers(id, Some(&pseudo));
            if layers.author.iter().all(Vec::is_empty) {
                continue;
            }
            let declarations = layers.order(&[], None);
            let around = Around { parent: style, rem: self.rem, viewport: self.media.viewport };
            let mut own = compute_one(&declarations, around);
            if style.display.is_flex_or_grid() {
                own.display = own.display.blockified();
            }
            let Some(content) = own.content.clone() else { continue };
            if own.display == Display::None || style.display == Display::None {
                continue;
            }
            let (told, shown) = self.told(id, &content);
            let found = PseudoStyle { style: Rc::new(own), told, shown };
            let place = match pseudo {
                PseudoBox::Before => &mut self.out.before,
                _ => &mut self.out.after,
            };
            place.insert(id, found);
        }
    }

    /// The text that stands for a pseudo-element, and the one that shows.
    fn told(&self, id: NodeId, content: &[ContentItem]) -> (String, String) {
        let (mut text, mut alternative) = (String::new(), None::<String>);
        for item in content {
            let piece = match item {
                ContentItem::Text(piece) => piece.as_str(),
                ContentItem::Attr(name) => self.dom.attr(id, name).unwrap_or_default(),
                ContentItem::Alternative => {
                    alternative = Some(String::new());
                    continue;
                }
            };
            alternative.as_mut().unwrap_or(&mut text).push_str(piece);
        }
        (alternative.unwrap_or_else(|| text.clone()), text)
    }
}

/// Where scripts run, `noscript` has a computed display and no box all the same, as in Chromium; captures say `none`.
pub(crate) fn has_no_box(dom: &Dom, id: NodeId) -> bool {
    dom.scripting && dom.is_html(id, "noscript")
}

/// The children of these have no place in the flat tree: Chromium gives the elements a closed tree of its own.
fn is_closed_to_children(dom: &Dom, id: NodeId) -> bool {
    matches!(dom.html_tag(id), "video" | "audio" | "meter" | "progress" | "input" | "textarea")
}

/// What `display: contents` comes to.
fn contents_of(dom: &Dom, id: NodeId, is_root: bool) -> Display {
    match dom.html_tag(id) {
        _ if is_root => Display::Block,
        "br" | "wbr" | "meter" | "progress" | "canvas" | "embed" | "object" | "audio"
        | "iframe" | "img" | "video" | "frame" | "frameset" | "input" | "textarea" | "select" => {
            Display::None
        }
        _ => Display::Contents,
    }
}

fn blocks(found: &[&Entry]) -> Vec<(u32, Rc<Block>)> {
    found.iter().map(|entry| (entry.layer, Rc::clone(&entry.block))).collect()
}

/// Matched blocks, each list the weakest first.
#[derive(Default)]
struct Layers {
    ua: Vec<(u32, Rc<Block>)>,
    /// By tree scope, the innermost first.
    author: Vec<Vec<(u32, Rc<Block>)>>,
}

impl Layers {
    /// How many of the weakest declarations are the browser's own.
    fn browser_count(&self) -> usize {
        self.ua.iter().map(|(_, block)| block.normal.len()).sum()
    }

    /// All declarations, the weakest first.
    fn order<'a>(&'a self, hints: &'a [Declared], style: Option<&'a Block>) -> Vec<Ranked<'a>> {
        let mut order = Order::default();
        order.add(self.ua.iter().flat_map(|(_, block)| &block.normal));
        order.begin_origin();
        order.add(hints);
        for scope in &self.author {
            let mut last = None;
            for (layer, block) in scope {
                if last != Some(layer) {
                    order.begin_layer();
                }
                last = Some(layer);
                order.add(&block.normal);
            }
        }
        order.begin_layer();
        order.add(style.into_iter().flat_map(|block| &block.normal));
        order.layer = order.origin;
        // Importance turns the order of layers and of scopes round.
        for scope in self.author.iter().rev() {
            let mut important: Vec<&(u32, Rc<Block>)> = scope.iter().collect();
            important.sort_by_key(|(layer, _)| UNLAYERED - layer);
            order.add(important.iter().flat_map(|(_, block)| &block.important));
        }
        order.add(style.into_iter().flat_map(|block| &block.important));
        (order.origin, order.layer) = (0, 0);
        order.add(self.ua.iter().flat_map(|(_, block)| &block.important));
        order.list
    }
}

/// Declarations as they are put in order.
#[derive(Default)]
struct Order<'a> {
    list: Vec<Ranked<'a>>,
    origin: usize,
    layer: usize,
}

impl<'a> Order<'a> {
    fn begin_origin(&mut self) {
        self.origin = self.list.len();
        self.layer = self.list.len();
    }

    fn begin_layer(&mut self) {
        self.layer = self.list.len();
    }

    fn add(&mut self, declared: impl IntoIterator<Item = &'a Declared>) {
        let (origin, layer) = (self.origin, self.layer);
        self.list.extend(declared.into_iter().map(|declared| Ranked { declared, origin, layer }));
    }
}
