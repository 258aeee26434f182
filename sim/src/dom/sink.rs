//! html5ever's tree builder, writing into the arena.

use super::{Attr, Data, Dom, ElementData, Live, Quirks};
use backlot_core::page::{NodeId, ShadowMode};
use html5ever::interface::{ElementFlags, NodeOrText, QuirksMode, TreeSink};
use html5ever::tendril::{StrTendril, TendrilSink};
use html5ever::tree_builder::TreeBuilderOpts;
use html5ever::{Attribute, ParseOpts, QualName};
use std::borrow::Cow;
use std::cell::{Ref, RefCell};
use std::rc::Rc;

/// Chromium's parser nests elements no deeper than this; what comes deeper becomes a sibling.
const DEPTH_MAX: usize = 512;

struct Sink {
    dom: RefCell<Dom>,
    /// Documents attach declarative shadow roots, fragments do not.
    shadow: bool,
}

/// Parses a whole document.
pub(crate) fn parse_document(html: &str, scripting: bool, srcdoc: bool) -> Dom {
    let sink = Sink { dom: RefCell::new(Dom::new(scripting)), shadow: true };
    let mut dom = html5ever::parse_document(sink, options(scripting, srcdoc)).one(html);
    dom.finish_parsing();
    dom.resume_log(true);
    dom
}

/// Parses markup as the children of an element and appends them to it.
pub(crate) fn parse_fragment_into(dom: &mut Dom, parent: NodeId, html: &str) {
    let Some(name) = dom.element(parent).map(|element| (*element.name).clone()) else { return };
    let scripting = dom.scripting;
    let before = dom.nodes.len();
    // What the parser does on the way is no change of the page; what it gives is.
    let was_logged = dom.pause_log();
    let taken = std::mem::replace(dom, Dom::new(scripting));
    let sink = Sink { dom: RefCell::new(taken), shadow: false };
    let opts = options(scripting, false);
    // The fragment's own root is a document node of the builder's making: `html` inside [`Dom::DOCUMENT`].
    *dom = html5ever::parse_fragment(sink, opts, name, Vec::new(), scripting).one(html);
    let made: Vec<NodeId> = dom
        .children(Dom::DOCUMENT)
        .filter(|id| id.0 as usize >= before && dom.is_html(*id, "html"))
        .collect();
    for root in made {
        dom.detach(root);
        while let Some(child) = dom.first_child(root) {
            dom.detach(child);
            dom.resume_log(was_logged);
            dom.append(parent, child);
            dom.pause_log();
        }
    }
    dom.resume_log(was_logged);
    dom.finish_parsing_under(parent);
}

fn options(scripting_enabled: bool, iframe_srcdoc: bool) -> ParseOpts {
    ParseOpts {
        tree_builder: TreeBuilderOpts {
            scripting_enabled,
            iframe_srcdoc,
            ..TreeBuilderOpts::default()
        },
        ..ParseOpts::default()
    }
}

impl Sink {
    fn place(&self, parent: NodeId) -> NodeId {
        let dom = self.dom.borrow();
        let mut depth = 0;
        let mut at = Some(parent);
        while let Some(id) = at {
            if dom.element(id).is_some() {
                depth += 1;
            }
            at = dom.parent(id);
        }
        match dom.parent(parent) {
            Some(grandparent) if depth > DEPTH_MAX => grandparent,
            _ => parent,
        }
    }
}

impl TreeSink for Sink {
    type Handle = NodeId;
    type Output = Dom;
    type ElemName<'a> = Ref<'a, QualName>;

    fn finish(self) -> Dom {
        self.dom.into_inner()
    }

