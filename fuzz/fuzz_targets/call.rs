//! Any call: unknown tools, arguments of any shape, refs of any text. It ends with a result; what it calls an error has a code.

#![no_main]

use backlot_core::gatekeeper::{Policy, PolicyState};
use backlot_core::refs::ElementRef;
use backlot_core::surface::Surface;
use backlot_core::surface::catalog::{Catalog, ToolCall};
use backlot_core::tool::Level;
use backlot_sim::{Response, World};
use libfuzzer_sys::fuzz_target;

const PAGE: &str = "<button>A</button><input aria-label=B><select aria-label=C><option>x</select><a href=/>D</a>";

fuzz_target!(|text: &str| {
    if let Some(elem_ref) = ElementRef::parse(text) {
        assert_eq!(elem_ref.text(), text, "a ref has one text form");
    }
    let Some((name, arguments)) = text.split_once(' ') else { return };
    let Ok(arguments) = serde_json::from_str(arguments) else { return };
    let world = World::new(1);
    world.serve("http://a.test/", Response::html(PAGE));
    let policy = PolicyState::new(Policy::Auto);
    let catalog = Catalog::new(world.port(), world.host(), policy, &[Level::L0, Level::L1, Level::L2]);
    let result = world.block_on(catalog.call(&ToolCall { name: name.into(), arguments }));
    if result.is_error {
        assert!(result.details["code"].as_str().is_some_and(|code| !code.is_empty()), "{}", result.text);
    }
});
