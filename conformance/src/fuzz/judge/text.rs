//! The text of results: what a page cannot put there.

use super::{Call, Found, Kind, broken};

pub(super) fn text(call: &Call<'_>) -> Found {
    let text = &call.result.text;
    if text.contains("S3CR3T") {
        return broken(Kind::FalseSuccess, "a password is printed");
    }
    let fences = text.lines().filter(|line| line.starts_with("<<<")).count();
    let is_forged = |line: &str| line.trim_start().starts_with("- FORGED");
    if fences > 2 || text.contains("[ref=s1_1_1]") || text.lines().any(is_forged) {
        return broken(Kind::FalseSuccess, format!("the page forged a line:\n{text}"));
    }
    let is_hidden = |c: char| matches!(c, '\u{202e}' | '\u{200b}' | '\u{e0041}');
    if text.contains(is_hidden) {
        return broken(Kind::FalseSuccess, "a character that nobody sees is printed");
    }
    None
}

/// A call that names a tab is about that one.
pub(super) fn tab(call: &Call<'_>) -> Found {
    let named = call.args["tabId"].as_u64().filter(|_| !call.result.is_error)?;
    if call.result.text.starts_with(&format!("[tabId={named}]")) {
        return None;
    }
    broken(Kind::WrongTarget, format!("tab {named} was named and another one answered"))
}

/// The numbers of the fences that a result opens.
pub(crate) fn fence_numbers(text: &str) -> Vec<&str> {
    let opened = text.lines().filter_map(|line| line.strip_prefix("<<<web_content_"));
    opened.filter_map(|rest| rest.split(' ').next()).collect()
}
