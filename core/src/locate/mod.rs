//! Which elements a locator means: a chain of steps, each of which narrows down what the one before it found.
//!
//! Locators are how code bodies and selectors say what they want; refs stand on nodes instead ([`crate::refs`]).

mod find;
mod text;
#[cfg(test)]
mod tests;

pub use find::{Grounds, LocateError, find, needs_boxes, selectors};

use alloc::{boxed::Box, string::String, vec::Vec};
use serde::{Deserialize, Serialize};

/// A chain of steps; the first one starts at the top document.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Locator {
    /// The steps.
    pub steps: Vec<Step>,
}

/// One step. All but [`Step::Filter`], [`Step::Nth`], [`Step::And`] and [`Step::Or`] look among the descendants of what was found,
/// open shadow trees included, in tree order.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Step {
    /// Elements that a CSS selector matches.
    Css(String),
    /// Elements of a role, hidden ones left out.
    Role(RoleStep),
    /// The innermost elements whose text matches; buttons by their value.
    Text(TextMatch),
    /// Controls whose label matches.
    Label(TextMatch),
    /// Elements whose `placeholder` matches.
    Placeholder(TextMatch),
    /// Elements whose `alt` matches.
    AltText(TextMatch),
    /// Elements whose `title` matches.
    Title(TextMatch),
    /// Elements whose `data-testid` matches.
    TestId(TextMatch),
    /// The element of a ref that a snapshot of the same session gave: `l7`.
    Ref(String),
    /// Those among what was found that fit.
    Filter(Filter),
    /// One of what was found, from 0; negative numbers count from the end.
    Nth(i64),
    /// Those among what was found that another locator finds too.
    And(Locator),
    /// What was found, and what another locator finds.
    Or(Locator),
}

/// A role with what else must hold. `None` asks nothing.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct RoleStep {
    /// The role's word.
    pub role: String,
    /// The accessible name.
    pub name: Option<TextMatch>,
    /// `aria-checked` or a native checkbox's state.
    pub checked: Option<bool>,
    /// Disabled.
    pub disabled: Option<bool>,
    /// Expanded.
    pub expanded: Option<bool>,
    /// Elements that are hidden from users count too.
    pub include_hidden: bool,
    /// Level of a heading or the like.
    pub level: Option<u32>,
    /// Pressed.
    pub pressed: Option<bool>,
    /// Selected.
    pub selected: Option<bool>,
}

/// What must hold of something found.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Filter {
    /// Its text matches.
    pub has_text: Option<TextMatch>,
    /// Its text does not.
    pub has_not_text: Option<TextMatch>,
    /// Another locator, started at it, finds something.
    pub has: Option<Box<Locator>>,
    /// Another locator, started at it, finds nothing.
    pub has_not: Option<Box<Locator>>,
    /// It is visible, or is not.
    pub visible: Option<bool>,
}

/// How a text is compared. White space is collapsed and trimmed on both sides first, save for patterns.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum TextMatch {
    /// It holds this, in any letter case.
    Part(String),
    /// It is this.
    Whole(String),
    /// A JavaScript pattern finds something in it.
    Pattern {
        /// Between the slashes.
        source: String,
        /// Behind them.
        flags: String,
    },
}

/// Runs JavaScript patterns for [`TextMatch::Pattern`]: core has no engine for them.
pub trait Patterns {
    /// Whether the pattern finds something in the text.
    ///
    /// # Errors
    /// It is no pattern, or it took too long; in words.
    fn finds(&self, source: &str, flags: &str, text: &str) -> Result<bool, String>;
}
