//! What ends, and what ends with it.

use crate::support::{HINT, Stage, options, within};
use backlot_core::page::CaptureSpec;
use backlot_core::port::{
    DialogKind, DriverError, EventKind, LoadState, Op, Port, Reply, Seq, SettleSpec, TabInfo,
};
use backlot_driver_cdp::{CdpBrowser, LaunchOptions, Route};
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const CHILD: &str = "BACKLOT_TEST_CHILD";

async fn events(stage: &Stage) -> Vec<EventKind> {
    match stage.port.call(Op::Events { since: Seq(0) }, within(1_000)).await.unwrap() {
        Reply::Events(batch) => batch.events.into_iter().map(|event| event.kind).collect(),
        other => panic!("{other:?}"),
    }
}

async fn tabs(stage: &Stage) -> Vec<TabInfo> {
    match stage.port.call(Op::Tabs, within(5_000)).await.unwrap() {
        Reply::Tabs(tabs) => tabs,
        other => panic!("{other:?}"),
    }
}

async fn settle(stage: &Stage, since: Seq, quiet_ms: u32, cap_ms: u32) -> (bool, Duration) {
    let spec = SettleSpec { since, min_ms: 0, quiet_ms, cap_ms, load_ms: cap_ms };
    let start = Instant::now();
    let op = Op::Settle { tab: stage.tab, spec };
    match stage.port.call(op, within(20_000)).await.unwrap() {
        Reply::Settled(settled) => (settled.quiet, start.elapsed()),
        other => panic!("{other:?}"),
    }
}

/// The process is there and not merely waiting to be waited for.
fn runs(pid: u32) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    stat.rsplit(')')
        .next()
        .is_some_and(|rest| !rest.trim().is_empty() && !rest.trim().starts_with('Z'))
}

/// The renderers in the process group of a browser.
fn renderers(browser: u32) -> Vec<u32> {
    let processes = std::fs::read_dir("/proc").unwrap().flatten();
    let pids = processes.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    pids.filter(|pid| {
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        let command = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        // After the name: state, parent, group.
        let group = stat.rsplit(')').next().and_then(|rest| rest.split_whitespace().nth(2));
        group == Some(browser.to_string().as_str())
            && String::from_utf8_lossy(&command).contains("--type=renderer")
    })
    .collect()
}

