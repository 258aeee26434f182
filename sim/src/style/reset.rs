//! The keywords that every property takes: `inherit`, `initial`, `unset` and what rolls back. A table of property names.

use super::apply::set_monospace;
use super::computed::{Computed, Display};
use super::declare::side_of;
use std::rc::Rc;

/// Takes a property, or the longhands of a shorthand, from another style.
pub(super) fn reset(name: &str, style: &mut Computed, from: &Computed) {
    if let Some((side, stem)) = side_of(name) {
        reset_side(stem, side, style, from);
        return;
    }
    if reset_sides(name, style, from) || reset_text(name, style, from) {
        return;
    }
    match name {
        "display" => style.display = from.display,
        "visibility" => style.visibility = from.visibility,
        "cursor" => style.cursor_pointer = from.cursor_pointer,
        "content-visibility" => style.content_hidden = from.content_hidden,
        "position" => style.position = from.position,
        "float" => style.float = from.float,
        "clear" => style.clear = from.clear,
        "width" | "inline-size" => style.width = from.width,
        "height" | "block-size" => style.height = from.height,
        "min-width" => style.min_width = from.min_width,
        "min-height" => style.min_height = from.min_height,
        "max-width" => style.max_width = from.max_width,
        "max-height" => style.max_height = from.max_height,
        "box-sizing" => style.border_box = from.border_box,
        "overflow" => style.overflow = from.overflow,
        "overflow-x" | "overflow-inline" => style.overflow.0 = from.overflow.0,
        "overflow-y" | "overflow-block" => style.overflow.1 = from.overflow.1,
        "aspect-ratio" => style.aspect_ratio = from.aspect_ratio,
        "appearance" | "-webkit-appearance" => style.appearance_none = from.appearance_none,
        "border-spacing" => style.border_spacing = from.border_spacing,
        "border-collapse" => style.border_collapse = from.border_collapse,
        "table-layout" => style.table_fixed = from.table_fixed,
        "list-style" => {
            style.marker = from.marker;
            style.marker_inside = from.marker_inside;
        }
        "list-style-type" => style.marker = from.marker,
        "list-style-position" => style.marker_inside = from.marker_inside,
        "z-index" => style.z_index = from.z_index,
        "opacity" => style.opacity = from.opacity,
        "pointer-events" => style.pointer_events = from.pointer_events,
        "filter" | "backdrop-filter" | "isolation" | "contain" => style.isolated = from.isolated,
        "clip" => style.clip_rect = from.clip_rect,
        "clip-path" => style.clipped_away = from.clipped_away,
        "transform" | "transform-origin" | "translate" | "rotate" | "scale" => {
            style.transform.clone_from(&from.transform);
        }
        "content" => style.content.clone_from(&from.content),
        "all" => reset_all(style, from),
        _ => reset_box(name, style, from),
    }
}

fn reset_side(stem: &str, side: usize, style: &mut Computed, from: &Computed) {
    match stem {
        "inset" => style.inset[side] = from.inset[side],
        "margin" => {
            style.margin[side] = from.margin[side];
            style.quirky_margin[side] = from.quirky_margin[side];
        }
        "padding" => style.padding[side] = from.padding[side],
        "border-width" => style.border[side] = from.border[side],
        _ => style.border_styled[side] = from.border_styled[side],
    }
}

/// Shorthands of sides.
fn reset_sides(name: &str, style: &mut Computed, from: &Computed) -> bool {
    let (stem, sides): (&str, &[usize]) = match name {
        "inset" | "margin" | "padding" | "border" | "border-width" | "border-style" => {
            (name, &[0, 1, 2, 3])
        }
        "inset-block" | "margin-block" | "padding-block" | "border-block" => {
            (name.trim_end_matches("-block"), &[0, 2])
        }
        "inset-inline" | "margin-inline" | "padding-inline" | "border-inline" => {
            (name.trim_end_matches("-inline"), &[3, 1])
        }
        "border-top" | "border-block-start" => ("border", &[0]),
        "border-right" | "border-inline-end" => ("border", &[1]),
        "border-bottom" | "border-block-end" => ("border", &[2]),
        "border-left" | "border-inline-start" => ("border", &[3]),
        _ => return false,
    };
    for side in sides {
        if stem == "border" {
            reset_side("border-width", *side, style, from);
        }
        reset_side(stem, *side, style, from);
    }
    true
}

fn reset_text(name: &str, style: &mut Computed, from: &Computed) -> bool {
    match name {
        "font" => {
            style.font_size = from.font_size;
            style.monospace = from.monospace;
            style.line_height = from.line_height;
        }
        "font-size" => {
            style.font_size = from.font_size;
        }
        "font-family" => set_monospace(style, from.monospace),
        "line-height" => style.line_height = from.line_height,
        "white-space" => style.white_space = from.white_space,
        "direction" => style.rtl = from.rtl,
        "text-align" => style.text_align = from.text_align,
        "text-transform" => style.text_transform = from.text_transform,
        "word-break" | "overflow-wrap" | "word-wrap" => style.word_break = from.word_break,
        "letter-spacing" => style.letter_spacing = from.letter_spacing,
        "word-spacing" => style.word_spacing = from.word_spacing,
        "text-indent" => style.text_indent = from.text_indent,
        "vertical-align" => style.vertical_align = from.vertical_align,
        _ => return false,
    }
    true
}

/// Flex and grid.
fn reset_box(name: &str, style: &mut Computed, from: &Computed) {
    let to = Rc::make_mut(&mut style.boxes);
    let from = &from.boxes;
    match name {
        "flex-direction" => (to.column, to.reverse) = (from.column, from.reverse),
        "flex-wrap" => to.wrap = from.wrap,
        "flex-flow" => {
            (to.column, to.reverse, to.wrap) = (from.column, from.reverse, from.wrap);
        }
        "flex" => (to.grow, to.shrink, to.basis) = (from.grow, from.shrink, from.basis),
        "flex-grow" => to.grow = from.grow,
        "flex-shrink" => to.shrink = from.shrink,
        "flex-basis" => to.basis = from.basis,
        "order" => to.order = from.order,
        "align-items" => to.align_items = from.align_items,
        "align-self" => to.align_self = from.align_self,
        "align-content" => to.align_content = from.align_content,
        "justify-items" => to.justify_items = from.justify_items,
        "justify-self" => to.justify_self = from.justify_self,
        "justify-content" => to.justify_content = from.justify_content,
        "place-items" => {
            (to.align_items, to.justify_items) = (from.align_items, from.justify_items);
        }
        "place-self" => (to.align_self, to.justify_self) = (from.align_self, from.justify_self),
        "place-content" => {
            (to.align_content, to.justify_content) = (from.align_content, from.justify_content);
        }
        "gap" | "grid-gap" => to.gap = from.gap,
        "row-gap" => to.gap.0 = from.gap.0,
        "column-gap" => to.gap.1 = from.gap.1,
        _ if name.starts_with("grid") => to.grid.clone_from(&from.grid),
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
