//! The one tool's descriptor, and what of the public tool is not built.

use crate::action::Failure;
use crate::tool::{
    Args, Category, Descriptor, Effects, Level, Param, ParamKind, Provenance, Recovery,
};
use alloc::{
    format,
    string::{String, ToString},
};
use serde_json::{Map, Value};

/// The tool's name.
pub(super) const NAME: &str = "browser";
/// The one managed profile.
pub(super) const PROFILE: &str = "openclaw";
/// Largest side of a viewport, CSS pixels.
pub(super) const VIEWPORT_MAX: i64 = 8_192;

const ACTIONS: &[&str] = &[
    "doctor",
    "status",
    "start",
    "stop",
    "tabs",
    "open",
    "focus",
    "close",
    "snapshot",
    "screenshot",
    "navigate",
    "act",
    "requests",
    "errors",
    "text",
    "emulate",
];

/// Actions of the public tool that are not built.
const ACTIONS_UNBUILT: &[&str] = &[
    "console",
    "dialog",
    "download",
    "handoff",
    "importprofile",
    "pdf",
    "profiles",
    "upload",
    "waitfordownload",
    "webmcp_execute",
    "webmcp_list",
];

/// Fields of the public tool that are not built, or belong to what is not.
const FIELDS_UNBUILT: &[&str] = &[
    "accept",
    "browser",
    "dashboard",
    "dialogId",
    "domains",
    "frame",
    "inputRef",
    "into",
    "level",
    "node",
    "path",
    "paths",
    "promptText",
    "reason",
    "systemProfile",
    "x",
    "y",
];

/// Kinds of `act`.
const KINDS: &[&str] = &[
    "click",
    "type",
    "press",
    "hover",
    "scrollIntoView",
    "drag",
    "select",
    "fill",
    "resize",
    "wait",
    "evaluate",
    "close",
    "batch",
];

/// Kinds of the public tool that are not built.
const KINDS_UNBUILT: &[&str] = &["clickCoords"];

const TEXT: ParamKind = ParamKind::Text { chars_min: 0 };
const WORD: ParamKind = ParamKind::Text { chars_min: 1 };
const COUNT: ParamKind = ParamKind::Integer { min: 1, max: 1_000_000 };
const MILLIS: ParamKind = ParamKind::Integer { min: 0, max: 600_000 };
const SIDE: ParamKind = ParamKind::Integer { min: 1, max: VIEWPORT_MAX };

macro_rules! act_fields {
    ($($other:expr),* $(,)?) => {
        &[
            $($other,)*
            Param::optional("targetId", WORD, "Tab: its label or its id such as t1, from tabs or open. Without it the tab used last."),
            Param::optional("kind", ParamKind::Word(KINDS), "act: what to do."),
            Param::optional("ref", WORD, "Element: its ref exactly as the newest snapshot shows it, such as e12."),
            Param::optional("selector", WORD, "CSS selector: an element (act), the part to read (snapshot, text), or what to wait for (wait)."),
            Param::optional("text", TEXT, "type: the text. wait: text that must appear."),
            Param::optional("submit", ParamKind::Bool, "type: press Enter afterwards."),
            Param::optional("slowly", ParamKind::Bool, "type: one character after another."),
            Param::optional("key", WORD, "press: a key or chord such as Enter, Control+A, for ref or selector, or else for what has the focus."),
            Param::optional("doubleClick", ParamKind::Bool, "click: click twice."),
            Param::optional("button", ParamKind::Word(&["left", "right", "middle"]), "click: which button."),
            Param::optional("modifiers", ParamKind::Texts, "click: keys held: Alt, Control, ControlOrMeta, Meta, Shift."),
            Param::optional("delayMs", ParamKind::Integer { min: 0, max: 5_000 }, "click: hover first and wait this long, milliseconds."),
            Param::optional("startRef", WORD, "drag: ref of the element to drag."),
            Param::optional("startSelector", WORD, "drag: CSS selector of the element to drag."),
            Param::optional("endRef", WORD, "drag: ref of the element to drop it on."),
            Param::optional("endSelector", WORD, "drag: CSS selector of the element to drop it on."),
            Param::optional("values", ParamKind::Texts, "select: values, or else labels, of the options; all others are not selected."),
            Param::optional("fields", ParamKind::Objects, "fill: list of {ref, value, type?}; type is text, checkbox or radio."),
            Param::optional("width", SIDE, "resize: CSS pixels."),
            Param::optional("height", SIDE, "resize: CSS pixels."),
            Param::optional("timeMs", ParamKind::Integer { min: 0, max: 30_000 }, "wait: milliseconds."),
            Param::optional("textGone", WORD, "wait: text that must be gone."),
            Param::optional("url", WORD, "wait: glob that the URL must match. open, navigate: same as targetUrl."),
            Param::optional("loadState", ParamKind::Word(&["load", "domcontentloaded", "networkidle"]), "wait: how far the page must be."),
            Param::optional("fn", WORD, "evaluate, wait: source of a function, or an expression, for the page."),
            Param::optional("actions", ParamKind::Objects, "batch: the acts, each with its kind and fields, in order."),
            Param::optional("stopOnError", ParamKind::Bool, "batch: stop at the first failure (default true)."),
            Param::optional("timeoutMs", MILLIS, "Time for the call, milliseconds."),
        ]
    };
}

