//! Limits of the toolkit, in milliseconds unless the name says otherwise.

/// Start of a browser.
pub const LAUNCH_MS: u64 = 30_000;
/// A code body, from its first to its last line.
pub const EXEC_MS: u64 = 30_000;
/// The navigation of `browser_open`.
pub const OPEN_MS: u64 = 15_000;
/// Asking the browser about its tabs.
pub const STATUS_MS: u64 = 5_000;
/// Between two looks of a wait.
pub const POLL_MS: u64 = 60;
/// Rest that `networkidle` asks for.
pub const NETWORK_IDLE_MS: u64 = 500;
/// Longest wait for the document of a navigation that an action started.
pub const ACTION_LOAD_MS: u32 = 5_000;
/// Sessions that may be open at once.
pub const SESSIONS_MAX: usize = 16;
/// Elements that a strictness error lists.
pub const STRICT_LISTED_MAX: usize = 10;

/// Children of one element that a tree prints; the rest is counted.
pub const CHILDREN_MAX: usize = 40;
/// Lines of a tree; the rest is counted.
pub const TREE_LINES_MAX: usize = 1_500;
/// Lines of a diff; the rest is counted.
pub const DIFF_LINES_MAX: usize = 200;
/// Characters of a text or name in a tree.
pub const TEXT_CHARS_MAX: usize = 300;
/// Characters of an address in a tree.
pub const HREF_CHARS_MAX: usize = 120;

/// Characters of a glob for URLs.
pub const GLOB_CHARS_MAX: usize = 4_096;
/// Globs that the `{…}` choices of one may stand for.
pub const GLOB_FORMS_MAX: usize = 256;
/// Steps of comparing a glob with one URL.
pub const GLOB_STEPS_MAX: u32 = 20_000_000;
