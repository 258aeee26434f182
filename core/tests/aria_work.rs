//! The work that names take grows with the page, not with its square.

use backlot_core::aria::AriaFrame;
use backlot_core::page::{
    DocumentKey, Element, Frame, FrameId, LoaderId, Namespace, Node, NodeData, NodeId,
};

/// Builds frames node by node.
#[derive(Default)]
struct Page {
    nodes: Vec<Node>,
}

impl Page {
    fn add(&mut self, parent: Option<u32>, data: NodeData) -> u32 {
        let at = u32::try_from(self.nodes.len()).expect("few nodes");
        self.nodes.push(Node { id: NodeId(at + 1), parent, end: 0, data });
        at
    }

    fn element(&mut self, parent: Option<u32>, tag: &str, attributes: &[(&str, &str)]) -> u32 {
        let mut element = Element::new(tag, Namespace::Html);
        element.attributes =
            attributes.iter().map(|(name, value)| ((*name).into(), (*value).into())).collect();
        self.add(parent, NodeData::Element(Box::new(element)))
    }

    fn text(&mut self, parent: u32, text: &str) {
        self.add(Some(parent), NodeData::Text(text.into()));
    }

    fn frame(self) -> Frame {
        let key = DocumentKey { frame: FrameId(1), loader: LoaderId(1) };
        Frame::new(key, "about:blank", self.nodes)
    }
}

/// Steps for the name and description of every node, for each node.
fn check(build: impl Fn(&mut Page, u32), size: u32, per_node_max: f64) {
    let mut page = Page::default();
    build(&mut page, size);
    let frame = page.frame();
    let aria = AriaFrame::new(&frame);
    let count = u32::try_from(frame.nodes.len()).expect("few nodes");
    for at in 0..count {
        aria.name(at);
        aria.description(at);
        aria.states(at);
    }
    let steps = f64::from(u32::try_from(aria.steps()).expect("few steps"));
    let per_node = steps / f64::from(count);
    assert!(per_node <= per_node_max, "{per_node} steps a node at {count} nodes");
}

#[test]
fn many_references_to_one_node_look_at_it_once() {
    let build = |page: &mut Page, size: u32| {
        let target = page.element(None, "div", &[("id", "t")]);
        for _ in 0..size {
            let part = page.element(Some(target), "i", &[]);
            page.text(part, "x ");
        }
        for _ in 0..size {
            page.element(None, "p", &[("aria-labelledby", "t"), ("aria-describedby", "t")]);
        }
    };
    check(build, 1_000, 2.0);
    check(build, 4_000, 2.0);
}

#[test]
fn nested_controls_share_their_names() {
    let build = |page: &mut Page, size: u32| {
        let mut parent = None;
        for depth in 0..size {
            let at = page.element(parent, "div", &[("role", "button")]);
            page.text(at, &format!("{depth} "));
            parent = Some(at);
        }
    };
    check(build, 60, 6.0);
    // Deeper than the recursion goes: the rest is read flat, with a bound for each name.
    check(build, 1_000, 600.0);
    // And that bound does not grow with the depth: a name is full long before.
    check(build, 4_000, 1_700.0);
}

#[test]
fn a_web_of_references_ends() {
    let build = |page: &mut Page, size: u32| {
        for at in 0..size {
            let ids = format!("n{} n{} n{}", at, (at * 7 + 1) % size, (at * 13 + 5) % size);
            let id = format!("n{at}");
            let attributes = [("role", "link"), ("id", &*id), ("aria-labelledby", &*ids)];
            let node = page.element(None, "div", &attributes);
            page.text(node, &id);
        }
    };
    check(build, 1_000, 6.0);
    check(build, 10_000, 6.0);
}

#[test]
fn labels_and_owners_in_circles_end() {
    let build = |page: &mut Page, size: u32| {
        for at in 0..size {
            let (id, other) = (format!("n{at}"), format!("n{}", (at + 1) % size));
            let label = page.element(None, "label", &[("for", &*other), ("aria-owns", &*other)]);
            page.text(label, &id);
            page.element(Some(label), "input", &[("id", &*id), ("aria-owns", &*other)]);
        }
    };
    check(build, 1_000, 20.0);
    check(build, 5_000, 20.0);
}

#[test]
fn ten_thousand_deep_is_as_wide() {
    let build = |page: &mut Page, size: u32| {
        let mut parent = None;
        for depth in 0..size {
            let at = page.element(parent, "div", &[]);
            if depth % 100 == 0 {
                page.element(Some(at), "button", &[("title", "more")]);
            }
            parent = Some(at);
        }
    };
    check(build, 1_000, 2.0);
    check(build, 10_000, 2.0);
}
