//! Boxes, hit tests and scrolling. The numbers were measured in Chromium under the test profile.

use crate::drive::{Browser, by_id};
use backlot_core::page::{CaptureSpec, Fact, Rect};
use backlot_core::port::{HitAnswer, Op, Point, Reply, ScrollBy, ScrollWhat, Scrolled};

const PAGE: &str = "<!doctype html><style>.row{display:flex;gap:8px}.row>*{flex:1}
    .abs{position:absolute;top:20px;right:30px;width:100px;height:50px}</style>
    <h1 id=h1>Heading one</h1><p id=p>A <b id=b>bold</b> and <a id=a href=x>a link</a>.</p>
    <form><label id=l>Name <input id=i></label><br><input type=checkbox id=c><label for=c id=l2>Agree</label>
    <select id=s><option>One<option>Twenty two</select> <textarea id=t rows=3 cols=30>hi</textarea></form>
    <table id=tb><tr><td id=td>alpha<td>1</table><div class=row><button id=r1>A</button><div id=r2>b</div></div>
    <div class=abs id=abs>abs</div>";

fn check(html: &str, id: &str, expected: [f64; 4]) {
    let browser = Browser::showing(html);
    let capture = browser.capture(CaptureSpec::GEOMETRY);
    let Fact::Known(rect) = by_id(capture.top(), id).rect else { panic!("{id} has no box") };
    let [x, y, width, height] = expected;
    let drift = rect.drift(&Rect { x, y, width, height });
    assert!(drift <= 1.0, "{id}: {rect:?}");
}

#[test]
fn boxes_are_where_chromium_puts_them() {
    check(PAGE, "h1", [8.0, 21.4, 1264.0, 38.0]);
    check(PAGE, "p", [8.0, 80.9, 1264.0, 19.0]);
    check(PAGE, "b", [28.0, 80.9, 40.0, 19.0]);
    check(PAGE, "a", [118.0, 80.9, 60.0, 19.0]);
    check(PAGE, "l", [8.0, 115.9, 228.0, 19.0]);
    check(PAGE, "i", [58.0, 115.9, 178.0, 21.0]);
    check(PAGE, "abs", [1150.0, 20.0, 100.0, 50.0]);
    check(PAGE, "r1", [8.0, 217.9, 636.0, 21.0]);
    check(
        "<!doctype html><p id=p style='margin:0;transform:translate(10px,5px)'>x",
        "p",
        [18.0, 13.0, 1264.0, 19.0],
    );
}

fn hit(browser: &Browser, id: &str, x: f64, y: f64) -> HitAnswer {
    let op = Op::HitTest { tab: browser.tab, node: browser.key(id), points: vec![Point { x, y }] };
    match browser.call(op).unwrap() {
        Reply::Hit(answer) => answer,
        other => panic!("{other:?}"),
    }
}

fn cover_of(answer: HitAnswer) -> String {
    match answer {
        HitAnswer::Covered { id, .. } => id,
        other => format!("{other:?}"),
    }
}

#[test]
fn the_hit_test_follows_the_paint_order() {
    let browser = Browser::showing(
        "<!doctype html><body style=margin:0><style>div{position:absolute;left:0;top:0;width:100px;height:100px}</style>
         <div id=low style='z-index:1'></div><div id=high style='z-index:2'><div id=child style='z-index:-5;left:50px'></div></div>
         <div id=auto></div><div id=ghost style='z-index:9;pointer-events:none'></div>
         <div id=dim style='z-index:9;visibility:hidden'></div>",
    );
    assert_eq!(hit(&browser, "high", 10.0, 10.0), HitAnswer::Target);
    assert_eq!(hit(&browser, "high", 60.0, 10.0), HitAnswer::Target);
    assert_eq!(cover_of(hit(&browser, "low", 10.0, 10.0)), "high");
    assert_eq!(cover_of(hit(&browser, "ghost", 10.0, 10.0)), "high");
    assert_eq!(hit(&browser, "low", 5_000.0, 10.0), HitAnswer::Nothing);
}

#[test]
fn overflow_clips_and_labels_count_for_their_control() {
    let browser = Browser::showing(
        "<!doctype html><body style=margin:0><div style='height:20px;overflow:hidden'><div id=cut style='height:100px'></div></div>
         <div id=under style='height:100px'></div><label id=l for=c>Label text</label><input id=c type=checkbox>",
    );
    assert_eq!(hit(&browser, "cut", 5.0, 10.0), HitAnswer::Target);
    assert_eq!(cover_of(hit(&browser, "cut", 5.0, 50.0)), "under");
    assert_eq!(hit(&browser, "c", 5.0, 125.0), HitAnswer::Target);
}

fn scroll(browser: &Browser, what: ScrollWhat) -> Scrolled {
    match browser.call(Op::Scroll { tab: browser.tab, what }).unwrap() {
        Reply::Scrolled(scrolled) => scrolled,
        other => panic!("{other:?}"),
    }
}

#[test]
fn pages_and_elements_scroll_within_their_range() {
    let browser = Browser::showing(
        "<!doctype html><body style=margin:0><div id=s style='height:100px;overflow:auto'><div id=in style='height:300px'></div></div>
         <div style='height:2000px'></div><button id=b>far</button>",
    );
    let key = browser.key("in");
    let by = |what, px| scroll(&browser, ScrollWhat::Element(what, ScrollBy::Pixels(px)));
    assert_eq!(by(key, 150.0), Scrolled { moved: 150.0, at_start: false, at_end: false });
    assert_eq!(by(key, 150.0), Scrolled { moved: 50.0, at_start: false, at_end: true });
    assert_eq!(browser.probe(key).unwrap().rect.y, -200.0);
    let page = |by| scroll(&browser, ScrollWhat::Page(by));
    assert_eq!(page(ScrollBy::Pages(0.5)).moved, 360.0);
    assert!(page(ScrollBy::Start).at_start);
    let far = browser.key("b");
    assert!(scroll(&browser, ScrollWhat::IntoView(far)).moved > 1_000.0);
    let rect = browser.probe(far).unwrap().rect;
    assert!(rect.y > 0.0 && rect.y + rect.height <= 720.0, "{rect:?}");
    assert_eq!(scroll(&browser, ScrollWhat::IntoView(far)).moved, 0.0);
}

#[test]
fn deep_pages_have_boxes_and_end_no_stack() {
    let browser = Browser::showing(&format!("<!doctype html>{}x", "<div>".repeat(10_000)));
    let capture = browser.capture(CaptureSpec::GEOMETRY);
    assert_eq!(capture.top().nodes.len(), 10_003);
    let flexes = "<div style='display:flex'>".repeat(300);
    Browser::showing(&format!("<!doctype html>{flexes}x")).capture(CaptureSpec::GEOMETRY);
}
