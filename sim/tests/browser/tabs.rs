//! The browser's life and its tabs.

use crate::client::Client;
use backlot_core::gatekeeper::{Policy, PolicyState, Rule, RuleVerdict};
use backlot_core::page::TabId;
use backlot_core::port::{Approval, DriverError, Launcher, Millis};
use backlot_core::surface::Surface;
use backlot_core::surface::browser::BrowserTool;
use backlot_core::tool::ToolCall;
use backlot_sim::{SimBrowser, World};
use serde_json::{Value, json};
use std::future::{Future, poll_fn};
use std::pin::pin;
use std::task::Poll;

#[test]
fn nothing_starts_a_browser_that_only_looks_for_a_tab() {
    let client = Client::new();
    let tabs = client.ok(json!({"action": "tabs"})).details;
    assert_eq!((&tabs["running"], &tabs["tabCount"]), (&json!(false), &json!(0)));
    for action in ["snapshot", "text", "requests", "errors", "close", "screenshot"] {
        let (code, text) = client.fails(json!({"action": action}));
        assert_eq!(code, "not_running", "{action}");
        assert!(text.contains("open"), "{text}");
    }
    let given = json!({"action": "navigate", "targetId": "t1", "targetUrl": "http://page.test/"});
    assert_eq!(client.fails(given).0, "not_running");
    let status = client.ok(json!({"action": "status"})).details;
    assert_eq!(status["running"], json!(false));
    let doctor = client.ok(json!({"action": "doctor"})).details;
    assert_eq!(doctor["ok"], json!(true));
}

#[test]
fn a_browser_starts_and_stops_and_old_ids_and_refs_stay_old() {
    let client = Client::showing("<button>Save</button>");
    let status = client.ok(json!({"action": "status"})).details;
    assert_eq!(
        [&status["running"], &status["profile"], &status["tabCount"]],
        [&json!(true), &json!("openclaw"), &json!(1)]
    );
    let elem_ref = client.elem_ref("Save");
    client.ok(json!({"action": "stop"}));
    client.ok(json!({"action": "stop"}));
    assert_eq!(client.ok(json!({"action": "tabs"})).details["running"], json!(false));
    client.ok(json!({"action": "start"}));
    client.ok(json!({"action": "start"}));
    client.ok(json!({"action": "open", "url": "http://page.test/"}));
    let (code, text) = client.fails(json!({"action": "snapshot", "targetId": "t1"}));
    assert_eq!(code, "tab_gone");
    assert!(text.contains("t1 is gone") && text.contains("open tabs: t2"), "{text}");
    let new = client.elem_ref("Save");
    assert_ne!(new, elem_ref);
    let old = json!({"action": "act", "kind": "click", "ref": elem_ref});
    assert_eq!(client.fails(old).0, "stale_ref");
    client.act(json!({"kind": "click", "ref": new}));
    client.world.block_on(client.tool.dispose());
    assert_eq!(client.ok(json!({"action": "tabs"})).details["running"], json!(false));
}

#[test]
fn tabs_have_ids_and_labels_and_the_last_one_is_meant() {
    let client = Client::showing("<title>One</title><button>First</button>");
    client.serve("http://two.test/", "<title>Two\n- t9 x</title><button>Second</button>");
    let opened = json!({"action": "open", "targetUrl": "http://two.test/", "label": "docs"});
    let opened = client.ok(opened).details;
    assert_eq!((&opened["tabId"], &opened["targetId"]), (&json!("t2"), &json!("docs")));
    assert!(client.tree(json!({})).contains("Second"));
    assert!(client.tree(json!({"targetId": "t1"})).contains("First"));
    assert!(client.tree(json!({})).contains("First"), "the tab used last");
    assert!(client.tree(json!({"targetId": "docs"})).contains("Second"));
    let listed = client.ok(json!({"action": "tabs"}));
    assert!(
        listed.text.contains("\n- t2 label=\"docs\" \"Two - t9 x\" http://two.test/"),
        "{}",
        listed.text
    );
    assert_eq!(listed.details["tabs"][1]["label"], json!("docs"));
    for (label, because) in [("docs", "another tab"), ("t7", "tab id"), ("a\nb", "controls")] {
        let open = json!({"action": "open", "targetUrl": "http://two.test/", "label": label});
        let (code, text) = client.fails(open);
        assert!(code == "invalid_arguments" && text.contains(because), "{text}");
    }
    client.ok(json!({"action": "focus", "targetId": "docs"}));
    assert_eq!(client.ok(json!({"action": "tabs"})).details["tabs"][1]["active"], json!(true));
    assert_eq!(client.ok(json!({"action": "close"})).details["tabCount"], json!(1));
    let (code, text) = client.fails(json!({"action": "focus", "targetId": "docs"}));
    assert!(code == "tab_gone" && text.contains("open tabs: t1"), "{text}");
    assert_eq!(client.fails(json!({"action": "focus"})).0, "invalid_arguments");
}

