//! Writes: events, default actions and guards. The event sequences were taken from Chromium.

use crate::drive::Browser;
use backlot_core::gatekeeper::TargetIdentity;
use backlot_core::port::{
    Button, DispatchEvidence, DispatchOutcome, DriverError, HitAnswer, InputPlan, NotSent, Typing,
};

fn done(outcome: DispatchOutcome) -> DispatchEvidence {
    match outcome {
        DispatchOutcome::Done(evidence) => evidence,
        other => panic!("{other:?}"),
    }
}

/// Events of one step, without what the page around adds to each path.
fn log(browser: &Browser, step: impl FnOnce()) -> String {
    let before = browser.world.event_log().len();
    step();
    let lines = browser.world.event_log();
    let short = lines[before..].iter().map(|line| line.replace("<body<html<#document<window", ""));
    short.collect::<Vec<_>>().join("\n")
}

fn check(html: &str, step: impl FnOnce(&Browser), expected: &str) {
    let browser = Browser::showing(html);
    let log = log(&browser, || step(&browser));
    let expected: Vec<&str> = expected.lines().map(str::trim).filter(|l| !l.is_empty()).collect();
    assert_eq!(log.lines().collect::<Vec<_>>(), expected, "{html}");
}

#[test]
fn a_label_focuses_and_clicks_its_checkbox() {
    check(
        "<label id=l for=c>Lab</label><input type=checkbox id=c>",
        |b| drop(b.click("l")),
        "pointerdown 0 label#l
         mousedown 0 label#l
         pointerup 0 label#l
         mouseup 0 label#l
         click 0 label#l
         focus 1 input#c
         focusin 1 input#c
         click 0 input#c
         input 1 input#c checked=true
         change 1 input#c checked=true",
    );
}

#[test]
fn an_invalid_field_stops_the_submission_and_gets_the_focus() {
    check(
        "<form id=f><input id=r required><button id=s>Go</button></form>",
        |b| drop(b.click("s")),
        "pointerdown 0 button#s<form#f
         mousedown 0 button#s<form#f
         focus 1 button#s<form#f
         focusin 1 button#s<form#f
         pointerup 0 button#s<form#f
         mouseup 0 button#s<form#f
         click 0 button#s<form#f
         invalid 1 input#r<form#f
         blur 1 button#s<form#f
         focusout 1 button#s<form#f
         focus 1 input#r<form#f
         focusin 1 input#r<form#f",
    );
}

#[test]
fn focus_within_one_shadow_tree_and_changes_in_it_stay_inside() {
    check(
        "<div id=h><template shadowrootmode=open><input id=a><input id=b type=checkbox></template></div>",
        |b| {
            done(b.click("a"));
            done(b.click("b"));
        },
        "pointerdown 0 input#a<#shadow<div#h
         mousedown 0 input#a<#shadow<div#h
         focus 1 input#a<#shadow<div#h
         focusin 1 input#a<#shadow<div#h
         pointerup 0 input#a<#shadow<div#h
         mouseup 0 input#a<#shadow<div#h
         click 0 input#a<#shadow<div#h
         pointerdown 0 input#b<#shadow<div#h
         mousedown 0 input#b<#shadow<div#h
         pointerup 0 input#b<#shadow<div#h
         mouseup 0 input#b<#shadow<div#h
         click 0 input#b<#shadow<div#h
         input 1 input#b<#shadow<div#h checked=true",
    );
}

#[test]
fn a_chosen_radio_is_clicked_again_without_a_change() {
    check(
        "<input type=radio name=g id=a checked><input type=radio name=g id=b>",
        |b| {
            done(b.click("b"));
            assert!(!b.world.mutate(b.tab, |page| page.is_checked("#a")));
            done(b.click("b"));
        },
        "pointerdown 0 input#b
         mousedown 0 input#b
         focus 1 input#b
         focusin 1 input#b
         pointerup 0 input#b
         mouseup 0 input#b
         click 0 input#b
         input 1 input#b checked=true
         change 1 input#b checked=true
         pointerdown 0 input#b
         mousedown 0 input#b
         pointerup 0 input#b
         mouseup 0 input#b
         click 0 input#b",
    );
}

