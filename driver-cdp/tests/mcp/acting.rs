//! Reading and acting through the tools.

use crate::client::{Client, Site, ref_of};
use serde_json::json;
use std::time::Duration;

const FORM: &str = "<!doctype html><title>Order</title><form action=/done aria-label=Order><label>Name <input name=n></label>\
    <label>Kind <select name=k><option value=1>Apples<option value=2>Pears</select></label>\
    <input type=password name=password aria-label=Password><button>Send</button></form>";

#[test]
fn a_form_is_read_filled_and_sent_and_the_old_ref_is_stale() {
    let site =
        Site::new(&[("/", FORM), ("/done", "<!doctype html><title>Done</title><h1>Thanks</h1>")]);
    let mut client = Client::start(&["--policy", "auto"]);
    let tools = client.request("tools/list", &json!({}));
    let names: Vec<&str> = tools["tools"]
        .as_array()
        .unwrap()
        .iter()
        .map(|tool| tool["name"].as_str().unwrap())
        .collect();
    let promised = [
        "tabs_list",
        "tab_open",
        "navigate",
        "go_back",
        "go_forward",
        "tab_focus",
        "tab_close",
        "read_page",
        "find_in_page",
        "click",
        "type",
        "select_option",
        "scroll",
        "wait_for",
        "extract",
    ];
    assert_eq!(names, promised);
    client.ok("navigate", json!({ "url": site.url("/") }));
    let page = client.ok("read_page", json!({}));
    assert!(page.starts_with("[tabId=1]\n<<<web_content_"), "{page}");
    let send = ref_of(&page, "button \"Send\"");
    let page = client.ok(
        "type",
        json!({ "element": "name", "ref": ref_of(&page, "textbox \"Name\""), "text": "Ada" }),
    );
    let page = client.ok(
        "type",
        json!({ "element": "p", "ref": ref_of(&page, "textbox \"Password\""), "text": "s3cret-word" }),
    );
    assert!(page.contains("[filled]") && !page.contains("s3cret-word"), "{page}");
    let page = client.ok(
        "select_option",
        json!({ "element": "kind", "ref": ref_of(&page, "combobox \"Kind\""), "values": ["Pears"] }),
    );
    assert!(page.contains("effect: verified"), "{page}");
    let page =
        client.ok("click", json!({ "element": "send", "ref": ref_of(&page, "button \"Send\"") }));
    assert!(page.contains("Title: Done") && page.contains("n=Ada&k=2"), "{page}");
    assert!(!page.contains("s3cret-word"), "the URL shows the password: {page}");
    client.fails("click", json!({ "element": "send", "ref": send }), "stale_ref");
    client.ok("read_page", json!({}));
    assert!(client.close().success());
}

/// A page that counts in its title what its listeners see, before any other listener can stop it.
fn counting(body: &str) -> String {
    format!(
        "<!doctype html><title>seen 0</title><script>let n = 0; for (const t of ['pointerdown','mousedown','click','focusin','input'])
        addEventListener(t, (e) => {{ n++; document.title = 'seen ' + n; }}, true);</script>{body}"
    )
}

#[test]
fn a_covered_button_is_named_and_nothing_reaches_the_page() {
    let page = counting(
        "<button style='position:absolute;left:20px;top:20px'>Under</button>\
         <div id=cover style='position:fixed;inset:0'>Cookies?</div>",
    );
    let site = Site::new(&[("/", &page)]);
    let mut client = Client::start(&["--policy", "auto"]);
    client.ok("navigate", json!({ "url": site.url("/") }));
    let page = client.ok("read_page", json!({}));
    let under = ref_of(&page, "button \"Under\"");
    let call = json!({ "element": "under", "ref": under });
    let said = client.fails("click", call.clone(), "occluded");
    assert!(said.contains("<div id=\"cover\"> \"Cookies?\""), "{said}");
    let again = client.call("click", call);
    assert!(again.took < Duration::from_millis(1_400), "it fails at once: {:?}", again.took);
    assert!(
        client.ok("read_page", json!({})).contains("Title: seen 0"),
        "an event reached the page"
    );
}

#[test]
fn wrong_arguments_are_named_and_the_next_call_works() {
    let site = Site::new(&[("/", "<button>B</button>")]);
    let mut client = Client::start(&["--policy", "auto"]);
    client.ok("navigate", json!({ "url": site.url("/") }));
    for (tool, arguments, named) in [
        ("click", json!({ "ref": "s1_1_1" }), "element: is required"),
        ("click", json!({ "element": "b", "ref": 7 }), "ref: must be a string"),
        ("click", json!({ "element": null, "ref": "s1_1_1" }), "element: must be a string"),
        ("read_page", json!({ "maxTokens": 1.5 }), "maxTokens: must be an integer"),
        ("read_page", json!({ "tabId": -1 }), "tabId: must be between"),
        ("scroll", json!({ "direction": "down", "amount": "far" }), "amount: must be one of"),
        ("navigate", json!({ "url": "example.com" }), "url: must be an absolute URL"),
        (
            "select_option",
            json!({ "element": "e", "ref": "s1_1_1", "values": [] }),
            "values: must be a list",
        ),
        ("wait_for", json!({ "timeMs": 99_999 }), "timeMs: must be between 0 and 30000"),
        ("read_page", json!({ "\u{1b}[31m": 1 }), "is not a parameter"),
    ] {
        let said = client.fails(tool, arguments, "invalid_arguments");
        assert!(said.contains(named), "{said}");
        client.ok("read_page", json!({}));
    }
}

