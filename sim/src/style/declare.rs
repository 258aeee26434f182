//! Declarations: from text to typed values.

use super::computed::{
    Align, ContentItem, Display, Float, Marker, Overflow, Position, TextAlign, VerticalAlign,
    WhiteSpace, WordBreak, Wrap,
};
use super::grid::{self, GridValue};
use super::length::{Length, Linear, parse_length, parse_linear};
use super::transform::{self, Move};
use super::{keyword, shorthand};
use backlot_core::page::{TextTransform, Visibility};
use cssparser::{Parser, Token};

/// One longhand with its value, as written.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Value {
    Display(Display),
    Visibility(Visibility),
    TextTransform(TextTransform),
    CursorPointer(bool),
    ContentHidden(bool),
    Position(Position),
    Float(Float),
    Clear((bool, bool)),
    Inset(usize, Length),
    Width(Length),
    Height(Length),
    MinWidth(Length),
    MinHeight(Length),
    MaxWidth(Length),
    MaxHeight(Length),
    Margin(usize, Length),
    Padding(usize, Length),
    Border(usize, Linear),
    BorderStyled(usize, bool),
    BorderBox(bool),
    OverflowX(Overflow),
    OverflowY(Overflow),
    FontSize(FontSize),
    Monospace(bool),
    LineHeight(LineHeightGiven),
    WhiteSpace(WhiteSpace),
    TextAlign(TextAlign),
    VerticalAlign(VerticalAlign),
    /// `vertical-align` as a length.
    Raised(Linear),
    WordBreak(WordBreak),
    LetterSpacing(Linear),
    WordSpacing(Linear),
    TextIndent(Linear),
    TableFixed(bool),
    AppearanceNone(bool),
    Isolated(bool),
    Clip(bool),
    ClipPath(bool),
    Rtl(bool),
    AspectRatio(Option<f32>),
    Marker(Marker),
    MarkerInside(bool),
    BorderSpacing(Linear, Linear),
    BorderCollapse(bool),
    ZIndex(Option<i32>),
    Opacity(f32),
    PointerEvents(bool),
    /// Which of the four properties, and its functions.
    Transform(usize, Vec<Move<Length>>),
    TransformOrigin(Length, Length),
    Content(Option<Vec<ContentItem>>),
    Box(BoxValue),
    /// A border's or background's look, which counts for nothing but that it is given.
    Drawn,
    /// A property that is known and changes nothing here.
    Ignored,
}

impl Value {
    /// It says how large `em` is.
    pub(crate) fn is_font(&self) -> bool {
        matches!(self, Self::FontSize(_) | Self::Monospace(_))
    }
}

