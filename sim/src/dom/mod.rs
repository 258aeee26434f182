//! The arena that documents are parsed into.

#[cfg(test)]
mod alias_test;
mod build;
mod editing;
mod fields;
mod mutation;
mod sanitise;
mod serialise;
mod shadow;
mod sink;
#[cfg(test)]
mod sink_test;
mod top;
mod walk;

pub(crate) use fields::{InputKind, Live, Past};
pub use mutation::Mutation;
pub(crate) use sanitise::days_since_1970;
pub(crate) use sink::{parse_document, parse_fragment_into};
pub(crate) use top::{Top, TopKind};

use backlot_core::page::{Namespace, NodeId, ShadowMode};
use html5ever::{QualName, ns};
use std::rc::Rc;

/// Mode that the document's `<!doctype>` asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Quirks {
    No,
    Limited,
    Full,
}

/// One document's nodes. Numbers rise and are never given again, so a removed node's number cannot come to mean another
/// node. All links are numbers: nothing here recurses, dropping included.
#[derive(Debug)]
pub(crate) struct Dom {
    pub(super) nodes: Vec<Node>,
    pub(crate) quirks: Quirks,
    pub(crate) focused: Option<NodeId>,
    /// What the pointer is over.
    pub(crate) hovered: Option<NodeId>,
    /// The top layer, the lowest first.
    pub(super) top: Vec<Top>,
    pub(super) mutations: mutation::Mutations,
    /// Rises with every change of tree, attributes or live state that styles or boxes can depend on.
    pub(crate) revision: u64,
    /// The page runs with scripts on, as `noscript` sees it.
    pub(crate) scripting: bool,
}

#[derive(Debug)]
pub(crate) struct Node {
    pub(super) parent: Option<NodeId>,
    pub(super) first: Option<NodeId>,
    pub(super) last: Option<NodeId>,
    pub(super) prev: Option<NodeId>,
    pub(super) next: Option<NodeId>,
    pub(super) data: Data,
}

#[derive(Debug)]
pub(crate) enum Data {
    Document,
    Doctype,
    Comment,
    Text(String),
    Element(Box<ElementData>),
    /// Its `host` is not its parent: a shadow root has none.
    ShadowRoot {
        mode: ShadowMode,
        host: NodeId,
        /// The host passes the focus on to what is inside.
        delegates_focus: bool,
    },
    /// A template's contents.
    Fragment,
}

#[derive(Debug)]
pub(crate) struct ElementData {
    pub(crate) name: Rc<QualName>,
    pub(crate) attrs: Vec<Attr>,
    pub(crate) shadow: Option<NodeId>,
    pub(crate) contents: Option<NodeId>,
    /// The form that the parser tied it to.
    pub(crate) parsed_form: Option<NodeId>,
    pub(crate) live: Live,
    /// Scroll offset, CSS pixels.
    pub(crate) scroll: (f64, f64),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Attr {
    /// Qualified name, as `getAttributeNames` gives it.
    pub(crate) name: String,
    pub(crate) value: String,
}

impl Dom {
    pub(crate) const DOCUMENT: NodeId = NodeId(0);

    pub(crate) fn new(scripting: bool) -> Self {
        let mut dom = Self {
            nodes: Vec::new(),
            quirks: Quirks::No,
            focused: None,
            hovered: None,
            top: Vec::new(),
            mutations: mutation::Mutations::default(),
            revision: 1,
            scripting,
        };
        dom.create(Data::Document);
        dom
    }

    /// Most nodes that a document can have are limited by memory long before `u32`.
    pub(crate) fn create(&mut self, data: Data) -> NodeId {
        let id = NodeId(u32::try_from(self.nodes.len()).unwrap_or(u32::MAX));
        self.nodes.push(Node {
            parent: None,
            first: None,
            last: None,
            prev: None,
            next: None,
            data,
        });
        id
    }

    pub(crate) fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0 as usize]
    }

    pub(crate) fn node_count(&self) -> usize {
        self.nodes.len()
    }

    pub(super) fn node_mut(&mut self, id: NodeId) -> &mut Node {
        &mut self.nodes[id.0 as usize]
    }

    pub(crate) fn data(&self, id: NodeId) -> &Data {
        &self.node(id).data
    }

    pub(crate) fn exists(&self, id: NodeId) -> bool {
        (id.0 as usize) < self.nodes.len()
    }

    pub(crate) fn element(&self, id: NodeId) -> Option<&ElementData> {
        match self.data(id) {
            Data::Element(element) => Some(element),
            _ => None,
        }
    }

    pub(crate) fn element_mut(&mut self, id: NodeId) -> Option<&mut ElementData> {
        match &mut self.node_mut(id).data {
            Data::Element(element) => Some(element),
            _ => None,
        }
    }

    pub(crate) fn text(&self, id: NodeId) -> Option<&str> {
        match self.data(id) {
            Data::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Local name of an HTML element; the empty string for anything else.
    pub(crate) fn html_tag(&self, id: NodeId) -> &str {
        match self.element(id) {
            Some(element) if element.namespace() == Namespace::Html => element.tag(),
            _ => "",
        }
    }

    pub(crate) fn is_html(&self, id: NodeId, tag: &str) -> bool {
        self.html_tag(id) == tag
    }

    pub(crate) fn attr(&self, id: NodeId, name: &str) -> Option<&str> {
        self.element(id)?.attr(name)
    }

    pub(crate) fn has_attr(&self, id: NodeId, name: &str) -> bool {
        self.attr(id, name).is_some()
    }

    /// Sets the data of a text node.
    pub(crate) fn set_text(&mut self, id: NodeId, text: &str) {
        if let Data::Text(old) = &mut self.node_mut(id).data
            && old != text
        {
            *old = text.into();
            self.revision += 1;
            self.note(|| Mutation::Text { node: id });
        }
    }

    pub(crate) fn set_attr(&mut self, id: NodeId, name: &str, value: Option<&str>) {
        self.revision += 1;
        if let Some(element) = self.element_mut(id) {
            let at = element.attrs.iter().position(|attr| attr.name == name);
            match (at, value) {
                (Some(at), Some(value)) => element.attrs[at].value = value.into(),
                (Some(at), None) => {
                    element.attrs.remove(at);
                }
                (None, Some(value)) => {
                    element.attrs.push(Attr { name: name.into(), value: value.into() });
                }
                (None, None) => {}
            }
        }
        self.note(|| Mutation::Attribute { node: id, name: name.into() });
        self.attribute_changed(id, name);
    }
}

impl ElementData {
    pub(crate) fn tag(&self) -> &str {
        &self.name.local
    }

    pub(crate) fn namespace(&self) -> Namespace {
        // Names of namespaces are interned: this compares numbers, and nothing is asked more often.
        let ns = &self.name.ns;
        if *ns == ns!(html) {
            Namespace::Html
        } else if *ns == ns!(svg) {
            Namespace::Svg
        } else if *ns == ns!(mathml) {
            Namespace::MathMl
        } else {
            Namespace::Other
        }
    }

    pub(crate) fn attr(&self, name: &str) -> Option<&str> {
        self.attrs.iter().find(|attr| attr.name == name).map(|attr| attr.value.as_str())
    }
}
