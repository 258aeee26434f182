//! A port that outlives browsers: the engine keeps policy and grants while browsers come and go behind it.

use crate::port::{DriverError, Millis, Op, Port, Reply};
use alloc::rc::Rc;
use core::cell::RefCell;

/// The port of the browser that runs, if one does.
#[derive(Debug)]
pub struct Slot<P> {
    port: RefCell<Option<Rc<P>>>,
}

impl<P> Slot<P> {
    pub(super) fn empty() -> Self {
        Self { port: RefCell::new(None) }
    }

    pub(super) fn fill(&self, port: P) {
        *self.port.borrow_mut() = Some(Rc::new(port));
    }

    pub(super) fn clear(&self) {
        *self.port.borrow_mut() = None;
    }

    pub(super) fn is_empty(&self) -> bool {
        self.port.borrow().is_none()
    }
}

impl<P: Port> Port for Slot<P> {
    async fn call(&self, op: Op, deadline: Millis) -> Result<Reply, DriverError> {
        let port = self.port.borrow().clone();
        match port {
            Some(port) => port.call(op, deadline).await,
            None => Err(DriverError::ConnectionClosed),
        }
    }
}
