//! Accessible descriptions: accname 1.2 "Description Computation" and HTML-AAM's sources of them.

use super::AriaFrame;
use super::name::{NameSource, Walk};
use super::tree::is_blank;
use crate::page::{Element, Namespace, NodeData, NodeIdx};
use crate::planted::{self, Bug};
use alloc::string::String;

/// The description of one element: `aria-describedby`, `aria-description`, then what the name left over.
pub(super) fn of(aria: &AriaFrame<'_>, at: NodeIdx) -> String {
    let Some(element) = aria.tree.frame.element(at) else { return String::new() };
    let mut walk = Walk::new(aria, at);
    if walk.described_by(at) {
        return walk.finish();
    }
    if let Some(text) = element.attr("aria-description").filter(|text| !is_blank(text)) {
        return folded(text);
    }
    if let Some(text) = host_description(aria, at, element) {
        return text;
    }
    match element.attr("title").filter(|text| !is_blank(text)) {
        Some(title) => {
            let (title, name) = (folded(title), aria.name(at));
            let told = name.source == NameSource::Title || name.text == title;
            let told = told && !planted::is(Bug::TitleSaidTwice);
            if told { String::new() } else { title }
        }
        None => String::new(),
    }
}

/// HTML-AAM and SVG-AAM: the value of a button that another label names, and an SVG element's `desc`, else its `title`.
fn host_description(aria: &AriaFrame<'_>, at: NodeIdx, element: &Element) -> Option<String> {
    let text = match element.namespace {
        Namespace::Html => match element.input_type().as_str() {
            "button" | "submit" | "reset" => folded(element.attr("value")?),
            _ => return None,
        },
        Namespace::Svg => {
            let frame = aria.tree.frame;
            let child = |tag| {
                frame.children(at).find(|child| {
                    frame
                        .element(*child)
                        .is_some_and(|e| e.namespace == Namespace::Svg && e.tag == tag)
                })
            };
            let child = child("desc").or_else(|| child("title"));
            let texts = child.into_iter().flat_map(|child| frame.children(child));
            let texts = texts.filter_map(|at| match &frame.node(at).data {
                NodeData::Text(text) => Some(text.as_str()),
                NodeData::Element(_) | NodeData::ShadowRoot(_) => None,
            });
            let text = folded(&texts.collect::<String>());
            match element.attr("xlink:title").filter(|_| text.is_empty() && element.tag == "a") {
                Some(title) => folded(title),
                None => text,
            }
        }
        Namespace::MathMl | Namespace::Other => return None,
    };
    (!text.is_empty() && text != aria.name(at).text).then_some(text)
}

fn folded(text: &str) -> String {
    let mut folded = String::new();
    for word in text.split_ascii_whitespace() {
        if !folded.is_empty() {
            folded.push(' ');
        }
        folded.push_str(word);
    }
    folded
}

#[cfg(test)]
mod tests {
    use crate::aria::AriaFrame;
    use crate::page::outline;

    fn check(text: &str, expected: &str) {
        let frame = outline::frame(text).unwrap();
        let at = outline::find(&frame, "x").unwrap();
        assert_eq!(AriaFrame::new(&frame).description(at), expected, "{text}");
    }

    #[test]
    fn references_then_attribute_then_title() {
        check("a#x [aria-describedby=\"d e\"] [title=t]\ni#d \"D\"\ni#e {none} \"E\"", "D E");
        check("a#x [aria-describedby=no] [aria-description=\" a  b \"] [title=t]", "a b");
        check("a#x [aria-label=n] [title=t]", "t");
    }

    #[test]
    fn a_links_xlink_title_describes_where_it_does_not_name() {
        check("svg\n  a#x [href=h] [xlink:title=t] [aria-label=n]", "t");
        check("svg\n  a#x [href=h] [xlink:title=t]", "");
        let desc = "svg\n  a#x [href=h] [xlink:title=t] [aria-label=n]\n    desc \"d\"";
        check(desc, "d");
    }

    #[test]
    fn a_title_that_names_does_not_describe() {
        check("button#x [title=t]", "");
        check("button#x [title=\" t \"] \"t\"", "");
    }
}
