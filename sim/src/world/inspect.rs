//! What only a harness may see: who an event met, which item an element stands for, what a field holds.

use super::{State, World};
use crate::dom::{Dom, Mutation};
use backlot_core::frame::{Point, points_from_top};
use backlot_core::page::{NodeId, NodeKey, Rect, TabId, Visibility};
use backlot_core::port::HitAnswer;
use std::collections::BTreeMap;

/// The attribute by which a page of a harness says which item of its data an element stands for. No capture keeps it, so no
/// tool can tell items apart by it.
pub const ITEM: &str = "data-key";

/// An in-page event, by identity instead of by words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hit {
    /// Its type.
    pub kind: String,
    /// The browser made it.
    pub is_trusted: bool,
    /// Its target.
    pub node: NodeKey,
    /// What [`ITEM`] said at or around the target when it was fired.
    pub item: Option<String>,
}

/// What a field holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    /// Live value; for an element that is no field its text.
    pub value: String,
    /// Places of the selected options.
    pub selected: Vec<u32>,
    /// Tools are told whether it is filled, and no more.
    pub is_secret: bool,
}

/// Whether a person could use an element now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reach {
    /// It is not in its document, or that is gone.
    Gone,
    /// It is not to be seen, or nothing of it is in the viewport.
    Unseen,
    /// It is disabled or inert.
    Disabled,
    /// Something else lies over its middle.
    Covered,
    /// It can be used.
    Free,
}

impl World {
    /// In-page events from this place on.
    pub fn hits_since(&self, place: usize) -> Vec<Hit> {
        self.state.borrow().hits.get(place..).unwrap_or_default().to_vec()
    }

    /// In-page events so far.
    pub fn hit_count(&self) -> usize {
        self.state.borrow().hits.len()
    }

    /// What changed in the top document of a tab since it was parsed, the oldest first, and how many older changes are not kept.
    pub fn mutations(&self, tab: TabId) -> (Vec<Mutation>, u64) {
        let state = self.state.borrow();
        let page = state.live_tab(tab).ok().and_then(|tab| state.pages.get(&tab.top));
        page.map_or((Vec::new(), 0), |page| {
            let (kept, dropped) = page.dom.mutations();
            (kept.to_vec(), dropped)
        })
    }

    /// The items of all elements of a tab that stand for one.
    pub fn items(&self, tab: TabId) -> BTreeMap<NodeKey, String> {
        let state = self.state.borrow();
        let mut items = BTreeMap::new();
        for page in state.pages.values().filter(|page| page.tab == tab) {
            for node in page.dom.composed() {
                if let Some(item) = page.dom.attr(node, ITEM) {
                    items.insert(NodeKey { document: page.document, node }, item.to_owned());
                }
            }
        }
        items
    }

    /// What a field holds now; `None` where it is gone.
    pub fn field(&self, node: NodeKey) -> Option<Field> {
        let state = self.state.borrow();
        let dom = &state.page(node.document).filter(|page| page.dom.is_connected(node.node))?.dom;
        let id = node.node;
        let is_field = matches!(dom.html_tag(id), "input" | "textarea");
        let value = if is_field { dom.value(id) } else { dom.text_content(id) };
        let selected = if dom.is_html(id, "select") {
            let places = (0..).zip(dom.options(id));
            places.filter(|(_, option)| dom.is_selected(*option)).map(|(at, _)| at).collect()
        } else {
            Vec::new()
        };
        let is_secret = crate::capture::is_secret(dom, id);
        Some(Field { value, selected, is_secret })
    }

    /// Whether a person could use an element of a tab now, without scrolling.
    pub fn reach(&self, tab: TabId, node: NodeKey) -> Reach {
        self.state.borrow().reach(tab, node)
    }

    /// URL of the top document of a tab that is there.
    pub fn url(&self, tab: TabId) -> Option<String> {
        let state = self.state.borrow();
        let top = state.live_tab(tab).ok()?.top;
        state.pages.get(&top).map(|page| page.url.to_string())
    }

    /// URL of a node's document that is there.
    pub fn url_of(&self, node: NodeKey) -> Option<String> {
        self.state.borrow().page(node.document).map(|page| page.url.to_string())
    }
}

impl State {
    fn reach(&self, tab: TabId, node: NodeKey) -> Reach {
        let Some(probe) = self.probe(tab, node) else { return Reach::Gone };
        let view = probe.frames.last().map(|step| step.viewport).unwrap_or_default();
        let seen = overlap(&probe.rect, &Rect { x: 0.0, y: 0.0, ..view });
        if !probe.rendered || probe.style.visibility != Visibility::Visible || !seen.has_area() {
            return Reach::Unseen;
        }
        if probe.disabled || probe.inert {
            return Reach::Disabled;
        }
        let (x, y) = seen.center();
        let Ok(points) = points_from_top(Point { x, y }, &probe.frames) else {
            return Reach::Covered;
        };
        match self.hit(node, &points) {
            HitAnswer::Target => Reach::Free,
            _ => Reach::Covered,
        }
    }
}

fn overlap(a: &Rect, b: &Rect) -> Rect {
    let (x, y) = (a.x.max(b.x), a.y.max(b.y));
    let width = (a.x + a.width).min(b.x + b.width) - x;
    let height = (a.y + a.height).min(b.y + b.height) - y;
    Rect { x, y, width: width.max(0.0), height: height.max(0.0) }
}

impl Dom {
    /// What [`ITEM`] says at a node or around it.
    pub(crate) fn item_of(&self, id: NodeId) -> Option<String> {
        self.flat_ancestors(id).find_map(|up| self.attr(up, ITEM)).map(str::to_owned)
    }
}
