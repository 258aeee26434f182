//! What refs are bound to, and when they end.

use crate::client::Client;
use backlot_core::page::TabId;
use serde_json::json;

#[test]
fn a_ref_of_something_that_went_away_or_became_another_thing_is_stale() {
    let client = Client::showing(
        "<ul><li>Tea <button>Buy</button><li>Oil <button>Buy</button></ul><button>Save</button>",
    );
    let tree = client.tree(json!({}));
    assert!(
        tree.contains("button \"Buy\" [ref=e1]") && tree.contains("button \"Save\" [ref=e3]"),
        "{tree}"
    );
    let events = client.world.event_log().len();
    client.world.mutate(TabId(1), |page| {
        page.set_text("li", "Rum");
        page.append_html("li", " <button>Buy</button>");
        page.set_text("ul + button", "Delete");
        page.set_attribute("ul + button", "type", Some("reset"));
    });
    for elem_ref in ["e1", "e3"] {
        let (code, text) = client.fails(json!({"action": "act", "kind": "click", "ref": elem_ref}));
        assert_eq!(code, "stale_ref");
        assert!(text.contains("take a new snapshot"), "{text}");
    }
    assert_eq!(client.world.event_log().len(), events, "no event on the wrong element");
    client.act(json!({"kind": "click", "ref": "e2"}));
    let tree = client.tree(json!({}));
    assert!(tree.contains("button \"Buy\" [ref=e4]") && tree.contains("[ref=e2]"), "{tree}");
    client.act(json!({"kind": "click", "ref": "e4"}));
}

#[test]
fn a_snapshot_in_between_gives_no_old_ref_another_meaning() {
    let client = Client::showing(
        "<h1 id=head>Rows</h1><ul><li><span>Ann</span> <button>Delete</button><li>Bob <button>Delete</button></ul>\
         <button id=a>Take A</button><button id=b>Take B</button>",
    );
    let tree = client.tree(json!({"interactive": true}));
    assert!(tree.contains("button \"Take B\" [ref=e4]"), "{tree}");
    let events = client.world.event_log().len();
    client.world.mutate(TabId(1), |page| {
        page.set_text("span", "Cleo");
        page.set_text("#a", "Take B");
        page.set_text("#b", "Take A");
    });
    client.ok(json!({"action": "snapshot", "query": "Nothing"}));
    client.ok(json!({"action": "snapshot", "selector": "#head"}));
    for elem_ref in ["e1", "e3", "e4"] {
        let click = json!({"action": "act", "kind": "click", "ref": elem_ref});
        assert_eq!(client.fails(click).0, "stale_ref", "{elem_ref}");
    }
    assert_eq!(client.world.event_log().len(), events, "no event on the wrong element");
    client.act(json!({"kind": "click", "ref": "e2"}));
}

#[test]
fn refs_keep_their_number_and_end_with_their_document() {
    let client = Client::showing("<button>One</button><button>Two</button>");
    client.tree(json!({}));
    client.world.mutate(TabId(1), |page| page.remove("button"));
    assert_eq!(client.tree(json!({})), "- button \"Two\" [ref=e2]");
    client.ok(json!({"action": "navigate", "targetUrl": "http://page.test/"}));
    for elem_ref in ["e1", "e2"] {
        let old = json!({"action": "act", "kind": "click", "ref": elem_ref});
        assert_eq!(client.fails(old).0, "stale_ref");
    }
    assert!(client.tree(json!({})).contains("button \"One\" [ref=e3]"));
}
