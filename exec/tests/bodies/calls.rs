//! Each method of the API becomes its call.

use crate::support::{calls, returned, run, run_with, thrown};
use serde_json::{Value, json};

/// The one call of a body, without the fields that all calls have.
fn call(code: &str) -> Value {
    let mut calls = calls(&format!("{code};"));
    assert_eq!(calls.len(), 1, "{code}: {calls:?}");
    let call = calls[0].as_object_mut().unwrap();
    call.remove("page");
    calls.remove(0)
}

fn action(code: &str) -> Value {
    let call = call(&format!("await page.locator('a').{code}"));
    assert_eq!((&call["op"], &call["locator"]), (&json!("act"), &json!([{"css": "a"}])), "{code}");
    call["action"].clone()
}

const PLAIN: fn() -> Value =
    || json!({"alt": false, "control": false, "meta": false, "shift": false});

#[test]
fn navigation() {
    assert_eq!(
        call("await page.goto('http://h/')"),
        json!({"op": "goto", "url": "http://h/", "waitUntil": "load", "timeout": 10000})
    );
    assert_eq!(
        call("await page.goto(new URL('http://h/a'), {waitUntil: 'networkidle', timeout: 5})"),
        json!({"op": "goto", "url": "http://h/a", "waitUntil": "networkidle", "timeout": 5})
    );
    for (method, op) in [("reload", "reload"), ("goBack", "goBack"), ("goForward", "goForward")] {
        assert_eq!(
            call(&format!("await page.{method}({{waitUntil: 'commit'}})")),
            json!({"op": op, "waitUntil": "commit", "timeout": 10000})
        );
    }
    let code = "const r = await page.goto('http://h/'); return [r.status(), r.ok(), r.url(), r]";
    let ran = run_with(Default::default(), code, |_, _| {
        Some(Ok(json!({"url": "http://h/x", "status": 404})))
    });
    assert_eq!(
        ran.end.result,
        Ok(Some(json!([404, false, "http://h/x", {"url": "http://h/x", "status": 404}])))
    );
    assert_eq!(returned("return await page.goBack()"), Some(Value::Null));
}

#[test]
fn what_a_page_is_asked() {
    for (code, expected) in [
        ("await page.title()", json!({"op": "title"})),
        ("await page.content()", json!({"op": "content"})),
        ("await page.close()", json!({"op": "closePage"})),
        ("await page.bringToFront()", json!({"op": "bringToFront"})),
        (
            "await page.setViewportSize({width: 800, height: 600})",
            json!({"op": "setViewportSize", "width": 800, "height": 600}),
        ),
        ("await page.waitForTimeout(7)", json!({"op": "sleep", "ms": 7})),
        (
            "await page.waitForLoadState()",
            json!({"op": "waitForLoadState", "state": "load", "timeout": 10000}),
        ),
        (
            "await page.waitForLoadState('networkidle', {timeout: 9})",
            json!({"op": "waitForLoadState", "state": "networkidle", "timeout": 9}),
        ),
        (
            "await page.waitForURL('**/x*')",
            json!({"op": "waitForUrl", "glob": "**/x*", "pattern": null, "waitUntil": "load", "timeout": 10000}),
        ),
        (
            "await page.waitForURL(/x\\/y/i)",
            json!({"op": "waitForUrl", "glob": null, "pattern": ["x\\/y", "i"], "waitUntil": "load", "timeout": 10000}),
        ),
        ("await context.cookies()", json!({"op": "cookies"})),
        (
            "await page.waitForSelector('a', {state: 'attached'})",
            json!({"op": "waitFor", "locator": [{"css": "a"}, {"nth": 0}], "state": "attached", "timeout": 8000}),
        ),
        (
            "await page.locator('a').waitFor({timeout: 3})",
            json!({"op": "waitFor", "locator": [{"css": "a"}], "state": "visible", "timeout": 3}),
        ),
    ] {
        assert_eq!(call(code), expected, "{code}");
    }
}

