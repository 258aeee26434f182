//! One write, from a ref to a report: look up, judge, resolve, make ready, permit, dispatch, settle, verify.

use super::actionability::Need;
use super::engine::{Engine, wrong_reply};
use super::failure::{Effect, Failure, NotActionable, Phase, Retry};
use super::intent::Intent;
use super::limits;
use super::report::Parts;
use super::resolve::{Found, remembered_identity};
use super::verify::Wrote;
use crate::gatekeeper::Clearance;
use crate::page::TabId;
use crate::planted::{self, Bug};
use crate::port::{
    Dispatch, DispatchEvidence, DispatchOutcome, Guard, Host, InputPlan, Millis, NotSent, Op,
    Point, Port, Probe, Reply,
};
use crate::refs::RefEntry;
use crate::tool::Descriptor;
use alloc::{boxed::Box, format, vec::Vec};

/// A write on an element.
#[derive(Debug)]
pub(crate) struct Act<'a> {
    pub(crate) tool: &'a Descriptor,
    pub(crate) tab: TabId,
    pub(crate) aim: Aim<'a>,
    /// A point of the top viewport instead of the target's middle; nothing is scrolled or waited for then.
    pub(crate) point: Option<Point>,
    pub(crate) intent: Intent,
}

/// How the target of a write is said.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Aim<'a> {
    /// A ref of the tab's newest snapshot.
    Ref(&'a str),
    /// An entry that a surface keeps by itself, with those that were given together with it.
    Entry { entry: &'a RefEntry, others: &'a [RefEntry] },
}

impl<P: Port, H: Host> Engine<P, H> {
    /// Carries the write out and reports.
    pub(crate) async fn act(&self, act: &Act<'_>, deadline: Millis) -> Result<Parts, Failure> {
        let performed = match self.perform(act, deadline).await {
            Err(lost) if lost.effect == Effect::Unknown && planted::is(Bug::UnknownRetried) => {
                self.perform(act, deadline).await
            }
            performed => performed,
        };
        let (found, wrote) = performed?;
        self.report_write(act, &found, &wrote, deadline).await
    }

    /// Carries the write out, up to what the page showed in the task of it. Who calls settles, verifies and reports.
    pub(crate) async fn perform(
        &self,
        act: &Act<'_>,
        deadline: Millis,
    ) -> Result<(Found, Wrote), Failure> {
        let tab = act.tab;
        let (entry, others) = match act.aim {
            Aim::Ref(elem_ref) => self.look_up(tab, elem_ref)?,
            Aim::Entry { entry, others } => (entry.clone(), others.to_vec()),
        };
        let asked_at = self.now();
        let clearance = self.clear(act.tool, remembered_identity(tab, &entry), None).await?;
        // Waiting for a person does not eat the call's time.
        let deadline = deadline.plus(self.now().0 - asked_at.0);
        let found = self.find(tab, &entry, &others, deadline).await?;
        let (plan, need) = act.intent.plan(&found.capture, &found.resolved)?;
        let plan = match (&act.intent, plan) {
            (Intent::Drag { to, others }, _) => {
                InputPlan::Drag { to: self.aim_at(tab, to, others, deadline).await? }
            }
            (_, plan) => plan,
        };
        let guard = match act.point {
            Some(point) => self.guard_at(tab, &found, point, deadline).await?,
            None => self.guard(tab, &found, need, deadline).await?,
        };
        let drained = self.events(deadline).await;
        let since = drained.map_err(|error| Failure::driver(Phase::Precheck, &error))?;
        let evidence = self.dispatch(act, &found, guard, plan.clone(), clearance, deadline).await?;
        let wrote = Wrote { key: found.resolved.key, plan, evidence, since };
        Ok((found, wrote))
    }

    /// The guard of a drag's end. It is made ready before the start is: bringing the start into view may move it, which the
    /// guard then tells.
    async fn aim_at(
        &self,
        tab: TabId,
        entry: &RefEntry,
        others: &[RefEntry],
        deadline: Millis,
    ) -> Result<Guard, Failure> {
        let found = self.find(tab, entry, others, deadline).await?;
        self.guard(tab, &found, Need::Pointer, deadline).await
    }

