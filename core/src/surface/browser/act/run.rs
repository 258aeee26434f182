//! One act: the target, the write through the engine, rest.

use super::super::report::Report;
use super::super::{BrowserTool, REST_MS, schema};
use super::parse::{Act, Kind, Where};
use super::target::Target;
use crate::action::{self, Aim, Effect, Failure, Intent, Phase, wrong_reply};
use crate::page::TabId;
use crate::port::{
    Button, Emulation, EventKind, Host, Launcher, Millis, Modifiers, Op, ScrollWhat, Stroke, Typing,
};
use crate::text::quoted;
use crate::tool::Descriptor;
use alloc::{boxed::Box, format, string::String, vec::Vec};
use core::future::Future;

/// Time of an act that names none, and what may be asked, milliseconds.
const ACT_MS: u64 = 8_000;
const ACT_MS_MIN: u64 = 500;
const ACT_MS_MAX: u64 = 60_000;
/// The same of waits and scripts.
const WAIT_MS: u64 = 20_000;
const WAIT_MS_MAX: u64 = 120_000;

/// What happened in the browser during an act.
#[derive(Debug, Default)]
pub(in super::super) struct Watched {
    /// The tab's top frame has another document; its URL.
    pub(super) navigated: Option<String>,
    /// The tab is gone.
    pub(super) closed: bool,
    /// Tabs that the page opened.
    pub(super) opened: Vec<TabId>,
}

impl<L: Launcher, H: Host + Clone> BrowserTool<L, H> {
    /// Carries something out and tells what happened in the browser meanwhile.
    pub(super) async fn watch<T>(
        &self,
        tab: TabId,
        run: impl Future<Output = Result<T, Failure>>,
    ) -> (Result<T, Failure>, Watched) {
        let soon = || self.engine.now().plus(ACT_MS);
        let since = match self.engine.events(soon()).await {
            Ok(since) => since,
            Err(error) => {
                return (Err(Failure::driver(Phase::Precheck, &error)), Watched::default());
            }
        };
        let done = run.await;
        let asked = self.engine.ask(Op::Events { since }, soon(), Phase::Verify).await;
        let Ok(crate::port::Reply::Events(batch)) = asked else {
            return (done, Watched::default());
        };
        self.engine.note_events(&batch);
        let mut watched = Watched::default();
        for event in batch.events {
            match event.kind {
                EventKind::Navigated { url, top: true, .. } if event.tab == tab => {
                    watched.navigated = Some(url);
                }
                EventKind::TabClosed if event.tab == tab => watched.closed = true,
                EventKind::TabCreated { opener: Some(opener) } if opener == tab => {
                    watched.opened.push(event.tab);
                }
                _ => {}
            }
        }
        (done, watched)
    }

    /// The ids of the tabs that were opened.
    pub(super) async fn opened(&self, watched: &Watched) -> Vec<String> {
        if watched.opened.is_empty() || self.tabs().await.is_err() {
            return Vec::new();
        }
        let book = self.book.borrow();
        watched.opened.iter().map(|tab| book.id(*tab)).collect()
    }

    /// Carries one act out.
    pub(super) async fn run_act(&self, tab: TabId, act: &Act) -> Result<Report, Failure> {
        let limit = |usual: u64, most: u64| {
            let ms = act.timeout.unwrap_or(usual).clamp(ACT_MS_MIN, most);
            self.engine.now().plus(ms)
        };
        let deadline = match act.kind {
            Kind::Wait(_) | Kind::Evaluate { .. } => limit(WAIT_MS, WAIT_MS_MAX),
            _ => limit(ACT_MS, ACT_MS_MAX),
        };
        match &act.kind {
            Kind::Click { at, button, double, modifiers, delay_ms } => {
                let target = self.target(tab, at, deadline).await?;
                let left_ms = deadline.0.saturating_sub(self.engine.now().0);
                if *delay_ms > 0 {
                    self.write(tab, &schema::CLICK, &target, Intent::Hover, deadline).await?;
                    self.engine.host().sleep_until(self.engine.now().plus(*delay_ms)).await;
                }
                let (button, double, modifiers) = (*button, *double, *modifiers);
                let intent = Intent::Click { button, double, modifiers, trusted: true };
                // Neither the delay nor a person who was asked for the hover eats the click's time.
                let deadline = self.engine.now().plus(left_ms);
                self.write(tab, &schema::CLICK, &target, intent, deadline).await
            }
            Kind::Type { at, text, submit, slowly } => {
                let target = self.target(tab, at, deadline).await?;
                let how = if *slowly { Typing::ReplaceSlowly } else { Typing::Replace };
                let intent = Intent::Type { text: text.clone(), how, submit: *submit };
                self.write(tab, &schema::FILL, &target, intent, deadline).await
            }
            Kind::Press { stroke, at } => self.press(tab, stroke, at.as_ref(), deadline).await,
            Kind::Hover { at } => {
                let target = self.target(tab, at, deadline).await?;
                self.write(tab, &schema::CLICK, &target, Intent::Hover, deadline).await
            }
            Kind::ScrollIntoView { at } => self.scroll_into_view(tab, at, deadline).await,
            Kind::Drag { from, to } => {
                let start = self.target(tab, from, deadline).await?;
                let end = self.target(tab, to, deadline).await?;
                end.takes_input()?;
                let intent = Intent::Drag { to: Box::new(end.entry), others: end.others };
                self.write(tab, &schema::CLICK, &start, intent, deadline).await
            }
            Kind::Select { at, values } => {
                let target = self.target(tab, at, deadline).await?;
                let intent = Intent::Select { values: values.clone() };
                self.write(tab, &schema::FILL, &target, intent, deadline).await
            }
            Kind::Fill { fields } => self.fill_fields(tab, fields, deadline).await,
            Kind::Resize { width, height } => {
                let what = Emulation::Viewport { width: *width, height: *height };
                let write = self.tab_write(&self.info_of(tab).await?).await?;
                self.order(Op::Emulate { what, write }, deadline).await?;
                Ok(Report::default())
            }
            Kind::Wait(wait) => self.wait(tab, wait, deadline).await,
            Kind::Evaluate { source, at } => {
                self.evaluate(tab, source, at.as_ref(), deadline).await
            }
            Kind::Close => {
                let closed = Box::pin(self.close(Some(&self.id_of(tab)))).await;
                closed.map_err(|failed| failed.failure)
            }
            Kind::Batch { acts, stop_on_error } => {
                Box::pin(self.batch(tab, acts, *stop_on_error)).await
            }
        }
    }

