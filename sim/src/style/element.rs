//! Elements, as the selector matcher asks about them.

use super::selector::{Pseudo, PseudoBox, Sim, Word};
use crate::dom::{Data, Dom, InputKind};
use backlot_core::page::{Namespace, NodeId};
use selectors::attr::{AttrSelectorOperation, CaseSensitivity, NamespaceConstraint};
use selectors::bloom::BloomFilter;
use selectors::context::MatchingContext;
use selectors::matching::ElementSelectorFlags;
use selectors::{Element, OpaqueElement};
use std::fmt;

/// An element, as the matcher sees it.
#[derive(Clone, Copy)]
pub(super) struct Place<'a> {
    pub(super) dom: &'a Dom,
    pub(super) id: NodeId,
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
            Pseudo::Indeterminate => match dom.input_kind(id) {
                Some(InputKind::Radio) => {
                    !dom.radio_group(id).iter().any(|radio| dom.is_checked(*radio))
                }
                _ if tag == "progress" => self.attr("value").is_none(),
                _ => dom.element(id).is_some_and(|e| e.live.indeterminate),
            },
            Pseudo::Valid => self.is_checked_for_validity() && self.is_valid(),
            Pseudo::Invalid => self.is_checked_for_validity() && !self.is_valid(),
            Pseudo::InRange => self.has_range() && self.is_valid(),
            Pseudo::OutOfRange => self.has_range() && !self.is_valid(),
            Pseudo::Default => self.is_default(),
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
            Pseudo::Hover => {
                dom.hovered.is_some_and(|hovered| dom.flat_ancestors(hovered).any(|up| up == id))
            }
            // Nothing defines custom elements where no script runs.
            Pseudo::Defined => !tag.contains('-'),
            Pseudo::Modal => self.dom.is_modal(self.id),
            Pseudo::PopoverOpen => self.dom.is_popover_open(self.id),
            Pseudo::Open => matches!(tag, "details" | "dialog") && self.attr("open").is_some(),
            Pseudo::Never(_) => false,
            Pseudo::Lang(wanted) => self.is_lang(wanted),
            Pseudo::Dir(wanted) => {
                let dir = dom.inclusive_ancestors(id).find_map(|up| dom.attr(up, "dir"));
                dir.unwrap_or("ltr").eq_ignore_ascii_case(wanted)
            }
        }
    }

    fn is_checked_for_validity(&self) -> bool {
        let tag = self.dom.html_tag(self.id);
        let kind = self.dom.input_kind(self.id);
        let exempt = self.dom.is_disabled(self.id)
            || self.attr("readonly").is_some()
            || kind.is_some_and(|kind| kind == InputKind::Hidden || kind.is_button());
        matches!(tag, "input" | "select" | "textarea") && !exempt
            || matches!(tag, "form" | "fieldset")
    }

    fn is_valid(&self) -> bool {
        match self.dom.html_tag(self.id) {
            // A group is as valid as what is in it.
            "form" | "fieldset" => self.dom.subtree(self.id).skip(1).all(|at| {
                let at = Place { dom: self.dom, id: at };
                let is_field = matches!(self.dom.html_tag(at.id), "input" | "select" | "textarea");
                !is_field || !at.is_checked_for_validity() || self.dom.is_valid(at.id)
            }),
            _ => self.dom.is_valid(self.id),
        }
    }

    fn has_range(&self) -> bool {
        let ranged = matches!(
            self.dom.input_kind(self.id),
            Some(
                InputKind::Number
                    | InputKind::Range
                    | InputKind::Date
                    | InputKind::Month
                    | InputKind::Week
                    | InputKind::Time
                    | InputKind::DateTime
            )
        );
        ranged && (self.attr("min").is_some() || self.attr("max").is_some())
    }

    /// As the page had it at first: checked, selected, or the button that a form is submitted by.
    fn is_default(&self) -> bool {
        let submits = |id: NodeId| match self.dom.html_tag(id) {
            "button" => {
                self.dom.attr(id, "type").is_none_or(|kind| kind.eq_ignore_ascii_case("submit"))
            }
            _ => matches!(self.dom.input_kind(id), Some(InputKind::Submit | InputKind::Image)),
        };
        match self.dom.html_tag(self.id) {
            "option" => self.attr("selected").is_some(),
            "input" if self.dom.input_kind(self.id).is_some_and(InputKind::is_checkable) => {
                self.attr("checked").is_some()
            }
            "input" | "button" if submits(self.id) => {
                let form =
                    self.dom.inclusive_ancestors(self.id).find(|up| self.dom.is_html(*up, "form"));
                form.and_then(|form| self.dom.subtree(form).find(|at| submits(*at)))
                    == Some(self.id)
            }
            _ => false,
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

    /// What a part that this host shows to the outside is called inside.
    fn imported_part(&self, name: &Word) -> Option<Word> {
        self.attr("exportparts")?.split(',').find_map(|pair| {
            let (inner, outer) = pair.split_once(':').unwrap_or((pair, pair));
            (outer.trim() == name.as_ref()).then(|| Word::from(inner.trim()))
        })
    }

    fn is_part(&self, name: &Word) -> bool {
        self.attr("part")
            .is_some_and(|parts| parts.split_ascii_whitespace().any(|part| part == name.as_ref()))
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
