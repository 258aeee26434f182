//! What the prelude calls: the one object of Rust functions that it is given, and the state behind them.

use crate::Limits;
use crate::output::Output;
use backlot_core::port::{Millis, Stroke};
use backlot_core::surface::toolkit::{PageCall, PageDoor};
use rquickjs::function::Func;
use rquickjs::{Ctx, Exception, Object};
use serde_json::{Value, json};
use std::cell::{Cell, RefCell};
use std::collections::{BTreeSet, VecDeque};
use std::rc::Rc;

/// A run's state that both sides see.
pub(crate) struct Host<D> {
    pub(crate) door: D,
    pub(crate) limits: Limits,
    pub(crate) deadline: Millis,
    /// Asked and not yet begun.
    pub(crate) calls: RefCell<VecDeque<(u32, PageCall)>>,
    /// Moments and the timers due then.
    pub(crate) timers: RefCell<BTreeSet<(Millis, u32)>>,
    pub(crate) stdout: RefCell<Output>,
    pub(crate) stderr: RefCell<Output>,
    pub(crate) end: RefCell<Option<End>>,
    pub(crate) budget: Budget,
    /// Calls under way.
    pub(crate) under_way: Cell<usize>,
    last: Cell<u32>,
    asked: Cell<u32>,
}

/// How the body's promise was settled.
pub(crate) enum End {
    /// It returned this JSON text; `None` is `undefined`.
    Json(Option<String>),
    /// It returned what has no form in JSON.
    Text(String),
    Thrown(String),
}

/// Steps left, and which limit was met.
pub(crate) struct Budget {
    steps: Cell<u64>,
    /// Work inside the engine that is not yet a whole step.
    units: Cell<u64>,
    over: Cell<Option<Over>>,
}

/// A limit that ends a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Over {
    Steps,
    Reactions,
    Deadline,
}

/// Units of one step: what QuickJS counts between two calls of its interrupt handler.
const STEP: u64 = 10_000;

impl Budget {
    pub(crate) fn new(steps: u64) -> Self {
        Self { steps: Cell::new(steps), units: Cell::new(0), over: Cell::new(None) }
    }

    /// One step is done; whether to stop.
    pub(crate) fn step(&self) -> bool {
        match self.steps.get().checked_sub(1) {
            Some(left) => self.steps.set(left),
            None => self.stop(Over::Steps),
        }
        self.over.get().is_some()
    }

    /// Work of so many units is about to be done; whether to stop instead.
    fn charge(&self, units: u64) -> bool {
        let units = self.units.get().saturating_add(units);
        self.units.set(units % STEP);
        match self.steps.get().checked_sub(units / STEP) {
            Some(left) => self.steps.set(left),
            None => self.stop(Over::Steps),
        }
        self.over.get().is_some()
    }

    pub(crate) fn stop(&self, over: Over) {
        if self.over.get().is_none() {
            self.over.set(Some(over));
        }
    }

    pub(crate) fn over(&self) -> Option<Over> {
        self.over.get()
    }
}

