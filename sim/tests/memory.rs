//! Worlds that are dropped leave nothing behind. In a binary of its own: it reads the memory of the whole process.
#![cfg(target_os = "linux")]

use backlot_core::gatekeeper::{Policy, PolicyState};
use backlot_core::surface::Surface;
use backlot_core::surface::catalog::{Catalog, ToolCall};
use backlot_core::tool::Level;
use backlot_sim::{Response, World};

const PAGE: &str = "<!doctype html><title>T</title><style>p{color:red}</style><form><input id=i><button>Go</button></form>\
    <div><template shadowrootmode=open><slot></slot></template><p>text</p></div><iframe srcdoc='<p>in'></iframe>";

/// Most KiB that all worlds but the first may leave: a world's own page takes far more than this divided by their number.
const GROWTH_MAX_KIB: u64 = 4_096;

fn live_a_little(seed: u64) {
    let world = World::new(seed);
    world.serve("http://page.test/", Response::html(PAGE));
    let policy = PolicyState::new(Policy::Auto);
    let catalog = Catalog::new(world.port(), world.host(), policy, &[Level::L0, Level::L1]);
    let arguments = serde_json::json!({ "url": "http://page.test/" });
    let result = world.block_on(catalog.call(&ToolCall { name: "navigate".into(), arguments }));
    assert!(!result.is_error, "{}", result.text);
}

fn resident_kib() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").expect("Linux has it");
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).expect("Linux tells it");
    line.split_ascii_whitespace().nth(1).and_then(|kib| kib.parse().ok()).expect("a number")
}

#[test]
fn ten_thousand_worlds_leave_nothing_behind() {
    (0..500).for_each(live_a_little);
    let before = resident_kib();
    (500..10_000).for_each(live_a_little);
    let growth = resident_kib().saturating_sub(before);
    assert!(growth < GROWTH_MAX_KIB, "{growth} KiB more after 9,500 worlds");
}