#[test]
fn a_tab_that_a_person_closed_is_not_replaced_by_another() {
    let client = Client::showing("<button>First</button>");
    client.ok(json!({"action": "open", "targetUrl": "http://page.test/"}));
    client.world.close_tab(TabId(2));
    let (code, text) = client.fails(json!({"action": "snapshot"}));
    assert!(code == "tab_gone" && text.contains("open tabs: t1"), "{text}");
    client.ok(json!({"action": "snapshot", "targetId": "t1"}));
}

#[test]
fn a_loaded_page_comes_with_its_state() {
    let client = Client::showing("<p>x</p>");
    client.serve("http://two.test/", "<h1>Two</h1><a href=/more>More</a><button>Go</button>");
    let went = client.ok(json!({"action": "navigate", "targetUrl": "http://two.test/"}));
    assert_eq!(went.details["url"], json!("http://two.test/"));
    assert_eq!(went.details["stats"]["interactive"], json!(2));
    assert_eq!(
        crate::client::tree(&went.text),
        "- link \"More\" [ref=e1]\n- button \"Go\" [ref=e2]"
    );
    client.act(json!({"kind": "click", "ref": "e2"}));
    client.ok(json!({"action": "navigate", "targetUrl": "about:blank"}));
}

#[test]
fn only_web_pages_are_gone_to() {
    let client = Client::new();
    for (url, scheme) in [
        ("file:///etc/passwd", "file"),
        ("javascript:alert(1)", "javascript"),
        ("data:text/html,x", "data"),
        ("chrome://version", "chrome"),
        ("about:config", "about"),
    ] {
        for action in ["open", "navigate"] {
            let (code, text) = client.fails(json!({"action": action, "targetUrl": url}));
            assert!(code == "denied" && text.contains(&format!("scheme {scheme}")), "{text}");
        }
    }
    assert_eq!(
        client.fails(json!({"action": "open", "targetUrl": "page.test"})).0,
        "invalid_arguments"
    );
    assert_eq!(client.fails(json!({"action": "open"})).0, "invalid_arguments");
    assert_eq!(client.ok(json!({"action": "tabs"})).details["running"], json!(false));
}

#[test]
fn what_does_not_load_says_so_outside_our_own_words() {
    let client = Client::new();
    let result = client.call(json!({"action": "open", "targetUrl": "http://nowhere.test/"}));
    assert_eq!((result.is_error, &result.details["code"]), (true, &json!("load_failed")));
    assert_eq!(result.details["externalContent"]["wrapped"], json!(true));
}

#[test]
fn what_only_the_public_tool_has_is_named() {
    let client = Client::showing("<p>x</p>");
    for (arguments, what) in [
        (json!({"action": "console"}), "the action console"),
        (json!({"action": "pdf"}), "the action pdf"),
        (json!({"action": "profiles"}), "the action profiles"),
        (json!({"action": "tabs", "profile": "chrome"}), "the profile"),
        (json!({"action": "tabs", "target": "sandbox"}), "the target sandbox"),
        (json!({"action": "tabs", "node": "n"}), "the field node"),
        (json!({"action": "snapshot", "dashboard": "service-status"}), "the field dashboard"),
        (json!({"action": "act", "kind": "clickCoords", "x": 1, "y": 1}), "the kind clickCoords"),
        (json!({"action": "act", "request": {"kind": "clickCoords"}}), "the kind clickCoords"),
    ] {
        let (code, text) = client.fails(arguments);
        assert!(code == "unsupported" && text.contains(what), "{text}");
    }
    client.ok(json!({"action": "tabs", "profile": "openclaw", "target": "host"}));
    let (code, text) = client.fails(json!({"action": "tabs", "colour": 1, "depth": "x"}));
    assert_eq!(code, "invalid_arguments");
    assert!(text.contains("colour: is not a parameter") && text.contains("depth: must"), "{text}");
    let (_, text) = client.fails(json!({"action": "fly"}));
    assert!(text.contains("action: must be one of doctor, status"), "{text}");
    let (_, text) = client.fails(Value::Null);
    assert!(text.contains("action: is required"), "{text}");
}

