//! Declarations: from text to typed values.

use super::computed::{
    Align, ContentItem, Display, Float, Marker, Overflow, Position, TextAlign, VerticalAlign,
    WhiteSpace, WordBreak, Wrap,
};
use super::grid::GridValue;
use super::length::{Length, Linear, parse_length, parse_linear};
use super::transform::{self, Move};
use super::values::{
    aspect_ratio, border_style, border_width, clips_all, cursor, font_family, font_size, isolates,
    line_height, list_style, spacing,
};
use super::{keyword, shorthand, template};
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
        let values = template::parse(name, input)?;
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