#[test]
fn double_and_right_clicks_follow_the_plan() {
    check(
        "<p id=p>text</p>",
        |b| {
            done(b.act("p", InputPlan::Click { button: Button::Left, double: true }));
            done(b.act("p", InputPlan::Click { button: Button::Right, double: false }));
        },
        "pointerdown 0 p#p
         mousedown 0 p#p
         pointerup 0 p#p
         mouseup 0 p#p
         click 0 p#p
         pointerdown 0 p#p
         mousedown 0 p#p
         pointerup 0 p#p
         mouseup 0 p#p
         click 0 p#p
         dblclick 0 p#p
         pointerdown 0 p#p
         mousedown 0 p#p
         contextmenu 0 p#p
         pointerup 0 p#p
         mouseup 0 p#p",
    );
}

#[test]
fn text_is_set_at_once_or_one_character_after_another() {
    check(
        "<input id=t value=ab>",
        |b| {
            let evidence = done(b.type_in("t", "x", Typing::Append, false));
            assert_eq!(evidence.value.as_deref(), Some("abx"));
            assert_eq!(evidence.value_matches, Some(true));
            done(b.type_in("t", "hi", Typing::ReplaceSlowly, false));
        },
        "focus 1 input#t
         focusin 1 input#t
         beforeinput 0 input#t value=\"ab\" insertText \"x\"
         input 0 input#t value=\"abx\" insertText \"x\"
         change 0 input#t value=\"abx\"
         keydown 0 input#t key=\"h\"
         beforeinput 0 input#t value=\"abx\" insertText \"h\"
         input 0 input#t value=\"h\" insertText \"h\"
         keyup 0 input#t key=\"h\"
         keydown 0 input#t key=\"i\"
         beforeinput 0 input#t value=\"h\" insertText \"i\"
         input 0 input#t value=\"hi\" insertText \"i\"
         keyup 0 input#t key=\"i\"
         change 0 input#t value=\"hi\"",
    );
}

#[test]
fn typing_and_enter_submit_the_form() {
    let browser = Browser::showing(
        "<form action=/find><input id=q name=q><input name=h type=hidden value='1 2'><select name=s><option>A</select></form>",
    );
    browser.world.serve(
        "http://page.test/find?q=caf%C3%A9&h=1+2&s=A",
        backlot_sim::Response::html("<p id=found>"),
    );
    let since = browser.cursor();
    done(browser.type_in("q", "caf\u{e9}", Typing::Replace, true));
    assert!(browser.settle(since).quiet);
    assert_eq!(browser.text().top().url, "http://page.test/find?q=caf%C3%A9&h=1+2&s=A");
    browser.key("found");
}

#[test]
fn a_value_that_the_field_refuses_does_not_match() {
    let browser = Browser::showing("<input id=n type=number><input id=p type=password>");
    let evidence = done(browser.type_in("n", "abc", Typing::Replace, false));
    assert_eq!((evidence.value.as_deref(), evidence.value_matches), (Some(""), Some(false)));
    let evidence = done(browser.type_in("p", "secret", Typing::Replace, false));
    assert_eq!((evidence.value, evidence.value_matches), (None, Some(true)));
}

#[test]
fn an_editing_host_takes_text() {
    check(
        "<div id=e contenteditable>old</div>",
        |b| {
            done(b.type_in("e", "new", Typing::Replace, false));
            assert_eq!(b.world.mutate(b.tab, |page| page.text("#e")), "new");
        },
        // `execCommand` itself sends no `beforeinput`; the one that editors listen to is ours.
        "focus 1 div#e
         focusin 1 div#e
         beforeinput 0 div#e insertText \"new\"
         input 1 div#e insertText \"new\"",
    );
}

#[test]
fn options_are_selected_and_a_change_is_told_once() {
    check(
        "<select id=s><option>a<option value=2>b</select>",
        |b| {
            let evidence = done(b.act("s", InputPlan::Select { options: vec![1] }));
            assert_eq!(evidence.selected, [1]);
            done(b.act("s", InputPlan::Select { options: vec![1] }));
        },
        "input 0 select#s value=\"2\"
         change 0 select#s value=\"2\"",
    );
}

#[test]
fn a_summary_opens_its_details_and_a_reset_button_resets() {
    let browser = Browser::showing(
        "<details id=d><summary id=s>S</summary>x</details><form><input id=t value=a><button id=r type=reset>R</button></form>",
    );
    done(browser.click("s"));
    let capture = browser.text();
    assert!(crate::drive::by_id(capture.top(), "d").has_attr("open"));
    done(browser.type_in("t", "b", Typing::Replace, false));
    done(browser.click("r"));
    assert_eq!(browser.world.mutate(browser.tab, |page| page.value("#t")), "a");
}

