//! Rules of the toolkit that a page, or another call, could break between two steps.

use crate::toolkit::{Script, Stage, button, click, locator};
use backlot_core::action::ToolResult;
use backlot_core::gatekeeper::{Policy, PolicyState};
use backlot_core::locate::{Filter, Step, TextMatch};
use backlot_core::port::{DriverError, Host, Launcher, Millis};
use backlot_core::surface::Surface;
use backlot_core::surface::toolkit::limits::SESSIONS_MAX;
use backlot_core::surface::toolkit::{
    Action, DomainPolicy, LoadWait, PageCall, Query, Toolkit, WaitState,
};
use backlot_core::tool::ToolCall;
use backlot_sim::{SimHost, SimLauncher, World};
use serde_json::{Value, json};
use std::future::{Future, poll_fn};
use std::pin::pin;
use std::task::Poll;

/// Both, side by side.
async fn both<A: Future, B: Future>(a: A, b: B) -> (A::Output, B::Output) {
    let (mut a, mut b) = (pin!(a), pin!(b));
    let (mut first, mut second) = (None, None);
    poll_fn(|task| {
        if first.is_none()
            && let Poll::Ready(done) = a.as_mut().poll(task)
        {
            first = Some(done);
        }
        if second.is_none()
            && let Poll::Ready(done) = b.as_mut().poll(task)
        {
            second = Some(done);
        }
        if first.is_some() && second.is_some() { Poll::Ready(()) } else { Poll::Pending }
    })
    .await;
    (first.unwrap(), second.unwrap())
}

fn tool(name: &str, arguments: Value) -> ToolCall {
    ToolCall { name: name.into(), arguments }
}

const ROWS: &str = "<!doctype html><ul><li><span>Ann</span> <button>Delete</button></li><li>Bob <button>Delete</button></li></ul>";

#[test]
fn a_ref_is_bound_to_what_it_meant_in_the_first_code_and_in_longer_locators_too() {
    let of = |steps: Vec<Step>| locator([vec![Step::Ref("l3".into())], steps].concat());
    let any = Filter { has_text: Some(TextMatch::Part("del".into())), ..Filter::default() };
    for steps in [
        vec![],
        vec![Step::Nth(0)],
        vec![Step::Nth(-1)],
        vec![Step::Filter(any)],
        vec![Step::And(button("delete"))],
    ] {
        let stage = Stage::new();
        stage.serve("http://a.test/", ROWS);
        let session = stage.open("http://a.test/");
        assert!(stage.tree(&session).contains("<button ref=\"l3\">Delete</button>"));
        let tab = stage.world.newest_tab().unwrap();
        stage.world.mutate(tab, |page| page.set_text("span", "Cleo"));
        let result = stage.exec(&session, vec![click(of(steps.clone()))]);
        assert_eq!(result.details["code"], "stale_ref", "{steps:?}: {}", result.text);
        assert_eq!(stage.world.event_log(), Vec::<String>::new(), "nothing was sent");
    }
}

#[test]
fn a_ref_that_came_to_mean_another_thing_is_no_place_to_look_below() {
    let stage = Stage::new();
    stage.serve("http://a.test/", ROWS);
    let session = stage.open("http://a.test/");
    let tree = stage.tree(&session);
    let row = tree.split("<listitem ref=\"").nth(1).unwrap().split('"').next().unwrap().to_owned();
    let below = |row: &str| locator([vec![Step::Ref(row.into())], button("delete").steps].concat());
    assert!(!stage.exec(&session, vec![click(below(&row))]).is_error);
    let tab = stage.world.newest_tab().unwrap();
    stage.world.mutate(tab, |page| page.set_attribute("li", "role", Some("group")));
    let result = stage.exec(&session, vec![click(below(&row))]);
    assert_eq!(result.details["code"], "stale_ref", "{}", result.text);
}