impl<D: PageDoor + 'static> Host<D> {
    pub(crate) fn new(door: D, limits: Limits, deadline: Millis) -> Self {
        Self {
            door,
            limits,
            deadline,
            calls: RefCell::default(),
            timers: RefCell::default(),
            stdout: RefCell::new(Output::new(limits.output)),
            stderr: RefCell::new(Output::new(limits.output)),
            end: RefCell::default(),
            budget: Budget::new(limits.steps),
            under_way: Cell::new(0),
            last: Cell::new(0),
            asked: Cell::new(0),
        }
    }

    fn next_id(&self) -> u32 {
        self.last.set(self.last.get() + 1);
        self.last.get()
    }

    fn check_waiting(&self) -> Result<(), String> {
        let waiting = self.calls.borrow().len() + self.under_way.get() + self.timers.borrow().len();
        if waiting >= self.limits.waiting {
            return Err(format!(
                "more than {} calls and timers at one time; await some of them first",
                self.limits.waiting
            ));
        }
        Ok(())
    }

    fn ask(&self, text: &str) -> Result<u32, String> {
        self.check_waiting()?;
        if self.asked.get() >= self.limits.calls {
            return Err(format!(
                "more than {} calls in one run; split the code into several runs",
                self.limits.calls
            ));
        }
        self.asked.set(self.asked.get() + 1);
        let value: Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
        // `null` is an argument, and its absence another.
        let is_null = value.get("argument").is_some_and(Value::is_null);
        let mut call: PageCall =
            serde_json::from_value(value).map_err(|error| error.to_string())?;
        if let PageCall::Evaluate { argument, .. } = &mut call
            && is_null
        {
            *argument = Some(Value::Null);
        }
        let id = self.next_id();
        self.calls.borrow_mut().push_back((id, call));
        Ok(id)
    }

    fn start_timer(&self, ms: f64) -> Result<u32, String> {
        self.check_waiting()?;
        // The cast saturates; a timer of 0 ms waits 1 ms, so that no chain of them stands still in time.
        let moment = self.door.now().plus((ms as u64).max(1));
        let id = self.next_id();
        self.timers.borrow_mut().insert((moment, id));
        Ok(id)
    }

    fn log(&self, to_stderr: bool, line: &str) {
        let stream = if to_stderr { &self.stderr } else { &self.stdout };
        stream.borrow_mut().line(line);
    }

    fn finish(&self, kind: &str, text: String) {
        let end = match kind {
            "json" => End::Json(Some(text)),
            "nothing" => End::Json(None),
            "text" => End::Text(text),
            _ => End::Thrown(text),
        };
        self.end.borrow_mut().get_or_insert(end);
    }

    /// The functions that the prelude calls.
    pub(crate) fn object<'js>(self: &Rc<Self>, ctx: &Ctx<'js>) -> rquickjs::Result<Object<'js>> {
        let object = Object::new(ctx.clone())?;
        let host = Rc::clone(self);
        let ask = move |ctx: Ctx<'js>, text: String| thrown(&ctx, host.ask(&text));
        object.set("call", Func::from(ask))?;
        let host = Rc::clone(self);
        let start = move |ctx: Ctx<'js>, ms: f64| thrown(&ctx, host.start_timer(ms));
        object.set("startTimer", Func::from(start))?;
        let host = Rc::clone(self);
        let stop = move |id: u32| host.timers.borrow_mut().retain(|(_, timer)| *timer != id);
        object.set("stopTimer", Func::from(stop))?;
        let host = Rc::clone(self);
        let log = move |to_stderr: bool, line: String| host.log(to_stderr, &line);
        object.set("log", Func::from(log))?;
        let host = Rc::clone(self);
        let finish = move |kind: String, text: String| host.finish(&kind, text);
        object.set("finish", Func::from(finish))?;
        let host = Rc::clone(self);
        object.set("charge", Func::from(move |units: f64| host.budget.charge(units as u64)))?;
        let host = Rc::clone(self);
        object.set("now", Func::from(move || host.door.now().0 as f64))?;
        let host = Rc::clone(self);
        let left = move || host.deadline.0.saturating_sub(host.door.now().0) as f64;
        object.set("left", Func::from(left))?;
        let stroke = |ctx: Ctx<'js>, word: String| thrown(&ctx, stroke(&word));
        object.set("stroke", Func::from(stroke))?;
        self.add_page_facts(&object)?;
        Ok(object)
    }

    fn add_page_facts<'js>(self: &Rc<Self>, object: &Object<'js>) -> rquickjs::Result<()> {
        object.set("page", self.door.page())?;
        let host = Rc::clone(self);
        object.set("pages", Func::from(move || host.door.pages()))?;
        let host = Rc::clone(self);
        object.set("url", Func::from(move |page: String| host.door.url(&page)))?;
        let host = Rc::clone(self);
        object.set("version", Func::from(move || host.door.version()))?;
        let host = Rc::clone(self);
        let viewport = move |page: String| {
            host.door.viewport(&page).map_or_else(Vec::new, |(width, height)| vec![width, height])
        };
        object.set("viewport", Func::from(viewport))
    }
}

fn thrown<T>(ctx: &Ctx<'_>, result: Result<T, String>) -> rquickjs::Result<T> {
    result.map_err(|message| Exception::throw_message(ctx, &message))
}

/// The strokes of a key or chord, as JSON.
fn stroke(word: &str) -> Result<String, String> {
    let stroke = Stroke::press(word).map_err(|error| error.to_string())?;
    Ok(json!(stroke).to_string())
}
