//! The flat tree with what names and roles ask of it: parents, labels, owners, counts of naming content.

use crate::page::{Display, Element, Frame, FrameLookup, Namespace, NodeData, NodeIdx};
use crate::planted::{self, Bug};
use alloc::{collections::BTreeMap, vec, vec::Vec};

use super::hidden::Hidden;

/// One frame's flat tree (shadow trees in place, slots filled), indexed.
#[derive(Debug)]
pub(super) struct FlatTree<'a> {
    pub(super) frame: &'a Frame,
    pub(super) lookup: FrameLookup<'a>,
    /// Flat-tree parents. A parent always stands before its child, whatever the capture says, so that no walk is endless.
    parent: Vec<Option<NodeIdx>>,
    /// Light children of a shadow host that no slot shows.
    unslotted: Vec<bool>,
    /// Labels of a control, in tree order.
    labels: BTreeMap<NodeIdx, Vec<NodeIdx>>,
    waiting: Waiting<'a>,
    /// First element whose `aria-owns` names this one.
    owner: BTreeMap<NodeIdx, NodeIdx>,
    owned: BTreeMap<NodeIdx, Vec<NodeIdx>>,
    /// The first `summary` child of each `details`.
    summary: BTreeMap<NodeIdx, NodeIdx>,
    /// `tr` elements.
    rows: Vec<NodeIdx>,
    /// How many nodes before this place carry text or a naming attribute.
    naming: Vec<u32>,
    /// How many nodes before this place would be told within a picture.
    speaking: Vec<u32>,
}

/// What a tree that is being built still has to look up.
#[derive(Debug, Default)]
struct Waiting<'a> {
    /// The nearest `label` without a `for` around each node.
    around: Vec<Option<NodeIdx>>,
    /// Such labels that have no control yet, with the next one further out.
    outer: BTreeMap<NodeIdx, Option<NodeIdx>>,
    labels_for: Vec<(NodeIdx, &'a str)>,
    owners: Vec<NodeIdx>,
}

impl<'a> FlatTree<'a> {
    /// The tree without a node. Whoever builds it calls [`Self::push`] for each node in tree order, then [`Self::finish`]: one
    /// walk over a large frame serves all that is decided from the top down.
    pub(super) fn empty(frame: &'a Frame) -> Self {
        let count = frame.nodes.len();
        Self {
            frame,
            lookup: FrameLookup::empty(frame),
            parent: vec![None; count],
            unslotted: vec![false; count],
            labels: BTreeMap::new(),
            waiting: Waiting::default(),
            owner: BTreeMap::new(),
            owned: BTreeMap::new(),
            summary: BTreeMap::new(),
            rows: Vec::new(),
            naming: Vec::with_capacity(count + 1),
            speaking: Vec::with_capacity(count + 1),
        }
    }

    /// Adds the next node in tree order.
    pub(super) fn push(&mut self, at: NodeIdx) {
        let node = self.frame.node(at);
        self.lookup.push(at);
        let seen = |counts: &[u32]| counts.last().copied().unwrap_or_default();
        if at == 0 {
            self.naming.push(0);
            self.speaking.push(0);
        }
        self.naming.push(seen(&self.naming) + u32::from(names_something(&node.data)));
        self.speaking.push(seen(&self.speaking) + u32::from(speaks_in_picture(&node.data)));
        self.link(at, node.parent);
        self.note_label(at, node.parent);
        if let NodeData::Element(element) = &node.data {
            if element.has_attr("aria-owns") {
                self.waiting.owners.push(at);
            }
            if element.is_html("tr") {
                self.rows.push(at);
            }
        }
    }

    /// Follows the references, now that all nodes are there.
    pub(super) fn finish(&mut self) {
        let waiting = core::mem::take(&mut self.waiting);
        for (label, id) in waiting.labels_for {
            let target = self.lookup.by_id(label, id);
            let labelable = |at: &NodeIdx| self.frame.element(*at).is_some_and(is_labelable);
            if let Some(control) = target.filter(labelable) {
                self.labels.entry(control).or_default().push(label);
            }
        }
        for labels in self.labels.values_mut() {
            labels.sort_unstable();
        }
        self.index_owners(&waiting.owners);
    }

    fn link(&mut self, at: NodeIdx, dom_parent: Option<NodeIdx>) {
        if let NodeData::ShadowRoot(_) = self.frame.node(at).data {
            self.parent[at as usize] = dom_parent;
            return;
        }
        let flat = self.lookup.flat_parent(at).filter(|parent| *parent < at);
        self.unslotted[at as usize] = dom_parent.is_some() && flat.is_none();
        self.parent[at as usize] = flat;
        let is = |at, tag| self.frame.element(at).is_some_and(|e| e.is_html(tag));
        if let Some(details) = dom_parent
            && is(at, "summary")
            && is(details, "details")
        {
            self.summary.entry(details).or_insert(at);
        }
    }

