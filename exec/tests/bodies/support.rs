//! A door that writes down what it is asked and answers from a table, and an executor on virtual time.

use backlot_core::locate::Patterns;
use backlot_core::port::Millis;
use backlot_core::surface::toolkit::{CallError, CodeEnd, CodeRunner, PageCall, PageDoor};
use backlot_exec::Runner;
use serde_json::{Value, json};
use std::cell::{Cell, RefCell};
use std::future::{Future, poll_fn};
use std::pin::pin;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

/// What the door and the test both see.
#[derive(Default)]
pub(crate) struct Stage {
    pub(crate) calls: RefCell<Vec<Value>>,
    pub(crate) now: Cell<u64>,
    pub(crate) pages: RefCell<Vec<String>>,
    /// The next moments that something waits for.
    alarms: RefCell<Vec<u64>>,
}

/// Answers a call, or fails it with a code and a message.
pub(crate) type Answer =
    fn(&PageCall, &dyn Patterns) -> Option<Result<Value, (&'static str, String)>>;

pub(crate) struct Door {
    stage: Rc<Stage>,
    answer: Answer,
}

impl PageDoor for Door {
    async fn call(&self, call: PageCall, patterns: &dyn Patterns) -> Result<Value, CallError> {
        self.stage.calls.borrow_mut().push(serde_json::to_value(&call).unwrap());
        if let PageCall::Sleep { ms } = call {
            self.sleep_until(self.now().plus(ms)).await;
            return Ok(Value::Null);
        }
        match (self.answer)(&call, patterns) {
            Some(Ok(value)) => Ok(value),
            Some(Err((code, message))) => {
                Err(CallError { code: code.to_owned(), message, is_timeout: code == "timeout" })
            }
            None => poll_fn(|_| Poll::Pending).await,
        }
    }

    fn page(&self) -> &str {
        "page-1"
    }

    fn pages(&self) -> Vec<String> {
        self.stage.pages.borrow().clone()
    }

    fn url(&self, page: &str) -> String {
        format!("https://example.test/{page}?a=1")
    }

    fn viewport(&self, page: &str) -> Option<(u32, u32)> {
        (page == "page-1").then_some((1280, 720))
    }

    fn version(&self) -> String {
        "156.0".to_owned()
    }

    fn now(&self) -> Millis {
        Millis(self.stage.now.get())
    }

    async fn sleep_until(&self, moment: Millis) {
        poll_fn(|_| {
            if self.stage.now.get() >= moment.0 {
                return Poll::Ready(());
            }
            self.stage.alarms.borrow_mut().push(moment.0);
            Poll::Pending
        })
        .await;
    }
}

/// Null for all.
pub(crate) fn nothing(
    _: &PageCall,
    _: &dyn Patterns,
) -> Option<Result<Value, (&'static str, String)>> {
    Some(Ok(Value::Null))
}

/// A run's end and what was asked.
pub(crate) struct Ran {
    pub(crate) end: CodeEnd,
    pub(crate) calls: Vec<Value>,
    /// Virtual milliseconds.
    pub(crate) took: u64,
}

/// Runs on virtual time: whenever nothing can go on, the clock jumps to the next alarm.
pub(crate) fn run_with(runner: Runner, code: &str, answer: Answer) -> Ran {
    let stage = Rc::new(Stage::default());
    stage.pages.borrow_mut().extend(["page-1".to_owned(), "page-2".to_owned()]);
    let door = Door { stage: Rc::clone(&stage), answer };
    let mut running = pin!(runner.run(door, code, Millis(30_000)));
    let mut task = Context::from_waker(Waker::noop());
    let end = loop {
        stage.alarms.borrow_mut().clear();
        if let Poll::Ready(end) = running.as_mut().poll(&mut task) {
            break end;
        }
        let next = stage.alarms.borrow().iter().min().copied();
        stage.now.set(next.expect("something is waited for without an alarm"));
    };
    Ran { end, calls: stage.calls.take(), took: stage.now.get() }
}

pub(crate) fn run(code: &str) -> Ran {
    run_with(Runner::default(), code, nothing)
}

/// What a body returned; it must not fail.
pub(crate) fn returned(code: &str) -> Option<Value> {
    run(code).end.result.unwrap_or_else(|error| panic!("{code}: {error}"))
}

/// What a body threw; it must fail.
pub(crate) fn thrown(code: &str) -> String {
    match run(code).end.result {
        Err(error) => error,
        Ok(value) => panic!("{code}: returned {value:?}"),
    }
}

/// The calls of a body that must not fail.
pub(crate) fn calls(code: &str) -> Vec<Value> {
    let ran = run(code);
    if let Err(error) = &ran.end.result {
        panic!("{code}: {error}");
    }
    ran.calls
}

/// A call's `locator`.
pub(crate) fn steps(code: &str) -> Value {
    let calls = calls(&format!("await {code}.count();"));
    assert_eq!(calls.len(), 1, "{code}");
    assert_eq!(calls[0]["query"], json!({"kind": "count"}));
    calls[0]["locator"].clone()
}
