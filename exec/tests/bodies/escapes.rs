//! Bodies that want out or want too much: each ends as an error in bounded work, and the next run works.

use crate::support::{returned, run, run_with, thrown};
use backlot_exec::{Limits, Runner};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// Generous for a slow machine; what is not bounded takes minutes.
const BOUND: Duration = Duration::from_secs(60);

fn bounded(code: &str) -> String {
    let began = Instant::now();
    let error = thrown(code);
    assert!(began.elapsed() < BOUND, "{code} took {:?}", began.elapsed());
    assert_eq!(returned("return 1"), Some(json!(1)), "after {code}");
    error
}

#[test]
fn nothing_of_the_host_can_be_named() {
    for name in [
        "require",
        "process",
        "fetch",
        "std",
        "os",
        "Deno",
        "Bun",
        "module",
        "exports",
        "__dirname",
        "XMLHttpRequest",
        "WebSocket",
        "Worker",
        "importScripts",
        "scriptArgs",
        "print",
        "host",
        "settle",
        "facts",
    ] {
        assert_eq!(bounded(&format!("return {name}")), format!("{name} is not defined"));
        assert_eq!(
            returned(&format!("return typeof globalThis[{name:?}]")),
            Some(json!("undefined"))
        );
    }
}

#[test]
fn modules_are_refused_in_each_way_of_asking() {
    for code in ["import fs from 'fs'", "const fs = await import('fs')", "export const a = 1"] {
        assert!(bounded(code).contains("nothing can be imported"), "{code}");
    }
    // No loader is there to be reached, from code that is made at run time either.
    for code in [
        "return await eval('import(\"fs\")')",
        "return await new Function('return import(\"fs\")')()",
        "return await Function.prototype.constructor('return import(\"/etc/passwd\")')()",
    ] {
        assert!(!bounded(code).is_empty(), "{code}");
    }
}

#[test]
fn code_made_at_run_time_sees_no_more() {
    for code in [
        "return new Function('return process')()",
        "return eval('require')",
        "return (async () => {}).constructor('return fetch')()",
        "return page.constructor.constructor('return process')()",
        "return console.log.constructor('return host')()",
        "return [].at.constructor('return require')()",
    ] {
        let error = bounded(code);
        assert!(error.ends_with("is not defined"), "{code}: {error}");
    }
}

#[test]
fn prototypes_can_be_changed_only_for_the_run_itself() {
    for code in [
        "Object.prototype.polluted = 1; return polluted",
        "({}).__proto__.polluted = 1; return ({}).polluted",
        "globalThis.polluted = 1; return polluted",
        "page.__proto__.polluted = 1; return page.polluted",
        "Array.prototype.polluted = 1; return [].polluted",
    ] {
        assert_eq!(returned(code), Some(json!(1)), "{code}");
        assert_eq!(
            returned("return [typeof polluted, typeof ({}).polluted, typeof [].polluted]"),
            Some(json!(["undefined", "undefined", "undefined"])),
            "after {code}"
        );
    }
    assert_eq!(
        returned("Promise.prototype.then = () => {}; JSON.stringify = () => 'x'; return {a: 1}"),
        Some(json!({"a": 1}))
    );
    assert_eq!(
        returned("globalThis.Error = null; globalThis.String = null; return 2"),
        Some(json!(2))
    );
}

#[test]
fn loops_without_an_end_are_stopped() {
    for code in [
        "while (true) {}",
        "for (;;) { try { while (true) {} } catch {} }",
        "try { while (true) {} } finally { while (true) {} }",
        "[1].forEach(function f() { while (true) {} })",
        "await Promise.resolve().then(() => { while (true) {} })",
        "setTimeout(() => { while (true) {} }); await new Promise(() => {})",
        "new Proxy({}, { get() { while (true) {} } }).a",
        "function* g() { while (true) yield 1 } for (const x of g()) {}",
        "eval('for (;;) {}')",
        "return { toJSON() { while (true) {} } }",
        "console.log({ toJSON() { while (true) {} } })",
        "throw { toString() { while (true) {} } }",
    ] {
        let error = bounded(code);
        assert!(
            error.contains("million steps") && error.contains("endless loop"),
            "{code}: {error}"
        );
    }
}

