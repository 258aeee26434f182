//! Beginning and end: of the server, of the browser, of either by force.

use crate::client::{Client, Site, kill};
use serde_json::{Value, json};
use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// Process numbers of all descendants, with their command lines.
fn descendants(root: u32) -> Vec<(u32, String)> {
    let mut all: Vec<(u32, u32, String)> = Vec::new();
    for entry in fs::read_dir("/proc").unwrap().flatten() {
        let Ok(pid) = entry.file_name().to_string_lossy().parse::<u32>() else { continue };
        // A process may end while it is looked at.
        let Ok(stat) = fs::read_to_string(entry.path().join("stat")) else { continue };
        let Some(after) = stat.rsplit(')').next() else { continue };
        let Some(parent) = after.split_whitespace().nth(1).and_then(|n| n.parse().ok()) else {
            continue;
        };
        let line = fs::read(entry.path().join("cmdline")).unwrap_or_default();
        all.push((pid, parent, String::from_utf8_lossy(&line).replace('\0', " ")));
    }
    let mut found: Vec<(u32, String)> = Vec::new();
    let mut open = vec![root];
    while let Some(parent) = open.pop() {
        for (pid, _, line) in all.iter().filter(|(_, of, _)| *of == parent) {
            open.push(*pid);
            found.push((*pid, line.clone()));
        }
    }
    found
}

/// The browser's main process and its profile folder.
fn browser_of(server: u32) -> (u32, PathBuf) {
    descendants(server)
        .into_iter()
        .filter(|(_, line)| !line.contains("--type="))
        .find_map(|(pid, line)| {
            let rest = line.split("--user-data-dir=").nth(1)?;
            let is_browser = line.contains("chrom") && !line.starts_with("sh ");
            is_browser.then(|| (pid, PathBuf::from(rest.split(' ').next().unwrap_or_default())))
        })
        .unwrap_or_else(|| panic!("no browser under {server}: {:?}", descendants(server)))
}

fn is_alive(pid: u32) -> bool {
    // A zombie has no command line any more.
    fs::read(format!("/proc/{pid}/cmdline")).is_ok_and(|line| !line.is_empty())
}

/// Waits for something that other processes do, by looking; they give no event for it.
fn until(what: &str, done: impl Fn() -> bool) {
    let start = Instant::now();
    while !done() {
        assert!(start.elapsed() < Duration::from_secs(10), "{what} did not happen");
        sleep(Duration::from_millis(20));
    }
}

fn gone(pid: u32, profile: &Path) {
    until("the browser's end", || !is_alive(pid));
    until("the removal of its profile", || !profile.exists());
}

fn running() -> (Client, u32, PathBuf) {
    let mut client = Client::start(&["--policy", "auto"]);
    assert!(descendants(client.pid()).is_empty(), "no browser before the first call");
    client.ok("tabs_list", json!({}));
    let (pid, profile) = browser_of(client.pid());
    assert!(is_alive(pid) && profile.is_dir());
    (client, pid, profile)
}

#[test]
fn the_browser_ends_with_the_input() {
    let (client, pid, profile) = running();
    assert!(client.close().success());
    assert!(!is_alive(pid) && !profile.exists(), "it ends before the server does");
}

#[test]
fn the_browser_ends_with_sigterm() {
    let (client, pid, profile) = running();
    assert!(client.signal("TERM").success());
    assert!(!is_alive(pid) && !profile.exists(), "it ends before the server does");
}

#[test]
fn the_browser_ends_with_a_killed_server() {
    let (client, pid, profile) = running();
    client.signal("KILL");
    gone(pid, &profile);
}

#[test]
fn a_killed_browser_ends_the_call_and_the_next_one_works() {
    let site = Site::new(&[("/", "<p>Here")]);
    let (mut client, pid, profile) = running();
    client.ok("navigate", json!({ "url": site.url("/") }));
    let waiting = client.send_call("wait_for", json!({ "text": "Never" }));
    kill("KILL", pid);
    let answer = client.answer(waiting);
    assert!(
        answer.is_error && answer.text.contains("error: connection_closed "),
        "{}",
        answer.text
    );
    assert!(answer.took < Duration::from_secs(5), "{:?}", answer.took);
    let told = client.ok("navigate", json!({ "url": site.url("/") }));
    assert!(told.contains("note: the browser had ended and was started again"), "{told}");
    let page = client.ok("read_page", json!({}));
    assert!(page.contains("Here") && !page.contains("started again"), "{page}");
    until("the removal of the dead one's profile", || !profile.exists());
    assert!(client.close().success());
}

