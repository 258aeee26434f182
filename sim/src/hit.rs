//! Hit testing, in paint order.

use crate::dom::{Data, Dom};
use crate::layout::paint::{Item, Kind};
use crate::style::{Overflow, Position};
use crate::world::{Page, State};
use backlot_core::page::{NodeId, NodeKey, Rect, Visibility};
use backlot_core::planted::{self, Bug};
use backlot_core::port::{HitAnswer, Point};
use std::collections::BTreeMap;

/// Most UTF-16 code units of a covering element's id and text.
const ID_UNITS_MAX: u32 = 100;
const TEXT_UNITS_MAX: u32 = 60;

impl Page {
    /// The topmost element at a point of the viewport.
    ///
    /// SIM DIFFERENCE: boxes that are turned or skewed are hit in the box that holds them, round corners and clip paths as if they
    /// were not there, except for clips that leave nothing.
    pub(crate) fn element_at(&self, point: Point) -> Option<NodeId> {
        let inside = Rect {
            x: 0.0,
            y: 0.0,
            width: f64::from(self.viewport.0),
            height: f64::from(self.viewport.1),
        };
        if !contains(&inside, point) {
            return None;
        }
        let layout = self.layout();
        let ranks = layout.ranks();
        let offsets = self.offsets(&layout.items);
        let inert = self.inert(&layout.items);
        let mut best: Option<usize> = None;
        for (at, item) in layout.items.iter().enumerate() {
            let style = &item.style;
            if inert[at] || !style.pointer_events || style.visibility != Visibility::Visible {
                continue;
            }
            if best.is_some_and(|top| ranks[top] > ranks[at]) {
                continue;
            }
            let (x, y) = offsets[at];
            let there = Point { x: point.x + x, y: point.y + y };
            let hit = item.areas.as_slice().iter().any(|area| contains(&area.rect(), there));
            if hit && !self.is_clipped(&layout.items, &offsets, at, point) {
                best = Some(at);
            }
        }
        // Where no box is, the root element takes the event.
        best.map(|at| layout.items[at].node).or_else(|| self.dom.document_element())
    }

    /// How far scrolling has moved each item.
    fn offsets(&self, items: &[Item]) -> Vec<(f64, f64)> {
        let mut by_node: BTreeMap<NodeId, (f64, f64)> = BTreeMap::new();
        let is_plain = !items.iter().any(|item| {
            let scroll = self.dom.element(item.node).map_or((0.0, 0.0), |element| element.scroll);
            scroll != (0.0, 0.0)
                || matches!(item.style.position, Position::Fixed | Position::Sticky)
        });
        if is_plain {
            return vec![self.scroll; items.len()];
        }
        let offset =
            |item: &Item| *by_node.entry(item.node).or_insert_with(|| self.scrolled_by(item.node));
        items.iter().map(offset).collect()
    }

    /// Which items no pointer reaches because of `inert`.
    fn inert(&self, items: &[Item]) -> Vec<bool> {
        let mut inert: Vec<bool> = Vec::with_capacity(items.len());
        let has_modal = self.dom.tops().next().is_some();
        for item in items {
            let around = item.up.is_some_and(|up| inert[up]) && item.top.is_none();
            let behind = has_modal && self.dom.is_behind_modal(item.node);
            inert.push(
                around
                    || behind
                    || item.style.clipped_away
                    || self.dom.has_attr(item.node, "inert"),
            );
        }
        inert
    }

    fn is_clipped(&self, items: &[Item], offsets: &[(f64, f64)], at: usize, point: Point) -> bool {
        let mut position = items[at].style.position;
        let mut at = at;
        // Text of a block is clipped by the block itself.
        if items[at].kind == Kind::Text {
            position = Position::Static;
        }
        while let Some(up) = items[at].up {
            if position == Position::Fixed || items[at].top.is_some() {
                return false;
            }
            let around = &items[up];
            let own = around.style.position;
            // An absolute box is clipped only from its containing block on.
            let holds = position != Position::Absolute
                || own != Position::Static
                || around.style.transform.is_some();
            if holds {
                if self.clips(around.node) && !self.is_inside(around, offsets[up], point) {
                    return true;
                }
                position = own;
            }
            at = up;
        }
        false
    }

    /// Whether a point lies in the padding box of what clips, in the directions that it clips in.
    fn is_inside(&self, item: &Item, offset: (f64, f64), point: Point) -> bool {
        let [area] = item.areas.as_slice() else { return true };
        let border = |side: usize| f64::from(item.style.border_width(side));
        let rect = area.rect();
        let (x, y) = (point.x + offset.0, point.y + offset.1);
        let (clips_x, clips_y) = item.style.overflow;
        let across = x >= rect.x + border(3) && x < rect.x + rect.width - border(1);
        let down = y >= rect.y + border(0) && y < rect.y + rect.height - border(2);
        (clips_x == Overflow::Visible || across) && (clips_y == Overflow::Visible || down)
    }