#[test]
fn work_inside_the_engine_is_counted_too() {
    for code in [
        "return Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1)",
        "return Array.prototype.includes.call({ length: 2 ** 53 - 1 }, 1)",
        "[].forEach.call({ length: 2 ** 53 - 1 }, () => {})",
        "const a = []; a.length = 4294967295; return a.indexOf(1)",
        "const a = []; a.length = 4294967295; return a.join('')",
        "return Array.from({ length: 1e9 })",
        "const s = 'a'.repeat(2e6); return s.indexOf('a'.repeat(1e6) + 'b')",
        "const s = 'a'.repeat(2e6); for (;;) s.includes('b')",
        "const a = new Array(1e5).fill(1); for (;;) a.indexOf(2)",
        "const a = JSON.stringify(new Array(1e5).fill(1)); for (;;) JSON.parse(a)",
        "const a = new Array(1e5).fill(1); for (;;) JSON.stringify(a)",
        "const a = new Array(1e5); for (;;) JSON.stringify({ a }, ['b'])",
        "const o = {}; for (let i = 0; i < 1e5; i++) o['a' + i] = undefined; for (;;) JSON.stringify(o)",
        "const a = new Array(1e5).fill(1); for (;;) console.log(a)",
        "const s = 'é'.repeat(1e6); for (;;) encodeURIComponent(s)",
        "const s = encodeURI('é'.repeat(1e5)); for (;;) { decodeURI(s); decodeURIComponent(s); escape(s); unescape(s) }",
    ] {
        bounded(code);
    }
}

#[test]
fn big_integers_are_refused_wherever_code_is_made() {
    for (code, place) in [
        ("let x = 2n**500000n - 1n; for(;;) x*x", "line 1, column 9"),
        ("let a = 1;\n return 0xFFn", "line 2, column 9"),
        ("return { 1n: 2 }", "line 1, column 10"),
        ("enum E { A = 1n }", "line 1, column 14"),
        ("return `${1_0n}`", "line 1, column 11"),
        ("return eval('2n')", "line 1, column 1"),
        ("return (0, eval)('1;\\n  2n')", "line 2, column 3"),
        ("return eval('eval(String(2) + String.fromCharCode(110))')", "line 1, column 1"),
        ("return new Function('return 2n')()", "line 1, column 8"),
        ("return Function('a = 2n', 'return a')()", "line 1, column 5"),
        ("return (() => {}).constructor('return 0b1n')()", "line 1, column 8"),
        ("return (async () => {}).constructor('return 2n')()", "line 1, column 8"),
        ("return (function* () {}).constructor('yield 2n')().next()", "line 1, column 7"),
        (
            "return Object.getPrototypeOf(async function* () {}).constructor('yield 2n')()",
            "column 7",
        ),
        ("return Object.getPrototypeOf((async () => {}).constructor)('return 2n')()", "column 8"),
        (
            "class F extends Function { constructor() { super('return 2n') } } return new F()()",
            "column 8",
        ),
        (
            "RegExp.prototype.exec = () => null; String.prototype.slice = () => ''; return eval('2n')",
            "column 1",
        ),
    ] {
        let error = bounded(code);
        assert!(error.contains("big integers are not supported"), "{code}: {error}");
        assert!(error.contains(place), "{code}: {error}");
    }
    for name in ["BigInt", "BigInt64Array", "BigUint64Array"] {
        assert_eq!(bounded(&format!("return {name}")), format!("{name} is not defined"));
    }
    for code in [
        "return eval('var n1 = 41; n1 + 1')",
        "return new Function('a', 'return a + 1')(41)",
        "return Function('return this')() === globalThis && 42",
        "class F extends Function {} const f = new F('return 42'); return f instanceof F && f()",
        "return (() => {}) instanceof Function && Function.prototype.constructor === Function && 42",
        "return await (async () => {}).constructor('return 42')()",
        "type A = 1n; return 42",
        "return JSON.parse(JSON.stringify({ a: 42, b: 1, c: [undefined] }, ['a'], 2)).a",
    ] {
        assert_eq!(returned(code), Some(json!(42)), "{code}");
    }
}

