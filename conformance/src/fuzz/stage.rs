//! Plays a scenario and judges each call.

use super::digest::Digest;
use super::judge::{Aimed, Call, Kind, Reading, Say, Violation, fence_numbers, is_direct, judge};
use super::memory::Memory;
use super::pair::Both;
use super::port::{Staged, Tested, verdict_of};
use super::scenario::{Answer, SITES, Scenario, Step};
use backlot_core::action::ToolResult;
use backlot_core::gatekeeper::{Destination, Policy, PolicyState, Rule, origin_of};
use backlot_core::page::{NodeKey, TabId};
use backlot_core::port::Host;
use backlot_core::surface::Surface;
use backlot_core::surface::catalog::{Catalog, ToolCall};
use backlot_core::tool::Level;
use backlot_sim::{Hit, Response, World};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;

/// How often calls of each tool ended how.
pub(crate) type Ends = BTreeMap<String, u64>;

/// How a scenario went.
#[derive(Debug)]
pub(crate) struct Played {
    /// Calls that were made.
    pub(crate) steps: u64,
    pub(crate) violation: Option<Violation>,
    /// Of the transcript: ops, replies, events and results.
    pub(crate) digest: Digest,
    /// The transcript, where it was asked for.
    pub(crate) transcript: String,
    pub(crate) ends: Ends,
}

/// Plays a scenario.
pub(crate) fn play(scenario: &Scenario, records: bool) -> Played {
    let mut steps = 0;
    let outcome = catch_unwind(AssertUnwindSafe(|| {
        let mut stage = Stage::new(scenario, records);
        let violation = stage.run(scenario, &mut steps);
        let kept = stage.port.transcript.as_ref().map(|text| text.borrow().clone());
        (violation, stage.port.digest.get(), kept.unwrap_or_default(), stage.ends)
    }));
    match outcome {
        Ok((violation, digest, transcript, ends)) => {
            Played { steps, violation, digest, transcript, ends }
        }
        Err(panic) => {
            let text = panic.downcast_ref::<String>().cloned();
            let text = text.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()));
            let why = text.unwrap_or_default();
            let violation = Some(Violation { kind: Kind::Panic, step: steps, why });
            let (transcript, ends) = (String::new(), Ends::new());
            Played { steps, violation, digest: Digest::default(), transcript, ends }
        }
    }
}

/// A call that is ready to be made: its arguments, and whom it means.
struct Ready {
    args: Value,
    aimed: Option<Aimed>,
}

struct Stage {
    world: World,
    port: Rc<Staged>,
    catalog: Rc<Tested>,
    memory: Memory,
    /// Tabs whose page may have changed since their newest snapshot.
    disturbed: BTreeSet<TabId>,
    /// Dialogs that no result has told of yet.
    untold: Vec<(TabId, String)>,
    reading: Reading,
    answer: Answer,
    /// Numbers of fences so far.
    fences: BTreeSet<String>,
    ends: Ends,
    /// Why the first page was not opened: nothing would be tested.
    unopened: Option<String>,
}

impl Stage {
    fn new(scenario: &Scenario, records: bool) -> Self {
        let world = World::new(scenario.seed);
        let port = Rc::new(Staged::new(&world, records));
        let html = |key: &str| {
            let body = scenario.page.concat().replace("data-key=\"", &format!("data-key=\"{key}"));
            format!("<!doctype html><title>t</title><body>{body}")
        };
        *port.html.borrow_mut() = SITES.iter().map(|(_, key, _)| html(key)).collect();
        port.serve(0);
        for (at, frame) in scenario.frames.iter().enumerate() {
            for host in ["a", "b"] {
                let page = Response::html(format!("<!doctype html><body>{frame}"));
                world.serve(&format!("http://{host}.test/f{at}"), page);
            }
        }
        port.answer(scenario.answer);
        let levels = [Level::L0, Level::L1, Level::L2];
        let state = PolicyState::new(Policy::Auto);
        let catalog = Rc::new(Catalog::new(Rc::clone(&port), world.host(), state, &levels));
        *port.catalog.borrow_mut() = Rc::downgrade(&catalog);
        let args = json!({"url": "http://a.test/"});
        let navigate = ToolCall { name: "navigate".into(), arguments: args };
        let opened = world.block_on(catalog.call(&navigate));
        set_policy(&catalog, scenario);
        let reading = Reading {
            rules: scenario.rules.clone(),
            policy: scenario.policy.clone(),
            ..Reading::default()
        };
        Self {
            unopened: opened.is_error.then_some(opened.text),
            world,
            port,
            catalog,
            memory: Memory::default(),
            disturbed: BTreeSet::new(),
            untold: Vec::new(),
            reading,
            answer: scenario.answer,
            fences: BTreeSet::new(),
            ends: Ends::new(),
        }
    }

