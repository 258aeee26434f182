//! The text of a result. The only place where a call becomes words.

use super::engine::{Engine, TabState};
use super::failure::Failure;
use super::limits;
use crate::gatekeeper::origin_of;
use crate::page::TabId;
use crate::planted::{self, Bug};
use crate::port::{DialogKind, Event, EventKind, Host, Image, Port};
use crate::snapshot::{Change, Diff, Line, Snapshot, cut, diff, tokens};
use crate::text::{Fence, header_piece, outline, outline_line, quoted, url_piece};
use alloc::{borrow::ToOwned, format, string::String, vec::Vec};
use serde_json::Value;

/// What a call gives back.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolResult {
    /// Text for the agent.
    pub text: String,
    /// The call failed.
    pub is_error: bool,
    /// The call could not be a call at all (misconfigured host, policy of the toolkit): MCP answers with an error of the protocol.
    pub is_protocol_error: bool,
    /// What programs read; never for the model.
    pub details: Value,
    /// Pictures that go with the text.
    pub images: Vec<Image>,
}

impl ToolResult {
    /// A text with nothing else.
    pub fn of(text: String, is_error: bool, details: Value) -> Self {
        Self { text, is_error, is_protocol_error: false, details, images: Vec::new() }
    }

    /// The result of a call that failed before there was a page to speak of.
    pub fn failure(failure: &Failure) -> Self {
        let word = |value: Result<Value, serde_json::Error>| value.unwrap_or(Value::Null);
        let details = serde_json::json!({
            "code": failure.code,
            "phase": word(serde_json::to_value(failure.phase)),
            "retry": word(serde_json::to_value(failure.retry)),
            "effect": word(serde_json::to_value(failure.effect)),
            "message": failure.message,
        });
        let field = |name: &str| details[name].as_str().unwrap_or_default().to_owned();
        let text = format!(
            "error: {} (phase {}, retry {}, effect {})\n{}",
            failure.code,
            field("phase"),
            field("retry"),
            field("effect"),
            failure.message,
        );
        Self::of(text, true, details)
    }
}

/// The parts of a result before they are text.
#[derive(Debug, Clone, Default)]
pub(crate) struct Parts {
    /// Lines of ours: no page text in them.
    pub(crate) said: Vec<String>,
    /// Page text: goes inside the fence.
    pub(crate) page: String,
    /// URL of the page the text is from.
    pub(crate) url: String,
    /// For programs.
    pub(crate) details: Value,
}

impl<P: Port, H: Host> Engine<P, H> {
    /// A result that went well.
    pub(crate) fn success(&self, tool: &str, tab: Option<TabId>, parts: Parts) -> ToolResult {
        let mut text = head(tab);
        for said in &parts.said {
            text.push_str(said);
            text.push('\n');
        }
        let mut lines = tab.map(|tab| self.take_dialogs(tab)).unwrap_or_default();
        lines.extend((!parts.page.is_empty()).then_some(parts.page));
        if !lines.is_empty() {
            text.push_str(&self.fence(&lines.join("\n"), &parts.url, tool));
        }
        ToolResult::of(text.trim_end_matches('\n').into(), false, parts.details)
    }

    /// A result that did not. What the page says to it is fenced too.
    pub(crate) fn failed(
        &self,
        tool: &str,
        tab: Option<TabId>,
        url: &str,
        failure: &Failure,
    ) -> ToolResult {
        let mut result = ToolResult::failure(failure);
        let mut lines = tab.map(|tab| self.take_dialogs(tab)).unwrap_or_default();
        lines.extend(failure.detail.clone());
        if !lines.is_empty() {
            result.text.push('\n');
            result.text.push_str(&self.fence(&lines.join("\n"), url, tool));
        }
        result.text.insert_str(0, &head(tab));
        result
    }

    fn fence(&self, content: &str, url: &str, tool: &str) -> String {
        let number = if planted::is(Bug::FenceRepeated) { 1 } else { self.host().nonce() };
        Fence::new(number).wrap(content, &origin_of(url), tool)
    }
}

fn head(tab: Option<TabId>) -> String {
    tab.map_or_else(String::new, |tab| format!("[tabId={}]\n", tab.0))
}

/// The newest snapshot of a tab as text, cut to a budget.
pub(super) fn snapshot_text(tab: &TabState, tokens_max: u32) -> String {
    part_text(tab, &tab.snapshot, tokens_max)
}

