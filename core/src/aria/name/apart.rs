//! Where one word of a name ends and the next begins: accname "Name From Content", on inline and block content.

use super::super::role::Role;
use super::super::tree::is_blank;
use super::walk::Walk;
use crate::page::{Display, Element, Namespace, NodeIdx};
use crate::planted::{self, Bug};

/// Whether an element's words are parted from those around it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Apart {
    /// They are one with them.
    No,
    /// If there are any.
    Filled,
    /// Even where there are none.
    Always,
}

impl Walk<'_, '_> {
    /// What stands in a box of its own parts the words around it; so does what is not rendered at all.
    pub(super) fn apart(&self, at: NodeIdx, element: &Element) -> Apart {
        let role = self.aria.roles.naming(at);
        if self.aria.hidden(at).is_unrendered() {
            return Apart::Always;
        }
        match self.aria.tree.display(element) {
            Display::Block if planted::is(Bug::BlocksRunTogether) => Apart::No,
            Display::Block | Display::TableCell => Apart::Always,
            Display::InlineBlock => Apart::Filled,
            _ if is_replaced(element) || role == Role::Button || role.is_a(Role::Input) => {
                Apart::Filled
            }
            _ if role.is_a(Role::Range) || role.is_a(Role::Select) => Apart::Filled,
            // Its author gives it words of its own.
            _ if element.attr("aria-label").is_some_and(|label| !is_blank(label)) => Apart::Filled,
            Display::Inline | Display::Contents | Display::None => Apart::No,
        }
    }
}

/// Content that comes from elsewhere, shown as one box.
fn is_replaced(element: &Element) -> bool {
    match element.namespace {
        Namespace::Html => matches!(
            element.tag.as_str(),
            "img" | "canvas" | "video" | "audio" | "iframe" | "object" | "embed"
        ),
        Namespace::Svg => element.tag == "svg",
        Namespace::MathMl | Namespace::Other => false,
    }
}
