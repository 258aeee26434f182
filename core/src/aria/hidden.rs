//! Hidden and inert nodes: WAI-ARIA 1.2 "Excluding Elements from the Accessibility Tree" and HTML "Inert subtrees".

use super::tree::FlatTree;
use crate::page::{Display, Element, Namespace, NodeIdx, Visibility};
use crate::planted::{self, Bug};
use alloc::vec::Vec;

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
    /// In content that is skipped (`content-visibility: hidden`).
    ContentsSkipped,
    /// In `hidden=until-found`: a search in the page finds and shows it.
    UntilFound,
    /// A child of a shadow host that no slot shows.
    Unslotted,
    /// `aria-hidden=true` on it or above it.
    AriaHidden,
}

/// Why nobody sees an element that is rendered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unseen {
    /// Its box has no area.
    NoArea,
    /// Its box is a single pixel at most, as pages clip what they write for screen readers only.
    Clipped,
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

/// The answer for the next node in tree order, after those before it.
pub(super) fn next(tree: &FlatTree<'_>, answers: &[Hidden], at: NodeIdx) -> Hidden {
    let parent = tree.parent(at);
    let inherited = parent.map_or(Hidden::Shown, |parent| answers[parent as usize]);
    match (unrendered(tree, at, parent), inherited) {
        // A subtree nobody sees stays so; one that only `aria-hidden` hides may hold such a subtree.
        (_, Hidden::SubtreeHidden(reason)) if inherited.is_unrendered() => {
            Hidden::SubtreeHidden(reason)
        }
        (Some(reason), _) => Hidden::SubtreeHidden(reason),
        (None, Hidden::SubtreeHidden(reason)) => Hidden::SubtreeHidden(reason),
        (None, _) => own(tree, at, inherited),
    }
}

/// By the element's own box.
pub(super) fn unseen_by_box(element: &Element) -> Option<Unseen> {
    let rect = element.rect.known()?;
    if !rect.has_area() {
        return Some(Unseen::NoArea);
    }
    (rect.width <= 1.0 && rect.height <= 1.0).then_some(Unseen::Clipped)
}

/// Inertness of every node: the attribute inherits in the flat tree, and a modal dialog makes the rest inert.
#[derive(Debug, Default)]
pub(super) struct Inert {
    inert: Vec<bool>,
    in_modal: Vec<bool>,
}

impl Inert {
    /// Decides the next node in tree order.
    pub(super) fn push(&mut self, tree: &FlatTree<'_>, at: NodeIdx) {
        let top = tree.frame.modal.last().copied();
        let parent = tree.parent(at);
        let in_modal =
            top == Some(at) || parent.is_some_and(|parent| self.in_modal[parent as usize]);
        let attribute = tree.frame.element(at).is_some_and(|e| e.has_attr("inert"));
        // The dialog itself escapes an inert ancestor, not its own attribute.
        let above = top != Some(at) && parent.is_some_and(|parent| self.inert[parent as usize]);
        self.in_modal.push(in_modal);
        self.inert.push(attribute || above || (top.is_some() && !in_modal));
    }

    /// The answers, by place.
    pub(super) fn finish(self) -> Vec<bool> {
        self.inert
    }
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
        && !planted::is(Bug::DetailsOpen)
        && tree.lookup.shadow_root(parent).is_none()
        && tree.summary(parent) != Some(at)
    {
        return Some(HiddenReason::ClosedDetails);
    }
    match owner.style.known() {
        Some(style) if style.contents_skipped && is_until_found(owner) => {
            Some(HiddenReason::UntilFound)
        }
        Some(style) if style.contents_skipped => Some(HiddenReason::ContentsSkipped),
        _ => None,
    }
}

/// HTML "The hidden attribute", its state Hidden Until Found.
fn is_until_found(element: &Element) -> bool {
    element.attr("hidden").is_some_and(|value| value.eq_ignore_ascii_case("until-found"))
}

fn is_display_none(element: &Element) -> bool {
    match element.style.known() {
        _ if is_never_rendered(element) => true,
        // An `area` has no box of its own under any style: its image shows it.
        Some(style) => style.display == Display::None && !element.is_html("area"),
        // Styles were not asked: only what the page wrote as an attribute is known.
        None => element.has_attr("hidden") || element.input_type() == "hidden",
    }
}

/// SVG 2 "Never-rendered elements", and its descriptive ones: whatever their `display` says.
fn is_never_rendered(element: &Element) -> bool {
    element.namespace == Namespace::Svg
        && matches!(
            element.tag.as_str(),
            "clipPath"
                | "defs"
                | "desc"
                | "linearGradient"
                | "marker"
                | "mask"
                | "metadata"
                | "pattern"
                | "radialGradient"
                | "script"
                | "style"
                | "symbol"
                | "title"
        )
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
        Some(Visibility::Visible) if planted::is(Bug::VisibleChildLost) => inherited,
        Some(Visibility::Visible) | None => Hidden::Shown,
    }
}

