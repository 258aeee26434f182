//! Determinism and the executor.

use crate::drive::{Browser, DEADLINE, permit};
use backlot_core::gatekeeper::{Policy, PolicyState, TargetIdentity};
use backlot_core::page::{CaptureSpec, TabId};
use backlot_core::port::{
    DriverError, Host, Millis, NavigateTo, Op, Port, Replayed, Reply, ScrollBy, ScrollWhat, Seq,
    SettleSpec, Trace, Traced,
};
use backlot_core::surface::Surface;
use backlot_core::surface::catalog::{Catalog, ToolCall};
use backlot_core::tool::Level;
use backlot_sim::{Mutation, Response, World};
use serde_json::json;

fn transcript(seed: u64) -> String {
    let world = World::new(seed);
    let page = "<style>p{color:red}</style><p>x<iframe srcdoc=y></iframe><form><input id=a></form>";
    world.serve("http://a.test/", Response { latency_ms: 30, ..Response::html(page) });
    let trace = Trace::default();
    let (port, host) = (Traced::new(world.port(), trace.clone()), world.host());
    let tab = TabId(1);
    world.block_on(async {
        let url = "http://a.test/".to_string();
        let target = TargetIdentity {
            tab: Some(tab),
            destination: Some(url.clone()),
            ..TargetIdentity::default()
        };
        let spec =
            SettleSpec { since: Seq(0), min_ms: 50, quiet_ms: 100, cap_ms: 1_000, load_ms: 5_000 };
        let ops = [
            Op::OpenTab,
            Op::Navigate(NavigateTo { tab, url, permit: permit(&target) }),
            Op::Capture { tab, spec: CaptureSpec::GEOMETRY },
            Op::Scroll { tab, what: ScrollWhat::Page(ScrollBy::End) },
            Op::Settle { tab, spec },
            Op::Events { since: Seq(0) },
            Op::Tabs,
        ];
        for op in ops {
            port.call(op, DEADLINE).await.unwrap();
            trace.note(format!("{} {}", host.now().0, host.nonce()));
        }
    });
    trace.text()
}

#[test]
fn one_seed_gives_one_transcript() {
    assert_eq!(transcript(7), transcript(7));
    assert_ne!(transcript(7), transcript(8));
}

#[test]
fn sleep_jumps_and_does_not_wait() {
    let world = World::new(1);
    let host = world.host();
    world.block_on(host.sleep_until(Millis(86_400_000)));
    assert_eq!(host.now(), Millis(86_400_000));
    world.block_on(host.sleep_until(Millis(5)));
    assert_eq!(host.now(), Millis(86_400_000));
}

#[test]
#[should_panic(expected = "nothing in the simulated world can wake it")]
fn a_future_that_nothing_wakes_is_told() {
    World::new(1).block_on(std::future::pending::<()>());
}

const FORM: &str = "<form action=/sent><label>Name <input id=n></label><input type=checkbox id=c aria-label=Agree>\
    <iframe srcdoc='<button>in</button>'></iframe><button>Send</button></form>";

/// What a client of the catalog is told on a port, with what it writes.
fn session<P: Port>(port: P, host: &World) -> Vec<String> {
    let policy = PolicyState::new(Policy::Auto);
    let catalog = Catalog::new(port, host.host(), policy, &[Level::L0, Level::L1]);
    let mut texts: Vec<String> = Vec::new();
    let calls = [
        ("navigate", json!({ "url": "http://page.test/" })),
        ("type", json!({ "element": "name", "ref": "textbox", "text": "Ada" })),
        ("click", json!({ "element": "box", "ref": "checkbox" })),
        ("click", json!({ "element": "send", "ref": "button \"Send\"" })),
        ("read_page", json!({})),
        ("navigate", json!({ "url": "http://nowhere.test/" })),
    ];
    for (name, mut arguments) in calls {
        if let Some(word) = arguments["ref"].as_str() {
            let mut lines = texts.iter().rev().flat_map(|text| text.lines());
            let line = lines.find(|line| line.contains(word) && line.contains("[ref=")).unwrap();
            let (_, found) = line.split_once("[ref=").unwrap();
            arguments["ref"] = found.split(']').next().unwrap().into();
        }
        let call = ToolCall { name: name.into(), arguments };
        texts.push(host.block_on(catalog.call(&call)).text);
    }
    texts
}

fn with_form(seed: u64) -> World {
    let world = World::new(seed);
    world.serve("http://page.test/", Response::html(FORM));
    world.serve("http://page.test/sent", Response::html("<p>never"));
    world.serve_with(Box::new(|url| {
        url.starts_with("http://page.test/sent?").then(|| Response::html("<h1>Sent</h1>"))
    }));
    world
}

#[test]
fn a_transcript_replays() {
    let world = with_form(3);
    let trace = Trace::default();
    let told = session(Traced::new(world.port(), trace.clone()), &world);
    assert!(told[4].contains("Sent"), "{}", told[4]);
    let transcript = trace.text();
    for line in transcript.lines() {
        assert!(line.starts_with("> ") || line.starts_with("< "), "{line}");
    }
    // Another world gives time and nonces: the port says all that a page does.
    let empty = World::new(3);
    let replayed = std::rc::Rc::new(Replayed::new(&transcript));
    assert_eq!(session(replayed.clone(), &empty), told);
    assert_eq!(replayed.left(), 0);
}

#[test]
fn a_transcript_of_something_else_is_told() {
    let replayed = Replayed::new("> \"Tabs\"\n< {\"Ok\":{\"Tabs\":[]}}\n* a note\n");
    let world = World::new(1);
    let call = |op| world.block_on(replayed.call(op, DEADLINE));
    assert_eq!(call(Op::Tabs), Ok(Reply::Tabs(Vec::new())));
    assert!(matches!(call(Op::OpenTab), Err(DriverError::Refused { .. })));
}

#[test]
fn what_changes_is_logged_and_what_is_parsed_is_not() {
    let browser = Browser::showing("<ul id=l><li id=a>1<li>2</ul><input id=i>");
    assert_eq!(browser.world.mutations(browser.tab), (Vec::new(), 0));
    let (list, item) = (browser.key("l").node, browser.key("a").node);
    browser.world.mutate(browser.tab, |page| {
        page.set_attribute("#a", "class", Some("x"));
        page.remove("#a");
        page.append_html("#l", "<li id=b><b>3</b>");
    });
    let new = browser.key("b").node;
    let (log, dropped) = browser.world.mutations(browser.tab);
    let wanted = [
        Mutation::Attribute { node: item, name: "class".into() },
        Mutation::Removed { parent: list, node: item },
        Mutation::Added { parent: list, node: new },
    ];
    assert_eq!((log.as_slice(), dropped), (wanted.as_slice(), 0));
    for _ in 0..12_000 {
        browser.world.mutate(browser.tab, |page| page.set_attribute("#i", "class", Some("y")));
    }
    let (log, dropped) = browser.world.mutations(browser.tab);
    assert_eq!(log.len() as u64 + dropped, 12_003);
    assert!(log.len() <= 10_000);
}
