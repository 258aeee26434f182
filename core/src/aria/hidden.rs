//! Hidden and inert nodes: WAI-ARIA 1.2 "Excluding Elements from the Accessibility Tree" and HTML "Inert subtrees".

use super::tree::FlatTree;
use crate::page::{Display, Element, NodeIdx, Visibility};
use alloc::{vec, vec::Vec};

/// Whether a node is told: three answers, since a visible child of an invisible parent stays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hidden {
    /// Told.
    Shown,
    /// The node is not (`visibility`), its children may be.
    NodeHidden,
    /// Neither the node nor anything below it.
    SubtreeHidden(HiddenReason),
}

/// Why a subtree is hidden.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HiddenReason {
    /// `display: none` on it or above it, or a `hidden` attribute where styles were not asked.
    NotRendered,
    /// In a closed `details`, outside its summary.
    ClosedDetails,
    /// In content that is skipped (`content-visibility: hidden`, `hidden=until-found`).
    ContentsSkipped,
    /// A child of a shadow host that no slot shows.
    Unslotted,
    /// `aria-hidden=true` on it or above it.
    AriaHidden,
}

impl Hidden {
    /// The node itself is told.
    pub fn is_shown(self) -> bool {
        self == Self::Shown
    }

    /// Nobody sees it: hidden for another reason than `aria-hidden`.
    pub(super) fn is_unrendered(self) -> bool {
        matches!(self, Self::SubtreeHidden(reason) if reason != HiddenReason::AriaHidden)
    }
}

/// The answer for every node, parents first.
pub(super) fn all(tree: &FlatTree<'_>) -> Vec<Hidden> {
    let mut answers: Vec<Hidden> = Vec::with_capacity(tree.frame.nodes.len());
    for (at, _) in (0..).zip(&tree.frame.nodes) {
        let parent = tree.parent(at);
        let inherited = parent.map_or(Hidden::Shown, |parent| answers[parent as usize]);
        let answer = match (unrendered(tree, at, parent), inherited) {
            // A subtree nobody sees stays so; one that only `aria-hidden` hides may hold such a subtree.
            (_, Hidden::SubtreeHidden(reason)) if inherited.is_unrendered() => {
                Hidden::SubtreeHidden(reason)
            }
            (Some(reason), _) => Hidden::SubtreeHidden(reason),
            (None, Hidden::SubtreeHidden(reason)) => Hidden::SubtreeHidden(reason),
            (None, _) => own(tree, at, inherited),
        };
        answers.push(answer);
    }
    answers
}

/// Inertness of every node: the attribute inherits in the flat tree, and a modal dialog makes the rest inert.
pub(super) fn inert(tree: &FlatTree<'_>) -> Vec<bool> {
    let top = tree.frame.modal.last().copied();
    let mut inert = vec![false; tree.frame.nodes.len()];
    let mut in_modal = vec![false; tree.frame.nodes.len()];
    for (at, _) in (0..).zip(&tree.frame.nodes) {
        let parent = tree.parent(at);
        in_modal[at as usize] =
            top == Some(at) || parent.is_some_and(|parent| in_modal[parent as usize]);
        let attribute = tree.frame.element(at).is_some_and(|e| e.has_attr("inert"));
        // The dialog itself escapes an inert ancestor, not its own attribute.
        let above = top != Some(at) && parent.is_some_and(|parent| inert[parent as usize]);
        inert[at as usize] = attribute || above || (top.is_some() && !in_modal[at as usize]);
    }
    inert
}

fn unrendered(tree: &FlatTree<'_>, at: NodeIdx, parent: Option<NodeIdx>) -> Option<HiddenReason> {
    if tree.is_unslotted(at) {
        return Some(HiddenReason::Unslotted);
    }
    if let Some(element) = tree.frame.element(at)
        && is_display_none(element)
    {
        return Some(HiddenReason::NotRendered);
    }
    let parent = parent?;
    let owner = tree.frame.element(parent)?;
    if owner.is_html("details")
        && !owner.has_attr("open")
        && tree.lookup.shadow_root(parent).is_none()
        && tree.summary(parent) != Some(at)
    {
        return Some(HiddenReason::ClosedDetails);
    }
    match owner.style.known() {
        Some(style) if style.contents_skipped => Some(HiddenReason::ContentsSkipped),
        _ => None,
    }
}

fn is_display_none(element: &Element) -> bool {
    match element.style.known() {
        Some(style) => style.display == Display::None,
        // Styles were not asked: only what the page wrote as an attribute is known.
        None => element.has_attr("hidden") || element.input_type() == "hidden",
    }
}

/// `aria-hidden` and `visibility` of the node itself.
fn own(tree: &FlatTree<'_>, at: NodeIdx, inherited: Hidden) -> Hidden {
    let Some(element) = tree.frame.element(at) else {
        // Text is as visible as the element around it.
        return inherited;
    };
    if is_aria_hidden(element) {
        return Hidden::SubtreeHidden(HiddenReason::AriaHidden);
    }
    match element.style.known().map(|style| style.visibility) {
        Some(Visibility::Hidden | Visibility::Collapse) => Hidden::NodeHidden,
        Some(Visibility::Visible) | None => Hidden::Shown,
    }
}

/// `aria-hidden=true`.
pub(super) fn is_aria_hidden(element: &Element) -> bool {
    element.attr("aria-hidden").is_some_and(|value| value.trim().eq_ignore_ascii_case("true"))
}
