//! Clearance and permit: what a verdict turns into, and what a write needs.

use super::check::DenyReason;
use super::policy::{PolicyRevision, PolicyState};
use crate::page::{DocumentKey, NodeKey, TabId};
use crate::planted::{self, Bug};
use alloc::string::String;
use serde::{Deserialize, Serialize};

/// A tool call's number within its engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct CallId(pub u64);

/// What a call is about, as it was when it was judged.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct TargetIdentity {
    /// The tab.
    pub tab: Option<TabId>,
    /// The document that is written to; `None` where the call is about the tab.
    pub document: Option<DocumentKey>,
    /// The element.
    pub node: Option<NodeKey>,
    /// Origin of the frame that is written to, or of the destination.
    pub origin: String,
    /// Canonical URL of the destination.
    pub destination: Option<String>,
}

/// A verdict that lets a call go on, not yet a right to write.
#[derive(Debug)]
pub struct Clearance {
    pub(super) call: CallId,
    pub(super) target: TargetIdentity,
    pub(super) revision: PolicyRevision,
}

impl Clearance {
    /// The same for a tab that was opened for the call: the verdict was about no tab in particular.
    ///
    /// # Errors
    /// [`DenyReason::TargetChanged`] if it was about one.
    pub fn in_new_tab(self, tab: TabId) -> Result<Self, DenyReason> {
        if self.target.tab.is_some() {
            return Err(DenyReason::TargetChanged);
        }
        Ok(Self { target: TargetIdentity { tab: Some(tab), ..self.target }, ..self })
    }

    /// Turns the clearance into a permit, after the last wait: the target must be the one that was judged and the policy
    /// must not have changed.
    ///
    /// # Errors
    /// [`DenyReason::TargetChanged`] or [`DenyReason::PolicyChanged`].
    pub fn permit(self, state: &PolicyState, now: &TargetIdentity) -> Result<Permit, DenyReason> {
        if *now != self.target {
            return Err(DenyReason::TargetChanged);
        }
        if state.revision() != self.revision && !planted::is(Bug::RevisionIgnored) {
            return Err(DenyReason::PolicyChanged);
        }
        Ok(Permit { call: self.call, target: self.target, revision: self.revision })
    }
}

/// The right to one write. Made only from a [`Clearance`], moved into the op, consumed by it.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub struct Permit {
    call: CallId,
    target: TargetIdentity,
    revision: PolicyRevision,
}

impl Permit {
    /// The call it was given for.
    pub fn call(&self) -> CallId {
        self.call
    }

    /// The target it was given for; a driver refuses a write to any other.
    pub fn target(&self) -> &TargetIdentity {
        &self.target
    }
}
