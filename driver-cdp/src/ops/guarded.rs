//! Trusted input under a one-shot guard in the page.
//!
//! What was right when it was tested may be wrong when the input arrives: the guard swallows every event of the sequence that
//! would reach anything but the target, so that no listener of the page sees it.

use super::dispatch::{Written, not_sent, outcome, without_answer};
use crate::clock;
use crate::session::Link;
use crate::world::NoAnswer;
use backlot_core::page::TabId;
use backlot_core::port::{DispatchEvidence, DispatchOutcome, DriverError, Millis, NotSent};
use serde_json::Value;

/// Longest time that the guard stands, ms: input that takes longer is given up as unknown.
pub(super) const GUARD_MS: u64 = 5_000;

/// Arms the guard by this function of the walker, sends, disarms and judges.
pub(super) async fn guarded(
    link: &Link,
    tab: TabId,
    (function, arming): (&str, Value),
    deadline: Millis,
    send: impl AsyncFnOnce(Millis) -> Result<(), DriverError>,
) -> DispatchOutcome {
    let armed = match link.ask::<Written>(tab, function, &arming, deadline).await {
        Ok(answer) => answer,
        // Arming fires nothing: whatever became of it, no event reached the page.
        Err(NoAnswer::NotRun | NoAnswer::Lost) => return not_sent(NotSent::Gone),
        Err(NoAnswer::NotSent(error) | NoAnswer::Sent(error)) => {
            return not_sent(NotSent::Failed(error));
        }
    };
    if !matches!(armed.value, Written::Armed) {
        return outcome(link, tab, &armed.context, armed.value);
    }
    let before = told_hits(link, tab);
    let sent_by = deadline.min(clock::now().plus(GUARD_MS));
    if let Err(reason) = send(sent_by).await {
        return DispatchOutcome::Unknown { reason };
    }
    match link.ask::<Written>(tab, "disarm", &(), deadline).await {
        Ok(answer) if answer.context == armed.context => {
            outcome(link, tab, &answer.context, answer.value)
        }
        // Another document stands there: the input's own doing, or chance. The record went with the old one.
        Ok(_) | Err(NoAnswer::NotRun | NoAnswer::Lost) if told_hits(link, tab) > before => met(),
        Ok(_) => DispatchOutcome::Unknown { reason: DriverError::DocumentGone },
        Err(NoAnswer::NotRun) => DispatchOutcome::Unknown { reason: DriverError::DocumentGone },
        Err(NoAnswer::NotSent(reason)) => DispatchOutcome::Unknown { reason },
        Err(no_answer) => without_answer(no_answer),
    }
}

fn told_hits(link: &Link, tab: TabId) -> u64 {
    link.book().tabs.get(&tab).map(|tab| tab.told_hits).unwrap_or_default()
}

/// The input met its target, and its document is gone: that is all that can be known.
fn met() -> DispatchOutcome {
    DispatchOutcome::Done(DispatchEvidence {
        value: None,
        value_matches: None,
        selected: Vec::new(),
        default_prevented: false,
    })
}
