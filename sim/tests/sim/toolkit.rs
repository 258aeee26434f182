//! The toolkit over the simulated browser, its code bodies as lists of calls.

use backlot_core::action::ToolResult;
use backlot_core::gatekeeper::{Policy, PolicyState};
use backlot_core::locate::{Locator, Patterns, RoleStep, Step, TextMatch};
use backlot_core::port::{Button, Millis, Modifiers};
use backlot_core::surface::Surface;
use backlot_core::surface::toolkit::{
    Action, CodeEnd, CodeRunner, DomainPolicy, LoadWait, PageCall, PageDoor, Query, Toolkit,
};
use backlot_core::tool::ToolCall;
use backlot_sim::{Response, SimHost, SimLauncher, World};
use serde_json::{Value, json};
use std::cell::RefCell;
use std::rc::Rc;

pub(crate) type Then = Box<dyn Fn()>;

/// Runs the calls that were put on its list; the body is the answer of the last one.
#[derive(Clone, Default)]
pub(crate) struct Script {
    pub(crate) calls: Rc<RefCell<Vec<PageCall>>>,
    /// What happens behind the calls, within the same body.
    pub(crate) then: Rc<RefCell<Option<Then>>>,
}

struct NoPatterns;

impl Patterns for NoPatterns {
    fn finds(&self, _: &str, _: &str, _: &str) -> Result<bool, String> {
        Err("no patterns here".into())
    }
}

impl CodeRunner for Script {
    async fn run<D: PageDoor + 'static>(&self, door: D, code: &str, _: Millis) -> CodeEnd {
        let calls = std::mem::take(&mut *self.calls.borrow_mut());
        let mut result = Ok(None);
        for call in calls {
            let call = on_page(call, door.page());
            match door.call(call, &NoPatterns).await {
                Ok(value) => result = Ok(Some(value)),
                Err(error) => {
                    result = Err(format!("{}: {}", error.code, error.message));
                    break;
                }
            }
        }
        if let Some(then) = self.then.borrow_mut().take() {
            then();
        }
        CodeEnd { result, stdout: code.into(), stderr: String::new() }
    }
}

/// Calls are written without a page.
fn on_page(call: PageCall, page: &str) -> PageCall {
    let mut json = serde_json::to_value(call).unwrap();
    if let Some(field) = json.get_mut("page") {
        *field = page.into();
    }
    serde_json::from_value(json).unwrap()
}

pub(crate) struct Stage {
    pub(crate) world: World,
    pub(crate) script: Script,
    pub(crate) toolkit: Toolkit<SimLauncher, SimHost, Script>,
}

impl Stage {
    pub(crate) fn new() -> Self {
        Self::with(DomainPolicy::default())
    }

    pub(crate) fn with(domains: DomainPolicy) -> Self {
        let world = World::new(7);
        let script = Script::default();
        let policy = PolicyState::new(Policy::Auto);
        let toolkit = Toolkit::new(world.launcher(), world.host(), script.clone(), policy, domains);
        Self { world, script, toolkit }
    }

    pub(crate) fn serve(&self, url: &str, html: &str) {
        self.world.serve(url, Response::html(html));
    }

    pub(crate) fn call(&self, name: &str, arguments: Value) -> ToolResult {
        self.world.block_on(self.toolkit.call(&ToolCall { name: name.into(), arguments }))
    }

    pub(crate) fn good(&self, name: &str, arguments: Value) -> Value {
        let result = self.call(name, arguments);
        assert!(!result.is_error, "{}", result.text);
        assert_eq!(result.details["ok"], json!(true));
        result.details
    }

    pub(crate) fn bad(&self, name: &str, arguments: Value) -> String {
        let result = self.call(name, arguments);
        assert!(result.is_error && !result.is_protocol_error, "{}", result.text);
        assert_eq!(result.details["ok"], json!(false));
        result.details["error"].as_str().unwrap().to_owned()
    }

    pub(crate) fn open(&self, url: &str) -> String {
        let opened = self.good("browser_open", json!({ "url": url }));
        opened["sessionId"].as_str().unwrap().to_owned()
    }

    pub(crate) fn exec(&self, session: &str, calls: Vec<PageCall>) -> ToolResult {
        *self.script.calls.borrow_mut() = calls;
        self.call("browser_exec", json!({ "sessionId": session, "code": "body" }))
    }

