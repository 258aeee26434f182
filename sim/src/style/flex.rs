//! Flex and grid longhands.

use super::computed::Align;
use super::declare::{BoxValue, TrackGiven};
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
        "flex-wrap" => input
            .expect_ident()
            .ok()
            .map(|word| BoxValue::Wrap(!word.eq_ignore_ascii_case("nowrap"))),
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
        "grid-template-columns" => tracks(input).map(BoxValue::Columns),
        "grid-template-rows" => tracks(input).map(BoxValue::Rows),
        "grid-column" => lines(input).map(|(start, span)| BoxValue::GridColumn(start, span)),
        "grid-row" => lines(input).map(|(start, span)| BoxValue::GridRow(start, span)),
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

pub(super) fn basis(input: &mut Parser<'_>) -> Option<Length> {
    let content = input.try_parse(|input| input.expect_ident_matching("content"));
    if content.is_ok() { Some(Length::MaxContent) } else { parse_length(input) }
}

fn alignment(word: &str) -> Option<Align> {
    Some(match word {
        "start" | "flex-start" | "left" | "self-start" => Align::Start,
        "end" | "flex-end" | "right" | "self-end" => Align::End,
        "center" => Align::Center,
        "baseline" => Align::Baseline,
        "stretch" => Align::Stretch,
        "space-between" => Align::SpaceBetween,
        "space-around" => Align::SpaceAround,
        "space-evenly" => Align::SpaceEvenly,
        _ => return None,
    })
}

fn tracks(input: &mut Parser<'_>) -> Option<Vec<TrackGiven>> {
    let mut tracks = Vec::new();
    while !input.is_exhausted() {
        let repeated = input.try_parse(|input| {
            input.expect_function_matching("repeat").map_err(drop)?;
            input.parse_nested_block(repeat).map_err(drop)
        });
        match repeated {
            Ok(more) => tracks.extend(more),
            Err(()) => tracks.push(track(input)?),
        }
    }
    Some(tracks)
}

/// Most tracks that a `repeat()` is unrolled to.
const REPEAT_MAX: i32 = 1_000;

fn repeat(input: &mut Parser<'_>) -> Result<Vec<TrackGiven>, cssparser::ParseError<()>> {
    let count = input.expect_integer()?.clamp(0, REPEAT_MAX);
    input.expect_comma()?;
    let mut once = Vec::new();
    while !input.is_exhausted() {
        match track(input) {
            Some(one) => once.push(one),
            None => return Err(input.new_error_for_next_token()),
        }
    }
    let times = usize::try_from(count).unwrap_or(0);
    Ok(once.iter().copied().cycle().take(once.len() * times).collect())
}

fn track(input: &mut Parser<'_>) -> Option<TrackGiven> {
    if let Some(fraction) = fraction(input) {
        return Some(TrackGiven::Fraction(fraction));
    }
    let min_max = input.try_parse(|input| {
        input.expect_function_matching("minmax").map_err(drop)?;
        input
            .parse_nested_block(|input| {
                let min = parse_length(input);
                input.expect_comma()?;
                let max = fraction(input);
                while input.next().is_ok() {}
                match (min, max) {
                    (Some(min), Some(max)) => Ok(TrackGiven::MinMax(min, max)),
                    (Some(min), None) => Ok(TrackGiven::Size(min)),
                    _ => Err(input.new_error_for_next_token::<()>()),
                }
            })
            .map_err(drop)
    });
    min_max.ok().or_else(|| parse_length(input).map(TrackGiven::Size))
}

fn fraction(input: &mut Parser<'_>) -> Option<f32> {
    input
        .try_parse(|input| match input.next() {
            Ok(Token::Dimension { value, unit, .. }) if unit.eq_ignore_ascii_case("fr") => {
                Ok(*value)
            }
            _ => Err(()),
        })
        .ok()
}

/// `2`, `1 / 3`, `span 2`, `1 / span 2`, `1 / -1`.
fn lines(input: &mut Parser<'_>) -> Option<(i16, u16)> {
    let (mut start, mut span, mut end) = (0_i32, 0_i32, 0_i32);
    let mut slash = false;
    let mut spans = false;
    while let Ok(token) = input.next() {
        match token {
            Token::Delim('/') => slash = true,
            Token::Ident(word) if word.eq_ignore_ascii_case("span") => spans = true,
            Token::Ident(_) => {}
            Token::Number { int_value: Some(value), .. } if spans => span = *value,
            Token::Number { int_value: Some(value), .. } if slash => end = *value,
            Token::Number { int_value: Some(value), .. } => start = *value,
            _ => return None,
        }
    }
    if span == 0 && end > start {
        span = end - start;
    }
    Some((i16::try_from(start).ok()?, u16::try_from(span.max(0)).ok()?))
}
