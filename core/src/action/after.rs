//! After a write: rest, what happened meanwhile, the page as it is now.

use super::act::Act;
use super::engine::Engine;
use super::failure::{Effect, Failure, Phase};
use super::limits;
use super::report::{self, Parts};
use super::resolve::Found;
use super::verify::{Outcome, Wrote, still_holds, verify};
use crate::page::{CaptureSpec, TabId};
use crate::planted::{self, Bug};
use crate::port::{
    EventBatch, EventKind, Host, InputPlan, Millis, Op, Port, Reply, Seq, SettleSpec,
};
use crate::text::quoted;
use alloc::{format, string::String, vec::Vec};

/// How a write ended, for a caller that reports by itself.
#[derive(Debug)]
pub(crate) struct Concluded {
    /// How sure the effect is.
    pub(crate) outcome: Outcome,
    /// The page came to rest.
    pub(crate) quiet: bool,
    /// What happened since the write.
    pub(crate) events: EventBatch,
}

impl<P: Port, H: Host> Engine<P, H> {
    /// Judges a write by what the page showed in its task, waits for rest, and judges again what can be judged then.
    pub(crate) async fn conclude(
        &self,
        tab: TabId,
        wrote: &Wrote,
        deadline: Millis,
    ) -> Result<Concluded, Failure> {
        let outcome = verify(wrote)?;
        // The write is done: from here on every failure says so.
        let done = |failure: Failure| failure.with_effect(Effect::Done);
        let (quiet, events) = self.settle(tab, wrote.since, deadline).await.map_err(done)?;
        if matches!(wrote.plan, InputPlan::Type { .. } | InputPlan::Select { .. }) {
            let capture = self.capture(tab, CaptureSpec::TEXT, deadline).await;
            // A page that cannot be read now says nothing against the write.
            if let Ok(capture) = capture {
                still_holds(wrote, &capture)?;
            }
        }
        Ok(Concluded { outcome, quiet, events })
    }

    pub(super) async fn report_write(
        &self,
        act: &Act<'_>,
        found: &Found,
        wrote: &Wrote,
        deadline: Millis,
    ) -> Result<Parts, Failure> {
        let outcome = verify(wrote)?;
        // The write is done: from here on every failure says so.
        let parts = self
            .after(act.tab, wrote.since, Some(wrote), deadline)
            .await
            .map_err(|failure| failure.with_effect(Effect::Done))?;
        let mut page = target_line(act, found);
        if let Some(was) = &found.resolved.renamed_from {
            page.push_str(&format!(
                "\nnote: the target is now named {} (was {})",
                quoted(&found.resolved.likeness.name, 200),
                quoted(was, 200)
            ));
        }
        let mut said = alloc::vec![format!("effect: {}", outcome.word())];
        said.extend(parts.said);
        page.push('\n');
        page.push_str(&parts.page);
        Ok(Parts { said, page, ..parts })
    }

    /// Waits for rest and reads the page: the changes if the document is the same, else all of it.
    /// Fails if what was written does not hold any more.
    pub(crate) async fn after(
        &self,
        tab: TabId,
        since: Seq,
        wrote: Option<&Wrote>,
        deadline: Millis,
    ) -> Result<Parts, Failure> {
        let (mut quiet, batch) = self.settle(tab, since, deadline).await?;
        let opened = opened_by(&batch, tab);
        if let Some(child) = opened {
            // It is what is shown, so it is what has to be there.
            quiet = self.settle(child, since, deadline).await?.0;
        }
        let mut said: Vec<String> = Vec::new();
        if !quiet {
            said.push("note: the page had not come to rest; it may still be changing".into());
        }
        if batch.lost > 0 {
            said.push(format!("note: events_lost: {} events were dropped", batch.lost));
        }
        let shown = match opened {
            Some(child) => {
                let moved = self.move_default(tab, child);
                let route =
                    if moved { "it is the default tab now" } else { "the default tab stays" };
                said.push(format!(
                    "tab_created: [tabId={}], {route}; the tab it came from is unchanged",
                    child.0
                ));
                child
            }
            None => tab,
        };
        let parts = self.show_after(shown, wrote.filter(|_| shown == tab), deadline).await?;
        said.extend(parts.said);
        Ok(Parts { said, ..parts })
    }

    /// Waits for rest: whether it came, and what happened since the cursor.
    pub(crate) async fn settle(
        &self,
        tab: TabId,
        since: Seq,
        deadline: Millis,
    ) -> Result<(bool, EventBatch), Failure> {
        if planted::is(Bug::RestNotAwaited) {
            let since = Op::Events { since };
            return match self.ask(since, deadline, Phase::Settle).await? {
                Reply::Events(batch) => Ok((true, batch)),
                _ => Err(super::engine::wrong_reply(Phase::Settle)),
            };
        }
        let spec = SettleSpec {
            since,
            min_ms: limits::SETTLE_MIN_MS,
            quiet_ms: limits::SETTLE_QUIET_MS,
            cap_ms: if self.is_restless(tab) {
                limits::SETTLE_RESTLESS_CAP_MS
            } else {
                limits::SETTLE_CAP_MS
            },
            load_ms: limits::SETTLE_LOAD_MS,
        };
        let rest_by = Millis(deadline.0.saturating_sub(limits::AFTER_REST_MS)).max(self.now());
        match self.ask(Op::Settle { tab, spec }, rest_by, Phase::Settle).await? {
            Reply::Settled(settled) => {
                self.note_events(&settled.events);
                self.note_rest(tab, settled.quiet);
                Ok((settled.quiet, settled.events))
            }
            _ => Err(super::engine::wrong_reply(Phase::Settle)),
        }
    }

    async fn show_after(
        &self,
        tab: TabId,
        wrote: Option<&Wrote>,
        deadline: Millis,
    ) -> Result<Parts, Failure> {
        let seen = self.look(tab, limits::AFTER_TOKENS, deadline).await;
        let seen = seen.map_err(|error| Failure::driver(Phase::Verify, &error))?;
        let url = seen.snapshot.url.clone();
        let held = wrote.map_or(Ok(()), |wrote| still_holds(wrote, &seen.capture));
        let before = self.publish(seen);
        let page = match before {
            None => self.text_of(tab, limits::AFTER_TOKENS),
            Some(before) => {
                let state = self.state.borrow();
                state
                    .tabs
                    .get(&tab)
                    .map_or_else(String::new, |tab| report::changes_text(tab, &before))
            }
        };
        match held {
            Ok(()) => Ok(Parts { page, url, ..Parts::default() }),
            Err(failure) => Err(failure.with_detail(page)),
        }
    }
}

fn opened_by(batch: &EventBatch, tab: TabId) -> Option<TabId> {
    batch.events.iter().rev().find_map(|event| match event.kind {
        EventKind::TabCreated { opener: Some(opener) } if opener == tab => Some(event.tab),
        _ => None,
    })
}

fn target_line(act: &Act<'_>, found: &Found) -> String {
    let done = act.intent.done();
    let likeness = &found.resolved.likeness;
    match likeness.name.as_str() {
        "" => format!("{done} {}", likeness.role),
        name => format!("{done} {} {}", likeness.role, quoted(name, 200)),
    }
}
