//! Decides over every tool call.
//!
//! The order of [`check()`] is written once, in `check.rs`. A verdict that allows gives a [`Clearance`]; only a clearance that
//! is checked again after the last wait becomes a [`Permit`], and only a permit opens [`crate::port::Op::Dispatch`] and
//! [`crate::port::Op::Navigate`].

mod check;
mod origin;
mod permit;
mod policy;
mod sensitive;

pub use check::{ApprovalRequest, DenyReason, Question, Verdict, check};
pub use origin::{BadUrl, Destination, origin_of};
pub use permit::{CallId, Clearance, Permit, TargetIdentity};
pub use policy::{Policy, PolicyRevision, PolicyState, Rule, RuleVerdict};
pub use sensitive::is_sensitive_host;
