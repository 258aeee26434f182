//! Putting declared values into a computed style.

use super::block::{Declared, Wide, parse_text, substitute};
use super::computed::{
    Boxes, Computed, Display, Float, LineHeight, Position, Size, VerticalAlign,
};
use super::declare::{BoxValue, FontSize, LineHeightGiven, Value};
use super::length::Basis;
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

/// Computes a style from declarations, the strongest last.
pub(crate) fn compute(declarations: &[&Declared], around: Around<'_>) -> Computed {
    let mut style = Computed::inheriting(around.parent);
    for declared in declarations {
        if let Declared::Custom(name, text) = declared {
            Rc::make_mut(&mut style.custom).insert(name.clone(), text.clone());
        }
    }
    let custom = Rc::clone(&style.custom);
    let lookup = |name: &str| custom.get(name).map(String::as_str);
    let resolved: Vec<Declared> = declarations
        .iter()
        .filter_map(|declared| match declared {
            Declared::Raw(name, text) => {
                let text = substitute(text, &lookup);
                // A value that is invalid at computed-value time counts as `unset`.
                let parsed = text.and_then(|text| parse_text(name, &text));
                Some(parsed.unwrap_or_else(|| Declared::Wide(name.clone(), Wide::Unset)))
            }
            Declared::Custom(..) => None,
            other => Some((*other).clone()),
        })
        .collect();
    // Fonts first: `em` in all other properties refers to the element's own size.
    let is_font = |value: &Value| matches!(value, Value::FontSize(_) | Value::Monospace(_));
    apply_all(&resolved, &mut style, around, &|value| is_font(value));
    apply_all(&resolved, &mut style, around, &|value| !is_font(value));
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
    style
}

fn apply_all(
    declarations: &[Declared],
    style: &mut Computed,
    around: Around<'_>,
    wanted: &dyn Fn(&Value) -> bool,
) {
    for declared in declarations {
        match declared {
            Declared::Known(values) => {
                for value in values.iter().filter(|value| wanted(value)) {
                    apply(value, style, around);
                }
            }
            Declared::Wide(name, wide) => {
                let is_font = matches!(name.as_str(), "font" | "font-size" | "font-family");
                if is_font == wanted(&Value::Monospace(false)) {
                    reset(name, *wide, style, around.parent);
                }
            }
            Declared::Raw(..) | Declared::Custom(..) => {}
        }
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
                LineHeightGiven::Times(times) => LineHeight::Times(*times),
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
fn set_monospace(style: &mut Computed, monospace: bool) {
    if style.monospace != monospace {
        style.font_size *= if monospace { 13.0 / 16.0 } else { 16.0 / 13.0 };
        style.monospace = monospace;
    }
}

fn font_size(size: FontSize, style: &Computed, around: Around<'_>) -> f32 {
    let parent = around.parent.font_size;
    match size {
        FontSize::Px(px) => px * if style.monospace { 13.0 / 16.0 } else { 1.0 },
        FontSize::Times(times) => parent * times,
        FontSize::Length(linear) => {
            let basis = Basis { em: parent, rem: around.rem, viewport: around.viewport };
            let (px, percent) = linear.resolve(basis);
            (px + percent * parent).max(0.0)
        }
    }
}

fn apply_box(value: &BoxValue, boxes: &mut Boxes, basis: Basis) {
    let tracks = |given: &[super::declare::TrackGiven]| {
        given.iter().map(|track| track.resolve(basis)).collect()
    };
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
        BoxValue::Grow(grow) => boxes.grow = grow.max(0.0),
        BoxValue::Shrink(shrink) => boxes.shrink = shrink.max(0.0),
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
        BoxValue::Columns(given) => boxes.columns = tracks(given),
        BoxValue::Rows(given) => boxes.rows = tracks(given),
        BoxValue::GridColumn(start, span) => boxes.grid_column = (*start, *span),
        BoxValue::GridRow(start, span) => boxes.grid_row = (*start, *span),
    }
}

/// Carries out `inherit`, `initial`, `unset` and `revert`.
fn reset(name: &str, wide: Wide, style: &mut Computed, parent: &Computed) {
    let initial = Computed::initial();
    let unset = Computed::inheriting(parent);
    let from = match wide {
        Wide::Inherit => parent,
        Wide::Initial => &initial,
        Wide::Unset | Wide::Revert => &unset,
    };
    match name {
        "display" => style.display = from.display,
        "visibility" => style.visibility = from.visibility,
        "text-transform" => style.text_transform = from.text_transform,
        "cursor" => style.cursor_pointer = from.cursor_pointer,
        "content-visibility" => style.content_hidden = from.content_hidden,
        "position" => style.position = from.position,
        "float" => style.float = from.float,
        "inset" => style.inset = from.inset,
        "width" => style.width = from.width,
        "height" => style.height = from.height,
        "min-width" => style.min_width = from.min_width,
        "min-height" => style.min_height = from.min_height,
        "max-width" => style.max_width = from.max_width,
        "max-height" => style.max_height = from.max_height,
        "margin" => style.margin = from.margin,
        "padding" => style.padding = from.padding,
        "border" => {
            style.border = from.border;
            style.border_styled = from.border_styled;
        }
        "box-sizing" => style.border_box = from.border_box,
        "overflow" => style.overflow = from.overflow,
        "font" | "font-size" => {
            style.font_size = from.font_size;
            style.monospace = from.monospace;
        }
        "font-family" => set_monospace(style, from.monospace),
        "line-height" => style.line_height = from.line_height,
        "white-space" => style.white_space = from.white_space,
        "text-align" => style.text_align = from.text_align,
        "word-break" | "overflow-wrap" | "word-wrap" => style.word_break = from.word_break,
        "letter-spacing" => style.letter_spacing = from.letter_spacing,
        "word-spacing" => style.word_spacing = from.word_spacing,
        "text-indent" => style.text_indent = from.text_indent,
        "appearance" | "-webkit-appearance" => style.appearance_none = from.appearance_none,
        "aspect-ratio" => style.aspect_ratio = from.aspect_ratio,
        "list-style" | "list-style-type" => style.marker = from.marker,
        "list-style-position" => style.marker_inside = from.marker_inside,
        "vertical-align" => style.vertical_align = from.vertical_align,
        "z-index" => style.z_index = from.z_index,
        "opacity" => style.opacity = from.opacity,
        "pointer-events" => style.pointer_events = from.pointer_events,
        "transform" | "transform-origin" | "translate" | "rotate" | "scale" => {
            style.transform.clone_from(&from.transform);
        }
        "content" => style.content.clone_from(&from.content),
        "all" => reset_all(style, from),
        _ => {}
    }
}

fn reset_all(style: &mut Computed, from: &Computed) {
    let custom = Rc::clone(&style.custom);
    *style = from.clone();
    style.custom = custom;
    if from.display == Display::None {
        style.display = Display::Inline;
    }
}
