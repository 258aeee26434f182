//! From a locator to nodes of a captured top frame.

use super::text::{element_text, is_visible};
use super::{Filter, Locator, Patterns, RoleStep, Step, TextMatch};
use crate::aria::{AriaFrame, NameSource, Tristate};
use crate::page::{Capture, Matches, NodeData, NodeId, NodeIdx, ShadowMode, collapse};
use crate::refs::StaleReason;
use alloc::{
    collections::{BTreeMap, BTreeSet},
    rc::Rc,
    string::String,
    vec::Vec,
};
use core::cell::RefCell;

/// Why a locator finds nothing that could be meant.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LocateError {
    /// No selector.
    #[error("{0:?} is not a CSS selector that the browser knows")]
    Selector(String),
    /// A pattern that cannot be run.
    #[error("the pattern /{0}/ cannot be used: {1}")]
    Pattern(String, String),
    /// A ref that is not good any more.
    #[error("stale_ref: {0}")]
    Stale(StaleReason),
}

/// What a locator is resolved with.
pub struct Grounds<'a> {
    /// The page, captured with [`selectors`] of the locator, and with boxes where [`needs_boxes`] says so.
    pub capture: &'a Capture,
    /// Its top frame.
    pub aria: &'a AriaFrame<'a>,
    /// The node of a ref.
    pub refs: &'a dyn Fn(&str) -> Result<NodeId, StaleReason>,
    /// Runs patterns.
    pub patterns: &'a dyn Patterns,
    /// The selectors that the capture was asked for, in their order.
    pub selectors: &'a [String],
}

/// The CSS selectors that a capture must be asked for.
pub fn selectors(locator: &Locator) -> Vec<String> {
    let mut found = BTreeSet::new();
    visit(locator, &mut |step| {
        if let Step::Css(selector) = step {
            found.insert(selector.clone());
        }
    });
    found.into_iter().collect()
}

/// Whether visibility is asked about, which only boxes tell.
pub fn needs_boxes(locator: &Locator) -> bool {
    let mut needs = false;
    visit(locator, &mut |step| {
        needs |= matches!(step, Step::Filter(Filter { visible: Some(_), .. }));
    });
    needs
}

fn visit(locator: &Locator, see: &mut dyn FnMut(&Step)) {
    for step in &locator.steps {
        see(step);
        match step {
            Step::Filter(filter) => {
                let inner = [&filter.has, &filter.has_not];
                inner.into_iter().flatten().for_each(|locator| visit(locator, see));
            }
            Step::And(other) | Step::Or(other) => visit(other, see),
            _ => {}
        }
    }
}

/// The nodes that a locator finds, in tree order, each once.
///
/// # Errors
/// [`LocateError`]: the locator itself is wrong, or rests on a ref that is not good any more.
pub fn find(locator: &Locator, grounds: &Grounds<'_>) -> Result<Vec<NodeIdx>, LocateError> {
    let finder = Finder::new(grounds)?;
    finder.run(locator, None).map(|found| found.to_vec())
}

/// A locator, and where it started.
type Asked = (*const Locator, Option<NodeIdx>);

struct Finder<'a> {
    grounds: &'a Grounds<'a>,
    /// Nodes of each selector.
    matches: BTreeMap<&'a str, Vec<NodeIdx>>,
    /// In a closed shadow tree, where no script of the page's own reaches.
    closed: Vec<bool>,
    /// What each locator found from each place: one that is nested is asked again from every element around it.
    known: RefCell<BTreeMap<Asked, Rc<[NodeIdx]>>>,
}

impl<'a> Finder<'a> {
    fn new(grounds: &'a Grounds<'a>) -> Result<Self, LocateError> {
        let frame = grounds.aria.lookup().frame();
        let mut place: BTreeMap<NodeId, NodeIdx> = BTreeMap::new();
        let mut closed: Vec<bool> = Vec::with_capacity(frame.nodes.len());
        for (at, node) in (0..).zip(&frame.nodes) {
            place.insert(node.id, at);
            let above = node.parent.is_some_and(|parent| closed[parent as usize]);
            closed.push(above || matches!(node.data, NodeData::ShadowRoot(ShadowMode::Closed)));
        }
        let mut matches = BTreeMap::new();
        for (selector, found) in grounds.selectors.iter().zip(&grounds.capture.matches) {
            let Matches::Nodes(nodes) = found else {
                return Err(LocateError::Selector(selector.clone()));
            };
            let mut places: Vec<NodeIdx> =
                nodes.iter().filter_map(|node| place.get(node).copied()).collect();
            places.sort_unstable();
            places.dedup();
            matches.insert(selector.as_str(), places);
        }
        Ok(Self { grounds, matches, closed, known: RefCell::default() })
    }