/// What an act is checked against: on its own, as a `request`, and inside a batch.
pub(super) const ACT: Descriptor = Descriptor { params: act_fields!(), ..TOOL };

const WRITE: Descriptor =
    Descriptor { effects: Effects::Write, recovery: Recovery::NeverRetry, ..READ };

/// What the policy is asked of reads.
pub(super) const READ: Descriptor = Descriptor {
    name: NAME,
    description: "One tool for a browser of its own.",
    level: Level::L2,
    effects: Effects::Read,
    category: None,
    recovery: Recovery::RetrySafe,
    provenance: Provenance::Page,
    params: &[],
};
/// What it is asked of writes to tabs as a whole.
pub(super) const NAVIGATE: Descriptor = Descriptor { category: Some(Category::Navigate), ..WRITE };
/// Of pointer input.
pub(super) const CLICK: Descriptor = Descriptor { category: Some(Category::Click), ..WRITE };
/// Of input into fields.
pub(super) const FILL: Descriptor = Descriptor { category: Some(Category::Fill), ..WRITE };
/// Of scripts.
pub(super) const SCRIPT: Descriptor = Descriptor { category: Some(Category::Script), ..WRITE };

/// The tool set: one tool.
pub const TOOLS: &[Descriptor] = &[TOOL];

/// The tool as the registry lists it: the strongest of what it may do.
pub(super) const TOOL: Descriptor = Descriptor {
    name: NAME,
    description: "Controls a web browser of its own. Read with snapshot (refs such as e12), act with act and a ref; after a \
                  change take a new snapshot. Actions: doctor, status, start, stop, tabs, open, focus, close, snapshot, \
                  screenshot, navigate, act, requests, errors, text, emulate. Acts: click, type, press, hover, \
                  scrollIntoView, drag, select, fill, resize, wait, evaluate, close, batch.",
    params: act_fields![
        Param::required("action", ParamKind::Word(ACTIONS), "What to do."),
        Param::optional("target", ParamKind::Word(&["host"]), "Where the browser lives."),
        Param::optional(
            "profile",
            ParamKind::Word(&[PROFILE]),
            "Which browser: there is the managed one."
        ),
        Param::optional("targetUrl", WORD, "open, navigate: the URL."),
        Param::optional("label", WORD, "open: a name for the tab, to be used as targetId."),
        Param::optional(
            "request",
            ParamKind::Object,
            "act: the act's fields as an object; they win over those beside it.",
        ),
        Param::optional(
            "snapshotFormat",
            ParamKind::Word(&["ai", "aria", "role"]),
            "snapshot: ai (default), role, or aria (nodes as JSON lines).",
        ),
        Param::optional(
            "mode",
            ParamKind::Word(&["efficient"]),
            "snapshot: interactive, compact, depth 6, 8000 characters.",
        ),
        Param::optional(
            "refs",
            ParamKind::Word(&["role", "aria"]),
            "snapshot: accepted; refs keep their number either way.",
        ),
        Param::optional(
            "interactive",
            ParamKind::Bool,
            "snapshot: only what one can act on, as a flat list."
        ),
        Param::optional(
            "compact",
            ParamKind::Bool,
            "snapshot: leave out structure that says nothing."
        ),
        Param::optional(
            "depth",
            ParamKind::Integer { min: 0, max: 1_000 },
            "snapshot: deepest level."
        ),
        Param::optional("urls", ParamKind::Bool, "snapshot: list the links with their URLs."),
        Param::optional("query", WORD, "snapshot: keep lines that hold all these words."),
        Param::optional(
            "labels",
            ParamKind::Bool,
            "snapshot, screenshot: a picture with the refs drawn in."
        ),
        Param::optional(
            "maxChars",
            ParamKind::Integer { min: 0, max: 10_000_000 },
            "snapshot, text: most characters.",
        ),
        Param::optional(
            "limit",
            COUNT,
            "requests, errors: the newest so many. snapshot aria: most nodes."
        ),
        Param::optional("filter", TEXT, "requests: part of the URL or of the resource type."),
        Param::optional(
            "clear",
            ParamKind::Bool,
            "requests, errors: empty the whole log after reading."
        ),
        Param::optional("fullPage", ParamKind::Bool, "screenshot: the whole page."),
        Param::optional("element", WORD, "screenshot: CSS selector of an element."),
        Param::optional("type", ParamKind::Word(&["png", "jpeg"]), "screenshot: the format."),
        Param::optional("device", WORD, "emulate: a device such as iPhone 15."),
        Param::optional(
            "colorScheme",
            ParamKind::Word(&["dark", "light", "no-preference", "none"]),
            "emulate: preferred colours; none clears it.",
        ),
        Param::optional("timezoneId", WORD, "emulate: an IANA time zone."),
        Param::optional("locale", WORD, "emulate: a language tag such as en-US."),
        Param::optional("deep", ParamKind::Bool, "doctor: read the page, too."),
    ],
    category: Some(Category::Navigate),
    ..WRITE
};

