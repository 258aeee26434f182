//! From pages to a capture. Gathers facts and decides nothing.

use crate::dom::{Data, Dom, InputKind, TopKind};
use crate::style::{Display, PseudoStyle, Styles, has_no_box};
use crate::world::{Page, State};
use backlot_core::page::limits::{
    ATTRIBUTE_UNITS_MAX, DEPTH_MAX, MATCHES_MAX, NODES_MAX, TEXT_UNITS_MAX,
};
use backlot_core::page::{
    Capture, CaptureSpec, Control, Element, Fact, FieldValue, Frame, FrameId, Matches, Node,
    NodeData, NodeId, NodeIdx, PseudoText, Rect, ShadowMode, Style, TabId, Why, is_kept_attribute,
    secret,
};
use std::collections::BTreeMap;

/// Tags, of any namespace, whose subtrees are not captured.
const LEFT_OUT: &[&str] = &["head", "script", "style", "template", "link", "meta"];

/// A frame to be walked: which, the place of the frame element, the level of that element.
type ToDo = (FrameId, Option<(u32, NodeIdx)>, u32);

/// Captures a tab's frames, the top one first, each after its parent as a recursive walk meets the frame elements.
pub(crate) fn capture(state: &State, tab: TabId, top: FrameId, spec: &CaptureSpec) -> Capture {
    let mut frames: Vec<Frame> = Vec::new();
    let mut left = spec.nodes_max.min(NODES_MAX);
    let mut open: Vec<ToDo> = vec![(top, None, 0)];
    while let Some((id, owner, level)) = open.pop() {
        let Some(page) = state.pages.get(&id) else { continue };
        let at = u32::try_from(frames.len()).unwrap_or(u32::MAX);
        if let Some((parent, element)) = owner
            && let NodeData::Element(element) =
                &mut frames[parent as usize].nodes[element as usize].data
        {
            element.frame = Some(at);
        }
        let mut walk = Walk::new(page, state.boxes(page, spec), spec, left, level);
        if page.gap.is_none() {
            walk.run();
        }
        left = walk.left;
        let children: Vec<ToDo> = walk
            .frame_elements
            .iter()
            .filter_map(|(node, element, level)| {
                Some((*page.frames.get(node)?, Some((at, *element)), *level))
            })
            .collect();
        open.extend(children.into_iter().rev());
        frames.push(walk.finish(owner));
    }
    let mark = spec.mark.and_then(|of| {
        let page = state.page_of(tab, of.node)?;
        Some(crate::probe::mark(&page.dom, of.node.node, of.context.map(|key| key.node)))
    });
    let matches = spec.selectors.iter().map(|selector| matches(state, top, selector)).collect();
    Capture { tab, sequence: state.sequence, mark, matches, frames }
}

/// What scripts of the page's origin could find: nothing in closed shadow trees.
fn matches(state: &State, top: FrameId, selector: &str) -> Matches {
    let Some(page) = state.pages.get(&top) else { return Matches::Nodes(Vec::new()) };
    let dom = &page.dom;
    let is_open = |id: &NodeId| {
        dom.inclusive_ancestors(*id).all(|up| dom.shadow_mode(up) != Some(ShadowMode::Closed))
    };
    match crate::style::selector::query_all(dom, selector) {
        Some(found) => {
            Matches::Nodes(found.into_iter().filter(is_open).take(MATCHES_MAX as usize).collect())
        }
        None => Matches::Invalid,
    }
}

/// Border boxes of rendered elements.
pub(crate) type Rects = BTreeMap<NodeId, Rect>;

struct Walk<'a> {
    page: &'a Page,
    dom: &'a Dom,
    styles: std::rc::Rc<Styles>,
    rects: Option<Rects>,
    spec: &'a CaptureSpec,
    left: u32,
    base_level: u32,
    cut: u32,
    nodes: Vec<Node>,
    places: BTreeMap<NodeId, NodeIdx>,
    frame_elements: Vec<(NodeId, NodeIdx, u32)>,
}

/// A node to be visited: which, the place of its parent, its level, and whether it only counts as cut.
type Visit = (NodeId, Option<NodeIdx>, u32, bool);