#[test]
fn what_was_typed_in_part_is_not_typed_again() {
    let stage = Stage::new();
    stage.serve("http://a.test/", "<!doctype html><input id=i aria-label=Name>");
    let session = stage.open("http://a.test/");
    let name = locator(vec![Step::Label(TextMatch::Part("name".into()))]);
    let action = Action::Type { text: "abcd".into(), delay: 1_000 };
    *stage.script.calls.borrow_mut() =
        vec![PageCall::Act { page: String::new(), locator: name, action, timeout: 8_000 }];
    let call = tool("browser_exec", json!({ "sessionId": session, "code": "x" }));
    let tab = stage.world.newest_tab().unwrap();
    let host = stage.world.host();
    let page = async {
        let set = |value| {
            stage.world.mutate(tab, |page| page.set_attribute("#i", "disabled", value));
        };
        host.sleep_until(host.now().plus(1_500)).await;
        set(Some(""));
        host.sleep_until(host.now().plus(2_000)).await;
        set(None);
    };
    let (result, ()) = stage.world.block_on(both(stage.toolkit.call(&call), page));
    assert!(result.text.contains("characters were sent before"), "{}", result.text);
    assert_eq!(result.details["code"], "disabled");
    let value = stage.world.mutate(tab, |page| page.value("#i"));
    assert!("abcd".starts_with(&value) && !value.is_empty(), "{value}");
}

fn guarded() -> (Stage, String) {
    let stage = Stage::with(DomainPolicy { allowed: None, blocked: vec!["b.test".into()] });
    stage.serve("http://a.test/", "<!doctype html>a");
    stage.serve("http://b.test/", "<!doctype html>b");
    let session = stage.open("http://a.test/");
    (stage, session)
}

fn assert_breach(result: &ToolResult) {
    assert!(result.is_protocol_error, "{}", result.text);
    assert_eq!(result.details["code"], "domain_policy", "{}", result.text);
}

#[test]
fn a_page_that_went_to_a_forbidden_domain_by_itself_is_not_read() {
    for name in ["browser_exec", "browser_snapshot"] {
        let (stage, session) = guarded();
        let tab = stage.world.newest_tab().unwrap();
        stage.world.navigate(tab, "http://b.test/");
        let args = match name {
            "browser_exec" => json!({ "sessionId": session, "code": "x" }),
            _ => json!({ "sessionId": session }),
        };
        assert_breach(&stage.call(name, args.clone()));
        assert_eq!(stage.world.url(tab).as_deref(), Some("about:blank"), "{name}");
        stage.good(name, args);
    }
}

#[test]
fn a_forbidden_domain_is_the_same_error_from_code_as_from_open() {
    let (stage, session) = guarded();
    let url = "http://b.test/".into();
    let goto =
        PageCall::Goto { page: String::new(), url, wait_until: LoadWait::Load, timeout: 900 };
    let refused = stage.exec(&session, vec![goto]);
    assert_breach(&refused);
    let opened = stage.call("browser_open", json!({ "url": "http://b.test/" }));
    assert_eq!(refused.details["code"], opened.details["code"]);
}

#[test]
fn too_much_to_be_judged_counts_as_a_breach() {
    for (is_guarded, domains) in [
        (false, DomainPolicy::default()),
        (true, DomainPolicy { allowed: None, blocked: vec!["b.test".into()] }),
    ] {
        let stage = Stage::with(domains);
        stage.serve("http://a.test/", "<!doctype html>a");
        let session = stage.open("http://a.test/");
        let (world, tab) = (stage.world.clone(), stage.world.newest_tab().unwrap());
        let flood = move || (0..1_100).for_each(|_| world.navigate(tab, "http://a.test/"));
        *stage.script.then.borrow_mut() = Some(Box::new(flood));
        let result = stage.exec(&session, vec![]);
        if is_guarded {
            assert_breach(&result);
        } else {
            assert!(!result.is_error, "{}", result.text);
        }
    }
}

#[test]
fn a_call_goes_to_the_page_that_is_the_newest_at_its_turn() {
    let stage = Stage::new();
    stage.serve("http://a.test/", "<!doctype html><title>one</title>");
    let session = stage.open("http://a.test/");
    let sleep = PageCall::Sleep { ms: 50 };
    *stage.script.calls.borrow_mut() = vec![sleep.clone(), PageCall::NewPage, sleep];
    let ran = tool("browser_exec", json!({ "sessionId": session, "code": "x" }));
    let seen = tool("browser_snapshot", json!({ "sessionId": session }));
    let (ran, seen) =
        stage.world.block_on(both(stage.toolkit.call(&ran), stage.toolkit.call(&seen)));
    assert!(!ran.is_error, "{}", ran.text);
    let tree = seen.details["tree"].as_str().unwrap();
    assert!(tree.contains("about:blank"), "{tree}");
}