    /// Whether an event at `found` is one for `target`: itself, below it in the flat tree, or in a label of it.
    pub(crate) fn receives(&self, target: NodeId, found: NodeId) -> bool {
        // What is given to a frame inside goes to the document in it, which is another target.
        let is_frame = matches!(self.dom.html_tag(found), "iframe" | "frame" | "object" | "embed");
        if is_frame && found != target {
            return false;
        }
        self.dom.flat_ancestors(found).any(|up| {
            up == target
                || (self.dom.is_html(up, "label") && self.dom.labeled_control(up) == Some(target))
        })
    }
}

impl State {
    /// What lies at a point given in each frame's viewport, the top one's first.
    pub(crate) fn hit(&self, target: NodeKey, points: &[Point]) -> HitAnswer {
        let Some(own) = self.page(target.document) else { return HitAnswer::Gone };
        if !own.dom.is_connected(target.node) {
            return HitAnswer::Gone;
        }
        let mut chain = vec![own];
        while let Some((parent, _)) = chain[chain.len() - 1].owner {
            match self.pages.get(&parent) {
                Some(page) => chain.push(page),
                None => return HitAnswer::Gone,
            }
        }
        chain.reverse();
        if chain.len() != points.len() {
            return HitAnswer::Gone;
        }
        for (at, (page, point)) in chain.iter().zip(points).enumerate() {
            let Some(found) = page.element_at(*point) else { return HitAnswer::Nothing };
            let next = chain.get(at + 1).and_then(|inner| inner.owner).map(|(_, element)| element);
            let is_it = match next {
                Some(_) if planted::is(Bug::HitInnermostOnly) => true,
                Some(frame_element) => found == frame_element,
                None => page.receives(target.node, found),
            };
            if !is_it {
                // What lies behind the target does not cover it: the target itself takes no pointer there.
                let is_behind = next.is_none()
                    && page.dom.flat_ancestors(target.node).skip(1).any(|up| up == found);
                return if is_behind { HitAnswer::Nothing } else { covered(page, found) };
            }
        }
        HitAnswer::Target
    }
}

fn covered(page: &Page, found: NodeId) -> HitAnswer {
    // Nobody outside sees into a closed root: its host covers.
    let found = page.dom.visible_to_outside(found);
    let text = shown_text(&page.dom, found);
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    HitAnswer::Covered {
        node: NodeKey { document: page.document, node: found },
        tag: page.dom.element(found).map(|e| e.tag().to_ascii_lowercase()).unwrap_or_default(),
        id: crate::capture::cut_units(page.dom.attr(found, "id").unwrap_or_default(), ID_UNITS_MAX)
            .into(),
        text: crate::capture::cut_units(&text, TEXT_UNITS_MAX).into(),
    }
}

/// Text of an element without scripts, style sheets and what secret fields hold.
fn shown_text(dom: &Dom, id: NodeId) -> String {
    let is_left_out = |at: NodeId| {
        matches!(dom.html_tag(at), "script" | "style" | "template" | "noscript" | "head")
            || crate::capture::is_secret(dom, at)
    };
    let texts = dom.subtree(id).filter(|at| dom.text(*at).is_some());
    let shown = texts.filter(|at| {
        let mut around = std::iter::successors(dom.parent(*at), |up| dom.parent(*up));
        !around.by_ref().take_while(|up| *up != id).chain([id]).any(is_left_out)
    });
    shown.filter_map(|at| dom.text(at)).collect::<Vec<_>>().join(" ")
}

fn contains(rect: &Rect, point: Point) -> bool {
    point.x >= rect.x
        && point.y >= rect.y
        && point.x < rect.x + rect.width
        && point.y < rect.y + rect.height
}

impl Dom {
    /// The control that a label is for.
    pub(crate) fn labeled_control(&self, label: NodeId) -> Option<NodeId> {
        let labelable = |id: &NodeId| match self.html_tag(*id) {
            "input" => self.input_kind(*id) != Some(crate::dom::InputKind::Hidden),
            tag => {
                matches!(tag, "button" | "meter" | "output" | "progress" | "select" | "textarea")
            }
        };
        match self.attr(label, "for") {
            Some(id) => self.by_id(self.root_of(label), id).filter(labelable),
            None => self.subtree(label).skip(1).find(labelable),
        }
    }

    /// The node, or the host of the outermost closed root around it.
    pub(crate) fn visible_to_outside(&self, id: NodeId) -> NodeId {
        let mut seen = id;
        for up in self.inclusive_ancestors(id) {
            if let Data::ShadowRoot { mode: backlot_core::page::ShadowMode::Closed, host, .. } =
                self.data(up)
            {
                seen = *host;
            }
        }
        seen
    }
}
