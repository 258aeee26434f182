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
    let (loader, mut within) = {
        let book = link.book();
        let state = book.tab(tab)?;
        (state.loader, state.moved_within)
    };
    let entry = match go {
        HistoryGo::Reload => None,
        HistoryGo::Back | HistoryGo::Forward => Some(neighbour(link, tab, go, deadline).await?),
    };
    let (method, params) = match &entry {
        None => ("Page.reload", json!({})),
        Some(entry) => ("Page.navigateToHistoryEntry", json!({ "entryId": entry })),
    };
    link.tab(tab, method, params, deadline).await?;
    let ended = loop {
        let came = link.until(deadline, |book| {
            let state = match book.tab(tab) {
                Ok(state) => state,
                Err(error) => return Some(Err(error)),
            };
            if state.loader != loader {
                return (state.loaded == state.cdp_loader).then_some(Ok(None));
            }
            // Loading again is never within the document.
            let moved = entry.is_some() && state.moved_within != within;
            moved.then_some(Ok(Some(state.moved_within)))
        });
        match came.await {
            Some(Ok(Some(now))) => {
                // The page moves within its document too: only the browser knows which step this was.
                let asked = link.tab(tab, "Page.getNavigationHistory", json!({}), deadline).await;
                match asked {
                    Ok(history) if is_present(link, tab, &history, entry.as_ref()) => {
                        break Some(Ok(()));
                    }
                    // Refused while one document gives way to another: then it was no step within.
                    Ok(_) | Err(DriverError::Refused { .. }) => {}
                    Err(error) => return Err(error),
                }
                within = now;
            }
            Some(Ok(None)) => break Some(Ok(())),
            Some(Err(error)) => break Some(Err(error)),
            None => break None,
        }
    };
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

/// Whether the entry is where the tab is. The browser may know of another document before its page has told us: then the URLs
/// differ.
fn is_present(link: &Link, tab: TabId, history: &Value, entry: Option<&Value>) -> bool {
    let at = history["currentIndex"].as_u64().and_then(|at| usize::try_from(at).ok());
    let Some(present) = at.and_then(|at| history["entries"].get(at)) else { return false };
    let book = link.book();
    let is_told = book.tabs.get(&tab).is_some_and(|tab| present["url"] == tab.url.as_str());
    is_told && Some(&present["id"]) == entry
}

/// The id of the entry beside the present one.
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