#[test]
fn what_is_known_without_waiting() {
    let code = "return [page.url(), page.viewportSize(), page.isClosed(), context.pages().length, context.pages()[0] === page,
        context.pages()[1].url(), context.pages()[1].viewportSize(), browser.version(), browser.contexts()[0] === context,
        browser.isConnected(), page.context() === context, page.locator('a').page() === page, context.browser() === browser]";
    let expected = json!(["https://example.test/page-1?a=1", {"width": 1280, "height": 720}, false, 2, true,
        "https://example.test/page-2?a=1", null, "156.0", true, true, true, true, true]);
    let ran = run(code);
    assert_eq!((ran.end.result, ran.calls.len()), (Ok(Some(expected)), 0));
    let ran = run_with(
        Default::default(),
        "const p = await context.newPage(); await p.title(); return p.isClosed()",
        |_, _| Some(Ok(json!("page-9"))),
    );
    assert_eq!(ran.calls, [json!({"op": "newPage"}), json!({"op": "title", "page": "page-9"})]);
    assert_eq!(ran.end.result, Ok(Some(json!(true))));
}

#[test]
fn scripts_in_the_page() {
    let script = |source: &str, is_function: bool, argument: Option<Value>| {
        json!({
            "op": "evaluate", "source": source, "isFunction": is_function, "argument": argument, "locator": null, "timeout": 29_750
        })
    };
    for (code, expected) in [
        ("await page.evaluate('1 + 1')", script("1 + 1", false, None)),
        ("await page.evaluate(() => document.title)", script("() => document.title", true, None)),
        (
            "await page.evaluate((x: number): number => x, {a: [1, null]})",
            script("(x        )         => x", true, Some(json!({"a": [1, null]}))),
        ),
        (
            "await page.evaluate(async function f(x) { return x }, 'q')",
            script("async function f(x) { return x }", true, Some(json!("q"))),
        ),
    ] {
        assert_eq!(call(code), expected, "{code}");
    }
    let called = call("await page.locator('a').evaluate((el, n) => n, 5, {timeout: 7})");
    assert_eq!(
        (&called["locator"], &called["argument"], &called["timeout"]),
        (&json!([{"css": "a"}]), &json!(5), &json!(7))
    );
    let called = call("await page.evaluate((el) => el.id, page.locator('b'))");
    assert_eq!((&called["locator"], &called["argument"]), (&json!([{"css": "b"}]), &Value::Null));
    // `null` and nothing are two arguments.
    let code = "return await page.evaluate(x => x, null)";
    let ran = run_with(Default::default(), code, |call, _| {
        let backlot_core::surface::toolkit::PageCall::Evaluate { argument, .. } = call else {
            panic!("{call:?}")
        };
        Some(Ok(json!({"value": argument == &Some(Value::Null)})))
    });
    assert_eq!(ran.end.result, Ok(Some(json!(true))));
    let ran = run_with(Default::default(), "return await page.evaluate(() => {})", |_, _| {
        Some(Ok(json!({})))
    });
    assert_eq!(ran.end.result, Ok(None));
    for (code, expected) in [
        (
            "await page.evaluate(5)",
            "page.evaluate: pageFunction: expected function or string, got number",
        ),
        (
            "await page.evaluate(x => x, () => 1)",
            "page.evaluate: arg: expected a value that has a form in JSON, got function",
        ),
        (
            "await page.evaluate(x => x, (() => { const o = {}; o.o = o; return o })())",
            "page.evaluate: arg: it has no form in JSON",
        ),
        (
            "await page.evaluate(Math.max)",
            "page.evaluate: pageFunction: a built-in function has no source",
        ),
    ] {
        assert!(thrown(code).starts_with(expected), "{code}: {}", thrown(code));
    }
}

#[test]
fn polled_waits() {
    let code = "await page.waitForURL((url) => url.searchParams.get('a') === '1'); return 1";
    let ran = run_with(Default::default(), code, |_, _| Some(Ok(json!("http://h/?a=1"))));
    assert_eq!(
        ran.calls.iter().map(|call| call["op"].as_str().unwrap().to_owned()).collect::<Vec<_>>(),
        ["url", "waitForLoadState"]
    );
    let ran = run_with(
        Default::default(),
        "await page.waitForFunction(() => window.x, null, {timeout: 500})",
        |_, _| Some(Ok(json!({"value": false}))),
    );
    assert_eq!(ran.end.result, Err("page.waitForFunction: Timeout 500ms exceeded.".to_owned()));
    assert_eq!(ran.took, 500);
    let code = "return await (await page.waitForFunction(() => 7)).jsonValue()";
    let ran = run_with(Default::default(), code, |_, _| Some(Ok(json!({"value": 7}))));
    assert_eq!(ran.end.result, Ok(Some(json!(7))));
}

