//! Properties whose value is one keyword.

use super::computed::{
    Display, Float, Overflow, Position, TextAlign, VerticalAlign, WhiteSpace, WordBreak,
};
use super::declare::Value;
use backlot_core::page::{TextTransform, Visibility};
use cssparser::Parser;

pub(super) fn parse(name: &str, word: &str, input: &mut Parser<'_>) -> Option<Value> {
    Some(match (name, word) {
        ("display", _) => Value::Display(display(word, input)?),
        ("text-transform", "uppercase") => Value::TextTransform(TextTransform::Uppercase),
        ("text-transform", "lowercase") => Value::TextTransform(TextTransform::Lowercase),
        ("text-transform", "capitalize") => Value::TextTransform(TextTransform::Capitalize),
        ("text-transform", "none" | "full-width" | "full-size-kana") => {
            Value::TextTransform(TextTransform::None)
        }
        ("visibility", "visible") => Value::Visibility(Visibility::Visible),
        ("visibility", "hidden") => Value::Visibility(Visibility::Hidden),
        ("visibility", "collapse") => Value::Visibility(Visibility::Collapse),
        ("content-visibility", "visible" | "auto") => Value::ContentHidden(false),
        ("content-visibility", "hidden") => Value::ContentHidden(true),
        ("position", "static") => Value::Position(Position::Static),
        ("position", "relative") => Value::Position(Position::Relative),
        ("position", "absolute") => Value::Position(Position::Absolute),
        ("position", "fixed") => Value::Position(Position::Fixed),
        ("position", "sticky" | "-webkit-sticky") => Value::Position(Position::Sticky),
        ("float", "none") => Value::Float(Float::None),
        ("float", "left" | "inline-start") => Value::Float(Float::Left),
        ("float", "right" | "inline-end") => Value::Float(Float::Right),
        ("clear", "none") => Value::Clear((false, false)),
        ("clear", "left" | "inline-start") => Value::Clear((true, false)),
        ("clear", "right" | "inline-end") => Value::Clear((false, true)),
        ("clear", "both") => Value::Clear((true, true)),
        ("box-sizing", "border-box") => Value::BorderBox(true),
        ("box-sizing", "content-box") => Value::BorderBox(false),
        ("overflow-x" | "overflow-inline", _) => Value::OverflowX(overflow(word)?),
        ("overflow-y" | "overflow-block", _) => Value::OverflowY(overflow(word)?),
        ("white-space", "normal") => Value::WhiteSpace(WhiteSpace::Normal),
        ("white-space" | "text-wrap" | "text-wrap-mode", "nowrap") => {
            Value::WhiteSpace(WhiteSpace::NoWrap)
        }
        ("text-wrap" | "text-wrap-mode" | "text-wrap-style", _) => Value::Ignored,
        ("white-space", "pre") => Value::WhiteSpace(WhiteSpace::Pre),
        ("white-space", "pre-wrap" | "break-spaces") => Value::WhiteSpace(WhiteSpace::PreWrap),
        ("white-space", "pre-line") => Value::WhiteSpace(WhiteSpace::PreLine),
        ("text-align", "center" | "-webkit-center") => Value::TextAlign(TextAlign::Center),
        ("text-align", "end") => Value::TextAlign(TextAlign::End),
        ("text-align", "left" | "-webkit-left") => Value::TextAlign(TextAlign::Left),
        ("text-align", "right" | "-webkit-right") => Value::TextAlign(TextAlign::Right),
        ("direction", "rtl") => Value::Rtl(true),
        ("direction", "ltr") => Value::Rtl(false),
        ("text-align", _) => Value::TextAlign(TextAlign::Start),
        ("vertical-align", "top") => Value::VerticalAlign(VerticalAlign::Top),
        ("vertical-align", "text-top") => Value::VerticalAlign(VerticalAlign::TextTop),
        ("vertical-align", "text-bottom") => Value::VerticalAlign(VerticalAlign::TextBottom),
        ("vertical-align", "middle") => Value::VerticalAlign(VerticalAlign::Middle),
        ("vertical-align", "bottom") => Value::VerticalAlign(VerticalAlign::Bottom),
        ("vertical-align", "sub") => Value::VerticalAlign(VerticalAlign::Sub),
        ("vertical-align", "super") => Value::VerticalAlign(VerticalAlign::Super),
        ("vertical-align", "baseline") => Value::VerticalAlign(VerticalAlign::Baseline),
        ("word-break", "normal" | "keep-all" | "auto-phrase")
        | ("overflow-wrap" | "word-wrap", "normal") => Value::WordBreak(WordBreak::Normal),
        ("word-break", "break-all") => Value::WordBreak(WordBreak::All),
        ("word-break", "break-word")
        | ("overflow-wrap" | "word-wrap", "break-word" | "anywhere") => {
            Value::WordBreak(WordBreak::Long)
        }
        ("appearance" | "-webkit-appearance", _) => Value::AppearanceNone(word == "none"),
        ("table-layout", "fixed") => Value::TableFixed(true),
        ("table-layout", "auto") => Value::TableFixed(false),
        ("list-style-position", "inside") => Value::MarkerInside(true),
        ("list-style-position", "outside") => Value::MarkerInside(false),
        ("border-collapse", "collapse") => Value::BorderCollapse(true),
        ("border-collapse", "separate") => Value::BorderCollapse(false),
        ("pointer-events", _) => Value::PointerEvents(word != "none"),
        _ => return None,
    })
}

fn display(word: &str, input: &mut Parser<'_>) -> Option<Display> {
    let second = input.try_parse(|input| input.expect_ident().map(|w| w.to_ascii_lowercase())).ok();
    Some(match (word, second.as_deref()) {
        ("none", None) => Display::None,
        ("contents", None) => Display::Contents,
        ("inline", None | Some("flow")) | ("ruby", None) | ("math", None) => Display::Inline,
        ("ruby-text", None) => Display::RubyText,
        ("inline-block", None) | ("inline", Some("flow-root")) => Display::InlineBlock,
        ("inline-flex" | "-webkit-inline-flex" | "-webkit-inline-box", None)
        | ("inline", Some("flex")) => Display::InlineFlex,
        ("inline-grid", None) | ("inline", Some("grid")) => Display::InlineGrid,
        ("inline-table", None) | ("inline", Some("table")) => Display::InlineTable,
        ("block", None | Some("flow")) => Display::Block,
        ("flow-root", None) | ("block", Some("flow-root")) => Display::FlowRoot,
        ("list-item", None) => Display::ListItem,
        ("flex" | "-webkit-flex" | "-webkit-box", None) | ("block", Some("flex")) => Display::Flex,
        ("grid", None) | ("block", Some("grid")) => Display::Grid,
        ("table", None) | ("block", Some("table")) => Display::Table,
        ("table-row-group" | "table-header-group" | "table-footer-group", None) => {
            Display::RowGroup
        }
        ("table-row", None) => Display::Row,
        ("table-cell", None) => Display::Cell,
        ("table-column" | "table-column-group", None) => Display::Column,
        ("table-caption", None) => Display::Caption,
        _ => return None,
    })
}

pub(super) fn overflow(word: &str) -> Option<Overflow> {
    Some(match word {
        "visible" => Overflow::Visible,
        "hidden" => Overflow::Hidden,
        "clip" => Overflow::Clip,
        "scroll" => Overflow::Scroll,
        "auto" | "overlay" => Overflow::Auto,
        _ => return None,
    })
}
