//! What one seed stands for: a page, a policy and steps with faults between their ops. It is also the form of a replay.

use crate::command::CommandError;
use clap::ValueEnum;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fmt::Write;

/// What the pages and steps are drawn for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Suite {
    /// Lists of equal rows whose nodes are re-used, refs of older snapshots.
    Refs,
    /// Frames, nested and replaced.
    Frames,
    /// Forms, covers, what is disabled or hidden, dialogs.
    Actions,
    /// Rules, sensitive hosts, policies that change.
    Gatekeeper,
}

impl Suite {
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Refs => "refs",
            Self::Frames => "frames",
            Self::Actions => "actions",
            Self::Gatekeeper => "gatekeeper",
        }
    }
}

/// One seed's page, policy and steps.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Scenario {
    pub(crate) suite: Suite,
    pub(crate) seed: u64,
    /// Pieces of the page's body: each stands by itself.
    pub(crate) page: Vec<String>,
    /// Documents at `/f0`, `/f1` and so on.
    pub(crate) frames: Vec<String>,
    /// `auto`, `untrusted` or `always`.
    pub(crate) policy: String,
    /// Rules: tool, origin, verdict.
    pub(crate) rules: Vec<(String, String, String)>,
    /// Whoever is asked declines.
    pub(crate) declines: bool,
    pub(crate) steps: Vec<Step>,
}

/// One tool call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Step {
    pub(crate) tool: String,
    /// The item whose element is meant, or `#N` for the Nth ref; its ref is filled in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) item: Option<String>,
    /// How many snapshots ago the ref was given, of those that gave one to the item.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub(crate) age: u32,
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub(crate) args: Value,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) faults: Vec<FaultAt>,
}

fn is_zero(age: &u32) -> bool {
    *age == 0
}

/// A fault before one op of a call, counted from 0.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct FaultAt {
    pub(crate) at: u32,
    #[serde(flatten)]
    pub(crate) what: What,
}

/// What goes wrong.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum What {
    /// The item's element is removed.
    Detach(String),
    /// The children of what the selector matches are replaced by clones.
    Rerender(String),
    /// The rows that the selector matches are re-used for each other's data.
    Rotate(String),
    /// Something comes to lie over everything.
    Cover,
    /// The row that the selector matches last moves before the first.
    Shift(String),
    /// The item's element is disabled.
    Disable(String),
    /// The page takes back what was entered into the item's field.
    Revert(String),
    /// The page loads another URL.
    Navigate(String),
    /// Each frame gets another document.
    Reframe,
    Crash,
    Close,
    /// The page opens a dialog with this text.
    Dialog(String),
    /// The op is carried out and its reply is lost.
    Late,
    /// The driver is detached before the op.
    Drop,
    /// A rule comes that denies every write.
    Deny,
}

impl Scenario {
    /// The form that `--replay` reads: one line for each piece and step.
    pub(crate) fn text(&self) -> String {
        let mut text = String::from("{\n");
        let _ = write!(text, "\"suite\":{},\"seed\":{},", json(&self.suite), self.seed);
        let _ = write!(text, "\"policy\":{},\"declines\":{},", json(&self.policy), self.declines);
        let _ = writeln!(text, "\"rules\":{},", json(&self.rules));
        list(&mut text, "page", &self.page);
        text.push_str(",\n");
        list(&mut text, "frames", &self.frames);
        text.push_str(",\n");
        list(&mut text, "steps", &self.steps);
        text.push_str("\n}\n");
        text
    }

    pub(crate) fn parse(text: &str) -> Result<Self, CommandError> {
        serde_json::from_str(text).map_err(|error| CommandError::Usage(format!("replay: {error}")))
    }
}

fn list<T: Serialize>(text: &mut String, name: &str, all: &[T]) {
    let lines: Vec<String> = all.iter().map(json).collect();
    let _ = write!(text, "\"{name}\":[");
    if !lines.is_empty() {
        let _ = write!(text, "\n{}\n", lines.join(",\n"));
    }
    text.push(']');
}

/// These values have string keys only, so they have a JSON form.
fn json<T: Serialize + ?Sized>(value: &T) -> String {
    serde_json::to_string(value).unwrap_or_default()
}