/// A launcher that takes its time.
struct Slow(SimLauncher, SimHost);

impl Launcher for Slow {
    type Browser = <SimLauncher as Launcher>::Browser;

    async fn launch(&self, deadline: Millis) -> Result<Self::Browser, DriverError> {
        self.1.sleep_until(self.1.now().plus(100)).await;
        self.0.launch(deadline).await
    }

    async fn connect(&self, url: &str, deadline: Millis) -> Result<Self::Browser, DriverError> {
        self.0.connect(url, deadline).await
    }
}

#[test]
fn browsers_that_start_side_by_side_do_not_get_past_the_limit() {
    let world = World::new(7);
    let launcher = Slow(world.launcher(), world.host());
    let policy = PolicyState::new(Policy::Auto);
    let domains = DomainPolicy::default();
    let toolkit = Toolkit::new(launcher, world.host(), Script::default(), policy, domains);
    let open = tool("browser_open", json!({}));
    for _ in 0..SESSIONS_MAX - 1 {
        assert!(!world.block_on(toolkit.call(&open)).is_error);
    }
    let (a, b) = world.block_on(both(toolkit.call(&open), toolkit.call(&open)));
    let full = [&a, &b].map(|result| result.details["code"] == "too_many_sessions");
    assert_eq!(full.iter().filter(|full| **full).count(), 1, "{} {}", a.text, b.text);
    let status = world.block_on(toolkit.call(&tool("browser_status", json!({}))));
    let sessions = status.details["sessions"].as_array().unwrap().len();
    assert_eq!(sessions, SESSIONS_MAX);
}

#[test]
fn waits_and_questions_about_one_element_are_strict() {
    let stage = Stage::new();
    stage.serve("http://a.test/", "<!doctype html><button>Go</button><button>Go on</button>");
    let session = stage.open("http://a.test/");
    let page = String::new;
    for state in [WaitState::Attached, WaitState::Detached, WaitState::Visible, WaitState::Hidden] {
        let wait = |locator| PageCall::WaitFor { page: page(), locator, state, timeout: 200 };
        let result = stage.exec(&session, vec![wait(button("go"))]);
        assert_eq!(result.details["code"], "strict_mode", "{state:?}: {}", result.text);
        assert!(result.text.contains("Go on"), "{}", result.text);
    }
    let first = locator([button("go").steps, vec![Step::Nth(0)]].concat());
    let wait =
        PageCall::WaitFor { page: page(), locator: first, state: WaitState::Visible, timeout: 200 };
    assert!(!stage.exec(&session, vec![wait]).is_error);
    let query = Query::IsVisible;
    let asked = PageCall::Query { page: page(), locator: button("go"), query, timeout: 200 };
    assert_eq!(stage.exec(&session, vec![asked]).details["code"], "strict_mode");
}

#[test]
fn one_of_two_equal_texts_that_goes_is_told() {
    let stage = Stage::new();
    stage.serve(
        "http://a.test/",
        "<!doctype html><main><p>same</p><button>b</button><p id=q>same</p></main>",
    );
    let session = stage.open("http://a.test/");
    let change = |stage: &Stage| {
        let done = stage.exec(&session, vec![PageCall::Sleep { ms: 1 }]);
        done.details["snapshotDiff"].as_str().unwrap().to_owned()
    };
    assert_eq!(change(&stage), "");
    let tab = stage.world.newest_tab().unwrap();
    stage.world.mutate(tab, |page| page.remove("#q"));
    let told = change(&stage);
    assert!(told.contains("- \t\t\tsame"), "{told}");
    stage.world.mutate(tab, |page| page.append_html("main", "<p>same</p>"));
    let told = change(&stage);
    assert!(told.contains("+ \t\t\tsame"), "{told}");
}
