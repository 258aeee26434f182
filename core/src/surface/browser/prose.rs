//! The text action: visible prose of one part of the page.

use super::report::Report;
use super::snapshot::first_match;
use super::{BrowserTool, schema};
use crate::action::{Failure, Phase};
use crate::aria::{AriaFrame, inner_text};
use crate::page::{CaptureSpec, Frame, NodeIdx};
use crate::port::{Host, Launcher, Millis, TabInfo};
use crate::text::{is_invisible, url_piece};
use crate::tool::Args;
use alloc::{format, string::String};

/// Most characters, and how many where none are asked for.
const CHARS_MAX: usize = 40_000;

impl<L: Launcher, H: Host + Clone> BrowserTool<L, H> {
    pub(super) async fn prose(
        &self,
        tab: &TabInfo,
        args: &Args,
        deadline: Millis,
    ) -> Result<Report, Failure> {
        let chars_max = match args.integer("maxChars") {
            None => CHARS_MAX,
            Some(most) if most < 1 => {
                return Err(schema::bad("maxChars: must be at least 1 for text"));
            }
            Some(most) => usize::try_from(most).unwrap_or(CHARS_MAX).min(CHARS_MAX),
        };
        let deadline = self.clear_read(tab, deadline).await?;
        let (capture, root) = match args.text("selector") {
            Some(selector) => {
                let capture = self.matching(tab.tab, selector, deadline, |_| true).await?;
                let root = first_match(&capture, 0, selector)?;
                (capture, root)
            }
            None => {
                let spec = CaptureSpec::TEXT;
                let capture = self.read(tab.tab, spec, deadline, Phase::Read).await?;
                let root = main_part(capture.top());
                (capture, root)
            }
        };
        let top = capture.top();
        let text = root.map(|at| inner_text(&AriaFrame::new(top), at)).unwrap_or_default();
        let text: String = text.chars().filter_map(shown).collect();
        let total = text.chars().count();
        let returned = total.min(chars_max);
        let cut: String = text.chars().take(chars_max).collect();
        let mut report = self.report(tab);
        report.url(&top.url);
        report.fact("total", total);
        report.fact("returned", returned);
        report.fact("truncated", returned < total);
        if returned < total {
            report.notes.push(format!(
                "the text is cut: the first {returned} of {total} characters are given; a selector reads another part"
            ));
        }
        report.has_notice = true;
        report.say("text", format!("URL: {}\n{cut}", url_piece(&top.url)));
        Ok(report)
    }
}

/// The first article, else the first main part, else the body.
fn main_part(frame: &Frame) -> Option<NodeIdx> {
    let is = |at: &NodeIdx, tag: &str, role: &str| {
        frame.element(*at).is_some_and(|element| {
            element.is_html(tag)
                || element.attr("role").is_some_and(|word| word.trim().eq_ignore_ascii_case(role))
        })
    };
    let places = || (0..).zip(&frame.nodes).map(|(at, _)| at);
    [("article", "article"), ("main", "main"), ("body", "\0")]
        .into_iter()
        .find_map(|(tag, role)| places().find(|at| is(at, tag, role)))
}

/// Prose keeps its lines; what would not be seen, or would turn the direction of what is seen, becomes a sign.
fn shown(c: char) -> Option<char> {
    match c {
        '\n' | '\t' => Some(c),
        // A place where a word may be broken is no part of it.
        '\u{ad}' => None,
        c if is_invisible(c) => Some('\u{fffd}'),
        c => Some(c),
    }
}
