//! Requests, cookies, downloads and what the browser keeps.

use crate::drive::{Browser, DEADLINE};
use backlot_core::port::{
    Cookie, DriverError, LoadState, LogEntry, LogKind, Millis, Op, Reply, Stroke,
};
use backlot_core::port::{InputPlan, Modifiers};
use backlot_sim::{Request, Response, World};
use std::cell::RefCell;
use std::rc::Rc;

/// A world whose routes write down what they are asked.
fn recording(
    answer: impl Fn(&Request) -> Option<Response> + 'static,
) -> (World, Rc<RefCell<Vec<Request>>>) {
    let world = World::new(1);
    let asked: Rc<RefCell<Vec<Request>>> = Rc::default();
    let kept = asked.clone();
    world.route(Box::new(move |request| {
        kept.borrow_mut().push(request.clone());
        answer(request)
    }));
    (world, asked)
}

fn requests(browser: &Browser) -> Vec<String> {
    let op = Op::Log { tab: browser.tab, kind: LogKind::Requests, clear: false };
    let Reply::Log(page) = browser.call(op).unwrap() else { panic!("no log") };
    page.entries
        .into_iter()
        .map(|entry| match entry {
            LogEntry::Request { method, url, status, failure, .. } => {
                let end = failure.or(status.map(|status| status.to_string())).unwrap_or_default();
                format!("{method} {url} {end}")
            }
            other => panic!("{other:?}"),
        })
        .collect()
}

fn body(request: &Request) -> String {
    String::from_utf8(request.body.clone()).unwrap()
}

fn sent(form: &str) -> Request {
    let page = form.to_string();
    let (world, asked) = recording(move |request| match request.method {
        "GET" => Some(Response::html(page.as_str())),
        _ => Some(Response::html("<p id=done>")),
    });
    let browser = Browser::new(world);
    browser.open("http://page.test/").unwrap();
    if form.contains("type=file") {
        browser
            .world
            .mutate(browser.tab, |page| page.set_files("[type=file]", &[("a\"b.txt", b"in it")]));
    }
    browser.click("go");
    browser.settle(browser.cursor());
    browser.key("done");
    assert_eq!(requests(&browser), ["GET http://page.test/ 200", "POST http://page.test/to 200"]);
    let last = asked.borrow().last().cloned().unwrap();
    assert_eq!((last.method, last.url.as_str()), ("POST", "http://page.test/to"));
    last
}

#[test]
fn a_form_sends_its_body() {
    let fields = "<input name=a value='x y'><input name=b value='é&'><button id=go name=c value=d>Go</button>";
    let plain = sent(&format!("<form method=post action=/to>{fields}</form>"));
    assert_eq!(plain.content_type, "application/x-www-form-urlencoded");
    assert_eq!(body(&plain), "a=x+y&b=%C3%A9%26&c=d");
    let text = sent(&format!("<form method=post action=/to enctype=text/plain>{fields}</form>"));
    assert_eq!(
        (text.content_type.as_str(), body(&text).as_str()),
        ("text/plain", "a=x y\r\nb=é&\r\nc=d\r\n")
    );
    let file = "<input type=file name=f>";
    let parts = sent(&format!(
        "<form method=post action=/to enctype=multipart/form-data>{file}{fields}</form>"
    ));
    let boundary = parts.content_type.strip_prefix("multipart/form-data; boundary=").unwrap();
    let wanted = format!(
        "--{boundary}\r\nContent-Disposition: form-data; name=\"f\"; filename=\"a%22b.txt\"\r\n\
         Content-Type: application/octet-stream\r\n\r\nin it\r\n"
    );
    assert!(body(&parts).starts_with(&wanted), "{}", body(&parts));
    assert!(body(&parts).ends_with(&format!("name=\"c\"\r\n\r\nd\r\n--{boundary}--\r\n")));
}

#[test]
fn a_redirect_drops_the_body_unless_it_says_to_keep_it() {
    for (status, method, length) in
        [(302, "GET", 0), (303, "GET", 0), (307, "POST", 3), (308, "POST", 3)]
    {
        let (world, asked) = recording(move |request| {
            Some(match request.url.as_str() {
                "http://page.test/" => Response::html(
                    "<form method=post action=/to><input name=a value=1><button id=go>Go</button></form>",
                ),
                "http://page.test/to" => Response { status, ..Response::redirect("/end") },
                _ => Response::html("<p id=done>"),
            })
        });
        let browser = Browser::new(world);
        browser.open("http://page.test/").unwrap();
        browser.click("go");
        browser.settle(browser.cursor());
        browser.key("done");
        let last = asked.borrow().last().cloned().unwrap();
        assert_eq!((last.method, last.body.len()), (method, length), "{status}");
    }
}

