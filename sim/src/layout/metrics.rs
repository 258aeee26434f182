//! Text metrics and control sizes: a contract with the test profile, in which every font is DejaVu Sans Mono. Measured in
//! Chromium 156 at one device pixel to a CSS pixel.

use crate::dom::{Dom, InputKind};
use crate::style::{Computed, LineHeight, Size};
use backlot_core::page::{Namespace, NodeId};

/// Advance of one character, CSS pixels.
pub(crate) fn advance(font_size: f32) -> f32 {
    (0.602 * font_size.round()).round()
}

/// Ascent and descent, CSS pixels; their sum is the normal line height.
pub(crate) fn ascent_descent(font_size: f32) -> (f32, f32) {
    ((0.928_223 * font_size).round(), (0.235_84 * font_size).round())
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
        // Layout counts in 64ths of a pixel, as Chromium's does.
        LineHeight::Times(times) => (times * style.font_size * 64.0).trunc() / 64.0,
        LineHeight::Px(px) => px,
    }
}

/// Line height of the text in a control: as the browser draws them, selects and buttons made of `input` keep their own.
pub(crate) fn control_line(dom: &Dom, id: NodeId, style: &Computed) -> f32 {
    let kept = match dom.html_tag(id) {
        "select" => !is_listbox(dom, id),
        "input" => matches!(
            dom.input_kind(id),
            Some(InputKind::Submit | InputKind::Reset | InputKind::Button)
        ),
        _ => false,
    };
    let (ascent, descent) = ascent_descent(style.font_size);
    if kept && !style.appearance_none { ascent + descent } else { line_height(style) }
}

/// Width of a text, CSS pixels. Combining marks and joiners have none.
pub(crate) fn text_width(text: &str, font_size: f32) -> f32 {
    let wide = text.chars().filter(|c| !is_zero_width(*c)).count();
    #[expect(clippy::cast_precision_loss, reason = "no text is 2^24 characters long")]
    let count = wide as f32;
    count * advance(font_size)
}

/// Width of a text with the spacing that a style asks for, CSS pixels.
pub(crate) fn styled_width(text: &str, style: &Computed) -> f32 {
    #[expect(clippy::cast_precision_loss, reason = "no text is 2^24 characters long")]
    let count = text.chars().filter(|c| !is_zero_width(*c)).count() as f32;
    count * (advance(style.font_size) + style.letter_spacing)
}

/// Width of a space between words, CSS pixels.
pub(crate) fn space_width(style: &Computed) -> f32 {
    advance(style.font_size) + style.letter_spacing + style.word_spacing
}

/// Whether a line may be broken between a character and the next one of its text (as Chromium breaks ASCII text; ideographs and
/// kana break everywhere).
pub(crate) fn breaks_after(before: Option<char>, c: char, next: Option<char>) -> bool {
    let Some(next) = next else { return false };
    match c {
        '-' if next.is_ascii_digit() => before.is_some_and(|c| c.is_ascii_alphanumeric()),
        '-' | '?' => next.is_alphanumeric(),
        '\u{200b}' | '\u{ad}' | '\u{2014}' => true,
        _ => is_ideograph(c) && next.is_alphanumeric() || is_ideograph(next) && c.is_alphanumeric(),
    }
}

fn is_ideograph(c: char) -> bool {
    matches!(c, '\u{2e80}'..='\u{2fff}' | '\u{3041}'..='\u{30fe}' | '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}')
}

fn is_zero_width(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}' | '\u{591}'..='\u{5bd}' | '\u{610}'..='\u{61a}' | '\u{64b}'..='\u{65f}' | '\u{670}' | '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}' | '\u{fe00}'..='\u{fe0f}')
}

