//! Keys, pointer moves and drags: trusted, and under a guard.

use crate::act::{act, guard_of, log, logging, send};
use crate::support::{Stage, key};
use backlot_core::page::CaptureSpec;
use backlot_core::port::{
    Button, DispatchOutcome, InputPlan, Modifiers, MouseStep, NotSent, Stroke,
};

fn words(lines: &[String]) -> Vec<String> {
    lines.iter().map(|line| line.split(' ').take(2).collect::<Vec<_>>().join(" ")).collect()
}

fn keys(words: &[&str]) -> InputPlan {
    let strokes = words.iter().map(|word| Stroke::press(word).unwrap()).collect();
    InputPlan::Keys { strokes, focus: true }
}

async fn value(stage: &Stage, id: &str) -> String {
    let capture = stage.capture_as(CaptureSpec::TEXT).await.unwrap();
    let (frame, at) = capture.find(key(&capture, id)).unwrap();
    let element = capture.frames[frame as usize].element(at).unwrap();
    match element.control.as_ref().map(|control| control.value.clone()) {
        Some(backlot_core::page::FieldValue::Text(text)) => text,
        other => panic!("{other:?}"),
    }
}

async fn press(stage: &Stage, id: &str, plan: InputPlan) -> DispatchOutcome {
    let node = key(&stage.capture().await, id);
    let guard = guard_of(stage, node, false).await;
    send(stage, plan, guard).await
}

#[tokio::test]
async fn keys_type_and_edit() {
    let stage = Stage::with(logging()).await;
    stage.show("<!doctype html><input id=i value=old><input id=j>").await;
    let done = press(&stage, "i", keys(&["Control+A", "a", "Shift+b", "!", "KeyC"])).await;
    assert!(matches!(done, DispatchOutcome::Done(_)), "{done:?}");
    assert_eq!(value(&stage, "i").await, "aB!c");
    press(&stage, "i", keys(&["Home", "Delete", "End", "Backspace"])).await;
    assert_eq!(value(&stage, "i").await, "B!");
    log(&stage);
    press(&stage, "j", keys(&["x"])).await;
    let seen = words(&log(&stage));
    assert!(seen.contains(&"keydown 1".into()) && seen.contains(&"input 1".into()), "{seen:?}");
    let insert = vec![Stroke::Insert { text: "é漢".into() }];
    press(&stage, "j", InputPlan::Keys { strokes: insert, focus: true }).await;
    assert_eq!(value(&stage, "j").await, "xé漢");
    stage.browser.close().await;
}

#[tokio::test]
async fn held_keys_last_over_dispatches() {
    let stage = Stage::new().await;
    stage.show("<!doctype html><input id=i>").await;
    let one = |stroke| InputPlan::Keys { strokes: vec![stroke], focus: true };
    press(&stage, "i", one(Stroke::Down { key: "Shift".into() })).await;
    press(&stage, "i", keys(&["a"])).await;
    press(&stage, "i", one(Stroke::Up { key: "Shift".into() })).await;
    press(&stage, "i", keys(&["a"])).await;
    assert_eq!(value(&stage, "i").await, "Aa");
    stage.browser.close().await;
}

#[tokio::test]
async fn keys_follow_the_focus_only_from_their_target() {
    let stage = Stage::with(logging()).await;
    stage.show("<!doctype html><input id=a autofocus><input id=b><p id=p>x</p>").await;
    let unfit = press(&stage, "p", keys(&["x"])).await;
    assert_eq!(unfit, DispatchOutcome::NotSent(NotSent::Unfit));
    let plan = InputPlan::Keys { strokes: vec![Stroke::press("x").unwrap()], focus: false };
    let elsewhere = press(&stage, "b", plan).await;
    assert_eq!(elsewhere, DispatchOutcome::NotSent(NotSent::Unfit));
    press(&stage, "a", keys(&["q", "Tab", "r"])).await;
    assert_eq!((value(&stage, "a").await, value(&stage, "b").await), ("q".into(), "r".into()));
    stage.browser.close().await;
}

#[tokio::test]
async fn keys_that_nothing_has_the_focus_for_go_to_the_body() {
    let stage = Stage::with(logging()).await;
    stage.show("<!doctype html><body id=b>text</body>").await;
    let plan = InputPlan::Keys { strokes: vec![Stroke::press("x").unwrap()], focus: false };
    let done = press(&stage, "b", plan).await;
    assert!(matches!(done, DispatchOutcome::Done(_)), "{done:?}");
    assert!(log(&stage).iter().any(|line| line.starts_with("keydown 1 body#b")));
    stage.browser.close().await;
}

#[tokio::test]
async fn a_stolen_focus_gets_no_key() {
    let stage = Stage::with(logging()).await;
    let page = "<!doctype html><input id=i onfocus='queueMicrotask(() => document.getElementById(\"j\").focus())'><input id=j>";
    stage.show(page).await;
    // The page takes the focus away as soon as the guard has given it: before any key is sent.
    let outcome = press(&stage, "i", keys(&["x"])).await;
    assert!(matches!(outcome, DispatchOutcome::NotSent(_)), "{outcome:?}");
    let (i, j) = (value(&stage, "i").await, value(&stage, "j").await);
    assert_eq!((i.as_str(), j.as_str()), ("", ""));
    stage.browser.close().await;
}

