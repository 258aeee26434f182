//! One write, from a ref to a report: look up, judge, resolve, make ready, permit, dispatch, settle, verify.

use super::actionability::Ready;
use super::engine::{Engine, wrong_reply};
use super::failure::{Effect, Failure, NotActionable, Phase, Retry};
use super::intent::Intent;
use super::limits;
use super::report::Parts;
use super::resolve::{Found, remembered_identity};
use super::verify::Wrote;
use crate::gatekeeper::Clearance;
use crate::page::TabId;
use crate::port::{
    Dispatch, DispatchEvidence, DispatchOutcome, Guard, Host, InputPlan, Millis, NotSent, Op, Port,
    Reply,
};
use crate::tool::Descriptor;
use alloc::format;

/// A write on an element.
#[derive(Debug)]
pub(crate) struct Act<'a> {
    pub(crate) tool: &'a Descriptor,
    pub(crate) tab: TabId,
    pub(crate) elem_ref: &'a str,
    pub(crate) intent: Intent,
}

impl<P: Port, H: Host> Engine<P, H> {
    /// Carries the write out and reports.
    pub(crate) async fn act(&self, act: &Act<'_>, deadline: Millis) -> Result<Parts, Failure> {
        let tab = act.tab;
        let entry = self.look_up(tab, act.elem_ref)?;
        let asked_at = self.now();
        let clearance = self.clear(act.tool, remembered_identity(tab, &entry), None).await?;
        // Waiting for a person does not eat the call's time.
        let deadline = deadline.plus(self.now().0 - asked_at.0);
        let found = self.find(tab, &entry, deadline).await?;
        let (plan, need) = act.intent.plan(&found.capture, &found.resolved)?;
        let ready = self.make_ready(tab, found.resolved.key, need, deadline).await?;
        let drained = self.events(deadline).await;
        let since = drained.map_err(|error| Failure::driver(Phase::Precheck, &error))?;
        let evidence = self.dispatch(act, &found, ready, plan.clone(), clearance, deadline).await?;
        let wrote = Wrote { key: found.resolved.key, plan, evidence, since };
        self.report_write(act, &found, &wrote, deadline).await
    }

    async fn dispatch(
        &self,
        act: &Act<'_>,
        found: &Found,
        ready: Ready,
        plan: InputPlan,
        clearance: Clearance,
        deadline: Millis,
    ) -> Result<DispatchEvidence, Failure> {
        let guard = Guard {
            node: found.resolved.key,
            chain: found.resolved.chain.clone(),
            mark: found
                .capture
                .mark
                .clone()
                .ok_or_else(|| Failure::stale(crate::refs::StaleReason::Removed))?,
            context: found.resolved.context,
            rect: ready.probe.rect,
            tolerance_px: limits::STABLE_TOLERANCE_PX,
            points: ready.points,
        };
        let permit = self.permit(clearance, &found.identity())?;
        let op = Op::Dispatch(Dispatch { tab: act.tab, plan, guard, permit });
        match self.port().call(op, deadline).await {
            Ok(Reply::Dispatched(DispatchOutcome::Done(evidence))) => Ok(evidence),
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
                    Retry::Never,
                    "the page cancelled the input; nothing was entered",
                );
            }
            NotSent::Failed(error) => return Failure::driver(Phase::Dispatch, error),
        };
        Failure { phase: Phase::Dispatch, ..failure }
    }
}

fn unknown(error: &crate::port::DriverError) -> Failure {
    let failure = Failure::driver(Phase::Dispatch, error);
    let message = format!(
        "the input was sent and no answer came ({}); it may have taken effect: read the page before anything else",
        error.code()
    );
    Failure { message, retry: Retry::Never, effect: Effect::Unknown, ..failure }
}
