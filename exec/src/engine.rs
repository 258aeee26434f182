//! One run: from a body to its end.

use crate::Limits;
use crate::host::{End, Host, Over};
use crate::patterns::Realm;
use crate::{prelude, strip};
use backlot_core::locate::Patterns;
use backlot_core::port::Millis;
use backlot_core::surface::toolkit::{CallError, CodeEnd, PageCall, PageDoor};
use rquickjs::{CatchResultExt, CaughtError, Context, Ctx, Function, Object, Persistent, Runtime};
use serde_json::{Value, json};
use std::future::{Future, poll_fn};
use std::pin::{Pin, pin};
use std::rc::Rc;
use std::task::Poll;

/// A call under way, with the number that its promise waits for.
struct Flight<'a> {
    id: u32,
    /// Whether it changes something, so that a body that did not await it still has it done.
    acts: bool,
    future: Pin<Box<dyn Future<Output = Result<Value, CallError>> + 'a>>,
}

/// Bytes of stack that the prelude itself needs.
const MIN_STACK: usize = 64 * 1024;

/// What there was to wait for.
enum Woken {
    Call(usize, Result<Value, CallError>),
    Timer,
    Deadline,
}

pub(crate) async fn run<D: PageDoor + 'static>(
    limits: Limits,
    door: D,
    code: String,
    deadline: Millis,
) -> CodeEnd {
    let refused = |error: String| CodeEnd {
        result: Err(error),
        stdout: String::new(),
        stderr: String::new(),
    };
    if code.len() > limits.code {
        return refused(format!(
            "code is {} bytes long; at most {} can be run: split it into several calls",
            code.len(),
            limits.code
        ));
    }
    let stripped = match strip::strip(&code) {
        Ok(stripped) => stripped,
        Err(error) => return refused(error),
    };
    let host = Rc::new(Host::new(door, limits, deadline));
    let result = match Machine::new(&host) {
        Ok(machine) => machine.run(&stripped).await,
        Err(error) => Err(format!("the code engine did not start: {error}")),
    };
    let (stdout, stderr) = (host.stdout.borrow_mut().take(), host.stderr.borrow_mut().take());
    CodeEnd { result, stdout, stderr }
}

/// A fresh engine with the prelude in it. Fields are dropped in this order: functions, contexts, runtime.
struct Machine<D: PageDoor + 'static> {
    start: Persistent<Function<'static>>,
    settle: Persistent<Function<'static>>,
    fire: Persistent<Function<'static>>,
    realm: Realm,
    context: Context,
    runtime: Runtime,
    host: Rc<Host<D>>,
}

