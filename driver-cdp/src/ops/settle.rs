//! `Op::Settle`.
//!
//! The clock is ours: timers of a page in the background are slowed down and animation frames stop, so the page only counts
//! its changes and is asked for the count.

use crate::clock;
use crate::session::Link;
use backlot_core::page::TabId;
use backlot_core::port::{DriverError, EventKind, Millis, Seq, SettleSpec, Settled};

/// Time between two questions, ms.
const POLL_MS: u64 = 20;

/// Waits until the page has come to rest, at most for the cap.
pub(super) async fn settle(
    link: &Link,
    tab: TabId,
    spec: SettleSpec,
    deadline: Millis,
) -> Result<Settled, DriverError> {
    let start = clock::now();
    let mut cap = start.plus(spec.cap_ms.into()).min(deadline);
    let load_cap = start.plus(spec.load_ms.into()).min(deadline);
    let least = start.plus(spec.min_ms.into()).min(cap);
    let mut count = None;
    let mut changed = start;
    let mut quiet = false;
    loop {
        link.book().tab(tab)?;
        if clock::now() >= cap {
            break;
        }
        if is_navigating(link, tab, spec.since) {
            // What the old document did no longer matters; the new one's rest counts from its load.
            wait_for_load(link, tab, load_cap).await?;
            count = None;
            changed = clock::now();
            if changed >= load_cap {
                break;
            }
            cap = changed.plus(spec.cap_ms.into()).min(deadline);
        }
        match link.ask::<u64>(tab, "watchChanges", &(), cap).await {
            Ok(answer) => {
                if count != Some((answer.context.clone(), answer.value)) {
                    if count.is_some() {
                        changed = clock::now();
                    }
                    count = Some((answer.context, answer.value));
                }
            }
            Err(no_answer) => match no_answer.of_read() {
                DriverError::DocumentGone => changed = clock::now(),
                DriverError::Deadline => break,
                error => return Err(error),
            },
        }
        let now = clock::now();
        let rest = changed.plus(spec.quiet_ms.into());
        if now >= least && now >= rest && !is_navigating(link, tab, spec.since) {
            quiet = true;
            break;
        }
        let next = now.plus(POLL_MS).min(least.max(rest).max(now.plus(1))).min(cap);
        tokio::time::sleep_until(clock::instant(next)).await;
    }
    // Best effort: the observers die with their document anyway.
    let soon = clock::now().plus(100);
    let _ = link.ask::<()>(tab, "unwatch", &(), soon).await;
    link.book().tab(tab)?;
    Ok(Settled { quiet, events: link.book().log.since(spec.since) })
}

/// The top frame is on its way to another document, or has one that is still loading, since the cursor.
fn is_navigating(link: &Link, tab: TabId, since: Seq) -> bool {
    let book = link.book();
    let Some(state) = book.tabs.get(&tab) else { return false };
    let moved = book.log.since(since).events.iter().any(|event| {
        event.tab == tab
            && match event.kind {
                EventKind::NavigationStarted { frame } => frame == state.frame && state.loading,
                EventKind::Navigated { top, .. } => top,
                _ => false,
            }
    });
    moved && (state.loading || state.loaded != state.cdp_loader)
}

async fn wait_for_load(link: &Link, tab: TabId, cap: Millis) -> Result<(), DriverError> {
    let loaded = link.until(cap, |book| match book.tab(tab) {
        Ok(state) => (!state.loading).then_some(Ok(())),
        Err(error) => Some(Err(error)),
    });
    loaded.await.unwrap_or(Ok(()))
}
