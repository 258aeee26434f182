//! Locators and selectors become steps.

use crate::support::{calls, steps};
use serde_json::{Value, json};

#[test]
fn locators_become_steps() {
    let part = |text: &str| json!({"part": text});
    for (code, expected) in [
        ("page.locator('a.b')", json!([{"css": "a.b"}])),
        ("page.locator('a.b  c[d=\"e f\"]')", json!([{"css": "a.b"}, {"css": "c[d=\"e f\"]"}])),
        ("page.locator('a b > c d e')", json!([{"css": "a b > c"}, {"css": "d"}, {"css": "e"}])),
        ("page.locator('a b >c')", json!([{"css": "a b >c"}])),
        ("page.locator('a b, c d')", json!([{"css": "a b, c d"}])),
        ("page.locator('a:not(b > c) d')", json!([{"css": "a:not(b > c)"}, {"css": "d"}])),
        ("page.locator('a').locator('b')", json!([{"css": "a"}, {"css": "b"}])),
        (
            "page.locator('a').locator(page.locator('b').first())",
            json!([{"css": "a"}, {"css": "b"}, {"nth": 0}]),
        ),
        ("page.locator('a >> b >> nth=2')", json!([{"css": "a"}, {"css": "b"}, {"nth": 2}])),
        ("page.locator('css=a[x=\">>\"]')", json!([{"css": "a[x=\">>\"]"}])),
        ("page.locator('text=Sign in')", json!([{"text": part("Sign in")}])),
        ("page.locator('text=\"Sign in\"')", json!([{"text": {"whole": "Sign in"}}])),
        (
            "page.locator('text=/sign/i')",
            json!([{"text": {"pattern": {"source": "sign", "flags": "i"}}}]),
        ),
        ("page.locator('\"Sign in\"')", json!([{"text": {"whole": "Sign in"}}])),
        ("page.locator('ref=l7')", json!([{"ref": "l7"}])),
        ("page.locator('id=x y')", json!([{"css": "[id=\"x y\"]"}])),
        ("page.locator('data-testid=q')", json!([{"testId": {"whole": "q"}}])),
        (
            "page.locator('a:has-text(\"x, y\")')",
            json!([{"css": "a"}, {"filter": filter(&json!({"hasText": part("x, y")}))}]),
        ),
        (
            "page.locator('li.z:has-text(\"x\").on > b'.replace(' > b', ' b'))",
            json!([{"css": "li.z.on"}, {"filter": filter(&json!({"hasText": part("x")}))}, {"css": "b"}]),
        ),
        (
            "page.locator('b:visible')",
            json!([{"css": "b"}, {"filter": filter(&json!({"visible": true}))}]),
        ),
        ("page.locator(':text(\"x\")')", json!([{"css": "*"}, {"and": [{"text": part("x")}]}])),
        (
            "page.locator('a:text-is(\"x\"), b')",
            json!([{"css": "a"}, {"and": [{"text": {"whole": "x"}}]}, {"or": [{"css": "b"}]}]),
        ),
        (
            "page.locator('tr:has(td:text-is(\"x\")) a')",
            json!([{"css": "tr"}, {"filter": filter(&json!({"has": [{"css": "td"}, {"and": [{"text": {"whole": "x"}}]}]}))}, {"css": "a"}]),
        ),
        ("page.locator('tr:has(td.a) > b:not(.c)')", json!([{"css": "tr:has(td.a) > b:not(.c)"}])),
        ("page.getByText('a')", json!([{"text": part("a")}])),
        ("page.getByText('a', {exact: true})", json!([{"text": {"whole": "a"}}])),
        ("page.getByText(/a/gi)", json!([{"text": {"pattern": {"source": "a", "flags": "gi"}}}])),
        ("page.getByLabel('a')", json!([{"label": part("a")}])),
        ("page.getByPlaceholder('a')", json!([{"placeholder": part("a")}])),
        ("page.getByAltText('a')", json!([{"altText": part("a")}])),
        ("page.getByTitle('a')", json!([{"title": part("a")}])),
        ("page.getByTestId('a')", json!([{"testId": {"whole": "a"}}])),
        ("page.locator('a').nth(-2)", json!([{"css": "a"}, {"nth": -2}])),
        ("page.locator('a').first()", json!([{"css": "a"}, {"nth": 0}])),
        ("page.locator('a').last()", json!([{"css": "a"}, {"nth": -1}])),
        (
            "page.locator('a').and(page.locator('b'))",
            json!([{"css": "a"}, {"and": [{"css": "b"}]}]),
        ),
        ("page.locator('a').or(page.locator('b'))", json!([{"css": "a"}, {"or": [{"css": "b"}]}])),
        (
            "page.locator('li', {hasText: 'x', has: page.locator('b')})",
            json!([{"css": "li"}, {"filter": filter(&json!({"hasText": part("x"), "has": [{"css": "b"}]}))}]),
        ),
        (
            "page.locator('li').filter({hasNotText: /y/, hasNot: page.locator('b'), visible: false})",
            json!([{"css": "li"}, {"filter": filter(&json!({"hasNotText": {"pattern": {"source": "y", "flags": ""}}, "hasNot": [{"css": "b"}], "visible": false}))}]),
        ),
        ("page.locator('a').getByText('b')", json!([{"css": "a"}, {"text": part("b")}])),
    ] {
        assert_eq!(steps(code), expected, "{code}");
    }
}

