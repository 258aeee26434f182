//! The requests and errors actions: logs that the driver keeps.

use super::BrowserTool;
use super::report::Report;
use crate::action::{Failure, Phase, wrong_reply};
use crate::port::{Host, Launcher, LogEntry, LogKind, Millis, Op, Reply, TabInfo};
use crate::text::{quoted, quoted_value, url_piece};
use crate::tool::Args;
use alloc::{format, string::String, vec::Vec};

/// Entries that are given where no number is asked for.
const LIMIT: usize = 50;
/// Most characters of all entries.
const BUDGET_CHARS: usize = 40_000;

impl<L: Launcher, H: Host + Clone> BrowserTool<L, H> {
    pub(super) async fn log(
        &self,
        tab: &TabInfo,
        args: &Args,
        deadline: Millis,
    ) -> Result<Report, Failure> {
        let is_requests = args.text("action") == Some("requests");
        let kind = if is_requests { LogKind::Requests } else { LogKind::Errors };
        let clear = args.flag("clear") == Some(true);
        let deadline = self.clear_read(tab, deadline).await?;
        let op = Op::Log { tab: tab.tab, kind, clear };
        let Reply::Log(log) = self.engine.ask(op, deadline, Phase::Read).await? else {
            return Err(wrong_reply(Phase::Read));
        };
        let filter = args.text("filter").filter(|_| is_requests).unwrap_or_default();
        let matching: Vec<&LogEntry> =
            log.entries.iter().filter(|entry| is_wanted(entry, filter)).collect();
        let limit = args.integer("limit").and_then(|limit| usize::try_from(limit).ok());
        let newest = matching.len().saturating_sub(limit.unwrap_or(LIMIT));
        let lines = within(matching[newest..].iter().map(|entry| line(entry)).collect());
        let mut report = self.report(tab);
        report.url(&tab.url);
        report.fact("total", matching.len());
        report.fact("returned", lines.len());
        report.fact("truncated", lines.len() < matching.len());
        if clear {
            report.fact("cleared", true);
        }
        if log.dropped > 0 {
            report.notes.push(format!("{} older entries are not kept any more", log.dropped));
        }
        let kind = if is_requests { "requests" } else { "errors" };
        if !lines.is_empty() {
            report.say(kind, lines.join("\n"));
        }
        Ok(report)
    }
}

fn is_wanted(entry: &LogEntry, filter: &str) -> bool {
    match entry {
        LogEntry::Request { url, resource_type, .. } => {
            url.contains(filter) || resource_type.contains(filter)
        }
        LogEntry::Error { .. } => true,
        LogEntry::Console { .. } => false,
    }
}

/// The newest lines that fit.
fn within(mut lines: Vec<String>) -> Vec<String> {
    let mut used = 0;
    let kept = lines.iter().rev().take_while(|line| {
        used += line.chars().count() + 1;
        used <= BUDGET_CHARS
    });
    let kept = kept.count();
    lines.split_off(lines.len() - kept)
}

/// An entry as a JSON object in one line; its strings are the page's.
fn line(entry: &LogEntry) -> String {
    match entry {
        LogEntry::Request { number, at, method, url, resource_type, status, failure } => {
            let mut out = format!(
                "{{\"id\":\"r{number}\",\"timestamp\":\"{}\",\"method\":{},\"url\":{},\"resourceType\":{}",
                iso(*at),
                quoted(method, 40),
                quoted(&url_piece(url), 500),
                quoted(resource_type, 40)
            );
            if let Some(status) = status {
                let ok = (200..300).contains(status);
                out.push_str(&format!(",\"status\":{status},\"ok\":{ok}"));
            }
            if let Some(failure) = failure {
                out.push_str(&format!(",\"failureText\":{}", quoted(failure, 300)));
            }
            out.push('}');
            out
        }
        LogEntry::Error { at, name, message, stack } => format!(
            "{{\"timestamp\":\"{}\",\"name\":{},\"message\":{},\"stack\":{}}}",
            iso(*at),
            quoted(name, 100),
            quoted_value(message, 2_000),
            quoted_value(stack, 4_000)
        ),
        LogEntry::Console { at, level, text } => format!(
            "{{\"timestamp\":\"{}\",\"level\":{},\"text\":{}}}",
            iso(*at),
            quoted(level, 20),
            quoted(text, 2_000)
        ),
    }
}

/// Milliseconds since 1970 as ISO 8601 in UTC.
fn iso(ms: u64) -> String {
    let (days, in_day) = (ms / 86_400_000, ms % 86_400_000);
    // Counted from 1 March of year 0, so that the leap day is the last of its year; 400 years have 146,097 days.
    let days = days + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year_of_era = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day_of_year = day - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day_of_month = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    let year = era * 400 + year_of_era + u64::from(month <= 2);
    let (s, ms) = (in_day / 1_000, in_day % 1_000);
    format!(
        "{year:04}-{month:02}-{day_of_month:02}T{:02}:{:02}:{:02}.{ms:03}Z",
        s / 3_600,
        s / 60 % 60,
        s % 60
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_written_as_iso_8601() {
        assert_eq!(iso(0), "1970-01-01T00:00:00.000Z");
        assert_eq!(iso(951_782_400_000), "2000-02-29T00:00:00.000Z");
        assert_eq!(iso(1_767_225_599_999), "2025-12-31T23:59:59.999Z");
    }

    #[test]
    fn the_newest_lines_stay_within_the_budget() {
        let lines: Vec<String> = (0..100).map(|n| format!("{n:0999}")).collect();
        let kept = within(lines);
        assert_eq!((kept.len(), kept.last().map(String::len)), (40, Some(999)));
        assert!(kept[39].ends_with("99"));
    }
}