#[test]
fn actions() {
    let click = |button: &str, count: u8| json!({"kind": "click", "button": button, "count": count, "modifiers": PLAIN()});
    let press = |key: &str, control: bool| {
        json!({"kind": "press", "strokes": [{"press": {"key": key,
        "modifiers": {"alt": false, "control": control, "meta": false, "shift": false}}}]})
    };
    for (code, expected) in [
        ("click()", click("left", 1)),
        ("click({button: 'right', clickCount: 2, timeout: 5})", click("right", 2)),
        ("dblclick()", click("left", 2)),
        (
            "click({modifiers: ['Shift', 'ControlOrMeta'], force: false})",
            json!({"kind": "click", "button": "left", "count": 1,
            "modifiers": {"alt": false, "control": true, "meta": false, "shift": true}}),
        ),
        ("fill('x')", json!({"kind": "fill", "value": "x"})),
        ("clear()", json!({"kind": "fill", "value": ""})),
        ("type('x', {delay: 3})", json!({"kind": "type", "text": "x", "delay": 3})),
        ("pressSequentially('x')", json!({"kind": "type", "text": "x", "delay": 0})),
        ("press('Enter')", press("Enter", false)),
        ("press('Control+a')", press("a", true)),
        ("check()", json!({"kind": "setChecked", "checked": true})),
        ("uncheck()", json!({"kind": "setChecked", "checked": false})),
        ("setChecked(true)", json!({"kind": "setChecked", "checked": true})),
        ("selectOption('a')", json!({"kind": "selectOption", "options": [{"either": "a"}]})),
        (
            "selectOption(['a', {label: 'b'}, {index: 2}, {value: 'c'}])",
            json!({"kind": "selectOption",
            "options": [{"either": "a"}, {"label": "b"}, {"index": 2}, {"value": "c"}]}),
        ),
        ("selectOption(null)", json!({"kind": "selectOption", "options": []})),
        ("hover()", json!({"kind": "hover"})),
        ("focus()", json!({"kind": "focus"})),
        ("blur()", json!({"kind": "blur"})),
        ("scrollIntoViewIfNeeded()", json!({"kind": "scrollIntoView"})),
        ("dragTo(page.locator('b'))", json!({"kind": "dragTo", "target": [{"css": "b"}]})),
    ] {
        assert_eq!(action(code), expected, "{code}");
    }
    let ran = run_with(
        Default::default(),
        "return [await page.selectOption('s', 'a'), await page.click('b')]",
        |_, _| Some(Ok(json!(["a"]))),
    );
    assert_eq!(ran.end.result, Ok(Some(json!([["a"], null]))));
}

#[test]
fn inner_html_is_a_script() {
    let called = call("await page.locator('a').innerHTML()");
    assert_eq!((&called["op"], &called["locator"]), (&json!("evaluate"), &json!([{"css": "a"}])));
    assert_eq!(called["source"], "(element) => element.innerHTML");
}

#[test]
fn questions() {
    for (code, kind) in [
        ("textContent", "textContent"),
        ("innerText", "innerText"),
        ("inputValue", "inputValue"),
        ("isVisible", "isVisible"),
        ("isHidden", "isHidden"),
        ("isEnabled", "isEnabled"),
        ("isDisabled", "isDisabled"),
        ("isEditable", "isEditable"),
        ("isChecked", "isChecked"),
        ("boundingBox", "boundingBox"),
        ("allTextContents", "allTextContents"),
        ("allInnerTexts", "allInnerTexts"),
    ] {
        let called = call(&format!("await page.locator('a').{code}()"));
        assert_eq!(
            called,
            json!({"op": "query", "locator": [{"css": "a"}], "query": {"kind": kind}, "timeout": 8000})
        );
    }
    let called = call("await page.locator('a').getAttribute('href', {timeout: 1})");
    assert_eq!(
        (&called["query"], &called["timeout"]),
        (&json!({"kind": "attribute", "name": "href"}), &json!(1))
    );
    let ran = run_with(
        Default::default(),
        "return (await page.locator('a').all()).map(String)",
        |_, _| Some(Ok(json!(2))),
    );
    assert_eq!(ran.end.result, Ok(Some(json!(["locator('a').nth(0)", "locator('a').nth(1)"]))));
}

