//! The recursion of accname's computation steps, bounded in steps, depth and length.

use super::super::hidden::{Hidden, is_aria_hidden};
use super::super::role::Role;
use super::super::tree::is_blank;
use super::apart::Apart;
use super::text::Text;
use super::{AriaFrame, NAME_STEPS_MAX, NameSource};
use crate::page::{Element, NodeData, NodeIdx, PseudoText};
use crate::planted::{self, Bug};
use alloc::{collections::BTreeMap, collections::BTreeSet, string::String};
use core::cell::{Cell, RefCell};

/// Deepest recursion. Below it text is gathered flat, without looking at elements' own names.
const DEPTH_MAX: u32 = 64;

/// Results that many names share: named parts of content, and elements that are referred to.
#[derive(Debug, Default)]
pub(in super::super) struct Memo {
    pieces: RefCell<BTreeMap<(NodeIdx, Kind), String>>,
    steps: Cell<u64>,
}

impl Memo {
    /// Nodes that all names so far looked at.
    pub(in super::super) fn steps(&self) -> u64 {
        self.steps.get()
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Part,
    Reference,
}

/// How a node was reached.
#[derive(Debug, Clone, Copy)]
pub(super) struct Way {
    /// By `aria-labelledby` or `aria-describedby`: no second hop.
    pub(super) referenced: bool,
    /// Through a `label` or its like: no second hop either.
    pub(super) in_label: bool,
    /// The root of the reference is hidden, so that hidden nodes below it count.
    hidden_counts: bool,
    depth: u32,
}

impl Way {
    const ROOT: Self = Self { referenced: false, in_label: false, hidden_counts: false, depth: 0 };
}

/// Why an element is part of a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Met {
    /// Content.
    Child,
    /// Another element refers to it, or it labels another one.
    Reference,
    /// It refers to itself.
    Itself,
}

/// One computation.
pub(in super::super) struct Walk<'w, 'a> {
    pub(super) aria: &'w AriaFrame<'a>,
    pub(super) root: NodeIdx,
    pub(super) text: Text,
    /// Elements whose content is being walked.
    path: BTreeSet<NodeIdx>,
    /// Elements that parts of this name referred to: each counts once.
    pub(super) told: BTreeSet<NodeIdx>,
    steps: u32,
    /// Something was left out for a cycle or a limit: such a result holds for this walk only.
    partial: bool,
}

impl<'w, 'a> Walk<'w, 'a> {
    pub(in super::super) fn new(aria: &'w AriaFrame<'a>, root: NodeIdx) -> Self {
        Self {
            aria,
            root,
            text: Text::default(),
            path: BTreeSet::new(),
            told: BTreeSet::new(),
            steps: NAME_STEPS_MAX,
            partial: false,
        }
    }

    /// The gathered text.
    pub(in super::super) fn finish(self) -> String {
        self.text.finish()
    }

    /// The steps for the element whose name is asked.
    pub(super) fn name(&mut self, element: &Element) -> NameSource {
        let at = self.root;
        if self.labelledby(at, Way::ROOT) {
            return NameSource::LabelledBy;
        }
        if self.aria_label(element) {
            return NameSource::AriaLabel;
        }
        let decorative = self.aria.roles.own(at) == Role::None;
        if !decorative && self.host_label(at, element, Way::ROOT) {
            return NameSource::HostLabel;
        }
        if self.aria.roles.naming(at).name_from_content() {
            self.content(at, Way::ROOT);
            if self.text.size() > 0 {
                return NameSource::Content;
            }
        }
        if self.tooltip(at, element, Met::Child) {
            return NameSource::Title;
        }
        if self.placeholder(element) {
            return NameSource::Placeholder;
        }
        NameSource::None
    }

    /// accname "LabelledBy": the text alternatives of the referenced elements, joined by a space.
    fn labelledby(&mut self, at: NodeIdx, way: Way) -> bool {
        self.references(at, "aria-labelledby", way)
    }

    /// The joined text of the elements that an id-list attribute refers to.
    pub(in super::super) fn described_by(&mut self, at: NodeIdx) -> bool {
        self.references(at, "aria-describedby", Way::ROOT)
    }

    fn references(&mut self, at: NodeIdx, attribute: &str, way: Way) -> bool {
        if way.referenced && !planted::is(Bug::SecondHop) {
            return false;
        }
        let before = self.text.size();
        for target in self.aria.tree.references(at, attribute) {
            if self.text.is_full() {
                break;
            }
            if way.depth > 0 && !self.told.insert(target) {
                continue;
            }
            self.text.space();
            let way = Way { referenced: true, ..way };
            self.shared(target, Kind::Reference, target != self.root, |walk| {
                walk.reference(target, at, way);
            });
            self.text.space();
        }
        self.text.size() > before
    }

