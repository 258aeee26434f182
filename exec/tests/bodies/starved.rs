//! Runs with too little of everything: whatever is refused where, the run ends, and the process lives.

use crate::support::run_with;
use backlot_exec::{Limits, Runner};
use serde_json::json;

const BUSY: &str = "
    enum E { A = 1 }
    console.log('a', { b: [1, 2, { c: 'd'.repeat(50) }] }, new Error('e'));
    const found = [];
    setTimeout(() => found.push(new Array(300).fill(E.A)), 5);
    try { await page.getByRole('button', { name: /x/ }).click() } catch (e) { console.error(e) }
    for (const word of ['a', 'b', 'c']) found.push(await page.evaluate((x) => x, { word, more: 'y'.repeat(200) }));
    await Promise.all([page.title(), page.locator('a').filter({ hasText: 'q' }).all(), page.waitForTimeout(10)]);
    const map = new Map(found.map((one, at) => [at, one]));
    return { found, url: new URL(page.url()).pathname, size: map.size, text: JSON.stringify(found).length };";

fn end(limits: Limits, code: &str) -> Result<Option<serde_json::Value>, String> {
    run_with(Runner { limits }, code, |call, patterns| {
        let _ = patterns.finds("a+", "i", "xax");
        match call {
            backlot_core::surface::toolkit::PageCall::Act { .. } => {
                Some(Err(("timeout", "late".to_owned())))
            }
            backlot_core::surface::toolkit::PageCall::Query { .. } => Some(Ok(json!(3))),
            _ => Some(Ok(json!({"value": ["z".repeat(100)]}))),
        }
    })
    .end
    .result
}

#[test]
fn any_amount_of_memory_ends_a_run_and_not_the_process() {
    let enough = end(Limits::default(), BUSY);
    assert!(enough.is_ok(), "{enough:?}");
    let mut failed = 0;
    let mut memory = 1_000;
    while memory < 2_000_000 {
        let limits = Limits { memory, ..Limits::default() };
        match end(limits, BUSY) {
            Ok(value) => assert_eq!(Ok(value), enough, "at {memory}"),
            Err(_) => failed += 1,
        }
        memory += 997 + memory / 400;
    }
    assert!(failed > 50, "only {failed} runs lacked memory");
    assert_eq!(end(Limits::default(), BUSY), enough);
}

#[test]
fn any_number_of_steps_ends_a_run() {
    let code = "for (let i = 0; i < 200; i++) { await page.title(); for (let j = 0; j < 2000; j++); [3, 1, 2].sort(); } return 1";
    for steps in 0..60 {
        let ended = end(Limits { steps, ..Limits::default() }, code);
        assert!(ended == Ok(Some(json!(1))) || ended.unwrap_err().contains("steps"), "at {steps}");
    }
    for reactions in 0..40 {
        let _ = end(Limits { reactions, ..Limits::default() }, BUSY);
    }
    for calls in 0..12 {
        let _ = end(Limits { calls, waiting: calls as usize, ..Limits::default() }, BUSY);
    }
}

#[test]
fn any_stack_ends_a_run() {
    for stack in (1..64).map(|at| at * 8 * 1024) {
        let _ = end(Limits { stack, ..Limits::default() }, BUSY);
        let deep = "const f = (n) => n > 0 ? [f(n - 1)].map((x) => x)[0] : JSON.stringify({ a: /((a))/.exec('a') }); return f(300)";
        let _ = end(Limits { stack, ..Limits::default() }, deep);
    }
}

/// Fills the memory, then does a bit of everything with what little is left, over and over.
const SCARCE: &str = "
    const hoard = [];
    const fill = (size) => { try { for (;;) hoard.push('x'.repeat(size) + hoard.length) } catch {} };
    fill(100000); fill(1000);
    hoard.length -= 30;
    const works = [
        () => new Function('return class A { #b = 1; static c = [1, 2]; get d() { return this.#b } }')(),
        () => eval('(function* () { yield* [1, { a: 2 }]; })')().next(),
        () => Promise.all([1, Promise.resolve(2), new Promise(() => {})]).then((x) => x),
        () => new Map([[{}, { a: new Set([1, 2]) }]]),
        () => JSON.parse(JSON.stringify({ a: [1, { b: 'c' }], d: 'e'.repeat(30) })),
        () => 'a1b22c'.replace(/(\\d+)/g, (m) => `<${m}>`).split(/</),
        () => new RegExp('(a|b)+' + hoard.length).exec('abab'),
        async () => { await null; const { a, ...rest } = { a: 1, b: 2, c: 3 }; return rest },
        () => new Proxy({}, { get: () => [] }).x,
        () => [3, 1, 2].map((x) => ({ x })).sort((a, b) => a.x - b.x).flatMap((o) => [o, o]),
        () => { const w = new WeakMap(); const k = {}; w.set(k, k); return new WeakRef(k) },
        () => page.getByRole('button', { name: 'a' }).filter({ hasText: /b/ }).nth(2),
        () => { page.title().catch(() => {}) },
        () => { setTimeout(() => new Error('late').stack, 1) },
        () => console.log({ a: [1] }, new Error('x')),
        () => Object.defineProperty(function f() {}, 'name', { get() { return {} } }),
        () => { try { null.x } catch (e) { return e.stack } },
        () => new Uint8Array(64).map((_, i) => i).slice(3),
        () => structuredClone({ a: new Date(0), b: [new Map()] }),
        () => encodeURIComponent('ü'.repeat(40)),
        () => Symbol('s' + hoard.length).description,
        () => { const c = {}; c.c = c; c.f = () => c; return c },
    ];
    let caught = 0;
    fill(SIZE); hoard.length -= SEED % 37;
    for (let turn = 0; turn < 300; turn++) {
        try { works[(turn * 7 + SEED) % works.length]() } catch { caught++ }
        if (turn % 23 === 0) hoard.pop();
        if (turn % 20 === 0) { try { fill(SIZE); hoard.length -= turn % 37 } catch { hoard.length -= 3 } }
        if (turn % 31 === 0) { try { await null } catch {} }
    }
    return caught;";

#[test]
fn a_body_without_memory_left_ends_and_takes_nothing_with_it() {
    for seed in 0..60 {
        let size = 30 + seed * 7;
        let code = SCARCE.replace("SEED", &seed.to_string()).replace("SIZE", &size.to_string());
        for memory in [3_000_000, 4_000_000 + seed * 1_013] {
            let _ = end(Limits { memory, ..Limits::default() }, &code);
        }
    }
    assert_eq!(end(Limits::default(), "return 1"), Ok(Some(json!(1))));
}