    /// "label": a labelable element's labels, by containment here, by `for` once all ids are known.
    fn note_label(&mut self, at: NodeIdx, parent: Option<NodeIdx>) {
        let waiting = &mut self.waiting;
        let mut around = parent.and_then(|parent| waiting.around[parent as usize]);
        if let Some(element) = self.frame.element(at) {
            if element.is_html("label") {
                if let Some(id) = element.attr("for") {
                    waiting.labels_for.push((at, id));
                    around = None;
                } else {
                    waiting.outer.insert(at, around);
                    around = Some(at);
                }
            } else if around.is_some() && is_labelable(element) {
                // Labels may nest by script: the control is the first of each one around it. Each label is taken once.
                let mut next = around;
                while let Some((label, outer)) =
                    next.and_then(|label| waiting.outer.remove_entry(&label))
                {
                    self.labels.entry(at).or_default().push(label);
                    next = outer;
                }
            }
        }
        waiting.around.push(around);
    }

    /// "aria-owns": an element has one owner, the first that names it; nobody owns an ancestor or itself.
    fn index_owners(&mut self, owners: &[NodeIdx]) {
        let frame = self.frame;
        for at in owners.iter().copied() {
            let Some(ids) = frame.element(at).and_then(|e| e.attr("aria-owns")) else { continue };
            for id in ids.split_ascii_whitespace() {
                let Some(target) = self.lookup.by_id(at, id) else { continue };
                let around = target <= at && at < frame.node(target).end;
                if !around && !self.owner.contains_key(&target) && !planted::is(Bug::OwnsIgnored) {
                    self.owner.insert(target, at);
                    self.owned.entry(at).or_default().push(target);
                }
            }
        }
    }

    /// `tr` elements, in tree order.
    pub(super) fn rows(&self) -> &[NodeIdx] {
        &self.rows
    }

    /// Parent in the flat tree.
    pub(super) fn parent(&self, at: NodeIdx) -> Option<NodeIdx> {
        self.parent[at as usize]
    }

    /// A light child of a shadow host that no slot shows: not part of the page.
    pub(super) fn is_unslotted(&self, at: NodeIdx) -> bool {
        self.unslotted[at as usize]
    }

    /// Children in the flat tree, in order.
    pub(super) fn children(&self, at: NodeIdx) -> impl Iterator<Item = NodeIdx> {
        self.lookup.flat_children(at).filter(move |child| self.parent[*child as usize] == Some(at))
    }

    /// Children after `aria-owns`. A hidden owner moves nothing.
    pub(super) fn owned_children<'s>(
        &'s self,
        at: NodeIdx,
        hidden: &'s [Hidden],
    ) -> impl Iterator<Item = NodeIdx> + 's {
        let owned = self.owned.get(&at).filter(|_| hidden[at as usize].is_shown());
        let stayed = self.children(at).filter(|child| self.owner_of(*child, hidden).is_none());
        stayed.chain(owned.into_iter().flatten().copied())
    }

    /// The element that owns this one by `aria-owns`, hidden or not.
    pub(super) fn owner(&self, at: NodeIdx) -> Option<NodeIdx> {
        self.owner.get(&at).copied()
    }

    /// The element that owns this one by `aria-owns`, unless it is hidden.
    pub(super) fn owner_of(&self, at: NodeIdx, hidden: &[Hidden]) -> Option<NodeIdx> {
        self.owner.get(&at).copied().filter(|owner| hidden[*owner as usize].is_shown())
    }

    /// Labels of a control, in tree order.
    pub(super) fn labels(&self, control: NodeIdx) -> &[NodeIdx] {
        self.labels.get(&control).map_or(&[], Vec::as_slice)
    }

    /// The subtree holds text or a naming attribute.
    pub(super) fn has_naming(&self, at: NodeIdx) -> bool {
        let end = self.frame.node(at).end as usize;
        self.naming[end] > self.naming[at as usize]
    }

    /// An `svg` whose parts tell nothing: its own `title` and `desc` are about the whole.
    pub(super) fn is_picture(&self, svg: NodeIdx) -> bool {
        let spoken =
            |from: NodeIdx, to: NodeIdx| self.speaking[to as usize] - self.speaking[from as usize];
        let about = self.frame.children(svg).filter(|child| {
            let element = self.frame.element(*child);
            element.is_some_and(|e| matches!(e.tag.as_str(), "title" | "desc"))
        });
        let about: u32 = about.map(|child| spoken(child, self.frame.node(child).end)).sum();
        spoken(svg + 1, self.frame.node(svg).end) == about
    }

    /// The first child that is an HTML element of this tag.
    pub(super) fn first_child(&self, at: NodeIdx, tag: &str) -> Option<NodeIdx> {
        self.frame
            .children(at)
            .find(|child| self.frame.element(*child).is_some_and(|e| e.is_html(tag)))
    }

    /// The summary of a `details`: its first `summary` child.
    pub(super) fn summary(&self, details: NodeIdx) -> Option<NodeIdx> {
        self.summary.get(&details).copied()
    }

    /// Elements named by an id-list attribute that exist, in the order of the list, one as often as it is named.
    pub(super) fn references(&self, at: NodeIdx, attribute: &str) -> Vec<NodeIdx> {
        let ids = self.frame.element(at).and_then(|e| e.attr(attribute)).unwrap_or("");
        ids.split_ascii_whitespace().filter_map(|id| self.lookup.by_id(at, id)).collect()
    }

    /// The box of an element, as style tells it, or as the tag does where styles were not asked.
    pub(super) fn display(&self, element: &Element) -> Display {
        match element.style.known() {
            // Where what is not rendered counts all the same, it reads as it would if it were.
            Some(style) if style.display != Display::None => style.display,
            Some(_) | None => tag_display(element),
        }
    }
}

