//! What the page showed in the task of the write and after it: evidence, or a failure that says the write had no effect.

use super::failure::{Effect, Failure, Phase, Retry};
use crate::page::{Capture, FieldValue, Frame, NodeData, NodeIdx, NodeKey};
use crate::planted::{self, Bug};
use crate::port::{DispatchEvidence, InputPlan, Seq};
use crate::text::quoted_value;
use alloc::{format, string::String, vec::Vec};

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
    pub(crate) evidence: DispatchEvidence,
    /// Cursor taken before it.
    pub(super) since: Seq,
}

/// Judges what the page showed in the task of the write.
pub(crate) fn verify(wrote: &Wrote) -> Result<Outcome, Failure> {
    let evidence = &wrote.evidence;
    match &wrote.plan {
        InputPlan::Click { .. } | InputPlan::TrustedClick { .. } if evidence.default_prevented => {
            Ok(Outcome::Prevented)
        }
        InputPlan::Click { .. }
        | InputPlan::TrustedClick { .. }
        | InputPlan::Hover
        | InputPlan::Keys { .. }
        | InputPlan::Mouse { .. }
        | InputPlan::Drag { .. } => Ok(Outcome::Dispatched),
        // The driver says it is done only if the target has the focus.
        InputPlan::Focus | InputPlan::Blur => Ok(Outcome::Verified),
        InputPlan::Type { .. } if planted::is(Bug::EvidenceIgnored) => Ok(Outcome::Verified),
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

/// Judges the page after it came to rest: pages take input back a moment later, too. A target that is gone says nothing.
pub(super) fn still_holds(wrote: &Wrote, capture: &Capture) -> Result<(), Failure> {
    if planted::is(Bug::LaterChangeIgnored) {
        return Ok(());
    }
    let Some((frame_at, at)) = capture.find(wrote.key) else { return Ok(()) };
    let frame = &capture.frames[frame_at as usize];
    let Some(element) = frame.element(at) else { return Ok(()) };
    let value = element.control.as_ref().map(|control| &control.value);
    match &wrote.plan {
        InputPlan::Click { .. }
        | InputPlan::TrustedClick { .. }
        | InputPlan::Hover
        | InputPlan::Focus
        | InputPlan::Blur
        | InputPlan::Keys { .. }
        | InputPlan::Mouse { .. }
        | InputPlan::Drag { .. } => Ok(()),
        // A form that was sent may well be emptied.
        InputPlan::Type { submit: true, .. } => Ok(()),
        InputPlan::Type { text, .. } => {
            let holds = match (value, &wrote.evidence.value) {
                (Some(FieldValue::Text(now)), Some(then)) => now == then,
                (Some(FieldValue::Secret { filled }), _) => *filled || text.is_empty(),
                (None, _) => squashed(&text_of(frame, at)).contains(&squashed(text)),
                (Some(FieldValue::Text(_) | FieldValue::None), _) => true,
            };
            if holds {
                Ok(())
            } else {
                Err(not_effective("the page changed the field again after the text was entered"))
            }
        }
        InputPlan::Select { options } if selected(frame, at) == *options => Ok(()),
        InputPlan::Select { .. } => {
            Err(not_effective("the page changed the selection again after it was made"))
        }
    }
}

fn selected(frame: &Frame, select: NodeIdx) -> Vec<u32> {
    let inside = (select + 1..frame.node(select).end).filter_map(|at| frame.element(at));
    (0..)
        .zip(inside.filter(|element| element.is_html("option")))
        .filter(|(_, option)| option.control.as_ref().is_some_and(|control| control.selected))
        .map(|(place, _)| place)
        .collect()
}

fn text_of(frame: &Frame, at: NodeIdx) -> String {
    let inside = (at + 1..frame.node(at).end).map(|inner| &frame.node(inner).data);
    inside
        .filter_map(|data| if let NodeData::Text(text) = data { Some(&**text) } else { None })
        .collect()
}

/// Without white space: editors turn spaces and line breaks into other things.
fn squashed(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).collect()
}

fn not_effective(message: &str) -> Failure {
    Failure::new("l1_not_effective", Phase::Verify, Retry::AfterNewSnapshot, message)
        .with_effect(Effect::Done)
}
