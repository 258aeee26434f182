//! What the page showed in the task of the write: evidence, or a failure that says the write had no effect.

use super::failure::{Effect, Failure, Phase, Retry};
use crate::port::{DispatchEvidence, InputPlan};

/// How sure an effect is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// The events were sent; what they do is for the page to say.
    Dispatched,
    /// The state asked for was seen after the dispatch.
    Verified,
    /// The page cancelled the default action.
    Prevented,
}

impl Outcome {
    /// The word for it.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Dispatched => "dispatched",
            Self::Verified => "verified",
            Self::Prevented => "dispatched; the page cancelled the default action",
        }
    }
}

/// Judges the evidence.
pub(super) fn verify(plan: &InputPlan, evidence: &DispatchEvidence) -> Result<Outcome, Failure> {
    match plan {
        InputPlan::Click { .. } | InputPlan::TrustedClick { .. } if evidence.default_prevented => {
            Ok(Outcome::Prevented)
        }
        InputPlan::Click { .. } | InputPlan::TrustedClick { .. } => Ok(Outcome::Dispatched),
        InputPlan::Type { .. } => match evidence.value_matches {
            Some(true) => Ok(Outcome::Verified),
            Some(false) => {
                Err(not_effective("the field did not take the text; it holds something else now"))
            }
            None => Ok(Outcome::Dispatched),
        },
        InputPlan::Select { options } if *options == evidence.selected => Ok(Outcome::Verified),
        InputPlan::Select { .. } => Err(not_effective("the page changed the selection back")),
    }
}

fn not_effective(message: &str) -> Failure {
    Failure::new("l1_not_effective", Phase::Verify, Retry::AfterNewSnapshot, message)
        .with_effect(Effect::Done)
}
