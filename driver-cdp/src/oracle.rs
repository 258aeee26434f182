//! The browser's own accessibility tree beside a capture, node by node: what a harness compares ours with. No tool sees it.
//!
//! The browser names its nodes by numbers of the DevTools protocol, the walker by its own. A snapshot of the tree has the
//! former in the shape of the latter, so the two are laid upon each other; where they do not fit, the page has changed.

use crate::clock;
use crate::session::Link;
use backlot_core::page::{Capture, Frame, FrameLookup, NodeData, NodeIdx, TabId};
use backlot_core::port::{DriverError, Millis};
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Longest wait for all answers of one tree, ms.
const TREE_MS: u64 = 30_000;

/// Subtrees that a capture never has, as the walker names them.
const SKIPPED: &[&str] = &["head", "script", "style", "template", "link", "meta"];

/// One node of a capture as the browser's accessibility tree has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OracleNode {
    /// Place of its frame in [`Capture::frames`].
    pub frame: usize,
    /// Its place there.
    pub node: NodeIdx,
    /// The browser keeps it from its users.
    pub ignored: bool,
    /// Why, in the browser's words; `absent` where its tree has no such node; empty where it is not ignored.
    pub reasons: Vec<String>,
    /// The browser's role word: a role of WAI-ARIA, or a word of its own.
    pub role: String,
    /// Its name.
    pub name: String,
    /// Its description.
    pub description: String,
    /// States and properties: booleans, numbers and words as text.
    pub properties: BTreeMap<String, String>,
}

impl OracleNode {
    /// A node that the browser's tree does not even ignore.
    fn absent(frame: usize, node: NodeIdx) -> Self {
        Self {
            frame,
            node,
            ignored: true,
            reasons: vec!["absent".into()],
            role: String::new(),
            name: String::new(),
            description: String::new(),
            properties: BTreeMap::new(),
        }
    }
}

/// The browser's trees of all frames of a capture that it can tell; `None` if the page has changed since the capture.
pub(crate) async fn tree(
    link: &Link,
    capture: &Capture,
) -> Result<Option<Vec<OracleNode>>, DriverError> {
    let deadline = clock::now().plus(TREE_MS);
    let snapshot: Snapshot = ask(
        link,
        capture.tab,
        "DOMSnapshot.captureSnapshot",
        json!({ "computedStyles": [] }),
        deadline,
    )
    .await?;
    let mut nodes = Vec::new();
    // Which document of the snapshot each frame of the capture is.
    let mut documents: Vec<Option<(usize, Vec<Option<usize>>)>> = Vec::new();
    for (at, frame) in capture.frames.iter().enumerate() {
        let document = match frame.owner {
            None => Some(0),
            Some((owner, element)) => documents
                .get(owner as usize)
                .and_then(Option::as_ref)
                .and_then(|(document, places)| {
                    let place = *places.get(element as usize)?.as_ref()?;
                    snapshot.documents.get(*document)?.nodes.inner_document(place)
                }),
        };
        let Some(document) = document.filter(|_| frame.gap.is_none()) else {
            documents.push(None);
            continue;
        };
        let Some(tree) = snapshot.documents.get(document) else { return Ok(None) };
        let Some(places) = lay_upon(frame, &tree.nodes, &snapshot.strings) else { return Ok(None) };
        let frame_id = snapshot.text(tree.frame_id);
        let parameters = json!({ "frameId": frame_id });
        let answer: AxTree =
            ask(link, capture.tab, "Accessibility.getFullAXTree", parameters, deadline).await?;
        let by_backend: BTreeMap<i64, NodeIdx> = (0..)
            .zip(&places)
            .filter_map(|(node, place)| Some((*tree.nodes.backend_node_id.get((*place)?)?, node)))
            .collect();
        // The browser tells the document; the root element, which is one with it, it ignores.
        let root =
            (0..).zip(&frame.nodes).find(|(_, node)| node.parent.is_none()).map(|(at, _)| at);
        let by_backend = with_root(by_backend, &tree.nodes, root);
        let told = answer.nodes.into_iter().filter_map(|node| {
            let place = *by_backend.get(&node.backend?)?;
            Some((place, node.read(at, place)))
        });
        let mut told: BTreeMap<NodeIdx, OracleNode> = told.collect();
        for place in by_backend.values() {
            told.entry(*place).or_insert_with(|| OracleNode::absent(at, *place));
        }
        nodes.extend(told.into_values());
        documents.push(Some((document, places)));
    }
    Ok(Some(nodes))
}