/// "Labelable element" of the HTML standard.
pub(super) fn is_labelable(element: &Element) -> bool {
    element.namespace == Namespace::Html
        && match element.tag.as_str() {
            "button" | "meter" | "output" | "progress" | "select" | "textarea" => true,
            "input" => element.input_type() != "hidden",
            _ => false,
        }
}

/// What the HTML standard's rendering section says of a tag, where a capture did not ask for styles: only blocks matter,
/// since they separate words.
fn tag_display(element: &Element) -> Display {
    if element.namespace != Namespace::Html {
        return Display::Inline;
    }
    match element.tag.as_str() {
        "address" | "article" | "aside" | "blockquote" | "body" | "center" | "dd" | "details"
        | "dialog" | "dir" | "div" | "dl" | "dt" | "fieldset" | "figcaption" | "figure"
        | "footer" | "form" | "h1" | "h2" | "h3" | "h4" | "h5" | "h6" | "header" | "hgroup"
        | "hr" | "html" | "legend" | "li" | "main" | "menu" | "nav" | "ol" | "optgroup"
        | "option" | "p" | "pre" | "search" | "section" | "summary" | "table" | "caption"
        | "thead" | "tbody" | "tfoot" | "tr" | "ul" => Display::Block,
        "td" | "th" => Display::TableCell,
        "button" | "input" | "select" | "textarea" | "meter" | "progress" => Display::InlineBlock,
        "slot" => Display::Contents,
        _ => Display::Inline,
    }
}

fn names_something(data: &NodeData) -> bool {
    match data {
        NodeData::Text(text) => !is_blank(text),
        NodeData::Element(element) => ["aria-label", "alt", "title", "value", "placeholder"]
            .iter()
            .any(|name| element.attr(name).is_some_and(|value| !is_blank(value))),
        NodeData::ShadowRoot(_) => false,
    }
}

/// Within an `svg`: text, links, pictures, and what its author made something of.
fn speaks_in_picture(data: &NodeData) -> bool {
    match data {
        NodeData::Text(text) => !is_blank(text),
        NodeData::Element(element) => {
            matches!(element.tag.as_str(), "a" | "foreignObject" | "image")
                || ["aria-label", "aria-labelledby", "role", "tabindex"]
                    .iter()
                    .any(|name| element.has_attr(name))
        }
        NodeData::ShadowRoot(_) => false,
    }
}

/// Nothing but ASCII white space.
pub(super) fn is_blank(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_whitespace())
}

#[cfg(test)]
mod tests {
    use crate::aria::AriaFrame;
    use crate::page::{NodeIdx, outline};
    use alloc::vec::Vec;

    fn check(text: &str, expected: &[NodeIdx]) {
        let frame = outline::frame(text).unwrap();
        let at = outline::find(&frame, "x").unwrap();
        assert_eq!(AriaFrame::new(&frame).children(at).collect::<Vec<_>>(), expected, "{text}");
    }

    #[test]
    fn owned_elements_move_once_and_never_above_their_owner() {
        check("p#x [aria-owns=\"b a\"]\n  i\ni#a\ni#b", &[1, 3, 2]);
        check("p [aria-owns=a]\np#x [aria-owns=a]\ni#a", &[]);
        check("div#x\n  i#a\np [aria-owns=a]", &[]);
        check("div#o\n  p#x [aria-owns=\"o x\"]\n    i", &[2]);
        check("p#x [aria-owns=a] [hidden]\ni#a", &[]);
    }

    #[test]
    fn hosts_show_their_shadow_and_slots_what_they_hold() {
        check("x-a#x\n  :shadow\n    slot\n    b\n  i", &[2, 3]);
        check("x-a\n  :shadow\n    slot#x\n      u\n  i", &[4]);
    }
}