#[tokio::test]
async fn a_click_holds_its_modifiers() {
    let stage = Stage::new().await;
    stage
        .show("<!doctype html><button id=b onclick='o.value=[event.ctrlKey,event.shiftKey,event.altKey]'>b</button><input id=o>")
        .await;
    let modifiers = Modifiers { control: true, shift: true, ..Modifiers::default() };
    act(&stage, "b", InputPlan::TrustedClick { button: Button::Left, double: false, modifiers })
        .await;
    assert_eq!(value(&stage, "o").await, "true,true,false");
    stage.browser.close().await;
}

#[tokio::test]
async fn hovering_opens_what_hovering_opens() {
    let stage = Stage::with(logging()).await;
    stage
        .show("<!doctype html><style>#m{display:none}#b:hover + #m{display:block}</style><button id=b>menu</button><div id=m>open</div>")
        .await;
    let done = act(&stage, "b", InputPlan::Hover).await;
    assert!(matches!(done, DispatchOutcome::Done(_)), "{done:?}");
    let probe = stage.probe(key(&stage.capture().await, "m")).await.unwrap();
    assert!(probe.rendered);
    stage.browser.close().await;
}

#[tokio::test]
async fn a_covered_element_is_not_hovered() {
    let stage = Stage::with(logging()).await;
    stage
        .show("<!doctype html><button id=b>go</button><div id=veil style='position:fixed;inset:0'></div>")
        .await;
    let outcome = act(&stage, "b", InputPlan::Hover).await;
    assert!(matches!(outcome, DispatchOutcome::NotSent(NotSent::Covered(_))), "{outcome:?}");
    stage.browser.close().await;
}

#[tokio::test]
async fn the_wheel_scrolls_and_buttons_are_held() {
    let stage = Stage::with(logging()).await;
    stage
        .show("<!doctype html><div id=s style='height:100px;overflow:auto'><p style='height:900px'>x</div><p id=p>y")
        .await;
    let steps = vec![MouseStep::Move, MouseStep::Wheel { dx: 0.0, dy: 120.0 }];
    let done = act(&stage, "s", InputPlan::Mouse { steps }).await;
    assert!(matches!(done, DispatchOutcome::Done(_)), "{done:?}");
    let button = Button::Middle;
    let down = vec![MouseStep::Move, MouseStep::Down { button, count: 1 }];
    act(&stage, "p", InputPlan::Mouse { steps: down }).await;
    act(&stage, "p", InputPlan::Mouse { steps: vec![MouseStep::Up { button, count: 1 }] }).await;
    let seen = words(&log(&stage));
    assert!(seen.contains(&"mousedown 1".into()) && seen.contains(&"mouseup 1".into()), "{seen:?}");
    stage.browser.close().await;
}

/// A page where boxes are dragged by pointer events, or by the browser's own dragging.
async fn drag(page: &str) -> (Stage, DispatchOutcome) {
    let stage = Stage::with(logging()).await;
    stage.show(page).await;
    let capture = stage.capture().await;
    let to = guard_of(&stage, key(&capture, "to"), true).await;
    let outcome = act(&stage, "from", InputPlan::Drag { to }).await;
    (stage, outcome)
}

#[tokio::test]
async fn a_drag_ends_where_it_was_meant_to() {
    let own = "<!doctype html><style>div{width:80px;height:80px;margin:20px;background:#ccc}</style>\
               <div id=from draggable=true ondragstart='event.dataTransfer.setData(\"text\",\"x\")'>a</div><p>between</p>\
               <div id=to ondragover='event.preventDefault()' ondrop='o.value=event.dataTransfer.getData(\"text\")'>b</div><input id=o>";
    let (stage, outcome) = drag(own).await;
    assert!(matches!(outcome, DispatchOutcome::Done(_)), "{outcome:?}");
    assert_eq!(value(&stage, "o").await, "x");
    stage.browser.close().await;
    let pointer = "<!doctype html><style>div{width:80px;height:80px;margin:20px;background:#ccc}</style>\
                   <div id=from onmousedown='window.on=1'>a</div><p>between</p>\
                   <div id=to onmouseup='if(window.on)o.value=\"dropped\"'>b</div><input id=o>";
    let (stage, outcome) = drag(pointer).await;
    assert!(matches!(outcome, DispatchOutcome::Done(_)), "{outcome:?}");
    assert_eq!(value(&stage, "o").await, "dropped");
    stage.browser.close().await;
}

#[tokio::test]
async fn focus_is_given_without_input() {
    let stage = Stage::with(logging()).await;
    stage.show("<!doctype html><input id=i><p id=p>x").await;
    let done = press(&stage, "i", InputPlan::Focus).await;
    assert!(matches!(done, DispatchOutcome::Done(_)), "{done:?}");
    assert_eq!(words(&log(&stage)), ["focus 1", "focusin 1"]);
    let unfit = press(&stage, "p", InputPlan::Focus).await;
    assert_eq!(unfit, DispatchOutcome::NotSent(NotSent::Unfit));
    stage.browser.close().await;
}