#[test]
fn a_covered_moved_changed_or_disabled_target_gets_nothing() {
    let page = "<button id=b>Buy</button><div id=o></div>";
    let held = |change: &dyn Fn(&Browser)| {
        let browser = Browser::showing(page);
        let guard = browser.guard(browser.key("b"));
        change(&browser);
        let plan = InputPlan::Click { button: Button::Left, double: false };
        let outcome = browser.dispatch(plan, guard);
        assert!(browser.world.event_log().is_empty());
        match outcome {
            DispatchOutcome::NotSent(reason) => reason,
            other => panic!("{other:?}"),
        }
    };
    let set = |selector: &'static str, name: &'static str, value: &'static str| {
        move |b: &Browser| b.world.mutate(b.tab, |p| p.set_attribute(selector, name, Some(value)))
    };
    let cover = held(&set("#o", "style", "position:fixed;inset:0"));
    let NotSent::Covered(HitAnswer::Covered { tag, id, .. }) = cover else { panic!("{cover:?}") };
    assert_eq!((tag.as_str(), id.as_str()), ("div", "o"));
    assert_eq!(held(&set("#b", "style", "margin-left:50px")), NotSent::Moved);
    assert_eq!(held(&set("#b", "disabled", "")), NotSent::NotEnabled);
    assert_eq!(held(&set("body", "inert", "")), NotSent::NotEnabled);
    assert_eq!(held(&|b| b.world.mutate(b.tab, |p| p.set_text("#b", "Pay"))), NotSent::Recycled);
    assert_eq!(held(&|b| b.world.mutate(b.tab, |p| p.remove("#b"))), NotSent::Gone);
    assert_eq!(held(&|b| drop(b.open("http://page.test/"))), NotSent::Gone);
    assert_eq!(held(&|b| b.world.crash(b.tab)), NotSent::Failed(DriverError::TabCrashed));
    assert_eq!(held(&|b| b.world.close_tab(b.tab)), NotSent::Failed(DriverError::TabGone));
}

#[test]
fn a_permit_for_another_node_opens_nothing() {
    let browser = Browser::showing("<button id=a>A</button><button id=b>B</button>");
    let guard = browser.guard(browser.key("a"));
    let other = browser.key("b");
    let target = TargetIdentity {
        tab: Some(browser.tab),
        document: Some(other.document),
        node: Some(other),
        ..TargetIdentity::default()
    };
    let plan = InputPlan::Click { button: Button::Left, double: false };
    let outcome = browser.dispatch_with(plan, guard, &target);
    assert!(
        matches!(outcome, DispatchOutcome::NotSent(NotSent::Failed(DriverError::Refused { .. }))),
        "{outcome:?}"
    );
    assert!(browser.world.event_log().is_empty());
}

#[test]
fn a_click_in_a_frame_goes_through_the_frames_boxes() {
    let browser = Browser::showing(
        "<p>above</p><iframe srcdoc=\"<button id=b>In</button>\"></iframe><div id=o></div>",
    );
    done(browser.click("b"));
    let last = browser.world.event_log().pop().unwrap();
    assert_eq!(last, "click 0 button#b<body<html<#document<window");
    browser.world.mutate(browser.tab, |p| {
        p.set_attribute("#o", "style", Some("position:absolute;inset:0"));
    });
    assert!(matches!(browser.click("b"), DispatchOutcome::NotSent(NotSent::Covered(_))));
}

#[test]
fn plans_that_do_not_fit_are_refused() {
    let browser =
        Browser::showing("<p id=p>x</p><input id=r readonly><select id=s><option>a</select>");
    let unfit = DispatchOutcome::NotSent(NotSent::Unfit);
    assert_eq!(browser.type_in("p", "x", Typing::Replace, false), unfit);
    assert_eq!(browser.type_in("r", "x", Typing::Replace, false), unfit);
    assert_eq!(browser.act("s", InputPlan::Select { options: vec![3] }), unfit);
    assert_eq!(browser.act("p", InputPlan::Select { options: vec![] }), unfit);
}
