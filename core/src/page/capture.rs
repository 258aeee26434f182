//! A capture: the frames of a tab, each an arena of nodes.

use super::node::{Element, Node, NodeData, NodeId, NodeIdx};
use super::style::Rect;
use crate::planted::{self, Bug};
use alloc::{borrow::Cow, string::String, vec, vec::Vec};
use serde::{Deserialize, Serialize};

/// A tab's number, given by the driver, from 1, never given twice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct TabId(pub u32);

/// A frame's number within its browser connection, never given twice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct FrameId(pub u32);

/// A number for each load of a document into a frame, never given twice within a browser connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct LoaderId(pub u32);

/// One document: what one loader put into one frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct DocumentKey {
    /// The frame.
    pub frame: FrameId,
    /// The load.
    pub loader: LoaderId,
}

/// *The same node*: survives captures, dies with its document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct NodeKey {
    /// The document it lives in.
    pub document: DocumentKey,
    /// Its number there.
    pub node: NodeId,
}

/// The state of a tab.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Capture {
    /// The tab.
    pub tab: TabId,
    /// Sequence number of the browser connection when it was taken.
    pub sequence: u64,
    /// The mark that the spec asked for: opaque to core, equal as long as the node's tag, type, role, own naming attributes
    /// and text, and those of its context are the same. `None` if it was not asked for, or the node is gone.
    pub mark: Option<String>,
    /// What the spec's selectors match, one answer for each, in their order.
    pub matches: Vec<Matches>,
    /// The frames; the top frame first, a frame after its parent.
    pub frames: Frames,
}

/// What a selector matches in the top document and the open shadow trees in it, in any order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Matches {
    /// These nodes, at most [`super::limits::MATCHES_MAX`]. Nodes that a capture does not hold (in `head`, say) are among them.
    Nodes(Vec<NodeId>),
    /// It is no selector, or one that the browser does not know.
    Invalid,
}

/// The frames of a capture; never empty.
pub type Frames = Vec<Frame>;

/// One frame's document.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Frame {
    /// Which document.
    pub document: DocumentKey,
    /// Place of the parent frame and of the frame element in it; `None` for the top frame.
    pub owner: Option<(u32, NodeIdx)>,
    /// `location.href`.
    pub url: String,
    /// `document.title`.
    pub title: String,
    /// Size of the viewport (0, 0, width, height), CSS pixels.
    pub viewport: Rect,
    /// Why there are no nodes, where there are none to have.
    pub gap: Option<FrameGap>,
    /// Nodes left out for a limit of [`super::limits`] or of the spec.
    pub cut: u32,
    /// The focused element of this document.
    pub focused: Option<NodeIdx>,
    /// Elements that match `:modal`, in top-layer order.
    pub modal: Vec<NodeIdx>,
    /// The arena, in tree order.
    pub nodes: Vec<Node>,
}

/// Why a frame's document was not captured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum FrameGap {
    /// Another origin.
    CrossOrigin,
    /// Deeper than [`super::limits::FRAME_DEPTH_MAX`].
    TooDeep,
    /// It changed while the capture ran, twice.
    Torn,
}

impl Frame {
    /// A frame of these nodes (their `end` need not be filled), with every other field empty.
    pub fn new(document: DocumentKey, url: impl Into<String>, nodes: Vec<Node>) -> Self {
        let mut frame = Self {
            document,
            owner: None,
            url: url.into(),
            title: String::new(),
            viewport: Rect::default(),
            gap: None,
            cut: 0,
            focused: None,
            modal: Vec::new(),
            nodes,
        };
        frame.seal();
        frame
    }

    /// Computes every node's `end` from the parents. Drivers call it once, after the last node.
    ///
    /// A parent that does not stand before its child is dropped: the node becomes a root. So a driver's mistake cannot
    /// make a walk endless.
    pub fn seal(&mut self) {
        let count = u32::try_from(self.nodes.len()).unwrap_or(u32::MAX);
        for (at, node) in (0..count).zip(&mut self.nodes) {
            node.parent = node.parent.filter(|parent| *parent < at);
            node.end = at + 1;
        }
        for at in (0..self.nodes.len()).rev() {
            if let Some(parent) = self.nodes[at].parent {
                let end = self.nodes[at].end;
                let parent = &mut self.nodes[parent as usize];
                parent.end = parent.end.max(end);
            }
        }
    }

    /// The node at this place.
    ///
    /// # Panics
    /// If `at` is not a place of this frame.
    pub fn node(&self, at: NodeIdx) -> &Node {
        &self.nodes[at as usize]
    }

    /// The element at this place, if it is one.
    pub fn element(&self, at: NodeIdx) -> Option<&Element> {
        match &self.nodes.get(at as usize)?.data {
            NodeData::Element(element) => Some(element),
            NodeData::Text(_) | NodeData::ShadowRoot(_) => None,
        }
    }

    /// Data of a text node as it is shown: transformed by the style of the element around it.
    pub fn shown_text<'a>(&'a self, at: NodeIdx, data: &'a str) -> Cow<'a, str> {
        let parent = self.node(at).parent.and_then(|parent| self.element(parent));
        let style = parent.and_then(|parent| parent.style.known());
        style.map_or(Cow::Borrowed(data), |style| style.text_transform.apply(data))
    }