#[test]
fn recursion_without_an_end_is_an_error() {
    for code in [
        "const f = () => f(); f()",
        "async function f() { return await f() } return await f()",
        "const o = {}; o.toString = () => String(o); return String(o)",
        "const a = []; let b = a; for (let i = 0; i < 1e5; i++) { const c = []; b.push(c); b = c } return a.flat(Infinity).length + JSON.stringify(a)",
        "class A { get b() { return this.b } } return new A().b",
        "return eval('('.repeat(1e5))",
        "return new RegExp('('.repeat(1e5) + ')'.repeat(1e5))",
    ] {
        let error = bounded(code);
        assert!(!error.is_empty(), "{code}");
    }
    assert!(
        bounded("const f = () => f(); f()").contains("recursion"),
        "{}",
        bounded("const f = () => f(); f()")
    );
}

#[test]
fn memory_is_bounded() {
    for code in [
        "return 'x'.repeat(2 ** 30).length",
        "return 'x'.repeat(2 ** 29).length",
        "const a = []; for (;;) a.push(new Array(1000).fill(0))",
        "const a = []; for (;;) a.push('x'.repeat(100000))",
        "return new Uint8Array(1e9).length",
        "return new ArrayBuffer(2 ** 40)",
        "let s = 'x'; for (;;) s += s",
        "const m = new Map(); for (let i = 0; ; i++) m.set(i, {})",
        "return [...Array(1e8).keys()].length",
        "return new Array(4294967295).fill(1)",
    ] {
        let error = bounded(code);
        assert!(!error.contains("million steps"), "{code}: {error}");
    }
    let error = bounded("const a = []; for (;;) a.push(new Array(1000).fill(0))");
    assert!(error.contains("64 MiB"), "{error}");
    // Catching it is allowed, and frees nothing but the body's own.
    assert_eq!(
        returned("try { 'x'.repeat(2 ** 29) } catch (e) { return e.message }"),
        Some(json!("out of memory"))
    );
}

#[test]
fn floods_of_promises_are_stopped() {
    for code in [
        "for (;;) Promise.resolve().then(() => {})",
        "const f = () => Promise.resolve().then(f); await f()",
        "const f = () => { Promise.resolve().then(f); Promise.resolve().then(f) }; f(); await new Promise(() => {})",
        "while (true) await null",
        "const t = { then(f) { f(t) } }; await t",
        "for await (const x of (function* () { for (;;) yield 1 })()) {}",
        "await Promise.all(Array.from({ length: 1e7 }, () => Promise.resolve()))",
        "const f = () => queueMicrotask(f); f(); await new Promise(() => {})",
    ] {
        bounded(code);
    }
    assert!(bounded("while (true) await null").contains("promise reactions"));
}

#[test]
fn what_never_settles_ends() {
    assert!(bounded("await new Promise(() => {})").contains("nothing will settle"));
    let ran = run("console.log('before'); while (true) await page.waitForTimeout(1000)");
    let error = ran.end.result.unwrap_err();
    assert!(error.contains("did not end in its time") && error.contains("snapshot"), "{error}");
    assert_eq!((ran.took, ran.end.stdout.as_str()), (30_000, "before"));
    for code in [
        "const f = () => setTimeout(f, 0); f(); await new Promise(() => {})",
        "setInterval(() => {}, 0); await new Promise(() => {})",
        "await new Promise((done) => setTimeout(done, 1e12))",
    ] {
        assert!(bounded(code).contains("did not end in its time"), "{code}");
    }
    // A call that the door never answers.
    let ran = run_with(Runner::default(), "await page.title()", |_, _| None);
    assert!(ran.end.result.unwrap_err().contains("did not end in its time"));
    assert_eq!(ran.took, 30_000);
}

#[test]
fn calls_and_timers_are_counted() {
    let error = bounded("await Promise.all(Array.from({ length: 1001 }, () => page.title()))");
    assert_eq!(
        error,
        "page.title: more than 1000 calls and timers at one time; await some of them first"
    );
    assert!(bounded("for (;;) setTimeout(() => {}, 1e6)").contains("at one time"));
    assert!(bounded("for (;;) await page.title()").contains("more than 10000 calls in one run"));
    bounded("for (;;) page.title().catch(() => {})");
}

