//! Shorthands.

use super::computed::Marker;
use super::declare::{BoxValue, LineHeightGiven, Value};
use super::flex;
use super::keyword::overflow;
use super::length::{Length, Linear, parse_length, parse_linear};
use super::values::{border_style, border_width, font_family, font_size, line_height, list_style};
use cssparser::{Parser, Token};

/// `None`: not a shorthand, or an invalid one.
pub(super) fn parse(name: &str, input: &mut Parser<'_>) -> Option<Vec<Value>> {
    match name {
        "margin" => four(input, parse_length, Value::Margin),
        "margin-inline" => two(input, parse_length, Value::Margin, [3, 1]),
        "margin-block" => two(input, parse_length, Value::Margin, [0, 2]),
        "padding" => four(input, linear, Value::Padding),
        "padding-inline" => two(input, linear, Value::Padding, [3, 1]),
        "padding-block" => two(input, linear, Value::Padding, [0, 2]),
        "inset" => four(input, parse_length, Value::Inset),
        "inset-inline" => two(input, parse_length, Value::Inset, [3, 1]),
        "inset-block" => two(input, parse_length, Value::Inset, [0, 2]),
        "border-width" => four(input, border_width, Value::Border),
        "border-style" => four(input, border_style, Value::BorderStyled),
        "border" => border(input, &[0, 1, 2, 3]),
        "border-top" | "border-block-start" => border(input, &[0]),
        "border-right" | "border-inline-end" => border(input, &[1]),
        "border-bottom" | "border-block-end" => border(input, &[2]),
        "border-left" | "border-inline-start" => border(input, &[3]),
        "overflow" => {
            let x = overflow(&input.expect_ident().ok()?.to_ascii_lowercase())?;
            let y = input.try_parse(|input| {
                let word = input.expect_ident().map_err(drop)?.to_ascii_lowercase();
                overflow(&word).ok_or(())
            });
            Some(vec![Value::OverflowX(x), Value::OverflowY(y.unwrap_or(x))])
        }
        "flex" => flex_all(input),
        "flex-flow" => {
            let mut values = Vec::new();
            while !input.is_exhausted() {
                let way = input.try_parse(|input| flex::direction(input).ok_or(()));
                match way {
                    Ok(way) => values.push(Value::Box(way)),
                    Err(()) => values.push(Value::Box(flex::parse("flex-wrap", input)??)),
                }
            }
            Some(values)
        }
        "gap" | "grid-gap" => {
            let row = parse_linear(input)?;
            let column = input.try_parse(|i| parse_linear(i).ok_or(())).unwrap_or(row);
            Some(vec![Value::Box(BoxValue::RowGap(row)), Value::Box(BoxValue::ColumnGap(column))])
        }
        "place-items" | "place-content" | "place-self" => place(name, input),
        "font" => font(input),
        "list-style" => {
            let (marker, inside) = list_style(input)?;
            Some(vec![
                Value::Marker(marker.unwrap_or(Marker::Symbol)),
                Value::MarkerInside(inside.unwrap_or(false)),
            ])
        }
        _ => None,
    }
}

fn linear(input: &mut Parser<'_>) -> Option<Length> {
    parse_linear(input).map(Length::Linear)
}

