//! `@media` and `@supports` conditions, for a screen under the test profile: 1 device pixel to a CSS pixel, a mouse, no
//! preferences but for the theme.

use super::block::{self, is_blank};
use super::length::{Basis, parse_linear};
use super::selector;
use cssparser::Parser;

/// What media queries ask about.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Media {
    /// Viewport, CSS pixels.
    pub(crate) viewport: (f32, f32),
    /// A dark theme is preferred.
    pub(crate) dark: bool,
}

/// Whether a media query list holds.
pub(crate) fn matches(text: &str, media: Media) -> bool {
    let text = text.trim().to_ascii_lowercase();
    text.is_empty() || split(&text, ",").iter().any(|query| query_matches(query, media))
}

fn query_matches(query: &str, media: Media) -> bool {
    let (negated, query) = match query.trim().strip_prefix("not ") {
        Some(rest) => (true, rest),
        None => (false, query.trim().strip_prefix("only ").unwrap_or(query.trim())),
    };
    let holds = condition(query, &|feature| match feature.trim() {
        "all" | "screen" => true,
        "print" | "speech" | "tty" | "tv" | "projection" | "handheld" => false,
        inner => self::feature(inner, media),
    });
    holds != negated
}

/// Splits at a separator outside parentheses.
fn split<'a>(text: &'a str, separator: &str) -> Vec<&'a str> {
    let (mut parts, mut depth, mut start, mut at) = (Vec::new(), 0_i32, 0, 0);
    while at < text.len() {
        let rest = &text[at..];
        if depth == 0 && rest.starts_with(separator) {
            parts.push(&text[start..at]);
            at += separator.len();
            start = at;
            continue;
        }
        let c = rest.chars().next().unwrap_or(' ');
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        at += c.len_utf8();
    }
    parts.push(&text[start..]);
    parts
}

/// Most nesting of conditions; deeper ones do not hold.
const NESTED_MAX: u32 = 16;

fn condition(text: &str, leaf: &dyn Fn(&str) -> bool) -> bool {
    nested_condition(text, leaf, 0)
}

fn nested_condition(text: &str, leaf: &dyn Fn(&str) -> bool, depth: u32) -> bool {
    if depth > NESTED_MAX {
        return false;
    }
    let text = text.trim();
    let alternatives = split(text, " or ");
    if alternatives.len() > 1 {
        return alternatives.iter().any(|one| nested_condition(one, leaf, depth + 1));
    }
    let parts = split(text, " and ");
    if parts.len() > 1 {
        return parts.iter().all(|one| nested_condition(one, leaf, depth + 1));
    }
    if let Some(rest) =
        text.strip_prefix("not ").or_else(|| text.strip_prefix("not(").map(|_| &text[3..]))
    {
        return !nested_condition(rest, leaf, depth + 1);
    }
    match text.strip_prefix('(').and_then(|inner| inner.strip_suffix(')')) {
        Some(inner)
            if inner.trim_start().starts_with('(') || inner.trim_start().starts_with("not ") =>
        {
            nested_condition(inner, leaf, depth + 1)
        }
        Some(inner) => leaf(inner),
        None => leaf(text),
    }
}

fn feature(text: &str, media: Media) -> bool {
    if text.contains(['<', '>']) {
        return range(text, media);
    }
    let Some((name, value)) = text.split_once(':') else {
        return matches!(
            text.trim(),
            "width" | "height" | "color" | "hover" | "pointer" | "any-hover" | "any-pointer"
        );
    };
    let value = value.trim();
    let px = length(value);
    let (width, height) = media.viewport;
    match name.trim() {
        "min-width" => px.is_some_and(|px| width >= px),
        "max-width" => px.is_some_and(|px| width <= px),
        "width" => px.is_some_and(|px| (width - px).abs() < 0.01),
        "min-height" => px.is_some_and(|px| height >= px),
        "max-height" => px.is_some_and(|px| height <= px),
        "height" => px.is_some_and(|px| (height - px).abs() < 0.01),
        "orientation" => (value == "landscape") == (width > height),
        "prefers-color-scheme" => value == if media.dark { "dark" } else { "light" },
        "prefers-reduced-motion" | "prefers-contrast" | "prefers-reduced-transparency" => {
            value == "no-preference"
        }
        "hover" | "any-hover" => value == "hover",
        "pointer" | "any-pointer" => value == "fine",
        "display-mode" => value == "browser",
        "scripting" => value == "enabled",
        "forced-colors" => value == "none",
        "min-resolution" => value.trim_end_matches("dppx").parse().is_ok_and(|n: f32| n <= 1.0),
        _ => false,
    }
}

fn range(text: &str, media: Media) -> bool {
    let text = text.replace("<=", " \u{2264} ").replace(">=", " \u{2265} ");
    let text = text.replace('<', " < ").replace('>', " > ");
    let words: Vec<&str> = text.split_whitespace().collect();
    let side = |word: &str| match word {
        "width" => Some(media.viewport.0),
        "height" => Some(media.viewport.1),
        other => length(other),
    };
    words.len() >= 3
        && (0..words.len() - 2).step_by(2).all(|at| {
            let (Some(a), Some(b)) = (side(words[at]), side(words[at + 2])) else { return false };
            match words[at + 1] {
                "<" => a < b,
                ">" => a > b,
                "\u{2264}" => a <= b,
                "\u{2265}" => a >= b,
                _ => false,
            }
        })
}

fn length(text: &str) -> Option<f32> {
    let basis = Basis { em: 16.0, rem: 16.0, viewport: (0.0, 0.0) };
    Some(parse_linear(&mut Parser::new(text))?.resolve(basis).0)
}

/// Whether an `@supports` condition holds.
pub(crate) fn supports(text: &str) -> bool {
    condition(text, &|inner| {
        if let Some(rest) = inner.trim().strip_prefix("selector(") {
            let text = rest.trim_end_matches(')');
            return selector::parse(&mut Parser::new(text), false).is_some();
        }
        let Some((name, value)) = inner.split_once(':') else { return false };
        let (name, value) = (name.trim(), value.trim());
        name.starts_with("--")
            || (!is_blank(value) && block::parse_text(&name.to_ascii_lowercase(), value).is_some())
    })
}
