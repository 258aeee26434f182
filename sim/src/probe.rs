//! The state of one node.

use crate::capture::style_of;
use crate::dom::{Dom, InputKind};
use crate::style::Size;
use crate::world::{Page, State};
use backlot_core::page::{NodeId, NodeKey, Rect, TabId};
use backlot_core::port::{FrameStep, Probe};
use std::fmt::Write;

/// Attributes that take part in a node's mark.
const NAMING: &[&str] = &[
    "role",
    "type",
    "aria-label",
    "aria-labelledby",
    "title",
    "alt",
    "placeholder",
    "name",
    "href",
    "value",
];

/// Most UTF-16 code units of a text in a mark.
const TEXT_UNITS_MAX: u32 = 200;

impl State {
    pub(crate) fn probe(&self, tab: TabId, key: NodeKey) -> Option<Probe> {
        let page = self.page_of(tab, key)?;
        let (dom, id) = (&page.dom, key.node);
        let styles = page.styles();
        let rendered = styles.is_rendered(dom, id);
        Some(Probe {
            rect: page.rect(id).filter(|_| rendered).unwrap_or_default(),
            style: style_of(&styles, id),
            rendered,
            disabled: is_disabled(dom, id),
            inert: self.is_inert(page, id),
            readonly: dom.has_attr(id, "readonly") || dom.attr(id, "aria-readonly") == Some("true"),
            frames: self.steps(page),
        })
    }

    /// An `inert` element around it, in any frame.
    pub(crate) fn is_inert(&self, page: &Page, id: NodeId) -> bool {
        let mut at = Some((page, id));
        while let Some((page, id)) = at {
            let is_off = page.dom.flat_ancestors(id).any(|up| page.dom.has_attr(up, "inert"));
            if is_off || page.dom.is_behind_modal(id) {
                return true;
            }
            at = page.owner.and_then(|(parent, element)| Some((self.pages.get(&parent)?, element)));
        }
        false
    }

    fn steps(&self, page: &Page) -> Vec<FrameStep> {
        let mut steps = Vec::new();
        let mut at = Some(page);
        while let Some(page) = at {
            let parent = page.owner.and_then(|(id, element)| Some((self.pages.get(&id)?, element)));
            steps.push(step(page, parent));
            at = parent.map(|(parent, _)| parent);
        }
        steps.reverse();
        steps
    }
}

fn step(page: &Page, parent: Option<(&Page, NodeId)>) -> FrameStep {
    let (width, height) = page.viewport;
    let mut step = FrameStep {
        document: page.document,
        viewport: Rect { x: 0.0, y: 0.0, width: f64::from(width), height: f64::from(height) },
        owner_rect: None,
        border: (0.0, 0.0),
        padding: (0.0, 0.0),
        layout_size: (0.0, 0.0),
        unsupported: None,
    };
    let Some((parent, element)) = parent else { return step };
    let rect = parent.rect(element).unwrap_or_default();
    step.owner_rect = Some(rect);
    step.layout_size = (rect.width, rect.height);
    if let Some(style) = parent.styles().get(element) {
        let padding = |side: usize| match style.padding[side] {
            Size::Given { px, .. } => f64::from(px),
            _ => 0.0,
        };
        step.border = (f64::from(style.border_width(3)), f64::from(style.border_width(0)));
        step.padding = (padding(3), padding(0));
        let edges =
            f64::from(style.border_width(1) + style.border_width(3)) + padding(1) + padding(3);
        let tall =
            f64::from(style.border_width(0) + style.border_width(2)) + padding(0) + padding(2);
        step.layout_size = (f64::from(width) + edges, f64::from(height) + tall);
    }
    let styles = parent.styles();
    let turned = parent.dom.flat_ancestors(element).any(|up| {
        styles.get(up).is_some_and(|style| style.transform.as_ref().is_some_and(|t| t.turns()))
    });
    step.unsupported = turned.then(|| "the frame is rotated or skewed".into());
    step
}

/// Disabled by itself or by what is around it.
pub(crate) fn is_disabled(dom: &Dom, id: NodeId) -> bool {
    let aria = dom.flat_ancestors(id).any(|up| dom.attr(up, "aria-disabled") == Some("true"));
    let option = dom.is_html(id, "option")
        && dom.select_of(id).is_some_and(|select| dom.is_disabled(select));
    aria || option || dom.is_disabled(id)
}

/// Equal as long as a node means the same thing.
pub(crate) fn mark(dom: &Dom, id: NodeId, given: Option<NodeId>) -> String {
    let mut text = own_mark(dom, id);
    let context = given.or_else(|| dom.flat_ancestors(id).skip(1).find(|up| is_context(dom, *up)));
    if let Some(context) = context {
        // Without the live values inside: typing must not make another thing of the row.
        let _written = write!(text, " in {}", own_mark(dom, context));
    }
    text
}

fn own_mark(dom: &Dom, id: NodeId) -> String {
    let mut text = dom.element(id).map(|element| element.tag().to_string()).unwrap_or_default();
    let secret = dom.input_kind(id) == Some(InputKind::Password);
    for name in NAMING {
        if let Some(value) = dom.attr(id, name).filter(|_| !(secret && *name == "value")) {
            let _written = write!(text, " {name}={value:?}");
        }
    }
    let own = if dom.is_html(id, "select") { String::new() } else { dom.text_content(id) };
    let own = own.split_whitespace().collect::<Vec<_>>().join(" ");
    let _written = write!(text, " {:?}", crate::capture::cut_units(&own, TEXT_UNITS_MAX));
    text
}

fn is_context(dom: &Dom, id: NodeId) -> bool {
    matches!(dom.html_tag(id), "tr" | "li" | "article" | "option" | "dialog")
        || matches!(
            dom.attr(id, "role"),
            Some("row" | "listitem" | "article" | "option" | "dialog")
        )
}
