//! The bodies that are compared with Playwright use nothing that we lack.

use crate::support::run;
use std::fs;
use std::path::Path;

#[test]
fn the_compared_bodies_parse_and_name_nothing_that_is_missing() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../conformance/playwright/bodies");
    let mut seen = 0;
    for file in fs::read_dir(folder).unwrap() {
        let path = file.unwrap().path();
        let ran = run(&fs::read_to_string(&path).unwrap());
        if let Err(error) = ran.end.result {
            let ours = ["does not parse", "not supported", "is not defined", "is not a function"];
            assert!(!ours.iter().any(|word| error.contains(word)), "{path:?}: {error}");
        }
        seen += 1;
    }
    assert!(seen >= 60, "only {seen} bodies");
}
