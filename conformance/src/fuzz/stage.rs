//! Plays a scenario and judges each call.

use super::judge::{Aimed, Call, Kind, Violation, judge};
use super::port::{Planted, Staged, Tested};
use super::scenario::{Scenario, Step};
use backlot_core::gatekeeper::{Policy, PolicyState, Rule, RuleVerdict};
use backlot_core::page::{NodeKey, TabId};
use backlot_core::port::{Approval, Host};
use backlot_core::surface::Surface;
use backlot_core::surface::catalog::{Catalog, ToolCall};
use backlot_core::tool::Level;
use backlot_sim::{Response, World};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;

/// How often calls of each tool ended how.
pub(crate) type Ends = BTreeMap<String, u64>;

/// How a scenario went.
pub(crate) struct Played {
    /// Calls that were made.
    pub(crate) steps: u64,
    pub(crate) violation: Option<Violation>,
    /// Ops, replies and results, where they were asked for.
    pub(crate) transcript: String,
    pub(crate) ends: Ends,
}

/// Plays a scenario.
pub(crate) fn play(scenario: &Scenario, planted: Planted, records: bool) -> Played {
    let mut steps = 0;
    let outcome = catch_unwind(AssertUnwindSafe(|| {
        let mut stage = Stage::new(scenario, planted, records);
        let violation = stage.run(scenario, &mut steps);
        let kept = stage.port.transcript.as_ref().map(|text| text.borrow().clone());
        (violation, kept.unwrap_or_default(), stage.ends)
    }));
    match outcome {
        Ok((violation, transcript, ends)) => Played { steps, violation, transcript, ends },
        Err(panic) => {
            let text = panic.downcast_ref::<String>().cloned();
            let text = text.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()));
            let why = text.unwrap_or_default();
            let violation = Violation { kind: Kind::Panic, step: steps, why };
            let (transcript, ends) = (String::new(), Ends::new());
            Played { steps, violation: Some(violation), transcript, ends }
        }
    }
}

/// Refs that one snapshot gave, with what they stood for then.
type Given = Vec<(String, NodeKey, Option<String>)>;

struct Stage {
    world: World,
    port: Rc<Staged>,
    catalog: Rc<Tested>,
    /// By age, the newest last.
    snapshots: Vec<(TabId, Given)>,
    /// Which node each ref was given for.
    bound: BTreeMap<String, NodeKey>,
    /// Tabs whose page may have changed since their newest snapshot.
    disturbed: BTreeSet<TabId>,
    /// Dialogs that no result has told of yet.
    untold: Vec<String>,
    rules: Vec<(String, String, String)>,
    policy: String,
    declines: bool,
    ends: Ends,
    /// Why the first page was not opened: nothing would be tested.
    unopened: Option<String>,
}

impl Stage {
    fn new(scenario: &Scenario, planted: Planted, records: bool) -> Self {
        let world = World::new(scenario.seed);
        let html = |key: &str| {
            let body = scenario.page.concat().replace("data-key=\"", &format!("data-key=\"{key}"));
            format!("<!doctype html><title>t</title><body>{body}")
        };
        for (url, key) in
            [("http://a.test/", ""), ("http://a.test/other", "o"), ("http://b.test/", "b")]
        {
            world.serve(url, Response::html(html(key)));
        }
        for (at, frame) in scenario.frames.iter().enumerate() {
            for host in ["a", "b"] {
                let page = Response::html(format!("<!doctype html><body>{frame}"));
                world.serve(&format!("http://{host}.test/f{at}"), page);
            }
        }
        if scenario.declines {
            world.set_approval(Approval::Decline { note: "no".into() });
        }
        let port = Rc::new(Staged::new(&world, planted, records));
        let levels = [Level::L0, Level::L1];
        let state = PolicyState::new(Policy::Auto);
        let catalog = Rc::new(Catalog::new(Rc::clone(&port), world.host(), state, &levels));
        *port.catalog.borrow_mut() = Rc::downgrade(&catalog);
        let args = json!({"url": "http://a.test/"});
        let navigate = ToolCall { name: "navigate".into(), arguments: args };
        let opened = world.block_on(catalog.call(&navigate));
        let policy = match scenario.policy.as_str() {
            "always" => Policy::Always,
            "untrusted" => Policy::Untrusted,
            _ => Policy::Auto,
        };
        catalog.engine().change_policy(|state| {
            state.set_policy(policy);
            for (tool, origin, verdict) in &scenario.rules {
                let verdict = match verdict.as_str() {
                    "allow" => RuleVerdict::Allow,
                    "ask" => RuleVerdict::Ask,
                    _ => RuleVerdict::Deny,
                };
                state.add_rule(Rule { tool: tool.clone(), origin: origin.clone(), verdict });
            }
        });
        Self {
            unopened: opened.is_error.then_some(opened.text),
            world,
            port,
            catalog,
            snapshots: Vec::new(),
            bound: BTreeMap::new(),
            disturbed: BTreeSet::new(),
            untold: Vec::new(),
            rules: scenario.rules.clone(),
            policy: scenario.policy.clone(),
            declines: scenario.declines,
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
            if let Some((kind, why)) = self.step(step, steps) {
                return Some(Violation { kind, step: *steps, why });
            }
        }
        None
    }