/// The document in place of its root element.
fn with_root(
    mut by_backend: BTreeMap<i64, NodeIdx>,
    nodes: &SnapshotNodes,
    root: Option<NodeIdx>,
) -> BTreeMap<i64, NodeIdx> {
    let document = nodes.node_type.iter().position(|kind| *kind == 9);
    if let (Some(root), Some(document)) = (root, document) {
        by_backend.retain(|_, node| *node != root);
        by_backend.extend(nodes.backend_node_id.get(document).map(|id| (*id, root)));
    }
    by_backend
}

async fn ask<T: serde::de::DeserializeOwned>(
    link: &Link,
    tab: TabId,
    method: &'static str,
    parameters: Value,
    deadline: Millis,
) -> Result<T, DriverError> {
    let answer = link.tab(tab, method, parameters, deadline).await?;
    serde_json::from_value(answer)
        .map_err(|e| DriverError::Refused { method: method.into(), reason: e.to_string() })
}

#[derive(Debug, Deserialize)]
struct Snapshot {
    documents: Vec<SnapshotDocument>,
    strings: Vec<String>,
}

impl Snapshot {
    fn text(&self, at: i64) -> &str {
        text(&self.strings, at)
    }
}

fn text(strings: &[String], at: i64) -> &str {
    usize::try_from(at).ok().and_then(|at| strings.get(at)).map_or("", String::as_str)
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct SnapshotDocument {
    frame_id: i64,
    nodes: SnapshotNodes,
}

/// Nodes in columns.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct SnapshotNodes {
    parent_index: Vec<i64>,
    node_type: Vec<u8>,
    node_name: Vec<i64>,
    backend_node_id: Vec<i64>,
    #[serde(default)]
    shadow_root_type: Rare,
    #[serde(default)]
    content_document_index: Rare,
    #[serde(default)]
    pseudo_type: Rare,
}

/// A column that few nodes have, by rising place.
#[derive(Debug, Default, Deserialize)]
struct Rare {
    index: Vec<usize>,
    value: Vec<i64>,
}

impl Rare {
    fn get(&self, at: usize) -> Option<i64> {
        let place = self.index.binary_search(&at).ok()?;
        self.value.get(place).copied()
    }
}

impl SnapshotNodes {
    fn inner_document(&self, at: usize) -> Option<usize> {
        self.content_document_index.get(at).and_then(|document| usize::try_from(document).ok())
    }

    /// Children in the flat tree as a capture has them. A host of a closed shadow tree, which no capture sees into, has none.
    fn children(&self, strings: &[String]) -> BTreeMap<usize, Vec<usize>> {
        let mut children: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (at, parent) in self.parent_index.iter().enumerate() {
            let Ok(parent) = usize::try_from(*parent) else { continue };
            let name = text(strings, self.node_name[at]);
            let kept = match self.node_type[at] {
                1 => {
                    let local = name.rsplit(':').next().unwrap_or(name).to_ascii_lowercase();
                    self.pseudo_type.get(at).is_none() && !SKIPPED.contains(&local.as_str())
                }
                3 | 4 => true,
                _ => false,
            };
            let closed =
                self.shadow_root_type.get(at).is_some_and(|kind| text(strings, kind) == "closed");
            if kept && !closed {
                children.entry(parent).or_default().push(at);
            }
        }
        children
    }
}

