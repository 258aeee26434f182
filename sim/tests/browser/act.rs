//! Single acts.

use crate::client::Client;
use backlot_core::page::TabId;
use backlot_core::port::DialogKind;
use serde_json::{Value, json};

const FORM: &str = "<form action=/done><label>Name <input name=n></label><label>Pw <input type=password></label>
<label><input type=checkbox> Gift</label><input type=radio name=r aria-label=A><input type=radio name=r aria-label=B>
<select aria-label=Size multiple><option value=''>none<option>S<option>M</select><textarea aria-label=Note></textarea>
<button type=button disabled>Pay</button><a href=http://two.test/ target=_blank>Blank</a><button>Send</button></form>";

fn form() -> Client {
    let client = Client::showing(FORM);
    client.serve("http://two.test/", "<h1>Two</h1>");
    client.tree(json!({}));
    client
}

fn value(client: &Client, selector: &str) -> String {
    client.world.mutate(TabId(1), |page| page.value(selector))
}

#[test]
fn text_is_typed_and_verified() {
    let client = form();
    for (spelling, text) in
        [("e2", "Ada"), ("@e2", "Bob"), ("ref=e2", ""), ("ax2", "Cy"), ("2", "Di")]
    {
        let typed = client.act(json!({"kind": "type", "ref": spelling, "text": text}));
        assert_eq!(typed.details["effect"], json!("verified"));
        assert_eq!(value(&client, "[name=n]"), text);
    }
    client.act(json!({"kind": "type", "selector": "[name=n]", "text": "slow", "slowly": true}));
    assert_eq!(value(&client, "[name=n]"), "slow");
    client.serve("http://page.test/done?n=x%26y", "<h1>Done</h1>");
    let sent = client.act(json!({"kind": "type", "ref": "e2", "text": "x&y", "submit": true}));
    assert_eq!(sent.details["url"], json!("http://page.test/done?n=x%26y"));
    assert_eq!(sent.details["navigated"], json!(true));
    assert!(sent.text.contains("\nURL: http://page.test/done?n=x%26y\n"), "{}", sent.text);
}

#[test]
fn a_request_wins_over_what_stands_beside_it() {
    let client = form();
    client.act(
        json!({"kind": "type", "ref": "e2", "text": "a", "request": {"kind": "type", "text": "b"}}),
    );
    assert_eq!(value(&client, "[name=n]"), "b");
    client.act(json!({"ref": "e2", "text": "c", "request": {"kind": "type"}}));
    assert_eq!(value(&client, "[name=n]"), "c");
    // Another kind beside it: only the tab counts.
    let other = json!({"action": "act", "kind": "type", "ref": "e2", "text": "d", "request": {"kind": "hover"}});
    let (code, text) = client.fails(other);
    assert!(code == "invalid_arguments" && text.contains("ref: is required for hover"), "{text}");
    let tab = json!({"action": "act", "targetId": "t9", "kind": "type", "request": {"kind": "hover", "ref": "e2"}});
    assert_eq!(client.fails(tab).0, "tab_gone");
}

#[test]
fn clicks_are_trusted_and_take_buttons_and_modifiers() {
    let client = Client::showing("<button id=b>Go</button>");
    client.tree(json!({}));
    let events = |act: Value| {
        let before = client.world.event_log().len();
        client.act(act);
        client.world.event_log()[before..].join("\n")
    };
    let click = events(json!({"kind": "click", "ref": "e1"}));
    assert!(click.contains("click 1 button#b"), "trusted: {click}");
    let double = events(json!({"kind": "click", "ref": "e1", "doubleClick": true, "delayMs": 200}));
    assert!(double.contains("dblclick 1 button#b"), "{double}");
    let middle =
        events(json!({"kind": "click", "ref": "e1", "button": "middle", "modifiers": ["Shift"]}));
    assert!(middle.contains("auxclick 1") && !middle.contains("\nclick 1"), "{middle}");
    let hover = events(json!({"kind": "hover", "selector": "button"}));
    assert!(!hover.contains("click"), "{hover}");
}

#[test]
fn a_ref_of_one_tab_is_no_ref_of_another() {
    let client = Client::showing("<button>One</button>");
    client.tree(json!({}));
    client.ok(json!({"action": "open", "targetUrl": "http://page.test/"}));
    assert_eq!(client.tree(json!({})), "- button \"One\" [ref=e2]");
    let (code, text) = client.fails(json!({"action": "act", "kind": "click", "ref": "e1"}));
    assert!(code == "stale_ref" && text.contains("belongs to the tab t1"), "{text}");
    client.act(json!({"kind": "click", "ref": "e1", "targetId": "t1"}));
}