    /// The lasting key of a node.
    pub fn key(&self, at: NodeIdx) -> NodeKey {
        NodeKey { document: self.document, node: self.node(at).id }
    }

    /// Children in tree order, a shadow root among them.
    pub fn children(&self, at: NodeIdx) -> Children<'_> {
        Children { frame: self, next: at + 1, end: self.node(at).end }
    }

    /// Top-level nodes (the root element, as a rule).
    pub fn roots(&self) -> Children<'_> {
        Children { frame: self, next: 0, end: u32::try_from(self.nodes.len()).unwrap_or(u32::MAX) }
    }
}

/// Iterator over the children of a node.
#[derive(Debug, Clone)]
pub struct Children<'a> {
    frame: &'a Frame,
    next: NodeIdx,
    end: NodeIdx,
}

impl Iterator for Children<'_> {
    type Item = NodeIdx;

    fn next(&mut self) -> Option<NodeIdx> {
        if self.next >= self.end {
            return None;
        }
        let at = self.next;
        self.next = self.frame.node(at).end;
        Some(at)
    }
}

impl Capture {
    /// The top frame.
    ///
    /// # Panics
    /// If the capture has no frame, which no driver may answer.
    pub fn top(&self) -> &Frame {
        &self.frames[0]
    }

    /// Where a node stands in this capture: places of its frame and of itself.
    pub fn find(&self, key: NodeKey) -> Option<(u32, NodeIdx)> {
        let frame_at = self.frames.iter().position(|frame| frame.document == key.document)?;
        let at = self.frames[frame_at].nodes.iter().position(|node| node.id == key.node)?;
        Some((u32::try_from(frame_at).ok()?, NodeIdx::try_from(at).ok()?))
    }

    /// URL that a frame's document has its origin from: for `about:blank` and `about:srcdoc` that is the document around it.
    pub fn origin_url(&self, frame_at: u32) -> &str {
        let mut frame = &self.frames[frame_at as usize];
        while let Some((parent, _)) = frame.owner.filter(|_| frame.url.starts_with("about:")) {
            if planted::is(Bug::SrcdocWithoutOrigin) {
                break;
            }
            frame = &self.frames[parent as usize];
        }
        &frame.url
    }

    /// Documents from the top frame down to the given one.
    pub fn chain(&self, frame_at: u32) -> Vec<DocumentKey> {
        let mut chain = vec![self.frames[frame_at as usize].document];
        let mut at = frame_at;
        while let Some((parent, _)) = self.frames[at as usize].owner {
            chain.push(self.frames[parent as usize].document);
            at = parent;
        }
        chain.reverse();
        chain
    }
}

#[cfg(test)]
mod tests {
    use super::super::node::Namespace;
    use super::*;
    use alloc::boxed::Box;

    fn frame(parents: &[Option<u32>]) -> Frame {
        let nodes = parents
            .iter()
            .enumerate()
            .map(|(at, parent)| Node {
                id: NodeId(u32::try_from(at).unwrap()),
                parent: *parent,
                end: 0,
                data: NodeData::Element(Box::new(Element::new("p", Namespace::Html))),
            })
            .collect();
        Frame::new(DocumentKey { frame: FrameId(0), loader: LoaderId(0) }, "about:blank", nodes)
    }

    #[test]
    fn children_skip_grandchildren() {
        let frame = frame(&[None, Some(0), Some(1), Some(0)]);
        assert_eq!(frame.children(0).collect::<Vec<_>>(), [1, 3]);
        assert_eq!(frame.children(1).collect::<Vec<_>>(), [2]);
        assert_eq!(frame.roots().collect::<Vec<_>>(), [0]);
    }

    #[test]
    fn a_document_without_a_url_has_the_origin_of_the_one_around_it() {
        let document = |at: u32, url: &str, owner: Option<u32>| {
            let key = DocumentKey { frame: FrameId(at), loader: LoaderId(at) };
            let mut frame = Frame::new(key, url, Vec::new());
            frame.owner = owner.map(|parent| (parent, 0));
            frame
        };
        let capture = Capture {
            tab: TabId(1),
            sequence: 0,
            mark: None,
            matches: Vec::new(),
            frames: alloc::vec![
                document(0, "http://a.test/x", None),
                document(1, "about:srcdoc", Some(0)),
                document(2, "about:blank", Some(1)),
                document(3, "http://b.test/", Some(2)),
            ],
        };
        let origins: Vec<&str> = (0..4).map(|at| capture.origin_url(at)).collect();
        let a = "http://a.test/x";
        assert_eq!(origins, [a, a, a, "http://b.test/"]);
    }

    #[test]
    fn a_parent_that_stands_behind_its_child_is_dropped() {
        let frame = frame(&[Some(1), Some(0)]);
        assert_eq!(frame.roots().collect::<Vec<_>>(), [0]);
        assert_eq!(frame.node(0).parent, None);
    }
}
