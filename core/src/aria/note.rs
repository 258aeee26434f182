//! What of an element's markup was passed over: for whoever wonders why a page is read as it is.

use super::AriaFrame;
use super::implicit_role::conflicts_with_none;
use super::role::Role;
use crate::page::{Element, NodeIdx};
use alloc::{string::String, vec::Vec};
use core::fmt;

/// Most notes on one element.
pub const NOTES_MAX: usize = 16;

/// Most characters of the page that a note repeats.
pub const NOTE_CHARS_MAX: usize = 80;

/// A remark on markup that counts for nothing. Never an error: reading is total.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Note {
    /// A token of `role` is no role.
    UnknownRole(String),
    /// The role was asked for and passed over.
    RolePassedOver(Role, PassedOver),
    /// An attribute refers to an id that no element of the same tree bears. A shadow tree is a tree of its own.
    MissingReference {
        /// The attribute.
        attribute: &'static str,
        /// The id.
        id: String,
    },
    /// An element before this one, in the same tree, bears the same id: references mean that one.
    RepeatedId(String),
    /// `aria-owns` names an element that already has an owner, or that this one lies in.
    NotOwned(String),
    /// The name is longer than [`super::NAME_BYTES_MAX`] and was cut there.
    NameCut,
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownRole(token) => write!(f, "there is no role {token:?}"),
            Self::RolePassedOver(role, why) => {
                let why = match why {
                    PassedOver::Conflict => "the element takes focus or bears a global attribute",
                    PassedOver::Unnamed => "it has no name of its own",
                    PassedOver::OutOfContext => "what it must lie in is not around it",
                };
                write!(f, "the role {} was passed over: {why}", role.as_str())
            }
            Self::MissingReference { attribute, id } => {
                write!(f, "{attribute} refers to {id:?}, which no element of the same tree bears")
            }
            Self::RepeatedId(id) => write!(f, "an element before it bears the id {id:?} too"),
            Self::NotOwned(id) => {
                write!(f, "{id:?} is not owned: it has an owner, or this element lies in it")
            }
            Self::NameCut => write!(f, "the name is too long and was cut"),
        }
    }
}

/// Why a role was passed over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PassedOver {
    /// `none` on what takes focus or bears a global attribute.
    Conflict,
    /// A landmark without a name of its own.
    Unnamed,
    /// It counts only within a role that is not around it.
    OutOfContext,
}

const REFERENCES: &[&str] =
    &["aria-labelledby", "aria-describedby", "aria-owns", "aria-activedescendant", "for"];

/// The notes on one element, in the order of its attributes' meaning: role, id, references, name.
pub(super) fn of(aria: &AriaFrame<'_>, at: NodeIdx) -> Vec<Note> {
    let Some(element) = aria.tree.frame.element(at) else { return Vec::new() };
    let mut notes = Notes(Vec::new());
    roles(aria, at, element, &mut notes);
    if let Some(id) = element.attr("id").filter(|id| !id.is_empty())
        && aria.tree.lookup.by_id(at, id) != Some(at)
    {
        notes.push(|| Note::RepeatedId(cut(id)));
    }
    for attribute in REFERENCES {
        references(aria, at, element, attribute, &mut notes);
    }
    // A name may end a little before the limit: a character is never split.
    if aria.name(at).text.len() + 4 > super::NAME_BYTES_MAX {
        notes.push(|| Note::NameCut);
    }
    notes.0
}

/// Notes up to the limit.
struct Notes(Vec<Note>);

impl Notes {
    fn push(&mut self, note: impl FnOnce() -> Note) {
        if self.0.len() < NOTES_MAX {
            self.0.push(note());
        }
    }
}

fn roles(aria: &AriaFrame<'_>, at: NodeIdx, element: &Element, notes: &mut Notes) {
    for token in element.attr("role").unwrap_or("").split_ascii_whitespace() {
        let Some(role) = Role::parse(token) else {
            notes.push(|| Note::UnknownRole(cut(token)));
            continue;
        };
        if role == aria.roles.own(at) {
            return;
        }
        let why = match role {
            Role::None if conflicts_with_none(element) => PassedOver::Conflict,
            Role::Region | Role::Form => PassedOver::Unnamed,
            _ => PassedOver::OutOfContext,
        };
        notes.push(|| Note::RolePassedOver(role, why));
        if why == PassedOver::Conflict {
            return;
        }
    }
}

