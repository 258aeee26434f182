//! What the page showed in the task of the write and after it: evidence, or a failure that says the write had no effect.

use super::failure::{Effect, Failure, Phase, Retry};
use crate::page::{Capture, FieldValue, NodeKey};
use crate::port::{DispatchEvidence, InputPlan, Seq};
use crate::text::quoted_value;
use alloc::{format, vec::Vec};

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

/// A write that was done.
#[derive(Debug)]
pub(crate) struct Wrote {
    /// The target.
    pub(super) key: NodeKey,
    /// What was done.
    pub(super) plan: InputPlan,
    /// What the page showed then.
    pub(super) evidence: DispatchEvidence,
    /// Cursor taken before it.
    pub(super) since: Seq,
}

/// Judges what the page showed in the task of the write.
pub(super) fn verify(wrote: &Wrote) -> Result<Outcome, Failure> {
    let evidence = &wrote.evidence;
    match &wrote.plan {
        InputPlan::Click { .. } | InputPlan::TrustedClick { .. } if evidence.default_prevented => {
            Ok(Outcome::Prevented)
        }
        InputPlan::Click { .. } | InputPlan::TrustedClick { .. } => Ok(Outcome::Dispatched),
        InputPlan::Type { .. } => match evidence.value_matches {
            Some(true) => Ok(Outcome::Verified),
            Some(false) => {
                let failure = not_effective("the field did not take the text as it was given");
                Err(match &evidence.value {
                    Some(value) => {
                        failure.with_detail(format!("it holds {} now", quoted_value(value, 200)))
                    }
                    None => failure,
                })
            }
            None => Ok(Outcome::Dispatched),
        },
        InputPlan::Select { options } if *options == evidence.selected => Ok(Outcome::Verified),
        InputPlan::Select { .. } => Err(not_effective("the page changed the selection back")),
    }
}

/// Judges the page after it came to rest: frameworks take values back a moment later. A target that is gone says nothing.
pub(super) fn still_holds(wrote: &Wrote, capture: &Capture) -> Result<(), Failure> {
    let Some((frame_at, at)) = capture.find(wrote.key) else { return Ok(()) };
    let frame = &capture.frames[frame_at as usize];
    match &wrote.plan {
        InputPlan::Click { .. } | InputPlan::TrustedClick { .. } => Ok(()),
        // A submitted form may empty its fields.
        InputPlan::Type { submit: true, .. } => Ok(()),
        InputPlan::Type { .. } => {
            let control = frame.element(at).and_then(|element| element.control.as_ref());
            let now = match control.map(|control| &control.value) {
                Some(FieldValue::Text(text)) => Some(text),
                Some(FieldValue::None | FieldValue::Secret { .. }) | None => None,
            };
            match (now, &wrote.evidence.value) {
                (Some(now), Some(then)) if now != then => Err(not_effective(
                    "the page changed the field again after the text was entered",
                )),
                _ => Ok(()),
            }
        }
        InputPlan::Select { options } => {
            let all = (at + 1..frame.node(at).end).filter_map(|at| frame.element(at));
            let selected: Vec<u32> = (0..)
                .zip(all.filter(|element| element.is_html("option")))
                .filter(|(_, option)| {
                    option.control.as_ref().is_some_and(|control| control.selected)
                })
                .map(|(place, _)| place)
                .collect();
            if selected == *options {
                Ok(())
            } else {
                Err(not_effective("the page changed the selection again after it was made"))
            }
        }
    }
}

fn not_effective(message: &str) -> Failure {
    Failure::new("l1_not_effective", Phase::Verify, Retry::AfterNewSnapshot, message)
        .with_effect(Effect::Done)
}
