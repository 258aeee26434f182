//! `Op::Capture`: one evaluation of the walker, read into core's arena.

use crate::book::SeenDocument;
use crate::session::Link;
use backlot_core::page::{
    Capture, CaptureSpec, CompactString, Control, DocumentKey, Element, Fact, FieldValue, Frame,
    FrameGap, KEPT_ATTRIBUTES, Matches, Namespace, Node, NodeData, NodeId, NodeIdx, PseudoText,
    Rect, ShadowMode, TabId, Why, limits, secret,
};
use backlot_core::port::{DriverError, Millis};
use serde::Deserialize;
use serde_json::json;

use super::facts::{rect, style};

/// Captures a tab.
pub(super) async fn capture(
    link: &Link,
    tab: TabId,
    spec: CaptureSpec,
    deadline: Millis,
) -> Result<Capture, DriverError> {
    let mark = spec.mark.and_then(|of| {
        let context = match of.context {
            Some(key) => Some(link.walker_node(tab, key)?),
            None => None,
        };
        Some(json!({ "node": link.walker_node(tab, of.node)?, "context": context }))
    });
    let argument = json!({
        "styles": spec.styles,
        "boxes": spec.boxes,
        "nodes": spec.nodes_max.min(limits::NODES_MAX),
        "attributes": KEPT_ATTRIBUTES,
        "mark": mark,
        "secrets": secret::SECRET_AUTOCOMPLETE,
        "limits": {
            "text": limits::TEXT_UNITS_MAX,
            "attribute": limits::ATTRIBUTE_UNITS_MAX,
            "depth": limits::DEPTH_MAX,
            "frameDepth": limits::FRAME_DEPTH_MAX,
            "matches": limits::MATCHES_MAX,
        },
        "selectors": spec.selectors,
        "more": spec.attributes,
    });
    // Twice: the documents may be replaced between the walk and the reading of its answer.
    for _ in 0..2 {
        let answer = link.read::<Walked>(tab, "capture", &argument, deadline).await?;
        let sequence = link.book().log.next().0;
        let keys: Option<Vec<DocumentKey>> = {
            let mut book = link.book();
            let frames = answer.value.frames.iter();
            frames
                .map(|walked| {
                    let seen = SeenDocument { document: walked.document, frame: walked.frame };
                    book.document(tab, &answer.context, seen)
                })
                .collect()
        };
        if let Some(keys) = keys {
            let frames = answer.value.frames.into_iter().zip(keys);
            let frames: Vec<Frame> =
                frames.map(|(frame, key)| read_frame(frame, key, &spec)).collect();
            if !frames.is_empty() {
                let (mark, matches) = (answer.value.mark, answer.value.matches);
                let matches = matches.into_iter().map(read_matches).collect();
                return Ok(Capture { tab, sequence, mark, matches, frames });
            }
        }
    }
    Err(DriverError::DocumentGone)
}

#[derive(Debug, Deserialize)]
struct Walked {
    frames: Vec<WalkedFrame>,
    mark: Option<String>,
    matches: Vec<Option<Vec<u32>>>,
}

#[derive(Debug, Deserialize)]
struct WalkedFrame {
    #[serde(rename = "d")]
    document: u32,
    #[serde(rename = "f")]
    frame: u32,
    #[serde(rename = "o")]
    owner: Option<(u32, NodeIdx)>,
    #[serde(rename = "u")]
    url: String,
    #[serde(rename = "t")]
    title: String,
    #[serde(rename = "w")]
    width: f64,
    #[serde(rename = "h")]
    height: f64,
    #[serde(rename = "g")]
    gap: u8,
    #[serde(rename = "c")]
    cut: u32,
    #[serde(rename = "a")]
    active: Option<NodeIdx>,
    #[serde(rename = "m")]
    modal: Vec<NodeIdx>,
    #[serde(rename = "n")]
    nodes: Vec<WalkedNode>,
}