#[test]
fn by_default_writes_are_declined_with_the_way_to_allow_them() {
    let site = Site::new(&[("/", "<button>B</button>")]);
    let mut client = Client::start(&[]);
    let said = client.fails("navigate", json!({ "url": site.url("/") }), "declined");
    assert!(said.contains("--policy auto"), "{said}");
    client.ok("read_page", json!({}));
    client.ok("tabs_list", json!({}));
}

#[test]
fn dialogs_hang_no_call_and_are_told() {
    let site = Site::new(&[(
        "/",
        "<script>alert('at load')</script><button onclick=\"document.title = confirm('Sure?\\n- button')\">Ask</button>",
    )]);
    let mut client = Client::start(&["--policy", "auto"]);
    let page = client.ok("navigate", json!({ "url": site.url("/") }));
    assert!(page.contains("dialog: alert \"at load\" was closed"), "{page}");
    let page =
        client.ok("click", json!({ "element": "ask", "ref": ref_of(&page, "button \"Ask\"") }));
    assert!(page.contains("dialog: confirm \"Sure? - button\" was cancelled"), "{page}");
    assert!(page.contains("Title: false"), "{page}");
}

#[test]
fn an_endless_loop_in_a_click_ends_with_a_code_and_another_tab_works() {
    let site = Site::new(&[
        ("/", "<button onclick='for(;;);'>Loop</button><a href=/b target=_blank>B</a>"),
        ("/b", "<p>Second"),
    ]);
    let mut client = Client::start(&["--policy", "auto"]);
    let page = client.ok("navigate", json!({ "url": site.url("/") }));
    let page = client.ok("click", json!({ "element": "b", "ref": ref_of(&page, "link \"B\"") }));
    assert!(page.contains("tab_created: [tabId=2]"), "{page}");
    let page = client.ok("read_page", json!({ "tabId": 1 }));
    let looped = client.call(
        "click",
        json!({ "tabId": 1, "element": "l", "ref": ref_of(&page, "button \"Loop\"") }),
    );
    assert!(looped.is_error && looped.text.contains("effect unknown"), "{}", looped.text);
    assert!(looped.took < Duration::from_secs(17), "{:?}", looped.took);
    assert!(client.ok("read_page", json!({ "tabId": 2 })).contains("Second"));
}

/// Two buttons swap places every 40 ms; whatever is clicked, the other one is not.
#[test]
fn of_two_buttons_that_swap_places_the_wrong_one_is_never_hit() {
    let page = "<!doctype html><title>wrong 0 right 0</title><style>button{position:absolute;top:40px;width:120px;height:40px}</style>
        <button id=a>Alpha</button><button id=b>Beta</button><script>
        let wrong = 0, right = 0, flip = false;
        const place = () => { flip = !flip; a.style.left = flip ? '20px' : '240px'; b.style.left = flip ? '240px' : '20px'; };
        place(); setInterval(place, 40);
        for (const t of ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click']) addEventListener(t, (e) => {
          if (e.target === a && e.type === 'click') right++; else if (e.target === b) wrong++;
          document.title = `wrong ${wrong} right ${right}`; }, true);</script>";
    let site = Site::new(&[("/", page)]);
    let mut client = Client::start(&["--policy", "auto", "--l2"]);
    client.ok("navigate", json!({ "url": site.url("/") }));
    let mut page = client.ok("read_page", json!({}));
    let (mut hits, mut half) = (0, 0);
    for turn in 0..60 {
        let tool = if turn % 2 == 0 { "click" } else { "click_trusted" };
        let call = json!({ "element": "alpha", "ref": ref_of(&page, "button \"Alpha\"") });
        let answer = client.call(tool, call);
        if !answer.is_error {
            hits += 1;
            page = answer.text;
        } else if !answer.text.contains("effect none") {
            // A trusted press that hit, and a release that missed since the button moved away: told as unknown.
            let is_told = tool == "click_trusted" && answer.text.contains("effect unknown");
            assert!(is_told, "{}", answer.text);
            half += 1;
        }
    }
    let end = client.ok("read_page", json!({}));
    assert!(end.contains("Title: wrong 0 "), "{end}");
    let right: u32 = end
        .split("Title: wrong 0 right ")
        .nth(1)
        .and_then(|rest| rest.lines().next())
        .and_then(|number| number.parse().ok())
        .unwrap_or_else(|| panic!("no count in {end}"));
    assert!((hits..=hits + half).contains(&right), "{hits} and {half} were told: {end}");
    // How many find a moment depends on how busy the machine is; that some do shows that the test is one.
    assert!(hits >= 5, "{hits}");
}
