//! Text of an element as `innerText` and `textContent` give it (HTML standard, "The innerText getter"; DOM standard).

use super::{AriaFrame, Hidden, HiddenReason};
use crate::page::{
    Display, Element, Frame, Namespace, NodeData, NodeIdx, Visibility, push_reversed,
};
use alloc::{string::String, vec::Vec};

/// Most characters of one text.
const CHARS_MAX: usize = 1_000_000;

/// A piece of rendered text.
enum Piece {
    Text(String),
    /// At least so many line breaks.
    Breaks(u8),
}

enum Step {
    Enter(NodeIdx),
    Add(Piece),
}

/// Rendered text: without what is not rendered, with line breaks and tabs where boxes make them.
///
/// SPEC DIFFERENCE: white space is kept only in `pre`: a capture does not hold the style that decides.
pub fn inner_text(aria: &AriaFrame<'_>, at: NodeIdx) -> String {
    let frame = aria.lookup().frame();
    if is_unrendered(aria, at) {
        return text_content(frame, at);
    }
    let mut pieces: Vec<Piece> = Vec::new();
    let mut open = children(aria, at);
    let mut length = 0;
    while let Some(step) = open.pop() {
        let here = match step {
            Step::Add(piece) => {
                pieces.push(piece);
                continue;
            }
            Step::Enter(here) => here,
        };
        match &frame.node(here).data {
            NodeData::Text(data) => {
                if is_visible_text(frame, here) && length < CHARS_MAX {
                    length += data.len();
                    let text = frame.shown_text(here, data).into_owned();
                    pieces.push(Piece::Text(if is_kept(frame, here) {
                        text
                    } else {
                        spaced(&text)
                    }));
                }
            }
            NodeData::ShadowRoot(_) => {}
            NodeData::Element(element) => {
                if is_unrendered(aria, here) || has_no_text(element) {
                    continue;
                }
                if element.is_html("br") {
                    pieces.push(Piece::Text("\n".into()));
                    continue;
                }
                let around = breaks_around(element);
                if around > 0 {
                    pieces.push(Piece::Breaks(around));
                    open.push(Step::Add(Piece::Breaks(around)));
                } else if let Some(behind) = cell_end(frame, here, element) {
                    open.push(Step::Add(Piece::Text(behind.into())));
                }
                open.extend(children(aria, here));
            }
        }
    }
    joined(pieces)
}

/// All text below an element, hidden text too; shadow trees are not part of it.
pub fn text_content(frame: &Frame, at: NodeIdx) -> String {
    let mut text = String::new();
    let end = frame.node(at).end;
    if let NodeData::Text(data) = &frame.node(at).data {
        return data.as_str().into();
    }
    let mut inner = at + 1;
    while inner < end {
        match &frame.node(inner).data {
            NodeData::ShadowRoot(_) => {
                inner = frame.node(inner).end;
                continue;
            }
            NodeData::Text(data) => text.push_str(data),
            NodeData::Element(_) => {}
        }
        inner += 1;
    }
    text
}

fn children(aria: &AriaFrame<'_>, at: NodeIdx) -> Vec<Step> {
    let mut steps = Vec::new();
    push_reversed(&mut steps, aria.lookup().flat_children(at).map(Step::Enter));
    steps
}

/// Not rendered at all; `aria-hidden` is no reason.
fn is_unrendered(aria: &AriaFrame<'_>, at: NodeIdx) -> bool {
    let by_style = aria.lookup().frame().element(at).and_then(|element| element.style.known());
    by_style.is_some_and(|style| style.display == Display::None)
        || matches!(
            aria.hidden(at),
            Hidden::SubtreeHidden(
                HiddenReason::NotRendered
                    | HiddenReason::ClosedDetails
                    | HiddenReason::ContentsSkipped
                    | HiddenReason::UntilFound
                    | HiddenReason::Unslotted
            )
        )
}

fn is_visible_text(frame: &Frame, at: NodeIdx) -> bool {
    let parent = frame.node(at).parent.and_then(|parent| frame.element(parent));
    let style = parent.and_then(|parent| parent.style.known());
    style.is_none_or(|style| style.visibility == Visibility::Visible)
}

/// Controls and replaced elements show no text of the page.
fn has_no_text(element: &Element) -> bool {
    element.namespace == Namespace::Html
        && matches!(
            element.tag.as_str(),
            "textarea"
                | "input"
                | "img"
                | "video"
                | "audio"
                | "canvas"
                | "iframe"
                | "object"
                | "progress"
                | "meter"
        )
}

fn breaks_around(element: &Element) -> u8 {
    if element.is_html("p") {
        return 2;
    }
    let is_block = match element.style.known() {
        Some(style) => style.display == Display::Block,
        None => false,
    };
    // Rows and their groups end by a line break of their own.
    let is_row = element.namespace == Namespace::Html
        && matches!(element.tag.as_str(), "tr" | "tbody" | "thead" | "tfoot");
    u8::from(is_block && !is_row || element.is_html("option"))
}

