//! Which elements are disabled: HTML "Enabling and disabling form controls" and WAI-ARIA 1.2 "aria-disabled".

use super::state::token;
use super::tree::FlatTree;
use crate::page::{Namespace, NodeIdx};
use crate::planted::{self, Bug};
use alloc::{collections::BTreeMap, vec::Vec};

/// Whether an element is disabled, and how it came about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Disabled {
    /// It is not.
    No,
    /// By `aria-disabled` further up: that counts for the roles that have the state.
    Above,
    /// By its own attributes, or as a form control by those of its group.
    Yes,
}

/// HTML "Enabling and disabling form controls" and WAI-ARIA 1.2 "aria-disabled", for every node.
#[derive(Debug, Default)]
pub(super) struct Disabling {
    answers: Vec<Disabled>,
    by_fieldset: Vec<bool>,
    by_aria: Vec<bool>,
    /// The first legend of each disabled fieldset, by the fieldset: what stands in it stays usable.
    free_legend: BTreeMap<NodeIdx, NodeIdx>,
}

impl Disabling {
    /// Decides the next node in tree order.
    pub(super) fn push(&mut self, tree: &FlatTree<'_>, at: NodeIdx) {
        let parent = tree.parent(at);
        let is = |list: &[bool], at: Option<NodeIdx>| at.is_some_and(|at| list[at as usize]);
        let mut by_fieldset = is(&self.by_fieldset, parent);
        let mut by_aria = is(&self.by_aria, parent);
        let mut answer = Disabled::No;
        if let Some(element) = tree.frame.element(at) {
            if let Some(fieldset) = parent
                && self.free_legend.get(&fieldset) == Some(&at)
            {
                // Free of this fieldset, not of one further out.
                by_fieldset = is(&self.by_fieldset, tree.parent(fieldset));
            }
            let above = by_fieldset && !planted::is(Bug::FieldsetForgotten);
            let own = element.has_attr("disabled");
            if own && element.is_html("fieldset") {
                by_fieldset = true;
                self.free_legend.extend(tree.first_child(at, "legend").map(|legend| (at, legend)));
            }
            by_fieldset |= own && (element.is_html("select") || element.is_html("optgroup"));
            let listed = element.namespace == Namespace::Html
                && matches!(
                    element.tag.as_str(),
                    "button" | "fieldset" | "input" | "optgroup" | "option" | "select" | "textarea"
                );
            let own_aria = token(element, "aria-disabled") == Some("true");
            by_aria |= own_aria;
            answer = if own_aria || listed && (own || above) {
                Disabled::Yes
            } else if by_aria {
                Disabled::Above
            } else {
                Disabled::No
            };
        }
        self.by_fieldset.push(by_fieldset);
        self.by_aria.push(by_aria);
        self.answers.push(answer);
    }

    /// The answers, by place.
    pub(super) fn finish(self) -> Vec<Disabled> {
        self.answers
    }
}