#[test]
fn a_browser_that_cannot_start_says_which_and_what_to_do() {
    let mut client = Client::start(&["--policy", "auto", "--chromium", "/bin/false"]);
    client.fails("tabs_list", json!({}), "launch_failed");
    let mut client = Client::start(&["--chromium", "/no/such/program"]);
    let said = client.call("tabs_list", json!({}));
    assert!(said.is_error && said.text.contains("/no/such/program"), "{}", said.text);
    let mut client = Client::start(&["--cdp", "http://127.0.0.1:1"]);
    let said = client.fails("tabs_list", json!({}), "attach_failed");
    assert!(said.contains("127.0.0.1:1"), "{said}");
}

/// What the browser says of its targets.
fn targets(port: &str) -> String {
    let mut socket = TcpStream::connect(format!("127.0.0.1:{port}")).unwrap();
    let request =
        format!("GET /json/list HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\r\n");
    socket.write_all(request.as_bytes()).unwrap();
    socket.set_read_timeout(Some(Duration::from_millis(500))).unwrap();
    let mut text = Vec::new();
    // The browser may keep the connection open: what came until then is the answer.
    let _ = socket.read_to_end(&mut text);
    String::from_utf8_lossy(&text).into_owned()
}

struct Attached {
    browser: Child,
    profile: PathBuf,
}

impl Drop for Attached {
    fn drop(&mut self) {
        // Ours: started below.
        let _ = self.browser.kill();
        let _ = self.browser.wait();
        let _ = fs::remove_dir_all(&self.profile);
    }
}

#[test]
fn an_attached_browser_is_left_running_with_its_tabs() {
    let site = Site::new(&[
        ("/", "<title>There before</title><button>There before</button>"),
        ("/b", "<p>Other"),
    ]);
    let profile = std::env::temp_dir().join(format!("backlot-attach-{}", std::process::id()));
    let program = std::env::var("BACKLOT_CHROMIUM").unwrap_or_else(|_| "chromium".into());
    let browser = Command::new(program)
        .args([
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--no-first-run",
            "--disable-background-networking",
        ])
        .args([
            "--remote-debugging-port=0",
            &format!("--user-data-dir={}", profile.display()),
            &site.url("/"),
        ])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut attached = Attached { browser, profile: profile.clone() };
    let port_file = profile.join("DevToolsActivePort");
    until("the debugging port", || {
        fs::read_to_string(&port_file).is_ok_and(|text| text.lines().count() > 1)
    });
    let told = fs::read_to_string(&port_file).unwrap();
    let (port, path) = told.split_once('\n').unwrap();
    let port = port.to_owned();
    let socket = format!("ws://127.0.0.1:{port}{}", path.trim());
    let endpoint = format!("http://127.0.0.1:{port}");
    until("the load of the page", || targets(&port).contains("There before"));
    for _ in 0..2 {
        let mut client = Client::start(&["--policy", "auto", "--cdp", &endpoint]);
        // The visible web tab is the default one.
        let page = client.ok("read_page", json!({}));
        assert!(page.contains("There before"), "{page}");
        assert!(client.close().success());
        assert!(attached.browser.try_wait().unwrap().is_none(), "the browser is left running");
    }
    let mut client = Client::start(&["--policy", "auto", "--surface", "toolkit"]);
    let connected = client.ok("browser_connect", json!({"cdpUrl": socket}));
    let session = serde_json::from_str::<Value>(&connected).unwrap()["sessionId"].clone();
    let pages = client.ok("browser_status", json!({"sessionId": session}));
    assert!(pages.contains(&site.url("/")), "{pages}");
    client.ok("browser_close", json!({"sessionId": session}));
    assert!(client.close().success());
    assert!(targets(&port).contains("There before"), "closing a connected session only detaches");
}