/// Polls a condition of the operating system, which sends no event for it.
fn comes_true(what: &str, ready: impl Fn() -> bool) {
    let start = Instant::now();
    while !ready() {
        assert!(start.elapsed() < Duration::from_secs(10), "{what}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

fn kill(pid: u32) {
    let status = Command::new("kill").args(["-KILL", &pid.to_string()]).status().unwrap();
    assert!(status.success());
}

#[tokio::test]
async fn a_dialog_at_load_holds_nothing_up() {
    let stage = Stage::showing("<!doctype html><script>alert('hi'); document.title = confirm('?') + '' + prompt('p')</script><p>x").await;
    let capture = stage.capture().await;
    assert_eq!(capture.top().title, "falsenull");
    let dialogs: Vec<_> = events(&stage)
        .await
        .into_iter()
        .filter_map(|kind| match kind {
            EventKind::Dialog { kind, message } => Some((kind, message)),
            _ => None,
        })
        .collect();
    let expected =
        [(DialogKind::Alert, "hi"), (DialogKind::Confirm, "?"), (DialogKind::Prompt, "p")];
    assert_eq!(dialogs, expected.map(|(kind, text)| (kind, text.to_string())));
    stage.browser.close().await;
}

#[tokio::test]
async fn a_crash_ends_ops_at_once_and_the_tab_comes_back() {
    let stage = Stage::showing("<!doctype html><p>x").await;
    let start = Instant::now();
    let spec =
        SettleSpec { since: Seq(0), min_ms: 0, quiet_ms: 60_000, cap_ms: 60_000, load_ms: 60_000 };
    let waiting = stage.port.call(Op::Settle { tab: stage.tab, spec }, within(60_000));
    let crashing = async {
        tokio::time::sleep(Duration::from_millis(200)).await;
        renderers(stage.browser.pid().unwrap()).into_iter().for_each(kill);
    };
    let (ended, ()) = tokio::join!(waiting, crashing);
    assert_eq!(ended, Err(DriverError::TabCrashed));
    assert_eq!(stage.capture_as(CaptureSpec::TEXT).await, Err(DriverError::TabCrashed));
    assert!(start.elapsed() < Duration::from_secs(15), "{:?}", start.elapsed());
    assert!(events(&stage).await.contains(&EventKind::TabCrashed));
    stage.show("<!doctype html><title>back</title>").await;
    assert_eq!(stage.capture().await.top().title, "back");
    stage.browser.close().await;
}

#[tokio::test]
async fn a_killed_browser_ends_ops_at_once() {
    let stage = Stage::new().await;
    stage.server.route("/slow", Route::html("x").latency(Duration::from_secs(60)));
    let pid = stage.browser.pid().unwrap();
    let profile = stage.browser.profile().unwrap().to_path_buf();
    let url = stage.server.url("/slow");
    let start = Instant::now();
    let waiting = stage.go_within(&url, 30_000);
    let killing = async {
        tokio::time::sleep(Duration::from_millis(200)).await;
        kill(pid);
    };
    let (ended, ()) = tokio::join!(waiting, killing);
    assert_eq!(ended, Err(DriverError::ConnectionClosed));
    assert!(start.elapsed() < Duration::from_secs(15), "{:?}", start.elapsed());
    assert_eq!(stage.port.call(Op::Tabs, within(1_000)).await, Err(DriverError::ConnectionClosed));
    stage.browser.close().await;
    assert!(!profile.exists());
}

/// Not a test of its own: what [`killing_us_ends_the_browser_and_its_profile`] runs and kills.
#[tokio::test]
async fn child() {
    if std::env::var_os(CHILD).is_none() {
        return;
    }
    let browser = CdpBrowser::launch(options()).await.unwrap_or_else(|e| panic!("{e}; {HINT}"));
    eprintln!("CHILD {} {}", browser.pid().unwrap(), browser.profile().unwrap().display());
    std::future::pending::<()>().await;
}

#[test]
fn killing_us_ends_the_browser_and_its_profile() {
    let mut us = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "life::child", "--nocapture"])
        .env(CHILD, "1")
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let lines = BufReader::new(us.stderr.take().unwrap()).lines();
    let told =
        lines.map_while(Result::ok).find_map(|line| line.strip_prefix("CHILD ").map(String::from));
    let told = told.expect(HINT);
    let (pid, profile) = told.split_once(' ').unwrap();
    let pid: u32 = pid.parse().unwrap();
    assert!(runs(pid) && Path::new(profile).exists());
    us.kill().unwrap();
    us.wait().unwrap();
    comes_true("the browser ends", || !runs(pid));
    comes_true("the profile goes", || !Path::new(profile).exists());
}

#[tokio::test]
async fn closing_leaves_nothing() {
    let stage = Stage::new().await;
    let pid = stage.browser.pid().unwrap();
    let profile = stage.browser.profile().unwrap().to_path_buf();
    stage.browser.close().await;
    assert!(!runs(pid) && !profile.exists());
}

#[tokio::test]
async fn a_browser_that_cannot_start_says_why() {
    let missing = LaunchOptions { program: Some("/nowhere/chromium".into()), ..options() };
    let error = CdpBrowser::launch(missing).await.err().unwrap();
    assert_eq!(error, DriverError::BrowserNotFound { looked_at: "/nowhere/chromium".into() });
    let dying = LaunchOptions { program: Some("/bin/ls".into()), ..options() };
    match CdpBrowser::launch(dying).await.err().unwrap() {
        DriverError::LaunchFailed { reason } => assert!(reason.contains("option"), "{reason}"),
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn navigations_end_where_they_end() {
    let stage = Stage::new().await;
    stage.server.route("/from", Route::redirect("/to"));
    stage.server.page("/to", "<!doctype html><title>to</title>");
    stage.server.route("/missing", Route::html("<title>404</title>").status(404));
    stage.server.route("/nothing", Route::html("").status(204));
    stage.server.page("/stuck", "<!doctype html><title>s</title><p>x<img src=/slow>");
    stage.server.route("/slow", Route::html("x").latency(Duration::from_secs(60)));
    let at = |path: &str| stage.server.url(path);
    let end = stage.go(&at("/from")).await.unwrap();
    assert_eq!((end.url, end.load), (at("/to"), LoadState::Complete));
    let within_document = stage.go(&at("/to#part")).await.unwrap();
    assert_eq!((within_document.url, within_document.document), (at("/to#part"), end.document));
    stage.go(&at("/missing")).await.unwrap();
    let failed = |path: &str, reason: &str| {
        Err(DriverError::LoadFailed { url: at(path), reason: reason.into() })
    };
    assert_eq!(stage.go(&at("/nothing")).await, failed("/nothing", "net::ERR_ABORTED"));
    let refused = "http://127.0.0.1:1/";
    match stage.go(refused).await {
        Err(DriverError::LoadFailed { reason, .. }) => {
            assert!(reason.starts_with("net::ERR_"), "{reason}");
        }
        other => panic!("{other:?}"),
    }
    let stuck = stage.go_within(&at("/stuck"), 1_500).await.unwrap();
    assert_eq!(stuck.load, LoadState::Interactive);
    assert_eq!(stage.capture().await.top().title, "s");
    stage.browser.close().await;
}

#[tokio::test]
async fn tabs_have_numbers_and_openers() {
    let stage =
        Stage::showing("<!doctype html><title>one</title><script>window.open('/two')</script>")
            .await;
    stage.server.page("/two", "<!doctype html><title>two</title>");
    let settled = settle(&stage, Seq(0), 300, 3_000).await;
    assert!(settled.0);
    let tabs = tabs(&stage).await;
    assert_eq!(tabs.len(), 2, "{tabs:?}");
    assert_eq!(tabs[0].title, "one");
    assert_eq!(tabs[1].opener, Some(stage.tab));
    assert_eq!(tabs.iter().map(|tab| tab.visible).collect::<Vec<_>>(), [false, true], "{tabs:?}");
    stage.browser.close().await;
}

#[tokio::test]
async fn settling_waits_for_changes_and_for_loads() {
    let stage = Stage::showing("<!doctype html><p id=p>0</p><script>let n = 0; const t = setInterval(() => { p.textContent = ++n; if (n === 10) clearInterval(t); }, 50)</script>").await;
    let (quiet, took) = settle(&stage, Seq(u64::MAX), 200, 5_000).await;
    assert!(quiet && took >= Duration::from_millis(500), "{took:?}");
    let text = format!("{:?}", stage.capture().await.top().nodes);
    assert!(text.contains("Text(\"10\")"), "{text}");
    stage
        .show("<!doctype html><p id=p>0</p><script>setInterval(() => p.append('x'), 30)</script>")
        .await;
    let (quiet, took) = settle(&stage, Seq(u64::MAX), 200, 600).await;
    assert!(!quiet && took < Duration::from_secs(10), "{took:?}");
    let Reply::Events(batch) =
        stage.port.call(Op::Events { since: Seq(0) }, within(1_000)).await.unwrap()
    else {
        panic!("no events")
    };
    stage.server.route(
        "/late",
        Route::html("<!doctype html><title>late</title>").latency(Duration::from_millis(400)),
    );
    stage.show("<!doctype html><script>onload = () => setTimeout(() => { location = '/late' }, 0)</script>").await;
    let (quiet, _) = settle(&stage, batch.next, 100, 5_000).await;
    assert!(quiet);
    assert_eq!(stage.capture().await.top().title, "late");
    stage.browser.close().await;
}

#[tokio::test]
async fn an_attached_browser_is_left_as_it_is() {
    let stage = Stage::showing("<!doctype html><title>mine</title><p id=p>x").await;
    let port_file = stage.browser.profile().unwrap().join("DevToolsActivePort");
    let port = std::fs::read_to_string(port_file).unwrap();
    let endpoint = format!("http://127.0.0.1:{}", port.lines().next().unwrap());
    let other = CdpBrowser::attach(&endpoint).await.unwrap();
    let Reply::Tabs(seen) = other.port().call(Op::Tabs, within(5_000)).await.unwrap() else {
        panic!("no tabs")
    };
    assert_eq!(seen.len(), 1);
    let op = Op::Capture { tab: seen[0].tab, spec: CaptureSpec::TEXT };
    assert!(matches!(other.port().call(op, within(5_000)).await, Ok(Reply::Capture(_))));
    other.close().await;
    assert_eq!(stage.capture().await.top().title, "mine");
    match CdpBrowser::attach("http://127.0.0.1:1").await.err().unwrap() {
        DriverError::AttachFailed { endpoint, .. } => assert_eq!(endpoint, "http://127.0.0.1:1"),
        other => panic!("{other:?}"),
    }
    stage.browser.close().await;
}

#[tokio::test]
async fn pages_without_scripts_are_read_all_the_same() {
    let stage = Stage::with(LaunchOptions { scripts_disabled: true, ..options() }).await;
    stage.show("<!doctype html><title>still</title><script>document.title = 'ran'</script><noscript><p id=p>n</noscript>").await;
    let capture = stage.capture().await;
    assert_eq!(capture.top().title, "still");
    assert!(stage.probe(crate::support::key(&capture, "p")).await.is_some());
    stage.browser.close().await;
}
