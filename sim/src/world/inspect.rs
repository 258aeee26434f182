//! What only a harness may see: who an event met, which item an element stands for, what a field holds.

use super::{State, World};
use crate::dom::{Dom, Mutation};
use crate::probe::is_disabled;
use crate::style::Size;
use crate::world::Page;
use backlot_core::frame::Point;
use backlot_core::gatekeeper::origin_of;
use backlot_core::page::{NodeId, NodeKey, Rect, TabId, Visibility};
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
    /// The elements around it when it was fired, the nearest first.
    pub around: Vec<NodeId>,
    /// What [`ITEM`] said at or around the target when it was fired.
    pub item: Option<String>,
}

impl Hit {
    /// It went to this element, or to something in it.
    pub fn is_within(&self, node: NodeKey) -> bool {
        self.node == node || self.node.document == node.document && self.around.contains(&node.node)
    }
}

/// What a field holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    /// Live value; for an element that is no field its text.
    pub value: String,
    /// Value and label of each option, in order.
    pub options: Vec<(String, String)>,
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
        let options = dom.options(id).into_iter().map(|option| {
            let label = dom.attr(option, "label").filter(|label| !label.is_empty());
            let text = || dom.text_content(option).split_whitespace().collect::<Vec<_>>().join(" ");
            (dom.value(option), label.map_or_else(text, str::to_owned))
        });
        let options = options.collect();
        let is_secret = crate::capture::is_secret(dom, id);
        Some(Field { value, options, selected, is_secret })
    }

    /// Whether a person could use an element of a tab now, without scrolling.
    pub fn reach(&self, tab: TabId, node: NodeKey) -> Reach {
        self.state.borrow().reach(tab, node)
    }

    /// Whether an element's box is at a point of the top viewport, give or take so many CSS pixels.
    pub fn is_at(&self, node: NodeKey, point: Point, tolerance_px: f64) -> bool {
        let state = self.state.borrow();
        let Some(page) = state.page(node.document) else { return false };
        let Some(rect) = page.rect(node.node) else { return false };
        let corner = |x: f64, y: f64| state.seen_from_top(page, Point { x, y });
        let (first, last) =
            (corner(rect.x, rect.y), corner(rect.x + rect.width, rect.y + rect.height));
        let (Some(first), Some(last)) = (first, last) else { return false };
        let is_between =
            |from: f64, at: f64, to: f64| from - tolerance_px <= at && at <= to + tolerance_px;
        is_between(first.x, point.x, last.x) && is_between(first.y, point.y, last.y)
    }

    /// URL of the top document of a tab that is there.
    pub fn url(&self, tab: TabId) -> Option<String> {
        let state = self.state.borrow();
        let top = state.live_tab(tab).ok()?.top;
        state.pages.get(&top).map(|page| page.url.to_string())
    }

    /// The editing host around a node, which gets the events of text that is entered there; the node itself where there is none.
    pub fn editing_host(&self, node: NodeKey) -> NodeKey {
        let state = self.state.borrow();
        let host = state.page(node.document).and_then(|page| page.dom.editing_host(node.node));
        NodeKey { node: host.unwrap_or(node.node), ..node }
    }

    /// Origin of a node's document that is there.
    pub fn origin_of(&self, node: NodeKey) -> Option<String> {
        self.state.borrow().page(node.document).map(|page| origin_of(page.origin.as_str()))
    }

    /// In-page events from this place on, as [`World::event_log`] has them.
    pub fn events_since(&self, place: usize) -> Vec<String> {
        self.state.borrow().event_log.get(place..).unwrap_or_default().to_vec()
    }

    /// Whether a navigation of its top frame that a page started is still to come.
    pub fn is_leaving(&self, tab: TabId) -> bool {
        let state = self.state.borrow();
        let Some(tab) = state.tabs.get(&tab) else { return false };
        tab.pending.iter().any(|pending| pending.frame == tab.top)
    }
}

impl State {
    /// By a way of its own, apart from that of the ops: a judge must not share their faults.
    fn reach(&self, tab: TabId, node: NodeKey) -> Reach {
        let Some(page) = self.page_of(tab, node) else { return Reach::Gone };
        let (dom, id, styles) = (&page.dom, node.node, page.styles());
        let view = Rect {
            x: 0.0,
            y: 0.0,
            width: f64::from(page.viewport.0),
            height: f64::from(page.viewport.1),
        };
        let seen = overlap(&page.rect(id).unwrap_or_default(), &view);
        let is_visible =
            styles.get(id).is_some_and(|style| style.visibility == Visibility::Visible);
        if !styles.is_rendered(dom, id) || !is_visible || !seen.has_area() {
            return Reach::Unseen;
        }
        if is_disabled(dom, id) || self.is_inert(page, id) {
            return Reach::Disabled;
        }
        let (x, y) = seen.center();
        let mut point = Point { x, y };
        if !page.element_at(point).is_some_and(|found| page.receives(id, found)) {
            return Reach::Covered;
        }
        let mut at = page;
        while let Some((parent, element)) = at.owner {
            let Some(parent) = self.pages.get(&parent) else { return Reach::Gone };
            match parent.around(element, point, at.viewport) {
                Some(outer) if parent.element_at(outer) == Some(element) => point = outer,
                _ => return Reach::Covered,
            }
            at = parent;
        }
        Reach::Free
    }
}

impl State {
    /// A point of a page in the top viewport.
    fn seen_from_top(&self, page: &Page, point: Point) -> Option<Point> {
        let (mut at, mut point) = (page, point);
        while let Some((parent, element)) = at.owner {
            let parent = self.pages.get(&parent)?;
            point = parent.around(element, point, at.viewport)?;
            at = parent;
        }
        Some(point)
    }
}

impl Page {
    /// Where a point of a document of this size, in a frame element, lies in this one. Nothing here is turned or skewed.
    fn around(&self, element: NodeId, inner: Point, size: (f32, f32)) -> Option<Point> {
        let styles = self.styles();
        let (rect, style) = (self.rect(element)?, styles.get(element)?);
        let edge = |side: usize| {
            let padding = match style.padding[side] {
                Size::Given { px, .. } => f64::from(px),
                _ => 0.0,
            };
            f64::from(style.border_width(side)) + padding
        };
        // A scaled frame element is smaller or larger than its edges and its document.
        let scale = (
            rect.width / (f64::from(size.0) + edge(1) + edge(3)),
            rect.height / (f64::from(size.1) + edge(0) + edge(2)),
        );
        let (x, y) = (edge(3) + inner.x, edge(0) + inner.y);
        Some(Point { x: rect.x + x * scale.0, y: rect.y + y * scale.1 })
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
