//! What is logged, what is returned, what is thrown.

use crate::support::{returned, run, run_with, thrown};
use serde_json::{Value, json};

fn logged(code: &str) -> String {
    let ran = run(code);
    assert_eq!(ran.end.result, Ok(None), "{code}");
    ran.end.stdout
}

#[test]
fn arguments_of_console_calls_become_text() {
    for (arguments, expected) in [
        ("'a b', 1, true, null, undefined", "a b 1 true null undefined"),
        ("{a: 1, b: [1, 'x']}, [1, 2]", r#"{"a":1,"b":[1,"x"]} [1,2]"#),
        ("new Error('boom'), new TypeError('t')", "Error: boom TypeError: t"),
        (
            "new Date(0), new Map([[1, 2]]), NaN, Infinity",
            r#""1970-01-01T00:00:00.000Z" {} null null"#,
        ),
        ("Symbol('s')", "Symbol(s)"),
        ("(() => { const o = {}; o.o = o; return o })()", "[object Object]"),
        ("", ""),
        ("'%s', 'x'", "%s x"),
        (
            "page, context, browser, page.locator('a').first()",
            r#""page page-1" "context" "browser" "locator('a').first()""#,
        ),
    ] {
        assert_eq!(logged(&format!("console.log({arguments})")), expected, "{arguments}");
    }
    assert!(logged("console.log(() => 1)").contains("=>"));
}

#[test]
fn each_console_method_has_its_stream() {
    let ran = run(
        "console.log(1); console.warn(2); console.info(3); console.error(4); console.debug('5\\n6')",
    );
    assert_eq!((ran.end.stdout.as_str(), ran.end.stderr.as_str()), ("1\n3\n5\n6", "2\n4"));
    let ran = run("console.log(''); console.log('')");
    assert_eq!(ran.end.stdout, "\n");
    assert_eq!(
        logged("console.table([{a: 1, b: 'x'}, {a: 2}])"),
        "index | a | b\n0 | 1 | x\n1 | 2 | "
    );
    assert_eq!(
        logged("console.group('g'); console.log('a\\nb'); console.groupEnd(); console.log('c')"),
        "g\n  a\n  b\nc"
    );
    assert_eq!(
        logged("console.count(); console.count('x'); console.count(); console.dir({a: 1})"),
        "default: 1\nx: 1\ndefault: 2\n{\"a\":1}"
    );
    assert_eq!(
        logged("console.time('t'); await page.waitForTimeout(20); console.timeEnd('t')"),
        "t: 20ms"
    );
    let ran = run("console.assert(1, 'no'); console.assert(0, 'yes'); console.trace('t')");
    assert_eq!(ran.end.stderr, "Assertion failed yes\nTrace: t");
}

#[test]
fn results_are_json_or_a_string() {
    for (code, expected) in [
        ("", None),
        ("return", None),
        ("return undefined", None),
        ("return null", Some(Value::Null)),
        (
            "return {d: new Date(0), m: new Map(), n: NaN, f() {}, u: undefined}",
            Some(json!({"d": "1970-01-01T00:00:00.000Z", "m": {}, "n": null})),
        ),
        ("return [undefined, () => 1]", Some(json!([null, null]))),
        ("const o = {}; o.o = o; return o", Some(json!("[object Object]"))),
        ("return Symbol('x')", Some(json!("Symbol(x)"))),
        ("return 'é\\ud83d\\ude00'", Some(json!("é😀"))),
        ("return 1.5", Some(json!(1.5))),
        ("return page", Some(json!("page page-1"))),
        ("return await page", Some(json!("page page-1"))),
        (
            "return page.getByRole('button', { name: 'A' })",
            Some(json!("getByRole('button', { name: 'A' })")),
        ),
        ("return await Promise.all([1, Promise.resolve(2)])", Some(json!([1, 2]))),
    ] {
        assert_eq!(returned(code), expected, "{code}");
    }
    assert!(returned("return () => 7").unwrap().as_str().unwrap().contains("7"));
}

#[test]
fn errors_are_their_message_and_keep_what_was_written() {
    let ran = run("console.log('a'); console.error('b'); throw new Error('boom')");
    assert_eq!(ran.end.result, Err("boom".to_owned()));
    assert_eq!((ran.end.stdout.as_str(), ran.end.stderr.as_str()), ("a", "b"));
    for (code, expected) in [
        ("throw 'text'", "text"),
        ("throw 7", "7"),
        ("throw undefined", "undefined"),
        ("throw {a: 1}", "[object Object]"),
        ("await Promise.reject(new RangeError('r'))", "r"),
        ("null.x", "cannot read property 'x' of null"),
        ("nope()", "nope is not defined"),
        (
            "setTimeout(() => { throw new Error('late') }, 10); await page.waitForTimeout(50)",
            "late",
        ),
    ] {
        assert_eq!(thrown(code), expected, "{code}");
    }
}

#[test]
fn code_that_does_not_parse_names_the_place() {
    assert!(thrown("return (;").starts_with("code does not parse at line 1, column 9"));
    let error = thrown("const page = 1");
    assert!(error.contains("there already"), "{error}");
    let error = thrown("let a = 1;\nlet a = 2;");
    assert!(error.starts_with("code does not parse at line 2, column"), "{error}");
    assert_eq!(returned("return new Error('x').stack.split('\\n').length > 0"), Some(json!(true)));
    // Lines of what is thrown are those of the body, types or not.
    let code = "interface A {\n  a: string;\n}\nconst f = (): A => {\n  throw new Error('here');\n};\ntry { f() } catch (e) { return e.stack }";
    assert!(returned(code).unwrap().as_str().unwrap().contains("code:5:"), "{:?}", returned(code));
}

#[test]
fn typescript_runs() {
    for (code, expected) in [
        ("const a: number = 1; return a as unknown as string", json!(1)),
        (
            "enum E { A, B = 'b', C = 1 << 3, D } return [E.A, E.B, E.C, E.D, E[8], E[0]]",
            json!([0, "b", 8, 9, "C", "A"]),
        ),
        ("const enum F { X = 2, Y = X * 3 } return F.Y", json!(6)),
        ("enum G { default, G, new = 5 } return [G.default, G.G, G.new]", json!([0, 1, 5])),
        ("const f = (a /* ? : */ ?: number) => a ?? 7; return f()", json!(7)),
        (
            "class P { constructor(private readonly x: number, public y = 2) {} sum(): number { return this.x + this.y } } return new P(1).sum()",
            json!(3),
        ),
        (
            "class A { constructor(a) { this.a = a } } class B extends A { constructor(public b: number) { super(1) } } const o = new B(2); return [o.a, o.b]",
            json!([1, 2]),
        ),
        ("function id<T>(x: T): T { return x } return id<number>(3)!", json!(3)),
        ("const o = { a: 1 } satisfies Record<string, number>; return o.a", json!(1)),
        (
            "abstract class A { abstract f(): number; g() { return this.f() } } class B extends A { f() { return 4 } } return new B().g()",
            json!(4),
        ),
        ("type X = { a: string }; const x: X[] = []; return x.length", json!(0)),
        ("let z = 1 as any\n;[2].forEach((n: number) => { z = n }); return z", json!(2)),
        ("return [1, 2].map(<T,>(x: T) => x)", json!([1, 2])),
    ] {
        assert_eq!(returned(code), Some(expected), "{code}");
    }
    assert!(thrown("class A { @dec m() {} }").contains("decorators are not supported"));
}

#[test]
fn timers_run_on_the_doors_clock() {
    let code = "const seen = []; const t = setInterval(() => { seen.push('i'); if (seen.length > 3) clearInterval(t) }, 100);
        setTimeout((x) => seen.push(x), 150, 't'); const never = setTimeout(() => seen.push('no'), 50); clearTimeout(never);
        queueMicrotask(() => seen.push('m')); await new Promise((done) => setTimeout(done, 1000)); return seen";
    let ran = run(code);
    assert_eq!(ran.end.result, Ok(Some(json!(["m", "i", "t", "i"]))));
    assert_eq!(ran.took, 1000);
    assert!(
        thrown("setTimeout('code')")
            .contains("setTimeout: callback: expected function, got string")
    );
}

#[test]
fn the_few_globals_of_the_web_are_there() {
    for (code, expected) in [
        (
            "const u = new URL('HTTPS://u:p@Example.com:443/a/../b c?x=1&y=a%20b#h'); return [u.href, u.host, u.pathname, u.searchParams.get('y'), u.origin]",
            json!([
                "https://u:p@example.com/b%20c?x=1&y=a%20b#h",
                "example.com",
                "/b%20c",
                "a b",
                "https://example.com"
            ]),
        ),
        (
            "return ['c', '/c', '?c', '#c', '//d/e', '../c'].map((r) => new URL(r, 'http://h:81/a/b?q').href)",
            json!([
                "http://h:81/a/c",
                "http://h:81/c",
                "http://h:81/a/b?c",
                "http://h:81/a/b?q#c",
                "http://d/e",
                "http://h:81/c"
            ]),
        ),
        (
            "const p = new URLSearchParams({a: '1 2', b: 'é'}); p.append('a', '3'); return [p.toString(), p.getAll('a'), [...p.keys()]]",
            json!(["a=1+2&b=%C3%A9&a=3", ["1 2", "3"], ["a", "b", "a"]]),
        ),
        (
            "const u = new URL('http://h/'); u.searchParams.set('k', 'v'); return u.href",
            json!("http://h/?k=v"),
        ),
        ("return [new TextEncoder().encode('aé😀').length, atob(btoa('hi'))]", json!([7, "hi"])),
        (
            "return structuredClone({a: [1, new Date(0)], m: new Map([[1, {b: 2}]])}).a",
            json!([1, "1970-01-01T00:00:00.000Z"]),
        ),
        (
            "return Buffer.from('aGk=', 'base64').toString() + Buffer.from('hi').toString('base64')",
            json!("hiaGk="),
        ),
    ] {
        assert_eq!(returned(code), Some(expected), "{code}");
    }
    assert!(thrown("new URL('nope')").contains("Invalid URL"));
}

#[test]
fn errors_of_the_door_say_which_method_failed() {
    let code = "try { await page.getByText('x').click() } catch (e) { return [e.name, e.code, e.message, e instanceof Error] }";
    let ran = run_with(Default::default(), code, |_, _| {
        Some(Err(("timeout", "Timeout 8000ms exceeded.".to_owned())))
    });
    assert_eq!(
        ran.end.result,
        Ok(Some(json!([
            "TimeoutError",
            "timeout",
            "locator.click: Timeout 8000ms exceeded.",
            true
        ])))
    );
    // A time that the door did not tell is told; a time-out is known by these words.
    let ran =
        run_with(Default::default(), code, |_, _| Some(Err(("timeout", "covered".to_owned()))));
    let message = "locator.click: Timeout 8000ms exceeded. covered";
    assert_eq!(ran.end.result, Ok(Some(json!(["TimeoutError", "timeout", message, true]))));
    let ran =
        run_with(Default::default(), code, |_, _| Some(Err(("stale_ref", "gone".to_owned()))));
    assert_eq!(
        ran.end.result,
        Ok(Some(json!(["Error", "stale_ref", "locator.click: gone", true])))
    );
}

#[test]
fn nothing_persists() {
    assert_eq!(returned("globalThis.kept = 1; var also = 2; return 1"), Some(json!(1)));
    assert_eq!(
        returned("return [typeof kept, typeof also]"),
        Some(json!(["undefined", "undefined"]))
    );
}

#[test]
fn what_was_not_awaited_is_still_done_and_waits_are_not_waited_for() {
    let ran = run("page.click('a'); return 1");
    assert_eq!(ran.calls.len(), 1);
    let ran = run("page.waitForTimeout(20000); return 1");
    assert_eq!((ran.end.result, ran.took), (Ok(Some(json!(1))), 0));
}

#[test]
fn calls_run_side_by_side() {
    let ran = run(
        "await Promise.all([page.waitForTimeout(100), page.waitForTimeout(300), page.title()])",
    );
    assert_eq!((ran.took, ran.calls.len()), (300, 3));
}
