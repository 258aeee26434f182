//! The envelope of every result: `{ok: true, …}`, `{ok: false, error, …}`, or a call that could not be one at all.

use crate::action::{Failure, ToolResult};
use crate::port::Image;
use alloc::{format, string::String};
use serde_json::{Map, Value, json};

/// The code of a body that threw something of its own.
pub(super) const CODE_FAILED: &str = "code_failed";

/// How a call ends that does not succeed.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Bad {
    /// The model can do something about it.
    Told {
        /// A code of the act path.
        code: String,
        /// What happened and what to do next.
        error: String,
        /// What code had written by then.
        output: Option<(String, String)>,
    },
    /// It cannot: the host is not set up for it, or the domain policy forbids it.
    Thrown {
        /// `domain_policy` or a driver's code.
        code: String,
        /// What happened.
        message: String,
    },
}

impl Bad {
    pub(super) fn told(code: &str, error: impl Into<String>) -> Self {
        Self::Told { code: code.into(), error: error.into(), output: None }
    }

    pub(super) fn thrown(code: &str, message: impl Into<String>) -> Self {
        Self::Thrown { code: code.into(), message: message.into() }
    }

    /// A failure with what the model can do next in this tool set.
    pub(super) fn failed(failure: &Failure, next: &str) -> Self {
        Self::told(failure.code, with_detail(failure, next))
    }
}

/// A failure's words, the page's included: JSON keeps them apart from ours.
pub(super) fn with_detail(failure: &Failure, next: &str) -> String {
    // The names of another tool set's tools say nothing here.
    let message = failure
        .message
        .replace("call read_page and use a new ref", "call browser_snapshot and use a new ref");
    let message = message.replace(
        "call tabs_list and choose another tab",
        "call browser_status and choose another page",
    );
    let message = message.replace("read_page", "browser_snapshot");
    let detail = failure.detail.as_ref().map(|detail| format!(" ({detail})")).unwrap_or_default();
    let next = if next.is_empty() { String::new() } else { format!("; {next}") };
    format!("{message}{detail}{next}")
}

/// A result that went well.
pub(super) fn success(payload: Map<String, Value>, image: Option<Image>) -> ToolResult {
    let mut envelope = Map::new();
    envelope.insert("ok".into(), true.into());
    envelope.extend(payload);
    let mut shown = envelope.clone();
    if let Some(image) = &image {
        let raw = json!({ "base64": image.base64, "mimeType": image.mime_type });
        envelope.insert("screenshot".into(), raw);
        let note = json!({ "mimeType": image.mime_type, "note": "the picture is attached" });
        shown.insert("screenshot".into(), note);
    }
    let mut result = ToolResult::of(text(&shown), false, Value::Object(envelope));
    result.images.extend(image);
    result
}

/// A result that did not.
pub(super) fn failure(bad: Bad) -> ToolResult {
    match bad {
        Bad::Told { code, error, output } => {
            let mut envelope = Map::new();
            envelope.insert("ok".into(), false.into());
            // What a body throws is its own affair.
            let told = if code == CODE_FAILED { error } else { format!("{code}: {error}") };
            envelope.insert("error".into(), told.into());
            if let Some((stdout, stderr)) = output {
                envelope.insert("stdout".into(), stdout.into());
                envelope.insert("stderr".into(), stderr.into());
            }
            let text = text(&envelope);
            envelope.insert("code".into(), code.into());
            ToolResult::of(text, true, Value::Object(envelope))
        }
        Bad::Thrown { code, message } => {
            let details = json!({ "code": code, "message": message });
            let mut result = ToolResult::of(format!("{code}: {message}"), true, details);
            result.is_protocol_error = true;
            result
        }
    }
}

fn text(envelope: &Map<String, Value>) -> String {
    // A map with string keys always has a JSON form.
    serde_json::to_string_pretty(envelope).unwrap_or_default()
}
