//! `Op::Html`, `Op::Cookies`, `Op::NodeAt`.

use crate::book::SeenDocument;
use crate::session::Link;
use backlot_core::frame::Point;
use backlot_core::page::{NodeId, NodeKey, TabId, secret};
use backlot_core::port::{Cookie, DriverError, Millis};
use serde::Deserialize;
use serde_json::{Value, json};

/// The top document as HTML.
pub(super) async fn html(link: &Link, tab: TabId, deadline: Millis) -> Result<String, DriverError> {
    let argument = json!({ "secrets": secret::SECRET_AUTOCOMPLETE });
    Ok(link.read::<String>(tab, "html", &argument, deadline).await?.value)
}

/// The cookies that the tab's URL is sent.
pub(super) async fn cookies(
    link: &Link,
    tab: TabId,
    deadline: Millis,
) -> Result<Vec<Cookie>, DriverError> {
    let url = link.book().tab(tab)?.url.clone();
    let answer = link.tab(tab, "Network.getCookies", json!({ "urls": [url] }), deadline).await?;
    let mut cookies: Vec<Cookie> =
        answer["cookies"].as_array().into_iter().flatten().map(cookie).collect();
    cookies.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(cookies)
}

fn cookie(given: &Value) -> Cookie {
    let text = |name: &str| given[name].as_str().unwrap_or_default().to_string();
    let flag = |name: &str| given[name].as_bool().unwrap_or_default();
    Cookie {
        name: text("name"),
        value: text("value"),
        domain: text("domain"),
        path: text("path"),
        expires: if flag("session") { -1.0 } else { given["expires"].as_f64().unwrap_or(-1.0) },
        http_only: flag("httpOnly"),
        secure: flag("secure"),
        same_site: given["sameSite"].as_str().unwrap_or("Lax").to_string(),
    }
}

#[derive(Debug, Deserialize)]
struct SeenNode {
    #[serde(flatten)]
    seen: SeenDocument,
    n: u32,
}

/// What receives pointer events at a point of the top viewport.
pub(super) async fn node_at(
    link: &Link,
    tab: TabId,
    point: Point,
    deadline: Millis,
) -> Result<Option<NodeKey>, DriverError> {
    let answer = link.read::<Option<SeenNode>>(tab, "nodeAt", &point, deadline).await?;
    let Some(SeenNode { seen, n }) = answer.value else { return Ok(None) };
    let document = link.book().document(tab, &answer.context, seen);
    Ok(document.map(|document| NodeKey { document, node: NodeId(n) }))
}
