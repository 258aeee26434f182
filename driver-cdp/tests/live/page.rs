//! Scripts, pictures, logs, history, and what a tab is made to believe.

use crate::support::{Stage, key, permit, within};
use backlot_core::gatekeeper::TargetIdentity;
use backlot_core::page::{CaptureSpec, Matches, Rect};
use backlot_core::port::{
    Device, DriverError, Emulation, Evaluate, HistoryGo, Image, ImageFormat, Label, LogEntry,
    LogKind, Op, Point, Port, ReadyState, Reply, ScreenshotArea, ScreenshotSpec, ScriptArgument,
    ScriptEnd, TabWrite,
};
use backlot_core::tool::Category;
use backlot_driver_cdp::Route;
use serde_json::{Value, json};
use std::time::Duration;

impl Stage {
    fn write(&self) -> TabWrite {
        let target = TargetIdentity { tab: Some(self.tab), ..TargetIdentity::default() };
        TabWrite { tab: self.tab, permit: permit(&target, Category::Navigate) }
    }

    async fn call(&self, op: Op) -> Result<Reply, DriverError> {
        self.port.call(op, within(10_000)).await
    }

    async fn run(&self, source: &str, arguments: Option<Vec<ScriptArgument>>) -> ScriptEnd {
        let TabWrite { tab, permit } = self.write();
        let op = Op::Evaluate(Evaluate { tab, source: source.into(), arguments, permit });
        match self.call(op).await.unwrap() {
            Reply::Evaluated(end) => end,
            other => panic!("{other:?}"),
        }
    }

    async fn value_of(&self, source: &str) -> Option<Value> {
        match self.run(source, None).await {
            ScriptEnd::Value(value) => value,
            other => panic!("{source}: {other:?}"),
        }
    }

    async fn picture(&self, area: ScreenshotArea, format: ImageFormat) -> Image {
        let spec = ScreenshotSpec { area, format, labels: Vec::new() };
        match self.call(Op::Screenshot { tab: self.tab, spec }).await.unwrap() {
            Reply::Screenshot(image) => image,
            other => panic!("{other:?}"),
        }
    }

    async fn log(&self, kind: LogKind, clear: bool) -> Vec<LogEntry> {
        match self.call(Op::Log { tab: self.tab, kind, clear }).await.unwrap() {
            Reply::Log(page) => page.entries,
            other => panic!("{other:?}"),
        }
    }

    async fn emulate(&self, what: Emulation) -> Result<Reply, DriverError> {
        self.call(Op::Emulate { what, write: self.write() }).await
    }
}

#[tokio::test]
async fn scripts_give_json() {
    let stage = Stage::showing("<!doctype html><title>t</title><p id=p>text</p>").await;
    for (source, wanted) in [
        ("1 + 1", Some(json!(2))),
        ("() => document.title", Some(json!("t"))),
        ("async () => { await 0; return { a: [1, null] } }", Some(json!({ "a": [1, null] }))),
        ("let x = 3; x * 2", Some(json!(6))),
        ("undefined", None),
        ("() => {}", None),
        ("new Date(0)", Some(json!("1970-01-01T00:00:00.000Z"))),
        ("10n", Some(json!("10"))),
        ("const o = {}; o.o = o; o", Some(json!("[object Object]"))),
    ] {
        assert_eq!(stage.value_of(source).await, wanted, "{source}");
    }
    let node = key(&stage.capture().await, "p");
    let arguments = vec![ScriptArgument::Node(node), ScriptArgument::Json(json!("!"))];
    let end = stage.run("(element, more) => element.textContent + more", Some(arguments)).await;
    assert_eq!(end, ScriptEnd::Value(Some(json!("text!"))));
    let end = stage.run("(it) => typeof it", Some(vec![ScriptArgument::Undefined])).await;
    assert_eq!(end, ScriptEnd::Value(Some(json!("undefined"))));
    for (source, wanted) in [
        ("() => { throw new TypeError('no') }", "TypeError: no"),
        ("() => { throw 'oops' }", "oops"),
        ("nothing.here", "ReferenceError: nothing is not defined"),
        ("let let = 1", "SyntaxError: let is disallowed as a lexically bound name"),
    ] {
        assert_eq!(stage.run(source, None).await, ScriptEnd::Threw(wanted.into()), "{source}");
    }
    stage.browser.close().await;
}