/// A part of it, likewise.
pub(super) fn part_text(tab: &TabState, part: &Snapshot, tokens_max: u32) -> String {
    let cut = cut(part, tokens_max, |line| outline_line(line, ref_text(tab, line).as_deref()));
    let mut shown = Snapshot { omissions: cut.omissions, ..part.clone() };
    shown.omissions.extend(part.omissions.iter().copied());
    outline(&title(tab), &shown, cut.kept, |line| ref_text(tab, line)).0
}

/// Those of its lines.
pub(super) fn lines_text(tab: &TabState, shown: &[usize]) -> String {
    let snapshot = Snapshot { omissions: Vec::new(), ..tab.snapshot.clone() };
    outline(&title(tab), &snapshot, shown.iter().copied(), |line| ref_text(tab, line)).0
}

fn title(tab: &TabState) -> String {
    format!("Page Snapshot (s{}_{})", tab.table.nonce(), tab.table.snapshot())
}

fn ref_text(tab: &TabState, line: &Line) -> Option<String> {
    let elem_ref = line.has_ref().then(|| tab.table.ref_of(line.key)).flatten();
    elem_ref.map(|elem_ref| elem_ref.text())
}

/// What an action changed, as lines, with the refs that are good now.
pub(super) fn changes_text(tab: &TabState, before: &Snapshot) -> String {
    let after = &tab.snapshot;
    let found = diff(before, after);
    let line = |line: &Line| outline_line(line, ref_text(tab, line).as_deref());
    let mut text = format!("# Page Changes (s{}_{})", tab.table.nonce(), tab.table.snapshot());
    text.push_str(&header_changes(&found, after));
    let mut budget = Budget { left: limits::AFTER_TOKENS };
    let added = found.changes.iter().filter_map(|change| match change {
        Change::Added(at) => Some(line(&after.lines[*at])),
        Change::Changed { .. } | Change::Removed(_) => None,
    });
    budget.section(&mut text, "Added:", added);
    let changed = found.changes.iter().filter_map(|change| match change {
        Change::Changed { new, old } => {
            let was = outline_line(&Line { depth: 0, ..before.lines[*old].clone() }, None);
            Some(format!("{} (was: {})", line(&after.lines[*new]), was.trim_start_matches("- ")))
        }
        Change::Added(_) | Change::Removed(_) => None,
    });
    budget.section(&mut text, "Changed:", changed);
    let removed = found.changes.iter().filter_map(|change| match change {
        Change::Removed(at) => Some(outline_line(&before.lines[*at], None)),
        Change::Added(_) | Change::Changed { .. } => None,
    });
    budget.section(&mut text, "Removed:", removed);
    if found.is_empty() {
        text.push_str("\n\nNo change detected.");
    }
    let refs = after.lines.iter().filter(|line| line.has_ref()).map(line);
    budget.section(&mut text, "Current interactive refs:", refs);
    text
}

fn header_changes(found: &Diff, after: &Snapshot) -> String {
    let mut text = String::new();
    if found.old_url.is_some() {
        text.push_str(&format!("\nURL: {}", url_piece(&after.url)));
    }
    if found.old_title.is_some() {
        text.push_str(&format!("\nTitle: {}", header_piece(&after.title, 500)));
    }
    text
}

struct Budget {
    left: u32,
}

impl Budget {
    /// Adds a section as far as the budget goes, and counts what does not fit.
    fn section(&mut self, text: &mut String, title: &str, lines: impl Iterator<Item = String>) {
        let mut omitted = 0u32;
        let mut is_first = true;
        for line in lines {
            let cost = tokens(&line) + 1;
            if cost > self.left {
                self.left = 0;
                omitted += 1;
                continue;
            }
            self.left -= cost;
            if is_first {
                text.push_str(&format!("\n\n{title}"));
                is_first = false;
            }
            text.push('\n');
            text.push_str(&line);
        }
        if omitted > 0 {
            text.push_str(&format!(
                "\n[omitted: {omitted} lines of \"{title}\"; read_page shows the page]"
            ));
        }
    }
}

/// A line about a dialog that a page opened and that was closed.
pub(super) fn dialog_line(event: &Event) -> Option<String> {
    let EventKind::Dialog { kind, message } = &event.kind else { return None };
    let (word, answer) = match kind {
        DialogKind::Alert => ("alert", "closed"),
        DialogKind::Confirm => ("confirm", "cancelled"),
        DialogKind::Prompt => ("prompt", "cancelled"),
        DialogKind::BeforeUnload => ("beforeunload", "accepted"),
    };
    Some(format!("dialog: {word} {} was {answer}", quoted(message, 200)))
}
