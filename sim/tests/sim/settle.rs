//! Waiting, navigation, tabs and events.

use crate::drive::{Browser, DEADLINE};
use backlot_core::page::TabId;
use backlot_core::port::{
    DialogKind, DriverError, EventKind, LoadState, Millis, Op, Reply, Seq, TabInfo,
};
use backlot_sim::{Response, World};

fn slow(body: &str, latency_ms: u64) -> Response {
    Response { latency_ms, ..Response::html(body) }
}

fn tabs(browser: &Browser) -> Vec<TabInfo> {
    match browser.call(Op::Tabs).unwrap() {
        Reply::Tabs(tabs) => tabs,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_link_is_followed_while_settling() {
    let browser = Browser::showing("<a id=l href=/next>next</a>");
    browser.world.serve("http://page.test/next", slow("<p id=there>", 700));
    let since = browser.cursor();
    browser.click("l");
    let settled = browser.settle(since);
    assert!(settled.quiet);
    let kinds: Vec<bool> = settled
        .events
        .events
        .iter()
        .map(|event| matches!(event.kind, EventKind::Navigated { top: true, .. }))
        .collect();
    assert_eq!(kinds, [false, true]);
    browser.key("there");
    let still = browser.settle(browser.cursor());
    assert!(still.quiet && still.events.events.is_empty());
}

#[test]
fn a_fragment_scrolls_and_a_blank_target_opens_a_tab() {
    let browser = Browser::showing(
        "<a id=f href='#far'>down</a> <a id=n href=/new target=_blank>new</a><div style='height:3000px'></div><p id=far>x",
    );
    browser.world.serve("http://page.test/new", Response::html("<title>New</title>"));
    let document = browser.text().top().document;
    browser.click("f");
    assert_eq!(browser.text().top().url, "http://page.test/#far");
    assert_eq!(browser.text().top().document, document);
    browser.open("http://page.test/").unwrap();
    browser.click("n");
    let opened = tabs(&browser)[1].clone();
    // As in Chromium, a tab that a page opens comes to the front.
    assert_eq!((opened.tab, opened.opener, opened.visible), (TabId(2), Some(TabId(1)), true));
}

#[test]
fn what_does_not_load_takes_the_old_documents_place() {
    let browser = Browser::showing("<a id=l href=/gone>x</a>");
    let since = browser.cursor();
    let old = browser.key("l");
    browser.click("l");
    assert!(browser.settle(since).quiet);
    let top = browser.text().top().clone();
    assert_eq!(top.url, "chrome-error://chromewebdata/");
    assert_ne!(top.document, old.document);
    let document = browser.open("http://page.test/").unwrap().document;
    assert_eq!(browser.open("http://page.test/#x").unwrap().document, document);
}

#[test]
fn deadlines_end_slow_loads() {
    let browser = Browser::showing("<p id=old>");
    browser.world.serve("http://page.test/slow", slow("x", 5_000));
    let error = browser.open_by("http://page.test/slow", Millis(1_000)).unwrap_err();
    assert_eq!(error, DriverError::Deadline);
    browser.world.serve(
        "http://page.test/half",
        Response::html("<link rel=stylesheet href=s.css><p id=half>"),
    );
    let css = Response { content_type: "text/css".into(), ..slow("#half{display:none}", 9_000) };
    browser.world.serve("http://page.test/s.css", css);
    let navigated = browser.open_by("http://page.test/half", Millis(2_000)).unwrap();
    assert_eq!(navigated.load, LoadState::Interactive);
    assert_eq!(browser.open("http://page.test/half").unwrap().load, LoadState::Complete);
}

#[test]
fn gone_tabs_say_so() {
    let browser = Browser::showing("x");
    browser.world.crash(browser.tab);
    let key = Op::BrowserTree { tab: browser.tab };
    assert_eq!(browser.call(key).unwrap_err(), DriverError::TabCrashed);
    browser.world.close_tab(browser.tab);
    let key = Op::BrowserTree { tab: browser.tab };
    assert_eq!(browser.call(key).unwrap_err(), DriverError::TabGone);
    assert!(tabs(&browser).is_empty());
    assert_eq!(browser.call(Op::BrowserTree { tab: TabId(9) }).unwrap_err(), DriverError::TabGone);
}

#[test]
fn the_event_log_is_bounded_and_tells_what_it_lost() {
    let browser = Browser::new(World::new(1));
    for _ in 0..1_500 {
        browser.world.dialog(browser.tab, DialogKind::Alert, "hi");
    }
    let Reply::Events(batch) = browser.call(Op::Events { since: Seq(1) }).unwrap() else {
        panic!()
    };
    assert_eq!(batch.events.len(), 1_000);
    assert_eq!(batch.lost + 1_000, batch.next.0 - 1);
}

#[test]
fn an_empty_page_has_an_empty_browser_tree() {
    let tree = |html: &str| {
        let browser = Browser::showing(html);
        match browser.call(Op::BrowserTree { tab: browser.tab }).unwrap() {
            Reply::BrowserTree(nodes) => nodes.len(),
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(tree("<title>t</title><script>x</script><p hidden>no</p><div> </div>"), 0);
    assert_eq!(tree("<p>text</p><input><p style='visibility:hidden'>no</p>"), 2);
    assert_eq!(DEADLINE, Millis(1_000_000));
}
