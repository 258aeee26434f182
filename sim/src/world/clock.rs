//! Virtual time and the executor on it.

use super::State;
use std::cell::RefCell;
use std::future::Future;
use std::pin::{Pin, pin};
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

/// Ends at a moment of virtual time.
pub(crate) struct Sleep {
    state: Rc<RefCell<State>>,
    until: u64,
}

impl Sleep {
    pub(crate) fn new(state: &Rc<RefCell<State>>, until: u64) -> Self {
        Self { state: Rc::clone(state), until }
    }
}

impl Future for Sleep {
    type Output = ();

    fn poll(self: Pin<&mut Self>, _context: &mut Context<'_>) -> Poll<()> {
        let mut state = self.state.borrow_mut();
        if state.now >= self.until {
            return Poll::Ready(());
        }
        state.wake_ups.insert(self.until);
        Poll::Pending
    }
}

pub(super) fn block_on<F: Future>(state: &Rc<RefCell<State>>, future: F) -> F::Output {
    let mut future = pin!(future);
    let mut context = Context::from_waker(Waker::noop());
    loop {
        if let Poll::Ready(output) = future.as_mut().poll(&mut context) {
            return output;
        }
        let mut state = state.borrow_mut();
        let Some(next) = state.wake_ups.pop_first() else {
            panic!("the future waits, and nothing in the simulated world can wake it");
        };
        state.now = state.now.max(next);
    }
}