    fn run(&mut self, scenario: &Scenario, steps: &mut u64) -> Option<Violation> {
        if let Some(why) = self.unopened.take() {
            return Some(Violation { kind: Kind::Uncoded, step: 0, why });
        }
        if let Err(why) = self.remember(None) {
            return Some(Violation { kind: Kind::WrongTarget, step: *steps, why });
        }
        for step in &scenario.steps {
            let events = self.world.hit_count();
            let found = match &step.beside {
                Some(beside) => self.pair(step, beside, steps),
                None => self.step(step, steps),
            };
            for line in self.world.events_since(events) {
                self.port.note(&line);
            }
            if let Some((kind, why)) = found {
                return Some(Violation { kind, step: *steps, why });
            }
        }
        None
    }

    /// The arguments of a step with its ref; `None` where no snapshot showed its item.
    fn ready(&self, step: &Step) -> Option<Ready> {
        let mut args = match &step.args {
            Value::Null => json!({}),
            args => args.clone(),
        };
        let Some(item) = &step.item else { return Some(Ready { args, aimed: None }) };
        let (elem_ref, mut tab, mut aimed) = self.memory.aim(item, step.age)?;
        if step.foreign {
            tab = self.memory.other_tab(tab)?;
            aimed.is_stale = true;
        }
        args["element"] = json!("it");
        args["ref"] = json!(elem_ref);
        args["tabId"] = json!(tab.0);
        Some(Ready { args, aimed: Some(aimed) })
    }

