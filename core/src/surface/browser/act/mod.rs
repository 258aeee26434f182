//! The act action: one act, or a batch of them.
//!
//! `parse` (all of it, before anything is done) -> `run` (one act, watched for navigations) -> `batch` -> the report.

mod batch;
mod fill;
mod parse;
mod run;
mod script;
mod target;
mod wait;

use super::BrowserTool;
use super::report::{Failed, Report};
use crate::port::{Host, Launcher};
use crate::text::url_piece;
use crate::tool::Args;
use alloc::format;
use parse::{Kind, parse};

impl<L: Launcher, H: Host + Clone> BrowserTool<L, H> {
    pub(super) async fn act(&self, args: &Args) -> Result<Report, Failed> {
        let act = parse(args)?;
        if let Kind::Close = act.kind {
            return self.close(act.target_id.as_deref()).await;
        }
        let tab = self.tab(act.target_id.as_deref()).await?;
        let _turn = self.engine.lane(tab.tab).enter().await;
        let mut report = self.report(&tab);
        let (done, watched) = self.watch(tab.tab, self.run_act(tab.tab, &act)).await;
        report.fact("kind", act.word.as_str());
        match done {
            Ok(end) => report.add(end),
            Err(mut failure) => {
                if watched.navigated.is_some() {
                    failure.message.push_str("; meanwhile the page navigated: take a new snapshot");
                }
                return Err(self.failed(&tab, failure));
            }
        }
        if let Some(url) = &watched.navigated {
            report.fact("navigated", true);
            report.url(url);
            // The acts of a batch may go on with the new page; a single one is followed by a look anyway.
            if matches!(act.kind, Kind::Batch { .. }) && !watched.closed {
                self.add_page_state(&mut report, tab.tab).await;
            } else {
                report.say("act", format!("URL: {}", url_piece(url)));
            }
        }
        let opened = self.opened(&watched).await;
        if !opened.is_empty() {
            report.fact("opened", opened);
        }
        if watched.closed {
            report.fact("closed", true);
        }
        Ok(report)
    }
}