fn filter(given: &Value) -> Value {
    let mut whole =
        json!({"hasText": null, "hasNotText": null, "has": null, "hasNot": null, "visible": null});
    for (key, value) in given.as_object().unwrap() {
        whole[key] = value.clone();
    }
    whole
}

#[test]
fn roles_become_steps() {
    let role = |given: Value| {
        let mut whole = json!({"role": null, "name": null, "checked": null, "disabled": null, "expanded": null,
            "includeHidden": false, "level": null, "pressed": null, "selected": null});
        for (key, value) in given.as_object().unwrap() {
            whole[key] = value.clone();
        }
        json!([{"role": whole}])
    };
    for (code, expected) in [
        ("page.getByRole('button')", json!({"role": "button"})),
        ("page.getByRole('button', {name: 'a'})", json!({"role": "button", "name": {"part": "a"}})),
        (
            "page.getByRole('button', {name: 'a', exact: true})",
            json!({"role": "button", "name": {"whole": "a"}}),
        ),
        (
            "page.getByRole('heading', {level: 2, checked: true, disabled: false, expanded: true, includeHidden: true, pressed: true, selected: false})",
            json!({"role": "heading", "level": 2, "checked": true, "disabled": false, "expanded": true, "includeHidden": true, "pressed": true, "selected": false}),
        ),
        (
            "page.locator('role=button[name=\"a\"][pressed]')",
            json!({"role": "button", "name": {"whole": "a"}, "pressed": true}),
        ),
        ("page.locator('role=heading[level=3]')", json!({"role": "heading", "level": 3})),
    ] {
        assert_eq!(steps(code), role(expected), "{code}");
    }
}

#[test]
fn selectors_of_page_methods_mean_the_first_match() {
    let first = json!([{"css": "a"}, {"nth": 0}]);
    for code in [
        "click('a')",
        "dblclick('a')",
        "fill('a', 'x')",
        "type('a', 'x')",
        "press('a', 'Enter')",
        "check('a')",
        "uncheck('a')",
        "setChecked('a', true)",
        "selectOption('a', 'x')",
        "hover('a')",
        "focus('a')",
        "textContent('a')",
        "innerText('a')",
        "innerHTML('a')",
        "inputValue('a')",
        "getAttribute('a', 'x')",
        "isVisible('a')",
        "isHidden('a')",
        "isEnabled('a')",
        "isDisabled('a')",
        "isEditable('a')",
        "isChecked('a')",
        "dragAndDrop('a', 'b')",
        "waitForSelector('a')",
        "$('a')",
    ] {
        assert_eq!(calls(&format!("await page.{code}"))[0]["locator"], first, "{code}");
    }
    assert_eq!(calls("await page.click('a', {strict: true})")[0]["locator"], json!([{"css": "a"}]));
}