impl<D: PageDoor + 'static> Machine<D> {
    fn new(host: &Rc<Host<D>>) -> rquickjs::Result<Self> {
        let runtime = Runtime::new()?;
        runtime.set_max_stack_size(host.limits.stack.max(MIN_STACK));
        let context = Context::full(&runtime)?;
        let realm = Realm::new(&runtime)?;
        let (start, settle, fire) = context.with(|ctx| {
            let prelude: Function<'_> = ctx.eval(prelude::source())?;
            let made: Object<'_> = prelude.call((host.object(&ctx)?,))?;
            let save = |name: &str| {
                made.get::<_, Function<'_>>(name).map(|found| Persistent::save(&ctx, found))
            };
            Ok::<_, rquickjs::Error>((save("start")?, save("settle")?, save("fire")?))
        })?;
        // The limits bind the body, and not what is the same for all bodies.
        runtime.set_memory_limit(host.limits.memory);
        let watched = Rc::clone(host);
        runtime.set_interrupt_handler(Some(Box::new(move || {
            if watched.door.now() >= watched.deadline {
                watched.budget.stop(Over::Deadline);
            }
            watched.budget.step()
        })));
        Ok(Self { start, settle, fire, realm, context, runtime, host: Rc::clone(host) })
    }

    async fn run(&self, stripped: &str) -> Result<Option<Value>, String> {
        self.begin(stripped)?;
        let mut flights = Vec::new();
        loop {
            self.react();
            if let Some(over) = self.host.budget.over() {
                return Err(self.over_limit(over));
            }
            self.take_off(&mut flights);
            let end = self.host.end.borrow_mut().take();
            if let Some(end) = end {
                self.land(flights).await;
                return self.result(end);
            }
            if flights.is_empty() && self.host.timers.borrow().is_empty() {
                return Err(
                    "the code waits for a promise that nothing will settle: no call and no timer \
                            is left; look for a promise without resolve"
                        .to_owned(),
                );
            }
            match self.wait(&mut flights).await {
                Woken::Call(at, answer) => {
                    let flight = flights.swap_remove(at);
                    self.host.under_way.set(flights.len());
                    self.settle(flight.id, answer);
                }
                Woken::Timer => self.fire_due(),
                Woken::Deadline => return Err(self.over_limit(Over::Deadline)),
            }
        }
    }

    /// Compiles the body and starts it.
    fn begin(&self, stripped: &str) -> Result<(), String> {
        self.context.with(|ctx| {
            let mut options = rquickjs::context::EvalOptions::default();
            options.strict = false;
            options.filename = Some("code".to_owned());
            let body: Result<Function<'_>, _> = ctx.eval_with_options(stripped, options);
            let body = body.catch(&ctx).map_err(|error| self.unparsed(error))?;
            self.enter(&ctx, &self.start, (body,));
            Ok(())
        })
    }

    /// What only the engine's own parser finds.
    fn unparsed(&self, error: CaughtError<'_>) -> String {
        let place = match &error {
            CaughtError::Exception(error) => {
                error.stack().and_then(|stack| strip::place_in(&stack))
            }
            _ => None,
        };
        let place = place.map_or_else(String::new, |place| format!(" at {place}"));
        match self.in_words(&said(error)).as_str() {
            "invalid redefinition of parameter name" => format!(
                "code does not parse{place}: page, context, browser and console are there already; \
                 give what you declare another name"
            ),
            words => format!("code does not parse{place}: {words}"),
        }
    }

    /// Runs promise reactions until none is left.
    fn react(&self) {
        let mut left = self.host.limits.reactions;
        while self.host.budget.over().is_none() {
            match self.runtime.execute_pending_job() {
                Ok(false) => return,
                Ok(true) => {}
                // Only an interrupt and a lack of memory come out here: the first is told by the budget, the second by
                // whatever the body does next.
                Err(failed) => failed.0.with(|ctx| drop(ctx.catch())),
            }
            match left.checked_sub(1) {
                Some(fewer) => left = fewer,
                None => self.host.budget.stop(Over::Reactions),
            }
        }
    }

    /// Begins the calls that were asked for.
    fn take_off<'a>(&'a self, flights: &mut Vec<Flight<'a>>) {
        let patterns: &'a dyn Patterns = &self.realm;
        let asked: Vec<(u32, PageCall)> = self.host.calls.borrow_mut().drain(..).collect();
        for (id, call) in asked {
            let acts = acts(&call);
            flights.push(Flight {
                id,
                acts,
                future: Box::pin(self.host.door.call(call, patterns)),
            });
        }
        self.host.under_way.set(flights.len());
    }

    /// Waits for the first of: a call's answer, the next timer, the deadline.
    async fn wait(&self, flights: &mut [Flight<'_>]) -> Woken {
        let timer = self.host.timers.borrow().first().map(|(moment, _)| *moment);
        let timer = timer.filter(|moment| *moment < self.host.deadline);
        let woken = if timer.is_some() { Woken::Timer } else { Woken::Deadline };
        let mut woken = Some(woken);
        let mut clock = pin!(self.host.door.sleep_until(timer.unwrap_or(self.host.deadline)));
        poll_fn(|task| {
            for (at, flight) in flights.iter_mut().enumerate() {
                if let Poll::Ready(answer) = flight.future.as_mut().poll(task) {
                    return Poll::Ready(Woken::Call(at, answer));
                }
            }
            match clock.as_mut().poll(task) {
                Poll::Ready(()) => Poll::Ready(woken.take().unwrap_or(Woken::Deadline)),
                Poll::Pending => Poll::Pending,
            }
        })
        .await
    }

    /// The body is settled: what it began without awaiting is done before the next run begins; what only asks is dropped.
    async fn land(&self, flights: Vec<Flight<'_>>) {
        let mut flights: Vec<_> = flights.into_iter().filter(|flight| flight.acts).collect();
        while !flights.is_empty() {
            self.host.timers.borrow_mut().clear();
            match self.wait(&mut flights).await {
                Woken::Call(at, _) => drop(flights.swap_remove(at)),
                Woken::Timer | Woken::Deadline => return,
            }
        }
    }

    fn settle(&self, id: u32, answer: Result<Value, CallError>) {
        let (is_ok, text) = match answer {
            Ok(value) => (true, value.to_string()),
            Err(error) => {
                let error = json!({
                    "code": error.code, "message": error.message, "isTimeout": error.is_timeout,
                });
                (false, error.to_string())
            }
        };
        self.context.with(|ctx| self.enter(&ctx, &self.settle, (id, is_ok, text)));
    }

    fn fire_due(&self) {
        let now = self.host.door.now();
        let due: Vec<u32> = {
            let mut timers = self.host.timers.borrow_mut();
            let later = timers.split_off(&(now.plus(1), 0));
            std::mem::replace(&mut *timers, later).into_iter().map(|(_, id)| id).collect()
        };
        for id in due {
            self.context.with(|ctx| self.enter(&ctx, &self.fire, (id,)));
            self.react();
        }
    }

    /// Calls a function of the prelude. They catch what a body can throw; what is left is a lack of memory or an interrupt.
    fn enter<'js, A: rquickjs::function::IntoArgs<'js>>(
        &self,
        ctx: &Ctx<'js>,
        function: &Persistent<Function<'static>>,
        arguments: A,
    ) {
        let called: rquickjs::Result<()> =
            function.clone().restore(ctx).and_then(|function| function.call(arguments));
        if let Err(error) = called.catch(ctx) {
            self.host.end.borrow_mut().get_or_insert(End::Thrown(said(error)));
        }
    }

    fn result(&self, end: End) -> Result<Option<Value>, String> {
        match end {
            End::Json(None) => Ok(None),
            End::Json(Some(text)) => {
                self.check_length(&text)?;
                let value = serde_json::from_str(&text);
                value.map(Some).map_err(|error| format!("the result is not JSON: {error}"))
            }
            End::Text(text) => {
                self.check_length(&text)?;
                Ok(Some(Value::String(text)))
            }
            End::Thrown(message) => Err(self.in_words(&message)),
        }
    }

    fn check_length(&self, text: &str) -> Result<(), String> {
        let limit = self.host.limits.result;
        if text.len() > limit {
            return Err(format!(
                "the result is {} bytes long; at most {limit} are returned: return less, such as a part or a count",
                text.len()
            ));
        }
        Ok(())
    }

    /// An error's message; the engine's own short ones with what to do.
    fn in_words(&self, message: &str) -> String {
        let limits = &self.host.limits;
        match message {
            "out of memory" => format!(
                "out of memory: code may use {} MiB; keep less at one time, or do the work inside page.evaluate",
                limits.memory / 1024 / 1024
            ),
            // The engine throws `null` where it has no room left to make an error.
            "null" => format!(
                "null: the code threw it, or the engine did for lack of memory ({} MiB may be used)",
                limits.memory / 1024 / 1024
            ),
            "stack overflow" | "Maximum call stack size exceeded" => {
                format!("{message}: calls nest too deep; look for a recursion without an end")
            }
            "interrupted" => match self.host.budget.over() {
                Some(over) => self.over_limit(over),
                None => message.to_owned(),
            },
            _ => {
                let mut message = message.to_owned();
                let most = limits.output.min(message.len());
                message.truncate(message.floor_char_boundary(most));
                message
            }
        }
    }

    fn over_limit(&self, over: Over) -> String {
        match over {
            Over::Steps => format!(
                "the code was stopped after {} million steps without an end in sight; look for an endless loop \
                 or a costly pattern, or split the work into several calls",
                self.host.limits.steps / 100
            ),
            Over::Reactions => format!(
                "the code was stopped after {} promise reactions in a row; look for a promise chain or an async \
                 loop that never waits for the page",
                self.host.limits.reactions
            ),
            Over::Deadline => "the code did not end in its time and was stopped; what it did until then stays done. \
                               Take a snapshot to see where it stands, then run the rest in shorter pieces, or await \
                               less"
                .to_owned(),
        }
    }
}

