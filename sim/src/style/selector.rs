//! Selectors over the arena.

use crate::dom::{Data, Dom, InputKind, Quirks};
use backlot_core::page::{Namespace, NodeId};
use cssparser::{CowRcStr, Parser as CssParser, ToCss};
use precomputed_hash::PrecomputedHash;
use selectors::attr::{AttrSelectorOperation, CaseSensitivity, NamespaceConstraint};
use selectors::bloom::BloomFilter;
use selectors::context::{
    MatchingContext, MatchingForInvalidation, MatchingMode, NeedsSelectorFlags, QuirksMode,
    SelectorCaches,
};
use selectors::matching::{ElementSelectorFlags, matches_selector};
use selectors::parser::{
    NonTSPseudoClass, ParseRelative, PseudoElement, Selector, SelectorList, SelectorParseErrorKind,
};
use selectors::{Element, OpaqueElement, SelectorImpl};
use std::borrow::Borrow;
use std::fmt::{self, Write};
use std::rc::Rc;

/// An identifier, name or value in a selector.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Word(Rc<str>);

impl From<&str> for Word {
    fn from(text: &str) -> Self {
        Self(text.into())
    }
}

impl AsRef<str> for Word {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl Borrow<str> for Word {
    fn borrow(&self) -> &str {
        &self.0
    }
}

impl Default for Word {
    fn default() -> Self {
        Self("".into())
    }
}

impl ToCss for Word {
    fn to_css<W: Write>(&self, dest: &mut W) -> fmt::Result {
        dest.write_str(&self.0)
    }
}

impl PrecomputedHash for Word {
    fn precomputed_hash(&self) -> u32 {
        self.0
            .bytes()
            .fold(0x811c_9dc5, |hash: u32, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
    }
}

/// Pseudo-classes that the page's state decides.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Pseudo {
    Link,
    Checked,
    Indeterminate,
    Disabled,
    Enabled,
    Required,
    Optional,
    ReadOnly,
    ReadWrite,
    PlaceholderShown,
    Focus,
    FocusWithin,
    Defined,
    Open,
    /// A state that nothing is ever in here: hover, active, visited, target, modal and others.
    Never(String),
    Lang(Vec<String>),
    Dir(String),
}

/// Pseudo-elements; only the first two are looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum PseudoBox {
    Before,
    After,
    Other(String),
}

impl ToCss for Pseudo {
    fn to_css<W: Write>(&self, dest: &mut W) -> fmt::Result {
        write!(dest, "{self:?}")
    }
}

impl ToCss for PseudoBox {
    fn to_css<W: Write>(&self, dest: &mut W) -> fmt::Result {
        write!(dest, "{self:?}")
    }
}

impl NonTSPseudoClass for Pseudo {
    fn is_active_or_hover(&self) -> bool {
        matches!(self, Self::Never(name) if name == "hover" || name == "active")
    }

    fn is_user_action_state(&self) -> bool {
        self.is_active_or_hover() || matches!(self, Self::Focus | Self::FocusWithin)
    }
}

impl PseudoElement for PseudoBox {
    fn accepts_state_pseudo_classes(&self) -> bool {
        true
    }

    fn valid_after_slotted(&self) -> bool {
        matches!(self, Self::Before | Self::After)
    }

    fn is_before_or_after(&self) -> bool {
        matches!(self, Self::Before | Self::After)
    }
}

#[derive(Debug, Clone)]
pub(crate) struct Sim;

impl SelectorImpl for Sim {
    type ExtraMatchingData<'a> = ();
    type AttrValue = Word;
    type Identifier = Word;
    type LocalName = Word;
    type NamespaceUrl = Word;
    type NamespacePrefix = Word;
    type BorrowedNamespaceUrl = str;
    type BorrowedLocalName = str;
    type NonTSPseudoClass = Pseudo;
    type PseudoElement = PseudoBox;
}

type ParseError = cssparser::ParseError<SelectorParseErrorKind>;

struct SelectorParser;

impl<'i> selectors::Parser<'i> for SelectorParser {
    type Impl = Sim;
    type Error = SelectorParseErrorKind;

    fn parse_slotted(&self) -> bool {
        true
    }
    fn parse_nth_child_of(&self) -> bool {
        true
    }
    fn parse_is_and_where(&self) -> bool {
        true
    }
    fn parse_has(&self) -> bool {
        true
    }
    fn parse_host(&self) -> bool {
        true
    }
    fn parse_parent_selector(&self) -> bool {
        true
    }

