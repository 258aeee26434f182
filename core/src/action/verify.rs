//! What the page showed in the task of the write: evidence, or a failure that says the write had no effect.

use super::failure::{Effect, Failure, Phase, Retry};
use crate::page::{Capture, FieldValue, Frame, NodeData, NodeIdx, NodeKey};
use crate::port::{DispatchEvidence, InputPlan};
use alloc::{string::String, vec::Vec};

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

/// What a write was seen to do, to be seen again once the page has come to rest: pages take input back later, too.
#[derive(Debug)]
pub(super) struct Kept {
    pub(super) outcome: Outcome,
    node: NodeKey,
    what: What,
}

#[derive(Debug)]
enum What {
    /// Nothing that could be taken back.
    Nothing,
    /// A field holds this.
    Value(String),
    /// A field whose value is never read, or an element that is edited, took this text.
    Text(String),
    /// These options are selected.
    Selected(Vec<u32>),
}

impl Kept {
    pub(super) fn of(
        node: NodeKey,
        plan: InputPlan,
        evidence: DispatchEvidence,
        outcome: Outcome,
    ) -> Self {
        let what = match (outcome, plan) {
            // A form that was sent may well be emptied.
            (Outcome::Verified, InputPlan::Type { submit: false, text, .. }) => {
                evidence.value.map_or(What::Text(text), What::Value)
            }
            (Outcome::Verified, InputPlan::Select { options }) => What::Selected(options),
            _ => What::Nothing,
        };
        Self { outcome, node, what }
    }

    /// The page as it came to rest still shows it. An element that is gone with its document or by a new rendering says nothing.
    pub(super) fn check(&self, capture: &Capture) -> Result<(), Failure> {
        let Some((frame_at, at)) = capture.find(self.node) else { return Ok(()) };
        let frame = &capture.frames[frame_at as usize];
        let Some(element) = frame.element(at) else { return Ok(()) };
        let value = element.control.as_ref().map(|control| &control.value);
        let still = match (&self.what, value) {
            (What::Value(wanted), Some(FieldValue::Text(now))) => now == wanted,
            (What::Text(wanted), Some(FieldValue::Secret { filled })) => {
                *filled || wanted.is_empty()
            }
            (What::Text(wanted), None) => squashed(&text_of(frame, at)).contains(&squashed(wanted)),
            (What::Selected(wanted), _) => selected(frame, at) == *wanted,
            _ => true,
        };
        match still {
            true => Ok(()),
            false => Err(not_effective("the page changed it back after the input")),
        }
    }
}

fn selected(frame: &Frame, select: NodeIdx) -> Vec<u32> {
    let is_option = |at: &NodeIdx| frame.element(*at).is_some_and(|e| e.is_html("option"));
    let options = (select + 1..frame.node(select).end).filter(is_option);
    (0..)
        .zip(options)
        .filter(|(_, at)| {
            let control = frame.element(*at).and_then(|element| element.control.as_ref());
            control.is_some_and(|control| control.selected)
        })
        .map(|(place, _)| place)
        .collect()
}

fn text_of(frame: &Frame, at: NodeIdx) -> String {
    let nodes = (at + 1..frame.node(at).end).map(|inner| &frame.node(inner).data);
    nodes
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