/// Content size of a control or replaced element that gets no size from its style: CSS pixels inside padding and border.
pub(crate) fn content_size(dom: &Dom, id: NodeId, style: &Computed) -> Option<(f32, f32)> {
    let line = line_height(style);
    let number = |name: &str, default: f32| {
        let given = dom.attr(id, name).and_then(|text| text.trim().parse::<f32>().ok());
        given.filter(|n| *n >= 1.0).unwrap_or(default)
    };
    Some(match dom.html_tag(id) {
        "input" => return Some(input_size(dom, id, style)),
        "textarea" => {
            let width = (number("cols", 20.0) * average(style.font_size)).ceil() + 15.0;
            (width, number("rows", 2.0) * line)
        }
        "select" => return Some(select_size(dom, id, style)),
        // Where no scripts run a canvas is an element like any other.
        "canvas" if !dom.scripting => return None,
        "canvas" => (number("width", 300.0), number("height", 150.0)),
        "object" if !dom.has_attr(id, "data") => return None,
        "iframe" | "object" | "video" => (300.0, 150.0),
        "audio" => (300.0, 54.0),
        "meter" => (80.0, 16.0),
        "progress" => (160.0, 16.0),
        "embed" => (0.0, 0.0),
        "img" => match (picture(dom, id), dom.attr(id, "alt")) {
            (Some(size), _) => size,
            // Without a picture an icon and its alternative text stand there.
            (None, Some(alt)) if shows_alternative(dom, id) => {
                (text_width(alt, style.font_size) + 16.0, line.max(16.0))
            }
            _ => (0.0, 0.0),
        },
        "" if is_svg(dom, id) => match (ratio(dom, id, style), style.width, style.height) {
            (Some(ratio), Size::Given { px, percent: 0.0 }, _) => (px, px / ratio),
            (Some(ratio), _, Size::Given { px, percent: 0.0 }) => (px * ratio, px),
            (Some(ratio), ..) => (300.0, 300.0 / ratio),
            (None, ..) => (300.0, 150.0),
        },
        _ => return None,
    })
}

/// An icon and the alternative text stand for a picture.
pub(crate) fn shows_alternative(dom: &Dom, id: NodeId) -> bool {
    dom.attr(id, "alt").is_some_and(|alt| !alt.is_empty()) && !has_picture(dom, id)
}

/// A select that shows its options as a list.
pub(crate) fn is_listbox(dom: &Dom, id: NodeId) -> bool {
    listbox_rows(dom, id) > 1.0 || dom.has_attr(id, "multiple")
}

/// Height of one row of a list box, CSS pixels.
pub(crate) fn listbox_row(style: &Computed, border_box: bool) -> f32 {
    let (ascent, descent) = ascent_descent(style.font_size);
    let least = (1.2 * style.font_size * 64.0).trunc() / 64.0;
    let padding = 1.0;
    (ascent + descent + padding).max(if border_box { least } else { least + padding })
}

pub(crate) fn listbox_rows(dom: &Dom, id: NodeId) -> f32 {
    let size = dom.attr(id, "size").and_then(|text| text.trim().parse::<f32>().ok());
    let default = if dom.has_attr(id, "multiple") { 4.0 } else { 1.0 };
    size.filter(|size| *size >= 1.0).unwrap_or(default)
}

fn has_picture(dom: &Dom, id: NodeId) -> bool {
    picture(dom, id).is_some()
}

fn picture(dom: &Dom, id: NodeId) -> Option<(f32, f32)> {
    dom.element(id)?.live.picture
}

pub(crate) fn is_svg(dom: &Dom, id: NodeId) -> bool {
    dom.element(id)
        .is_some_and(|element| element.tag() == "svg" && element.namespace() == Namespace::Svg)
}

/// Width over height that a box keeps where only one of them is given.
pub(crate) fn ratio(dom: &Dom, id: NodeId, style: &Computed) -> Option<f32> {
    let natural = match dom.html_tag(id) {
        "img" | "input" => picture(dom, id).map(|(width, height)| width / height),
        "canvas" => {
            let number = |name: &str| dom.attr(id, name)?.trim().parse::<f32>().ok();
            Some(number("width").unwrap_or(300.0) / number("height").unwrap_or(150.0))
        }
        "" if is_svg(dom, id) => {
            let view = dom.attr(id, "viewBox")?;
            let sides: Vec<f32> =
                view.split([' ', ',']).filter_map(|word| word.trim().parse().ok()).collect();
            (sides.len() == 4).then(|| sides[2] / sides[3])
        }
        _ => None,
    };
    natural.or(style.aspect_ratio).filter(|ratio| ratio.is_finite() && *ratio > 0.0)
}

