//! What is read without anybody having allowed it: nothing.

use crate::client::Client;
use backlot_core::gatekeeper::{Rule, RuleVerdict};
use backlot_core::page::TabId;
use backlot_sim::Response;
use serde_json::json;

/// A client at a page that may be read, with links to one that may not.
fn beside_a_denied_page() -> Client {
    let client = Client::showing("<a href=http://denied.test/>Go</a>");
    client.serve("http://denied.test/", "<button>Secret A</button><button>Secret B</button>");
    client.world.serve("http://page.test/to", Response::redirect("http://denied.test/"));
    client.tool.change_policy(|policy| {
        let rule = |tool: &str| Rule {
            tool: tool.into(),
            origin: "http://denied.test".into(),
            verdict: RuleVerdict::Deny,
        };
        policy.add_rule(rule("browser"));
    });
    client
}

#[test]
fn a_redirect_to_a_denied_page_shows_nothing_of_it() {
    let client = beside_a_denied_page();
    let gone = client.ok(json!({"action": "navigate", "targetUrl": "http://page.test/to"}));
    assert!(!gone.text.contains("Secret"), "{}", gone.text);
    assert!(gone.text.contains("could not be read (denied)"), "{}", gone.text);
}

#[test]
fn a_selector_on_a_denied_page_lists_nothing_of_it() {
    let client = beside_a_denied_page();
    client.world.navigate(TabId(1), "http://denied.test/");
    for act in [
        json!({"action": "act", "kind": "click", "selector": "button"}),
        json!({"action": "act", "kind": "press", "key": "Tab"}),
        json!({"action": "snapshot"}),
        json!({"action": "text"}),
        json!({"action": "screenshot", "labels": true}),
    ] {
        let (code, text) = client.fails(act.clone());
        assert!(code == "denied" && !text.contains("Secret"), "{act}: {code} {text}");
    }
}