    /// `from`: where the first step starts; `None` is the document.
    fn run(&self, locator: &Locator, from: Option<NodeIdx>) -> Result<Rc<[NodeIdx]>, LocateError> {
        let asked = (core::ptr::from_ref(locator), from);
        let known = self.known.borrow().get(&asked).cloned();
        if let Some(known) = known {
            return Ok(known);
        }
        let found: Rc<[NodeIdx]> = self.walk(locator, from)?.into();
        self.known.borrow_mut().insert(asked, Rc::clone(&found));
        Ok(found)
    }

    fn walk(&self, locator: &Locator, from: Option<NodeIdx>) -> Result<Vec<NodeIdx>, LocateError> {
        let mut scopes: Vec<Option<NodeIdx>> = alloc::vec![from];
        let mut found: Vec<NodeIdx> = Vec::new();
        for (place, step) in locator.steps.iter().enumerate() {
            let is_first = place == 0;
            found = match step {
                Step::Filter(filter) => self.filter(found, filter)?,
                Step::Nth(nth) => pick(&found, *nth),
                Step::And(other) => {
                    let both = self.run(other, None)?;
                    found.into_iter().filter(|at| both.binary_search(at).is_ok()).collect()
                }
                Step::Or(other) => {
                    found.extend_from_slice(&self.run(other, None)?);
                    found
                }
                looking => {
                    if !is_first {
                        scopes = found.iter().copied().map(Some).collect();
                    }
                    self.look(looking, &scopes)?
                }
            };
            found.sort_unstable();
            found.dedup();
        }
        Ok(found)
    }

