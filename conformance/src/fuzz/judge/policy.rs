//! The verdict, read once more from the rules' own words and not from core's.

use super::super::port::End;
use super::super::scenario::Answer;
use super::{Call, Found, Kind, broken};
use std::collections::BTreeSet;

/// What the rules say of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Say {
    Allow,
    Ask,
    /// Asked about, unless it was granted before, which cannot be told.
    MayAsk,
    Deny,
}

/// The rules and what was granted.
#[derive(Debug, Default)]
pub(crate) struct Reading {
    /// Tool, origin, verdict.
    pub(crate) rules: Vec<(String, String, String)>,
    pub(crate) policy: String,
    /// Tool and origin that whoever was asked has let through for the session, and all that may have been.
    pub(crate) granted: BTreeSet<(String, String)>,
    pub(crate) may_be_granted: BTreeSet<(String, String)>,
}

impl Reading {
    /// Any denial beats any question, any question any permission. `*` speaks of writes only.
    pub(crate) fn say(&self, tool: &str, origin: &str, destination: Option<&str>) -> Say {
        let category = match tool {
            "click" | "click_trusted" => Some("category:click"),
            "type" | "select_option" => Some("category:fill"),
            "navigate" => Some("category:navigate"),
            _ => None,
        };
        let mut said: Vec<&str> = Vec::new();
        for (of, on, verdict) in &self.rules {
            let covers_tool = match of.as_str() {
                "*" => category.is_some(),
                of if of.starts_with("category:") => Some(of) == category,
                of => of == tool,
            };
            if covers_tool && (on == "*" || on == origin) {
                said.push(verdict);
            }
        }
        let is_web = |url: &str| url.starts_with("http://") || url.starts_with("https://");
        if said.contains(&"deny") || destination.is_some_and(|url| !is_web(url)) {
            return Say::Deny;
        }
        if category.is_some() && origin.ends_with(".gov") {
            return Say::Deny;
        }
        if said.contains(&"ask") {
            return Say::Ask;
        }
        let call = (tool.to_owned(), origin.to_owned());
        if self.granted.contains(&call) || said.contains(&"allow") {
            return Say::Allow;
        }
        match (self.policy.as_str(), category) {
            ("auto", _) | ("untrusted", None) => Say::Allow,
            _ if self.may_be_granted.contains(&call) => Say::MayAsk,
            _ => Say::Ask,
        }
    }
}

pub(super) fn permission(call: &Call<'_>) -> Found {
    let written = call.seen.writes.iter().find(|write| write.end != End::NotSent);
    if let (Some(ruled_at), Some(write)) = (call.seen.ruled_at, written)
        && (1..write.at).contains(&ruled_at)
    {
        return broken(Kind::WrongTarget, "a write went on after a rule came");
    }
    let is_web = |url: &&String| !url.starts_with("http://") && !url.starts_with("https://");
    if let Some(url) = call.seen.navigations.iter().find(is_web) {
        return broken(Kind::WrongTarget, format!("{url} was navigated to"));
    }
    if written.is_none() && call.seen.navigations.is_empty() {
        return None;
    }
    let is_barred = match call.say? {
        Say::Allow | Say::MayAsk => false,
        Say::Ask => call.answer == Some(Answer::Decline),
        Say::Deny => true,
    };
    if is_barred {
        broken(Kind::WrongTarget, format!("{} was not allowed", call.tool))
    } else {
        None
    }
}

/// A verdict that no rule gave.
pub(super) fn needless_denial(call: &Call<'_>) -> Found {
    if call.seen.ruled_at.is_some_and(|at| at > 0) {
        return None;
    }
    let needs = match call.code() {
        "denied" => Say::Deny,
        "declined" => Say::Ask,
        "policy_changed" => return broken(Kind::FalseSuccess, "no rule changed and it is said"),
        _ => return None,
    };
    let said = call.say?;
    let is_answered = needs != Say::Ask || call.answer.is_none_or(|it| it == Answer::Decline);
    if (said == needs || said == Say::MayAsk && needs == Say::Ask) && is_answered {
        return None;
    }
    let why = format!("{} ended as {} and the rules say {said:?}", call.tool, call.code());
    broken(Kind::FalseSuccess, why)
}