/// For each node of a frame its place in the snapshot; `None` as a whole where the two trees do not fit.
fn lay_upon(
    frame: &Frame,
    nodes: &SnapshotNodes,
    strings: &[String],
) -> Option<Vec<Option<usize>>> {
    let theirs = nodes.children(strings);
    let mut places: Vec<Option<usize>> = vec![None; frame.nodes.len()];
    let lookup = FrameLookup::new(frame);
    let document = nodes.node_type.iter().position(|kind| *kind == 9)?;
    let roots = (0..).zip(&frame.nodes).filter(|(_, node)| node.parent.is_none()).map(|(at, _)| at);
    let mut open: Vec<(Vec<NodeIdx>, usize)> = vec![(roots.collect(), document)];
    while let Some((children, their_parent)) = open.pop() {
        // What one side cannot see into is left out as a whole: the text of a field, a closed shadow tree.
        let Some(candidates) = theirs.get(&their_parent).filter(|_| !children.is_empty()) else {
            continue;
        };
        if candidates.len() != children.len() {
            return None;
        }
        for (our, their) in children.into_iter().zip(candidates) {
            if !fits(&frame.node(our).data, nodes, *their, strings) {
                return None;
            }
            places[our as usize] = Some(*their);
            open.push((lookup.flat_children(our).collect(), *their));
        }
    }
    Some(places)
}

fn fits(data: &NodeData, nodes: &SnapshotNodes, at: usize, strings: &[String]) -> bool {
    match data {
        NodeData::Element(element) => {
            let name = text(strings, nodes.node_name[at]);
            nodes.node_type[at] == 1
                && name
                    .rsplit(':')
                    .next()
                    .is_some_and(|local| local.eq_ignore_ascii_case(&element.tag))
        }
        NodeData::Text(_) => matches!(nodes.node_type[at], 3 | 4),
        // A flat tree has none.
        NodeData::ShadowRoot(_) => false,
    }
}

#[derive(Debug, Deserialize)]
struct AxTree {
    nodes: Vec<AxNode>,
}

#[derive(Debug, Deserialize)]
struct AxNode {
    ignored: bool,
    #[serde(rename = "backendDOMNodeId")]
    backend: Option<i64>,
    role: Option<AxValue>,
    name: Option<AxValue>,
    description: Option<AxValue>,
    value: Option<AxValue>,
    #[serde(default)]
    properties: Vec<AxProperty>,
    #[serde(default, rename = "ignoredReasons")]
    reasons: Vec<AxProperty>,
}

#[derive(Debug, Deserialize)]
struct AxProperty {
    name: String,
    value: AxValue,
}

#[derive(Debug, Deserialize)]
struct AxValue {
    value: Option<Value>,
}

impl AxNode {
    fn read(self, frame: usize, node: NodeIdx) -> OracleNode {
        let word = |value: Option<AxValue>| value.and_then(AxValue::word).unwrap_or_default();
        let mut properties: BTreeMap<String, String> = self
            .properties
            .into_iter()
            .filter_map(|property| Some((property.name, property.value.word()?)))
            .collect();
        if let Some(value) = self.value.and_then(AxValue::word) {
            properties.insert("value".into(), value);
        }
        OracleNode {
            frame,
            node,
            ignored: self.ignored,
            reasons: self.reasons.into_iter().map(|reason| reason.name).collect(),
            role: word(self.role),
            name: word(self.name),
            description: word(self.description),
            properties,
        }
    }
}

impl AxValue {
    /// The value as text, where it is one value.
    fn word(self) -> Option<String> {
        match self.value? {
            Value::String(text) => Some(text),
            Value::Bool(flag) => Some(flag.to_string()),
            Value::Number(number) => Some(number.to_string()),
            Value::Null | Value::Array(_) | Value::Object(_) => None,
        }
    }
}
