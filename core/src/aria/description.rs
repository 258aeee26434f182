//! Accessible descriptions: accname 1.2 "Description Computation" and HTML-AAM's sources of them.

use super::AriaFrame;
use super::name::{NameSource, Walk};
use super::tree::is_blank;
use crate::page::NodeIdx;
use alloc::string::String;

/// The description of one element: `aria-describedby`, `aria-description`, then what the name left over.
pub(super) fn of(aria: &AriaFrame<'_>, at: NodeIdx) -> String {
    let Some(element) = aria.tree.frame.element(at) else { return String::new() };
    let mut walk = Walk::new(aria, at);
    if walk.described_by(at) {
        return walk.finish();
    }
    if let Some(text) = element.attr("aria-description").filter(|text| !is_blank(text)) {
        return folded(text);
    }
    match element.attr("title").filter(|text| !is_blank(text)) {
        Some(title) => {
            let (title, name) = (folded(title), aria.name(at));
            let told = name.source == NameSource::Title || name.text == title;
            if told { String::new() } else { title }
        }
        None => String::new(),
    }
}

fn folded(text: &str) -> String {
    let mut folded = String::new();
    for word in text.split_ascii_whitespace() {
        if !folded.is_empty() {
            folded.push(' ');
        }
        folded.push_str(word);
    }
    folded
}
