//! From what a call found to its result: a line of our own, then page text between markers.

use super::words::in_our_words;
use super::wrap::{NOTICE, wrap};
use crate::action::{Failure, ToolResult};
use crate::page::TabId;
use crate::port::Image;
use crate::text::url_piece;
use alloc::{
    string::{String, ToString},
    vec::Vec,
};
use serde_json::{Map, Value, json};

/// What a call found.
#[derive(Debug, Default)]
pub(super) struct Report {
    /// The tab it was about; dialogs of it are told.
    pub(super) tab: Option<TabId>,
    /// Facts in our own words: printed and in the details.
    pub(super) facts: Map<String, Value>,
    /// Facts for programs only.
    pub(super) extra: Map<String, Value>,
    /// Remarks in our own words.
    pub(super) notes: Vec<String>,
    /// Page text.
    pub(super) page: Vec<String>,
    /// What the page text is; empty where there is none.
    pub(super) kind: &'static str,
    /// The page text is long or prose: a notice stands before it.
    pub(super) has_notice: bool,
    /// Pictures.
    pub(super) images: Vec<Image>,
}

/// A call that failed, with the tab it was about.
#[derive(Debug)]
pub(super) struct Failed {
    pub(super) tab: Option<(TabId, String)>,
    pub(super) failure: Failure,
}

impl From<Failure> for Failed {
    fn from(failure: Failure) -> Self {
        Self { tab: None, failure }
    }
}

impl Report {
    /// A report about a tab.
    pub(super) fn of(tab: TabId, handle: &str) -> Self {
        let mut report = Self { tab: Some(tab), ..Self::default() };
        report.fact("targetId", handle);
        report
    }

    pub(super) fn fact(&mut self, name: &str, value: impl Into<Value>) {
        self.facts.insert(name.into(), value.into());
    }

    pub(super) fn extra(&mut self, name: &str, value: impl Into<Value>) {
        self.extra.insert(name.into(), value.into());
    }

    /// The URL that the tab shows: for programs as it is, for the agent inside the fence.
    pub(super) fn url(&mut self, url: &str) {
        self.extra("url", url_piece(url));
    }

    /// Adds page text.
    pub(super) fn say(&mut self, kind: &'static str, text: String) {
        self.kind = kind;
        self.page.push(text);
    }

    /// Takes over what another report found: facts, remarks, page text.
    pub(super) fn add(&mut self, other: Self) {
        self.facts.extend(other.facts);
        self.extra.extend(other.extra);
        self.notes.extend(other.notes);
        self.page.extend(other.page);
        self.images.extend(other.images);
        self.has_notice |= other.has_notice;
        if !other.kind.is_empty() {
            self.kind = other.kind;
        }
    }

    /// The result; `dialogs` are those that nobody was told of yet.
    pub(super) fn result(self, dialogs: &[String], nonce: impl FnOnce() -> u64) -> ToolResult {
        let mut facts = Map::new();
        facts.insert("ok".into(), Value::Bool(true));
        facts.extend(self.facts);
        if !dialogs.is_empty() {
            facts.insert("dialogs".into(), dialogs.len().into());
        }
        let mut text = Value::Object(facts.clone()).to_string();
        for note in &self.notes {
            text.push_str("\nnote: ");
            text.push_str(note);
        }
        let mut content: Vec<String> = dialogs.to_vec();
        content.extend(self.page);
        facts.extend(self.extra);
        if !content.is_empty() {
            if self.has_notice {
                text.push('\n');
                text.push_str(NOTICE);
            }
            text.push('\n');
            text.push_str(&wrap(&content.join("\n"), nonce()));
            facts.insert("externalContent".into(), external(self.kind));
        }
        ToolResult { images: self.images, ..ToolResult::of(text, false, Value::Object(facts)) }
    }
}

impl Failed {
    /// The result. What the page says to it is wrapped too.
    pub(super) fn result(self, dialogs: &[String], nonce: impl FnOnce() -> u64) -> ToolResult {
        let failure = in_our_words(self.failure);
        let mut result = ToolResult::failure(&failure);
        result.details["ok"] = Value::Bool(false);
        if let Some((_, handle)) = self.tab {
            result.text.insert_str(0, &alloc::format!("targetId={handle}\n"));
            result.details["targetId"] = Value::from(handle);
        }
        let mut content: Vec<String> = dialogs.to_vec();
        content.extend(failure.detail);
        if !content.is_empty() {
            result.text.push('\n');
            result.text.push_str(&wrap(&content.join("\n"), nonce()));
            result.details["externalContent"] = external("error");
        }
        result
    }
}

fn external(kind: &str) -> Value {
    json!({"untrusted": true, "source": "browser", "kind": kind, "wrapped": true})
}