#[test]
fn cookies_are_kept_and_sent() {
    let (world, asked) = recording(|request| {
        let page = Response::html("<a id=l href=/in/two>next</a>");
        Some(match request.url.as_str() {
            "http://page.test/" => page
                .with_header("Set-Cookie", "s=1; Path=/; HttpOnly; Max-Age=5")
                .with_header("set-cookie", "t=2; Path=/in; SameSite=Strict"),
            _ => page,
        })
    });
    let browser = Browser::new(world);
    browser.open("http://page.test/").unwrap();
    browser.click("l");
    browser.settle(browser.cursor());
    assert_eq!(asked.borrow().last().unwrap().cookies, "t=2; s=1");
    let Reply::Cookies(cookies) = browser.call(Op::Cookies { tab: browser.tab }).unwrap() else {
        panic!("no cookies");
    };
    let told: Vec<(&str, bool, &str)> = cookies
        .iter()
        .map(|c: &Cookie| (c.name.as_str(), c.http_only, c.same_site.as_str()))
        .collect();
    assert_eq!(told, [("s", true, "Lax"), ("t", false, "Strict")]);
    browser
        .world
        .block_on(backlot_core::port::Host::sleep_until(&browser.world.host(), Millis(6_000)));
    browser.open("http://page.test/in/x").unwrap();
    assert_eq!(asked.borrow().last().unwrap().cookies, "t=2");
}

#[test]
fn connections_fail_and_never_end() {
    let browser = Browser::showing("<p>x");
    browser.world.serve("http://page.test/cut", Response::failure("net::ERR_CONNECTION_RESET"));
    let error = browser.open("http://page.test/cut").unwrap_err();
    assert!(
        matches!(error, DriverError::LoadFailed { reason, .. } if reason == "net::ERR_CONNECTION_RESET")
    );
    let capture = browser.text();
    assert_eq!(
        (capture.top().url.as_str(), capture.top().title.as_str()),
        ("chrome-error://chromewebdata/", "page.test")
    );
    browser.world.serve("http://page.test/open", Response::endless());
    let error = browser.open_by("http://page.test/open", Millis(9_000)).unwrap_err();
    assert_eq!(error, DriverError::Deadline);
    let page = "<link rel=stylesheet href=/endless.css><p id=there>";
    browser.world.serve("http://page.test/half", Response::html(page));
    let endless = Response { content_type: "text/css".into(), ..Response::endless() };
    browser.world.serve("http://page.test/endless.css", endless);
    let half = browser.open_by("http://page.test/half", Millis(20_000)).unwrap();
    assert_eq!(half.load, LoadState::Interactive);
    browser.key("there");
}

#[test]
fn what_is_not_shown_is_downloaded() {
    let browser = Browser::showing(
        "<a id=a href=/report download='my/report.csv'>a</a><a id=b href=/zip>b</a><a id=c href=/named>c</a>",
    );
    let binary = || Response { content_type: "application/zip".into(), ..Response::html("data") };
    browser.world.serve("http://page.test/report", Response::html("csv"));
    browser.world.serve("http://page.test/zip", binary());
    let named = Response::html("html")
        .with_header("Content-Disposition", "attachment; filename=\"x.html\"");
    browser.world.serve("http://page.test/named", named);
    for id in ["a", "b", "c"] {
        browser.click(id);
        browser.settle(browser.cursor());
        assert_eq!(browser.text().top().url, "http://page.test/");
    }
    let downloads = browser.world.downloads();
    let told: Vec<(&str, &[u8])> =
        downloads.iter().map(|d| (d.name.as_str(), d.body.as_slice())).collect();
    assert_eq!(told, [("my_report.csv", &b"csv"[..]), ("zip", b"data"), ("x.html", b"html")]);
}

#[test]
fn a_browser_keeps_visits_closed_tabs_and_the_clipboard() {
    let browser = Browser::showing("<input id=i value=copied>");
    browser.world.serve("http://other.test/", Response::html("<p>x"));
    let keys = |key: &str| Stroke::Press {
        key: key.into(),
        modifiers: Modifiers { control: true, ..Modifiers::default() },
    };
    browser.act("i", InputPlan::Keys { strokes: vec![keys("a"), keys("c")], focus: true });
    assert_eq!(browser.world.clipboard(), "copied");
    browser.open("http://other.test/").unwrap();
    browser.open("http://page.test/").unwrap();
    browser.world.browser_data(|data| data.groups.insert("work".into(), vec![browser.tab]));
    browser.world.close_tab(browser.tab);
    browser.world.browser_data(|data| {
        assert_eq!(data.visits.len(), 3);
        assert_eq!(data.top_sites()[0], ("http://page.test".to_string(), 2));
        assert_eq!(data.closed, ["http://page.test/"]);
        assert!(data.groups["work"].is_empty());
    });
}

