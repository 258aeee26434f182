//! What no call may do, whatever happened meanwhile.

mod policy;
mod report;
mod target;
mod text;

pub(super) use policy::{Reading, Say};
pub(super) use text::fence_numbers;

use super::port::Seen;
use super::scenario::Answer;
use backlot_core::action::{ToolResult, limits};
use backlot_core::page::NodeKey;
use backlot_sim::{Hit, World};
use serde_json::Value;

/// What was found.
#[derive(Debug, Clone)]
pub(crate) struct Violation {
    pub(crate) kind: Kind,
    /// The call, from 1.
    pub(crate) step: u64,
    pub(crate) why: String,
}

/// Which promise was broken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A write that was not asked for or not allowed, by node or by item.
    WrongTarget,
    /// The report says what is not so.
    FalseSuccess,
    /// A failure without a code of the list, a call past its time, another transcript for the same seed.
    Uncoded,
    Panic,
}

/// The element that a call means.
#[derive(Debug, Clone)]
pub(super) struct Aimed {
    pub(super) node: NodeKey,
    /// The item that it stood for when its ref was given.
    pub(super) item: Option<String>,
    /// Its ref is not of the newest snapshot of the tab that is called.
    pub(super) is_stale: bool,
}

/// A call with all that is known of it.
pub(super) struct Call<'a> {
    pub(super) tool: &'a str,
    pub(super) args: &'a Value,
    pub(super) aimed: Option<&'a Aimed>,
    /// What the rules say of it, where that can be told.
    pub(super) say: Option<Say>,
    /// What whoever is asked says; `None` where that changed while the call ran.
    pub(super) answer: Option<Answer>,
    pub(super) result: &'a ToolResult,
    pub(super) seen: &'a Seen,
    pub(super) hits: Vec<Hit>,
    pub(super) took: u64,
    /// The page may have changed since the ref was given.
    pub(super) disturbed: bool,
    pub(super) world: &'a World,
}

impl Call<'_> {
    fn code(&self) -> &str {
        self.result.details["code"].as_str().unwrap_or_default()
    }

    /// The text argument of this name.
    fn text(&self, name: &str) -> &str {
        self.args[name].as_str().unwrap_or_default()
    }
}

/// Codes of failures that a catalog call can have.
const CODES: &[&str] = &[
    "browser_refused",
    "connection_closed",
    "declined",
    "denied",
    "detached",
    "detached_from_tab",
    "dialog_opened",
    "disabled",
    "document_gone",
    "empty_tree",
    "inert",
    "invalid_arguments",
    "l1_not_effective",
    "load_failed",
    "no_such_option",
    "no_pointer_events",
    "not_editable",
    "not_stable",
    "not_visible",
    "occluded",
    "outside_viewport",
    "policy_changed",
    "stale_ref",
    "tab_crashed",
    "tab_gone",
    "target_changed",
    "timeout",
    "too_long",
    "unknown_tool",
    "unsupported_frame",
];

/// A promise that is broken, and how.
type Found = Option<(Kind, String)>;

pub(super) fn judge(call: &Call<'_>) -> Found {
    let laws: [fn(&Call<'_>) -> Found; 12] = [
        target::target,
        target::moving,
        target::unseen,
        policy::permission,
        policy::needless_denial,
        text::text,
        text::tab,
        report::success,
        report::effect,
        report::needless,
        deadline,
        code,
    ];
    laws.iter().find_map(|law| law(call))
}

/// Events that only a write makes, not what follows from it or from a change of the page.
pub(super) fn is_direct(hit: &Hit) -> bool {
    matches!(hit.kind.as_str(), "pointerdown" | "beforeinput")
        || hit.kind == "input" && !hit.is_trusted
}

fn broken(kind: Kind, why: impl Into<String>) -> Found {
    Some((kind, why.into()))
}

/// Each call ends by its deadline, and so soon after it as an op that was under way takes to be given up.
fn deadline(call: &Call<'_>) -> Found {
    let most = match call.tool {
        "wait_for" => limits::WAIT_FOR_MS + 1_000,
        _ => limits::CALL_MS,
    };
    if call.took > most {
        return broken(Kind::Uncoded, format!("the call took {} ms of {most}", call.took));
    }
    None
}

fn code(call: &Call<'_>) -> Found {
    if !call.result.is_error || CODES.contains(&call.code()) {
        return None;
    }
    let why = format!("{:?} is no code of a failure: {}", call.code(), call.result.text);
    broken(Kind::Uncoded, why)
}