fn references(
    aria: &AriaFrame<'_>,
    at: NodeIdx,
    element: &Element,
    attribute: &'static str,
    notes: &mut Notes,
) {
    let Some(ids) = element.attr(attribute) else { return };
    if attribute == "for" && !element.is_html("label") {
        return;
    }
    for id in ids.split_ascii_whitespace() {
        match aria.tree.lookup.by_id(at, id) {
            None => notes.push(|| Note::MissingReference { attribute, id: cut(id) }),
            Some(target) if attribute == "aria-owns" && aria.tree.owner(target) != Some(at) => {
                notes.push(|| Note::NotOwned(cut(id)));
            }
            Some(_) => {}
        }
    }
}

fn cut(text: &str) -> String {
    text.chars().take(NOTE_CHARS_MAX).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::outline;

    fn check(text: &str, expected: &[Note]) {
        let frame = outline::frame(text).unwrap();
        let at = outline::find(&frame, "x").unwrap();
        assert_eq!(AriaFrame::new(&frame).notes(at), expected, "{text}");
    }

    #[test]
    fn a_role_that_counts_has_no_note() {
        check("div#x [role=button]", &[]);
        check("div#x [role=\"button bogus\"]", &[]);
        check("h2#x [role=none]", &[]);
        check("a#x [href=h]", &[]);
    }

    #[test]
    fn roles_that_are_passed_over_say_why() {
        check("div#x [role=\"bogus button\"]", &[Note::UnknownRole("bogus".into())]);
        let over = |role, why| Note::RolePassedOver(role, why);
        check("button#x [role=none]", &[over(Role::None, PassedOver::Conflict)]);
        check("div#x [role=region]", &[over(Role::Region, PassedOver::Unnamed)]);
        check("div#x [role=option]", &[over(Role::Option, PassedOver::OutOfContext)]);
    }

    #[test]
    fn references_that_lead_nowhere_are_told() {
        let missing = |attribute, id: &str| Note::MissingReference { attribute, id: id.into() };
        let text = "div#x [aria-labelledby=\"y z\"]\ni#y";
        check(text, &[missing("aria-labelledby", "z")]);
        let across = "div\n  :shadow\n    div#x [aria-describedby=y]\ni#y";
        check(across, &[missing("aria-describedby", "y")]);
        check("label#x [for=no]", &[missing("for", "no")]);
        check("output#x [for=no]", &[]);
    }

    #[test]
    fn cycles_and_second_owners_own_nothing() {
        let not = |id: &str| Note::NotOwned(id.into());
        check("div#x [aria-owns=x]", &[not("x")]);
        check("div#y\n  div#x [aria-owns=y]", &[not("y")]);
        check("div [aria-owns=y]\ndiv#x [aria-owns=y]\ni#y", &[not("y")]);
    }

    #[test]
    fn a_second_bearer_of_an_id_is_told() {
        let frame = outline::frame("i#x\nb#x").unwrap();
        let aria = AriaFrame::new(&frame);
        assert_eq!(aria.notes(0), []);
        assert_eq!(aria.notes(1), [Note::RepeatedId("x".into())]);
    }

    #[test]
    fn notes_are_few_and_short() {
        let ids: Vec<String> = (0..1_000).map(|n| alloc::format!("id{n}")).collect();
        let frame = outline::frame(&alloc::format!(
            "div#x [aria-owns=\"{}\"] [role={}]",
            ids.join(" "),
            "r".repeat(10_000)
        ));
        let frame = frame.unwrap();
        let notes = AriaFrame::new(&frame).notes(0);
        assert_eq!(notes.len(), NOTES_MAX);
        assert_eq!(notes[0], Note::UnknownRole("r".repeat(NOTE_CHARS_MAX)));
    }

    #[test]
    fn a_name_that_was_cut_is_told() {
        let long = |bytes| alloc::format!("button#x \"{}\"", "n".repeat(bytes));
        check(&long(super::super::NAME_BYTES_MAX + 1), &[Note::NameCut]);
        check(&long(1_000), &[]);
    }
}
