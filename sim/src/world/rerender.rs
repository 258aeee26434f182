//! What frameworks do to a page behind a tool's back: clones in place of nodes, nodes re-used for other data.

use super::{PageEditor, World};
use crate::dom::{Dom, parse_fragment_into};
use crate::style::selector;
use backlot_core::page::{FrameId, NodeId, TabId};

/// What a re-used node takes over: attributes of an element, or a text.
enum Content {
    Attributes(Vec<(String, String)>),
    Text(String),
}

impl World {
    /// Changes each document of a tab, the top one first. Nothing if the tab has no page.
    pub fn mutate_each(&self, tab: TabId, mut change: impl FnMut(&mut PageEditor<'_>)) {
        let mut state = self.state.borrow_mut();
        if state.live_tab(tab).is_err() {
            return;
        }
        let frames: Vec<FrameId> = state
            .pages
            .iter()
            .filter(|(_, page)| page.tab == tab)
            .map(|(frame, _)| *frame)
            .collect();
        for frame in frames {
            change(&mut PageEditor::new(&mut state, frame));
        }
        state.page_changed(tab);
    }

    /// A page script loads another URL into the top frame. Nothing if the tab has no page.
    pub fn navigate(&self, tab: TabId, url: &str) {
        let mut state = self.state.borrow_mut();
        let Ok(top) = state.live_tab(tab).map(|tab| tab.top) else { return };
        let Ok(url) = url::Url::parse(url) else { return };
        if let Ok(arrived) = state.arrive(tab, &url, None) {
            state.commit(tab, top, arrived);
        }
    }
}

impl PageEditor<'_> {
    /// Replaces all children of the first element that matches by equal, new nodes.
    pub fn rerender(&mut self, selector: &str) {
        let found = selector::query_all(self.dom(), selector).unwrap_or_default();
        let Some(id) = found.first().copied() else { return };
        let html = self.dom().html(id, &|_| false);
        let children: Vec<NodeId> = self.dom().children(id).collect();
        children.into_iter().for_each(|child| self.leave_focus(child));
        self.dom().remove_children(id);
        parse_fragment_into(self.dom(), id, &html);
    }

    /// Re-uses the elements that match for each other's data: each takes over the attributes and texts of the next one's
    /// subtree, the last one those of the first. Elements built differently are left out.
    pub fn rotate(&mut self, selector: &str) -> bool {
        let dom = self.dom();
        let found = selector::query_all(dom, selector).unwrap_or_default();
        let shapes: Vec<Vec<Content>> = found.iter().map(|id| contents(dom, *id)).collect();
        let same = shapes.windows(2).all(|pair| pair[0].len() == pair[1].len());
        if found.len() < 2 || !same {
            return false;
        }
        for (at, id) in found.iter().enumerate() {
            let nodes: Vec<NodeId> = dom.subtree(*id).skip(1).collect();
            for (node, content) in nodes.into_iter().zip(&shapes[(at + 1) % shapes.len()]) {
                take_over(dom, node, content);
            }
        }
        true
    }
}

fn contents(dom: &Dom, id: NodeId) -> Vec<Content> {
    let inside = dom.subtree(id).skip(1);
    inside
        .map(|node| match dom.element(node) {
            Some(element) => {
                let attrs = element.attrs.iter();
                Content::Attributes(attrs.map(|a| (a.name.clone(), a.value.clone())).collect())
            }
            None => Content::Text(dom.text(node).unwrap_or_default().to_owned()),
        })
        .collect()
}

fn take_over(dom: &mut Dom, node: NodeId, content: &Content) {
    match content {
        Content::Attributes(attrs) => {
            for (name, value) in attrs {
                if dom.attr(node, name) != Some(value) {
                    dom.set_attr(node, name, Some(value));
                }
            }
        }
        Content::Text(text) => dom.set_text(node, text),
    }
}