/// What stands behind a cell or a row that is not the last one.
fn cell_end(frame: &Frame, at: NodeIdx, element: &Element) -> Option<&'static str> {
    let behind = match element.tag.as_str() {
        "td" | "th" => "\t",
        "tr" => "\n",
        _ => return None,
    };
    let is_last = match element.tag.as_str() {
        "tr" => !rows_follow(frame, at),
        _ => !siblings_follow(frame, at, &["td", "th"]),
    };
    (!is_last).then_some(behind)
}

fn siblings_follow(frame: &Frame, at: NodeIdx, tags: &[&str]) -> bool {
    let Some(parent) = frame.node(at).parent else { return false };
    frame.children(parent).any(|sibling| {
        sibling > at
            && frame.element(sibling).is_some_and(|element| tags.contains(&element.tag.as_str()))
    })
}

/// A row follows in the same table, in whichever group.
fn rows_follow(frame: &Frame, at: NodeIdx) -> bool {
    let mut up = frame.node(at).parent;
    while let Some(here) = up {
        if frame.element(here).is_some_and(|element| element.is_html("table")) {
            let after = frame.node(at).end..frame.node(here).end;
            return after
                .into_iter()
                .any(|at| frame.element(at).is_some_and(|element| element.is_html("tr")));
        }
        up = frame.node(here).parent;
    }
    false
}

fn is_kept(frame: &Frame, at: NodeIdx) -> bool {
    let mut up = frame.node(at).parent;
    while let Some(here) = up {
        if frame.element(here).is_some_and(|element| element.is_html("pre")) {
            return true;
        }
        up = frame.node(here).parent;
    }
    false
}

/// Runs of white space as one space, at the ends too.
fn spaced(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut was_space = false;
    for c in text.chars() {
        let is_space = matches!(c, ' ' | '\t' | '\n' | '\r' | '\u{c}');
        if !is_space {
            out.push(c);
        } else if !was_space {
            out.push(' ');
        }
        was_space = is_space;
    }
    out
}

/// Spaces meet between pieces, and none stays at the ends of a line; runs of breaks count as the most that one of them asks for.
fn joined(pieces: Vec<Piece>) -> String {
    let mut out = String::new();
    let mut breaks = 0_u8;
    for piece in pieces {
        match piece {
            Piece::Breaks(count) => breaks = breaks.max(count),
            Piece::Text(text) => {
                let at_line_start = out.is_empty() || breaks > 0 || out.ends_with(['\n', '\t']);
                let text = if at_line_start || out.ends_with(' ') {
                    text.strip_prefix(' ').unwrap_or(&text)
                } else {
                    &text
                };
                if text.is_empty() {
                    continue;
                }
                if breaks > 0 || text.starts_with(['\n', '\t']) {
                    trim_space(&mut out);
                }
                if !out.is_empty() {
                    out.extend((0..breaks).map(|_| '\n'));
                }
                breaks = 0;
                out.push_str(text);
            }
        }
    }
    trim_space(&mut out);
    out
}

fn trim_space(out: &mut String) {
    if out.ends_with(' ') {
        out.pop();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::outline::{find, frame};

    fn check(outline: &str, inner: &str, content: &str) {
        let frame = frame(outline).unwrap();
        let aria = AriaFrame::new(&frame);
        let at = find(&frame, "x").unwrap();
        assert_eq!(inner_text(&aria, at), inner, "{outline}");
        assert_eq!(text_content(&frame, at), content, "{outline}");
    }

    #[test]
    fn blocks_break_lines_and_inline_text_does_not() {
        let page = "div#x {block}\n  \"  a \"\n  b {inline} \" b\"\n  p {block} \"c\"\n  div {block}\n    div {block} \"d\"\n  \"e \"";
        check(page, "a b\n\nc\n\nd\ne", "  a  bcde ");
        check("div#x {block}\n  \"a\"\n  br {inline}\n  \"b\"", "a\nb", "ab");
    }

    #[test]
    fn what_is_not_rendered_is_not_part_of_it() {
        let page = "div#x {block}\n  span {none} \"a\"\n  span {inline hidden} \"b\"\n  textarea {inline-block} \"c\"\n  \"d\"";
        check(page, "d", "abcd");
        check("div#x {none}\n  \"a\"\n  p {block} \"b\"", "ab", "ab");
    }

    #[test]
    fn cells_and_rows_are_told_apart() {
        let page = "table#x {block}\n  tr {block}\n    td {cell} \"a\"\n    td {cell} \"b\"\n  tr {block}\n    td {cell} \"c\"";
        check(page, "a\tb\nc", "abc");
    }
}
