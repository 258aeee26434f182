//! The rules of one tree scope, indexed by what their last compound asks for.

use super::block::Block;
use super::selector::{PseudoBox, Sim, matches};
use super::sheet::{Rules, UNLAYERED};
use crate::dom::{Dom, Quirks};
use backlot_core::page::NodeId;
use selectors::context::SelectorCaches;
use selectors::parser::{Component, Selector, SelectorList};
use std::cell::Cell;
use std::collections::BTreeMap;
use std::rc::Rc;

/// One selector with the block it stands before.
#[derive(Debug)]
pub(crate) struct Entry {
    selector: Selector<Sim>,
    pub(crate) block: Rc<Block>,
    pub(crate) layer: u32,
    order: usize,
    pseudo: Option<PseudoBox>,
    is_host: bool,
}

/// What a rule is looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Seen {
    /// From the element's own tree.
    Own,
    /// `:host`, from the shadow tree of the element.
    Host,
    /// `::part`, from a tree around the shadow tree that the element is in.
    Part,
    /// `::slotted`, from the shadow tree the element is slotted into.
    Slotted,
}

/// The rules of one tree scope.
#[derive(Debug, Default)]
pub(crate) struct Scope {
    entries: Vec<Entry>,
    ids: BTreeMap<String, Vec<usize>>,
    classes: BTreeMap<String, Vec<usize>>,
    tags: BTreeMap<String, Vec<usize>>,
    attributes: BTreeMap<String, Vec<usize>>,
    rest: Vec<usize>,
    /// Some rule is for a pseudo-element.
    has_pseudos: bool,
    /// Selectors that were tried on elements.
    pub(crate) tried: Cell<u64>,
}

impl Scope {
    pub(crate) fn new(rules: &Rules, quirks: Quirks) -> Self {
        let mut scope = Self::default();
        let strengths = rules.strengths();
        for (order, rule) in rules.rules.iter().enumerate() {
            for selector in rule.selectors.slice() {
                let layer = strengths.get(rule.layer as usize).copied().unwrap_or(UNLAYERED);
                scope.add(selector, &rule.block, layer, order, quirks);
            }
        }
        scope
    }

    fn add(
        &mut self,
        selector: &Selector<Sim>,
        block: &Rc<Block>,
        layer: u32,
        order: usize,
        quirks: Quirks,
    ) {
        let at = self.entries.len();
        self.has_pseudos |= selector.has_pseudo_element();
        let mut compound = selector.iter();
        if selector.has_pseudo_element() {
            // The pseudo-element is a compound of its own, after the one that counts.
            for _component in &mut compound {}
            compound.next_sequence();
        }
        let (mut id, mut class, mut tag, mut is_host) = (None, None, None, false);
        let (mut attribute, mut among) = (None, None);
        for component in compound {
            match component {
                Component::ID(name) => id = Some(name.as_ref().to_string()),
                Component::Class(name) => class = Some(name.as_ref().to_string()),
                Component::LocalName(name) => tag = Some(name.lower_name.as_ref().to_string()),
                Component::Host(_) => is_host = true,
                Component::AttributeInNoNamespaceExists { local_name_lower, .. } => {
                    attribute = Some(local_name_lower.as_ref().to_string());
                }
                Component::AttributeInNoNamespace { local_name, .. } => {
                    attribute = Some(local_name.as_ref().to_ascii_lowercase());
                }
                Component::Is(list) | Component::Where(list) => among = tags_of(list),
                _ => {}
            }
        }
        let folded = quirks == Quirks::Full;
        match (id, class, tag) {
            _ if is_host || selector.is_slotted() || selector.is_part() => self.rest.push(at),
            (Some(id), _, _) if !folded => self.ids.entry(id).or_default().push(at),
            (_, Some(class), _) if !folded => self.classes.entry(class).or_default().push(at),
            (_, _, Some(tag)) => self.tags.entry(tag).or_default().push(at),
            _ => match (attribute, among) {
                (Some(name), _) => self.attributes.entry(name).or_default().push(at),
                (None, Some(tags)) => {
                    for tag in tags {
                        self.tags.entry(tag).or_default().push(at);
                    }
                }
                (None, None) => self.rest.push(at),
            },
        }
        self.entries.push(Entry {
            selector: selector.clone(),
            block: Rc::clone(block),
            layer,
            order,
            pseudo: selector.pseudo_element().cloned(),
            is_host,
        });
    }

    /// The rules that match, the weakest first.
    pub(crate) fn matching(
        &self,
        dom: &Dom,
        id: NodeId,
        pseudo: Option<&PseudoBox>,
        seen: Seen,
        host: Option<NodeId>,
        caches: &mut SelectorCaches,
    ) -> Vec<&Entry> {
        if pseudo.is_some() && !self.has_pseudos {
            return Vec::new();
        }
        let candidates = self.candidates(dom, id);
        self.tried.set(self.tried.get() + candidates.len() as u64);
        let mut found: Vec<&Entry> = candidates
            .into_iter()
            .map(|at| &self.entries[at])
            .filter(|entry| entry.pseudo.as_ref() == pseudo)
            .filter(|entry| match seen {
                Seen::Own => {
                    !entry.is_host && !entry.selector.is_slotted() && !entry.selector.is_part()
                }
                Seen::Part => entry.selector.is_part(),
                Seen::Host => entry.is_host,
                Seen::Slotted => entry.selector.is_slotted(),
            })
            .filter(|entry| matches(dom, id, &entry.selector, host, caches))
            .collect();
        found.sort_by_key(|entry| (entry.layer, entry.selector.specificity(), entry.order));
        found
    }

    fn candidates(&self, dom: &Dom, id: NodeId) -> Vec<usize> {
        let mut places = self.rest.clone();
        let Some(element) = dom.element(id) else { return places };
        let mut take = |index: &BTreeMap<String, Vec<usize>>, key: &str| {
            places.extend(index.get(key).into_iter().flatten());
        };
        take(&self.tags, &element.tag().to_ascii_lowercase());
        if let Some(own) = element.attr("id") {
            take(&self.ids, own);
        }
        if !self.attributes.is_empty() {
            for attribute in &element.attrs {
                take(&self.attributes, &attribute.name.to_ascii_lowercase());
            }
        }
        for class in element.attr("class").unwrap_or_default().split_ascii_whitespace() {
            take(&self.classes, class);
        }
        places.sort_unstable();
        places.dedup();
        places
    }
}

/// The tags that a list of selectors asks for, if each of them asks for one.
fn tags_of(list: &SelectorList<Sim>) -> Option<Vec<String>> {
    let tag = |selector: &Selector<Sim>| {
        selector.iter().find_map(|component| match component {
            Component::LocalName(name) => Some(name.lower_name.as_ref().to_string()),
            _ => None,
        })
    };
    list.slice().iter().map(tag).collect()
}