#[tokio::test]
async fn a_script_that_leaves_or_never_ends_is_lost() {
    let stage = Stage::showing("<!doctype html>x").await;
    stage.server.page("/next", "<!doctype html>next");
    let end = stage.run("() => { location.href = '/next'; return new Promise(() => {}) }", None);
    assert_eq!(end.await, ScriptEnd::Lost(DriverError::DocumentGone));
    stage.go(&stage.server.url("/next")).await.unwrap();
    let TabWrite { tab, permit } = stage.write();
    let source = "() => new Promise(() => {})".into();
    let op = Op::Evaluate(Evaluate { tab, source, arguments: None, permit });
    let reply = stage.port.call(op, within(300)).await;
    assert_eq!(reply, Ok(Reply::Evaluated(ScriptEnd::Lost(DriverError::Deadline))));
    stage.browser.close().await;
}

#[tokio::test]
async fn pictures_have_their_size() {
    let page = "<!doctype html><body style='margin:0'><div id=d style='width:300px;height:3000px;background:red'></div>";
    let stage = Stage::showing(page).await;
    let size = |image: &Image| (image.width, image.height);
    let seen = stage.picture(ScreenshotArea::Viewport, ImageFormat::Png).await;
    assert_eq!((seen.mime_type.as_str(), size(&seen)), ("image/png", (1280, 720)));
    assert!(seen.base64.starts_with("iVBORw0KGgo"), "a PNG's first bytes");
    let whole = stage.picture(ScreenshotArea::Page, ImageFormat::Jpeg(60)).await;
    assert_eq!(whole.mime_type, "image/jpeg");
    assert_eq!(size(&whole), (853, 2000), "scaled to the longest side");
    let rect = Rect { x: 10.0, y: 20.0, width: 40.0, height: 50.0 };
    let part = stage.picture(ScreenshotArea::Box(rect), ImageFormat::Png).await;
    assert_eq!(size(&part), (40, 50));
    let labels = vec![
        Label { text: "e1".into(), rect },
        Label { text: "e2".into(), rect: Rect { y: 5_000.0, ..rect } },
    ];
    let spec = ScreenshotSpec { area: ScreenshotArea::Viewport, format: ImageFormat::Png, labels };
    let reply = stage.call(Op::Screenshot { tab: stage.tab, spec }).await.unwrap();
    let Reply::Screenshot(labelled) = reply else { panic!("{reply:?}") };
    assert_eq!((size(&labelled), labelled.labels_skipped), ((1280, 720), 1));
    assert_ne!(labelled.base64, seen.base64);
    stage.browser.close().await;
}

#[tokio::test]
async fn logs_tell_what_the_page_did() {
    let stage = Stage::new().await;
    stage.server.page("/data", "{}");
    stage
        .show("<!doctype html><script>console.warn('careful', 1); \
               window.far = new Promise(done => addEventListener('error', done)); setTimeout(() => { throw new RangeError('far') })</script>")
        .await;
    stage
        .value_of("async () => { for (const at of ['/data', '/none']) await (await fetch(at)).text(); await far; }")
        .await;
    let requests: Vec<(String, String, Option<u16>)> = stage
        .log(LogKind::Requests, true)
        .await
        .into_iter()
        .map(|entry| match entry {
            LogEntry::Request { url, resource_type, status, .. } => {
                (url.replace(&stage.server.url(""), ""), resource_type, status)
            }
            other => panic!("{other:?}"),
        })
        .collect();
    let asked = |path: &str, kind: &str, status| (path.to_string(), kind.to_string(), Some(status));
    assert!(requests.contains(&asked("/", "document", 200)), "{requests:?}");
    assert!(requests.contains(&asked("/data", "fetch", 200)), "{requests:?}");
    assert!(requests.contains(&asked("/none", "fetch", 404)), "{requests:?}");
    assert_eq!(stage.log(LogKind::Requests, false).await, []);
    let errors = stage.log(LogKind::Errors, false).await;
    assert!(
        matches!(&errors[..], [LogEntry::Error { name, message, .. }] if name == "RangeError" && message == "far"),
        "{errors:?}"
    );
    let console = stage.log(LogKind::Console, false).await;
    assert!(
        matches!(&console[..], [LogEntry::Console { level, text, .. }] if level == "warning" && text == "careful 1"),
        "{console:?}"
    );
    stage.browser.close().await;
}

