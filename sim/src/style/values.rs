//! Values that are more than a keyword or a length.

use super::computed::Marker;
use super::declare::{FontSize, LineHeightGiven};
use super::length::{Linear, parse_linear};
use cssparser::{Parser, Token};

pub(super) fn border_width(input: &mut Parser<'_>) -> Option<Linear> {
    let word = input.try_parse(|input| {
        match input.expect_ident().map_err(drop)?.to_ascii_lowercase().as_str() {
            "thin" => Ok(1.0),
            "medium" => Ok(3.0),
            "thick" => Ok(5.0),
            _ => Err(()),
        }
    });
    word.map(Linear::px).ok().or_else(|| parse_linear(input))
}

pub(super) fn border_style(input: &mut Parser<'_>) -> Option<bool> {
    match input.expect_ident().ok()?.to_ascii_lowercase().as_str() {
        "none" | "hidden" => Some(false),
        "solid" | "dashed" | "dotted" | "double" | "groove" | "ridge" | "inset" | "outset" => {
            Some(true)
        }
        _ => None,
    }
}

/// `Some(None)` is `auto`.
#[expect(clippy::option_option, reason = "invalid, no ratio, and a ratio are three answers")]
pub(super) fn aspect_ratio(input: &mut Parser<'_>) -> Option<Option<f32>> {
    let is_auto = input.try_parse(|input| input.expect_ident_matching("auto")).is_ok();
    let number = |input: &mut Parser<'_>| input.try_parse(Parser::expect_number).ok();
    let Some(width) = number(input) else { return is_auto.then_some(None) };
    let slash = input.try_parse(|input| input.expect_delim('/')).is_ok();
    let height = if slash { number(input)? } else { 1.0 };
    // With `auto` the natural ratio of a picture comes first; other boxes have none.
    let _auto = input.try_parse(|input| input.expect_ident_matching("auto"));
    Some((width > 0.0 && height > 0.0).then_some(width / height))
}

/// Whether a value makes a stacking context.
pub(super) fn isolates(input: &mut Parser<'_>) -> Option<bool> {
    let mut isolates = false;
    while let Ok(token) = input.next() {
        isolates |= match token {
            Token::Ident(word) => !matches!(
                word.to_ascii_lowercase().as_str(),
                "none" | "auto" | "normal" | "size" | "inline-size" | "style" | "initial"
            ),
            _ => true,
        };
    }
    Some(isolates)
}

/// Whether a clip leaves nothing: `rect()` with edges that meet, `inset()` of half and more, a circle without a radius.
pub(super) fn clips_all(input: &mut Parser<'_>) -> bool {
    let Ok(name) = input.expect_function().map(|name| name.to_ascii_lowercase()) else {
        while input.next().is_ok() {}
        return false;
    };
    let inside = input.parse_nested_block(|input| {
        let mut numbers: Vec<f32> = Vec::new();
        while let Ok(token) = input.next() {
            match token {
                Token::Dimension { value, .. } | Token::Number { value, .. } => {
                    numbers.push(*value);
                }
                Token::Percentage { unit_value, .. } => numbers.push(unit_value * 1_000_000.0),
                _ => {}
            }
        }
        Ok::<_, cssparser::ParseError<()>>(numbers)
    });
    while input.next().is_ok() {}
    let numbers = inside.unwrap_or_default();
    match (name.as_str(), numbers.as_slice()) {
        ("rect", [top, right, bottom, left]) => right <= left || bottom <= top,
        ("inset", [first, ..]) => *first >= 500_000.0,
        ("circle", [radius, ..]) => *radius == 0.0,
        _ => false,
    }
}

/// `normal` or a length.
pub(super) fn spacing(input: &mut Parser<'_>) -> Option<Linear> {
    let normal = input.try_parse(|input| input.expect_ident_matching("normal"));
    if normal.is_ok() { Some(Linear::default()) } else { parse_linear(input) }
}

/// Whether there is a marker, and whether it stands inside, where a list style says so.
pub(super) fn list_style(input: &mut Parser<'_>) -> Option<(Option<Marker>, Option<bool>)> {
    let (mut marker, mut inside) = (None, None);
    while let Ok(token) = input.next() {
        match token.clone() {
            Token::Ident(word) => match word.to_ascii_lowercase().as_str() {
                "none" => marker = Some(marker.unwrap_or(Marker::None)),
                "disc" | "circle" | "square" => marker = Some(Marker::Symbol),
                "disclosure-open" | "disclosure-closed" => marker = Some(Marker::Disclosure),
                "inside" => inside = Some(true),
                "outside" => inside = Some(false),
                word if word.contains("alpha")
                    || word.contains("latin")
                    || word.contains("greek") =>
                {
                    marker = Some(Marker::Letter);
                }
                _ => marker = Some(Marker::Number),
            },
            Token::QuotedString(_) => marker = Some(Marker::Letter),
            Token::UnquotedUrl(_) => marker = Some(marker.unwrap_or(Marker::Symbol)),
            Token::Function(_) => {
                marker = Some(marker.unwrap_or(Marker::Symbol));
                input
                    .parse_nested_block(|input| {
                        while input.next().is_ok() {}
                        Ok::<_, cssparser::ParseError<()>>(())
                    })
                    .ok()?;
            }
            _ => return None,
        }
    }
    Some((marker, inside))
}

pub(super) fn font_size(input: &mut Parser<'_>) -> Option<FontSize> {
    let word = input.try_parse(|input| {
        Ok::<_, ()>(match input.expect_ident().map_err(drop)?.to_ascii_lowercase().as_str() {
            "xx-small" => FontSize::Px(9.0),
            "x-small" => FontSize::Px(10.0),
            "small" => FontSize::Px(13.0),
            "medium" => FontSize::Px(16.0),
            "large" => FontSize::Px(18.0),
            "x-large" => FontSize::Px(24.0),
            "xx-large" => FontSize::Px(32.0),
            "xxx-large" => FontSize::Px(48.0),
            "larger" => FontSize::Times(1.2),
            "smaller" => FontSize::Times(1.0 / 1.2),
            _ => return Err(()),
        })
    });
    word.ok().or_else(|| parse_linear(input).map(FontSize::Length))
}

pub(super) fn line_height(input: &mut Parser<'_>) -> Option<LineHeightGiven> {
    let short = input.try_parse(|input| match input.next() {
        Ok(Token::Ident(word)) if word.eq_ignore_ascii_case("normal") => {
            Ok(LineHeightGiven::Normal)
        }
        Ok(Token::Number { value, .. }) => Ok(LineHeightGiven::Times(*value)),
        _ => Err(()),
    });
    short.ok().or_else(|| parse_linear(input).map(LineHeightGiven::Length))
}

/// Whether the list is `monospace` alone: then the default size is 13 px instead of 16.
pub(super) fn font_family(input: &mut Parser<'_>) -> bool {
    let mut words = Vec::new();
    while let Ok(token) = input.next() {
        words.push(match token {
            Token::Ident(word) => word.to_ascii_lowercase(),
            Token::Comma => ",".into(),
            _ => "?".into(),
        });
    }
    words == ["monospace"]
}

pub(super) fn cursor(input: &mut Parser<'_>) -> Option<bool> {
    let mut last = None;
    while let Ok(token) = input.next() {
        if let Token::Ident(word) = token {
            last = Some(word.eq_ignore_ascii_case("pointer"));
        }
    }
    last
}