    fn step(&mut self, step: &Step, steps: &mut u64) -> Option<(Kind, String)> {
        let mut args = match &step.args {
            Value::Null => json!({}),
            args => args.clone(),
        };
        let aimed = match &step.item {
            None => None,
            Some(item) => {
                // An item that no snapshot showed is not called for.
                let (elem_ref, tab, aimed) = self.aim(item, step.age)?;
                args["element"] = json!("it");
                args["ref"] = json!(elem_ref);
                args["tabId"] = json!(tab.0);
                Some(aimed)
            }
        };
        *steps += 1;
        let watch = aimed.as_ref().map(|aimed| aimed.node);
        let origin = watch.and_then(|node| self.world.url_of(node));
        self.port.begin(&step.faults, watch);
        let (hits, start) = (self.world.hit_count(), self.world.host().now());
        let tool_call = ToolCall { name: step.tool.clone(), arguments: args.clone() };
        let result = self.world.block_on(self.catalog.call(&tool_call));
        self.port.note(&result.text);
        let seen = self.port.seen.borrow();
        let fell = seen.fallen > 0;
        let word = if result.is_error {
            result.details["code"].as_str().unwrap_or_default()
        } else {
            "ok"
        };
        *self.ends.entry(format!("{} {word}", step.tool)).or_default() += 1;
        // A dialog that opens in a call is told of by the next reading at the latest.
        let due = self.untold.len();
        self.untold.extend(seen.dialogs.iter().cloned());
        if seen.denied_at.is_some() {
            self.rules.push(("*".into(), "*".into(), "deny".into()));
        }
        let called = args["tabId"].as_u64().and_then(|tab| u32::try_from(tab).ok()).map(TabId);
        let call = Call {
            tool: &step.tool,
            args: &args,
            aimed: aimed.as_ref(),
            origin,
            result: &result,
            seen: &seen,
            hits: self.world.hits_since(hits),
            took: self.world.host().now().0 - start.0,
            disturbed: fell || called.is_none_or(|tab| self.disturbed.contains(&tab)),
            world: &self.world,
            rules: &self.rules,
            policy: &self.policy,
            declines: self.declines,
        };
        let found = judge(&call);
        let told = !result.is_error && step.tool == "read_page";
        drop(seen);
        if found.is_some() {
            return found;
        }
        match self.remember(called) {
            Err(why) => return Some((Kind::WrongTarget, why)),
            Ok(_) if fell => self.disturbed.extend(self.snapshots.iter().map(|(tab, _)| *tab)),
            Ok(read) => self.disturbed.retain(|tab| !read.contains(tab)),
        }
        let is_told = |text: &String| result.text.contains(text.as_str());
        let is_missing = self.untold[..due].iter().any(|text| !is_told(text));
        self.untold.retain(|text| !is_told(text));
        if self.untold_here() && told && is_missing {
            let why = format!("no result told of the dialog {:?}", self.untold);
            return Some((Kind::FalseSuccess, why));
        }
        None
    }

    /// Dialogs of a tab that is still the one, and there.
    fn untold_here(&mut self) -> bool {
        let one_tab = self.snapshots.iter().all(|(tab, _)| *tab == TabId(1));
        if !one_tab || self.world.url(TabId(1)).is_none() {
            self.untold.clear();
        }
        !self.untold.is_empty()
    }

    /// Keeps the refs that the last call gave, in its own tab and in one that it opened: the tabs that have a new snapshot.
    fn remember(&mut self, called: Option<TabId>) -> Result<BTreeSet<TabId>, String> {
        let tabs =
            BTreeSet::from_iter(called.into_iter().chain(self.catalog.engine().default_tab()));
        let mut read = BTreeSet::new();
        for tab in tabs {
            if self.remember_tab(tab)? {
                read.insert(tab);
            }
        }
        Ok(read)
    }

    /// Whether the tab's newest snapshot was not known yet; an error where a ref was given for another node.
    fn remember_tab(&mut self, tab: TabId) -> Result<bool, String> {
        let refs = self.catalog.engine().refs(tab);
        let Some((newest, key)) = refs.first() else { return Ok(false) };
        let is_known =
            |(_, given): &(TabId, Given)| given.first().is_some_and(|one| one.0 == *newest);
        if self.snapshots.iter().any(is_known) && self.bound.get(newest) == Some(key) {
            return Ok(false);
        }
        for (text, key) in &refs {
            if let Some(other) = self.bound.insert(text.clone(), *key)
                && other != *key
            {
                return Err(format!("the ref {text} was given for two nodes"));
            }
        }
        let seen = self.port.seen.borrow();
        let given = refs.into_iter().map(|(text, key)| (text, key, seen.items.get(&key).cloned()));
        self.snapshots.push((tab, given.collect()));
        Ok(true)
    }

    /// The ref that was given to an item, so many snapshots ago.
    fn aim(&self, item: &str, age: u32) -> Option<(String, TabId, Aimed)> {
        let place = item.strip_prefix('#').and_then(|place| place.parse::<usize>().ok());
        let (mut left, mut newer) = (age, Vec::new());
        for (tab, given) in self.snapshots.iter().rev() {
            let found = match place {
                Some(place) => given.get(place),
                None => given.iter().find(|(_, _, of)| {
                    of.as_deref().is_some_and(|of| of.trim_start_matches(['o', 'b']) == item)
                }),
            };
            let is_old = newer.contains(tab);
            newer.push(*tab);
            let Some((text, node, of)) = found else { continue };
            if left == 0 {
                let aimed = Aimed { node: *node, item: of.clone(), is_old };
                return Some((text.clone(), *tab, aimed));
            }
            left -= 1;
        }
        None
    }
}
