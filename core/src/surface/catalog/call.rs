//! One call of a catalog tool: validate, route, judge, run, report.

use super::tools::TOOLS;
use crate::action::{
    Act, Aim, Engine, Failure, Intent, Parts, Phase, Retry, ToolResult, limits, wrong_reply,
};
use crate::gatekeeper::{PolicyState, TargetIdentity, origin_of};
use crate::page::TabId;
use crate::port::{
    Button, HistoryGo, Host, Millis, Modifiers, Op, Port, Reply, ScrollBy, ScrollWhat, TabInfo,
    Typing,
};
use crate::surface::Surface;
use crate::text::{header_piece, quoted};
use crate::tool::{Args, Descriptor, Level, Registry, ToolCall};
use alloc::{format, string::ToString, vec::Vec};

/// The catalog surface for one client.
#[derive(Debug)]
pub struct Catalog<P, H> {
    pub(super) engine: Engine<P, H>,
    registry: Registry,
}

/// A failure with the tab it is about, for the report.
pub(super) struct Failed {
    pub(super) tab: Option<TabInfo>,
    pub(super) failure: Failure,
}

impl From<Failure> for Failed {
    fn from(failure: Failure) -> Self {
        Self { tab: None, failure }
    }
}

impl<P: Port, H: Host> Surface for Catalog<P, H> {
    fn registry(&self) -> &Registry {
        &self.registry
    }

    async fn call(&self, call: &ToolCall) -> ToolResult {
        let Some(tool) = self.registry.get(&call.name) else {
            let failure = Failure::new(
                "unknown_tool",
                Phase::Validate,
                Retry::Never,
                format!("there is no tool named {}; list the tools", quoted(&call.name, 60)),
            );
            return self.engine.failed(&header_piece(&call.name, 60), None, "", &failure);
        };
        let tool = *tool;
        let args = match Args::check(&tool, &call.arguments) {
            Ok(args) => args,
            Err(bad) => {
                return self.engine.failed(
                    tool.name,
                    None,
                    "",
                    &Failure::arguments(bad.to_string()),
                );
            }
        };
        match self.run(&tool, &args).await {
            Ok((tab, parts)) => self.engine.success(tool.name, tab, parts),
            Err(Failed { tab, failure }) => {
                let url = tab.as_ref().map(|tab| tab.url.clone()).unwrap_or_default();
                self.engine.failed(tool.name, tab.map(|tab| tab.tab), &url, &failure)
            }
        }
    }

    /// The catalog opens tabs in a browser that is not its own: they stay.
    async fn dispose(&self) {}
}

impl<P: Port, H: Host> Catalog<P, H> {
    /// The tools of these levels over a port and a host.
    ///
    /// # Panics
    /// Never: the catalog's own descriptors are complete, which a test checks.
    pub fn new(port: P, host: H, policy: PolicyState, levels: &[Level]) -> Self {
        let mut registry = Registry::default();
        let tools: Vec<Descriptor> =
            TOOLS.iter().filter(|tool| levels.contains(&tool.level)).copied().collect();
        let added = registry.add(&tools);
        assert!(added.is_ok(), "the catalog's descriptors are complete: {added:?}");
        Self { engine: Engine::new(port, host, policy), registry }
    }

    /// The engine below.
    pub fn engine(&self) -> &Engine<P, H> {
        &self.engine
    }