#[tokio::test]
async fn the_history_goes_both_ways_and_again() {
    let stage = Stage::showing("<!doctype html>one").await;
    stage.server.page("/two", "<!doctype html>two");
    let one = stage.server.url("/");
    let two = stage.server.url("/two");
    stage.go(&two).await.unwrap();
    let go = async |go| match stage.call(Op::History { go, write: stage.write() }).await {
        Ok(Reply::Navigated(navigated)) => Ok(navigated.url),
        Ok(other) => panic!("{other:?}"),
        Err(error) => Err(error),
    };
    assert_eq!(go(HistoryGo::Back).await, Ok(one.clone()));
    let none = go(HistoryGo::Back).await;
    assert!(none == Err(DriverError::NoHistory) || none == Ok("about:blank".into()), "{none:?}");
    if none.is_ok() {
        assert_eq!(go(HistoryGo::Forward).await, Ok(one.clone()));
    }
    assert_eq!(go(HistoryGo::Forward).await, Ok(two.clone()));
    assert_eq!(go(HistoryGo::Forward).await, Err(DriverError::NoHistory));
    assert_eq!(go(HistoryGo::Reload).await, Ok(two.clone()));
    stage.value_of("() => history.pushState(0, '', '#there')").await;
    assert_eq!(go(HistoryGo::Back).await, Ok(two.clone()));
    // The page's own steps within the document are neither a reload nor this step.
    stage
        .value_of("() => setInterval(() => history.replaceState(0, '', '#' + Math.random()), 1)")
        .await;
    assert_eq!(go(HistoryGo::Back).await, Ok(one));
    stage.server.page("/busy", "<!doctype html><script>let n = 0; setInterval(() => history.replaceState(0, '', '#' + ++n), 1)</script>");
    stage.go(&stage.server.url("/busy")).await.unwrap();
    let loads = async || stage.value_of("performance.timeOrigin").await;
    let before = loads().await;
    assert!(go(HistoryGo::Reload).await.is_ok());
    assert_ne!(loads().await, before, "it was loaded again");
    stage.browser.close().await;
}

#[tokio::test]
async fn requests_of_a_left_page_have_ended() {
    let stage = Stage::new().await;
    let never = Route::html("").latency(Duration::from_secs(600));
    stage.server.route("/never", never);
    stage.show("<!doctype html><script>fetch('/never')</script>").await;
    let open = async |clear| {
        let entries = stage.log(LogKind::Requests, clear).await;
        let is_open = |entry: &&LogEntry| {
            matches!(entry, LogEntry::Request { status: None, failure: None, .. })
        };
        entries.iter().filter(is_open).count()
    };
    assert_eq!((open(true).await, open(false).await), (1, 1), "clearing ends no request");
    stage.server.page("/next", "<!doctype html>next");
    stage.go(&stage.server.url("/next")).await.unwrap();
    assert_eq!(open(false).await, 0);
    stage.browser.close().await;
}

#[tokio::test]
async fn a_tab_believes_what_it_is_told() {
    let stage = Stage::showing("<!doctype html>x").await;
    let device = Device {
        user_agent: "Test/1".into(),
        viewport: (393, 659),
        screen: (393, 852),
        scale: 3.0,
        is_mobile: true,
        has_touch: true,
    };
    stage.emulate(Emulation::Device(device)).await.unwrap();
    stage.emulate(Emulation::ColorScheme(Some("dark".into()))).await.unwrap();
    stage.emulate(Emulation::Timezone("America/New_York".into())).await.unwrap();
    stage.emulate(Emulation::Locale("de-DE".into())).await.unwrap();
    stage.emulate(Emulation::Locale("de-DE".into())).await.unwrap();
    let seen = stage
        .value_of(
            "() => [screen.width, devicePixelRatio, navigator.userAgent, navigator.maxTouchPoints > 0, \
             matchMedia('(prefers-color-scheme: dark)').matches, \
             Intl.DateTimeFormat().resolvedOptions().timeZone, (1.5).toLocaleString()]",
        )
        .await;
    let wanted = json!([393, 3, "Test/1", true, true, "America/New_York", "1,5"]);
    assert_eq!(seen, Some(wanted));
    stage.emulate(Emulation::Viewport { width: 500, height: 400 }).await.unwrap();
    let Reply::Tabs(tabs) = stage.call(Op::Tabs).await.unwrap() else { panic!("no tabs") };
    assert_eq!(tabs[0].viewport, Some((500, 400)));
    let wrong = stage.emulate(Emulation::Timezone("Mars/Olympus".into())).await;
    assert!(matches!(wrong, Err(DriverError::Refused { .. })), "{wrong:?}");
    let zone = stage.value_of("Intl.DateTimeFormat().resolvedOptions().timeZone").await;
    assert_eq!(zone, Some(json!("America/New_York")), "what was in force stays");
    stage.browser.close().await;
}