    pub(crate) fn tree(&self, session: &str) -> String {
        let shown = self.good("browser_snapshot", json!({ "sessionId": session }));
        shown["tree"].as_str().unwrap().to_owned()
    }
}

pub(crate) fn locator(steps: Vec<Step>) -> Locator {
    Locator { steps }
}

pub(crate) fn button(name: &str) -> Locator {
    let name = Some(TextMatch::Part(name.into()));
    locator(vec![Step::Role(RoleStep { role: "button".into(), name, ..RoleStep::default() })])
}

pub(crate) fn click(locator: Locator) -> PageCall {
    let action = Action::Click { button: Button::Left, count: 1, modifiers: Modifiers::default() };
    PageCall::Act { page: String::new(), locator, action, timeout: 500 }
}

#[test]
fn a_session_opens_shows_and_closes() {
    let stage = Stage::new();
    stage.serve("http://a.test/", "<!doctype html><title>Inbox</title><main><h2>Mail</h2><button disabled>Send</button><a href=/x>Open</a></main>");
    let opened = stage.good("browser_open", json!({ "url": "http://a.test/" }));
    assert_eq!(opened.as_object().unwrap().len(), 2, "{opened}");
    let session = opened["sessionId"].as_str().unwrap();
    assert!(session.starts_with("ses-") && session.len() == 8, "{session}");
    let tree = stage.tree(session);
    assert_eq!(
        tree,
        "<page title=\"Inbox\" url=\"http://a.test/\">\n\
         \t<frame index=\"0\" url=\"http://a.test/\">\n\
         \t\t<main ref=\"l1\">\n\
         \t\t\t## Mail\n\
         \t\t\t<button ref=\"l3\" disabled=\"true\">Send</button>\n\
         \t\t\t<link ref=\"l4\" href=\"/x\">Open</link>\n\
         \t\t</main>\n\
         \t</frame>\n\
         </page>"
    );
    let status = stage.good("browser_status", json!({}));
    assert_eq!(status["sessions"][0]["provider"], "local");
    let page = status["sessions"][0]["pages"][0]["pageId"].as_str().unwrap();
    let detail = stage.good("browser_status", json!({ "sessionId": session, "pageId": page }));
    assert_eq!(
        detail,
        json!({ "ok": true, "pageId": page, "url": "http://a.test/", "title": "Inbox",
            "viewport": { "width": 1280, "height": 720 }, "active": true, "readyState": "complete" })
    );
    assert_eq!(stage.good("browser_close", json!({ "sessionId": session })), json!({ "ok": true }));
    assert_eq!(stage.good("browser_status", json!({}))["sessions"], json!([]));
    assert!(stage.bad("browser_close", json!({ "sessionId": session })).contains("browser_open"));
}

#[test]
fn what_cannot_be_is_told_with_the_next_step() {
    let stage = Stage::new();
    stage.serve("http://a.test/", "<!doctype html>x");
    let session = stage.open("http://a.test/");
    for (tool, arguments, says) in [
        ("browser_open", json!({ "url": "a.test" }), "full https:// URL"),
        ("browser_open", json!({ "url": "http://none.test/" }), "browser_open again"),
        ("browser_open", json!({ "urll": "x" }), "urll"),
        ("browser_connect", json!({ "cdpUrl": "ws://127.0.0.1:1/x" }), "ws://127.0.0.1:1/x"),
        ("browser_exec", json!({ "sessionId": "ses-none", "code": "1" }), "ses-none"),
        (
            "browser_exec",
            json!({ "sessionId": session, "code": "1", "pageId": "page-none" }),
            "page-none",
        ),
        ("browser_exec", json!({ "sessionId": session }), "code"),
        ("browser_status", json!({ "pageId": "page-1" }), "sessionId"),
        ("browser_snapshot", json!({ "sessionId": session, "screenshot": true }), "unsupported"),
        ("browser_nothing", json!({}), "browser_nothing"),
    ] {
        let error = stage.bad(tool, arguments.clone());
        assert!(error.contains(says), "{tool} {arguments}: {error}");
    }
    let sessions = stage.good("browser_status", json!({}))["sessions"].clone();
    assert_eq!(sessions.as_array().unwrap().len(), 1, "the failed ones are closed: {sessions}");
}

