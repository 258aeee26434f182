//! Faults between any two ops of a click, enumerated in the simulated browser: every call ends with a code, by its deadline,
//! and says none, done or unknown of its effect.

#![expect(clippy::unwrap_used, reason = "a test that cannot set its stage has failed")]

use backlot_core::action::{ToolResult, limits};
use backlot_core::gatekeeper::{Policy, PolicyState};
use backlot_core::port::{
    DriverError, Fault, FaultPlan, Faulty, Host, Millis, Op, Port, Reply, Trace, Traced,
};
use backlot_core::surface::Surface;
use backlot_core::surface::catalog::{Catalog, ToolCall};
use backlot_core::tool::Level;
use backlot_sim::{Response, SimHost, SimPort, World};
use serde_json::{Value, json};
use std::cell::Cell;

type Stage = Catalog<Traced<Faulty<SimPort>>, SimHost>;

const PAGE: &str = "<!doctype html><title>t</title><button id=a>Save</button><input aria-label=Name>\
                    <select aria-label=Kind><option>x<option>y</select>";

/// A page that is read, and the refs of its three controls.
fn stage(world: &World, trace: &Trace) -> (Stage, Vec<String>) {
    world.serve("http://a.test/", Response::html(PAGE));
    let port = Traced::new(Faulty::new(world.port(), None), trace.clone());
    let stage =
        Catalog::new(port, world.host(), PolicyState::new(Policy::Auto), &[Level::L0, Level::L1]);
    call(world, &stage, "navigate", json!({"url": "http://a.test/"}));
    let read = call(world, &stage, "read_page", json!({}));
    let refs: Vec<String> = read
        .text
        .split("[ref=")
        .skip(1)
        .map(|piece| piece.split(']').next().unwrap().to_owned())
        .collect();
    assert_eq!(refs.len(), 3, "{}", read.text);
    (stage, refs)
}

fn call(world: &World, stage: &Stage, name: &str, arguments: Value) -> ToolResult {
    let before = world.host().now();
    let result = world.block_on(stage.call(&ToolCall { name: name.into(), arguments }));
    let took = world.host().now().0 - before.0;
    assert!(took <= limits::CALL_MS * 2, "{name} took {took} ms: {}", result.text);
    result
}

