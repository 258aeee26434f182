//! `Op::Dispatch`: the guard's check and the write in one task of the page.

use super::pointer::number;
use super::probe::{WalkerHit, hit_answer};
use super::{keys, pointer, tabs};
use crate::session::Link;
use crate::world::NoAnswer;
use backlot_core::page::TabId;
use backlot_core::port::{
    Dispatch, DispatchEvidence, DispatchOutcome, DriverError, Guard, InputPlan, Millis, MouseStep,
    NotSent, Typing,
};
use serde::Deserialize;
use serde_json::{Value, json};

/// The walker's answer to a write.
#[derive(Debug, Deserialize)]
#[serde(tag = "k", rename_all = "snake_case")]
pub(super) enum Written {
    Gone,
    Recycled,
    Moved,
    NotEnabled,
    Cancelled,
    Unfit,
    Covered {
        hit: WalkerHit,
    },
    /// The trusted guard stands.
    Armed,
    /// A trusted sequence hit the target in part.
    Torn,
    Done {
        value: Option<String>,
        matches: Option<bool>,
        selected: Vec<u32>,
        prevented: bool,
    },
}

/// Carries out a write.
pub(super) async fn dispatch(link: &Link, write: Dispatch, deadline: Millis) -> DispatchOutcome {
    let Dispatch { tab, plan, guard, permit } = write;
    let permitted = permit.target();
    if permitted.node != Some(guard.node) || permitted.tab.is_some_and(|of| of != tab) {
        let reason = "the permit is for another target".into();
        let method = "dispatch".into();
        return not_sent(NotSent::Failed(DriverError::Refused { method, reason }));
    }
    if let Err(error) = tabs::emulate_focus(link, tab, deadline).await {
        return not_sent(NotSent::Failed(error));
    }
    let Some(guard) = walker_guard(link, tab, &guard) else { return not_sent(NotSent::Gone) };
    let (function, argument) = match plan {
        InputPlan::TrustedClick { button, double, modifiers } => {
            let click = pointer::Click { button, double, modifiers };
            return pointer::click(link, tab, click, guard, deadline).await;
        }
        InputPlan::Hover => {
            return pointer::mouse(link, tab, &[MouseStep::Move], guard, deadline).await;
        }
        InputPlan::Mouse { steps } => {
            return pointer::mouse(link, tab, &steps, guard, deadline).await;
        }
        InputPlan::Drag { to } => {
            let Some(to) = walker_guard(link, tab, &to) else { return not_sent(NotSent::Gone) };
            return pointer::drag(link, tab, (guard, to), deadline).await;
        }
        InputPlan::Keys { strokes, focus } => {
            return keys::keys(link, tab, (&strokes, focus), guard, deadline).await;
        }
        InputPlan::Focus => ("focusOn", json!({ "guard": guard })),
        InputPlan::Blur => ("blurOn", json!({ "guard": guard })),
        InputPlan::Click { button, double } => {
            ("click", json!({ "guard": guard, "button": number(button), "double": double }))
        }
        InputPlan::Type { text, how, submit } => {
            let append = matches!(how, Typing::Append | Typing::AppendSlowly);
            let slow = matches!(how, Typing::ReplaceSlowly | Typing::AppendSlowly);
            let argument = json!({
                "guard": guard, "text": text, "append": append, "slow": slow, "submit": submit
            });
            ("type", argument)
        }
        InputPlan::Select { options } => ("select", json!({ "guard": guard, "options": options })),
    };
    match link.ask::<Written>(tab, function, &argument, deadline).await {
        Ok(answer) => outcome(link, tab, &answer.context, answer.value),
        Err(no_answer) => without_answer(no_answer),
    }
}

/// The guard in the walker's numbers; `None` if a document of it is not there any more.
fn walker_guard(link: &Link, tab: TabId, guard: &Guard) -> Option<Value> {
    let chain = guard.chain.iter().map(|document| link.walker_document(tab, *document));
    let chain = chain.collect::<Option<Vec<u32>>>()?;
    let context = match guard.context {
        Some(key) => Some(link.walker_node(tab, key)?),
        None => None,
    };
    Some(json!({
        "node": link.walker_node(tab, guard.node)?,
        "chain": chain,
        "mark": guard.mark,
        "context": context,
        "rect": guard.rect,
        "tolerance": guard.tolerance_px,
        "points": guard.points,
    }))
}

/// The outcome that the walker saw.
pub(super) fn outcome(link: &Link, tab: TabId, context: &str, written: Written) -> DispatchOutcome {
    not_sent(match written {
        Written::Gone => NotSent::Gone,
        Written::Recycled => NotSent::Recycled,
        Written::Moved => NotSent::Moved,
        Written::NotEnabled => NotSent::NotEnabled,
        Written::Cancelled => NotSent::Cancelled,
        Written::Unfit => NotSent::Unfit,
        Written::Covered { hit } => NotSent::Covered(hit_answer(link, tab, context, hit)),
        Written::Armed | Written::Torn => {
            let reason = "the target was missed after the input had begun".into();
            let method = "Input.dispatchMouseEvent".into();
            return DispatchOutcome::Unknown { reason: DriverError::Refused { method, reason } };
        }
        Written::Done { value, matches, selected, prevented } => {
            return DispatchOutcome::Done(DispatchEvidence {
                value,
                value_matches: matches,
                selected,
                default_prevented: prevented,
            });
        }
    })
}

/// The outcome of a write that the page did not answer.
pub(super) fn without_answer(no_answer: NoAnswer) -> DispatchOutcome {
    match no_answer {
        NoAnswer::NotRun => not_sent(NotSent::Gone),
        NoAnswer::NotSent(error) => not_sent(NotSent::Failed(error)),
        NoAnswer::Lost => DispatchOutcome::Unknown { reason: DriverError::DocumentGone },
        NoAnswer::Sent(reason) => DispatchOutcome::Unknown { reason },
    }
}

pub(super) fn not_sent(why: NotSent) -> DispatchOutcome {
    DispatchOutcome::NotSent(why)
}
