//! `Op::Tabs` and `Op::OpenTab`.

use crate::book::{Book, Life, Tab};
use crate::clock;
use crate::session::Link;
use backlot_core::page::TabId;
use backlot_core::port::{DriverError, Millis, ReadyState, TabInfo, TabWrite};
use futures_util::future::join_all;
use serde::Deserialize;
use serde_json::json;

/// Longest wait for a tab to say whether it is visible, ms. A page that hangs must not hold up the list.
const VISIBLE_MS: u64 = 300;

/// What a page says of itself. The browser's own list lags behind it.
#[derive(Debug, Deserialize)]
struct About {
    visible: bool,
    title: String,
    url: String,
}

/// All tabs, by number.
pub(super) async fn tabs(link: &Link, deadline: Millis) -> Result<Vec<TabInfo>, DriverError> {
    let known: Vec<TabId> = {
        let book = link.book();
        if book.closed {
            return Err(DriverError::ConnectionClosed);
        }
        book.tabs.iter().filter(|(_, tab)| tab.life != Life::Closed).map(|(id, _)| *id).collect()
    };
    let soon = clock::now().plus(VISIBLE_MS).min(deadline);
    let answers = join_all(known.iter().map(|tab| link.read::<About>(*tab, "about", &(), soon)));
    let answers: Vec<Option<About>> =
        answers.await.into_iter().map(|answer| answer.ok().map(|answer| answer.value)).collect();
    let book = link.book();
    let mut infos = Vec::new();
    for (tab, about) in known.iter().zip(answers) {
        let Some(listed) = info(&book, *tab) else { continue };
        infos.push(match about {
            Some(About { visible, title, url }) => {
                // A tab with an emulated focus calls itself visible whatever it is.
                let visible = visible && book.tabs[tab].emulated.is_none();
                TabInfo { visible, title, url, ..listed }
            }
            // A tab that cannot answer is not counted as the one somebody looks at.
            None => listed,
        });
    }
    if !infos.iter().any(|info| info.visible) {
        let front = |info: &&mut TabInfo| book.tabs[&info.tab].emulated == Some(true);
        if let Some(last) = infos.iter_mut().rev().find(front) {
            last.visible = true;
        }
    }
    Ok(infos)
}

/// Makes a tab behave as if it had the focus, once, before the first write to it.
pub(super) async fn emulate_focus(
    link: &Link,
    tab: TabId,
    deadline: Millis,
) -> Result<(), DriverError> {
    if link.book().tab(tab)?.emulated.is_some() {
        return Ok(());
    }
    let visible = link.read::<About>(tab, "about", &(), deadline).await?.value.visible;
    let params = json!({ "enabled": true });
    link.tab(tab, "Emulation.setFocusEmulationEnabled", params, deadline).await?;
    if let Some(tab) = link.book().tabs.get_mut(&tab) {
        tab.emulated = Some(visible);
    }
    Ok(())
}

/// A new blank tab in the background.
pub(super) async fn open(link: &Link, deadline: Millis) -> Result<TabInfo, DriverError> {
    let params = json!({ "url": "about:blank", "background": true });
    let answer = link.browser("Target.createTarget", params, deadline).await?;
    let target = answer["targetId"].as_str().unwrap_or_default().to_string();
    let tab = link
        .until(deadline, |book| {
            if book.closed {
                return Some(Err(DriverError::ConnectionClosed));
            }
            let tab = book.by_target.get(&target)?;
            // A renderer that is told to load something before its first blank document stands may crash.
            book.tabs.get(tab)?.loaded.as_ref().map(|_| Ok(*tab))
        })
        .await
        .unwrap_or(Err(DriverError::Deadline))?;
    info(&link.book(), tab).ok_or(DriverError::TabGone)
}

/// Closes a tab and waits until it is gone.
pub(super) async fn close(
    link: &Link,
    write: TabWrite,
    deadline: Millis,
) -> Result<(), DriverError> {
    check_permit(&write, "Target.closeTarget")?;
    let target = link.book().tabs.get(&write.tab).ok_or(DriverError::TabGone)?.target.clone();
    link.browser("Target.closeTarget", json!({ "targetId": target }), deadline).await?;
    let gone = link.until(deadline, |book| {
        let life = book.tabs.get(&write.tab).map(|tab| tab.life);
        (book.closed || matches!(life, None | Some(Life::Closed))).then_some(())
    });
    gone.await.ok_or(DriverError::Deadline)
}

/// Brings a tab to the front.
pub(super) async fn activate(
    link: &Link,
    write: TabWrite,
    deadline: Millis,
) -> Result<(), DriverError> {
    check_permit(&write, "Target.activateTarget")?;
    let target = link.book().tab(write.tab)?.target.clone();
    link.browser("Target.activateTarget", json!({ "targetId": target }), deadline).await?;
    // What these tabs say of themselves is no help: see `tabs`.
    for (id, tab) in &mut link.book().tabs {
        tab.emulated = tab.emulated.map(|_| *id == write.tab);
    }
    Ok(())
}

/// The permit is for this tab.
pub(super) fn check_permit(write: &TabWrite, method: &str) -> Result<(), DriverError> {
    if write.permit.target().tab == Some(write.tab) {
        return Ok(());
    }
    let reason = "the permit is for another tab".into();
    Err(DriverError::Refused { method: method.into(), reason })
}

fn ready(state: &Tab) -> ReadyState {
    // A blank tab has had no navigation that the browser tells of.
    if state.cdp_loader.is_none() || state.loaded == state.cdp_loader {
        ReadyState::Complete
    } else if state.parsed == state.cdp_loader {
        ReadyState::Interactive
    } else {
        ReadyState::Loading
    }
}

fn info(book: &Book, tab: TabId) -> Option<TabInfo> {
    let state = book.tabs.get(&tab)?;
    Some(TabInfo {
        tab,
        url: state.url.clone(),
        title: state.title.clone(),
        visible: false,
        opener: state.opener,
        ready: ready(state),
        viewport: state.viewport,
    })
}