    async fn run(&self, tool: &Descriptor, args: &Args) -> Result<(Option<TabId>, Parts), Failed> {
        let budget =
            if tool.name == "wait_for" { limits::WAIT_FOR_MS + 1_000 } else { limits::CALL_MS };
        let deadline = self.engine.now().plus(budget);
        if tool.name == "tabs_list" {
            // On the control path: it enters no lane.
            return Ok((None, self.tabs_list(tool, deadline).await?));
        }
        if tool.name == "tab_open" {
            return self.tab_open(tool, args).await;
        }
        let given = args.integer("tabId").and_then(|id| u32::try_from(id).ok()).map(TabId);
        let tab = self.engine.route(given, deadline).await?;
        let failed = |failure| Failed { tab: Some(tab.clone()), failure };
        if matches!(tool.name, "tab_focus" | "tab_close") {
            let parts = self.whole_tab(tool, &tab, deadline).await;
            return parts.map(|parts| (Some(tab.tab), parts)).map_err(failed);
        }
        let queued = self.engine.now();
        let _turn = self.engine.lane(tab.tab).enter().await;
        // Time spent waiting for the lane is not the call's.
        let deadline = deadline.plus(self.engine.now().0 - queued.0);
        let parts = match tool.name {
            "navigate" => self.navigate(tool, &tab, args, deadline).await,
            "go_back" => self.go(tool, &tab, HistoryGo::Back, deadline).await,
            "go_forward" => self.go(tool, &tab, HistoryGo::Forward, deadline).await,
            "click" | "click_trusted" | "type" | "select_option" => {
                self.write(tool, &tab, args, deadline).await
            }
            _ => self.read(tool, &tab, args, deadline).await,
        };
        parts.map(|parts| (Some(tab.tab), parts)).map_err(failed)
    }

    /// The verdict over a read.
    pub(super) async fn clear_read(
        &self,
        tool: &Descriptor,
        tab: Option<&TabInfo>,
    ) -> Result<(), Failure> {
        let target = TargetIdentity {
            tab: tab.map(|tab| tab.tab),
            origin: tab.map(|tab| origin_of(&tab.url)).unwrap_or_default(),
            ..TargetIdentity::default()
        };
        self.engine.clear(tool, target, None).await.map(|_clearance| ())
    }

    async fn read(
        &self,
        tool: &Descriptor,
        tab: &TabInfo,
        args: &Args,
        deadline: Millis,
    ) -> Result<Parts, Failure> {
        let asked_at = self.engine.now();
        self.clear_read(tool, Some(tab)).await?;
        // Waiting for a person does not eat the call's time.
        let deadline = deadline.plus(self.engine.now().0 - asked_at.0);
        let noted = self.engine.events(deadline).await;
        noted.map_err(|error| Failure::driver(Phase::Read, &error))?;
        match tool.name {
            "read_page" if args.text("mode") == Some("article") && args.has("ref") => {
                Err(Failure::arguments(
                    "Invalid parameters for read_page: ref: goes with mode snapshot; extract takes a ref for text",
                ))
            }
            "read_page" if args.text("mode") == Some("article") => {
                self.engine.read_article(tab.tab, deadline).await
            }
            "read_page" => {
                let tokens =
                    args.integer("maxTokens").and_then(|tokens| u32::try_from(tokens).ok());
                let tokens = tokens.unwrap_or(limits::READ_TOKENS);
                match args.text("ref") {
                    Some(part) => self.engine.read_part(tab.tab, part, tokens, deadline).await,
                    None => self.engine.read_snapshot(tab.tab, tokens, deadline).await,
                }
            }
            "find_in_page" => {
                let query = args.text("query").unwrap_or_default();
                self.engine.find_text(tab.tab, query, deadline).await
            }
            "extract" => {
                let from = args.integer("fromChar").and_then(|from| usize::try_from(from).ok());
                let from = from.unwrap_or_default();
                self.engine.extract(tab.tab, args.text("scope"), from, deadline).await
            }
            "scroll" => self.scroll(tab.tab, args, deadline).await,
            "wait_for" => self.wait_for(tab.tab, args, deadline).await,
            name => Err(unbound(name)),
        }
    }

    async fn write(
        &self,
        tool: &Descriptor,
        tab: &TabInfo,
        args: &Args,
        deadline: Millis,
    ) -> Result<Parts, Failure> {
        let text = |name: &str| args.text(name).unwrap_or_default();
        if tool.name == "click_trusted" && self.engine.is_form(tab.tab, text("ref")) {
            return Err(Failure::arguments(
                "Invalid parameters for click_trusted: ref: a click on a form meets whatever stands in its middle; give one of its \
                 fields or buttons",
            ));
        }
        let intent = match tool.name {
            "click" | "click_trusted" => Intent::Click {
                button: if args.text("button") == Some("right") {
                    Button::Right
                } else {
                    Button::Left
                },
                double: args.flag("doubleClick") == Some(true),
                trusted: tool.name == "click_trusted",
                modifiers: Modifiers::default(),
            },
            "type" => Intent::Type {
                text: text("text").into(),
                how: match (args.text("mode") == Some("append"), args.flag("slowly") == Some(true))
                {
                    (false, false) => Typing::Replace,
                    (true, false) => Typing::Append,
                    (false, true) => Typing::ReplaceSlowly,
                    (true, true) => Typing::AppendSlowly,
                },
                submit: args.flag("submit") == Some(true),
            },
            "select_option" => Intent::Select { values: args.texts("values") },
            name => return Err(unbound(name)),
        };
        let act = Act { tool, tab: tab.tab, aim: Aim::Ref(text("ref")), point: None, intent };
        self.engine.act(&act, deadline).await
    }