#[tokio::test]
async fn html_leaves_secrets_out_and_runs_nothing() {
    let page = "<!doctype html><script>customElements.define('x-y', class extends HTMLElement { constructor() { super(); window.made = (window.made || 0) + 1 } })</script>\
                <x-y>custom</x-y><input type=password value=hunter2><input value=open>";
    let stage = Stage::showing(page).await;
    let Reply::Html(html) = stage.call(Op::Html { tab: stage.tab }).await.unwrap() else {
        panic!("no HTML")
    };
    assert!(html.starts_with("<!DOCTYPE html>") && html.contains("custom"), "{html}");
    assert!(html.contains("open") && !html.contains("hunter2"), "{html}");
    assert_eq!(stage.value_of("made").await, Some(json!(1)));
    stage.browser.close().await;
}

#[tokio::test]
async fn selectors_are_matched_in_the_capture() {
    let page = "<!doctype html><p id=a class=x>a</p><div><template shadowrootmode=open><p id=b class=x>b</p></template></div>";
    let stage = Stage::showing(page).await;
    let selectors = vec![".x".into(), "p[".into(), "nav".into()];
    let spec = CaptureSpec { selectors, ..CaptureSpec::TEXT };
    let capture = stage.capture_as(spec).await.unwrap();
    let mut wanted = vec![key(&capture, "a").node, key(&capture, "b").node];
    wanted.sort();
    let Matches::Nodes(mut found) = capture.matches[0].clone() else { panic!("invalid") };
    found.sort();
    assert_eq!(found, wanted);
    assert_eq!(capture.matches[1..], [Matches::Invalid, Matches::Nodes(Vec::new())]);
    stage.browser.close().await;
}

#[tokio::test]
async fn what_receives_events_at_a_point_is_told() {
    let stage =
        Stage::showing("<!doctype html><body style='margin:0'><button id=b>b</button>").await;
    let button = key(&stage.capture().await, "b");
    let at =
        async |x, y| match stage.call(Op::NodeAt { tab: stage.tab, point: Point { x, y } }).await {
            Ok(Reply::NodeAt(node)) => node,
            other => panic!("{other:?}"),
        };
    assert_eq!(at(5.0, 5.0).await, Some(button));
    assert_eq!(at(-5.0, 5.0).await, None);
    stage.browser.close().await;
}

#[tokio::test]
async fn a_closed_tab_is_gone_and_says_so() {
    let stage = Stage::showing("<!doctype html>x").await;
    assert_eq!(stage.call(Op::CloseTab(stage.write())).await, Ok(Reply::Closed));
    assert_eq!(stage.call(Op::Tabs).await, Ok(Reply::Tabs(Vec::new())));
    let spec = CaptureSpec::TEXT;
    assert_eq!(stage.capture_as(spec).await, Err(DriverError::TabGone));
    stage.browser.close().await;
}

#[tokio::test]
async fn a_tab_tells_how_far_it_is_without_its_page() {
    let stage = Stage::showing("<!doctype html>x").await;
    let busy = "setTimeout(() => { for (;;) {} })";
    stage.browser.run_page_script(stage.tab, busy).await.unwrap();
    let Reply::Tabs(tabs) = stage.call(Op::Tabs).await.unwrap() else { panic!("no tabs") };
    assert_eq!((tabs[0].ready, tabs[0].viewport), (ReadyState::Complete, Some((1280, 720))));
    stage.browser.close().await;
}
