//! The browser's own accessibility tree, as far as this browser has one: the elements that show something.

use crate::style::Styles;
use crate::world::{Page, State};
use backlot_core::page::{FrameId, NodeId, Visibility};
use backlot_core::port::BrowserNode;

/// Rendered elements of the top document that hold text of their own, or are controls, images or links.
///
/// SIM DIFFERENCE: roles are tag names and names are text; core reads this tree only to confirm that a page is empty.
pub(crate) fn tree(state: &State, top: FrameId) -> Vec<BrowserNode> {
    let Some(page) = state.pages.get(&top) else { return Vec::new() };
    let styles = page.styles();
    let mut nodes = Vec::new();
    for id in page.dom.composed() {
        let Some(element) = page.dom.element(id) else { continue };
        let shown = styles.get(id).is_some_and(|s| s.visibility == Visibility::Visible)
            && styles.is_rendered(&page.dom, id);
        if !shown || !says_something(page, &styles, id) {
            continue;
        }
        let name: String = page.dom.child_text(id).split_whitespace().collect::<Vec<_>>().join(" ");
        let depth = page.dom.inclusive_ancestors(id).count().saturating_sub(2);
        let depth = u32::try_from(depth).unwrap_or(u32::MAX);
        nodes.push(BrowserNode { depth, role: element.tag().into(), name });
    }
    nodes
}

fn says_something(page: &Page, styles: &Styles, id: NodeId) -> bool {
    let has_text = page.dom.child_text(id).contains(|c: char| !c.is_whitespace());
    let pseudo = [styles.before(id), styles.after(id)];
    let has_pseudo = pseudo.into_iter().flatten().any(|p| !p.told.trim().is_empty());
    let shows = matches!(
        page.dom.html_tag(id),
        "input"
            | "button"
            | "select"
            | "textarea"
            | "img"
            | "iframe"
            | "video"
            | "audio"
            | "canvas"
            | "hr"
            | "meter"
            | "progress"
            | "object"
            | "embed"
    );
    let link = page.dom.html_tag(id) == "a" && page.dom.has_attr(id, "href");
    has_text || has_pseudo || shows || link
}
