//! The one tool `browser`, where only a real browser can tell.

use crate::support::options;
use backlot_core::action::ToolResult;
use backlot_core::gatekeeper::{Policy, PolicyState};
use backlot_core::surface::Surface;
use backlot_core::surface::browser::BrowserTool;
use backlot_core::tool::ToolCall;
use backlot_driver_cdp::{Approver, CdpLauncher, LoopbackServer, TokioHost};
use serde_json::{Value, json};

struct Client {
    tool: BrowserTool<CdpLauncher, TokioHost>,
    server: LoopbackServer,
}

impl Client {
    /// A client whose tab `t1` shows this page.
    async fn showing(html: &str) -> Self {
        let host = TokioHost::new(Approver::Accept);
        let policy = PolicyState::new(Policy::Auto);
        let tool = BrowserTool::new(CdpLauncher::new(options()), host, policy);
        let server = LoopbackServer::start(None).await.unwrap();
        server.page("/", html);
        let client = Self { tool, server };
        client.ok(json!({"action": "open", "targetUrl": client.server.url("/")})).await;
        client
    }

    async fn call(&self, arguments: Value) -> ToolResult {
        self.tool.call(&ToolCall { name: "browser".into(), arguments }).await
    }

    async fn ok(&self, arguments: Value) -> ToolResult {
        let asked = arguments.to_string();
        let result = self.call(arguments).await;
        assert!(!result.is_error, "{asked}: {}", result.text);
        result
    }

    /// The code and text of a failure.
    async fn fails(&self, arguments: Value) -> (String, String) {
        let result = self.call(arguments).await;
        assert!(result.is_error, "{}", result.text);
        (result.details["code"].as_str().unwrap_or_default().into(), result.text)
    }

    /// What a script gives, as it is printed.
    async fn evaluated(&self, source: &str) -> String {
        let text = self.ok(json!({"action": "act", "kind": "evaluate", "fn": source})).await.text;
        let line = text.lines().find_map(|line| line.strip_prefix("result: "));
        line.unwrap_or_default().into()
    }

    async fn end(self) {
        self.tool.dispose().await;
    }
}

#[tokio::test]
async fn scripts_run_in_the_page_and_on_elements() {
    let client = Client::showing("<title>T</title><button id=b>Go</button>").await;
    assert_eq!(client.evaluated("() => document.title").await, "\"T\"");
    let snapshot = client.ok(json!({"action": "snapshot"})).await.text;
    assert!(snapshot.contains("button \"Go\" [ref=e1]"), "{snapshot}");
    let on = json!({"action": "act", "kind": "evaluate", "fn": "(it) => it.id", "ref": "e1"});
    assert!(client.ok(on.clone()).await.text.contains("result: \"b\""));
    client
        .evaluated(
            "() => { const b = document.getElementById('b'); b.replaceWith(b.cloneNode(true)) }",
        )
        .await;
    assert_eq!(client.fails(on).await.0, "stale_ref");
    let click = json!({"action": "act", "kind": "click", "ref": "e1"});
    assert_eq!(client.fails(click).await.0, "stale_ref");
    let threw =
        json!({"action": "act", "kind": "evaluate", "fn": "() => { throw new Error('no') }"});
    let (code, text) = client.fails(threw).await;
    assert!(code == "script_threw" && text.contains("Error: no"), "{text}");
    let endless = json!({"action": "act", "kind": "evaluate", "fn": "new Promise(() => {})", "timeoutMs": 500});
    let (code, text) = client.fails(endless).await;
    assert!(code == "timeout" && text.contains("effect unknown"), "{text}");
    client.end().await;
}

#[tokio::test]
async fn a_function_is_waited_for_in_the_page() {
    let client =
        Client::showing("<p>x</p><script>setTimeout(() => { window.ready = 1 }, 300)</script>")
            .await;
    client.ok(json!({"action": "act", "kind": "wait", "fn": "() => window.ready === 1"})).await;
    client.ok(json!({"action": "act", "kind": "wait", "fn": "window.ready", "loadState": "networkidle"})).await;
    let never = json!({"action": "act", "kind": "wait", "fn": "window.never", "timeoutMs": 500});
    assert_eq!(client.fails(never).await.0, "timeout");
    client.end().await;
}

#[tokio::test]
async fn a_navigation_by_script_ends_a_batch_and_dialogs_are_told() {
    let client = Client::showing("<button onclick='alert(\"Hi\")'>Ask</button>").await;
    client.server.page("/next", "<h1>Next</h1><button>Here</button>");
    let done = client
        .ok(json!({"action": "act", "kind": "batch", "actions": [
            {"kind": "click", "selector": "button"},
            {"kind": "evaluate", "fn": "() => { location.href = '/next' }"},
            {"kind": "click", "selector": "button"},
        ]}))
        .await;
    assert_eq!(done.details["aborted"]["afterAction"], json!(1));
    assert_eq!(done.details["dialogs"], json!(1));
    assert!(done.text.contains("\ndialog: alert \"Hi\" was closed\n"), "{}", done.text);
    assert!(done.text.contains("- button \"Here\" [ref=e"), "{}", done.text);
    client.end().await;
}