    async fn guard(
        &self,
        tab: TabId,
        found: &Found,
        need: Need,
        deadline: Millis,
    ) -> Result<Guard, Failure> {
        let ready = self.make_ready(tab, found.resolved.key, need, deadline).await?;
        guard_of(found, &ready.probe, ready.points)
    }

    async fn guard_at(
        &self,
        tab: TabId,
        found: &Found,
        point: Point,
        deadline: Millis,
    ) -> Result<Guard, Failure> {
        let probe = self.probe(tab, found.resolved.key, deadline).await?;
        guard_of(found, &probe, alloc::vec![point])
    }

    async fn dispatch(
        &self,
        act: &Act<'_>,
        found: &Found,
        guard: Guard,
        plan: InputPlan,
        clearance: Clearance,
        deadline: Millis,
    ) -> Result<DispatchEvidence, Failure> {
        let permit = self.permit(clearance, &found.identity())?;
        let op = Op::Dispatch(Box::new(Dispatch { tab: act.tab, plan, guard, permit }));
        match self.port().call(op, deadline).await {
            Ok(Reply::Dispatched(DispatchOutcome::Done(evidence))) => Ok(evidence),
            Ok(Reply::Dispatched(DispatchOutcome::NotSent(_)))
                if planted::is(Bug::NotSentSaidDone) =>
            {
                Ok(DispatchEvidence::default())
            }
            Ok(Reply::Dispatched(DispatchOutcome::NotSent(why))) => Err(self.not_sent(act, &why)),
            Ok(Reply::Dispatched(DispatchOutcome::Unknown { reason })) => Err(unknown(&reason)),
            Ok(_) => Err(wrong_reply(Phase::Dispatch).with_effect(Effect::Unknown)),
            // A port answers a dispatch with an outcome; an error in its place says nothing of the effect.
            Err(error) => Err(unknown(&error)),
        }
    }

    fn not_sent(&self, act: &Act<'_>, why: &NotSent) -> Failure {
        let failure = match why {
            NotSent::Gone => Failure::not_actionable(&NotActionable::Detached),
            NotSent::Recycled => Failure::stale(crate::refs::StaleReason::Recycled),
            NotSent::Moved => Failure::not_actionable(&NotActionable::NotStable(0)),
            NotSent::Covered(hit) => self.covered(act.tab, hit),
            NotSent::NotEnabled => Failure::not_actionable(&NotActionable::Disabled),
            NotSent::Unfit => {
                Failure::not_actionable(&NotActionable::NotEditable("it does not take this input"))
            }
            NotSent::Cancelled => {
                return Failure::new(
                    "l1_not_effective",
                    Phase::Verify,
                    Retry::AfterNewSnapshot,
                    "the page cancelled the input: it may have handled the text itself or refused it; read the page to see",
                )
                .with_effect(Effect::Unknown);
            }
            NotSent::Failed(error) => return Failure::driver(Phase::Dispatch, error),
        };
        Failure { phase: Phase::Dispatch, ..failure }
    }
}

fn guard_of(found: &Found, probe: &Probe, points: Vec<Point>) -> Result<Guard, Failure> {
    let mark = found.capture.mark.clone();
    Ok(Guard {
        node: found.resolved.key,
        chain: found.resolved.chain.clone(),
        mark: mark.ok_or_else(|| Failure::stale(crate::refs::StaleReason::Removed))?,
        context: found.resolved.context,
        rect: probe.rect,
        tolerance_px: limits::STABLE_TOLERANCE_PX,
        points,
    })
}

fn unknown(error: &crate::port::DriverError) -> Failure {
    let failure = Failure::driver(Phase::Dispatch, error);
    let message = format!(
        "the input was sent and no answer came ({}); it may have taken effect: read the page before anything else",
        error.code()
    );
    let none = planted::is(Bug::UnknownSaidNone);
    let effect = if none { Effect::None } else { Effect::Unknown };
    Failure { message, retry: Retry::Never, effect, ..failure }
}