    fn parse_non_ts_pseudo_class(&self, name: &str) -> Result<Pseudo, ParseError> {
        Ok(match name.to_ascii_lowercase().as_str() {
            "link" | "any-link" => Pseudo::Link,
            "checked" => Pseudo::Checked,
            "indeterminate" => Pseudo::Indeterminate,
            "disabled" => Pseudo::Disabled,
            "enabled" => Pseudo::Enabled,
            "required" => Pseudo::Required,
            "optional" => Pseudo::Optional,
            "read-only" => Pseudo::ReadOnly,
            "read-write" => Pseudo::ReadWrite,
            "placeholder-shown" => Pseudo::PlaceholderShown,
            "focus" => Pseudo::Focus,
            "focus-within" => Pseudo::FocusWithin,
            "defined" => Pseudo::Defined,
            "open" => Pseudo::Open,
            "hover" | "active" | "visited" | "target" | "focus-visible" | "valid" | "invalid"
            | "user-valid" | "user-invalid" | "in-range" | "out-of-range" | "default"
            | "autofill" | "-webkit-autofill" | "modal" | "popover-open" | "fullscreen"
            | "target-within" | "playing" | "paused" | "picture-in-picture" => {
                Pseudo::Never(name.to_ascii_lowercase())
            }
            _ => return Err(unknown()),
        })
    }

    fn parse_non_ts_functional_pseudo_class(
        &self,
        name: &str,
        parser: &mut CssParser<'i>,
        _after_part: bool,
    ) -> Result<Pseudo, ParseError> {
        let words = |parser: &mut CssParser<'i>| {
            parser.parse_comma_separated(|parser| {
                let word: &CowRcStr = parser.expect_ident_or_string()?;
                Ok::<_, ParseError>(word.to_string())
            })
        };
        match name.to_ascii_lowercase().as_str() {
            "lang" => Ok(Pseudo::Lang(words(parser)?)),
            "dir" => Ok(Pseudo::Dir(words(parser)?.concat())),
            _ => Err(unknown()),
        }
    }

    fn parse_pseudo_element(&self, name: &str) -> Result<PseudoBox, ParseError> {
        match name.to_ascii_lowercase().as_str() {
            "before" => Ok(PseudoBox::Before),
            "after" => Ok(PseudoBox::After),
            other
                if other.starts_with("-webkit-")
                    || matches!(
                        other,
                        "marker"
                            | "placeholder"
                            | "selection"
                            | "first-line"
                            | "first-letter"
                            | "backdrop"
                            | "file-selector-button"
                            | "cue"
                            | "target-text"
                            | "details-content"
                            | "spelling-error"
                            | "grammar-error"
                    ) =>
            {
                Ok(PseudoBox::Other(other.into()))
            }
            _ => Err(unknown()),
        }
    }
}

fn unknown() -> ParseError {
    ParseError::custom(SelectorParseErrorKind::UnsupportedPseudoClassOrElement)
}

/// Parses a selector list.
pub(crate) fn parse(input: &mut CssParser<'_>, nested: bool) -> Option<SelectorList<Sim>> {
    let relative = if nested { ParseRelative::ForNesting } else { ParseRelative::No };
    SelectorList::parse(&SelectorParser, input, relative).ok()
}

/// Elements of the document's own tree and its shadow trees that match, in composed tree order.
pub(crate) fn query_all(dom: &Dom, selector: &str) -> Vec<NodeId> {
    let mut input = CssParser::new(selector);
    let Some(list) = parse(&mut input, false) else { return Vec::new() };
    let mut caches = SelectorCaches::default();
    dom.composed()
        .into_iter()
        .filter(|id| dom.element(*id).is_some())
        .filter(|id| list.slice().iter().any(|one| matches(dom, *id, one, None, &mut caches)))
        .collect()
}