    /// Places of elements below a scope, in tree order.
    fn below(&self, scope: Option<NodeIdx>) -> impl Iterator<Item = NodeIdx> + '_ {
        let frame = self.grounds.aria.lookup().frame();
        let (start, end) = match scope {
            Some(at) => (at + 1, frame.node(at).end),
            None => (0, NodeIdx::try_from(frame.nodes.len()).unwrap_or(NodeIdx::MAX)),
        };
        (start..end).filter(move |at| !self.closed[*at as usize] && frame.element(*at).is_some())
    }

    fn look(&self, step: &Step, scopes: &[Option<NodeIdx>]) -> Result<Vec<NodeIdx>, LocateError> {
        let mut found = Vec::new();
        if let Step::Ref(elem_ref) = step {
            let node = (self.grounds.refs)(elem_ref).map_err(LocateError::Stale)?;
            let frame = self.grounds.aria.lookup().frame();
            let at = frame.nodes.iter().position(|candidate| candidate.id == node);
            let at = at.and_then(|at| NodeIdx::try_from(at).ok());
            return Ok(alloc::vec![at.ok_or(LocateError::Stale(StaleReason::Removed))?]);
        }
        for scope in scopes {
            if let Step::Css(selector) = step {
                let all =
                    self.matches.get(selector.as_str()).map(Vec::as_slice).unwrap_or_default();
                let frame = self.grounds.aria.lookup().frame();
                let inside = |at: &NodeIdx| {
                    scope.is_none_or(|scope| *at > scope && *at < frame.node(scope).end)
                };
                found.extend(all.iter().copied().filter(inside));
                continue;
            }
            for at in self.below(*scope) {
                if self.fits(step, at)? {
                    found.push(at);
                }
            }
        }
        Ok(found)
    }

    fn fits(&self, step: &Step, at: NodeIdx) -> Result<bool, LocateError> {
        let attribute = |name: &str, wanted: &TextMatch| {
            let element = self.grounds.aria.lookup().frame().element(at);
            match element.and_then(|element| element.attr(name)) {
                Some(value) => self.matches_text(wanted, value),
                None => Ok(false),
            }
        };
        match step {
            Step::Role(role) => self.fits_role(role, at),
            Step::Text(wanted) => self.fits_text(wanted, at),
            Step::Label(wanted) => {
                let name = self.grounds.aria.name(at);
                let is_label = matches!(
                    name.source,
                    NameSource::LabelledBy | NameSource::AriaLabel | NameSource::HostLabel
                );
                if !is_label || !self.takes_label(at) {
                    return Ok(false);
                }
                self.matches_text(wanted, &name.text)
            }
            Step::Placeholder(wanted) => attribute("placeholder", wanted),
            Step::AltText(wanted) => attribute("alt", wanted),
            Step::Title(wanted) => attribute("title", wanted),
            Step::TestId(wanted) => attribute("data-testid", wanted),
            Step::Css(_)
            | Step::Ref(_)
            | Step::Filter(_)
            | Step::Nth(_)
            | Step::And(_)
            | Step::Or(_) => Ok(false),
        }
    }

    /// Elements whose host label is a label: not buttons by their value, nor pictures by their text.
    fn takes_label(&self, at: NodeIdx) -> bool {
        let frame = self.grounds.aria.lookup().frame();
        let Some(element) = frame.element(at) else { return false };
        if element.has_attr("aria-label") || element.has_attr("aria-labelledby") {
            return true;
        }
        match element.tag.as_str() {
            "input" => !matches!(element.input_type().as_str(), "hidden" | "image"),
            "button" | "meter" | "output" | "progress" | "select" | "textarea" => true,
            _ => false,
        }
    }

    fn fits_role(&self, wanted: &RoleStep, at: NodeIdx) -> Result<bool, LocateError> {
        let aria = self.grounds.aria;
        if aria.role(at).as_str() != wanted.role
            || !wanted.include_hidden && !aria.hidden(at).is_shown()
        {
            return Ok(false);
        }
        let states = aria.states(at);
        let is = |wanted: Option<bool>, state: bool| wanted.is_none_or(|wanted| wanted == state);
        let holds = is(wanted.checked, states.checked == Some(Tristate::True))
            && is(wanted.pressed, states.pressed == Some(Tristate::True))
            && is(wanted.disabled, states.disabled)
            && is(wanted.selected, states.selected == Some(true))
            && wanted.expanded.is_none_or(|wanted| states.expanded == Some(wanted))
            && wanted.level.is_none_or(|wanted| states.level == Some(wanted));
        match &wanted.name {
            Some(name) if holds => self.matches_text(name, &aria.name(at).text),
            _ => Ok(holds),
        }
    }

    /// The text of the element fits, and that of none of its children does.
    fn fits_text(&self, wanted: &TextMatch, at: NodeIdx) -> Result<bool, LocateError> {
        let aria = self.grounds.aria;
        let frame = aria.lookup().frame();
        if !self.matches_text(wanted, &element_text(aria, at))? {
            return Ok(false);
        }
        let mut open: Vec<NodeIdx> = frame.children(at).collect();
        while let Some(child) = open.pop() {
            match &frame.node(child).data {
                NodeData::ShadowRoot(ShadowMode::Open) => open.extend(frame.children(child)),
                NodeData::Element(_) => {
                    if self.matches_text(wanted, &element_text(aria, child))? {
                        return Ok(false);
                    }
                }
                NodeData::Text(_) | NodeData::ShadowRoot(ShadowMode::Closed) => {}
            }
        }
        Ok(true)
    }

    fn filter(&self, found: Vec<NodeIdx>, filter: &Filter) -> Result<Vec<NodeIdx>, LocateError> {
        let aria = self.grounds.aria;
        let mut kept = Vec::new();
        for at in found {
            let text = |wanted: &Option<TextMatch>| match wanted {
                Some(wanted) => self.matches_text(wanted, &element_text(aria, at)).map(Some),
                None => Ok(None),
            };
            let has = |inner: &Option<alloc::boxed::Box<Locator>>| match inner {
                Some(inner) => self.run(inner, Some(at)).map(|found| Some(!found.is_empty())),
                None => Ok(None),
            };
            let holds = text(&filter.has_text)?.unwrap_or(true)
                && !text(&filter.has_not_text)?.unwrap_or(false)
                && has(&filter.has)?.unwrap_or(true)
                && !has(&filter.has_not)?.unwrap_or(false)
                && filter.visible.is_none_or(|visible| is_visible(aria, at) == visible);
            if holds {
                kept.push(at);
            }
        }
        Ok(kept)
    }

    fn matches_text(&self, wanted: &TextMatch, text: &str) -> Result<bool, LocateError> {
        let text = collapse(text);
        match wanted {
            TextMatch::Part(part) => {
                Ok(text.to_lowercase().contains(&collapse(part).to_lowercase()))
            }
            TextMatch::Whole(whole) => Ok(text == collapse(whole)),
            TextMatch::Pattern { source, flags } => self
                .grounds
                .patterns
                .finds(source, flags, &text)
                .map_err(|why| LocateError::Pattern(source.clone(), why)),
        }
    }
}

fn pick(found: &[NodeIdx], nth: i64) -> Vec<NodeIdx> {
    let count = i64::try_from(found.len()).unwrap_or(i64::MAX);
    let at = if nth < 0 { count + nth } else { nth };
    usize::try_from(at).ok().and_then(|at| found.get(at)).copied().into_iter().collect()
}