fn writes(refs: &[String]) -> [(&'static str, Value); 3] {
    [
        ("click", json!({"element": "e", "ref": refs[0]})),
        ("type", json!({"element": "e", "ref": refs[1], "text": "Ada"})),
        ("select_option", json!({"element": "e", "ref": refs[2], "values": ["y"]})),
    ]
}

#[test]
fn every_fault_at_every_op_of_a_write_ends_with_a_code() {
    let mut enumerated = 0;
    let mut effects = std::collections::BTreeMap::new();
    for which in 0..3 {
        for fault in Fault::ALL {
            let mut at_op = 0;
            loop {
                let world = World::new(7);
                let (stage, refs) = stage(&world, &Trace::default());
                let events_before = world.event_log().len();
                let faulty = stage.engine().port().inner();
                faulty.rearm(Some(FaultPlan { at_op, fault }));
                let (name, args) = writes(&refs)[which].clone();
                let result = call(&world, &stage, name, args);
                let fired = world.event_log().len() > events_before;
                let reached = faulty.count() > at_op;
                if !reached {
                    assert!(!result.is_error, "{name} without a fault: {}", result.text);
                    break;
                }
                enumerated += 1;
                assert!(
                    result.is_error,
                    "{name} {fault:?} at op {at_op} is no success: {}",
                    result.text
                );
                let code = result.details["code"].as_str().unwrap();
                assert!(!code.is_empty() && code != "unknown_tool", "{}", result.text);
                let effect = result.details["effect"].as_str().unwrap();
                *effects.entry(effect.to_owned()).or_insert(0) += 1;
                // What is said of the effect is true: with "none" no event reached the page.
                match effect {
                    "none" => assert!(
                        !fired,
                        "{name} {fault:?} at op {at_op} says none and fired: {}",
                        result.text
                    ),
                    "done" => {
                        assert!(fired, "{name} {fault:?} at op {at_op} says done and did nothing");
                    }
                    "unknown" => assert_eq!(result.details["retry"], "never", "{}", result.text),
                    other => panic!("{other} is no effect"),
                }
                // The connection is there again, and the next call works.
                faulty.rearm(None);
                let next = call(&world, &stage, "read_page", json!({}));
                assert!(!next.is_error, "after {name} {fault:?} at op {at_op}: {}", next.text);
                at_op += 1;
            }
        }
    }
    // Each write has about ten ops; fewer would mean that the enumeration saw none of them.
    assert!(enumerated > 100, "{enumerated}");
    assert_eq!(effects.keys().collect::<Vec<_>>(), ["done", "none", "unknown"], "{effects:?}");
}

/// A port whose op of this number is answered so much later; who waits for it gives up at the deadline.
struct Late<P> {
    inner: P,
    host: SimHost,
    /// Op and milliseconds, until it was late.
    plan: Cell<Option<(u32, u64)>>,
    ops: Cell<u32>,
}

impl<P: Port> Port for Late<P> {
    async fn call(&self, op: Op, deadline: Millis) -> Result<Reply, DriverError> {
        let at = self.ops.replace(self.ops.get() + 1);
        let reply = self.inner.call(op, deadline).await;
        let Some((_, late)) = self.plan.get().filter(|plan| plan.0 == at) else { return reply };
        let there = self.host.now().plus(late);
        self.host.sleep_until(there.min(deadline)).await;
        if there > deadline { Err(DriverError::Deadline) } else { reply }
    }
}

#[test]
fn a_call_ends_by_its_deadline_whichever_reply_is_late() {
    let mut late_ones = 0;
    for (name, args, most) in [
        ("click", json!({"element": "e"}), limits::CALL_MS),
        ("read_page", json!({}), limits::CALL_MS),
        ("navigate", json!({"url": "http://a.test/next"}), limits::CALL_MS),
        ("wait_for", json!({"text": "never"}), limits::WAIT_FOR_MS + 1_000),
    ] {
        for (at_op, late) in (0..14).flat_map(|at| [(at, 14_000), (at, 14_990), (at, 17_000)]) {
            let world = World::new(7);
            let link = "<!doctype html><a href=/next>More</a>";
            world.serve("http://a.test/", Response::html(link));
            let next = Response { latency_ms: 2_500, ..Response::html("<p>next") };
            world.serve("http://a.test/next", next);
            let port = Late {
                inner: world.port(),
                host: world.host(),
                plan: Cell::new(None),
                ops: Cell::new(0),
            };
            let state = PolicyState::new(Policy::Auto);
            let stage = Catalog::new(port, world.host(), state, &[Level::L0, Level::L1]);
            let ask = |name: &str, arguments: Value| {
                world.block_on(stage.call(&ToolCall { name: name.into(), arguments }))
            };
            ask("navigate", json!({"url": "http://a.test/"}));
            let mut args = args.clone();
            if name == "click" {
                args["ref"] = json!(stage.engine().refs(backlot_core::page::TabId(1))[0].0);
            }
            let port = stage.engine().port();
            port.ops.set(0);
            port.plan.set(Some((at_op, late)));
            let start = world.host().now();
            let result = ask(name, args);
            let took = world.host().now().0 - start.0;
            assert!(took <= most, "{name}: op {at_op} late by {late}: {took} ms\n{}", result.text);
            late_ones += u32::from(took >= late);
        }
    }
    assert!(late_ones >= 25, "{late_ones} calls met a late reply");
}

#[test]
fn a_crash_a_close_and_a_dialog_of_the_world_itself_are_told() {
    let world = World::new(7);
    let (stage, refs) = stage(&world, &Trace::default());
    let tab = backlot_core::page::TabId(1);
    world.dialog(tab, backlot_core::port::DialogKind::Confirm, "Sure?");
    let told = call(&world, &stage, "click", json!({"element": "e", "ref": refs[0]}));
    assert!(!told.is_error, "{}", told.text);
    world.crash(tab);
    let crashed = call(&world, &stage, "read_page", json!({}));
    assert_eq!(crashed.details["code"], "tab_crashed", "{}", crashed.text);
    world.close_tab(tab);
    let gone = call(&world, &stage, "read_page", json!({"tabId": 1}));
    assert_eq!(gone.details["code"], "tab_gone", "{}", gone.text);
    // No tab is left that could be meant: a call that names none gets a new one, and says which.
    let fresh = call(&world, &stage, "read_page", json!({}));
    assert!(!fresh.is_error && fresh.text.starts_with("[tabId=2]\n"), "{}", fresh.text);
    let tabs = call(&world, &stage, "tabs_list", json!({}));
    assert!(!tabs.is_error, "{}", tabs.text);
}

#[test]
fn the_same_seed_gives_the_same_transcript() {
    let transcript = |seed: u64| {
        let world = World::new(seed);
        let trace = Trace::default();
        let (stage, refs) = stage(&world, &trace);
        for (name, args) in writes(&refs) {
            // After the first write the refs are of an older snapshot: failures are part of a transcript too.
            trace.note(call(&world, &stage, name, args).text);
        }
        trace.text()
    };
    assert_eq!(transcript(3), transcript(3));
    assert_ne!(transcript(3), transcript(4), "the seed decides the nonces");
    assert!(transcript(3).contains("\"Dispatch\""), "the transcript holds the ops");
}