fn four<T: Copy>(
    input: &mut Parser<'_>,
    one: impl Fn(&mut Parser<'_>) -> Option<T>,
    make: impl Fn(usize, T) -> Value,
) -> Option<Vec<Value>> {
    let mut given = Vec::new();
    while !input.is_exhausted() {
        given.push(one(input)?);
    }
    let order: [usize; 4] = match given.len() {
        1 => [0, 0, 0, 0],
        2 => [0, 1, 0, 1],
        3 => [0, 1, 2, 1],
        4 => [0, 1, 2, 3],
        _ => return None,
    };
    Some(order.iter().enumerate().map(|(side, from)| make(side, given[*from])).collect())
}

fn two<T: Copy>(
    input: &mut Parser<'_>,
    one: impl Fn(&mut Parser<'_>) -> Option<T>,
    make: impl Fn(usize, T) -> Value,
    sides: [usize; 2],
) -> Option<Vec<Value>> {
    let first = one(input)?;
    let second = if input.is_exhausted() { first } else { one(input)? };
    Some(vec![make(sides[0], first), make(sides[1], second)])
}

fn border(input: &mut Parser<'_>, sides: &[usize]) -> Option<Vec<Value>> {
    let (mut width, mut styled) = (Linear::px(3.0), false);
    while !input.is_exhausted() {
        if let Ok(given) = input.try_parse(|i| border_width(i).ok_or(())) {
            width = given;
        } else if let Ok(given) = input.try_parse(|i| border_style(i).ok_or(())) {
            styled = given;
        } else {
            color(input)?;
        }
    }
    let values = sides
        .iter()
        .flat_map(|side| [Value::Border(*side, width), Value::BorderStyled(*side, styled)]);
    Some(values.collect())
}

fn color(input: &mut Parser<'_>) -> Option<()> {
    match input.next().ok()?.clone() {
        Token::Hash(_) | Token::IDHash(_) => Some(()),
        Token::Ident(word) => is_color(&word.to_ascii_lowercase()).then_some(()),
        Token::Function(_) => input
            .parse_nested_block(|input| {
                while input.next().is_ok() {}
                Ok::<_, cssparser::ParseError<()>>(())
            })
            .ok(),
        _ => None,
    }
}

/// A colour's name, system colours too.
fn is_color(word: &str) -> bool {
    const SYSTEM: &[&str] = &[
        "accentcolor",
        "accentcolortext",
        "activetext",
        "buttonborder",
        "buttonface",
        "buttontext",
        "canvas",
        "canvastext",
        "currentcolor",
        "field",
        "fieldtext",
        "graytext",
        "highlight",
        "highlighttext",
        "linktext",
        "mark",
        "marktext",
        "selecteditem",
        "selecteditemtext",
        "transparent",
        "visitedtext",
    ];
    SYSTEM.contains(&word)
        || word.starts_with("-webkit-")
        || cssparser::color::parse_named_color(word).is_ok()
}

fn flex_all(input: &mut Parser<'_>) -> Option<Vec<Value>> {
    let (mut grow, mut shrink, mut basis) = (None, None, None);
    let whole = |grow, shrink, basis| {
        Some(vec![
            Value::Box(BoxValue::Grow(grow)),
            Value::Box(BoxValue::Shrink(shrink)),
            Value::Box(BoxValue::Basis(basis)),
        ])
    };
    if input.try_parse(|input| input.expect_ident_matching("none")).is_ok() {
        return whole(0.0, 0.0, Length::Auto);
    }
    while !input.is_exhausted() {
        if let Ok(number) = input.try_parse(Parser::expect_number) {
            if grow.is_none() {
                grow = Some(number);
            } else {
                shrink = Some(number);
            }
        } else {
            basis = Some(flex::basis(input)?);
        }
    }
    let default_basis = Length::Linear(Linear::default());
    whole(grow.unwrap_or(1.0), shrink.unwrap_or(1.0), basis.unwrap_or(default_basis))
}

fn place(name: &str, input: &mut Parser<'_>) -> Option<Vec<Value>> {
    let (block, inline) = match name {
        "place-items" => ("align-items", "justify-items"),
        "place-content" => ("align-content", "justify-content"),
        _ => ("align-self", "justify-self"),
    };
    let mut words = Vec::new();
    while let Ok(word) = input.expect_ident() {
        words.push(word.to_string());
    }
    let first = words.first()?.clone();
    let second = words.get(1).cloned().unwrap_or_else(|| first.clone());
    let one = |name, word: &str| flex::parse(name, &mut Parser::new(word))?.map(Value::Box);
    Some(vec![one(block, &first)?, one(inline, &second)?])
}

fn font(input: &mut Parser<'_>) -> Option<Vec<Value>> {
    loop {
        if let Ok(size) = input.try_parse(|input| font_size(input).ok_or(())) {
            let slash = input.try_parse(|input| input.expect_delim('/')).is_ok();
            let height = if slash { line_height(input)? } else { LineHeightGiven::Normal };
            let family = font_family(input);
            return Some(vec![
                Value::Monospace(family),
                Value::FontSize(size),
                Value::LineHeight(height),
            ]);
        }
        match input.next().ok()? {
            Token::Ident(_) | Token::Number { .. } => {}
            _ => return None,
        }
    }
}
