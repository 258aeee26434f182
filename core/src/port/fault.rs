//! A port that fails where it is told to: between any two ops, deterministically.

use super::reply::DispatchOutcome;
use super::{DialogKind, DriverError, Millis, NotSent, Op, Port, Reply};
use core::cell::{Cell, RefCell};
use serde::{Deserialize, Serialize};

/// What goes wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Fault {
    /// A dialog opens and interrupts the op.
    Dialog,
    /// The tab's renderer crashes before the op.
    Crash,
    /// The driver is detached from the tab before the op.
    Detach,
    /// The connection ends before the op, for good.
    SocketClosed,
    /// The op is carried out and its answer comes after the deadline.
    LateReply,
}

impl Fault {
    /// All of them.
    pub const ALL: [Self; 5] =
        [Self::Dialog, Self::Crash, Self::Detach, Self::SocketClosed, Self::LateReply];
}

/// Which fault at which op, counted from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FaultPlan {
    /// The op's number.
    pub at_op: u32,
    /// What goes wrong there.
    pub fault: Fault,
}

/// Wraps a port and makes one op fail.
#[derive(Debug)]
pub struct Faulty<P> {
    inner: P,
    plan: RefCell<Option<FaultPlan>>,
    count: Cell<u32>,
    closed: Cell<bool>,
}

impl<P> Faulty<P> {
    /// Wraps a port; without a plan it only counts.
    pub fn new(inner: P, plan: Option<FaultPlan>) -> Self {
        Self { inner, plan: RefCell::new(plan), count: Cell::new(0), closed: Cell::new(false) }
    }

    /// Starts counting again, with another plan. A closed connection is open again.
    pub fn rearm(&self, plan: Option<FaultPlan>) {
        *self.plan.borrow_mut() = plan;
        self.count.set(0);
        self.closed.set(false);
    }

    /// Ops since the start or the last [`Self::rearm`].
    pub fn count(&self) -> u32 {
        self.count.get()
    }

    /// The wrapped port.
    pub fn inner(&self) -> &P {
        &self.inner
    }
}

impl<P: Port> Port for Faulty<P> {
    async fn call(&self, op: Op, deadline: Millis) -> Result<Reply, DriverError> {
        if self.closed.get() {
            return Err(DriverError::ConnectionClosed);
        }
        let at = self.count.get();
        self.count.set(at + 1);
        let due = self.plan.borrow_mut().take_if(|plan| plan.at_op == at);
        let Some(plan) = due else { return self.inner.call(op, deadline).await };
        let is_dispatch = matches!(op, Op::Dispatch(_));
        let error = match plan.fault {
            Fault::Dialog => DriverError::DialogOpened { kind: DialogKind::Alert },
            Fault::Crash => DriverError::TabCrashed,
            Fault::Detach => DriverError::Detached,
            Fault::SocketClosed => {
                self.closed.set(true);
                DriverError::ConnectionClosed
            }
            Fault::LateReply => {
                // The op happens; its answer is lost. What a write did then is unknown, whatever the driver said.
                let _lost = self.inner.call(op, deadline).await;
                if is_dispatch {
                    let reason = DriverError::Deadline;
                    return Ok(Reply::Dispatched(DispatchOutcome::Unknown { reason }));
                }
                return Err(DriverError::Deadline);
            }
        };
        if is_dispatch {
            return Ok(Reply::Dispatched(DispatchOutcome::NotSent(NotSent::Failed(error))));
        }
        Err(error)
    }
}
