//! Sequences of input end with the document that they began in.

use crate::act::{act, guard_of, send, send_within};
use crate::support::{Stage, key, within};
use backlot_core::page::{CaptureSpec, FieldValue};
use backlot_core::port::{
    Button, DispatchOutcome, DriverError, InputPlan, Modifiers, Op, Port, Reply, Seq, SettleSpec,
    Stroke,
};
use backlot_driver_cdp::Route;
use std::time::Duration;

fn typing(text: &str) -> InputPlan {
    let strokes = text.chars().map(|c| Stroke::press(&c.to_string()).unwrap()).collect();
    InputPlan::Keys { strokes, focus: true }
}

async fn type_into(stage: &Stage, id: &str, text: &str) -> DispatchOutcome {
    let node = key(&stage.capture().await, id);
    let guard = guard_of(stage, node, false).await;
    send_within(stage, typing(text), guard, 40_000).await
}

/// Waits for the load that is under way, and gives the field's value in the page that came.
async fn value_after(stage: &Stage, id: &str) -> String {
    let spec =
        SettleSpec { since: Seq(0), min_ms: 100, quiet_ms: 50, cap_ms: 2_000, load_ms: 5_000 };
    let settled = stage.port.call(Op::Settle { tab: stage.tab, spec }, within(8_000)).await;
    assert!(matches!(settled, Ok(Reply::Settled(_))), "{settled:?}");
    let capture = stage.capture_as(CaptureSpec::TEXT).await.unwrap();
    let (frame, at) = capture.find(key(&capture, id)).unwrap();
    match capture.frames[frame as usize].element(at).unwrap().control.as_ref().map(|c| &c.value) {
        Some(FieldValue::Text(text)) => text.clone(),
        other => panic!("{other:?}"),
    }
}

/// A page whose field sends itself with the fourth character.
const PIN: &str = "<!doctype html><form action=/next><input id=i name=pin \
                   oninput='if (value.length === 4) form.requestSubmit()'></form>";
const NEXT: &str = "<!doctype html><input id=next autofocus>";
const GONE: DispatchOutcome = DispatchOutcome::Unknown { reason: DriverError::DocumentGone };

#[tokio::test]
async fn keys_stop_where_the_page_is_left() {
    let stage = Stage::new().await;
    // So much that the page is left before its end.
    let text = format!("1234{}", "secret".repeat(30));
    // An answer at once, and one that leaves the old page standing for a while.
    for latency in [0, 150] {
        let latency = Duration::from_millis(latency);
        stage.server.route("/next?pin=1234", Route::html(NEXT).latency(latency));
        stage.show(PIN).await;
        assert_eq!(type_into(&stage, "i", &text).await, GONE);
        assert_eq!(value_after(&stage, "next").await, "");
        stage.show(PIN).await;
        let done = type_into(&stage, "i", "1234").await;
        assert!(matches!(done, DispatchOutcome::Done(_)), "the last key may leave: {done:?}");
        assert_eq!(value_after(&stage, "next").await, "");
    }
    stage.browser.close().await;
}

#[tokio::test]
async fn keys_stop_where_their_frame_is_left() {
    let stage = Stage::new().await;
    stage.server.page("/pin", PIN);
    stage.server.page("/next?pin=1234", NEXT);
    stage.show("<!doctype html><iframe src=/pin></iframe>").await;
    let text = format!("1234{}", "secret".repeat(30));
    assert_eq!(type_into(&stage, "i", &text).await, GONE);
    assert_eq!(value_after(&stage, "next").await, "");
    stage.browser.close().await;
}

#[tokio::test]
async fn the_second_click_stops_where_the_first_left_the_page() {
    let stage = Stage::new().await;
    let next = "<!doctype html><style>button{position:fixed;inset:0}</style>\
                <button onclick='i.value += 1'>b</button><input id=i>";
    stage.server.page("/next", next);
    let page = "<!doctype html><style>button{position:fixed;inset:0}</style>\
                <button id=b onclick='location.href = \"/next\"; const end = performance.now() + 100; while (performance.now() < end);'>b</button>";
    // The handler lasts until the browser has told of the navigation that it began.
    stage.show(page).await;
    let modifiers = Modifiers::default();
    let twice = InputPlan::TrustedClick { button: Button::Left, double: true, modifiers };
    assert_eq!(act(&stage, "b", twice).await, GONE);
    assert_eq!(value_after(&stage, "i").await, "");
    stage.browser.close().await;
}

#[tokio::test]
async fn a_navigation_that_comes_to_nothing_stops_no_keys() {
    let stage = Stage::new().await;
    stage.server.route("/none", Route::html("").status(204));
    let page =
        "<!doctype html><input id=i oninput='if (value.length === 2) location.href = \"/none\"'>";
    stage.show(page).await;
    let done = type_into(&stage, "i", "abcdef").await;
    assert!(matches!(done, DispatchOutcome::Done(_)), "{done:?}");
    assert_eq!(value_after(&stage, "i").await, "abcdef");
    stage.browser.close().await;
}

#[tokio::test]
async fn a_long_text_is_typed_to_its_end() {
    let stage = Stage::new().await;
    // Keys that the page is slow to take: together they last longer than a guard stands.
    let slow = "const end = performance.now() + 4; while (performance.now() < end);";
    stage.show(&format!("<!doctype html><textarea id=i onkeydown='{slow}'></textarea>")).await;
    let text = "abcde".repeat(300);
    let done = type_into(&stage, "i", &text).await;
    assert!(matches!(done, DispatchOutcome::Done(_)), "{done:?}");
    assert_eq!(value_after(&stage, "i").await, text);
    stage.browser.close().await;
}

#[tokio::test]
async fn input_that_fails_leaves_nothing_held_and_no_guard() {
    let stage = Stage::new().await;
    let page = "<!doctype html><input id=i onkeydown='if (event.key === \"B\") { const end = performance.now() + 6000; while (performance.now() < end); }'><input id=j>";
    stage.show(page).await;
    let strokes = vec![Stroke::Down { key: "Shift".into() }, Stroke::press("b").unwrap()];
    let node = key(&stage.capture().await, "i");
    let guard = guard_of(&stage, node, false).await;
    let outcome = send(&stage, InputPlan::Keys { strokes, focus: true }, guard).await;
    let late = DispatchOutcome::Unknown { reason: DriverError::Deadline };
    assert_eq!(outcome, late);
    let done = type_into(&stage, "j", "c").await;
    assert!(matches!(done, DispatchOutcome::Done(_)), "{done:?}");
    assert_eq!(value_after(&stage, "j").await, "c", "Shift is up again");
    stage.browser.close().await;
}