/// What an error says.
fn said(error: CaughtError<'_>) -> String {
    match error {
        CaughtError::Exception(error) => error.message().unwrap_or_default(),
        CaughtError::Value(value) if value.is_null() => "null".to_owned(),
        other => other.to_string(),
    }
}

/// Whether a call changes something.
fn acts(call: &PageCall) -> bool {
    match call {
        PageCall::NewPage
        | PageCall::Goto { .. }
        | PageCall::Reload { .. }
        | PageCall::GoBack { .. }
        | PageCall::GoForward { .. }
        | PageCall::SetViewportSize { .. }
        | PageCall::ClosePage { .. }
        | PageCall::BringToFront { .. }
        | PageCall::Evaluate { .. }
        | PageCall::Keyboard { .. }
        | PageCall::Mouse { .. }
        | PageCall::Act { .. } => true,
        PageCall::Pages
        | PageCall::Cookies
        | PageCall::Title { .. }
        | PageCall::Url { .. }
        | PageCall::Content { .. }
        | PageCall::WaitForUrl { .. }
        | PageCall::WaitForLoadState { .. }
        | PageCall::Sleep { .. }
        | PageCall::Screenshot { .. }
        | PageCall::Query { .. }
        | PageCall::WaitFor { .. } => false,
    }
}
