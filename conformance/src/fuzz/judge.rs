//! What no call may do, whatever happened meanwhile.

use super::port::{End, Seen};
use backlot_core::action::{ToolResult, limits};
use backlot_core::gatekeeper::origin_of;
use backlot_core::page::NodeKey;
use backlot_sim::{Hit, Reach, World};
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
    /// A newer snapshot of its tab was given since.
    pub(super) is_old: bool,
}

/// A call with all that is known of it.
pub(super) struct Call<'a> {
    pub(super) tool: &'a str,
    pub(super) args: &'a Value,
    pub(super) aimed: Option<&'a Aimed>,
    /// URL of the document that is written to, where it is there.
    pub(super) origin: Option<String>,
    pub(super) result: &'a ToolResult,
    pub(super) seen: &'a Seen,
    pub(super) hits: Vec<Hit>,
    pub(super) took: u64,
    /// The page may have changed since the ref was given.
    pub(super) disturbed: bool,
    pub(super) world: &'a World,
    pub(super) rules: &'a [(String, String, String)],
    pub(super) policy: &'a str,
    pub(super) declines: bool,
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
    "unsupported_frame",
];

type Found = Option<(Kind, String)>;

pub(super) fn judge(call: &Call<'_>) -> Found {
    let laws: [fn(&Call<'_>) -> Found; 7] =
        [target, permission, leak, success, effect, needless, code];
    laws.iter().find_map(|law| law(call))
}

/// Events that only a write makes, not what follows from it or from a change of the page.
fn is_direct(hit: &Hit) -> bool {
    matches!(hit.kind.as_str(), "pointerdown" | "beforeinput")
        || hit.kind == "input" && !hit.is_trusted
}

fn broken(kind: Kind, why: impl Into<String>) -> Found {
    Some((kind, why.into()))
}

fn target(call: &Call<'_>) -> Found {
    let Some(aimed) = call.aimed else {
        return match call.hits.iter().find(|hit| is_direct(hit)) {
            Some(hit) => broken(Kind::WrongTarget, format!("{} wrote: {hit:?}", call.tool)),
            None => None,
        };
    };
    if aimed.is_old && call.hits.iter().any(is_direct) {
        return broken(Kind::WrongTarget, "a ref of an older snapshot was acted on");
    }
    for hit in call.hits.iter().filter(|hit| is_direct(hit)) {
        if hit.node != aimed.node {
            return broken(Kind::WrongTarget, format!("meant {aimed:?}, hit {hit:?}"));
        }
        if aimed.item.is_some() && hit.item != aimed.item {
            return broken(Kind::WrongTarget, format!("meant {aimed:?}, hit the item {hit:?}"));
        }
    }
    let done = |end: &End| matches!(end, End::Done);
    for (_, node, reach, end) in &call.seen.writes {
        if *node != aimed.node && done(end) {
            return broken(Kind::WrongTarget, format!("meant {aimed:?}, wrote to {node:?}"));
        }
        let barred = match call.tool {
            "click" => *reach != Reach::Free,
            _ => matches!(reach, Reach::Gone | Reach::Disabled),
        };
        if barred && done(end) {
            return broken(
                Kind::WrongTarget,
                format!("{} on a target that is {reach:?}", call.tool),
            );
        }
    }
    if call.seen.writes.len() > 1 {
        return broken(Kind::WrongTarget, "one call wrote twice");
    }
    None
}

/// The verdict by the rules' own words: any denial beats any question, any question beats any permission.
fn permission(call: &Call<'_>) -> Found {
    let wrote = call.seen.writes.iter().find(|write| write.3 != End::NotSent)?;
    if let Some(at) = call.seen.denied_at
        && at > 0
        && at < wrote.0
    {
        return broken(Kind::WrongTarget, "a write went on after a rule came that denies it");
    }
    let origin = origin_of(call.origin.as_deref()?);
    let category = if call.tool == "click" { "category:click" } else { "category:fill" };
    let mut said: Vec<&str> = Vec::new();
    for (at, (tool, on, verdict)) in call.rules.iter().enumerate() {
        // A rule that came in this call is judged above.
        let is_new = call.seen.denied_at.is_some() && at + 1 == call.rules.len();
        let covers =
            (tool == "*" || tool == call.tool || tool == category) && (on == "*" || *on == origin);
        if covers && !is_new {
            said.push(verdict);
        }
    }
    let asked = said.contains(&"ask") || (!said.contains(&"allow") && call.policy != "auto");
    if said.contains(&"deny") || (asked && call.declines) {
        return broken(Kind::WrongTarget, format!("{} on {origin} was not allowed", call.tool));
    }
    None
}

fn leak(call: &Call<'_>) -> Found {
    let text = &call.result.text;
    if text.contains("S3CR3T") {
        return broken(Kind::FalseSuccess, "a password is printed");
    }
    let fences = text.lines().filter(|line| line.starts_with("<<<")).count();
    if fences > 2 || text.contains("[ref=s1_1_1]") {
        return broken(Kind::FalseSuccess, format!("the page forged a line:\n{text}"));
    }
    None
}

fn success(call: &Call<'_>) -> Found {
    let Some(aimed) = call.aimed.filter(|_| !call.result.is_error) else { return arrival(call) };
    let fired = call.hits.iter().any(|hit| hit.node == aimed.node);
    let held = call.seen.watched.as_ref();
    let text = |name: &str| call.args[name].as_str().unwrap_or_default();
    let is_verified = call.result.text.contains("effect: verified");
    match call.tool {
        "click" if !fired => broken(Kind::FalseSuccess, "a click is reported and no event came"),
        "type" if is_verified && !fired && !text("text").is_empty() => {
            broken(Kind::FalseSuccess, "typing is verified and no event came")
        }
        "type" if is_verified && call.args["submit"] != true => {
            let wanted = text("text");
            let held = held?;
            let holds = match text("mode") {
                // What the page makes of a secret afterwards is not to be seen, but that it is empty.
                _ if held.is_secret => !held.value.is_empty() || wanted.is_empty(),
                "append" => held.value.ends_with(wanted),
                _ => held.value == wanted,
            };
            let why = || format!("{wanted:?} is verified and the field holds {:?}", held.value);
            if holds { None } else { broken(Kind::FalseSuccess, why()) }
        }
        "select_option" if is_verified => {
            let wanted = call.args["values"][0].as_str().and_then(|word| match word {
                "x" => Some(0),
                "y" => Some(1),
                "z" => Some(2),
                _ => None,
            })?;
            let holds = held?.selected == [wanted];
            if holds {
                None
            } else {
                broken(Kind::FalseSuccess, "the selection is not as verified")
            }
        }
        _ => None,
    }
}

/// A page that is said to be loaded is there, and a page that rests is said to.
fn arrival(call: &Call<'_>) -> Found {
    if call.result.is_error || call.disturbed {
        return None;
    }
    if call.result.text.contains("had not come to rest") {
        return broken(Kind::FalseSuccess, "a page at rest is said not to be");
    }
    None
}

fn effect(call: &Call<'_>) -> Found {
    if !call.result.is_error {
        return None;
    }
    let effect = call.result.details["effect"].as_str().unwrap_or_default();
    let fired = call.hits.iter().any(is_direct);
    if effect == "none" && fired {
        let why =
            format!("no effect is reported and the page was written to: {}", call.result.text);
        return broken(Kind::FalseSuccess, why);
    }
    let unknown = call.seen.writes.iter().any(|write| write.3 == End::Unknown);
    if unknown && (effect != "unknown" || call.result.details["retry"] != "never") {
        return broken(
            Kind::FalseSuccess,
            "what a lost write did is unknown, and that is not said",
        );
    }
    None
}

/// Nothing happened to the page, a person could use the target, and the call failed for the target.
fn needless(call: &Call<'_>) -> Found {
    let aimed = call.aimed.filter(|_| call.result.is_error && !call.disturbed)?;
    if aimed.is_old {
        return None;
    }
    let code = call.result.details["code"].as_str().unwrap_or_default();
    let of_target = matches!(
        code,
        "stale_ref" | "occluded" | "detached" | "outside_viewport" | "not_stable" | "not_visible"
    );
    let tab = call.args["tabId"].as_u64().and_then(|tab| u32::try_from(tab).ok())?;
    let reach = call.world.reach(backlot_core::page::TabId(tab), aimed.node);
    if of_target && reach == Reach::Free {
        return broken(Kind::FalseSuccess, format!("the target is free and the call said {code}"));
    }
    None
}

fn code(call: &Call<'_>) -> Found {
    if call.took > limits::CALL_MS * 2 {
        return broken(Kind::Uncoded, format!("the call took {} ms", call.took));
    }
    if !call.result.is_error {
        return None;
    }
    let code = call.result.details["code"].as_str().unwrap_or_default();
    if CODES.contains(&code) {
        return None;
    }
    broken(Kind::Uncoded, format!("{code:?} is no code of a failure: {}", call.result.text))
}
