//! Virtual time and the executor on it.

use super::State;
use std::cell::RefCell;
use std::future::Future;
use std::pin::{Pin, pin};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, Wake, Waker};

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

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        let mut state = self.state.borrow_mut();
        if state.now >= self.until {
            return Poll::Ready(());
        }
        state.wake_ups.entry(self.until).or_default().push(context.waker().clone());
        Poll::Pending
    }
}

/// Tells that the future was woken while it ran: other executors may run inside it.
#[derive(Default)]
struct Woken(AtomicBool);

impl Wake for Woken {
    fn wake(self: Arc<Self>) {
        self.0.store(true, Ordering::Relaxed);
    }
}

pub(super) fn block_on<F: Future>(state: &Rc<RefCell<State>>, future: F) -> F::Output {
    let mut future = pin!(future);
    let woken = Arc::new(Woken::default());
    let waker = Waker::from(Arc::clone(&woken));
    let mut context = Context::from_waker(&waker);
    loop {
        if let Poll::Ready(output) = future.as_mut().poll(&mut context) {
            return output;
        }
        if woken.0.swap(false, Ordering::Relaxed) {
            continue;
        }
        // Whoever is woken may look at the world.
        wake_next(state).into_iter().for_each(Waker::wake);
    }
}

/// Time jumps to the next wake-up.
fn wake_next(state: &RefCell<State>) -> Vec<Waker> {
    let mut state = state.borrow_mut();
    let Some((next, wakers)) = state.wake_ups.pop_first() else {
        panic!("the future waits, and nothing in the simulated world can wake it");
    };
    state.now = state.now.max(next);
    wakers
}
