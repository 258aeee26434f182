//! Hit testing, in paint order.

use crate::dom::{Data, Dom};
use crate::style::{Display, Float, Position};
use crate::world::{Page, State};
use backlot_core::page::{NodeId, NodeKey, Rect, Visibility};
use backlot_core::planted::{self, Bug};
use backlot_core::port::{HitAnswer, Point};

/// Most UTF-16 code units of a covering element's id and text.
const ID_UNITS_MAX: u32 = 100;
const TEXT_UNITS_MAX: u32 = 60;

/// Paint position of an element: at each level of the stacking order, the layer and the place in the tree.
type PaintKey = Vec<(i32, u32)>;

impl Page {
    /// The topmost element at a point of the viewport.
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
        let styles = self.styles();
        let mut best: Option<(PaintKey, NodeId)> = None;
        for (id, key) in self.paint_order() {
            let Some(style) = styles.get(id) else { continue };
            if !style.pointer_events || style.visibility != Visibility::Visible {
                continue;
            }
            let hit = self.rect(id).is_some_and(|rect| contains(&rect, point));
            if hit
                && !self.is_clipped(id, point)
                && best.as_ref().is_none_or(|(top, _)| key >= *top)
            {
                best = Some((key, id));
            }
        }
        // Where no box is, the root element takes the event.
        best.map(|(_, id)| id).or_else(|| self.dom.document_element())
    }

    /// Rendered elements with their paint positions.
    fn paint_order(&self) -> Vec<(NodeId, PaintKey)> {
        let styles = self.styles();
        let mut order = Vec::new();
        let Some(root) = self.dom.document_element() else { return order };
        let mut open: Vec<(NodeId, PaintKey)> = vec![(root, Vec::new())];
        let mut place = 0_u32;
        let tops: Vec<NodeId> = self.dom.tops().map(|top| top.node).collect();
        let top = |id: NodeId| {
            let at = tops.iter().position(|top| *top == id)?;
            Some(i32::MAX - 1_000 + i32::try_from(at).unwrap_or(0).min(999))
        };
        while let Some((id, context)) = open.pop() {
            place += 1;
            let context = if top(id).is_some() { Vec::new() } else { context };
            let Some(style) = styles.get(id) else { continue };
            if style.display == Display::None {
                continue;
            }
            let positioned = style.position != Position::Static;
            let layer = match style.z_index {
                // The top layer is above all, in the order in which it was opened.
                _ if top(id).is_some() => top(id).unwrap_or(i32::MAX),
                Some(z) if positioned => z.saturating_mul(4),
                _ if positioned || style.transform.is_some() || style.opacity < 1.0 => 2,
                _ if style.float != Float::None => 1,
                // In-flow blocks lie under what is inline, which comes later in the tree as a rule.
                _ => 0,
            };
            let stacks = (positioned && style.z_index.is_some())
                || style.transform.is_some()
                || style.opacity < 1.0
                || matches!(style.position, Position::Fixed | Position::Sticky);
            let lifted = layer != 0 || stacks;
            let mut key = context.clone();
            key.push((layer, place));
            order.push((id, key.clone()));
            let below = if lifted { key } else { context };
            if self.dom.is_html(id, "details") || style.content_hidden {
                let children = self.dom.flat_children(id).into_iter().rev();
                let shown = children.filter(|child| !styles.is_skipped(*child));
                open.extend(shown.map(|child| (child, below.clone())));
                continue;
            }
            let children = self.dom.flat_children(id).into_iter().rev();
            let elements = children.filter(|child| self.dom.element(*child).is_some());
            open.extend(elements.map(|child| (child, below.clone())));
        }
        order
    }

    fn is_clipped(&self, id: NodeId, point: Point) -> bool {
        let styles = self.styles();
        let mut position = styles.get(id).map(|style| style.position);
        for up in self.dom.flat_ancestors(id).skip(1) {
            if position == Some(Position::Fixed) {
                return false;
            }
            let own = styles.get(up).map(|style| style.position);
            // An absolute box is clipped only from its containing block on.
            let holds = position != Some(Position::Absolute) || own != Some(Position::Static);
            if holds {
                if self.clips(up) && !self.rect(up).is_some_and(|rect| contains(&rect, point)) {
                    return true;
                }
                position = own;
            }
        }
        false
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