/// Whether a selector (its pseudo-element, where it has one, left aside) matches, as seen from the shadow tree of `host`.
pub(crate) fn matches(
    dom: &Dom,
    id: NodeId,
    selector: &Selector<Sim>,
    host: Option<NodeId>,
    caches: &mut SelectorCaches,
) -> bool {
    let mode = if selector.has_pseudo_element() {
        MatchingMode::ForStatelessPseudoElement
    } else {
        MatchingMode::Normal
    };
    let quirks = match dom.quirks {
        Quirks::Full => QuirksMode::Quirks,
        Quirks::Limited => QuirksMode::LimitedQuirks,
        Quirks::No => QuirksMode::NoQuirks,
    };
    let mut context = MatchingContext::new(
        mode,
        None,
        caches,
        quirks,
        NeedsSelectorFlags::No,
        MatchingForInvalidation::No,
    );
    let element = Place { dom, id };
    context.with_shadow_host(host.map(|id| Place { dom, id }), |context| {
        matches_selector(selector, 0, None, element, context)
    })
}

/// An element, as the matcher sees it.
#[derive(Clone, Copy)]
struct Place<'a> {
    dom: &'a Dom,
    id: NodeId,
}

impl fmt::Debug for Place<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.id)
    }
}

impl Place<'_> {
    fn at(self, id: Option<NodeId>) -> Option<Self> {
        id.map(|id| Self { dom: self.dom, id })
    }

    fn attr(&self, name: &str) -> Option<&str> {
        self.dom.attr(self.id, name)
    }

    fn is_editable(&self) -> bool {
        let fixed = self.attr("readonly").is_some() || self.dom.is_disabled(self.id);
        match self.dom.html_tag(self.id) {
            "textarea" => !fixed,
            "input" => {
                let kind = self.dom.input_kind(self.id).unwrap_or(InputKind::Text);
                !fixed && !kind.is_textless() && kind != InputKind::File
            }
            _ => self.dom.editing_host(self.id).is_some(),
        }
    }

    fn is_state(&self, state: &Pseudo) -> bool {
        let (dom, id) = (self.dom, self.id);
        let tag = dom.html_tag(id);
        let field = matches!(tag, "input" | "select" | "textarea");
        match state {
            Pseudo::Link => self.is_link(),
            Pseudo::Checked => match tag {
                "option" => dom.is_selected(id),
                "input" => {
                    dom.input_kind(id).is_some_and(InputKind::is_checkable) && dom.is_checked(id)
                }
                _ => false,
            },
            Pseudo::Indeterminate => dom.element(id).is_some_and(|e| e.live.indeterminate),
            Pseudo::Disabled => dom.is_disabled(id),
            Pseudo::Enabled => {
                let can = field || matches!(tag, "button" | "option" | "optgroup" | "fieldset");
                can && !dom.is_disabled(id)
            }
            Pseudo::Required => field && self.attr("required").is_some(),
            Pseudo::Optional => field && self.attr("required").is_none(),
            Pseudo::ReadOnly => !self.is_editable(),
            Pseudo::ReadWrite => self.is_editable(),
            Pseudo::PlaceholderShown => {
                matches!(tag, "input" | "textarea")
                    && self.attr("placeholder").is_some()
                    && dom.value(id).is_empty()
            }
            Pseudo::Focus => dom.focused == Some(id),
            Pseudo::FocusWithin => {
                dom.focused.is_some_and(|focused| dom.flat_ancestors(focused).any(|up| up == id))
            }
            // Nothing defines custom elements where no script runs.
            Pseudo::Defined => !tag.contains('-'),
            Pseudo::Open => matches!(tag, "details" | "dialog") && self.attr("open").is_some(),
            Pseudo::Never(_) => false,
            Pseudo::Lang(wanted) => self.is_lang(wanted),
            Pseudo::Dir(wanted) => {
                let dir = dom.inclusive_ancestors(id).find_map(|up| dom.attr(up, "dir"));
                dir.unwrap_or("ltr").eq_ignore_ascii_case(wanted)
            }
        }
    }

    fn is_lang(&self, wanted: &[String]) -> bool {
        let lang = self.dom.inclusive_ancestors(self.id).find_map(|up| self.dom.attr(up, "lang"));
        let lang = lang.unwrap_or_default().to_ascii_lowercase();
        wanted.iter().any(|range| {
            let range = range.to_ascii_lowercase();
            lang == range || lang.starts_with(&format!("{range}-"))
        })
    }
}

