//! Trusted input under a one-shot guard in the page.
//!
//! What was right when it was tested may be wrong when the input arrives: the guard swallows every event of the sequence that
//! would reach anything but the target, so that no listener of the page sees it.

use super::dispatch::{Written, not_sent, outcome, without_answer};
use crate::book::Held;
use crate::clock;
use crate::session::Link;
use crate::world::NoAnswer;
use backlot_core::page::TabId;
use backlot_core::port::{DispatchEvidence, DispatchOutcome, DriverError, Millis, NotSent};
use serde_json::{Value, json};
use std::cell::Cell;

/// Longest time that the guard stands unless it is renewed, ms: input that takes longer is given up as unknown.
pub(super) const GUARD_MS: u64 = 5_000;

/// Longest time that taking a guard away may take once its input has failed, ms.
const DISARM_MS: u64 = 200;

/// The document that a guard stands in: a sequence of inputs must not go on into another.
pub(super) struct Ground<'a> {
    pub(super) link: &'a Link,
    pub(super) tab: TabId,
    context: String,
    /// How often the tab had set out for another document when the guard was armed.
    departures: u64,
    /// The target is in a child frame, whose document the walker alone can tell.
    framed: bool,
    renewed: Cell<Millis>,
    end: Millis,
}

impl Ground<'_> {
    /// When the next input must have been taken.
    pub(super) fn deadline(&self) -> Millis {
        self.end.min(self.renewed.get().plus(GUARD_MS))
    }

    /// Waits out a navigation that began since, and fails unless the guard's document is still there. A guard that has stood for
    /// long is renewed.
    pub(super) async fn stands(&self) -> Result<(), DriverError> {
        let is_there = self.link.until(self.deadline(), |book| {
            let state = match book.tab(self.tab) {
                Ok(state) => state,
                Err(error) => return Some(Err(error)),
            };
            match &state.world {
                Some(world) if world.context == self.context => {}
                _ => return Some(Err(DriverError::DocumentGone)),
            }
            // What it leads to may be there before the next input.
            let is_leaving = state.leaving && state.departures != self.departures;
            (!is_leaving).then_some(Ok(()))
        });
        is_there.await.unwrap_or(Err(DriverError::Deadline))?;
        let now = clock::now();
        if !self.framed && now < self.renewed.get().plus(GUARD_MS / 2) {
            return Ok(());
        }
        let (link, deadline) = (self.link, self.deadline());
        let more = json!({ "ms": GUARD_MS });
        let answer = link.ask::<Written>(self.tab, "renew", &more, deadline).await;
        let answer = answer.map_err(NoAnswer::of_read)?;
        if answer.context != self.context || !matches!(answer.value, Written::Armed) {
            return Err(DriverError::DocumentGone);
        }
        self.renewed.set(now);
        Ok(())
    }

    /// After a failure: what was held before is held again, and the page takes a person's input again.
    async fn leave(&self, held: Held) {
        let stands = {
            let mut book = self.link.book();
            let Some(state) = book.tabs.get_mut(&self.tab) else { return };
            state.held = Held { intercepts: state.held.intercepts, ..held };
            state.world.as_ref().is_some_and(|world| world.context == self.context)
        };
        if stands {
            // Best effort: the guard ends by itself too.
            let soon = clock::now().plus(DISARM_MS);
            let _ = self.link.ask::<Written>(self.tab, "disarm", &(), soon).await;
        }
    }
}

/// Arms the guard by this function of the walker, sends, disarms and judges.
pub(super) async fn guarded(
    link: &Link,
    tab: TabId,
    (function, arming): (&str, Value),
    deadline: Millis,
    send: impl AsyncFnOnce(&Ground<'_>) -> Result<(), DriverError>,
) -> DispatchOutcome {
    let (before, departures, held) = match link.book().tab(tab) {
        Ok(state) => (state.told_hits, state.departures, state.held.clone()),
        Err(error) => return not_sent(NotSent::Failed(error)),
    };
    let renewed = Cell::new(clock::now());
    let armed = match link.ask::<Written>(tab, function, &arming, deadline).await {
        Ok(answer) => answer,
        // Arming fires nothing: whatever became of it, no event reached the page.
        Err(NoAnswer::NotRun | NoAnswer::Lost) => return not_sent(NotSent::Gone),
        Err(NoAnswer::NotSent(error) | NoAnswer::Sent(error)) => {
            return not_sent(NotSent::Failed(error));
        }
    };
    let context = armed.context;
    if !matches!(armed.value, Written::Armed) {
        return outcome(link, tab, &context, armed.value);
    }
    let framed = arming["guard"]["chain"].as_array().is_some_and(|chain| chain.len() > 1);
    let ground = Ground { link, tab, context, departures, framed, renewed, end: deadline };
    if let Err(reason) = send(&ground).await {
        ground.leave(held).await;
        // The last of the clicks is what is told; of keys it is the first.
        let told_all = arming["presses"].as_u64().is_some_and(|presses| presses > 0);
        let is_gone = matches!(reason, DriverError::TabGone | DriverError::DocumentGone);
        if told_all && is_gone && told_hits(link, tab) > before {
            return met();
        }
        return DispatchOutcome::Unknown { reason };
    }
    match link.ask::<Written>(tab, "disarm", &(), deadline).await {
        Ok(answer) if answer.context == ground.context => {
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