/// Something of the public tool that this one does not have.
pub(super) fn unsupported(what: &str, next: &str) -> Failure {
    use crate::action::{Phase, Retry};
    Failure::new(
        "unsupported",
        Phase::Validate,
        Retry::Never,
        format!("{what} is not supported; {next}"),
    )
}

/// Names what of the public tool a call asks for that is not built.
fn unbuilt(given: &Map<String, Value>) -> Option<Failure> {
    let word = |name: &str| given.get(name).and_then(Value::as_str);
    if let Some(action) = word("action").filter(|word| ACTIONS_UNBUILT.contains(word)) {
        return Some(unsupported(
            &format!("the action {action}"),
            &format!("the actions are {}", ACTIONS.join(", ")),
        ));
    }
    if let Some(kind) = word("kind").filter(|word| KINDS_UNBUILT.contains(word)) {
        return Some(unsupported(
            &format!("the kind {kind}"),
            "use click with a ref of a snapshot",
        ));
    }
    if let Some(target) = word("target").filter(|word| matches!(*word, "sandbox" | "node")) {
        return Some(unsupported(
            &format!("the target {target}"),
            "leave target out or give \"host\": the browser runs on this host",
        ));
    }
    if let Some(profile) = word("profile").filter(|word| *word != PROFILE) {
        let profile = crate::text::quoted(profile, 60);
        return Some(unsupported(
            &format!("the profile {profile}"),
            &format!("leave profile out or give \"{PROFILE}\": there is one managed browser"),
        ));
    }
    let field = given.keys().find(|name| FIELDS_UNBUILT.contains(&name.as_str()))?;
    Some(unsupported(&format!("the field {field}"), "leave it out"))
}

/// A call's arguments, checked.
///
/// # Errors
/// `unsupported` for what only the public tool has, else all that does not fit.
pub(super) fn check(tool: &Descriptor, given: &Value) -> Result<Args, Failure> {
    if let Some(failure) = given.as_object().and_then(unbuilt) {
        return Err(failure);
    }
    Args::check(tool, given).map_err(|bad| Failure::arguments(bad.to_string()))
}

/// An argument that does not fit, in the form of the others.
pub(super) fn bad(message: &str) -> Failure {
    Failure::arguments(format!("Invalid parameters for {NAME}: {message}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_built_is_listed_where_people_look() {
        let page = include_str!("../../../../docs/surfaces.md");
        for word in [ACTIONS_UNBUILT, FIELDS_UNBUILT, KINDS_UNBUILT].concat() {
            assert!(page.contains(&format!("`{word}`")), "{word}");
        }
        for word in [ACTIONS, KINDS].concat() {
            assert!(page.contains(&format!("`{word}`")), "{word}");
            assert!(TOOL.description.contains(word), "{word}");
        }
    }

    #[test]
    fn nothing_is_both_built_and_not() {
        for word in FIELDS_UNBUILT {
            assert!(TOOL.param(word).is_none() && ACT.param(word).is_none(), "{word}");
        }
        for param in ACT.params {
            assert!(TOOL.param(param.name).is_some(), "{}", param.name);
        }
        assert!(ACTIONS_UNBUILT.iter().all(|word| !ACTIONS.contains(word)));
    }
}
