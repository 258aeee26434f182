//! Batches.

use crate::client::{Client, tree};
use backlot_core::page::TabId;
use serde_json::{Value, json};

fn client() -> Client {
    let client = Client::showing(
        "<form action=/done><label>Name <input name=n></label><button>Send</button></form><a href=#x>Here</a>",
    );
    client.serve("http://page.test/done?n=Ada", "<h1>Done</h1><button>Next</button>");
    client.tree(json!({}));
    client
}

fn batch(actions: Value) -> Value {
    let mut act = json!({"kind": "batch"});
    act["actions"] = actions;
    act
}

#[test]
fn acts_run_in_order_and_each_has_a_result() {
    let client = client();
    let done = client.act(batch(json!([
        {"kind": "type", "ref": "e2", "text": "Ada"},
        {"kind": "click", "ref": "e4"},
        {"kind": "batch", "actions": [{"kind": "hover", "ref": "e2"}, {"kind": "wait", "timeMs": 10}]},
    ])));
    let results = &done.details["results"];
    assert_eq!(results[0], json!({"kind": "type", "ok": true, "effect": "verified"}));
    assert_eq!(results[2]["results"][1], json!({"kind": "wait", "ok": true}));
    assert_eq!(done.details["ok"], json!(true));
    assert!(done.details["aborted"].is_null() && done.details["navigated"].is_null());
    assert!(
        done.text.contains("\n[0] typed into textbox \"Name\"\n[1] clicked link \"Here\"\n"),
        "{}",
        done.text
    );
}

#[test]
fn a_batch_stops_at_the_first_failure_unless_told_otherwise() {
    let client = client();
    let acts =
        json!([{"kind": "click", "ref": "e99"}, {"kind": "type", "ref": "e2", "text": "Ada"}]);
    let stopped = client.act(batch(acts.clone())).details;
    assert_eq!((&stopped["ok"], &stopped["skipped"]), (&json!(false), &json!(1)));
    assert_eq!(stopped["results"][0]["error"]["code"], json!("stale_ref"));
    let name = || client.world.mutate(TabId(1), |page| page.value("[name=n]"));
    assert_eq!(name(), "");
    let mut on = batch(acts);
    on["stopOnError"] = false.into();
    let on = client.act(on).details;
    assert_eq!((&on["ok"], &on["results"][1]["ok"]), (&json!(false), &json!(true)));
    assert_eq!(name(), "Ada");
    let nested =
        client.act(batch(json!([batch(json!([{"kind": "click", "ref": "e99"}]))]))).details;
    assert_eq!((&nested["ok"], &nested["results"][0]["ok"]), (&json!(false), &json!(false)));
}

#[test]
fn a_navigation_ends_a_batch_and_brings_the_new_page() {
    let client = client();
    let done = client.act(batch(json!([
        {"kind": "type", "ref": "e2", "text": "Ada"},
        {"kind": "click", "ref": "e3"},
        {"kind": "click", "ref": "e4"},
        {"kind": "click", "ref": "e4"},
    ])));
    assert_eq!(
        done.details["aborted"],
        json!({"reason": "navigation", "afterAction": 1, "skipped": 2, "url": "http://page.test/done?n=Ada"})
    );
    assert_eq!(done.details["results"][1]["navigated"], json!(true));
    assert_eq!(done.details["results"][1]["url"], json!("http://page.test/done?n=Ada"));
    assert_eq!(done.details["results"].as_array().map(Vec::len), Some(2));
    assert_eq!(done.details["navigated"], json!(true));
    assert_eq!(tree(&done.text), "- button \"Next\" [ref=e5]");
    client.act(json!({"kind": "click", "ref": "e5"}));
    assert_eq!(client.fails(json!({"action": "act", "kind": "click", "ref": "e4"})).0, "stale_ref");
}

#[test]
fn the_last_act_may_navigate_and_nothing_was_aborted() {
    let client = client();
    let done = client.act(batch(json!([
        {"kind": "type", "ref": "e2", "text": "Ada", "submit": true},
    ])));
    assert!(done.details["aborted"].is_null());
    assert_eq!(done.details["navigated"], json!(true));
    assert!(done.text.contains("button \"Next\""), "{}", done.text);
}

#[test]
fn a_navigation_in_a_nested_batch_ends_all_of_them() {
    let client = client();
    let done = client.act(batch(json!([
        batch(json!([{"kind": "type", "ref": "e2", "text": "Ada", "submit": true}, {"kind": "click", "ref": "e4"}])),
        {"kind": "click", "ref": "e4"},
    ])));
    assert_eq!(done.details["results"][0]["aborted"]["skipped"], json!(1));
    assert_eq!(done.details["aborted"]["skipped"], json!(1));
}

#[test]
fn closing_the_tab_ends_a_batch() {
    let client = client();
    let done = client.act(batch(json!([{"kind": "close"}, {"kind": "click", "ref": "e4"}])));
    assert_eq!(
        done.details["aborted"],
        json!({"reason": "closed", "afterAction": 0, "skipped": 1})
    );
    assert_eq!((&done.details["closed"], &done.details["targetId"]), (&json!(true), &json!("t1")));
}

#[test]
fn a_batch_has_limits_and_one_tab() {
    let client = client();
    let hundred = |count: usize| batch(vec![json!({"kind": "wait", "timeMs": 0}); count].into());
    client.act(hundred(100));
    let fails = |mut call: Value| {
        call["action"] = "act".into();
        client.fails(call).1
    };
    assert!(fails(hundred(101)).contains("at most 100"));
    let nested =
        (0..5).fold(json!({"kind": "wait", "timeMs": 0}), |inner, _| batch(json!([inner])));
    client.act(nested.clone());
    assert!(fails(batch(json!([nested]))).contains("at most 5 deep"));
    let text =
        fails(batch(json!([{"kind": "wait", "timeMs": 0}, batch(json!([{"kind": "click"}]))])));
    assert!(text.contains("actions[1].actions[0]: Invalid"), "{text}");
    client.ok(json!({"action": "open", "targetUrl": "http://page.test/"}));
    let text = fails(batch(json!([{"kind": "wait", "timeMs": 0, "targetId": "t1"}])));
    assert!(text.contains("actions[0].targetId"), "{text}");
    client.act(batch(json!([{"kind": "wait", "timeMs": 0, "targetId": "t2"}])));
}