fn input_size(dom: &Dom, id: NodeId, style: &Computed) -> (f32, f32) {
    let line = control_line(dom, id, style);
    let size = style.font_size;
    let letters = |count: f32| count * advance(size);
    let label = |fallback: &str| {
        let text = dom.attr(id, "value").map_or_else(|| fallback.to_string(), str::to_string);
        (text_width(&text, size), line)
    };
    match dom.input_kind(id).unwrap_or(InputKind::Text) {
        InputKind::Checkbox | InputKind::Radio => (13.0, 13.0),
        InputKind::Submit => label("Submit"),
        InputKind::Reset => label("Reset"),
        InputKind::Button => label(""),
        InputKind::Range => (129.0, 16.0),
        InputKind::Color => (44.0, 23.0),
        InputKind::File => (letters(34.0), line + 6.0),
        InputKind::Image => match dom.attr(id, "alt") {
            _ if has_picture(dom, id) => picture(dom, id).unwrap_or_default(),
            Some(alt) if !alt.is_empty() => (text_width(alt, size) + 16.0, line.max(16.0)),
            _ => (0.0, 0.0),
        },
        InputKind::Hidden => (0.0, 0.0),
        InputKind::Time => (letters(8.0) + 20.0 + 1.05 * size, (line + 2.0).max(1.05 * size + 6.0)),
        InputKind::Date => picked(letters(12.0), style),
        InputKind::DateTime => picked(letters(22.75), style),
        InputKind::Month => picked(letters(15.75), style),
        InputKind::Week => picked(letters(14.75), style),
        InputKind::Number if let Some(count) = number_letters(dom, id) => {
            let widest = (1.28 * size).round();
            // With room for the buttons that step.
            ((average(size) * (count - 1.0) + widest).ceil() + 15.0, line)
        }
        _ => {
            let count = dom.attr(id, "size").and_then(|text| text.trim().parse::<f32>().ok());
            let count = count.filter(|count| *count >= 1.0).unwrap_or(20.0);
            // The widest letter of the font counts once.
            let widest = (1.28 * size).round();
            ((average(size) * (count - 1.0) + widest).ceil(), line)
        }
    }
}

/// Letters of the longest number that a field with both limits can hold.
fn number_letters(dom: &Dom, id: NodeId) -> Option<f32> {
    let parts = |name: &str| {
        let text = dom.attr(id, name)?.trim();
        text.parse::<f64>().ok()?;
        let (whole, decimals) = text.split_once('.').unwrap_or((text, ""));
        Some((whole.len(), decimals.len()))
    };
    let (least, most) = (parts("min")?, parts("max")?);
    let is_any = dom.attr(id, "step").is_some_and(|step| step.eq_ignore_ascii_case("any"));
    let step = parts("step").map_or(0, |(_, decimals)| decimals);
    let decimals = least.1.max(most.1).max(step);
    let letters = least.0.max(most.0) + if decimals > 0 { decimals + 1 } else { 0 };
    #[expect(clippy::cast_precision_loss, reason = "no attribute is 2^24 letters long")]
    (!is_any).then_some(letters as f32)
}

/// A field with a button behind its text.
fn picked(text: f32, style: &Computed) -> (f32, f32) {
    let size = style.font_size;
    (text + size + 10.0, (line_height(style) + 2.0).max(size + 4.0))
}

/// What a font tells as the width of its average character, CSS pixels.
fn average(font_size: f32) -> f32 {
    (0.602 * font_size).max(advance(font_size))
}

fn select_size(dom: &Dom, id: NodeId, style: &Computed) -> (f32, f32) {
    let line = control_line(dom, id, style);
    let listbox = is_listbox(dom, id);
    let indent = 4.0 * advance(style.font_size);
    let options = dom.options(id);
    let widest = options.iter().map(|option| {
        let label = dom.attr(*option, "label").filter(|label| !label.is_empty());
        let text = label.map_or_else(|| dom.option_text(*option), str::to_string);
        let grouped = dom.parent_element(*option).is_some_and(|up| dom.is_html(up, "optgroup"));
        text_width(&text, style.font_size)
            + match (grouped, listbox) {
                (false, _) => 0.0,
                (true, false) => indent,
                (true, true) => 18.0,
            }
    });
    let mut widest = widest.fold(0.0, f32::max);
    if listbox {
        let groups = dom.subtree(id).filter(|at| dom.is_html(*at, "optgroup"));
        let labels = groups.filter_map(|group| dom.attr(group, "label"));
        widest = labels.map(|label| text_width(label, style.font_size)).fold(widest, f32::max);
        return (widest + 4.0, 0.0);
    }
    // Without the browser's look there is no arrow, and no room around it.
    if style.appearance_none { (widest, line) } else { (widest + 20.0, line + 2.0) }
}
