//! The in-page event log that conformance compares between its arms.

/// Name of the binding that [`EVENT_LOG_SCRIPT`] calls.
pub const EVENT_LOG_BINDING: &str = "__backlotEvent";

/// A main-world script for [`crate::LaunchOptions::new_document_script`]. It calls [`EVENT_LOG_BINDING`] with one line for
/// each event that reaches a window's capture phase:
/// `{type} {1 trusted|0} {path}`, then ` value={JSON}` or ` checked={bool}` for the events of form fields, ` {inputType} {data as
/// JSON}` for edits, ` key={JSON}` for keys.
/// The path is the composed path, innermost first, joined by `<`: `tag` or `tag#id`, `#shadow`, `#document`, `window`.
///
/// Moves of the pointer are left out unless [`EVENT_LOG_MOVES`] stands before it: the browser makes some of its own when the
/// page moves below the pointer.
pub const EVENT_LOG_SCRIPT: &str = include_str!("walker/event_log.js");

/// Stands before [`EVENT_LOG_SCRIPT`] where moves of the pointer are logged too.
pub const EVENT_LOG_MOVES: &str = "globalThis.__backlotLogsMoves = true;\n";
