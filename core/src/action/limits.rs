//! Limits of a call, in milliseconds unless the name says otherwise.

/// Whole call, approvals aside.
pub const CALL_MS: u64 = 15_000;
/// Longest `wait_for`.
pub const WAIT_FOR_MS: u64 = 30_000;
/// Between two looks of `wait_for`.
pub const WAIT_POLL_MS: u64 = 200;
/// How long a moving target is waited for.
pub const STABLE_MS: u64 = 1_500;
/// Between two samples of a target's box.
pub const STABLE_SAMPLE_MS: u64 = 20;
/// How far an edge may move between two samples, and between the last sample and the write, CSS pixels.
pub const STABLE_TOLERANCE_PX: f64 = 1.0;
/// Least wait after a write.
pub const SETTLE_MIN_MS: u32 = 30;
/// Time without a DOM change that counts as rest.
pub const SETTLE_QUIET_MS: u32 = 60;
/// Longest wait for rest. Pages that never rest cost this with every write, so it is short.
pub const SETTLE_CAP_MS: u32 = 1_000;
/// The same in a tab that did not come to rest the last time.
pub const SETTLE_RESTLESS_CAP_MS: u32 = 250;
/// Longest wait for the load of a navigation that a write caused.
pub const SETTLE_LOAD_MS: u32 = 8_000;
/// Most dialogs that one result tells of.
pub const DIALOGS_MAX: usize = 10;
/// What is left of a navigation's time for reading the page, where the load takes all the rest.
pub const AFTER_LOAD_MS: u64 = 4_000;
/// What is left of a call's time for reading the page, where coming to rest takes all the rest.
pub const AFTER_REST_MS: u64 = 2_000;
/// What a slow reply may take beyond the call's own deadline before the call ends without it.
pub const READ_MS: u64 = 10_000;

/// Budget of `read_page`, tokens.
pub const READ_TOKENS: u32 = 3_000;
/// Largest budget that may be asked for, tokens.
pub const READ_TOKENS_MAX: u32 = 1_000_000;
/// Budget of the snapshot or diff after an action, tokens.
pub const AFTER_TOKENS: u32 = 1_500;
/// Most characters of an article's text.
pub const ARTICLE_CHARS_MAX: usize = 12_000;
/// Most characters of a page's text as Markdown.
pub const EXTRACT_CHARS_MAX: usize = 200_000;
/// Characters of it that one `extract` shows.
pub const EXTRACT_PIECE_CHARS: usize = 8_000;
/// Most hits that `find_in_page` shows.
pub const FIND_HITS_MAX: usize = 20;
/// Most lines of the browser's own tree as a fallback.
pub const FALLBACK_LINES_MAX: usize = 400;
