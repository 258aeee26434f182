//! `Op::Navigate`.

use crate::book::{Book, Life, Tab};
use crate::clock;
use crate::session::Link;
use backlot_core::page::{DocumentKey, TabId};
use backlot_core::port::{DriverError, LoadState, Millis, NavigateTo, Navigated};
use serde_json::json;

/// Longest wait for the first document of a new tab, ms.
const FIRST_DOCUMENT_MS: u64 = 500;

/// Longest wait for a load to be given up, ms.
const STOP_MS: u64 = 500;

/// Loads a URL and waits for the `load` of the document that is there in the end.
pub(super) async fn navigate(
    link: &Link,
    to: NavigateTo,
    deadline: Millis,
) -> Result<Navigated, DriverError> {
    let NavigateTo { tab, url, permit } = to;
    let permitted = permit.target();
    if permitted.tab != Some(tab) || permitted.destination.as_deref() != Some(url.as_str()) {
        let reason = "the permit is for another tab or destination".into();
        return Err(DriverError::Refused { method: "Page.navigate".into(), reason });
    }
    revive(&mut link.book(), tab);
    let failed = |reason: &str| DriverError::LoadFailed { url: url.clone(), reason: reason.into() };
    // A renderer that is told to load something before its first blank document stands may crash.
    let soon = deadline.min(clock::now().plus(FIRST_DOCUMENT_MS));
    let _ = link.until(soon, |book| book.tab(tab).map_or(Some(()), stands)).await;
    let before = link.book().tab(tab)?.loader;
    let answer = link.tab(tab, "Page.navigate", json!({ "url": url }), deadline).await;
    let answer = match answer {
        Ok(answer) => answer,
        // The document may stand already: the answer to the command is not what counts.
        Err(DriverError::Deadline) if link.book().tab(tab)?.loader != before => {
            return ended(&link.book(), tab, LoadState::Interactive);
        }
        Err(DriverError::Refused { reason, .. }) => return Err(failed(&reason)),
        Err(DriverError::Deadline) => return Err(gave_up(link, tab).await),
        Err(error) => return Err(error),
    };
    if let Some(reason) = answer["errorText"].as_str().filter(|reason| !reason.is_empty()) {
        return Err(failed(reason));
    }
    let Some(loader) = answer["loaderId"].as_str() else {
        // Within the document: there is nothing to load, and the event that tells the new URL may still be on its way.
        let ended = ended(&link.book(), tab, LoadState::Complete)?;
        return Ok(Navigated { url, ..ended });
    };
    let mut committed = false;
    let loaded = link
        .until(deadline, |book| {
            let state = match book.tab(tab) {
                Ok(state) => state,
                Err(error) => return Some(Err(error)),
            };
            committed |= state.cdp_loader.as_deref() == Some(loader);
            // A page that moves on while it loads is followed.
            (committed && state.loaded == state.cdp_loader).then_some(Ok(()))
        })
        .await;
    match loaded {
        Some(Ok(())) => ended(&link.book(), tab, LoadState::Complete),
        Some(Err(error)) => Err(error),
        None if committed => ended(&link.book(), tab, LoadState::Interactive),
        None => Err(gave_up(link, tab).await),
    }
}

/// Ends a load that did not come to a document in time: it must not replace the page later, when nobody expects it, and
/// while it is under way the browser answers no question about the page.
async fn gave_up(link: &Link, tab: TabId) -> DriverError {
    let soon = clock::now().plus(STOP_MS);
    match link.tab(tab, "Page.stopLoading", json!({}), soon).await {
        Ok(_) | Err(DriverError::Deadline) => DriverError::Deadline,
        Err(error) => error,
    }
}

fn stands(tab: &Tab) -> Option<()> {
    tab.loaded.as_ref().map(|_| ())
}

/// A crashed tab gets a new renderer by loading something.
fn revive(book: &mut Book, tab: TabId) {
    if let Some(tab) = book.tabs.get_mut(&tab).filter(|tab| tab.life == Life::Crashed) {
        tab.life = Life::Alive;
    }
}

fn ended(book: &Book, tab: TabId, load: LoadState) -> Result<Navigated, DriverError> {
    let state = book.tab(tab)?;
    let document = DocumentKey { frame: state.frame, loader: state.loader };
    Ok(Navigated { url: state.url.clone(), document, load })
}