#[test]
fn hostile_results_and_errors_end_as_text_or_errors() {
    assert_eq!(
        returned("return { get a() { throw new Error('bomb') } }"),
        Some(json!("[object Object]"))
    );
    for (code, expected) in [
        (
            "return { toJSON() { throw 1 }, toString() { throw new Error('no') } }",
            "neither into JSON nor into a string: no",
        ),
        ("throw { toString() { throw 1 } }", "cannot be turned into a string"),
        ("throw new Proxy({}, { get() { throw 1 } })", "cannot be turned into a string"),
        ("throw Object.create(null)", "cannot be turned into a string"),
        (
            "const e = new Error(); Object.defineProperty(e, 'message', { get() { throw 1 } }); throw e",
            "cannot be turned into a string",
        ),
        ("return 'x'.repeat(2e6)", "at most 1048576 are returned"),
        ("return Object.create(null, { toJSON: { value: () => undefined } })", "neither into JSON"),
    ] {
        let error = bounded(code);
        assert!(error.contains(expected), "{code}: {error}");
    }
    assert_eq!(
        returned("return new Proxy({}, { ownKeys() { throw 1 } })"),
        Some(json!("[object Object]"))
    );
    bounded(
        "const p = new Proxy({}, { ownKeys: () => ['a'], getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }), get: (t, k) => k === 'a' ? p : undefined }); return p",
    );
}

#[test]
fn catastrophic_patterns_are_stopped_in_the_body_and_behind_the_door() {
    let error = bounded("return /^(a+)+$/.test('a'.repeat(60) + 'b')");
    assert!(error.contains("million steps"), "{error}");
    let ran = run_with(
        Runner::default(),
        "globalThis.RegExp = null; await page.getByText(/^(a+)+$/).click()",
        |_, patterns| {
            let found = patterns.finds("^(a+)+$", "", &format!("{}b", "a".repeat(60)));
            Some(found.map(Value::from).map_err(|error| ("error", error)))
        },
    );
    assert!(ran.end.result.unwrap_err().contains("million steps"));
}

#[test]
fn patterns_run_apart_from_the_body() {
    let code = "RegExp.prototype.test = () => true; RegExp.prototype.exec = () => [1]; return await page.getByText(/x/).count()";
    let ran = run_with(Runner::default(), code, |_, patterns| {
        let all = [
            ("b+", "", "abc"),
            ("B", "i", "abc"),
            ("B", "", "abc"),
            ("b", "g", "b"),
            ("b", "g", "b"),
        ];
        let found: Vec<_> = all.iter().map(|(a, b, c)| patterns.finds(a, b, c)).collect();
        assert!(patterns.finds("(", "", "").is_err());
        Some(Ok(json!(found.into_iter().map(Result::unwrap).collect::<Vec<_>>())))
    });
    assert_eq!(ran.end.result, Ok(Some(json!([true, true, false, true, true]))));
}

#[test]
fn output_is_cut_and_the_cut_is_told() {
    let ran =
        run("for (let i = 0; i < 1000; i++) console.log('é'.repeat(1000)); console.error('b')");
    let limits = Limits::default();
    assert!(ran.end.stdout.len() < limits.output + 200);
    assert!(ran.end.stdout.ends_with(
        "[output cut: more than 256 KiB were written; log less, or return what you need]"
    ));
    assert_eq!((ran.end.stderr.as_str(), ran.end.result), ("b", Ok(None)));
}

#[test]
fn the_same_work_ends_at_the_same_count() {
    let code = "let n = 0; const t = () => { n++; console.log(n) }; for (;;) { t(); for (let i = 0; i < 1e5; i++); }";
    let runner = Runner { limits: Limits { steps: 100, ..Limits::default() } };
    let first = run_with(runner, code, crate::support::nothing).end;
    assert_eq!(first, run_with(runner, code, crate::support::nothing).end);
    assert!(first.result.is_err() && !first.stdout.is_empty());
}

#[test]
fn long_code_is_refused() {
    let error = bounded(&format!("// {}", "x".repeat(200_000)));
    assert!(error.contains("at most 131072"), "{error}");
}
