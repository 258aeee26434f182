//! Selectors over the arena.

use super::element::Place;
use crate::dom::{Dom, Quirks};
use backlot_core::page::NodeId;
use cssparser::{CowRcStr, Parser as CssParser, ToCss};
use precomputed_hash::PrecomputedHash;
use selectors::SelectorImpl;
use selectors::context::{
    MatchingContext, MatchingForInvalidation, MatchingMode, NeedsSelectorFlags, QuirksMode,
    SelectorCaches,
};
use selectors::matching::matches_selector;
use selectors::parser::{
    NonTSPseudoClass, ParseRelative, PseudoElement, Selector, SelectorList, SelectorParseErrorKind,
};
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
    Hover,
    Defined,
    Open,
    Valid,
    Invalid,
    InRange,
    OutOfRange,
    Default,
    Modal,
    PopoverOpen,
    /// A state that nothing is ever in here: active, visited, target and others.
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
        *self == Self::Hover || matches!(self, Self::Never(name) if name == "active")
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
    fn parse_part(&self) -> bool {
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
            "modal" => Pseudo::Modal,
            "popover-open" => Pseudo::PopoverOpen,
            "hover" => Pseudo::Hover,
            "valid" => Pseudo::Valid,
            "invalid" => Pseudo::Invalid,
            "in-range" => Pseudo::InRange,
            "out-of-range" => Pseudo::OutOfRange,
            "default" => Pseudo::Default,
            "active" | "visited" | "target" | "focus-visible" | "user-valid" | "user-invalid"
            | "autofill" | "-webkit-autofill" | "fullscreen" | "target-within" | "playing"
            | "paused" | "picture-in-picture" => Pseudo::Never(name.to_ascii_lowercase()),
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

/// Elements of the document's own tree and its shadow trees that match, in composed tree order; `None` if it is no selector.
pub(crate) fn query_all(dom: &Dom, selector: &str) -> Option<Vec<NodeId>> {
    let mut input = CssParser::new(selector);
    let list = parse(&mut input, false)?;
    let mut caches = SelectorCaches::default();
    let elements = dom.composed().into_iter().filter(|id| dom.element(*id).is_some());
    let matching = elements
        .filter(|id| list.slice().iter().any(|one| matches(dom, *id, one, None, &mut caches)));
    Some(matching.collect())
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