/// One node; which fields it has says what it is.
#[derive(Debug, Deserialize)]
struct WalkedNode {
    #[serde(rename = "i")]
    id: u32,
    #[serde(rename = "p", default)]
    parent: Option<NodeIdx>,
    #[serde(rename = "x", default)]
    text: Option<CompactString>,
    #[serde(rename = "h", default)]
    shadow: u8,
    #[serde(rename = "t", default)]
    tag: CompactString,
    #[serde(rename = "s", default)]
    namespace: u8,
    #[serde(rename = "a", default)]
    attributes: Vec<CompactString>,
    #[serde(rename = "v", default)]
    control: Option<WalkedControl>,
    #[serde(rename = "y", default)]
    style: Option<u32>,
    #[serde(rename = "r", default)]
    rect: Option<[f64; 4]>,
    #[serde(rename = "b", default)]
    before: Option<(String, u8)>,
    #[serde(rename = "e", default)]
    after: Option<(String, u8)>,
    #[serde(rename = "l", default)]
    assigned: Vec<NodeIdx>,
    #[serde(rename = "f", default)]
    frame: Option<u32>,
}

#[derive(Debug, Deserialize)]
struct WalkedControl {
    #[serde(rename = "k")]
    kind: u8,
    #[serde(rename = "v", default)]
    value: String,
    #[serde(rename = "c", default)]
    checked: u8,
    #[serde(rename = "d", default)]
    indeterminate: u8,
    #[serde(rename = "o", default)]
    selected: u8,
}

fn read_matches(numbers: Option<Vec<u32>>) -> Matches {
    match numbers {
        Some(numbers) => Matches::Nodes(numbers.into_iter().map(NodeId).collect()),
        None => Matches::Invalid,
    }
}

fn read_frame(walked: WalkedFrame, document: DocumentKey, spec: &CaptureSpec) -> Frame {
    let nodes = walked.nodes.into_iter().map(|node| read_node(node, spec)).collect();
    let mut frame = Frame::new(document, walked.url, nodes);
    frame.owner = walked.owner;
    frame.title = walked.title;
    frame.viewport = Rect { x: 0.0, y: 0.0, width: walked.width, height: walked.height };
    frame.gap = match walked.gap {
        0 => None,
        1 => Some(FrameGap::CrossOrigin),
        _ => Some(FrameGap::TooDeep),
    };
    frame.cut = walked.cut;
    frame.focused = walked.active;
    frame.modal = walked.modal;
    frame
}

fn read_node(walked: WalkedNode, spec: &CaptureSpec) -> Node {
    let id = NodeId(walked.id);
    let parent = walked.parent;
    let data = if let Some(text) = walked.text {
        NodeData::Text(text)
    } else if walked.shadow != 0 {
        NodeData::ShadowRoot(match walked.shadow {
            1 => ShadowMode::Open,
            _ => ShadowMode::Closed,
        })
    } else {
        NodeData::Element(Box::new(read_element(walked, spec)))
    };
    Node { id, parent, end: 0, data }
}

fn read_element(walked: WalkedNode, spec: &CaptureSpec) -> Element {
    let namespace = match walked.namespace {
        0 => Namespace::Html,
        1 => Namespace::Svg,
        2 => Namespace::MathMl,
        _ => Namespace::Other,
    };
    let mut element = Element::new(walked.tag, namespace);
    let mut attributes = walked.attributes.into_iter();
    let mut pairs = Vec::with_capacity(attributes.len() / 2);
    while let (Some(name), Some(value)) = (attributes.next(), attributes.next()) {
        pairs.push((name, value));
    }
    element.attributes = pairs.into();
    element.control = walked.control.map(|control| Box::new(read_control(control)));
    if let Some(bits) = walked.style.filter(|_| spec.styles) {
        element.style = Fact::Known(style(bits));
    }
    if spec.boxes {
        element.rect = match walked.rect {
            Some(edges) => Fact::Known(rect(edges)),
            None => Fact::Unavailable(Why::NotRendered),
        };
    }
    let pseudo = |(text, block): (String, u8)| Box::new(PseudoText { text, block: block != 0 });
    element.before = walked.before.map(pseudo);
    element.after = walked.after.map(pseudo);
    element.assigned = walked.assigned.into();
    element.frame = walked.frame;
    element
}

fn read_control(walked: WalkedControl) -> Control {
    Control {
        value: match walked.kind {
            0 => FieldValue::None,
            1 => FieldValue::Text(walked.value),
            _ => FieldValue::Secret { filled: !walked.value.is_empty() },
        },
        checked: walked.checked != 0,
        indeterminate: walked.indeterminate != 0,
        selected: walked.selected != 0,
    }
}