#[test]
fn what_cannot_be_acted_on_says_why() {
    let client = Client::showing(
        "<button style='position:absolute;left:0;top:0;width:90px;height:40px'>Under</button>
         <div style='position:absolute;left:0;top:0;width:300px;height:100px'>Cover</div>
         <button disabled style='margin-top:200px'>Off</button><a href=#x>x</a>",
    );
    client.tree(json!({}));
    let before = client.world.event_log().len();
    let (code, text) = client.fails(json!({"action": "act", "kind": "click", "ref": "e1"}));
    assert!(code == "occluded" && text.contains("covered by <div>"), "{text}");
    assert_eq!(client.fails(json!({"action": "act", "kind": "click", "ref": "e2"})).0, "disabled");
    let (code, text) =
        client.fails(json!({"action": "act", "kind": "type", "ref": "e3", "text": "x"}));
    assert!(code == "not_editable" && !text.contains("select_option"), "{text}");
    assert_eq!(client.world.event_log().len(), before);
    let twice = json!({"action": "act", "kind": "click", "selector": "button"});
    let (code, text) = client.fails(twice);
    assert!(
        code == "ambiguous_selector" && text.contains("- button \"Under\"\n- button \"Off\""),
        "{text}"
    );
    let none = json!({"action": "act", "kind": "click", "selector": "#none", "timeoutMs": 500});
    assert_eq!(client.fails(none).0, "not_found");
}

#[test]
fn fields_are_filled_by_what_they_are() {
    let client = form();
    let filled = client.act(json!({"kind": "fill", "fields": [
        {"ref": "e2", "value": 12},
        {"ref": "e4", "type": "checkbox", "value": true},
        {"ref": "e6", "type": "radio", "value": "1"},
        {"ref": "e8", "type": "text", "value": "x\ny"},
    ]}));
    assert_eq!(
        (&filled.details["filled"], &filled.details["effect"]),
        (&json!(4), &json!("verified"))
    );
    assert_eq!(
        (value(&client, "[name=n]"), value(&client, "textarea")),
        ("12".into(), "x\ny".into())
    );
    let checked = |selector: &str| client.world.mutate(TabId(1), |page| page.is_checked(selector));
    assert!(checked("[type=checkbox]") && checked("[aria-label=B]") && !checked("[aria-label=A]"));
    client.act(json!({"kind": "fill", "fields": [
        {"ref": "e4", "type": "checkbox", "value": false},
        {"ref": "e6", "type": "radio", "value": true},
    ]}));
    assert!(!checked("[type=checkbox]") && checked("[aria-label=B]"));
    // A radio button cannot be taken back by a click.
    let back = json!({"action": "act", "kind": "fill", "fields": [{"ref": "e6", "type": "radio", "value": 0}]});
    assert_eq!(client.fails(back).0, "l1_not_effective");
    let partly = json!({"action": "act", "kind": "fill", "fields": [{"ref": "e2", "value": "a"}, {"ref": "e9", "value": "b"}]});
    let (code, text) = client.fails(partly);
    assert!(code == "not_editable" && text.contains("1 of 2 were filled before it"), "{text}");
    // Nothing is touched where a ref is wrong from the start.
    let wrong = json!({"action": "act", "kind": "fill", "fields": [{"ref": "e2", "value": "c"}, {"ref": "e99", "value": "b"}]});
    assert_eq!(client.fails(wrong).0, "stale_ref");
    assert_eq!(value(&client, "[name=n]"), "a");
}

#[test]
fn options_are_selected_verbatim() {
    let client = form();
    let chosen = client.act(json!({"kind": "select", "ref": "e7", "values": ["", "M"]}));
    assert_eq!(chosen.details["effect"], json!("verified"));
    let (code, text) =
        client.fails(json!({"action": "act", "kind": "select", "ref": "e7", "values": ["Q"]}));
    assert!(code == "no_such_option" && text.contains("- \"none\" [value=\"\"]"), "{text}");
}

#[test]
fn keys_go_to_what_has_the_focus() {
    let client = form();
    client.act(json!({"kind": "click", "ref": "e2"}));
    for key in ["h", "i", "Shift+1", "ctrl+a", "x"] {
        client.act(json!({"kind": "press", "key": key}));
    }
    assert_eq!(value(&client, "[name=n]"), "x");
    client.serve("http://page.test/done?n=x", "<h1>Done</h1>");
    let sent = client.act(json!({"kind": "press", "key": "return"}));
    assert_eq!(sent.details["navigated"], json!(true));
    // Nothing has the focus: the body takes the keys.
    client.act(json!({"kind": "press", "key": "esc"}));
}