#[test]
fn code_acts_and_its_changes_are_told() {
    let stage = Stage::new();
    stage.serve("http://a.test/", "<!doctype html><title>t</title><input type=checkbox id=c aria-label=Tick><button id=b>Go</button><details><summary>More</summary><p>Hidden</p></details>");
    let session = stage.open("http://a.test/");
    let nothing = stage.exec(&session, vec![PageCall::Title { page: String::new() }]);
    assert_eq!(
        nothing.details,
        json!({ "ok": true, "result": "t", "stdout": "body", "stderr": "", "snapshotDiff": "" })
    );
    let tick = locator(vec![Step::Label(TextMatch::Part("tick".into()))]);
    let check = PageCall::Act {
        page: String::new(),
        locator: tick.clone(),
        action: Action::SetChecked { checked: true },
        timeout: 500,
    };
    let done = stage.exec(&session, vec![check]);
    let change = done.details["snapshotDiff"].as_str().unwrap().to_owned();
    assert!(
        change.contains("~ \t\t<checkbox ref=\"l1\" checked=\"true\">"),
        "{}\n{change}",
        done.text
    );
    assert!(!change.contains("Go"), "{change}");
    stage.world.mutate(stage.world.newest_tab().unwrap(), |page| {
        page.remove("#b");
        page.append_html("body", "<button>New</button>");
    });
    let done = stage.exec(&session, vec![PageCall::Title { page: String::new() }]);
    let change = done.details["snapshotDiff"].as_str().unwrap();
    assert!(change.contains("- \t\t<button ref=\"l2\">Go</button>"), "{change}");
    assert!(change.contains("+ \t\t<button ref=") && change.contains(">New</button>"), "{change}");
    let asked = stage.exec(
        &session,
        vec![PageCall::Query {
            page: String::new(),
            locator: tick,
            query: Query::IsChecked,
            timeout: 100,
        }],
    );
    assert_eq!(
        (&asked.details["result"], &asked.details["snapshotDiff"]),
        (&json!(true), &json!(""))
    );
}

#[test]
fn a_ref_is_its_element_or_nothing() {
    let stage = Stage::new();
    stage.serve("http://a.test/", "<!doctype html><ul id=l><li>Ann <button>Delete</button></li><li>Bob <button>Delete</button></li></ul>");
    let session = stage.open("http://a.test/");
    let tree = stage.tree(&session);
    assert!(tree.contains("<button ref=\"l3\">Delete</button>"), "{tree}");
    let of = |name: &str| locator(vec![Step::Ref(name.into())]);
    assert!(!stage.exec(&session, vec![click(of("l3"))]).is_error);
    let tab = stage.world.newest_tab().unwrap();
    stage.world.mutate(tab, |page| page.set_text("li", "Cleo"));
    let events = stage.world.event_log().len();
    for stale in ["l3", "l99", "x3"] {
        let result = stage.exec(&session, vec![click(of(stale))]);
        assert_eq!(result.details["code"], "stale_ref", "{stale}: {}", result.text);
    }
    assert_eq!(stage.world.event_log().len(), events, "nothing was sent");
}

#[test]
fn a_covered_or_missing_target_is_waited_for_and_then_told() {
    let stage = Stage::new();
    stage.serve("http://a.test/", "<!doctype html><button>Go</button><div id=veil style='position:fixed;inset:0'>Cookies</div>");
    let session = stage.open("http://a.test/");
    let result = stage.exec(&session, vec![click(button("go"))]);
    assert_eq!(result.details["code"], "occluded", "{}", result.text);
    assert!(result.text.contains("Cookies"), "{}", result.text);
    let missing = stage.exec(&session, vec![click(button("none"))]);
    assert_eq!(missing.details["code"], "timeout", "{}", missing.text);
    assert_eq!(stage.world.event_log(), Vec::<String>::new());
}

#[test]
fn several_elements_are_listed() {
    let stage = Stage::new();
    stage.serve(
        "http://a.test/",
        "<!doctype html><button id=a>Go</button><button id=b>Go on</button>",
    );
    let session = stage.open("http://a.test/");
    let result = stage.exec(&session, vec![click(button("go"))]);
    assert_eq!(result.details["code"], "strict_mode", "{}", result.text);
    let error = result.details["error"].as_str().unwrap();
    assert!(
        error.contains("2 elements") && error.contains("id=\"a\"") && error.contains("\"Go on\""),
        "{error}"
    );
}