/// `aria-hidden=true`.
pub(super) fn is_aria_hidden(element: &Element) -> bool {
    element.attr("aria-hidden").is_some_and(|value| value.trim().eq_ignore_ascii_case("true"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::aria::AriaFrame;
    use crate::page::{Rect, outline};

    fn check(text: &str, expected: Hidden) {
        let frame = outline::frame(text).unwrap();
        let at = outline::find(&frame, "x").unwrap();
        assert_eq!(AriaFrame::new(&frame).hidden(at), expected, "{text}");
    }

    #[test]
    fn display_none_hides_what_is_below() {
        check("div {none}\n  p#x {block}", Hidden::SubtreeHidden(HiddenReason::NotRendered));
        check("div {contents}\n  p#x {block}", Hidden::Shown);
    }

    #[test]
    fn a_visible_child_of_an_invisible_parent_stays() {
        check("div#x {hidden}", Hidden::NodeHidden);
        check("div {hidden}\n  p#x {block}", Hidden::Shown);
        check("tr#x {collapse}", Hidden::NodeHidden);
    }

    #[test]
    fn only_aria_hidden_true_hides_and_it_inherits() {
        let hidden = Hidden::SubtreeHidden(HiddenReason::AriaHidden);
        check("div [aria-hidden=true]\n  p#x", hidden);
        check("div [aria-hidden=false]\n  p#x", Hidden::Shown);
        let both = "div [aria-hidden=true]\n  p {none}\n    b#x {inline}";
        check(both, Hidden::SubtreeHidden(HiddenReason::NotRendered));
    }

    #[test]
    fn a_closed_details_shows_its_first_summary_only() {
        let closed = Hidden::SubtreeHidden(HiddenReason::ClosedDetails);
        check("details\n  summary\n    b#x", Hidden::Shown);
        check("details\n  summary\n  summary#x", closed);
        check("details\n  p\n    b#x", closed);
        check("details [open]\n  p#x", Hidden::Shown);
    }

    #[test]
    fn skipped_contents_hide_the_children_not_the_owner() {
        check("div#x {block skipped}", Hidden::Shown);
        let skipped = Hidden::SubtreeHidden(HiddenReason::ContentsSkipped);
        check("div {block skipped}\n  p#x {block}", skipped);
        let until_found = Hidden::SubtreeHidden(HiddenReason::UntilFound);
        check(
            "div [hidden=Until-Found] {block skipped}\n  p {block}\n    b#x {inline}",
            until_found,
        );
    }

    #[test]
    fn a_box_without_area_is_a_fact_of_its_own() {
        let unseen = |width, height| {
            let mut element = Element::new("p", Namespace::Html);
            element.rect = crate::page::Fact::Known(Rect { x: 0.0, y: 0.0, width, height });
            unseen_by_box(&element)
        };
        assert_eq!(unseen(0.0, 20.0), Some(Unseen::NoArea));
        assert_eq!(unseen(1.0, 1.0), Some(Unseen::Clipped));
        assert_eq!(unseen(1.0, 20.0), None);
        assert_eq!(unseen_by_box(&Element::new("p", Namespace::Html)), None);
    }

    #[test]
    fn light_children_show_where_a_slot_does() {
        let host = "x-card\n  :shadow\n    slot [name=s]\n  p#x";
        check(host, Hidden::SubtreeHidden(HiddenReason::Unslotted));
        check("x-card\n  :shadow\n    slot\n  p#x", Hidden::Shown);
        let in_hidden = "x-card\n  :shadow\n    div {none}\n      slot\n  p#x";
        check(in_hidden, Hidden::SubtreeHidden(HiddenReason::NotRendered));
    }

    #[test]
    fn what_svg_never_renders_is_not_rendered() {
        let unrendered = Hidden::SubtreeHidden(HiddenReason::NotRendered);
        check("svg\n  title#x {inline}", unrendered);
        check("svg\n  defs {inline}\n    text#x {inline}", unrendered);
        check("svg\n  text#x {inline}", Hidden::Shown);
        check("div\n  title#x {inline}", Hidden::Shown);
    }

    #[test]
    fn without_styles_only_attributes_tell() {
        check("div [hidden]\n  p#x", Hidden::SubtreeHidden(HiddenReason::NotRendered));
        check("div [hidden] {block}\n  p#x", Hidden::Shown);
    }

    #[test]
    fn a_modal_dialog_makes_the_rest_inert_and_escapes_inert_ancestors() {
        let text =
            "div#page\ndiv [inert]\n  dialog#dialog (modal)\n    button#in\n    p#own [inert]";
        let frame = outline::frame(text).unwrap();
        let aria = AriaFrame::new(&frame);
        let inert = |id| aria.is_inert(outline::find(&frame, id).unwrap());
        assert!(inert("page") && inert("own"));
        assert!(!inert("dialog") && !inert("in"));
    }
}
