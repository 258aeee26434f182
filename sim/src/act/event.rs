//! In-page events. No script listens here; what remains of an event is its line in the log.

use crate::dom::{Data, Dom, InputKind};
use crate::world::{Hit, Page, State};
use backlot_core::page::{FrameId, NodeId, NodeKey, ShadowMode};

/// Events that leave shadow trees.
const COMPOSED: &[&str] = &[
    "pointerdown",
    "pointerup",
    "mousedown",
    "mouseup",
    "click",
    "auxclick",
    "dblclick",
    "contextmenu",
    "focus",
    "blur",
    "focusin",
    "focusout",
    "beforeinput",
    "input",
    "keydown",
    "keyup",
    "wheel",
    "pointerover",
    "pointerout",
    "pointermove",
    "mouseover",
    "mouseout",
    "mousemove",
    "copy",
    "cut",
    "paste",
    "dragstart",
    "dragenter",
    "dragover",
    "dragleave",
    "drop",
    "dragend",
];

/// What an event tells beside its target.
#[derive(Debug, Clone, Copy)]
pub(super) enum Detail<'a> {
    Nothing,
    /// Which kind of edit (`inputType`), and its text.
    Edit(&'a str, Option<&'a str>),
    /// Which key.
    Key(&'a str),
}

impl State {
    /// An event at a node: `trusted` where the browser itself makes it.
    pub(crate) fn fire(&mut self, frame: FrameId, target: NodeId, kind: &str, trusted: bool) {
        self.fire_full(frame, target, kind, trusted, (None, Detail::Nothing));
    }

    /// An event that tells more than its target.
    pub(super) fn fire_with(
        &mut self,
        frame: FrameId,
        target: NodeId,
        kind: &str,
        trusted: bool,
        detail: Detail<'_>,
    ) {
        self.fire_full(frame, target, kind, trusted, (None, detail));
    }

    /// An event that comes again and again while nothing changes: it stands in the log once.
    pub(super) fn fire_once(&mut self, frame: FrameId, target: NodeId, kind: &str, trusted: bool) {
        let before = self.event_log.last().cloned();
        self.fire(frame, target, kind, trusted);
        if before.is_some() && self.event_log.last() == before.as_ref() {
            self.event_log.pop();
        }
    }

    /// An event with a related target, which it does not leave the common shadow tree with.
    pub(super) fn fire_between(
        &mut self,
        frame: FrameId,
        target: NodeId,
        kind: &str,
        trusted: bool,
        related: Option<NodeId>,
    ) {
        self.fire_full(frame, target, kind, trusted, (related, Detail::Nothing));
    }

    fn fire_full(
        &mut self,
        frame: FrameId,
        target: NodeId,
        kind: &str,
        trusted: bool,
        (related, detail): (Option<NodeId>, Detail<'_>),
    ) {
        let Some(page) = self.pages.get(&frame) else { return };
        let line = line(page, target, kind, trusted, (related, detail));
        let hit = Hit {
            kind: kind.into(),
            is_trusted: trusted,
            node: NodeKey { document: page.document, node: target },
            around: page.dom.flat_ancestors(target).skip(1).collect(),
            item: page.dom.item_of(target),
        };
        self.hits.push(hit);
        self.event_log.extend(line);
    }
}

fn line(
    page: &Page,
    target: NodeId,
    kind: &str,
    trusted: bool,
    (related, detail): (Option<NodeId>, Detail<'_>),
) -> Option<String> {
    let dom = &page.dom;
    let path = path(dom, target, COMPOSED.contains(&kind))?;
    let outside = |id: NodeId| outermost_host(dom, id);
    if related.is_some_and(|related| outside(related) == outside(target)) {
        return None;
    }
    let seen: Vec<NodeId> = path.into_iter().filter(|id| !is_hidden(dom, *id)).collect();
    let names: Vec<String> = seen.iter().map(|id| name(dom, *id)).collect();
    let shown = match kind {
        "beforeinput" | "input" | "change" => seen.first().map(|id| value(dom, *id)),
        _ => None,
    };
    let shown = shown.unwrap_or_default();
    let detail = match detail {
        Detail::Nothing => String::new(),
        Detail::Edit(kind, None) => format!(" {kind}"),
        Detail::Edit(kind, Some(data)) => format!(" {kind} {}", json(data)),
        Detail::Key(key) => format!(" key={}", json(key)),
    };
    Some(format!("{kind} {} {}<window{shown}{detail}", u8::from(trusted), names.join("<")))
}

fn json(text: &str) -> String {
    // A string always has a JSON form.
    serde_json::to_string(text).unwrap_or_default()
}

/// The event's path up to the document; `None` if it does not get there.
fn path(dom: &Dom, target: NodeId, composed: bool) -> Option<Vec<NodeId>> {
    let mut path = vec![target];
    let own_root = dom.root_of(target);
    let mut at = target;
    loop {
        at = match dom.data(at) {
            Data::Document => return Some(path),
            Data::ShadowRoot { .. } if !composed && at == own_root => return None,
            Data::ShadowRoot { host, .. } => *host,
            _ => match dom.assigned_slot(at) {
                Some(slot) => slot,
                None => dom.parent(at)?,
            },
        };
        path.push(at);
    }
}

/// Inside a closed tree, which nobody outside sees.
fn is_hidden(dom: &Dom, id: NodeId) -> bool {
    dom.inclusive_ancestors(id).any(|up| dom.shadow_mode(up) == Some(ShadowMode::Closed))
}

fn outermost_host(dom: &Dom, id: NodeId) -> NodeId {
    let mut seen = id;
    for up in dom.inclusive_ancestors(id) {
        if let Data::ShadowRoot { host, .. } = dom.data(up) {
            seen = *host;
        }
    }
    seen
}

fn name(dom: &Dom, id: NodeId) -> String {
    match dom.data(id) {
        Data::Document => "#document".into(),
        Data::ShadowRoot { .. } => "#shadow".into(),
        Data::Element(element) => match element.attr("id").filter(|id| !id.is_empty()) {
            Some(id) => format!("{}#{id}", element.tag().to_ascii_lowercase()),
            None => element.tag().to_ascii_lowercase(),
        },
        _ => String::new(),
    }
}

fn value(dom: &Dom, id: NodeId) -> String {
    if dom.input_kind(id).is_some_and(InputKind::is_checkable) {
        return format!(" checked={}", dom.is_checked(id));
    }
    if !matches!(dom.html_tag(id), "input" | "textarea" | "select") {
        return String::new();
    }
    format!(" value={}", json(&dom.value(id)))
}
