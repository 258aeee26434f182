//! A first-in-first-out lane: one call at a time, in the order in which they came.

use alloc::{collections::VecDeque, rc::Rc};
use core::cell::{Cell, RefCell};
use core::future::Future;
use core::pin::Pin;
use core::task::{Context, Poll, Waker};

/// A lane. Calls on the control path (tab lists, closing) never enter one.
#[derive(Debug, Clone, Default)]
pub struct Lane {
    state: Rc<State>,
}

#[derive(Debug, Default)]
struct State {
    next_ticket: Cell<u64>,
    now_serving: Cell<u64>,
    /// Tickets given up while waiting, and the wakers of those that wait.
    waiting: RefCell<VecDeque<(u64, Option<Waker>)>>,
}

/// The right to run, until dropped.
#[derive(Debug)]
pub struct Turn {
    state: Rc<State>,
}

impl Lane {
    /// Waits for its turn.
    pub fn enter(&self) -> impl Future<Output = Turn> + use<> {
        let ticket = self.state.next_ticket.get();
        self.state.next_ticket.set(ticket + 1);
        self.state.waiting.borrow_mut().push_back((ticket, None));
        Enter { state: Rc::clone(&self.state), ticket, entered: false }
    }
}

struct Enter {
    state: Rc<State>,
    ticket: u64,
    entered: bool,
}

impl Future for Enter {
    type Output = Turn;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Turn> {
        let ticket = self.ticket;
        if self.state.now_serving.get() == ticket {
            self.entered = true;
            self.state.waiting.borrow_mut().retain(|(waiting, _)| *waiting != ticket);
            return Poll::Ready(Turn { state: Rc::clone(&self.state) });
        }
        let mut waiting = self.state.waiting.borrow_mut();
        if let Some(place) = waiting.iter_mut().find(|(waiting, _)| *waiting == ticket) {
            place.1 = Some(context.waker().clone());
        }
        Poll::Pending
    }
}

impl Drop for Enter {
    fn drop(&mut self) {
        if self.entered {
            return;
        }
        // A call that was given up while it waited is passed over.
        let ticket = self.ticket;
        self.state.waiting.borrow_mut().retain(|(waiting, _)| *waiting != ticket);
        if self.state.now_serving.get() == ticket {
            self.state.pass_on();
        }
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        self.state.pass_on();
    }
}

impl State {
    fn pass_on(&self) {
        let mut waiting = self.waiting.borrow_mut();
        let next = waiting.front_mut();
        match next {
            Some((ticket, waker)) => {
                self.now_serving.set(*ticket);
                if let Some(waker) = waker.take() {
                    waker.wake();
                }
            }
            None => self.now_serving.set(self.next_ticket.get()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::boxed::Box;

    fn poll<F: Future + Unpin>(future: &mut F) -> Option<F::Output> {
        match Pin::new(future).poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(value) => Some(value),
            Poll::Pending => None,
        }
    }

    #[test]
    fn calls_run_one_at_a_time_in_their_order() {
        let lane = Lane::default();
        let (mut a, mut b, mut c) =
            (Box::pin(lane.enter()), Box::pin(lane.enter()), Box::pin(lane.enter()));
        assert!(poll(&mut b).is_none());
        let turn = poll(&mut a).unwrap();
        assert!(poll(&mut b).is_none());
        drop(turn);
        assert!(poll(&mut c).is_none());
        let turn = poll(&mut b).unwrap();
        drop(turn);
        assert!(poll(&mut c).is_some());
    }

    #[test]
    fn a_call_that_is_given_up_is_passed_over() {
        let lane = Lane::default();
        let (mut a, b, mut c) =
            (Box::pin(lane.enter()), Box::pin(lane.enter()), Box::pin(lane.enter()));
        let turn = poll(&mut a).unwrap();
        drop(b);
        drop(turn);
        let turn = poll(&mut c).unwrap();
        drop(turn);
        drop(lane.enter());
        assert!(poll(&mut Box::pin(lane.enter())).is_some());
    }
}
