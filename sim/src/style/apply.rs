//! Putting declared values into a computed style.

use super::block::{Declared, Wide, parse_text};
use super::computed::{Boxes, Computed, Display, Float, LineHeight, Position, Size, VerticalAlign};
use super::custom;
use super::declare::{BoxValue, FontSize, LineHeightGiven, Value};
use super::length::{Basis, tame};
use super::reset::reset;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::rc::Rc;

/// What a style is computed against.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Around<'a> {
    pub(crate) parent: &'a Computed,
    /// Font size of the root element, CSS pixels.
    pub(crate) rem: f32,
    /// Size of the viewport, CSS pixels.
    pub(crate) viewport: (f32, f32),
}

/// A declaration in a list of them, the weakest first.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ranked<'a> {
    pub(crate) declared: &'a Declared,
    /// Where its origin and its layer begin in the list: what `revert` and `revert-layer` leave.
    pub(crate) origin: usize,
    pub(crate) layer: usize,
}

/// Most nesting of `revert` in what a `revert` goes back to.
const REVERTS_MAX: u32 = 6;

/// Computes a style from declarations, the strongest last.
pub(crate) fn compute(declarations: &[Ranked<'_>], around: Around<'_>) -> Computed {
    compute_at(declarations, around, 0)
}

fn compute_at(declarations: &[Ranked<'_>], around: Around<'_>, deep: u32) -> Computed {
    let mut style = Computed::inheriting(around.parent);
    let own: BTreeMap<&str, &str> = declarations
        .iter()
        .filter_map(|one| match one.declared {
            Declared::Custom(name, text) => Some((name.as_str(), text.as_str())),
            _ => None,
        })
        .collect();
    if !own.is_empty() {
        style.custom = Rc::new(custom::resolve(&around.parent.custom, &own));
    }
    let customs = Rc::clone(&style.custom);
    let lookup = |name: &str| customs.get(name).map(String::as_str);
    let resolved: Vec<Cow<'_, Declared>> = declarations
        .iter()
        .map(|one| match one.declared {
            Declared::Raw(name, text) => {
                let text = custom::substitute(text, &lookup);
                // A value that is invalid at computed-value time counts as `unset`.
                let parsed = text.and_then(|text| parse_text(name, text.trim()));
                Cow::Owned(parsed.unwrap_or_else(|| Declared::Wide(name.clone(), Wide::Unset)))
            }
            other => Cow::Borrowed(other),
        })
        .collect();
    // Fonts first: `em` in all other properties refers to the element's own size.
    for fonts in [true, false] {
        for (declared, rank) in resolved.iter().zip(declarations) {
            match &**declared {
                Declared::Known(values) => {
                    for value in values.iter().filter(|value| value.is_font() == fonts) {
                        apply(value, &mut style, around);
                    }
                }
                Declared::Wide(name, wide) => {
                    let from = match wide {
                        Wide::Inherit => Cow::Borrowed(around.parent),
                        Wide::Initial => Cow::Owned(Computed::initial()),
                        Wide::Unset => Cow::Owned(Computed::inheriting(around.parent)),
                        Wide::Revert => back(declarations, rank.origin, around, deep),
                        Wide::RevertLayer => back(declarations, rank.layer, around, deep),
                    };
                    reset_in(name, fonts, &mut style, &from);
                }
                Declared::Raw(..) | Declared::Custom(..) => {}
            }
        }
    }
    finish(&mut style);
    style
}

/// The style without what was declared from a place on.
fn back<'a>(
    declarations: &[Ranked<'_>],
    to: usize,
    around: Around<'a>,
    deep: u32,
) -> Cow<'a, Computed> {
    Cow::Owned(match deep < REVERTS_MAX {
        true => compute_at(&declarations[..to.min(declarations.len())], around, deep + 1),
        false => Computed::inheriting(around.parent),
    })
}

/// Takes a property from another style, in the turn of fonts or of all others.
fn reset_in(name: &str, fonts: bool, style: &mut Computed, from: &Computed) {
    match name {
        "all" if fonts => reset("font", style, from),
        "all" => {
            let font = (style.font_size, style.monospace);
            reset(name, style, from);
            (style.font_size, style.monospace) = font;
        }
        "font" | "font-size" | "font-family" if fonts => reset(name, style, from),
        "font" => style.line_height = from.line_height,
        "font-size" | "font-family" => {}
        _ if fonts => {}
        _ => reset(name, style, from),
    }
}

/// What depends on several properties.
fn finish(style: &mut Computed) {
    if style.transform.as_ref().is_some_and(|transform| transform.is_none()) {
        style.transform = None;
    }
    if style.out_of_flow() {
        style.was_inline = matches!(
            style.display,
            Display::Inline
                | Display::InlineBlock
                | Display::InlineFlex
                | Display::InlineGrid
                | Display::InlineTable
        );
        style.display = style.display.blockified();
    }
    if matches!(style.position, Position::Absolute | Position::Fixed) {
        style.float = Float::None;
        // `clip` counts for these only.
        style.clipped_away |= style.clip_rect;
    }
}

fn apply(value: &Value, style: &mut Computed, around: Around<'_>) {
    let basis = Basis { em: style.font_size, rem: around.rem, viewport: around.viewport };
    let px = |linear: super::length::Linear| linear.resolve(basis).0;
    match value {
        Value::Display(display) => style.display = *display,
        Value::Visibility(visibility) => style.visibility = *visibility,
        Value::TextTransform(transform) => style.text_transform = *transform,
        Value::CursorPointer(pointer) => style.cursor_pointer = *pointer,
        Value::ContentHidden(hidden) => style.content_hidden = *hidden,
        Value::Position(position) => style.position = *position,
        Value::Float(float) => style.float = *float,
        Value::Clear(clear) => style.clear = *clear,
        Value::Inset(side, length) => style.inset[*side] = length.resolve(basis),
        Value::Width(length) => style.width = length.resolve(basis),
        Value::Height(length) => style.height = length.resolve(basis),
        Value::MinWidth(length) => style.min_width = length.resolve(basis),
        Value::MinHeight(length) => style.min_height = length.resolve(basis),
        Value::MaxWidth(length) => style.max_width = length.resolve(basis),
        Value::MaxHeight(length) => style.max_height = length.resolve(basis),
        Value::Margin(side, length) => {
            style.margin[*side] = length.resolve(basis);
            style.quirky_margin[*side] = length.is_quirky();
        }
        Value::Padding(side, length) => style.padding[*side] = length.resolve(basis),
        Value::Border(side, linear) => style.border[*side] = px(*linear).max(0.0),
        Value::BorderStyled(side, styled) => style.border_styled[*side] = *styled,
        Value::BorderBox(border_box) => style.border_box = *border_box,
        Value::OverflowX(overflow) => style.overflow.0 = *overflow,
        Value::OverflowY(overflow) => style.overflow.1 = *overflow,
        Value::FontSize(size) => style.font_size = font_size(*size, style, around),
        Value::Monospace(monospace) => set_monospace(style, *monospace),
        Value::LineHeight(height) => {
            style.line_height = match height {
                LineHeightGiven::Normal => LineHeight::Normal,
                LineHeightGiven::Times(times) => LineHeight::Times(tame(*times)),
                LineHeightGiven::Length(linear) => {
                    let (px, percent) = linear.resolve(basis);
                    LineHeight::Px(px + percent * style.font_size)
                }
            };
        }
        Value::WhiteSpace(white_space) => style.white_space = *white_space,
        Value::TextAlign(align) => style.text_align = *align,
        Value::VerticalAlign(align) => style.vertical_align = *align,
        Value::Raised(linear) => {
            let (px, percent) = linear.resolve(basis);
            style.vertical_align = VerticalAlign::Length(Size::Given { px, percent });
        }
        Value::WordBreak(word_break) => style.word_break = *word_break,
        Value::LetterSpacing(linear) => style.letter_spacing = px(*linear),
        Value::WordSpacing(linear) => style.word_spacing = px(*linear),
        Value::TextIndent(linear) => {
            let (px, percent) = linear.resolve(basis);
            style.text_indent = Size::Given { px, percent };
        }
        Value::TableFixed(fixed) => style.table_fixed = *fixed,
        Value::AppearanceNone(none) => style.appearance_none = *none,
        Value::Isolated(isolated) => style.isolated |= *isolated,
        Value::Clip(clips) => style.clip_rect = *clips,
        Value::ClipPath(clips) => style.clipped_away |= *clips,
        Value::Rtl(rtl) => style.rtl = *rtl,
        Value::AspectRatio(ratio) => style.aspect_ratio = *ratio,
        Value::Marker(marker) => style.marker = *marker,
        Value::MarkerInside(inside) => style.marker_inside = *inside,
        Value::BorderSpacing(x, y) => style.border_spacing = (px(*x), px(*y)),
        Value::BorderCollapse(collapse) => style.border_collapse = *collapse,
        Value::ZIndex(z_index) => style.z_index = *z_index,
        Value::Opacity(opacity) => style.opacity = opacity.clamp(0.0, 1.0),
        Value::PointerEvents(events) => style.pointer_events = *events,
        Value::Transform(part, moves) => {
            let transform = Rc::make_mut(style.transform.get_or_insert_default());
            transform.parts[*part] = moves.iter().map(|one| one.resolve(basis)).collect();
        }
        Value::TransformOrigin(x, y) => {
            let transform = Rc::make_mut(style.transform.get_or_insert_default());
            transform.origin = (x.resolve(basis), y.resolve(basis));
        }
        Value::Content(content) => style.content = content.clone().map(Rc::new),
        Value::Box(value) => apply_box(value, Rc::make_mut(&mut style.boxes), basis),
        Value::Drawn | Value::Ignored => {}
    }
}

/// `monospace` alone has a default size of 13 px, every other family one of 16.
pub(super) fn set_monospace(style: &mut Computed, monospace: bool) {
    if style.monospace != monospace {
        style.font_size *= if monospace { 13.0 / 16.0 } else { 16.0 / 13.0 };
        style.monospace = monospace;
    }
}

/// The largest font, CSS pixels, as in Chromium.
const FONT_MAX: f32 = 10_000.0;

fn font_size(size: FontSize, style: &Computed, around: Around<'_>) -> f32 {
    let parent = around.parent.font_size;
    match size {
        FontSize::Px(px) => px * if style.monospace { 13.0 / 16.0 } else { 1.0 },
        FontSize::Times(times) => (parent * times).min(FONT_MAX),
        FontSize::Length(linear) => {
            let basis = Basis { em: parent, rem: around.rem, viewport: around.viewport };
            let (px, percent) = linear.resolve(basis);
            (px + percent * parent).clamp(0.0, FONT_MAX)
        }
    }
}

fn apply_box(value: &BoxValue, boxes: &mut Boxes, basis: Basis) {
    let gap = |linear: super::length::Linear| {
        let (px, percent) = linear.resolve(basis);
        Size::Given { px, percent }
    };
    match value {
        BoxValue::Direction { column, reverse } => {
            boxes.column = *column;
            boxes.reverse = *reverse;
        }
        BoxValue::Wrap(wrap) => boxes.wrap = *wrap,
        BoxValue::Grow(grow) => boxes.grow = tame(*grow).max(0.0),
        BoxValue::Shrink(shrink) => boxes.shrink = tame(*shrink).max(0.0),
        BoxValue::Basis(basis_given) => boxes.basis = basis_given.resolve(basis),
        BoxValue::Order(order) => boxes.order = *order,
        BoxValue::AlignItems(align) => boxes.align_items = *align,
        BoxValue::AlignSelf(align) => boxes.align_self = *align,
        BoxValue::JustifyContent(align) => boxes.justify_content = *align,
        BoxValue::AlignContent(align) => boxes.align_content = *align,
        BoxValue::JustifyItems(align) => boxes.justify_items = *align,
        BoxValue::JustifySelf(align) => boxes.justify_self = *align,
        BoxValue::RowGap(linear) => boxes.gap.0 = gap(*linear),
        BoxValue::ColumnGap(linear) => boxes.gap.1 = gap(*linear),
        BoxValue::Grid(value) => Rc::make_mut(&mut boxes.grid).apply(value, basis),
    }
}