    /// Computes a part once for all names that hold it.
    fn shared(&mut self, at: NodeIdx, kind: Kind, share: bool, compute: impl FnOnce(&mut Self)) {
        if !share || !self.told.is_empty() {
            compute(self);
            return;
        }
        if let Some(known) = self.aria.memo.pieces.borrow().get(&(at, kind)) {
            self.text.push_piece(known);
            return;
        }
        let outer_text = core::mem::take(&mut self.text);
        let outer_partial = core::mem::replace(&mut self.partial, false);
        compute(self);
        let piece = core::mem::replace(&mut self.text, outer_text).into_piece();
        self.text.push_piece(&piece);
        if !self.partial && self.told.is_empty() {
            self.aria.memo.pieces.borrow_mut().insert((at, kind), piece);
        }
        self.partial |= outer_partial;
    }

    /// A referenced element, or a label: hidden ones count, with all that is hidden in them.
    pub(super) fn reference(&mut self, target: NodeIdx, from: NodeIdx, way: Way) {
        let Some(element) = self.aria.tree.frame.element(target) else { return };
        let way =
            Way { hidden_counts: self.aria.hidden(target) != Hidden::Shown, ..self.deeper(way) };
        let way = Way {
            hidden_counts: way.hidden_counts && !planted::is(Bug::HiddenReferenceSilent),
            ..way
        };
        // A control that refers to itself means its label, not its value.
        let itself = target == from || target == self.root;
        let met = if itself { Met::Itself } else { Met::Reference };
        self.element(target, element, way, met);
    }

    /// A label of the control `control`: its content, without the control itself.
    pub(super) fn label(&mut self, label: NodeIdx, control: NodeIdx, way: Way) {
        let added = self.path.insert(control);
        self.text.space();
        self.reference(label, control, Way { in_label: true, ..way });
        self.text.space();
        if added {
            self.path.remove(&control);
        }
    }

    fn deeper(&self, way: Way) -> Way {
        Way { depth: way.depth + 1, ..way }
    }

    /// accname "Name From Content": pseudo-elements and children, in order.
    pub(super) fn content(&mut self, at: NodeIdx, way: Way) {
        if !self.path.insert(at) {
            self.partial = true;
            return;
        }
        if way.depth >= DEPTH_MAX {
            self.flat_text(at, way);
        } else {
            let element = self.aria.tree.frame.element(at);
            let shown = way.hidden_counts || self.aria.hidden(at) != Hidden::NodeHidden;
            self.pseudo(element.and_then(|e| e.before.as_deref()).filter(|_| shown));
            for child in self.aria.children(at) {
                if self.text.is_full() {
                    break;
                }
                self.child(child, self.deeper(way));
            }
            self.pseudo(element.and_then(|e| e.after.as_deref()).filter(|_| shown));
        }
        self.path.remove(&at);
    }

    fn pseudo(&mut self, pseudo: Option<&PseudoText>) {
        let Some(pseudo) = pseudo.filter(|_| !planted::is(Bug::PseudoSilent)) else { return };
        if pseudo.block {
            self.text.space();
        }
        self.text.push(&pseudo.text);
        if pseudo.block {
            self.text.space();
        }
    }

    fn child(&mut self, at: NodeIdx, way: Way) {
        if !self.step() {
            return;
        }
        let frame = self.aria.tree.frame;
        match &frame.node(at).data {
            NodeData::Text(text) => {
                let hidden = self.aria.hidden(at);
                if way.hidden_counts || !hidden.is_unrendered() && hidden != Hidden::NodeHidden {
                    self.text.push(&frame.shown_text(at, text));
                }
            }
            NodeData::Element(element) => self.child_element(at, element, way),
            NodeData::ShadowRoot(_) => {}
        }
    }

    fn child_element(&mut self, at: NodeIdx, element: &Element, way: Way) {
        if self.path.contains(&at) {
            self.partial = true;
            return;
        }
        if !way.hidden_counts && self.is_left_out(at, element) {
            return;
        }
        if element.is_html("br") || element.is_html("wbr") {
            if element.tag == "br" {
                self.text.space();
            }
            return;
        }
        let apart = self.apart(at, element);
        let (before, spaced) = (self.text.size(), self.text.has_space());
        if apart != Apart::No {
            self.text.space();
        }
        if !way.hidden_counts && self.aria.hidden(at) == Hidden::NodeHidden {
            // An invisible element gives nothing of its own; a visible child of it still does.
            self.content(at, way);
        } else {
            let plain = !way.hidden_counts && !way.referenced && !way.in_label;
            let share = plain && self.aria.roles.naming(at).name_from_content();
            self.shared(at, Kind::Part, share, |walk| walk.element(at, element, way, Met::Child));
        }
        match apart {
            Apart::Filled if self.text.size() == before => self.text.set_space(spaced),
            Apart::Filled | Apart::Always => self.text.space(),
            Apart::No => {}
        }
    }

