//! Scripts in the page.

use super::super::report::Report;
use super::super::{BrowserTool, REST_MS, identity, schema};
use super::parse::Where;
use super::target::Target;
use crate::action::{Effect, Failure, Phase, Retry, wrong_reply};
use crate::page::TabId;
use crate::port::{Evaluate, Host, Launcher, Millis, Op, Reply, ScriptArgument, ScriptEnd};
use crate::text::{header_piece, visible_json};
use alloc::{format, string::String};
use serde_json::Value;

/// Most characters of a result.
const RESULT_CHARS_MAX: usize = 40_000;

impl<L: Launcher, H: Host + Clone> BrowserTool<L, H> {
    pub(super) async fn evaluate(
        &self,
        tab: TabId,
        source: &str,
        at: Option<&Where>,
        deadline: Millis,
    ) -> Result<Report, Failure> {
        let target = match at {
            Some(at) => Some(self.target(tab, at, deadline).await?),
            None => None,
        };
        let drained = self.engine.events(deadline).await;
        let since = drained.map_err(|error| Failure::driver(Phase::Precheck, &error))?;
        let value = self.script(tab, source.into(), target.as_ref(), deadline).await?;
        let mut report = Report::default();
        // A script may have changed anything: what comes of it belongs to this call.
        let settled = self.engine.settle(tab, since, self.engine.now().plus(REST_MS)).await;
        if !matches!(settled, Ok((true, _))) {
            report.notes.push("the page had not come to rest; it may still be changing".into());
        }
        report.fact("hasResult", value.is_some());
        if let Some(value) = value {
            report.say("evaluate", format!("result: {}", one_line(&value)));
        }
        Ok(report)
    }

    /// Runs a script and gives its value.
    pub(super) async fn script(
        &self,
        tab: TabId,
        source: String,
        target: Option<&Target>,
        deadline: Millis,
    ) -> Result<Option<Value>, Failure> {
        let asked_at = self.engine.now();
        let clearance =
            self.engine.clear(&schema::SCRIPT, identity(&self.info_of(tab).await?), None).await?;
        // Waiting for a person does not eat the call's time.
        let deadline = deadline.plus(self.engine.now().0 - asked_at.0);
        // Nor may the element become another one meanwhile.
        let node = match target {
            Some(target) => {
                let found = self.engine.find(tab, &target.entry, &target.others, deadline).await?;
                Some(found.resolved.key)
            }
            None => None,
        };
        let now = identity(&self.info_of(tab).await?);
        let permit = self.engine.permit(clearance, &now)?;
        let arguments = node.map(|node| alloc::vec![ScriptArgument::Node(node)]);
        let op = Op::Evaluate(Evaluate { tab, source, arguments, permit });
        let end = match self.order(op, deadline).await? {
            Reply::Evaluated(end) => end,
            _ => return Err(wrong_reply(Phase::Dispatch).with_effect(Effect::Unknown)),
        };
        match end {
            ScriptEnd::Value(value) => Ok(value),
            ScriptEnd::Threw(what) => Err(Failure::new(
                "script_threw",
                Phase::Dispatch,
                Retry::Never,
                "the script threw; it may have changed the page before; what it threw is below",
            )
            .with_effect(Effect::Unknown)
            .with_detail(header_piece(&what, 2_000))),
            ScriptEnd::Lost(error) => {
                let failure = Failure::driver(Phase::Dispatch, &error);
                let message = format!(
                    "the script did not end ({}); it may have done anything: take a snapshot before anything else",
                    error.code()
                );
                Err(Failure { message, retry: Retry::Never, ..failure }
                    .with_effect(Effect::Unknown))
            }
        }
    }
}

/// A value as JSON in one line, cut.
fn one_line(value: &Value) -> String {
    let text = visible_json(value);
    let Some((at, _)) = text.char_indices().nth(RESULT_CHARS_MAX) else { return text };
    let more = text[at..].chars().count();
    format!("{} [TRUNCATED: {more} more characters]", &text[..at])
}