#[test]
fn the_policy_is_asked_by_what_an_action_does() {
    let client = Client::with(Policy::Untrusted);
    client.serve("http://page.test/", "<button>Save</button>");
    client.world.set_approval(Approval::Decline { note: "no".into() });
    let open = json!({"action": "open", "targetUrl": "http://page.test/"});
    assert_eq!(client.fails(open.clone()).0, "declined");
    client.world.set_approval(Approval::Accept);
    // The blank tab that the declined call left is used.
    assert_eq!(client.ok(open.clone()).details["tabId"], json!("t1"));
    client.world.set_approval(Approval::Decline { note: "no".into() });
    let elem_ref = client.elem_ref("Save");
    client.ok(json!({"action": "requests"}));
    let click = json!({"action": "act", "kind": "click", "ref": elem_ref});
    assert_eq!(client.fails(click.clone()).0, "declined");
    for action in ["close", "stop"] {
        assert_eq!(client.fails(json!({"action": action})).0, "declined", "{action}");
    }
    client.world.set_approval(Approval::AcceptForSession);
    client.ok(click.clone());
    client.tool.change_policy(|policy| {
        policy.add_rule(Rule {
            tool: "category:click".into(),
            origin: "*".into(),
            verdict: RuleVerdict::Deny,
        });
    });
    assert_eq!(client.fails(click).0, "denied");
    client.ok(json!({"action": "act", "kind": "press", "key": "Tab"}));
}

/// A launcher that finds no browser.
struct Nowhere;

impl Launcher for Nowhere {
    type Browser = SimBrowser;

    async fn launch(&self, _: Millis) -> Result<SimBrowser, DriverError> {
        Err(DriverError::BrowserNotFound { looked_at: "/usr/bin/chromium".into() })
    }

    async fn connect(&self, endpoint: &str, _: Millis) -> Result<SimBrowser, DriverError> {
        Err(DriverError::AttachFailed { endpoint: endpoint.into(), reason: "none".into() })
    }
}

#[test]
fn a_browser_that_does_not_start_says_why() {
    let world = World::new(1);
    let tool = BrowserTool::new(Nowhere, world.host(), PolicyState::new(Policy::Auto));
    for action in ["start", "open", "navigate"] {
        let arguments = json!({"action": action, "targetUrl": "http://page.test/"});
        let call = ToolCall { name: "browser".into(), arguments };
        let result = world.block_on(tool.call(&call));
        assert_eq!(result.details["code"], json!("browser_not_found"), "{}", result.text);
    }
}

#[test]
fn calls_at_the_same_time_start_one_browser() {
    let client = Client::new();
    client.serve("http://page.test/", "<p>x</p>");
    let call = ToolCall {
        name: "browser".into(),
        arguments: json!({"action": "open", "targetUrl": "http://page.test/"}),
    };
    client.world.block_on(async {
        let (mut one, mut two) = (pin!(client.tool.call(&call)), pin!(client.tool.call(&call)));
        let mut done = [false, false];
        poll_fn(|context| {
            done[0] = done[0] || one.as_mut().poll(context).is_ready();
            done[1] = done[1] || two.as_mut().poll(context).is_ready();
            if done == [true, true] { Poll::Ready(()) } else { Poll::Pending }
        })
        .await;
    });
    assert_eq!(client.ok(json!({"action": "tabs"})).details["tabCount"], json!(2));
}