impl Element for Place<'_> {
    type Impl = Sim;

    fn opaque(&self) -> OpaqueElement {
        OpaqueElement::new(self.dom.node(self.id))
    }

    fn parent_element(&self) -> Option<Self> {
        self.at(self.dom.parent_element(self.id))
    }

    fn parent_node_is_shadow_root(&self) -> bool {
        self.dom
            .parent(self.id)
            .is_some_and(|up| matches!(self.dom.data(up), Data::ShadowRoot { .. }))
    }

    fn containing_shadow_host(&self) -> Option<Self> {
        match self.dom.data(self.dom.root_of(self.id)) {
            Data::ShadowRoot { host, .. } => self.at(Some(*host)),
            _ => None,
        }
    }

    fn is_pseudo_element(&self) -> bool {
        false
    }

    fn prev_sibling_element(&self) -> Option<Self> {
        let dom = self.dom;
        let mut before =
            std::iter::successors(dom.prev_sibling(self.id), |at| dom.prev_sibling(*at));
        self.at(before.find(|at| dom.element(*at).is_some()))
    }

    fn next_sibling_element(&self) -> Option<Self> {
        let dom = self.dom;
        let mut after =
            std::iter::successors(dom.next_sibling(self.id), |at| dom.next_sibling(*at));
        self.at(after.find(|at| dom.element(*at).is_some()))
    }

    fn first_element_child(&self) -> Option<Self> {
        self.at(self.dom.children(self.id).find(|at| self.dom.element(*at).is_some()))
    }

    fn is_html_element_in_html_document(&self) -> bool {
        self.dom.element(self.id).is_some_and(|e| e.namespace() == Namespace::Html)
    }

    fn has_local_name(&self, name: &str) -> bool {
        self.dom.element(self.id).is_some_and(|e| e.tag() == name)
    }

    fn has_namespace(&self, ns: &str) -> bool {
        self.dom.element(self.id).is_some_and(|e| &*e.name.ns == ns)
    }

    fn is_same_type(&self, other: &Self) -> bool {
        match (self.dom.element(self.id), other.dom.element(other.id)) {
            (Some(a), Some(b)) => a.name.local == b.name.local && a.name.ns == b.name.ns,
            _ => false,
        }
    }

    fn attr_matches(
        &self,
        _ns: &NamespaceConstraint<&Word>,
        name: &Word,
        operation: &AttrSelectorOperation<&Word>,
    ) -> bool {
        self.attr(name.as_ref()).is_some_and(|value| operation.eval_str(value))
    }

    fn match_non_ts_pseudo_class(&self, state: &Pseudo, _: &mut MatchingContext<Sim>) -> bool {
        self.is_state(state)
    }

    fn match_pseudo_element(&self, _: &PseudoBox, _: &mut MatchingContext<Sim>) -> bool {
        true
    }

    fn apply_selector_flags(&self, _flags: ElementSelectorFlags) {}

    fn is_link(&self) -> bool {
        match self.dom.html_tag(self.id) {
            "a" | "area" => self.attr("href").is_some(),
            "" => {
                let element = self.dom.element(self.id);
                element.is_some_and(|e| e.tag() == "a" && e.namespace() == Namespace::Svg)
                    && (self.attr("href").is_some() || self.attr("xlink:href").is_some())
            }
            _ => false,
        }
    }

    fn is_html_slot_element(&self) -> bool {
        self.dom.is_html(self.id, "slot")
    }

    fn assigned_slot(&self) -> Option<Self> {
        self.at(self.dom.assigned_slot(self.id))
    }

    fn has_id(&self, id: &Word, case: CaseSensitivity) -> bool {
        self.attr("id").is_some_and(|own| case.eq(own.as_bytes(), id.as_ref().as_bytes()))
    }

    fn has_class(&self, name: &Word, case: CaseSensitivity) -> bool {
        self.attr("class").is_some_and(|classes| {
            classes
                .split_ascii_whitespace()
                .any(|class| case.eq(class.as_bytes(), name.as_ref().as_bytes()))
        })
    }

    fn has_custom_state(&self, _name: &Word) -> bool {
        false
    }

    fn imported_part(&self, _name: &Word) -> Option<Word> {
        None
    }

    fn is_part(&self, _name: &Word) -> bool {
        false
    }

    fn is_empty(&self) -> bool {
        self.dom.children(self.id).all(|id| match self.dom.data(id) {
            Data::Text(text) => text.is_empty(),
            Data::Element(_) => false,
            _ => true,
        })
    }

    fn is_root(&self) -> bool {
        self.dom.parent(self.id) == Some(Dom::DOCUMENT)
    }

    fn add_element_unique_hashes(&self, _filter: &mut BloomFilter) -> bool {
        false
    }
}