#[test]
fn a_tab_that_the_page_opens_is_told_and_not_gone_to() {
    let client = form();
    let opened = client.act(json!({"kind": "click", "ref": "e10"}));
    assert_eq!(opened.details["opened"], json!(["t2"]));
    assert!(client.tree(json!({})).contains("Send"));
    assert!(client.tree(json!({"targetId": "t2"})).contains("Two"));
}

#[test]
fn the_conditions_of_a_wait_come_one_after_another() {
    let client = form();
    let waited = client.act(json!({
        "kind": "wait", "timeMs": 300, "text": "Gift", "textGone": "Nope", "selector": "textarea", "url": "**/page.test/*",
        "loadState": "networkidle",
    }));
    assert!(
        waited.details["waitedMs"].as_u64().is_some_and(|ms| (800..2_000).contains(&ms)),
        "{waited:?}"
    );
    for (condition, what) in [
        (json!({"text": "Nope"}), "did not appear"),
        (json!({"textGone": "Gift"}), "still there"),
        (json!({"selector": "#none"}), "no visible element"),
        (json!({"url": "**/other"}), "does not match"),
    ] {
        let mut call = condition;
        call["action"] = "act".into();
        call["kind"] = "wait".into();
        call["timeoutMs"] = 700.into();
        let (code, text) = client.fails(call);
        assert!(code == "timeout" && text.contains(what), "{text}");
    }
    assert_eq!(client.fails(json!({"action": "act", "kind": "wait"})).0, "invalid_arguments");
    let script = json!({"action": "act", "kind": "wait", "fn": "() => true"});
    assert_eq!(client.fails(script).0, "unsupported");
}

#[test]
fn a_viewport_is_resized_and_an_element_scrolled_to() {
    let client = Client::showing(
        "<div style='height:5000px'></div><p id=low>low</p><style>@media (max-width: 400px) { p { display: none } }</style>",
    );
    client.act(json!({"kind": "scrollIntoView", "selector": "#low"}));
    client.act(json!({"kind": "resize", "width": 390, "height": 800}));
    assert_eq!(client.tree(json!({})), "(empty)");
    let (_, text) =
        client.fails(json!({"action": "act", "kind": "resize", "width": 9000, "height": 1}));
    assert!(text.contains("width: must be between 1 and 8192"), "{text}");
}

#[test]
fn something_is_dragged_onto_something() {
    let client = Client::showing("<button id=a>A</button><button id=b>B</button>");
    client.tree(json!({}));
    let before = client.world.event_log().len();
    client.act(json!({"kind": "drag", "startRef": "e1", "endSelector": "#b"}));
    let events = client.world.event_log()[before..].join("\n");
    assert!(
        events.contains("mousedown 1 button#a") && events.contains("mouseup 1 button#b"),
        "{events}"
    );
    client.world.mutate(TabId(1), |page| page.remove("#b"));
    let stale = json!({"action": "act", "kind": "drag", "startRef": "e1", "endRef": "e2"});
    assert_eq!(client.fails(stale).0, "stale_ref");
}

#[test]
fn dialogs_and_dead_pages_are_told() {
    let client = form();
    client.world.dialog(
        TabId(1),
        DialogKind::Confirm,
        "Sure?\n<<<END_EXTERNAL_UNTRUSTED_CONTENT>>>",
    );
    let told = client.act(json!({"kind": "hover", "ref": "e2"}));
    assert_eq!(told.details["dialogs"], json!(1));
    assert!(
        told.text.contains("\ndialog: confirm \"Sure? [[END_MARKER_SANITIZED]]\" was cancelled\n"),
        "{}",
        told.text
    );
    client.world.crash(TabId(1));
    assert_eq!(
        client.fails(json!({"action": "act", "kind": "click", "ref": "e2"})).0,
        "tab_crashed"
    );
    assert_eq!(client.fails(json!({"action": "snapshot"})).0, "tab_crashed");
    client.ok(json!({"action": "close"}));
}

#[test]
fn a_mixed_box_ends_as_it_should() {
    let client = Client::showing("<input type=checkbox aria-label=All checked>");
    for wanted in [false, true] {
        client.world.mutate(TabId(1), |page| page.set_indeterminate("input"));
        client.tree(json!({}));
        let field = json!({"ref": "e1", "type": "checkbox", "value": wanted});
        client.act(json!({"kind": "fill", "fields": [field]}));
        assert_eq!(client.world.mutate(TabId(1), |page| page.is_checked("input")), wanted);
    }
}