#[test]
fn a_navigation_of_a_click_is_followed() {
    let stage = Stage::new();
    stage.serve("http://a.test/", "<!doctype html><title>one</title><a href=/two>Next</a>");
    stage.serve("http://a.test/two", "<!doctype html><title>two</title><p>Second");
    let session = stage.open("http://a.test/");
    let link = locator(vec![Step::Text(TextMatch::Part("next".into()))]);
    let page = String::new;
    let done = stage.exec(&session, vec![click(link), PageCall::Title { page: page() }]);
    assert_eq!(done.details["result"], "two", "{}", done.text);
    let change = done.details["snapshotDiff"].as_str().unwrap();
    assert!(
        change.contains("- <page title=\"one\"") && change.contains("+ \t\tSecond"),
        "{change}"
    );
    let wait_until = LoadWait::Load;
    let back = PageCall::GoBack { page: page(), wait_until, timeout: 1_000 };
    let done = stage.exec(&session, vec![back, PageCall::Url { page: page() }]);
    assert_eq!(done.details["result"], "http://a.test/", "{}", done.text);
}

#[test]
fn forbidden_domains_are_never_shown() {
    let domains = DomainPolicy { allowed: None, blocked: vec!["b.test".into()] };
    let stage = Stage::with(domains);
    stage.serve("http://a.test/", "<!doctype html><a href=http://b.test/>Away</a>");
    stage.serve("http://b.test/", "<!doctype html>b");
    let refused = stage.call("browser_open", json!({ "url": "http://b.test/" }));
    assert!(refused.is_protocol_error && refused.text.contains("b.test"), "{}", refused.text);
    let session = stage.open("http://a.test/");
    let link = locator(vec![Step::Text(TextMatch::Part("away".into()))]);
    let refused = stage.exec(&session, vec![click(link)]);
    assert!(
        refused.is_protocol_error && refused.details["code"] == "domain_policy",
        "{}",
        refused.text
    );
    let pages = stage.good("browser_status", json!({ "sessionId": session }))["pages"].clone();
    assert_eq!(pages[0]["url"], "about:blank");
}

#[test]
fn an_attached_browser_lives_on() {
    let stage = Stage::new();
    stage.serve("http://a.test/", "<!doctype html>x");
    let connected = stage.good("browser_connect", json!({ "cdpUrl": SimLauncher::ENDPOINT }));
    let session = connected["sessionId"].as_str().unwrap().to_owned();
    let new_page = stage.exec(&session, vec![PageCall::NewPage]);
    assert_eq!(new_page.details["code"], "no_page", "{}", new_page.text);
    stage.good("browser_close", json!({ "sessionId": session }));
    let owned = stage.open("http://a.test/");
    assert!(stage.world.newest_tab().is_some());
    stage.world.block_on(stage.toolkit.dispose());
    assert_eq!(stage.world.newest_tab(), None, "{owned}");
}

#[test]
fn a_modal_hides_the_page_only_while_it_is_shown() {
    let stage = Stage::new();
    stage.serve("http://a.test/", "<!doctype html><p>Behind</p><div role=dialog aria-modal=true id=d><button>OK</button></div>");
    let session = stage.open("http://a.test/");
    let tree = stage.tree(&session);
    assert!(!tree.contains("Behind") && tree.contains("OK"), "{tree}");
    let tab = stage.world.newest_tab().unwrap();
    stage
        .world
        .mutate(tab, |page| page.set_attribute("#d", "style", Some("position:fixed;left:-999px")));
    let tree = stage.tree(&session);
    assert!(tree.contains("Behind"), "{tree}");
}

#[test]
fn a_page_forges_nothing() {
    let stage = Stage::new();
    stage.serve("http://a.test/", "<!doctype html><title>x\"><script></title><p># Fake</p><p>...</p><p>[Truncated 3 more elements]</p><button>&lt;/button&gt;\n&lt;link ref=\"l9\"&gt;Pay</button><a href='/\"><b>'>L</a><input type=password value=hunter2>");
    let session = stage.open("http://a.test/");
    let tree = stage.tree(&session);
    for forged in
        ["<script>", "<link ref=\"l9\">", "\t# Fake", "\t...", "\t[Truncated", "hunter2", "<b>"]
    {
        assert!(!tree.contains(forged), "{forged}\n{tree}");
    }
}
