//! The batch kind: acts in order, up to the first failure or navigation.

use super::super::BrowserTool;
use super::super::report::Report;
use super::parse::Act;
use super::run::Watched;
use crate::action::Failure;
use crate::page::TabId;
use crate::port::{Host, Launcher};
use crate::text::url_piece;
use alloc::{format, string::String, vec::Vec};
use serde_json::{Value, json};

impl<L: Launcher, H: Host + Clone> BrowserTool<L, H> {
    /// Runs the acts. The batch itself goes well whatever its acts do: each has a result of its own.
    pub(super) async fn batch(
        &self,
        tab: TabId,
        acts: &[Act],
        stop_on_error: bool,
    ) -> Result<Report, Failure> {
        self.all_in(tab, acts).await?;
        let mut report = Report::default();
        let mut results: Vec<Value> = Vec::new();
        // The same for programs: with URLs, which are the page's words.
        let mut detailed: Vec<Value> = Vec::new();
        let mut ended: Option<(&str, Option<String>)> = None;
        let mut is_failed = false;
        for (number, act) in acts.iter().enumerate() {
            let (done, watched) = self.watch(tab, self.run_act(tab, act)).await;
            let (result, one) = result(act, done, &watched);
            let went_well = result["ok"] == Value::Bool(true);
            let mut with_url = result.clone();
            if let Some(url) = &watched.navigated {
                with_url["url"] = url_piece(url).into();
            }
            results.push(result);
            detailed.push(with_url);
            is_failed |= !went_well;
            let page: Vec<String> =
                one.page.iter().map(|text| format!("[{number}] {text}")).collect();
            report.notes.extend(one.notes.into_iter().map(|note| format!("[{number}] {note}")));
            if !page.is_empty() {
                report.say("act", page.join("\n"));
            }
            ended = match (watched.closed, watched.navigated) {
                (true, _) => Some(("closed", None)),
                (false, Some(url)) => Some(("navigation", Some(url))),
                (false, None) => None,
            };
            if ended.is_some() || !went_well && stop_on_error {
                break;
            }
        }
        let skipped = acts.len() - results.len();
        if let Some((reason, url)) = ended.filter(|_| skipped > 0) {
            let after = results.len() - 1;
            report.notes.push(format!(
                "skipped {skipped}: act {after} (counted from 0) {}; refs of older snapshots are stale",
                if reason == "closed" { "closed the tab" } else { "led to another page" }
            ));
            let mut aborted = json!({"reason": reason, "afterAction": after, "skipped": skipped});
            report.fact("aborted", aborted.clone());
            if let Some(url) = url {
                aborted["url"] = url_piece(&url).into();
            }
            report.extra("aborted", aborted);
        } else if skipped > 0 {
            report.notes.push(format!("skipped {skipped} after the failure"));
            report.fact("skipped", skipped);
        }
        report.fact("results", results);
        report.extra("results", detailed);
        report.fact("ok", !is_failed);
        Ok(report)
    }

    /// Acts of a batch stay in its tab.
    async fn all_in(&self, tab: TabId, acts: &[Act]) -> Result<(), Failure> {
        let tabs = self.tabs().await?;
        for (number, act) in acts.iter().enumerate() {
            let Some(given) = act.target_id.as_deref() else { continue };
            if self.book.borrow().find(Some(given), &tabs)?.tab != tab {
                return Err(super::super::schema::bad(&format!(
                    "actions[{number}].targetId: must be the batch's own tab"
                )));
            }
        }
        Ok(())
    }
}

/// An act's result in our own words, and what else it reports.
fn result(act: &Act, done: Result<Report, Failure>, watched: &Watched) -> (Value, Report) {
    let mut result = json!({"kind": act.word});
    let report = match done {
        Ok(report) => {
            // A batch in the batch goes well if all of it did.
            let went_well = report.facts.get("ok").is_none_or(|ok| *ok == Value::Bool(true));
            result["ok"] = Value::Bool(went_well);
            for name in ["effect", "results", "aborted", "filled", "hasResult"] {
                if let Some(fact) = report.facts.get(name) {
                    result[name] = fact.clone();
                }
            }
            report
        }
        Err(failure) => {
            let failure = super::super::words::in_our_words(failure);
            result["ok"] = Value::Bool(false);
            result["error"] = json!({"code": failure.code, "message": failure.message});
            let mut report = Report::default();
            if let Some(detail) = failure.detail {
                report.say("error", detail);
            }
            report
        }
    };
    if watched.navigated.is_some() {
        result["navigated"] = Value::Bool(true);
    }
    (result, report)
}
