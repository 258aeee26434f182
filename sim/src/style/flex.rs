//! Flex and grid longhands.

use super::computed::{Align, Wrap};
use super::declare::BoxValue;
use super::length::{Length, parse_length, parse_linear};
use cssparser::{Parser, Token};

/// `None`: not one of these properties. `Some(None)`: one of them with an invalid value.
pub(super) fn parse(name: &str, input: &mut Parser<'_>) -> Option<Option<BoxValue>> {
    let align = |input: &mut Parser<'_>| {
        let mut chosen = None;
        while let Ok(token) = input.next() {
            if let Token::Ident(word) = token {
                chosen = alignment(&word.to_ascii_lowercase()).or(chosen);
            }
        }
        chosen
    };
    Some(match name {
        "flex-direction" | "-webkit-flex-direction" => direction(input),
        "flex-wrap" => input.expect_ident().ok().and_then(|word| wrap(&word.to_ascii_lowercase())),
        "flex-grow" => input.expect_number().ok().map(BoxValue::Grow),
        "flex-shrink" => input.expect_number().ok().map(BoxValue::Shrink),
        "flex-basis" => basis(input).map(BoxValue::Basis),
        "order" => input.expect_integer().ok().map(BoxValue::Order),
        "align-items" => Some(BoxValue::AlignItems(align(input))),
        "align-self" => Some(BoxValue::AlignSelf(align(input))),
        "justify-content" => Some(BoxValue::JustifyContent(align(input))),
        "align-content" => Some(BoxValue::AlignContent(align(input))),
        "justify-items" => Some(BoxValue::JustifyItems(align(input))),
        "justify-self" => Some(BoxValue::JustifySelf(align(input))),
        "row-gap" | "grid-row-gap" => parse_linear(input).map(BoxValue::RowGap),
        "column-gap" | "grid-column-gap" => parse_linear(input).map(BoxValue::ColumnGap),
        _ => return None,
    })
}

pub(super) fn direction(input: &mut Parser<'_>) -> Option<BoxValue> {
    let (column, reverse) = match input.expect_ident().ok()?.to_ascii_lowercase().as_str() {
        "row" => (false, false),
        "row-reverse" => (false, true),
        "column" => (true, false),
        "column-reverse" => (true, true),
        _ => return None,
    };
    Some(BoxValue::Direction { column, reverse })
}

fn wrap(word: &str) -> Option<BoxValue> {
    Some(BoxValue::Wrap(match word {
        "nowrap" => Wrap::No,
        "wrap" => Wrap::Yes,
        "wrap-reverse" => Wrap::Reverse,
        _ => return None,
    }))
}

pub(super) fn basis(input: &mut Parser<'_>) -> Option<Length> {
    let content = input.try_parse(|input| input.expect_ident_matching("content"));
    if content.is_ok() { Some(Length::MaxContent) } else { parse_length(input) }
}

fn alignment(word: &str) -> Option<Align> {
    Some(match word {
        "start" | "left" | "self-start" => Align::Start,
        "end" | "right" | "self-end" => Align::End,
        "flex-start" => Align::FlexStart,
        "flex-end" => Align::FlexEnd,
        "center" => Align::Center,
        "baseline" => Align::Baseline,
        "stretch" => Align::Stretch,
        "space-between" => Align::SpaceBetween,
        "space-around" => Align::SpaceAround,
        "space-evenly" => Align::SpaceEvenly,
        _ => return None,
    })
}