    fn parse_error(&self, _message: Cow<'static, str>) {}

    fn get_document(&self) -> NodeId {
        Dom::DOCUMENT
    }

    fn elem_name<'a>(&'a self, target: &'a NodeId) -> Ref<'a, QualName> {
        Ref::map(self.dom.borrow(), |dom| match dom.element(*target) {
            Some(element) => &*element.name,
            // The tree builder asks for names of elements only.
            None => unreachable!("the name of a node that is no element"),
        })
    }

    fn create_element(&self, name: QualName, attrs: Vec<Attribute>, _: ElementFlags) -> NodeId {
        let mut dom = self.dom.borrow_mut();
        let is_template = &*name.local == "template" && &*name.ns == "http://www.w3.org/1999/xhtml";
        let contents = is_template.then(|| dom.create(Data::Fragment));
        dom.create(Data::Element(Box::new(ElementData {
            name: Rc::new(name),
            attrs: attrs.iter().map(kept).collect(),
            shadow: None,
            contents,
            parsed_form: None,
            live: Live::default(),
            scroll: (0.0, 0.0),
        })))
    }

    fn create_comment(&self, _text: StrTendril) -> NodeId {
        self.dom.borrow_mut().create(Data::Comment)
    }

    fn create_pi(&self, _target: StrTendril, _data: StrTendril) -> NodeId {
        self.dom.borrow_mut().create(Data::Comment)
    }

    fn append(&self, parent: &NodeId, child: NodeOrText<NodeId>) {
        match child {
            NodeOrText::AppendNode(node) => {
                let parent = self.place(*parent);
                let mut dom = self.dom.borrow_mut();
                dom.detach(node);
                dom.append(parent, node);
            }
            // Chromium moves elements up, never text: it stays in the element that it was written in.
            NodeOrText::AppendText(text) => self.dom.borrow_mut().append_text(*parent, &text),
        }
    }

    fn append_based_on_parent_node(
        &self,
        element: &NodeId,
        prev_element: &NodeId,
        child: NodeOrText<NodeId>,
    ) {
        let has_parent = self.dom.borrow().parent(*element).is_some();
        if has_parent {
            self.append_before_sibling(element, child);
        } else {
            self.append(prev_element, child);
        }
    }

    fn append_doctype_to_document(&self, _: StrTendril, _: StrTendril, _: StrTendril) {
        let mut dom = self.dom.borrow_mut();
        let doctype = dom.create(Data::Doctype);
        dom.append(Dom::DOCUMENT, doctype);
    }

    fn get_template_contents(&self, target: &NodeId) -> NodeId {
        let dom = self.dom.borrow();
        dom.element(*target).and_then(|element| element.contents).unwrap_or(*target)
    }

    fn same_node(&self, x: &NodeId, y: &NodeId) -> bool {
        x == y
    }

    fn set_quirks_mode(&self, mode: QuirksMode) {
        self.dom.borrow_mut().quirks = match mode {
            QuirksMode::Quirks => Quirks::Full,
            QuirksMode::LimitedQuirks => Quirks::Limited,
            QuirksMode::NoQuirks => Quirks::No,
        };
    }

    fn append_before_sibling(&self, sibling: &NodeId, child: NodeOrText<NodeId>) {
        let mut dom = self.dom.borrow_mut();
        match child {
            NodeOrText::AppendNode(node) => {
                dom.detach(node);
                dom.insert_before(*sibling, node);
            }
            NodeOrText::AppendText(text) => dom.insert_text_before(*sibling, &text),
        }
    }

    fn add_attrs_if_missing(&self, target: &NodeId, attrs: Vec<Attribute>) {
        let mut dom = self.dom.borrow_mut();
        let Some(element) = dom.element_mut(*target) else { return };
        for attr in attrs.iter().map(kept) {
            if element.attr(&attr.name).is_none() {
                element.attrs.push(attr);
            }
        }
    }

    fn associate_with_form(&self, target: &NodeId, form: &NodeId, _: (&NodeId, Option<&NodeId>)) {
        if let Some(element) = self.dom.borrow_mut().element_mut(*target) {
            element.parsed_form = Some(*form);
        }
    }

    fn remove_from_parent(&self, target: &NodeId) {
        self.dom.borrow_mut().detach(*target);
    }

    fn reparent_children(&self, node: &NodeId, new_parent: &NodeId) {
        self.dom.borrow_mut().move_children(*node, *new_parent);
    }

    fn allow_declarative_shadow_roots(&self, _intended_parent: &NodeId) -> bool {
        self.shadow
    }

    fn attach_declarative_shadow(
        &self,
        host: &NodeId,
        template: &NodeId,
        attrs: &[Attribute],
    ) -> bool {
        let mode = attrs.iter().find(|attr| &*attr.name.local == "shadowrootmode");
        let mode = match mode.map(|attr| &*attr.value) {
            Some("open") => ShadowMode::Open,
            Some("closed") => ShadowMode::Closed,
            _ => return false,
        };
        let mut dom = self.dom.borrow_mut();
        let Some(root) = dom.attach_shadow(*host, mode) else { return false };
        if attrs.iter().any(|attr| &*attr.name.local == "shadowrootdelegatesfocus") {
            dom.set_delegates_focus(root);
        }
        // From here on the builder puts what stands in the template into the shadow root.
        if let Some(template) = dom.element_mut(*template) {
            template.contents = Some(root);
        }
        true
    }
}

fn kept(attr: &Attribute) -> Attr {
    let name = match &attr.name.prefix {
        Some(prefix) => format!("{prefix}:{}", attr.name.local),
        None => attr.name.local.to_string(),
    };
    Attr { name, value: attr.value.to_string() }
}
