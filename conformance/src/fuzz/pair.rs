//! Two futures at once, the first one polled first.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

pub(super) struct Both<A: Future, B: Future> {
    one: Pin<Box<A>>,
    two: Pin<Box<B>>,
    done: (Option<A::Output>, Option<B::Output>),
}

impl<A: Future, B: Future> Both<A, B> {
    pub(super) fn new(one: A, two: B) -> Self {
        Self { one: Box::pin(one), two: Box::pin(two), done: (None, None) }
    }
}

impl<A: Future, B: Future> Unpin for Both<A, B> {}

impl<A: Future, B: Future> Future for Both<A, B> {
    type Output = (A::Output, B::Output);

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let this = &mut *self;
        if this.done.0.is_none()
            && let Poll::Ready(done) = this.one.as_mut().poll(context)
        {
            this.done.0 = Some(done);
        }
        if this.done.1.is_none()
            && let Poll::Ready(done) = this.two.as_mut().poll(context)
        {
            this.done.1 = Some(done);
        }
        match (this.done.0.take(), this.done.1.take()) {
            (Some(one), Some(two)) => Poll::Ready((one, two)),
            done => {
                this.done = done;
                Poll::Pending
            }
        }
    }
}
