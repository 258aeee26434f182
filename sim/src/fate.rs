//! What can become of an op and its reply on their way: part of the faults that fall between any two ops.

use crate::port::SimPort;
use backlot_core::port::{DispatchOutcome, DriverError, Host, Millis, NotSent, Op, Reply};

/// What becomes of one op.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Fate {
    /// It is carried out and answered.
    #[default]
    Carried,
    /// It is carried out and its reply is lost: what a write did then is unknown.
    Lost,
    /// It is carried out and its reply comes so many milliseconds later; who waits for it gives it up at the deadline.
    Delayed(u64),
    /// The driver is detached from the tab before it.
    Detached,
}

impl SimPort {
    /// As its `call`, with this fate.
    ///
    /// # Errors
    /// As of `call`.
    pub async fn call_as(
        &self,
        op: Op,
        deadline: Millis,
        fate: Fate,
    ) -> Result<Reply, DriverError> {
        let is_write = matches!(op, Op::Dispatch(_));
        let unanswered = || {
            let reason = DriverError::Deadline;
            match is_write {
                true => Ok(Reply::Dispatched(DispatchOutcome::Unknown { reason })),
                false => Err(reason),
            }
        };
        match fate {
            Fate::Carried => self.carry_out(op, deadline).await,
            Fate::Lost => {
                let _lost = self.carry_out(op, deadline).await;
                unanswered()
            }
            Fate::Delayed(ms) => {
                let answer = self.carry_out(op, deadline).await;
                let host = self.world().host();
                let there = host.now().plus(ms);
                host.sleep_until(there.min(deadline)).await;
                if there > deadline { unanswered() } else { answer }
            }
            Fate::Detached if is_write => {
                let why = NotSent::Failed(DriverError::Detached);
                Ok(Reply::Dispatched(DispatchOutcome::NotSent(why)))
            }
            Fate::Detached => Err(DriverError::Detached),
        }
    }
}