#[test]
fn keys_and_mouse() {
    let press = |key: &str| json!({"press": {"key": key, "modifiers": PLAIN()}});
    for (code, expected) in [
        (
            "keyboard.press('Enter')",
            json!({"op": "keyboard", "strokes": [press("Enter")], "delay": 0}),
        ),
        (
            "keyboard.type('a\\né', {delay: 4})",
            json!({"op": "keyboard", "strokes": [press("a"), press("Enter"), {"insert": {"text": "é"}}], "delay": 4}),
        ),
        (
            "keyboard.insertText('xy')",
            json!({"op": "keyboard", "strokes": [{"insert": {"text": "xy"}}], "delay": 0}),
        ),
        (
            "keyboard.down('Shift')",
            json!({"op": "keyboard", "strokes": [{"down": {"key": "Shift"}}], "delay": 0}),
        ),
        (
            "keyboard.up('Shift')",
            json!({"op": "keyboard", "strokes": [{"up": {"key": "Shift"}}], "delay": 0}),
        ),
        ("mouse.move(1, 2.5)", json!({"op": "mouse", "x": 1.0, "y": 2.5, "act": "move"})),
        (
            "mouse.click(1, 2)",
            json!({"op": "mouse", "x": 1.0, "y": 2.0, "act": {"click": {"button": "left", "count": 1}}}),
        ),
        (
            "mouse.dblclick(1, 2, {button: 'right'})",
            json!({"op": "mouse", "x": 1.0, "y": 2.0, "act": {"click": {"button": "right", "count": 2}}}),
        ),
        (
            "mouse.wheel(0, 100)",
            json!({"op": "mouse", "x": 0.0, "y": 0.0, "act": {"wheel": {"dx": 0.0, "dy": 100.0}}}),
        ),
    ] {
        assert_eq!(call(&format!("await page.{code}")), expected, "{code}");
    }
    let moved = calls(
        "await page.mouse.move(10, 20); await page.mouse.down(); await page.mouse.move(20, 20, {steps: 2}); await page.mouse.up()",
    );
    let seen: Vec<_> = moved.iter().map(|call| json!([call["x"], call["y"]])).collect();
    assert_eq!(
        seen,
        [
            json!([10.0, 20.0]),
            json!([10.0, 20.0]),
            json!([15.0, 20.0]),
            json!([20.0, 20.0]),
            json!([20.0, 20.0])
        ]
    );
    assert_eq!(moved[1]["act"], json!({"down": {"button": "left", "count": 1}}));
}

#[test]
fn pictures() {
    assert_eq!(
        call("await page.screenshot({type: 'jpeg', quality: 50, fullPage: true}).catch(() => {})"),
        json!({"op": "screenshot", "shot": {"fullPage": true, "jpegQuality": 50}, "locator": null, "timeout": 8000})
    );
    let code = "const p = await page.locator('a').screenshot(); return [p.length, p.toString('base64'), p instanceof Uint8Array]";
    let ran = run_with(Default::default(), code, |_, _| {
        Some(Ok(json!({"base64": "aGk=", "mimeType": "image/png"})))
    });
    assert_eq!(ran.end.result, Ok(Some(json!([2, "aGk=", true]))));
    assert!(
        thrown("await page.screenshot({path: 'a.png'})")
            .contains("option path is not supported; there is no file access")
    );
}

#[test]
fn a_new_tab_is_waited_for() {
    let code = "const [popup] = await Promise.all([page.waitForEvent('popup'), page.click('a')]);
        return [popup.url(), String(await context.waitForEvent('page'))]";
    let ran = run_with(Default::default(), code, |call, _| {
        let is_asked = matches!(call, backlot_core::surface::toolkit::PageCall::Pages);
        Some(Ok(if is_asked { json!(["page-1", "page-2", "page-3"]) } else { Value::Null }))
    });
    let expected = json!(["https://example.test/page-3?a=1", "page page-3"]);
    assert_eq!(ran.end.result, Ok(Some(expected)));
    let error = thrown("await page.waitForEvent('download')");
    assert_eq!(error, "page.waitForEvent: event download is not supported; only 'popup' is");
}