    fn id_of(&self, tab: TabId) -> String {
        self.book.borrow().id(tab)
    }

    /// One write on an element: through the engine, then rest.
    pub(super) async fn write(
        &self,
        tab: TabId,
        tool: &Descriptor,
        target: &Target,
        intent: Intent,
        deadline: Millis,
    ) -> Result<Report, Failure> {
        target.takes_input()?;
        let aim = Aim::Entry { entry: &target.entry, others: &target.others };
        let verb = intent.done();
        let act = action::Act { tool, tab, aim, point: None, intent };
        let (found, wrote) = self.engine.perform(&act, deadline).await?;
        let likeness = &found.resolved.likeness;
        let mut report = Report::default();
        report.say(
            "act",
            match likeness.name.as_str() {
                "" => format!("{verb} {}", likeness.role),
                name => format!("{verb} {} {}", likeness.role, quoted(name, 200)),
            },
        );
        if found.resolved.renamed_from.is_some() {
            report.notes.push("the target has another name than in the snapshot".into());
        }
        let rest_by = self.engine.now().max(deadline).plus(REST_MS);
        match self.engine.conclude(tab, &wrote, rest_by).await {
            Ok(concluded) => {
                report.fact("effect", concluded.outcome.word());
                if !concluded.quiet {
                    report
                        .notes
                        .push("the page had not come to rest; it may still be changing".into());
                }
                if concluded.events.lost > 0 {
                    report.notes.push(format!("{} events were dropped", concluded.events.lost));
                }
                Ok(report)
            }
            // The write closed its own tab: it was done.
            Err(failure) if failure.code == "tab_gone" && failure.effect == Effect::Done => {
                report.fact("effect", "dispatched");
                Ok(report)
            }
            Err(failure) => Err(failure),
        }
    }

    /// Keys for an element, which is focused first, or for what has the focus.
    async fn press(
        &self,
        tab: TabId,
        stroke: &Stroke,
        at: Option<&Where>,
        deadline: Millis,
    ) -> Result<Report, Failure> {
        let target = match at {
            Some(at) => self.target(tab, at, deadline).await?,
            None => self.focused(tab, deadline).await?,
        };
        let intent = Intent::Keys { strokes: alloc::vec![stroke.clone()], focus: at.is_some() };
        self.write(tab, &schema::FILL, &target, intent, deadline).await
    }

    async fn scroll_into_view(
        &self,
        tab: TabId,
        at: &Where,
        deadline: Millis,
    ) -> Result<Report, Failure> {
        let target = self.target(tab, at, deadline).await?;
        let deadline = self.clear_read(&self.info_of(tab).await?, deadline).await?;
        let found = self.engine.find(tab, &target.entry, &target.others, deadline).await?;
        let op = Op::Scroll { tab, what: ScrollWhat::IntoView(found.resolved.key) };
        match self.order(op, deadline).await? {
            crate::port::Reply::Scrolled(_) => Ok(Report::default()),
            _ => Err(wrong_reply(Phase::Dispatch)),
        }
    }

    /// A trusted click that no modifier goes with.
    pub(super) async fn plain_click(
        &self,
        tab: TabId,
        target: &Target,
        deadline: Millis,
    ) -> Result<Report, Failure> {
        let intent = Intent::Click {
            button: Button::Left,
            double: false,
            modifiers: Modifiers::default(),
            trusted: true,
        };
        self.write(tab, &schema::FILL, target, intent, deadline).await
    }
}
