//! `Op::Scroll`.

use crate::session::Link;
use backlot_core::page::{NodeKey, TabId};
use backlot_core::port::{DriverError, Millis, ScrollBy, ScrollWhat, Scrolled};
use serde::Deserialize;
use serde_json::{Value, json};

#[derive(Debug, Deserialize)]
struct WalkerScrolled {
    moved: f64,
    start: bool,
    end: bool,
}

/// Scrolls a node into view, a node's scroller, or the page.
pub(super) async fn scroll(
    link: &Link,
    tab: TabId,
    what: ScrollWhat,
    deadline: Millis,
) -> Result<Scrolled, DriverError> {
    link.book().tab(tab)?;
    let (node, how) = match what {
        ScrollWhat::IntoView(node) => (Some(node), json!({ "into": true })),
        ScrollWhat::Element(node, by) => (Some(node), distance(by)),
        ScrollWhat::Page(by) => (None, distance(by)),
    };
    let find = |node: NodeKey| link.walker_node(tab, node).ok_or(DriverError::DocumentGone);
    let node = node.map(find).transpose()?;
    let argument = json!({ "node": node, "how": how });
    let answer = link.read::<Option<WalkerScrolled>>(tab, "scroll", &argument, deadline).await?;
    let scrolled = answer.value.ok_or(DriverError::DocumentGone)?;
    let WalkerScrolled { moved, start, end } = scrolled;
    Ok(Scrolled { moved, at_start: start, at_end: end })
}

fn distance(by: ScrollBy) -> Value {
    match by {
        ScrollBy::Pixels(by) => json!({ "unit": "pixels", "by": by }),
        ScrollBy::Pages(by) => json!({ "unit": "pages", "by": by }),
        ScrollBy::Start => json!({ "unit": "start" }),
        ScrollBy::End => json!({ "unit": "end" }),
    }
}
