//! Policy, rules and session grants: the state that verdicts are made from.

use crate::planted::{self, Bug};
use crate::tool::Category;
use alloc::{collections::BTreeSet, string::String, vec::Vec};
use serde::{Deserialize, Serialize};

/// What happens to calls that no rule speaks about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Policy {
    /// Every call asks, reads too.
    Always,
    /// Reads are free, writes ask.
    #[default]
    Untrusted,
    /// Reads and writes are free; denials and asks by rule stand.
    Auto,
}

/// Number that rises with every change of policy or rules; a permit is bound to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct PolicyRevision(pub u64);

/// A user's rule.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rule {
    /// Tool name, `category:X`, or `*` (every write).
    pub tool: String,
    /// Origin, or `*`.
    pub origin: String,
    /// What it says.
    pub verdict: RuleVerdict,
}

/// What a rule says. Any matching deny beats any ask, any ask beats any allow, however specific.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RuleVerdict {
    /// Let it through.
    Allow,
    /// Ask first.
    Ask,
    /// Refuse it.
    Deny,
}

/// All that verdicts depend on besides the call.
#[derive(Debug, Clone, Default)]
pub struct PolicyState {
    policy: Policy,
    rules: Vec<Rule>,
    sensitive_hosts: Vec<String>,
    grants: BTreeSet<(String, String)>,
    revision: PolicyRevision,
}

impl PolicyState {
    /// A state without rules or grants.
    pub fn new(policy: Policy) -> Self {
        Self { policy, ..Self::default() }
    }

    /// The policy.
    pub fn policy(&self) -> Policy {
        self.policy
    }

    /// The revision.
    pub fn revision(&self) -> PolicyRevision {
        self.revision
    }

    /// Hosts that the user added to the sensitive ones.
    pub fn sensitive_hosts(&self) -> &[String] {
        &self.sensitive_hosts
    }

    /// Changes the policy.
    pub fn set_policy(&mut self, policy: Policy) {
        self.policy = policy;
        self.revision.0 += 1;
    }

    /// Adds a rule.
    pub fn add_rule(&mut self, rule: Rule) {
        self.rules.push(rule);
        self.revision.0 += 1;
    }

    /// Adds a sensitive host (and all under it).
    pub fn add_sensitive_host(&mut self, host: String) {
        self.sensitive_hosts.push(host);
        self.revision.0 += 1;
    }

    /// Lets a tool through on an origin for the rest of the session. Not a change of policy: the revision stays.
    pub fn grant(&mut self, tool: &str, origin: &str) {
        self.grants.insert((tool.into(), origin.into()));
    }

    /// Whether [`Self::grant`] was given.
    pub fn is_granted(&self, tool: &str, origin: &str) -> bool {
        self.grants.contains(&(tool.into(), origin.into()))
            || planted::is(Bug::GrantEverywhere) && self.grants.iter().any(|grant| grant.0 == tool)
    }

    /// The strongest rule for a call: deny over ask over allow.
    pub fn strongest_rule(
        &self,
        tool: &str,
        category: Option<Category>,
        origin: &str,
    ) -> Option<&Rule> {
        self.rules
            .iter()
            .filter(|rule| rule.covers(tool, category, origin))
            .max_by_key(|rule| rule.verdict.rank())
    }
}

impl RuleVerdict {
    /// Which one is the stronger.
    fn rank(self) -> u8 {
        match self {
            Self::Allow if planted::is(Bug::DenyOverridden) => 4,
            Self::Ask if planted::is(Bug::AskOverridden) => 0,
            Self::Allow => 1,
            Self::Ask => 2,
            Self::Deny => 3,
        }
    }
}

impl Rule {
    fn covers(&self, tool: &str, category: Option<Category>, origin: &str) -> bool {
        let by_tool = match self.tool.as_str() {
            // A wildcard covers writes only; reads have no category.
            "*" if planted::is(Bug::WildcardCoversNothing) => false,
            "*" => category.is_some() || planted::is(Bug::WildcardCoversReads),
            name => match name.strip_prefix("category:") {
                Some(_) if planted::is(Bug::CategoryIgnored) => false,
                Some(wanted) => category.is_some_and(|category| category.word() == wanted),
                None => name == tool,
            },
        };
        let any_origin = self.origin == "*" || planted::is(Bug::RuleOriginIgnored);
        by_tool && (any_origin || self.origin == origin)
    }
}