impl<'a> Walk<'a> {
    fn new(
        page: &'a Page,
        rects: Option<Rects>,
        spec: &'a CaptureSpec,
        left: u32,
        base_level: u32,
    ) -> Self {
        Self {
            page,
            dom: &page.dom,
            styles: page.styles(),
            rects,
            spec,
            left,
            base_level,
            cut: 0,
            nodes: Vec::new(),
            places: BTreeMap::new(),
            frame_elements: Vec::new(),
        }
    }

    fn run(&mut self) {
        let mut open: Vec<Visit> = Vec::new();
        self.push_children(Dom::DOCUMENT, None, self.base_level + 1, false, &mut open);
        while let Some((id, parent, level, cut)) = open.pop() {
            let cut = cut || self.left == 0 || level > DEPTH_MAX;
            if cut {
                self.cut += 1;
                self.push_children(id, None, level + 1, true, &mut open);
                continue;
            }
            self.left -= 1;
            let at = u32::try_from(self.nodes.len()).unwrap_or(u32::MAX);
            self.places.insert(id, at);
            let data = match self.dom.data(id) {
                Data::Text(text) => NodeData::Text(cut_units(text, TEXT_UNITS_MAX)),
                Data::ShadowRoot { mode, .. } => NodeData::ShadowRoot(*mode),
                _ => NodeData::Element(Box::new(self.element(id))),
            };
            if matches!(self.dom.html_tag(id), "iframe" | "frame") {
                self.frame_elements.push((id, at, level));
            }
            self.nodes.push(Node { id, parent, end: 0, data });
            self.push_children(id, Some(at), level + 1, false, &mut open);
        }
    }

    /// Pushes what is captured below a node, so that the first one is popped first.
    fn push_children(
        &self,
        id: NodeId,
        at: Option<NodeIdx>,
        level: u32,
        cut: bool,
        open: &mut Vec<Visit>,
    ) {
        let mut child = self.dom.last_child(id);
        while let Some(next) = child {
            if self.is_captured(next) {
                open.push((next, at, level, cut));
            }
            child = self.dom.prev_sibling(next);
        }
        // Nobody outside sees into a closed root, the live driver included.
        if let Some(root) = self.dom.shadow_of(id)
            && self.dom.shadow_mode(root) == Some(ShadowMode::Open)
        {
            open.push((root, at, level, cut));
        }
    }

    fn is_captured(&self, id: NodeId) -> bool {
        match self.dom.data(id) {
            Data::Text(_) => true,
            Data::Element(element) => !LEFT_OUT.contains(&element.tag()),
            _ => false,
        }
    }

    fn element(&self, id: NodeId) -> Element {
        let Some(data) = self.dom.element(id) else {
            return Element::new("", backlot_core::page::Namespace::Other);
        };
        let mut element = Element::new(data.tag(), data.namespace());
        let is_secret = self.is_secret(id);
        element.attributes = data
            .attrs
            .iter()
            .filter(|attr| {
                is_kept_attribute(&attr.name) || self.spec.attributes.contains(&attr.name)
            })
            // The initial value of a secret field is as secret as the live one.
            .filter(|attr| !(is_secret && attr.name == "value"))
            .map(|attr| (attr.name.clone(), cut_units(&attr.value, ATTRIBUTE_UNITS_MAX)))
            .collect();
        element.control = self.control(id, is_secret);
        if self.spec.styles {
            let style = style_of(&self.styles, id);
            let boxless = has_no_box(&self.page.dom, id);
            let display = if boxless { backlot_core::page::Display::None } else { style.display };
            element.style = Fact::Known(Style { display, ..style });
            let rendered = self.styles.get(id).is_some_and(|s| s.display != Display::None);
            if rendered {
                element.before = self.styles.before(id).and_then(pseudo_text);
                element.after = self.styles.after(id).and_then(pseudo_text);
            }
        }
        if let Some(rects) = &self.rects {
            element.rect = match rects.get(&id) {
                Some(rect) => Fact::Known(*rect),
                None => Fact::Unavailable(Why::NotRendered),
            };
        }
        element
    }

    fn is_secret(&self, id: NodeId) -> bool {
        is_secret(self.dom, id)
    }

