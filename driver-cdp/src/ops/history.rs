//! `Op::History`.

use crate::session::Link;
use backlot_core::page::{DocumentKey, TabId};
use backlot_core::port::{DriverError, HistoryGo, LoadState, Millis, Navigated, TabWrite};
use serde_json::{Value, json};

/// Goes back, forward or loads again, and waits for the load.
pub(super) async fn history(
    link: &Link,
    go: HistoryGo,
    write: TabWrite,
    deadline: Millis,
) -> Result<Navigated, DriverError> {
    let tab = write.tab;
    super::tabs::check_permit(&write, "Page.navigateToHistoryEntry")?;
    let (loader, within) = {
        let book = link.book();
        let state = book.tab(tab)?;
        (state.loader, state.moved_within)
    };
    let (method, params) = match go {
        HistoryGo::Reload => ("Page.reload", json!({})),
        HistoryGo::Back | HistoryGo::Forward => {
            let entry = neighbour(link, tab, go, deadline).await?;
            ("Page.navigateToHistoryEntry", json!({ "entryId": entry }))
        }
    };
    link.tab(tab, method, params, deadline).await?;
    let ended = link
        .until(deadline, |book| {
            let state = match book.tab(tab) {
                Ok(state) => state,
                Err(error) => return Some(Err(error)),
            };
            let is_new = state.loader != loader;
            let is_there = is_new && state.loaded == state.cdp_loader
                || !is_new && state.moved_within != within;
            is_there.then_some(Ok(()))
        })
        .await;
    let book = link.book();
    let state = book.tab(tab)?;
    let load = match ended {
        Some(Ok(())) => LoadState::Complete,
        Some(Err(error)) => return Err(error),
        None if state.loader != loader => LoadState::Interactive,
        None => return Err(DriverError::Deadline),
    };
    let document = DocumentKey { frame: state.frame, loader: state.loader };
    Ok(Navigated { url: state.url.clone(), document, load })
}

/// The entry beside the present one.
async fn neighbour(
    link: &Link,
    tab: TabId,
    go: HistoryGo,
    deadline: Millis,
) -> Result<Value, DriverError> {
    let answer = link.tab(tab, "Page.getNavigationHistory", json!({}), deadline).await?;
    let at = answer["currentIndex"].as_u64().unwrap_or_default();
    let wanted = match go {
        HistoryGo::Back => at.checked_sub(1),
        HistoryGo::Forward | HistoryGo::Reload => Some(at + 1),
    };
    let entry = wanted.and_then(|at| answer["entries"].get(usize::try_from(at).ok()?));
    entry.map(|entry| entry["id"].clone()).ok_or(DriverError::NoHistory)
}