/// In which order the frames of a page tell that they are there.
fn frame_order(seed: u64, jitter_ms: u64) -> String {
    let world = World::new(seed);
    world.set_jitter(jitter_ms);
    let frames: String = (0..6).map(|n| format!("<iframe src=/{n}></iframe>")).collect();
    world.serve("http://page.test/", Response::html(frames));
    world.serve_with(Box::new(|_| Some(Response::html("<p>in"))));
    let browser = Browser::new(world);
    browser.open("http://page.test/").unwrap();
    let Reply::Events(batch) = browser
        .world
        .block_on(backlot_core::port::Port::call(
            &browser.port,
            Op::Events { since: Default::default() },
            DEADLINE,
        ))
        .unwrap()
    else {
        panic!("no events");
    };
    let urls = batch.events.iter().filter_map(|event| match &event.kind {
        backlot_core::port::EventKind::Navigated { url, top: false, .. } => {
            url.strip_prefix("http://page.test/")
        }
        _ => None,
    });
    urls.collect()
}

#[test]
fn the_order_in_which_answers_come_is_drawn_from_the_seed() {
    let orders: Vec<String> = (0..5).map(|seed| frame_order(seed, 50)).collect();
    assert!(orders.iter().any(|order| *order != orders[0]), "{orders:?}");
    for (seed, order) in orders.iter().enumerate() {
        assert_eq!(frame_order(seed as u64, 50), *order);
    }
}

#[test]
fn frames_have_a_limit_and_stand_in_themselves_once() {
    let many = "<iframe srcdoc='<button>b</button>'></iframe>".repeat(1_100);
    let browser = Browser::showing(&many);
    let capture = browser.text();
    let filled = capture.frames.iter().filter(|frame| frame.url == "about:srcdoc").count();
    assert_eq!(filled, 1_000);
    assert_eq!(browser.world.notes(), ["unsupported: more than 1000 frames"]);
    let browser = Browser::showing("<iframe src='/'></iframe><iframe src='/#x'></iframe>");
    let urls: Vec<String> = browser.text().frames.into_iter().map(|frame| frame.url).collect();
    let own = urls.iter().filter(|url| url.starts_with("http://page.test/")).count();
    assert_eq!((own, urls.len()), (3, 7), "{urls:?}");
}

#[test]
fn lines_of_the_console_and_errors_are_kept_apart() {
    let browser = Browser::showing("<p>x");
    browser.world.log_console(browser.tab, "warning", "careful");
    browser.world.log_error(browser.tab, "TypeError", "no");
    let log = |kind, clear| match browser.call(Op::Log { tab: browser.tab, kind, clear }).unwrap() {
        Reply::Log(page) => page.entries,
        other => panic!("{other:?}"),
    };
    let console = log(LogKind::Console, true);
    assert!(
        matches!(&console[..], [LogEntry::Console { level, text, .. }] if level == "warning" && text == "careful")
    );
    let errors = log(LogKind::Errors, false);
    assert!(
        matches!(&errors[..], [LogEntry::Error { name, message, .. }] if name == "TypeError" && message == "no")
    );
    assert!(log(LogKind::Console, false).is_empty());
}

/// URLs of two frames whose forms were sent at once, in the order in which they are there.
fn both_frames(seed: u64, slow_ms: u64) -> String {
    let world = World::new(seed);
    let form = |n: u32| {
        format!(
            "<iframe srcdoc='<form action=/end{n}><button id=go{n}>Go</button></form>'></iframe>"
        )
    };
    world.serve("http://page.test/", Response::html(form(1) + &form(2)));
    world.serve(
        "http://page.test/end1?",
        Response { latency_ms: slow_ms, ..Response::html("<p>1") },
    );
    world.serve("http://page.test/end2?", Response::html("<p>2"));
    let browser = Browser::new(world);
    browser.open("http://page.test/").unwrap();
    browser.click("go1");
    browser.click("go2");
    let since = browser.cursor();
    let settled = browser.settle(since);
    let urls = settled.events.events.iter().filter_map(|event| match &event.kind {
        backlot_core::port::EventKind::Navigated { url, .. } => {
            url.strip_prefix("http://page.test/end")
        }
        _ => None,
    });
    urls.collect()
}

#[test]
fn frames_navigate_side_by_side() {
    assert_eq!(both_frames(1, 300), "2?1?");
    let orders: Vec<String> = (0..8).map(|seed| both_frames(seed, 0)).collect();
    assert!(
        orders.contains(&"1?2?".to_string()) && orders.contains(&"2?1?".to_string()),
        "{orders:?}"
    );
    assert_eq!(both_frames(5, 0), orders[5]);
}
