//! Tools about tabs as a whole: listing, opening, going back and forward, showing, closing.

use super::call::{Catalog, Failed};
use crate::action::{Effect, Failure, Loaded, Parts, Phase, limits, wrong_reply};
use crate::gatekeeper::{Destination, origin_of};
use crate::page::TabId;
use crate::port::{HistoryGo, Host, Millis, Op, Port, Reply, TabInfo};
use crate::text::{header_piece, url_piece};
use crate::tool::{Args, Descriptor};
use alloc::{
    format,
    string::{String, ToString},
    vec,
    vec::Vec,
};

impl<P: Port, H: Host> Catalog<P, H> {
    pub(super) async fn tabs_list(
        &self,
        tool: &Descriptor,
        deadline: Millis,
    ) -> Result<Parts, Failure> {
        self.clear_read(tool, None).await?;
        let tabs = self.engine.tabs(deadline).await?;
        if tabs.is_empty() {
            return Ok(Parts { said: vec!["no tabs are open".into()], ..Parts::default() });
        }
        let lines: Vec<String> = tabs
            .iter()
            .map(|tab| {
                let mark = if tab.visible { " (visible)" } else { "" };
                let (title, url) = (header_piece(&tab.title, 200), url_piece(&tab.url));
                format!("[{}]{mark} {title} — {url}", tab.tab.0)
            })
            .collect();
        Ok(Parts { page: lines.join("\n"), ..Parts::default() })
    }

    /// A new tab behind the visible one, with a page in it. Calls without `tabId` go where they went before.
    pub(super) async fn tab_open(
        &self,
        tool: &Descriptor,
        args: &Args,
    ) -> Result<(Option<TabId>, Parts), Failed> {
        let destination = destination(tool, args)?;
        // No tab is opened for what is not allowed. Waiting for a person does not eat the call's time.
        let clearance = self.engine.clear_load(tool, &destination).await?;
        let deadline = self.engine.now().plus(limits::CALL_MS);
        let default = self.engine.default_tab();
        let tab = match self.engine.ask(Op::OpenTab, deadline, Phase::Dispatch).await? {
            Reply::Tab(tab) => tab,
            _ => return Err(wrong_reply(Phase::Dispatch).into()),
        };
        let failed = |failure| Failed { tab: Some(tab.clone()), failure };
        let _turn = self.engine.lane(tab.tab).enter().await;
        let clearance = clearance.in_new_tab(tab.tab);
        let clearance = clearance.map_err(|reason| failed(Failure::denied(&reason)))?;
        let loaded = self
            .engine
            .load_cleared(clearance, tab.tab, &destination, self.load_ms(deadline))
            .await;
        let loaded = loaded.map_err(failed)?;
        let parts = self.arrived(tab.tab, &destination, &loaded, deadline).await;
        let mut parts = parts.map_err(failed)?;
        let route = match default {
            Some(default) => format!("the default tab stays [tabId={}]", default.0),
            None => "no tab is the default yet".to_string(),
        };
        parts.said.insert(0, format!("tab_created: [tabId={}]; {route}", tab.tab.0));
        Ok((Some(tab.tab), parts))
    }

    pub(super) async fn navigate(
        &self,
        tool: &Descriptor,
        tab: &TabInfo,
        args: &Args,
        deadline: Millis,
    ) -> Result<Parts, Failure> {
        let destination = destination(tool, args)?;
        if tab.url == destination.url() {
            self.clear_read(tool, Some(tab)).await?;
            let mut parts =
                self.engine.read_snapshot(tab.tab, limits::AFTER_TOKENS, deadline).await?;
            parts.said.insert(0, "the tab shows this URL already; nothing was loaded".into());
            return Ok(parts);
        }
        let load_ms = self.load_ms(deadline);
        let loaded = self.engine.load(tool, tab.tab, &destination, load_ms).await?;
        self.arrived(tab.tab, &destination, &loaded, deadline.plus(loaded.asked_ms)).await
    }

    /// Time for a load: some of the call's is left for reading what was loaded.
    fn load_ms(&self, deadline: Millis) -> u64 {
        let left = deadline.0.saturating_sub(self.engine.now().0);
        left.saturating_sub(limits::AFTER_LOAD_MS)
    }

    /// Shows a page that was loaded.
    async fn arrived(
        &self,
        tab: TabId,
        destination: &Destination,
        loaded: &Loaded,
        deadline: Millis,
    ) -> Result<Parts, Failure> {
        let after = self.engine.after(tab, loaded.since, None, deadline).await;
        let mut parts = after.map_err(|failure| failure.with_effect(Effect::Done))?;
        let redirected = loaded.navigated.url != destination.url();
        let said = if redirected { "loaded, after a redirect" } else { "loaded" };
        parts.said.insert(0, said.into());
        Ok(parts)
    }

    /// One step through the tab's history.
    pub(super) async fn go(
        &self,
        tool: &Descriptor,
        tab: &TabInfo,
        go: HistoryGo,
        deadline: Millis,
    ) -> Result<Parts, Failure> {
        let origin = origin_of(&tab.url);
        let load_ms = self.load_ms(deadline);
        let loaded = self.engine.go(tool, tab.tab, (go, &origin), load_ms).await?;
        let deadline = deadline.plus(loaded.asked_ms);
        let after = self.engine.after(tab.tab, loaded.since, None, deadline).await;
        let mut parts = after.map_err(|failure| failure.with_effect(Effect::Done))?;
        let way = if go == HistoryGo::Back { "back" } else { "forward" };
        parts.said.insert(0, format!("went {way}"));
        Ok(parts)
    }

    /// Shows a tab, or closes it. No lane is entered: a page that hangs must not keep its tab from being closed.
    pub(super) async fn whole_tab(
        &self,
        tool: &Descriptor,
        tab: &TabInfo,
        deadline: Millis,
    ) -> Result<Parts, Failure> {
        let asked_at = self.engine.now();
        let write = self.engine.tab_write(tool, tab.tab, &origin_of(&tab.url)).await?;
        let deadline = deadline.plus(self.engine.now().0 - asked_at.0);
        let said = match tool.name {
            "tab_focus" => {
                self.engine.ask(Op::ActivateTab(write), deadline, Phase::Dispatch).await?;
                "the tab is the visible one"
            }
            _ => {
                self.engine.ask(Op::CloseTab(write), deadline, Phase::Dispatch).await?;
                match tab.visible {
                    true => "closed; it was the visible tab, and the browser shows another one",
                    false => "closed; the visible tab is unchanged",
                }
            }
        };
        Ok(Parts { said: vec![said.into()], ..Parts::default() })
    }
}

fn destination(tool: &Descriptor, args: &Args) -> Result<Destination, Failure> {
    Destination::parse(args.text("url").unwrap_or_default()).map_err(|bad| {
        Failure::arguments(format!("Invalid parameters for {}: url: {bad}", tool.name))
    })
}
