//! What one seed stands for: a page, a policy and steps with faults between their ops. It is also the form of a replay.

use crate::command::CommandError;
use crate::fault::FaultAt;
use backlot_core::port::Approval;
use clap::ValueEnum;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fmt::Write;

/// What the pages and steps are drawn for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Suite {
    /// Lists of equal rows whose nodes are re-used, refs of older snapshots and of other tabs.
    Refs,
    /// Frames, nested and replaced.
    Frames,
    /// Forms, covers, what is disabled or hidden, dialogs, slow networks.
    Actions,
    /// Rules, sensitive hosts, approvals, policies that change.
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

/// What whoever is asked says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Answer {
    #[default]
    Accept,
    Session,
    Decline,
}

impl Answer {
    pub(crate) fn approval(self) -> Approval {
        match self {
            Self::Accept => Approval::Accept,
            Self::Session => Approval::AcceptForSession,
            Self::Decline => Approval::Decline { note: "no".into() },
        }
    }
}

/// The documents of every world: URL, what the keys of their items begin with, latency in milliseconds. The last one comes later
/// than any call waits.
pub(crate) const SITES: &[(&str, &str, u64)] = &[
    ("http://a.test/", "", 0),
    ("http://a.test/other", "o", 0),
    ("http://b.test/", "b", 0),
    ("http://tax.gov/", "g", 0),
    ("http://late.test/", "l", 2_500),
    ("http://slow.test/", "s", 60_000),
];

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
    /// What whoever is asked says.
    pub(crate) answer: Answer,
    pub(crate) steps: Vec<Step>,
}

/// One tool call.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub(crate) struct Step {
    pub(crate) tool: String,
    /// The item whose element is meant, or `#N` for the Nth ref; its ref is filled in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) item: Option<String>,
    /// How many snapshots ago the ref was given, of those that gave one to the item.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub(crate) age: u32,
    /// The ref goes with the number of another tab than its own.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) foreign: bool,
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub(crate) args: Value,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) faults: Vec<FaultAt>,
    /// A call that is made at the same time, without faults.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) beside: Option<Box<Step>>,
}

fn is_zero(age: &u32) -> bool {
    *age == 0
}

impl Scenario {
    /// The form that `--replay` reads: one line for each piece and step.
    pub(crate) fn text(&self) -> String {
        let mut text = String::from("{\n");
        let _ = write!(text, "\"suite\":{},\"seed\":{},", json(&self.suite), self.seed);
        let _ =
            write!(text, "\"policy\":{},\"answer\":{},", json(&self.policy), json(&self.answer));
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
