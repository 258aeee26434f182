//! Presentational hints: attributes that act as weak declarations.

use super::block::{Declared, parse_text};
use crate::dom::Dom;
use backlot_core::page::NodeId;

pub(super) fn of(dom: &Dom, id: NodeId) -> Vec<Declared> {
    let mut hints = Vec::new();
    let tag = dom.html_tag(id);
    let mut size = |attribute: &str, property: &str| {
        if let Some(text) = dom.attr(id, attribute).and_then(dimension) {
            hints.extend(parse_text(property, &text));
        }
    };
    match tag {
        "img" | "iframe" | "embed" | "object" | "video" | "table" | "td" | "th" | "hr" => {
            size("width", "width");
            if tag != "hr" {
                size("height", "height");
            }
        }
        "input" if dom.attr(id, "type").is_some_and(|t| t.eq_ignore_ascii_case("image")) => {
            size("width", "width");
            size("height", "height");
        }
        _ => {}
    }
    if crate::layout::metrics::is_svg(dom, id) {
        for side in ["width", "height"] {
            hints.extend(dom.attr(id, side).and_then(|text| {
                let bare = text.trim().parse::<f32>().is_ok();
                let text = if bare { format!("{}px", text.trim()) } else { text.to_string() };
                parse_text(side, &text)
            }));
        }
    }
    match tag {
        "iframe" if matches!(dom.attr(id, "frameborder"), Some("0" | "no")) => {
            hints.extend(parse_text("border", "0"));
        }
        "table" => {
            if let Some(text) = dom.attr(id, "cellspacing").and_then(dimension) {
                hints.extend(parse_text("border-spacing", &text));
            }
        }
        "tr" | "thead" | "tbody" | "tfoot" => {
            hints
                .extend(dom.attr(id, "valign").and_then(|word| parse_text("vertical-align", word)));
        }
        "td" | "th" => {
            hints
                .extend(dom.attr(id, "valign").and_then(|word| parse_text("vertical-align", word)));
            let table = dom.inclusive_ancestors(id).find(|up| dom.is_html(*up, "table"));
            let padding = table.and_then(|table| dom.attr(table, "cellpadding"));
            if let Some(text) = padding.and_then(dimension) {
                hints.extend(parse_text("padding", &text));
            }
        }
        _ => {}
    }
    hints
}

/// A legacy dimension: digits, and a percent sign or not.
fn dimension(text: &str) -> Option<String> {
    let text = text.trim_start();
    let digits: String = text.chars().take_while(|c| c.is_ascii_digit() || *c == '.').collect();
    let number: f32 = digits.parse().ok()?;
    let unit = if text[digits.len()..].starts_with('%') { "%" } else { "px" };
    Some(format!("{number}{unit}"))
}