#[tokio::test]
async fn errors_and_requests_are_kept_until_they_are_cleared() {
    let page = "<button onclick='throw new TypeError(\"boom\")'>B</button><script>fetch('/data.json')</script>";
    let client = Client::showing(page).await;
    client.ok(json!({"action": "act", "kind": "click", "selector": "button"})).await;
    client.ok(json!({"action": "act", "kind": "wait", "loadState": "networkidle"})).await;
    let errors = client.ok(json!({"action": "errors", "clear": true})).await;
    assert_eq!(errors.details["total"], json!(1));
    assert!(errors.text.contains("\"name\":\"TypeError\",\"message\":\"boom\""), "{}", errors.text);
    assert_eq!(client.ok(json!({"action": "errors"})).await.details["total"], json!(0));
    let fetches = json!({"action": "requests", "targetId": "t1", "filter": "fetch", "limit": 20, "clear": true});
    let fetches = client.ok(fetches).await;
    assert_eq!(fetches.details["total"], json!(1));
    assert!(fetches.text.contains("/data.json\",\"resourceType\":\"fetch\""), "{}", fetches.text);
    assert_eq!(client.ok(json!({"action": "requests"})).await.details["total"], json!(0));
    client.end().await;
}

#[tokio::test]
async fn a_page_believes_what_is_emulated() {
    let client = Client::showing("<meta name=viewport content='width=device-width'><p>x</p>").await;
    let settings = json!({
        "action": "emulate", "targetId": "t1", "device": "iPhone 15", "colorScheme": "dark",
        "timezoneId": "America/New_York", "locale": "de-DE",
    });
    let applied = client.ok(settings).await.details["applied"].clone();
    assert_eq!(applied, json!(["device", "colorScheme", "timezoneId", "locale"]));
    client.ok(json!({"action": "navigate", "targetUrl": client.server.url("/")})).await;
    let seen = "() => [innerWidth, devicePixelRatio, (1.5).toLocaleString(), Intl.DateTimeFormat().resolvedOptions().timeZone, \
                matchMedia('(prefers-color-scheme: dark)').matches, /iPhone/.test(navigator.userAgent)]";
    assert_eq!(client.evaluated(seen).await, "[393,3,\"1,5\",\"America/New_York\",true,true]");
    let (code, text) = client.fails(json!({"action": "emulate", "timezoneId": "No/Where"})).await;
    assert!(code == "invalid_arguments" && text.contains("does not know"), "{text}");
    client.end().await;
}

#[tokio::test]
async fn pictures_show_the_viewport_the_page_an_element_and_refs() {
    let client = Client::showing(
        "<body style='margin:0'><button style='width:80px;height:40px'>A</button><div style='height:3000px'></div>\
         <button id=far style='width:60px;height:30px'>B</button>",
    )
    .await;
    let size = async |more: Value| {
        let mut call = json!({"action": "screenshot"});
        for (name, value) in more.as_object().into_iter().flatten() {
            call[name] = value.clone();
        }
        let result = client.ok(call).await;
        assert_eq!(result.images.len(), 1);
        (result.images[0].width, result.images[0].height, result.details)
    };
    let (width, height, _) = size(json!({})).await;
    let (_, tall, details) = size(json!({"fullPage": true, "type": "jpeg"})).await;
    assert!(
        tall > height && details["imageType"] == json!("image/jpeg"),
        "{tall} {height} {width}"
    );
    let labelled = client.ok(json!({"action": "snapshot", "labels": true})).await;
    assert_eq!(
        (&labelled.details["labelsCount"], &labelled.details["labelsSkipped"]),
        (&json!(1), &json!(1))
    );
    let (width, height, _) = size(json!({"ref": "e1"})).await;
    assert_eq!((width, height), (80, 40));
    let (width, height, _) = size(json!({"element": "#far"})).await;
    assert_eq!((width, height), (60, 30));
    client.end().await;
}

#[tokio::test]
async fn a_click_does_not_fall_through_into_a_frame_of_another_origin() {
    let other = LoopbackServer::start(None).await.unwrap();
    other.page("/", "<body style='margin:0' onclick='parent.postMessage(1, \"*\")'><button style='width:300px;height:200px'>Pay</button>");
    let page = format!(
        "<script>onmessage = () => {{ window.reached = true }}</script>\
         <h1 aria-label=Shop style='margin:0;width:300px;height:200px'>\
         <iframe src='{}' style='border:0;width:300px;height:200px'></iframe></h1>",
        other.url("/")
    );
    let client = Client::showing(&page).await;
    client.ok(json!({"action": "snapshot"})).await;
    let (code, text) = client.fails(json!({"action": "act", "kind": "click", "ref": "e1"})).await;
    assert!(code == "occluded" && text.contains("covered by <iframe>"), "{text}");
    client.ok(json!({"action": "act", "kind": "wait", "timeMs": 200})).await;
    assert_eq!(client.evaluated("() => window.reached === undefined").await, "true");
    client.end().await;
}