    fn control(&self, id: NodeId, is_secret: bool) -> Option<Control> {
        let live = &self.dom.element(id)?.live;
        let value = match self.dom.html_tag(id) {
            "input" => {
                let kind = self.dom.input_kind(id).unwrap_or(InputKind::Text);
                if kind.is_textless() { None } else { Some(self.dom.value(id)) }
            }
            "textarea" => Some(self.dom.value(id)),
            "select" | "option" => None,
            _ => return None,
        };
        let value = match value {
            None => FieldValue::None,
            Some(value) if is_secret => FieldValue::Secret { filled: !value.is_empty() },
            Some(value) => FieldValue::Text(cut_units(&value, TEXT_UNITS_MAX)),
        };
        let checkable = self.dom.input_kind(id).is_some_and(InputKind::is_checkable);
        Some(Control {
            value,
            checked: checkable && live.checked,
            indeterminate: live.indeterminate,
            selected: live.selected,
        })
    }

    fn finish(mut self, owner: Option<(u32, NodeIdx)>) -> Frame {
        for (id, at) in &self.places {
            let assigned: Vec<NodeIdx> = self
                .dom
                .assigned(*id)
                .iter()
                .filter_map(|node| self.places.get(node).copied())
                .collect();
            if let NodeData::Element(element) = &mut self.nodes[*at as usize].data {
                element.assigned = assigned;
            }
        }
        let url = cut_units(self.page.url.as_str(), ATTRIBUTE_UNITS_MAX);
        let mut frame = Frame::new(self.page.document, url, self.nodes);
        frame.owner = owner;
        frame.gap = self.page.gap;
        frame.cut = self.cut;
        if frame.gap.is_none() {
            frame.title = cut_units(&self.dom.title(), ATTRIBUTE_UNITS_MAX);
        }
        let (width, height) = self.page.viewport;
        frame.viewport =
            Rect { x: 0.0, y: 0.0, width: f64::from(width), height: f64::from(height) };
        let modal = self.dom.tops().filter(|top| top.kind == TopKind::Modal);
        frame.modal = modal.filter_map(|top| self.places.get(&top.node).copied()).collect();
        // The focus inside a closed tree shows as the focus of its host.
        frame.focused = self.dom.focused.and_then(|focused| {
            self.dom.inclusive_ancestors(focused).find_map(|up| self.places.get(&up).copied())
        });
        frame
    }
}

/// Whether the live value of a field must not leave the page.
pub(crate) fn is_secret(dom: &Dom, id: NodeId) -> bool {
    let Some(element) = dom.element(id) else { return false };
    let kind = match dom.html_tag(id) {
        "input" => element.attr("type").unwrap_or_default(),
        "textarea" => "",
        _ => return false,
    };
    let autocomplete = element.attr("autocomplete").unwrap_or_default();
    secret::is_secret_field(kind.trim(), autocomplete, element.live.was_password)
}

/// The computed style as the page's own `getComputedStyle` would tell it.
pub(crate) fn style_of(styles: &Styles, id: NodeId) -> Style {
    match styles.get(id) {
        Some(style) => Style {
            display: style.display.outer(),
            visibility: style.visibility,
            cursor_pointer: style.cursor_pointer,
            contents_skipped: style.content_hidden || styles.is_skipped(id),
            out_of_flow: style.out_of_flow(),
            text_transform: style.text_transform,
        },
        // Outside the flat tree: no style is computed.
        None => Style { display: backlot_core::page::Display::None, ..Style::BLOCK },
    }
}

fn pseudo_text(pseudo: &PseudoStyle) -> Option<PseudoText> {
    let text = cut_units(&pseudo.told, TEXT_UNITS_MAX);
    let block = pseudo.style.display != Display::Inline;
    (!text.is_empty()).then_some(PseudoText { text, block })
}

/// Cuts to so many UTF-16 code units, never inside a character.
pub(crate) fn cut_units(text: &str, units: u32) -> String {
    let units = units as usize;
    if text.len() <= units {
        return text.into();
    }
    let mut count = 0;
    text.chars()
        .take_while(|c| {
            count += c.len_utf16();
            count <= units
        })
        .collect()
}
