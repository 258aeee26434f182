//! Arguments, options, time limits: what does not fit and what is missing is told by name.

use crate::support::{calls, returned, thrown};
use serde_json::json;

#[test]
fn waits_end_before_the_run_does() {
    let first = calls(
        "await page.waitForTimeout(29000); await page.title(); await page.click('a'); await page.click('a', {timeout: 0}); await page.goto('x')",
    );
    let timeouts: Vec<_> = first.iter().filter_map(|call| call["timeout"].as_u64()).collect();
    assert_eq!(timeouts, [750, 750, 750]);
    let timeouts = calls(
        "page.setDefaultTimeout(5); await page.click('a'); await page.click('a', {timeout: 0}); context.setDefaultNavigationTimeout(9); await page.goto('x')",
    );
    assert_eq!(
        timeouts.iter().map(|call| call["timeout"].as_u64().unwrap()).collect::<Vec<_>>(),
        [5, 29750, 9]
    );
}

#[test]
fn arguments_that_do_not_fit_are_told_by_name() {
    for (code, expected) in [
        ("await page.goto()", "page.goto: url: expected string, got undefined"),
        (
            "await page.goto('x', {waitUntil: 'idle'})",
            "page.goto: waitUntil: expected one of load, domcontentloaded, networkidle, commit, got idle",
        ),
        ("page.locator(5)", "page.locator: selector: expected string, got number"),
        ("page.locator('')", "page.locator: selector: it is empty"),
        (
            "page.locator('//div')",
            "page.locator: selector: XPath is not supported; use CSS, getByRole or getByText",
        ),
        (
            "page.locator('foo=bar')",
            "page.locator: selector: there is no engine foo=; there are css=",
        ),
        (
            "page.locator('a:has-text(\"x\") > b')",
            "page.locator: selector: \"a:has-text(\\\"x\\\") > b\": > behind one of",
        ),
        (
            "page.locator('a:not(:has-text(\"x\"))')",
            "page.locator: selector: \"a:not(:has-text(\\\"x\\\"))\": Playwright's own",
        ),
        ("page.locator('a:left-of(b)')", "page.locator: selector: :left-of() is not supported"),
        (
            "page.getByRole('button', {nam: 'x'})",
            "page.getByRole: option nam is not supported; there are checked,",
        ),
        (
            "page.getByRole('button', {name: 5})",
            "page.getByRole: name: expected string or RegExp, got number",
        ),
        ("page.getByText()", "page.getByText: text: expected string or RegExp, got undefined"),
        ("await page.locator('a').fill(5)", "locator.fill: value: expected string, got number"),
        (
            "await page.locator('a').click({force: true})",
            "locator.click: option force is not supported; the element must be actionable",
        ),
        (
            "await page.locator('a').click({position: {x: 1, y: 2}})",
            "locator.click: option position is not supported",
        ),
        (
            "await page.locator('a').click({button: 'up'})",
            "locator.click: button: expected one of left, middle, right, got up",
        ),
        (
            "await page.locator('a').click({clickCount: 9})",
            "locator.click: clickCount: expected 1, 2 or 3, got 9",
        ),
        (
            "await page.locator('a').click({modifiers: ['Ctrl']})",
            "locator.click: modifiers: expected one of Alt,",
        ),
        (
            "await page.locator('a').click({timeout: '5'})",
            "locator.click: timeout: expected number, got string",
        ),
        ("await page.locator('a').click(5)", "locator.click: options: expected object, got number"),
        ("await page.locator('a').press('Entr')", "locator.press: \"Entr\" is no key"),
        (
            "await page.locator('a').selectOption(5)",
            "locator.selectOption: values: expected string, {value}, {label} or {index}, got number",
        ),
        (
            "await page.locator('a').dragTo('b')",
            "locator.dragTo: target: expected a locator, got string",
        ),
        (
            "page.locator('a').filter({has: 'b'})",
            "locator.filter: has: expected a locator, got string",
        ),
        ("page.locator('a').nth('1')", "locator.nth: index: expected a whole number, got string"),
        (
            "await page.waitForTimeout(-1)",
            "page.waitForTimeout: timeout: expected milliseconds from 0, got -1",
        ),
        ("await page.mouse.move('1')", "mouse.move: x: expected number, got string"),
        (
            "await page.setViewportSize({width: 5})",
            "page.setViewportSize: viewportSize: expected {width, height}",
        ),
    ] {
        let error = thrown(code);
        assert!(error.starts_with(expected), "{code}: {error}");
    }
}

#[test]
fn what_is_missing_is_told_by_name() {
    for (code, expected) in [
        (
            "await page.route('**', () => {})",
            "page.route is not supported by this engine; requests cannot be intercepted",
        ),
        (
            "page.on('dialog', (d) => d.accept())",
            "page.on is not supported by this engine; events are not delivered",
        ),
        ("page.coverage.startJSCoverage()", "page.coverage is not supported by this engine"),
        ("page.clik('a')", "page.clik is not supported by this engine; page has: click"),
        (
            "page.locator('a').evaluateAll(() => 1)",
            "locator.evaluateAll is not supported by this engine; use locator.all()",
        ),
        ("page.locator('a').foo()", "locator.foo is not supported by this engine; locator has: "),
        (
            "context.grantPermissions([])",
            "context.grantPermissions is not supported by this engine; context has: ",
        ),
        (
            "browser.newContext()",
            "browser.newContext is not supported by this engine; a session has one context",
        ),
        (
            "page.keyboard.foo()",
            "page.keyboard.foo is not supported by this engine; page.keyboard has: down, insertText, press, type, up",
        ),
        (
            "page.mouse.tap()",
            "page.mouse.tap is not supported by this engine; page.mouse has: click",
        ),
    ] {
        let error = thrown(code);
        assert!(error.starts_with(expected), "{code}: {error}");
    }
    let code = "return [page.then, String(page), JSON.stringify({page}), `${page.locator('a')}`, page[Symbol.iterator] === undefined]";
    assert_eq!(
        returned(code),
        Some(json!([null, "page page-1", "{\"page\":\"page page-1\"}", "locator('a')", true]))
    );
}
