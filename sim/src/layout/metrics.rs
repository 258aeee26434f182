//! Text metrics and control sizes: a contract with the test profile, in which every font is DejaVu Sans Mono. Measured in
//! Chromium 156 at one device pixel to a CSS pixel.

use crate::dom::{Dom, InputKind};
use crate::style::{Computed, LineHeight};
use backlot_core::page::NodeId;

/// Advance of one character, CSS pixels.
pub(crate) fn advance(font_size: f32) -> f32 {
    (0.602 * font_size).round()
}

/// Ascent and descent, CSS pixels; their sum is the normal line height.
pub(crate) fn ascent_descent(font_size: f32) -> (f32, f32) {
    ((0.928 * font_size).round(), (0.236 * font_size).round())
}

/// What a line has above the ascent of its font: half of what is left of the line height, rounded down.
pub(crate) fn half_leading(style: &Computed) -> f32 {
    let (ascent, descent) = ascent_descent(style.font_size);
    ((line_height(style) - ascent - descent) / 2.0).floor()
}

pub(crate) fn line_height(style: &Computed) -> f32 {
    match style.line_height {
        LineHeight::Normal => {
            let (ascent, descent) = ascent_descent(style.font_size);
            ascent + descent
        }
        LineHeight::Times(times) => times * style.font_size,
        LineHeight::Px(px) => px,
    }
}

/// Width of a text, CSS pixels. Combining marks and joiners have none.
pub(crate) fn text_width(text: &str, font_size: f32) -> f32 {
    let wide = text.chars().filter(|c| !is_zero_width(*c)).count();
    #[expect(clippy::cast_precision_loss, reason = "no text is 2^24 characters long")]
    let count = wide as f32;
    count * advance(font_size)
}

fn is_zero_width(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}' | '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}' | '\u{fe00}'..='\u{fe0f}')
}

/// Content size of a control or replaced element that gets no size from its style: CSS pixels inside padding and border.
pub(crate) fn content_size(dom: &Dom, id: NodeId, style: &Computed) -> Option<(f32, f32)> {
    let line = line_height(style);
    let letter = advance(style.font_size);
    let number = |name: &str, default: f32| {
        let given = dom.attr(id, name).and_then(|text| text.trim().parse::<f32>().ok());
        given.filter(|n| *n >= 1.0).unwrap_or(default)
    };
    Some(match dom.html_tag(id) {
        "input" => return Some(input_size(dom, id, style)),
        "textarea" => (number("cols", 20.0) * letter + 16.0, number("rows", 2.0) * line),
        "select" => return Some(select_size(dom, id, style)),
        "iframe" | "canvas" | "object" => (300.0, 150.0),
        "video" => (300.0, 150.0),
        "audio" => (300.0, 54.0),
        "meter" => (80.0, 16.0),
        "progress" => (160.0, 16.0),
        "embed" => (0.0, 0.0),
        "img" => match dom.attr(id, "alt") {
            // Without a picture an icon and its alternative text stand there.
            Some(alt) if !alt.is_empty() && !has_picture(dom, id) => {
                (text_width(alt, style.font_size) + 16.0, line)
            }
            _ => (0.0, 0.0),
        },
        "" if dom.element(id).is_some_and(|element| element.tag() == "svg") => {
            (number("width", 300.0), number("height", 150.0))
        }
        _ => return None,
    })
}

/// SIM DIFFERENCE: only `data:` pictures are ever loaded, and none has a size of its own.
fn has_picture(dom: &Dom, id: NodeId) -> bool {
    let data = dom.attr(id, "src").and_then(|src| src.trim().strip_prefix("data:image/"));
    data.and_then(|data| data.split_once(',')).is_some_and(|(_, payload)| payload.len() > 8)
}

fn input_size(dom: &Dom, id: NodeId, style: &Computed) -> (f32, f32) {
    let line = line_height(style);
    let letter = advance(style.font_size);
    let label = |fallback: &str| {
        let text = dom.attr(id, "value").map_or_else(|| fallback.to_string(), str::to_string);
        (text_width(&text, style.font_size), line)
    };
    match dom.input_kind(id).unwrap_or(InputKind::Text) {
        InputKind::Checkbox | InputKind::Radio => (13.0, 13.0),
        InputKind::Submit => label("Submit"),
        InputKind::Reset => label("Reset"),
        InputKind::Button => label(""),
        InputKind::Range => (129.0, 16.0),
        InputKind::Color => (44.0, 23.0),
        InputKind::File => (272.0, 21.0),
        InputKind::Image | InputKind::Hidden => (0.0, 0.0),
        InputKind::Date => (119.328, 17.328),
        InputKind::Time => (98.0, 20.0),
        InputKind::DateTime => (205.328, 17.328),
        InputKind::Month => (149.328, 17.328),
        InputKind::Week => (141.328, 17.328),
        _ => {
            let size = dom.attr(id, "size").and_then(|text| text.trim().parse::<f32>().ok());
            let size = size.filter(|size| *size >= 1.0).unwrap_or(20.0);
            // Chromium adds what the widest letter is wider than the average one.
            let extra = 10.0 * letter / 8.0;
            (size * letter + extra, line)
        }
    }
}

fn select_size(dom: &Dom, id: NodeId, style: &Computed) -> (f32, f32) {
    let options = dom.options(id);
    let line = line_height(style);
    let widest = options.iter().map(|option| {
        let label = dom.attr(*option, "label").filter(|label| !label.is_empty());
        let text = label.map_or_else(|| dom.option_text(*option), str::to_string);
        text_width(&text, style.font_size)
    });
    let widest = widest.fold(0.0, f32::max);
    let size = dom.attr(id, "size").and_then(|text| text.trim().parse::<f32>().ok());
    let default = if dom.has_attr(id, "multiple") { 4.0 } else { 1.0 };
    let rows = size.filter(|size| *size >= 1.0).unwrap_or(default);
    if rows > 1.0 || dom.has_attr(id, "multiple") {
        return (widest + 4.0, rows * (line + 2.0));
    }
    (widest + 20.0, line + 2.0)
}