    fn step(&mut self, step: &Step, steps: &mut u64) -> Option<(Kind, String)> {
        let Ready { args, aimed } = self.ready(step)?;
        *steps += 1;
        let watch = aimed.as_ref().map(|aimed| aimed.node);
        // A rule that comes before the first op speaks of the call; a later one of the next.
        let (early, late): (Vec<_>, Vec<_>) = step.faults.iter().partition(|fault| fault.at == 0);
        let rules = self.reading.rules.len();
        self.reading.rules.extend(early.iter().filter_map(|fault| fault.what.rule()));
        let said = self.said(&step.tool, &args, watch);
        self.port.begin(&step.faults, watch);
        let (hits, start) = (self.world.hit_count(), self.world.host().now());
        let tool_call = ToolCall { name: step.tool.clone(), arguments: args.clone() };
        let result = self.world.block_on(self.catalog.call(&tool_call));
        self.note(&step.tool, &result);
        let port = Rc::clone(&self.port);
        let seen = port.seen.borrow();
        let fell = seen.fallen > 0;
        // A dialog that opens in a call is told of by the next reading at the latest.
        let due = self.untold.len();
        self.untold.extend(seen.dialogs.iter().cloned());
        let called = args["tabId"].as_u64().and_then(|tab| u32::try_from(tab).ok()).map(TabId);
        let answer = match seen.answers {
            None => Some(self.answer),
            Some((0, answer)) => Some(answer),
            Some(_) => None,
        };
        let call = Call {
            tool: &step.tool,
            args: &args,
            aimed: aimed.as_ref(),
            say: said.as_ref().map(|(say, _)| *say).filter(|_| aimed.is_some() || !fell),
            answer,
            result: &result,
            seen: &seen,
            hits: self.world.hits_since(hits),
            took: self.world.host().now().0 - start.0,
            disturbed: fell || called.is_none_or(|tab| self.disturbed.contains(&tab)),
            world: &self.world,
        };
        let found = judge(&call).or_else(|| self.fenced(&result));
        if let (Some((Say::Ask, origin)), false) = (said, answer == Some(Answer::Decline)) {
            // It may have been asked about, and granted; it was if it went on to the end.
            let may_grant = answer.is_none_or(|answer| answer == Answer::Session);
            let grant = may_grant.then(|| (step.tool.clone(), origin));
            let is_sure = answer == Some(Answer::Session) && !result.is_error;
            self.reading.granted.extend(grant.clone().filter(|_| is_sure));
            self.reading.may_be_granted.extend(grant);
        }
        self.answer = seen.answers.map_or(self.answer, |(_, answer)| answer);
        let ops = seen.schedule.ops();
        if ops == 0 {
            // Nothing falls in a call that asks nothing of the browser.
            self.reading.rules.truncate(rules);
        }
        let fallen = late.iter().filter(|fault| fault.at < ops);
        self.reading.rules.extend(fallen.filter_map(|fault| fault.what.rule()));
        drop(seen);
        if found.is_some() {
            return found;
        }
        match self.remember(called) {
            Err(why) => return Some((Kind::WrongTarget, why)),
            Ok(_) if fell => self.disturbed.extend(self.memory.tabs()),
            Ok(read) => self.disturbed.retain(|tab| !read.contains(tab)),
        }
        match !result.is_error && step.tool == "read_page" {
            true => self.dialogs_told(&result, due),
            false => {
                self.untold.retain(|(_, text)| !result.text.contains(text.as_str()));
                None
            }
        }
    }

    /// Two calls at once: of two writes with refs of one snapshot, the second finds its ref old.
    fn pair(&mut self, step: &Step, beside: &Step, steps: &mut u64) -> Option<(Kind, String)> {
        let (one, two) = (self.ready(step)?, self.ready(beside)?);
        *steps += 2;
        self.port.begin(&[], None);
        let hits = self.world.hit_count();
        let call = |tool: &str, ready: &Ready| ToolCall {
            name: tool.into(),
            arguments: ready.args.clone(),
        };
        let (first, second) = (call(&step.tool, &one), call(&beside.tool, &two));
        let both = Both::new(self.catalog.call(&first), self.catalog.call(&second));
        let (first, second) = self.world.block_on(both);
        self.note(&step.tool, &first);
        self.note(&beside.tool, &second);
        let is_one_tab = one.args["tabId"] == two.args["tabId"];
        let is_plain = |ready: &Ready| ready.aimed.as_ref().is_some_and(|aimed| !aimed.is_stale);
        // A click that opens a tab shows that one: its own tab's refs stay.
        let is_done =
            |result: &ToolResult| !result.is_error && !result.text.contains("tab_created");
        let are_both_done = is_done(&first) && is_done(&second);
        if is_one_tab && is_plain(&one) && is_plain(&two) && are_both_done {
            let why = "two calls at once acted on refs of one snapshot";
            return Some((Kind::WrongTarget, why.into()));
        }
        let aimed = [&one, &two].map(|ready| ready.aimed.as_ref());
        let is_meant = |hit: &Hit| {
            let mut meant = aimed.iter().flatten().map(|aimed| aimed.node);
            meant.any(|meant| hit.is_within(meant) || self.world.editing_host(meant) == hit.node)
        };
        let all = self.world.hits_since(hits);
        if let Some(hit) = all.iter().find(|hit| is_direct(hit) && !is_meant(hit)) {
            return Some((Kind::WrongTarget, format!("two calls at once hit {hit:?}")));
        }
        let is_told = |text: &String| first.text.contains(text) || second.text.contains(text);
        self.untold.retain(|(_, text)| !is_told(text));
        // Which grants they led to is not known: none is judged by them.
        for tab in self.memory.tabs() {
            if let Err(why) = self.remember(Some(tab)) {
                return Some((Kind::WrongTarget, why));
            }
        }
        for (tool, ready) in [(&step.tool, &one), (&beside.tool, &two)] {
            let watch = ready.aimed.as_ref().map(|aimed| aimed.node);
            let said = self.said(tool, &ready.args, watch);
            self.reading.may_be_granted.extend(said.map(|(_, origin)| (tool.clone(), origin)));
        }
        self.fenced(&first).or_else(|| self.fenced(&second))
    }

