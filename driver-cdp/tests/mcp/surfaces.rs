//! The tools of the other two surfaces, each with each of its arguments, as a client calls them.

use crate::client::{Client, Site};
use serde_json::{Value, json};

const PAGE: &str = "<!doctype html><title>Shop</title><main><h1>Shop</h1><label>Name <input></label>\
    <button onclick='document.title = this.textContent'>Buy</button></main>";

fn names(client: &mut Client) -> Vec<String> {
    let listed = client.request("tools/list", &json!({}));
    let tools = listed["tools"].as_array().unwrap();
    tools.iter().map(|tool| tool["name"].as_str().unwrap().to_owned()).collect()
}

/// The payload of a toolkit's call.
fn payload(client: &mut Client, tool: &str, arguments: Value) -> Value {
    let text = client.call(tool, arguments).text;
    serde_json::from_str(&text).unwrap_or_else(|_| panic!("{tool}: {text}"))
}

#[test]
fn each_tool_and_argument_of_the_toolkit_is_served() {
    let site = Site::new(&[("/", PAGE), ("/two", "<!doctype html><title>Two</title><p>Second")]);
    let mut client =
        Client::start(&["--surface", "toolkit", "--policy", "auto", "--blocked-domain", "b.test"]);
    let all = ["open", "connect", "exec", "snapshot", "status", "close"];
    let mut served = names(&mut client);
    served.sort();
    let mut wanted = all.map(|name| format!("browser_{name}")).to_vec();
    wanted.sort();
    assert_eq!(served, wanted);

    let opened = payload(&mut client, "browser_open", json!({"url": site.url("/")}));
    assert_eq!(opened["ok"], true, "{opened}");
    let session = opened["sessionId"].as_str().unwrap().to_owned();
    assert!(session.starts_with("ses-"), "{session}");

    let code = "const n: number = 1; console.log('hi', n); await page.getByRole('button', { name: 'Buy' }).click();\n\
        return await page.title()";
    let ran = payload(&mut client, "browser_exec", json!({"sessionId": session, "code": code}));
    assert_eq!((&ran["ok"], &ran["result"]), (&json!(true), &json!("Buy")), "{ran}");
    assert_eq!(ran["stdout"].as_str().unwrap().trim(), "hi 1");
    assert!(ran["snapshotDiff"].as_str().unwrap().contains("title=\"Buy\""), "{ran}");

    let second = format!("const p = await context.newPage(); await p.goto('{}')", site.url("/two"));
    payload(&mut client, "browser_exec", json!({"sessionId": session, "code": second}));
    let status = payload(&mut client, "browser_status", json!({"sessionId": session}));
    let pages = status["pages"].as_array().unwrap();
    assert_eq!(pages.len(), 2, "{status}");
    let first = pages.iter().find(|page| page["url"] == site.url("/")).unwrap()["pageId"].clone();
    let one =
        payload(&mut client, "browser_status", json!({"sessionId": session, "pageId": first}));
    assert_eq!(one["ok"], true, "{one}");
    let lone = payload(&mut client, "browser_status", json!({"pageId": first}));
    assert!(lone["ok"] == false && lone["error"].as_str().unwrap().contains("sessionId"), "{lone}");

    let title = "return await page.title()";
    let args = json!({"sessionId": session, "code": title, "pageId": first});
    assert_eq!(payload(&mut client, "browser_exec", args)["result"], "Buy");
    let args = json!({"sessionId": session, "code": title});
    assert_eq!(payload(&mut client, "browser_exec", args)["result"], "Two", "the newest tab");
    let args = json!({"sessionId": session, "pageId": first, "screenshot": true});
    let shot = payload(&mut client, "browser_snapshot", args).to_string();
    assert!(shot.contains("Buy</button>") && shot.contains("mimeType"), "{shot}");

    for escape in ["require('fs')", "process.exit(0)", "for (;;) {}", "return 'a'.repeat(1 << 30)"]
    {
        let args = json!({"sessionId": session, "code": escape});
        assert_eq!(payload(&mut client, "browser_exec", args)["ok"], false, "{escape}");
        let args = json!({"sessionId": session, "code": title});
        assert_eq!(payload(&mut client, "browser_exec", args)["result"], "Two", "after {escape}");
    }
    let no_browser = payload(&mut client, "browser_connect", json!({"cdpUrl": site.url("/")}));
    assert_eq!(no_browser["ok"], false, "{no_browser}");
    let args = json!({"sessionId": session, "code": "await page.goto('http://b.test/')"});
    let refused = client.refused("browser_exec", args);
    assert!(refused.contains("domain_policy") && refused.contains("b.test"), "{refused}");
    let refused = client.refused("browser_open", json!({"url": "http://b.test/"}));
    assert!(refused.contains("b.test"), "{refused}");
    let closed = payload(&mut client, "browser_close", json!({"sessionId": session}));
    assert_eq!(closed["ok"], true);
    let after = payload(&mut client, "browser_exec", json!({"sessionId": session, "code": title}));
    assert!(after["error"].as_str().unwrap().starts_with("unknown_session"), "{after}");
    client.close();
}

#[test]
fn the_one_tool_reads_acts_and_tells_what_it_lacks() {
    let site = Site::new(&[("/", PAGE)]);
    let mut client = Client::start(&["--surface", "browser", "--policy", "auto"]);
    assert_eq!(names(&mut client), ["browser"]);
    client.ok("browser", json!({"action": "open", "url": site.url("/"), "label": "shop"}));
    let read = client.ok("browser", json!({"action": "snapshot", "interactive": true}));
    let line = read.lines().find(|line| line.contains("button \"Buy\"")).unwrap();
    let elem_ref = line.split("[ref=").nth(1).unwrap().split(']').next().unwrap();
    let act =
        json!({"action": "act", "targetId": "t1", "request": {"kind": "click", "ref": elem_ref}});
    client.ok("browser", act);
    let tabs = client.ok("browser", json!({"action": "tabs"}));
    assert!(tabs.contains("Buy") && tabs.contains("shop"), "{tabs}");
    let lacking = client.call("browser", json!({"action": "pdf"}));
    assert!(lacking.is_error && lacking.text.contains("unsupported"), "{}", lacking.text);
    client.close();
}
