//! `Op::BrowserTree`: the browser's own accessibility tree of the top frame.

use crate::session::Link;
use backlot_core::page::TabId;
use backlot_core::port::{BrowserNode, DriverError, Millis};
use serde::Deserialize;
use serde_json::json;
use std::collections::BTreeMap;

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct AxNode {
    node_id: String,
    ignored: bool,
    role: Option<AxValue>,
    name: Option<AxValue>,
    parent_id: Option<String>,
    #[serde(default)]
    child_ids: Vec<String>,
}

#[derive(Debug, Deserialize)]
struct AxValue {
    value: Option<serde_json::Value>,
}

/// The nodes that the browser does not ignore, in tree order, without the root.
pub(super) async fn browser_tree(
    link: &Link,
    tab: TabId,
    deadline: Millis,
) -> Result<Vec<BrowserNode>, DriverError> {
    let method = "Accessibility.getFullAXTree";
    let mut answer = link.tab(tab, method, json!({}), deadline).await?;
    let nodes: Vec<AxNode> = serde_json::from_value(answer["nodes"].take())
        .map_err(|e| DriverError::Refused { method: method.into(), reason: e.to_string() })?;
    let by_id: BTreeMap<&str, &AxNode> =
        nodes.iter().map(|node| (node.node_id.as_str(), node)).collect();
    let mut flat = Vec::new();
    let roots = nodes.iter().filter(|node| node.parent_id.is_none());
    let mut open: Vec<(&AxNode, u32)> = roots.map(|node| (node, 0)).collect();
    open.reverse();
    // A tree has each node once; more steps than nodes would be a circle.
    for _ in 0..nodes.len() {
        let Some((node, depth)) = open.pop() else { break };
        let shown = !node.ignored && node.parent_id.is_some();
        if shown {
            flat.push(BrowserNode { depth, role: word(&node.role), name: word(&node.name) });
        }
        let below = depth + u32::from(shown);
        let children = node.child_ids.iter().rev().filter_map(|id| by_id.get(id.as_str()));
        open.extend(children.map(|child| (*child, below)));
    }
    Ok(flat)
}

fn word(value: &Option<AxValue>) -> String {
    let value = value.as_ref().and_then(|value| value.value.as_ref());
    value.and_then(serde_json::Value::as_str).unwrap_or_default().to_string()
}