    fn note(&mut self, tool: &str, result: &ToolResult) {
        self.port.note(&result.text);
        let word = if result.is_error {
            result.details["code"].as_str().unwrap_or_default()
        } else {
            "ok"
        };
        *self.ends.entry(format!("{tool} {word}")).or_default() += 1;
    }

    /// What the rules say of a call, and the origin that they say it of.
    fn said(&self, tool: &str, args: &Value, watch: Option<NodeKey>) -> Option<(Say, String)> {
        let (origin, destination) = match (watch, tool) {
            (Some(node), _) => (self.memory.origin(node)?, None),
            (None, "navigate") => {
                let url = Destination::parse(args["url"].as_str()?).ok()?;
                (url.origin().to_owned(), Some(url.url().to_owned()))
            }
            (None, "read_page" | "scroll" | "wait_for") => {
                let named = args["tabId"].as_u64().and_then(|tab| u32::try_from(tab).ok());
                let tab = named.map(TabId).or_else(|| self.catalog.engine().default_tab())?;
                (origin_of(&self.world.url(tab)?), None)
            }
            _ => return None,
        };
        Some((self.reading.say(tool, &origin, destination.as_deref()), origin))
    }

    /// No fence has the number of another one.
    fn fenced(&mut self, result: &ToolResult) -> Option<(Kind, String)> {
        let numbers = fence_numbers(&result.text);
        let again = numbers.into_iter().find(|number| !self.fences.insert((*number).to_owned()))?;
        Some((Kind::FalseSuccess, format!("the fence number {again} was given twice")))
    }

    /// A reading of a tab tells of every dialog that opened there before the call and that no result told of.
    fn dialogs_told(&mut self, result: &ToolResult, due: usize) -> Option<(Kind, String)> {
        let read = |tab: TabId| result.text.starts_with(&format!("[tabId={}]", tab.0));
        let is_told = |text: &String| result.text.contains(text.as_str());
        let missing = self.untold[..due].iter().find(|(tab, text)| read(*tab) && !is_told(text));
        if let Some((_, text)) = missing {
            return Some((Kind::FalseSuccess, format!("no result told of the dialog {text:?}")));
        }
        self.untold.retain(|(tab, text)| !is_told(text) && self.world.url(*tab).is_some());
        None
    }

    /// Keeps the refs that the last call gave, in its own tab and in one that it opened: the tabs that have a new snapshot.
    fn remember(&mut self, called: Option<TabId>) -> Result<BTreeSet<TabId>, String> {
        let engine = self.catalog.engine();
        let tabs = BTreeSet::from_iter(called.into_iter().chain(engine.default_tab()));
        let seen = self.port.seen.borrow();
        let mut read = BTreeSet::new();
        for tab in tabs {
            if self.memory.remember(&self.world, tab, engine.refs(tab), &seen.items)? {
                read.insert(tab);
            }
        }
        Ok(read)
    }
}

fn set_policy(catalog: &Tested, scenario: &Scenario) {
    let policy = match scenario.policy.as_str() {
        "always" => Policy::Always,
        "untrusted" => Policy::Untrusted,
        _ => Policy::Auto,
    };
    catalog.engine().change_policy(|state| {
        state.set_policy(policy);
        for (tool, origin, verdict) in &scenario.rules {
            let verdict = verdict_of(verdict);
            state.add_rule(Rule { tool: tool.clone(), origin: origin.clone(), verdict });
        }
    });
}
