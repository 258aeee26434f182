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
}

#[tokio::test]
async fn show() {
    let c = Client::showing("<!doctype html><title>T</title><style>@media (prefers-color-scheme: dark) { body { background: black } }</style><form action=/done><label>Name <input name=n></label><label>Pw <input type=password value=s3cret></label><button id=send>Send</button></form><select aria-label=Size><option>S<option>M</select><div style='height:3000px'></div><button id=b onclick='setTimeout(() => { throw new TypeError(\"boom\") }); this.textContent = \"Clicked\"'>Far</button><iframe srcdoc='<button>In</button>'></iframe><script>fetch('/data.json')</script>").await;
    c.server.page("/done", "<h1>Done</h1><button onclick='alert(1)'>Here</button>");
    for o in [
        json!({"action":"snapshot"}),
        json!({"action":"snapshot","mode":"efficient"}),
        json!({"action":"status"}),
        json!({"action":"act","kind":"evaluate","fn":"() => document.title"}),
        json!({"action":"act","kind":"evaluate","fn":"(el) => el.id","ref":"e5"}),
        json!({"action":"act","kind":"evaluate","fn":"() => { throw new Error('x') }"}),
        json!({"action":"act","kind":"evaluate","fn":"new Promise(() => {})","timeoutMs":800}),
        json!({"action":"act","kind":"wait","fn":"() => document.readyState === 'complete'","loadState":"networkidle"}),
        json!({"action":"act","kind":"wait","fn":"window.never","timeoutMs":700}),
        json!({"action":"act","kind":"click","selector":"#b"}),
        json!({"action":"errors","clear":true}),
        json!({"action":"errors"}),
        json!({"action":"requests","filter":"fetch","limit":20,"clear":true}),
        json!({"action":"text","selector":"form","maxChars":6000}),
        json!({"action":"emulate","device":"iPhone 15","colorScheme":"dark","timezoneId":"America/New_York","locale":"en-US"}),
        json!({"action":"act","kind":"evaluate","fn":"() => [innerWidth, devicePixelRatio, navigator.language, Intl.DateTimeFormat().resolvedOptions().timeZone, matchMedia('(prefers-color-scheme: dark)').matches, navigator.userAgent, navigator.maxTouchPoints]"}),
        json!({"action":"emulate","timezoneId":"No/Where"}),
        json!({"action":"emulate","device":"Desktop Chrome"}),
        json!({"action":"screenshot"}),
        json!({"action":"screenshot","fullPage":true,"type":"jpeg"}),
        json!({"action":"screenshot","element":"#b"}),
        json!({"action":"screenshot","labels":true}),
        json!({"action":"snapshot","labels":true}),
        json!({"action":"act","kind":"resize","width":700,"height":500}),
        json!({"action":"act","kind":"fill","fields":[{"ref":"e2","value":"Ada"}]}),
        json!({"action":"act","kind":"click","selector":"#send","timeoutMs":3000}),
        json!({"action":"act","kind":"batch","actions":[{"kind":"click","selector":"button"},{"kind":"evaluate","fn":"() => { location.href = '/' }"},{"kind":"wait","timeMs":5}]}),
        json!({"action":"act","kind":"evaluate","fn":"() => { alert('hi') }"}),
        json!({"action":"navigate","targetUrl":"about:blank"}),
        json!({"action":"navigate","targetUrl":"http://127.0.0.1:1/"}),
        json!({"action":"doctor","deep":true}),
        json!({"action":"tabs"}),
        json!({"action":"stop"}),
    ] {
        let start = std::time::Instant::now();
        let r = c.call(o.clone()).await;
        println!(
            "=== {o} ({} ms)\n{}\nimages {:?}",
            start.elapsed().as_millis(),
            r.text,
            r.images
                .iter()
                .map(|i| (i.width, i.height, i.base64.len(), i.labels_skipped))
                .collect::<Vec<_>>()
        );
    }
}
