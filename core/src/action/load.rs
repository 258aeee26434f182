//! One navigation: judged, permitted, carried out.

use super::engine::{Engine, wrong_reply};
use super::failure::{Effect, Failure, Phase};
use super::limits;
use crate::gatekeeper::{Clearance, Destination, TargetIdentity, origin_of};
use crate::page::TabId;
use crate::planted::{self, Bug};
use crate::port::{
    DriverError, HistoryGo, Host, LoadState, Millis, NavigateTo, Navigated, Op, Port, Reply, Seq,
    TabWrite,
};
use crate::tool::Descriptor;

/// A load that ended.
#[derive(Debug)]
pub(crate) struct Loaded {
    /// Where.
    pub(crate) navigated: Navigated,
    /// Cursor taken before it.
    pub(crate) since: Seq,
    /// How long a person was waited for before it, ms.
    pub(crate) asked_ms: u64,
}

impl Loaded {
    /// `load` has fired.
    pub(crate) fn is_complete(&self) -> bool {
        self.navigated.load == LoadState::Complete
    }
}

impl<P: Port, H: Host> Engine<P, H> {
    /// Loads a destination in a tab. `load_ms` is the time for the load itself: waiting for a person does not eat it.
    pub(crate) async fn load(
        &self,
        tool: &Descriptor,
        tab: TabId,
        destination: &Destination,
        load_ms: u64,
    ) -> Result<Loaded, Failure> {
        let identity = identity(Some(tab), destination);
        let asked_at = self.now();
        let clearance = self.clear(tool, identity, Some(destination)).await?;
        let asked_ms = self.now().0 - asked_at.0;
        Ok(Loaded { asked_ms, ..self.load_cleared(clearance, tab, destination, load_ms).await? })
    }

    /// The verdict over a load into a tab that is still to be opened for it.
    pub(crate) async fn clear_load(
        &self,
        tool: &Descriptor,
        destination: &Destination,
    ) -> Result<Clearance, Failure> {
        self.clear(tool, identity(None, destination), Some(destination)).await
    }

    /// Loads a destination that was cleared for this tab.
    pub(crate) async fn load_cleared(
        &self,
        clearance: Clearance,
        tab: TabId,
        destination: &Destination,
        load_ms: u64,
    ) -> Result<Loaded, Failure> {
        let load_ms = if planted::is(Bug::DeadlineDropped) { u64::MAX } else { load_ms };
        let deadline = self.now().plus(load_ms);
        let since = self.cursor(deadline).await?;
        let permit = self.permit(clearance, &identity(Some(tab), destination))?;
        let to = NavigateTo { tab, url: destination.url().into(), permit };
        let asked = self.ask(Op::Navigate(to), deadline, Phase::Dispatch).await;
        self.loaded(asked, since)
    }

    /// Goes through a tab's history; `origin` is that of the page that stands.
    pub(crate) async fn go(
        &self,
        tool: &Descriptor,
        tab: TabId,
        (go, origin): (HistoryGo, &str),
        load_ms: u64,
    ) -> Result<Loaded, Failure> {
        let asked_at = self.now();
        let write = self.tab_write(tool, tab, origin).await?;
        let asked_ms = self.now().0 - asked_at.0;
        let deadline = self.now().plus(load_ms);
        let since = self.cursor(deadline).await?;
        let asked = self.ask(Op::History { go, write }, deadline, Phase::Dispatch).await;
        Ok(Loaded { asked_ms, ..self.loaded(asked, since)? })
    }

    /// The right to a write to a tab as a whole, or to a script in it; `origin` is that of its page.
    pub(crate) async fn tab_write(
        &self,
        tool: &Descriptor,
        tab: TabId,
        origin: &str,
    ) -> Result<TabWrite, Failure> {
        let identity = |origin: &str| TargetIdentity {
            tab: Some(tab),
            origin: origin.into(),
            ..TargetIdentity::default()
        };
        let clearance = self.clear(tool, identity(origin), None).await?;
        // Whoever was asked may have taken long: the page that stands now is the one that is written to.
        let tabs = self.tabs(self.now().plus(limits::CALL_MS)).await?;
        let now = tabs.iter().find(|info| info.tab == tab);
        let now = now.ok_or_else(|| Failure::driver(Phase::Precheck, &DriverError::TabGone))?;
        Ok(TabWrite { tab, permit: self.permit(clearance, &identity(&origin_of(&now.url)))? })
    }

    async fn cursor(&self, deadline: Millis) -> Result<Seq, Failure> {
        let deadline = deadline.max(self.now().plus(limits::CALL_MS));
        let drained = self.events(deadline).await;
        drained.map_err(|error| Failure::driver(Phase::Precheck, &error))
    }

    fn loaded(&self, asked: Result<Reply, Failure>, since: Seq) -> Result<Loaded, Failure> {
        // Where a load fails the browser shows a page of its own, or none: the tab is not what it was.
        match asked {
            Ok(Reply::Navigated(navigated)) => Ok(Loaded { navigated, since, asked_ms: 0 }),
            Ok(_) => Err(wrong_reply(Phase::Dispatch)),
            Err(failure) if failure.code == "no_history" => Err(failure),
            Err(failure) => Err(failure.with_effect(Effect::Unknown)),
        }
    }
}

fn identity(tab: Option<TabId>, destination: &Destination) -> TargetIdentity {
    TargetIdentity {
        tab,
        origin: destination.origin().into(),
        destination: Some(destination.url().into()),
        ..TargetIdentity::default()
    }
}
