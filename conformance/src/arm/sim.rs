//! The simulated arm.

use super::{Arm, Setup};
use crate::command::CommandError;
use crate::fault::{self, FaultAt, Schedule, What};
use backlot_core::page::TabId;
use backlot_core::port::Approval;
use backlot_fixtures::Mutation;
use backlot_sim::{Response, SimBrowser, SimHost, SimLauncher, SimPort, World};
use std::cell::{Cell, RefCell};
use std::future::Future;
use std::rc::Rc;

pub(crate) struct SimArm {
    world: World,
    keeps_events: bool,
    events_taken: Cell<usize>,
    /// How much longer every answer of the network takes.
    slow_ms: Rc<Cell<u64>>,
}

impl SimArm {
    pub(crate) fn start(setup: &Setup<'_>) -> Result<Self, CommandError> {
        let world = World::new(setup.seed);
        world.set_scripting(setup.scripts);
        let site = setup.site.clone();
        let slow_ms = Rc::new(Cell::new(0));
        let slow = Rc::clone(&slow_ms);
        world.serve_with(Box::new(move |url| {
            let (host, path) = url.strip_prefix("http://")?.split_once('/')?;
            if !host.ends_with(".test") {
                return None;
            }
            Some(match site.read(path) {
                Some((content_type, body)) => {
                    Response { content_type, latency_ms: slow.get(), ..Response::html(body) }
                }
                None => Response { status: 404, ..Response::html("not found") },
            })
        }));
        world.log_moves(setup.moves);
        if setup.declines {
            world.set_approval(Approval::Decline { note: "the case declines".into() });
        }
        Ok(Self { world, keeps_events: setup.events, events_taken: Cell::new(0), slow_ms })
    }
}

impl Arm for SimArm {
    type Port = SimPort;
    type Host = SimHost;
    type Browser = SimBrowser;
    type Launcher = SimLauncher;

    fn port(&self) -> SimPort {
        self.world.port()
    }

    fn launcher(&self) -> SimLauncher {
        self.world.launcher()
    }

    fn host(&self) -> SimHost {
        self.world.host()
    }

    fn block_on<F: Future>(&self, future: F) -> F::Output {
        self.world.block_on(future)
    }

    fn take_events(&self) -> Vec<String> {
        if !self.keeps_events {
            return Vec::new();
        }
        let all = self.world.event_log();
        let taken = self.events_taken.replace(all.len());
        all.into_iter().skip(taken).collect()
    }

    fn mutate(&self, tab: Option<TabId>, mutation: &Mutation) -> Result<(), String> {
        let newest = || self.world.newest_tab().ok_or("there is no tab to change");
        let tab = tab.map_or_else(newest, Ok)?;
        self.world.mutate(tab, |page| {
            if page.count(&mutation.selector) != 1 {
                return Err(format!("{} does not match one element", mutation.selector));
            }
            for (name, value) in &mutation.attributes {
                page.set_attribute(&mutation.selector, name, Some(value));
            }
            if let Some(text) = &mutation.text {
                page.set_text(&mutation.selector, text);
            }
            if mutation.remove {
                page.remove(&mutation.selector);
            }
            Ok(())
        })
    }

    fn plan(&self, faults: &[FaultAt]) -> Result<(), String> {
        if faults.is_empty() {
            self.world.before_each_op(None);
            return Ok(());
        }
        if faults.iter().any(|fault| fault.what.rule().is_some()) {
            return Err("a rule cannot come in a case".into());
        }
        let (world, slow) = (self.world.clone(), Rc::clone(&self.slow_ms));
        let schedule = RefCell::new(Schedule::new(faults));
        self.world.before_each_op(Some(Rc::new(move |op| {
            let falling = schedule.borrow_mut().next();
            let tab = fault::tab_of(op).or_else(|| world.newest_tab());
            for what in &falling.what {
                match (what, tab) {
                    (What::Slow(ms), _) => slow.set(*ms),
                    (What::Answer(answer), _) => world.set_approval(answer.approval()),
                    (what, Some(tab)) => fault::befall(&world, tab, what),
                    (_, None) => {}
                }
            }
            if let (Some((item, moved)), Some(tab)) = (falling.slide, tab) {
                fault::slide(&world, tab, &item, moved);
            }
            falling.fate
        })));
        Ok(())
    }

    fn version(&self) -> Option<String> {
        None
    }
}
