//! Any bytes as a page: it is read without a panic, every line is one line, every ref is a real one and can be clicked or says
//! why not.

#![no_main]

use backlot_core::gatekeeper::{Policy, PolicyState};
use backlot_core::surface::Surface;
use backlot_core::surface::catalog::{Catalog, ToolCall};
use backlot_core::tool::Level;
use backlot_sim::{Response, World};
use libfuzzer_sys::fuzz_target;
use serde_json::json;

fuzz_target!(|bytes: &[u8]| {
    let world = World::new(1);
    world.serve("http://a.test/", Response::html(bytes));
    let policy = PolicyState::new(Policy::Auto);
    let catalog = Catalog::new(world.port(), world.host(), policy, &[Level::L0, Level::L1]);
    let call = |name: &str, arguments| {
        world.block_on(catalog.call(&ToolCall { name: name.into(), arguments }))
    };
    let loaded = call("navigate", json!({"url": "http://a.test/"}));
    assert!(!loaded.is_error, "{}", loaded.text);
    let read = call("read_page", json!({"maxTokens": 1_000_000}));
    assert!(!read.is_error, "{}", read.text);
    let lines: Vec<&str> = read.text.lines().collect();
    let body = &lines[2..lines.len() - 1];
    for line in body {
        let known = ["- ", "# Page Snapshot (", "# Accessibility Tree", "URL: ", "Title: ", "[omitted: ", "(empty page)"];
        let is_known = line.is_empty() || known.iter().any(|start| line.trim_start_matches(' ').starts_with(start));
        assert!(is_known, "a line of the page's own: {line:?}");
        assert!(line.matches("[ref=").count() <= 1, "two refs on a line: {line:?}");
    }
    let refs: Vec<&str> =
        body.iter().filter_map(|line| line.split("[ref=").nth(1)?.strip_suffix(']')).collect();
    let Some(elem_ref) = refs.first() else { return };
    let clicked = call("click", json!({"element": "it", "ref": elem_ref}));
    if clicked.is_error {
        assert_ne!(clicked.details["code"], "stale_ref", "a fresh ref is not stale: {}", clicked.text);
    }
});