/// A flex or grid longhand.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum BoxValue {
    Direction { column: bool, reverse: bool },
    Wrap(Wrap),
    Grow(f32),
    Shrink(f32),
    Basis(Length),
    Order(i32),
    AlignItems(Option<Align>),
    AlignSelf(Option<Align>),
    JustifyContent(Option<Align>),
    AlignContent(Option<Align>),
    JustifyItems(Option<Align>),
    JustifySelf(Option<Align>),
    RowGap(Linear),
    ColumnGap(Linear),
    Grid(GridValue),
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum FontSize {
    Length(Linear),
    Px(f32),
    /// Times the parent's size.
    Times(f32),
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum LineHeightGiven {
    Normal,
    Times(f32),
    Length(Linear),
}

/// Properties that change neither boxes, visibility, hits nor text here. Known, so that `@supports` holds for them.
const IGNORED: &[&str] = &[
    "accent-color",
    "animation",
    "background",
    "border-color",
    "border-radius",
    "box-shadow",
    "caret-color",
    "color",
    "color-scheme",
    "counter-increment",
    "counter-reset",
    "cursor",
    "fill",
    "font-feature-settings",
    "font-kerning",
    "font-smoothing",
    "font-stretch",
    "font-style",
    "font-variant",
    "font-variant-numeric",
    "font-weight",
    "hyphens",
    "object-fit",
    "outline",
    "outline-offset",
    "page-break-inside",
    "quotes",
    "resize",
    "scroll-behavior",
    "stroke",
    "stroke-width",
    "tab-size",
    "text-decoration",
    "text-overflow",
    "text-rendering",
    "text-shadow",
    "text-underline-offset",
    "touch-action",
    "transition",
    "unicode-bidi",
    "user-select",
    "-webkit-user-select",
    "-webkit-font-smoothing",
    "-moz-osx-font-smoothing",
    "-webkit-text-size-adjust",
    "text-size-adjust",
    "will-change",
    "-webkit-tap-highlight-color",
];

/// Prefixes of longhands of the same kind.
const IGNORED_STEMS: &[&str] = &[
    "background-",
    "border-top-color",
    "border-right-color",
    "border-bottom-color",
    "border-left-color",
    "border-top-left-",
    "border-top-right-",
    "border-bottom-left-",
    "border-bottom-right-",
    "animation-",
    "transition-",
    "outline-",
    "text-decoration-",
    "mask",
    "-webkit-mask",
    "scroll-",
    "font-variant-",
    "overscroll-behavior",
    "column-",
];

/// Parses one property. `None`: unknown property or invalid value.
pub(crate) fn parse(name: &str, input: &mut Parser<'_>) -> Option<Vec<Value>> {
    if name.starts_with("grid") && !name.ends_with("gap") {
        let values = grid::parse(name, input)?;
        return Some(values.into_iter().map(|one| Value::Box(BoxValue::Grid(one))).collect());
    }
    if let Some(values) = shorthand::parse(name, input) {
        return Some(values);
    }
    let one = longhand(name, input)?;
    Some(vec![one])
}

fn longhand(name: &str, input: &mut Parser<'_>) -> Option<Value> {
    if let Some((side, stem)) = side_of(name) {
        return sided(stem, side, input);
    }
    let value = match name {
        "width" | "inline-size" => Value::Width(parse_length(input)?),
        "height" | "block-size" => Value::Height(parse_length(input)?),
        "min-width" => Value::MinWidth(parse_length(input)?),
        "min-height" => Value::MinHeight(parse_length(input)?),
        "max-width" => Value::MaxWidth(parse_length(input)?),
        "max-height" => Value::MaxHeight(parse_length(input)?),
        "font-size" => Value::FontSize(font_size(input)?),
        "line-height" => Value::LineHeight(line_height(input)?),
        "opacity" => Value::Opacity(match input.next().ok()? {
            Token::Number { value, .. } => *value,
            Token::Percentage { unit_value, .. } => *unit_value,
            _ => return None,
        }),
        "z-index" => Value::ZIndex(match input.next().ok()? {
            Token::Number { int_value: Some(value), .. } => Some(*value),
            Token::Ident(word) if word.eq_ignore_ascii_case("auto") => None,
            _ => return None,
        }),
        "border-spacing" => {
            let first = parse_linear(input)?;
            Value::BorderSpacing(
                first,
                input.try_parse(|i| parse_linear(i).ok_or(())).unwrap_or(first),
            )
        }
        "aspect-ratio" => Value::AspectRatio(aspect_ratio(input)?),
        "clip" => Value::Clip(clips_all(input)),
        "clip-path" | "-webkit-clip-path" => Value::ClipPath(clips_all(input)),
        "filter" | "backdrop-filter" | "isolation" | "contain" | "perspective"
        | "mix-blend-mode" => Value::Isolated(isolates(input)?),
        "letter-spacing" => Value::LetterSpacing(spacing(input)?),
        "word-spacing" => Value::WordSpacing(spacing(input)?),
        "text-indent" => {
            let indent = parse_linear(input)?;
            while input.next().is_ok() {}
            Value::TextIndent(indent)
        }
        "vertical-align" => match input.try_parse(|input| parse_linear(input).ok_or(())) {
            Ok(linear) => Value::Raised(linear),
            Err(()) => return flex_or_word(name, input),
        },
        "list-style-type" => Value::Marker(list_style(input)?.0.unwrap_or(Marker::Symbol)),
        "transform" | "-webkit-transform" => Value::Transform(3, transform::parse(input)?),
        "translate" => Value::Transform(0, transform::parse_part(name, input)?),
        "rotate" => Value::Transform(1, transform::parse_part(name, input)?),
        "scale" => Value::Transform(2, transform::parse_part(name, input)?),
        "transform-origin" | "-webkit-transform-origin" => {
            let (x, y) = transform::parse_origin(input)?;
            Value::TransformOrigin(x, y)
        }
        "content" => Value::Content(super::content::parse(input)?),
        "font-family" => Value::Monospace(font_family(input)),
        "cursor" => Value::CursorPointer(cursor(input)?),
        _ => return flex_or_word(name, input),
    };
    Some(value)
}

fn flex_or_word(name: &str, input: &mut Parser<'_>) -> Option<Value> {
    if let Some(value) = super::flex::parse(name, input) {
        return value.map(Value::Box);
    }
    if IGNORED.contains(&name) || IGNORED_STEMS.iter().any(|stem| name.starts_with(stem)) {
        while input.next().is_ok() {}
        let draws = name.starts_with("background") || name.starts_with("border");
        return Some(if draws { Value::Drawn } else { Value::Ignored });
    }
    let word = input.expect_ident().ok()?.to_ascii_lowercase();
    keyword::parse(name, &word, input)
}

/// Side and stem of `margin-top` and its like.
pub(super) fn side_of(name: &str) -> Option<(usize, &str)> {
    const SIDES: [[&str; 2]; 4] = [
        ["top", "block-start"],
        ["right", "inline-end"],
        ["bottom", "block-end"],
        ["left", "inline-start"],
    ];
    for (side, words) in SIDES.iter().enumerate() {
        for word in words {
            if name == *word {
                return Some((side, "inset"));
            }
            for stem in ["inset", "margin", "padding"] {
                if name.strip_prefix(stem).and_then(|n| n.strip_prefix('-')) == Some(word) {
                    return Some((side, stem));
                }
            }
            let border = name.strip_prefix("border-").and_then(|n| n.strip_prefix(word));
            match border {
                Some("-width") => return Some((side, "border-width")),
                Some("-style") => return Some((side, "border-style")),
                _ => {}
            }
        }
    }
    None
}

fn sided(stem: &str, side: usize, input: &mut Parser<'_>) -> Option<Value> {
    Some(match stem {
        "inset" => Value::Inset(side, parse_length(input)?),
        "margin" => Value::Margin(side, parse_length(input)?),
        "padding" => Value::Padding(side, Length::Linear(parse_linear(input)?)),
        "border-width" => Value::Border(side, border_width(input)?),
        _ => Value::BorderStyled(side, border_style(input)?),
    })
}

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
fn aspect_ratio(input: &mut Parser<'_>) -> Option<Option<f32>> {
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
fn isolates(input: &mut Parser<'_>) -> Option<bool> {
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
fn clips_all(input: &mut Parser<'_>) -> bool {
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
fn spacing(input: &mut Parser<'_>) -> Option<Linear> {
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

fn cursor(input: &mut Parser<'_>) -> Option<bool> {
    let mut last = None;
    while let Ok(token) = input.next() {
        if let Token::Ident(word) = token {
            last = Some(word.eq_ignore_ascii_case("pointer"));
        }
    }
    last
}
