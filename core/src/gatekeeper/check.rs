//! The verdict over one call.
//!
//! Order; the first that speaks decides:
//!
//! 1. A deny rule that covers the call: deny (reads too, where a rule names the tool).
//! 2. A destination that is not http or https, nor about:blank: deny.
//! 3. A sensitive origin and a write: deny.
//! 4. An ask rule that covers the call: ask.
//! 5. A session grant for this tool on this origin: allow.
//! 6. An allow rule that covers the call: allow.
//! 7. The policy. Reads: `always` asks, else allow. Writes: `auto` allows, else ask.

use super::origin::Destination;
use super::permit::{CallId, Clearance, TargetIdentity};
use super::policy::{Policy, PolicyState, RuleVerdict};
use super::sensitive::is_sensitive_host;
use crate::planted::{self, Bug};
use crate::tool::{Category, Effects};
use alloc::string::{String, ToString};
use serde::{Deserialize, Serialize};

/// A call to be judged.
#[derive(Debug, Clone)]
pub struct Question<'a> {
    /// Its number.
    pub call: CallId,
    /// The tool's name.
    pub tool: &'a str,
    /// Its effects.
    pub effects: Effects,
    /// Its write category; `None` for reads.
    pub category: Option<Category>,
    /// What it is about. Its `origin` is the frame's, or the destination's.
    pub target: TargetIdentity,
    /// Where it leads, parsed.
    pub destination: Option<&'a Destination>,
}

/// The answer.
#[derive(Debug)]
pub enum Verdict {
    /// It may go on.
    Allow(Clearance),
    /// Somebody must be asked; with their consent the clearance holds.
    Ask(ApprovalRequest, Clearance),
    /// It may not.
    Deny(DenyReason),
}

/// What whoever approves is shown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ApprovalRequest {
    /// The tool's name.
    pub tool: String,
    /// What it is about.
    pub target: TargetIdentity,
    /// Why it is asked.
    pub because: String,
}

/// Why a call may not go on.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
pub enum DenyReason {
    /// A rule says so.
    #[error("a rule denies {tool} on {origin}")]
    Rule {
        /// The rule's tool pattern.
        tool: String,
        /// The rule's origin pattern.
        origin: String,
    },
    /// The destination's scheme.
    #[error("destinations with the scheme {scheme} are not allowed, only http and https")]
    Scheme {
        /// The scheme.
        scheme: String,
    },
    /// The origin is sensitive.
    #[error("{host} is a sensitive site, where tools do not write")]
    Sensitive {
        /// The host.
        host: String,
    },
    /// Whoever was asked declined.
    #[error("it was declined: {note}")]
    Declined {
        /// Their note.
        note: String,
    },
    /// The target is not the one that was judged.
    #[error("the target changed after it was checked")]
    TargetChanged,
    /// The policy changed after the call was judged.
    #[error("the policy changed after the call was checked")]
    PolicyChanged,
}

/// Judges a call. A pure function of its arguments.
pub fn check(state: &PolicyState, question: &Question<'_>) -> Verdict {
    let origin = &question.target.origin;
    let rule = state.strongest_rule(question.tool, question.category, origin);
    if let Some(rule) = rule.filter(|rule| rule.verdict == RuleVerdict::Deny) {
        return Verdict::Deny(DenyReason::Rule {
            tool: rule.tool.clone(),
            origin: rule.origin.clone(),
        });
    }
    if let Some(deny) = question.destination.and_then(deny_scheme) {
        return Verdict::Deny(deny);
    }
    if let Some(deny) = deny_sensitive(state, question) {
        return Verdict::Deny(deny);
    }
    let clearance = Clearance {
        call: question.call,
        target: question.target.clone(),
        revision: state.revision(),
    };
    let ask = |because: &str, clearance| {
        let request = ApprovalRequest {
            tool: question.tool.to_string(),
            target: question.target.clone(),
            because: because.to_string(),
        };
        Verdict::Ask(request, clearance)
    };
    match rule.map(|rule| rule.verdict) {
        Some(RuleVerdict::Ask) => return ask("a rule asks for it", clearance),
        _ if state.is_granted(question.tool, origin) => return Verdict::Allow(clearance),
        Some(RuleVerdict::Allow) => return Verdict::Allow(clearance),
        Some(RuleVerdict::Deny) | None => {}
    }
    match (question.effects, state.policy()) {
        (Effects::Write, Policy::Untrusted) if planted::is(Bug::PolicyIgnored) => {
            Verdict::Allow(clearance)
        }
        (Effects::Read, Policy::Untrusted | Policy::Auto) | (Effects::Write, Policy::Auto) => {
            Verdict::Allow(clearance)
        }
        (Effects::Read, Policy::Always) => {
            ask("the policy `always` asks for every call", clearance)
        }
        (Effects::Write, Policy::Always) => {
            ask("the policy `always` asks for every call", clearance)
        }
        (Effects::Write, Policy::Untrusted) => {
            ask("the policy `untrusted` asks for every write", clearance)
        }
    }
}

fn deny_scheme(destination: &Destination) -> Option<DenyReason> {
    let is_web = matches!(destination.scheme(), "http" | "https");
    (!is_web && destination.url() != "about:blank" && !planted::is(Bug::SchemeIgnored))
        .then(|| DenyReason::Scheme { scheme: destination.scheme().to_string() })
}

fn deny_sensitive(state: &PolicyState, question: &Question<'_>) -> Option<DenyReason> {
    if question.effects == Effects::Read || planted::is(Bug::SensitiveIgnored) {
        return None;
    }
    let here = Destination::parse(&question.target.origin).ok();
    let hosts = [question.destination.map(Destination::host), here.as_ref().map(Destination::host)];
    let host = hosts
        .into_iter()
        .flatten()
        .find(|host| is_sensitive_host(host, state.sensitive_hosts()))?;
    Some(DenyReason::Sensitive { host: host.to_string() })
}
