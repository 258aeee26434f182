//! How a tool is classed. Policy, recovery and provider schemas are derived from these.

use serde::{Deserialize, Serialize};

/// Which layer a tool belongs to (seed 000, sections 2 and 3).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Level {
    /// Tabs and browser data.
    L0,
    /// Reads and DOM events in the page.
    L1,
    /// The browser's own accessibility tree and trusted input.
    L2,
}

/// Whether a tool changes anything.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Effects {
    /// It changes nothing that a page or a person would notice, scroll positions aside.
    Read,
    /// It does.
    Write,
}

/// What may be done with a call whose outcome is not known after a restart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Recovery {
    /// Do it again.
    RetrySafe,
    /// Never do it again by itself.
    NeverRetry,
}

/// Which kind of write a rule may name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Category {
    /// Opens, loads or closes pages.
    Navigate,
    /// Clicks.
    Click,
    /// Fills fields.
    Fill,
    /// Runs scripts in pages.
    Script,
}

impl Category {
    /// The word that rules use.
    pub fn word(self) -> &'static str {
        match self {
            Self::Navigate => "navigate",
            Self::Click => "click",
            Self::Fill => "fill",
            Self::Script => "script",
        }
    }
}

/// Who made the content of a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Provenance {
    /// A page: untrusted, fenced.
    Page,
    /// The tool itself.
    Tool,
}
