//! The JavaScript that stands before every body.

/// The parts, in the order in which they build on each other.
const PARTS: [&str; 11] = [
    include_str!("js/guard.js"),
    include_str!("js/values.js"),
    include_str!("js/console.js"),
    include_str!("js/timers.js"),
    include_str!("js/web.js"),
    include_str!("js/calls.js"),
    include_str!("js/options.js"),
    include_str!("js/selectors.js"),
    include_str!("js/locator.js"),
    include_str!("js/page.js"),
    include_str!("js/context.js"),
];

/// One function of the host object; it returns what the engine calls.
pub(crate) fn source() -> String {
    let mut source = "(function (host) {\n\"use strict\";\n".to_owned();
    for part in PARTS {
        source.push_str(part);
    }
    source.push_str("return { start, settle, fire };\n})");
    source
}