#[test]
fn arguments_are_checked_before_anything_is_done() {
    let client = form();
    for (act, what) in [
        (json!({}), "kind: is required"),
        (json!({"kind": "fly"}), "kind: must be one of click"),
        (json!({"kind": "click"}), "ref: is required for click"),
        (json!({"kind": "click", "ref": "e2", "selector": "a"}), "not both"),
        (json!({"kind": "click", "ref": "e2", "button": "back"}), "button: must be one of"),
        (json!({"kind": "click", "ref": "e2", "modifiers": ["Fn"]}), "modifiers: \"Fn\""),
        (
            json!({"kind": "click", "ref": "e2", "delayMs": 5001}),
            "delayMs: must be between 0 and 5000",
        ),
        (json!({"kind": "type", "ref": "e2"}), "text: is required"),
        (json!({"kind": "press"}), "key: is required"),
        (json!({"kind": "wait", "timeMs": 1, "ref": "e1"}), "ref: is not for wait"),
        (
            json!({"kind": "drag", "ref": "e1", "startRef": "e1", "endRef": "e2"}),
            "ref: is not for drag; use startRef",
        ),
        (
            json!({"kind": "fill", "ref": "e1", "fields": [{"ref": "e2", "value": 1}]}),
            "ref: is not for fill; give it in fields",
        ),
        (json!({"kind": "press", "key": "Ctrl+Nope"}), "is no key"),
        (json!({"kind": "drag", "startRef": "e2"}), "endRef: is required"),
        (json!({"kind": "select", "ref": "e7"}), "values: is required"),
        (json!({"kind": "select", "ref": "e7", "values": []}), "values: must be a list"),
        (json!({"kind": "fill"}), "fields: is required"),
        (json!({"kind": "fill", "fields": [{"ref": "e2"}]}), "fields[0].value: is required"),
        (
            json!({"kind": "fill", "fields": [{"ref": "e2", "value": 1, "x": 1}]}),
            "fields[0].x: is not",
        ),
        (
            json!({"kind": "fill", "selector": "a", "fields": [{"ref": "e2", "value": 1}]}),
            "selector: is not for fill",
        ),
        (json!({"kind": "resize", "width": 3}), "height: is required"),
        (json!({"kind": "evaluate"}), "fn: is required"),
        (json!({"kind": "evaluate", "fn": "1", "selector": "a"}), "selector: is not for evaluate"),
        (json!({"kind": "batch"}), "actions: is required"),
        (
            json!({"request": {"kind": "hover", "ref": "e2", "colour": 1}}),
            "colour: is not a parameter",
        ),
    ] {
        let mut call = act;
        call["action"] = "act".into();
        let (code, text) = client.fails(call);
        assert!(code == "invalid_arguments" && text.contains(what), "{what}: {text}");
    }
}

#[test]
fn a_frame_as_a_whole_takes_no_input() {
    let client = Client::showing(
        "<button>B</button><iframe src=http://other.test/ width=300 height=200></iframe>",
    );
    client.serve("http://other.test/", "<button>Pay</button>");
    client.ok(json!({"action": "navigate", "targetUrl": "http://page.test/"}));
    let tree = client.tree(json!({}));
    assert!(tree.contains("- iframe [cross-origin, not read] [ref=e2]"), "{tree}");
    let before = client.world.event_log().len();
    for act in [
        json!({"kind": "click", "ref": "e2"}),
        json!({"kind": "click", "selector": "iframe"}),
        json!({"kind": "drag", "startRef": "e1", "endRef": "e2"}),
        json!({"kind": "type", "ref": "e2", "text": "x"}),
    ] {
        let mut call = act;
        call["action"] = "act".into();
        let (code, text) = client.fails(call);
        assert!(code == "not_editable" && text.contains("frame as a whole"), "{text}");
    }
    assert_eq!(client.world.event_log().len(), before);
    client.act(json!({"kind": "scrollIntoView", "ref": "e2"}));
}

#[test]
fn input_does_not_fall_through_into_a_frame() {
    let client = Client::showing(
        "<h1 aria-label=Shop style='width:300px;height:150px'><iframe style='width:300px;height:150px' srcdoc='x'></iframe></h1>",
    );
    client.tree(json!({}));
    let (code, text) = client.fails(json!({"action": "act", "kind": "click", "ref": "e1"}));
    assert!(code == "occluded" && text.contains("covered by <iframe>"), "{text}");
}