    /// Takes one step of the limit; false where there is none left.
    fn step(&mut self) -> bool {
        let Some(left) = self.steps.checked_sub(1) else {
            self.partial = true;
            return false;
        };
        self.steps = left;
        self.aria.memo.steps.set(self.aria.memo.steps.get() + 1);
        true
    }

    /// accname "Hidden Not Referenced". `aria-hidden` above the walk's root does not count: whoever asks for a name below it,
    /// or takes an element out of it with `aria-owns`, means it.
    fn is_left_out(&self, at: NodeIdx, element: &Element) -> bool {
        self.aria.hidden(at).is_unrendered()
            || is_aria_hidden(element)
            || element.is_html("rt")
            || element.is_html("rp")
    }

    /// The steps for an element within the walk, after the ones on being hidden.
    fn element(&mut self, at: NodeIdx, element: &Element, way: Way, met: Met) {
        let before = self.text.size();
        let again = met == Met::Child && self.told.contains(&at);
        if self.labelledby(at, way) || again {
            return;
        }
        let control = met != Met::Itself && self.is_embedded_control(at);
        if control
            && !planted::is(Bug::EmbeddedValueIgnored)
            && self.embedded_control(at, element, way)
        {
            return;
        }
        if self.aria_label(element) || self.host_label(at, element, way) {
            return;
        }
        // What a menu would offer is no part of the name around it, nor are choices that nobody made.
        let apart = met == Met::Child && (self.is_menu(at) || self.is_branch(at));
        if !control && !apart {
            self.content(at, way);
        }
        if self.text.size() > before {
            return;
        }
        let spaced = self.text.has_space();
        self.text.space();
        let told = self.tooltip(at, element, met) || control && self.placeholder(element);
        self.text.set_space(told || spaced);
    }

    fn is_menu(&self, at: NodeIdx) -> bool {
        self.aria.roles.naming(at).is_a(Role::Menu)
    }

    /// The items below a tree item are names of their own.
    fn is_branch(&self, at: NodeIdx) -> bool {
        self.aria.roles.naming(at) == Role::Group
            && self
                .aria
                .tree
                .parent(at)
                .is_some_and(|parent| self.aria.roles.naming(parent) == Role::Treeitem)
    }

    /// accname "AriaLabel".
    ///
    /// SPEC DIFFERENCE: a `slot` cannot be named, though browsers keep attributes on it.
    fn aria_label(&mut self, element: &Element) -> bool {
        let Some(label) = element.attr("aria-label").filter(|label| !is_blank(label)) else {
            return false;
        };
        if element.is_html("slot") {
            return false;
        }
        let before = self.text.size();
        self.text.push(label);
        self.text.size() > before
    }

    /// accname "Tooltip": `title`, unless empty alternative text says that there is nothing to tell.
    fn tooltip(&mut self, at: NodeIdx, element: &Element, met: Met) -> bool {
        if planted::is(Bug::TooltipForgotten) {
            return false;
        }
        let nameless = self.aria.roles.naming(at).is_name_prohibited();
        if nameless && met == Met::Child && !element.is_html("abbr") {
            return false;
        }
        if element.is_html("img") && element.attr("alt").is_some_and(is_blank) {
            return false;
        }
        let title = element.attr("title").or_else(|| element.attr("xlink:title"));
        let Some(title) = title.filter(|title| !is_blank(title)) else { return false };
        self.text.push(title);
        true
    }

    /// HTML-AAM "input type=text, … and textarea": `placeholder` where nothing else names the field.
    fn placeholder(&mut self, element: &Element) -> bool {
        let native = element.is_html("textarea")
            || matches!(
                element.input_type().as_str(),
                "text" | "search" | "url" | "tel" | "email" | "password" | "number"
            );
        let placeholder = element.attr("placeholder").filter(|_| native);
        let placeholder = placeholder.or_else(|| element.attr("aria-placeholder"));
        let Some(placeholder) = placeholder.filter(|text| !is_blank(text)) else { return false };
        self.text.push(placeholder);
        true
    }

    /// Text nodes of a subtree, too deep for the steps.
    fn flat_text(&mut self, at: NodeIdx, way: Way) {
        self.partial = true;
        let frame = self.aria.tree.frame;
        for place in at..frame.node(at).end {
            if self.text.is_full() || !self.step() {
                return;
            }
            if let NodeData::Text(text) = &frame.node(place).data
                && (way.hidden_counts || self.aria.hidden(place).is_shown())
            {
                self.text.push(&frame.shown_text(place, text));
            }
        }
    }
}
