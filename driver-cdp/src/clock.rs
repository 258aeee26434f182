//! The one monotonic clock of this process, so that deadlines of any host fit any browser.

use backlot_core::port::Millis;
use std::sync::OnceLock;
use std::time::Duration;
use tokio::time::Instant;

fn start() -> Instant {
    static START: OnceLock<Instant> = OnceLock::new();
    *START.get_or_init(Instant::now)
}

/// Now.
pub(crate) fn now() -> Millis {
    Millis(u64::try_from(start().elapsed().as_millis()).unwrap_or(u64::MAX))
}

/// The runtime's moment for a number of milliseconds, at most about thirty years away.
pub(crate) fn instant(moment: Millis) -> Instant {
    start() + Duration::from_millis(moment.0.min(1_000_000_000_000))
}