    async fn scroll(&self, tab: TabId, args: &Args, deadline: Millis) -> Result<Parts, Failure> {
        let up = args.text("direction") == Some("up");
        let signed = |amount: f64| if up { -amount } else { amount };
        let by = match (args.number("amount"), args.text("amount")) {
            (Some(pixels), _) => ScrollBy::Pixels(signed(pixels)),
            (None, Some("end")) if up => ScrollBy::Start,
            (None, Some("end")) => ScrollBy::End,
            (None, _) => ScrollBy::Pages(signed(0.85)),
        };
        let what = match args.text("target") {
            None => ScrollWhat::Page(by),
            Some(elem_ref) => {
                ScrollWhat::Element(self.engine.find_ref(tab, elem_ref, deadline).await?, by)
            }
        };
        let drained = self.engine.events(deadline).await;
        let since = drained.map_err(|error| Failure::driver(Phase::Precheck, &error))?;
        let scrolled =
            match self.engine.ask(Op::Scroll { tab, what }, deadline, Phase::Dispatch).await? {
                Reply::Scrolled(scrolled) => scrolled,
                _ => return Err(wrong_reply(Phase::Dispatch)),
            };
        let place = match (scrolled.at_start, scrolled.at_end) {
            (true, true) => "; there is nothing to scroll",
            (true, false) => "; at the top",
            (false, true) => "; at the end",
            (false, false) => "",
        };
        let mut parts = self.engine.after(tab, since, None, deadline).await?;
        parts.said.insert(0, format!("scrolled by {} px{place}", scrolled.moved));
        Ok(parts)
    }

    async fn wait_for(&self, tab: TabId, args: &Args, deadline: Millis) -> Result<Parts, Failure> {
        let text = args.text("text").filter(|text| !text.is_empty());
        let gone = args.text("textGone").filter(|text| !text.is_empty());
        let (wanted, appears) = match (gone, text, args.flag("textGone")) {
            (Some(gone), _, _) => (Some(gone), false),
            (None, Some(text), Some(true)) => (Some(text), false),
            (None, text, _) => (text, true),
        };
        let time = args.integer("timeMs").and_then(|ms| u64::try_from(ms).ok());
        let until = self.engine.now().plus(time.unwrap_or(limits::WAIT_FOR_MS)).min(deadline);
        let Some(wanted) = wanted else {
            let Some(ms) = time else {
                return Err(Failure::arguments(
                    "Invalid parameters for wait_for: one of text, textGone and timeMs is required",
                ));
            };
            self.engine.host().sleep_until(until).await;
            return Ok(Parts { said: alloc::vec![format!("waited {ms} ms")], ..Parts::default() });
        };
        loop {
            if self.engine.shows(tab, wanted, deadline).await? == appears {
                let said = if appears { "the text appeared" } else { "the text is gone" };
                return Ok(Parts { said: alloc::vec![said.into()], ..Parts::default() });
            }
            if self.engine.now() >= until {
                let message =
                    if appears { "the text did not appear" } else { "the text is still there" };
                return Err(Failure::new(
                    "timeout",
                    Phase::Verify,
                    Retry::SameCall,
                    format!("{message} in time; read_page shows the page as it is"),
                ));
            }
            let next = self.engine.now().plus(limits::WAIT_POLL_MS).min(until);
            self.engine.host().sleep_until(next).await;
        }
    }
}

fn unbound(name: &str) -> Failure {
    Failure::new("unsupported", Phase::Validate, Retry::Never, format!("{name} is not built yet"))
}
