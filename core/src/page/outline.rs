//! Frames written as text, for tests and tools.
//!
//! One line a node, children indented by two spaces more than their parent:
//!
//! ```text
//! div
//!   label [for=q] "Find"
//!   input#q.wide [type=text] [aria-label="Search term"] (value="cats") {block hidden}
//!   x-card
//!     :shadow
//!       slot
//!     "light text"
//!   svg
//!     circle
//! ```
//!
//! - `tag#id.class` begins an element; a bare `.class` or `#id` is a `div`. `svg` and `math` begin their namespaces.
//! - `"text"` after an element is a text child; on a line of its own, a text node. `\"`, `\\` and `\n` are escapes.
//! - `[name]`, `[name=value]`, `[name="value"]` are attributes, whether a capture would keep them or not.
//! - `(…)` is live state: `checked`, `indeterminate`, `selected`, `value="…"`, `secret`, `secret=empty`, `focused`, `modal`,
//!   `before="…"`, `after="…"`, `before-block="…"`, `after-block="…"`.
//! - `{…}` makes the style known: `none`, `contents`, `inline`, `inline-block`, `block` (the default), `cell`; `hidden`,
//!   `collapse`; `pointer`, `skipped`, `out-of-flow`. Without braces styles were not asked. Nothing inherits.
//! - `:shadow` and `:shadow-closed` are shadow roots; slots are filled by `slot` attributes, as the DOM standard says.

use super::capture::{Capture, DocumentKey, Frame, FrameId, LoaderId, TabId};
use super::node::{
    Control, Element, FieldValue, Namespace, Node, NodeData, NodeId, NodeIdx, PseudoText,
    ShadowMode,
};
use super::style::{Display, Fact, Style, Visibility};
use alloc::{borrow::ToOwned, boxed::Box, string::String, vec, vec::Vec};

/// What is wrong with an outline.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {problem}")]
pub struct OutlineError {
    /// Line number, from 1.
    pub line: usize,
    /// What is wrong there.
    pub problem: &'static str,
}

/// A frame of this outline, in document 1 of frame 1. Node numbers count from 1 in tree order.
///
/// # Errors
/// With the first line that is not as the module says.
pub fn frame(outline: &str) -> Result<Frame, OutlineError> {
    let mut building = Building::default();
    for (at, line) in outline.lines().enumerate() {
        let depth = line.len() - line.trim_start_matches(' ').len();
        if line.trim().is_empty() {
            continue;
        }
        building
            .line(depth, line.trim())
            .map_err(|problem| OutlineError { line: at + 1, problem })?;
    }
    let key = DocumentKey { frame: FrameId(1), loader: LoaderId(1) };
    let mut frame = Frame::new(key, "about:blank", building.nodes);
    frame.focused = building.focused;
    frame.modal = building.modal;
    fill_slots(&mut frame);
    Ok(frame)
}

/// A capture of tab 1 with this one frame.
///
/// # Errors
/// As [`frame`].
pub fn capture(outline: &str) -> Result<Capture, OutlineError> {
    Ok(Capture {
        tab: TabId(1),
        sequence: 0,
        mark: None,
        matches: Vec::new(),
        frames: vec![frame(outline)?],
    })
}

/// The first element with this id, in any tree scope.
pub fn find(frame: &Frame, id: &str) -> Option<NodeIdx> {
    (0..)
        .zip(&frame.nodes)
        .map(|(at, _)| at)
        .find(|at| frame.element(*at).is_some_and(|element| element.attr("id") == Some(id)))
}

#[derive(Debug, Default)]
struct Building {
    nodes: Vec<Node>,
    /// Indent and place of the open nodes.
    open: Vec<(usize, NodeIdx)>,
    focused: Option<NodeIdx>,
    modal: Vec<NodeIdx>,
}

type Problem = &'static str;

impl Building {
    fn line(&mut self, indent: usize, line: &str) -> Result<(), Problem> {
        while self.open.last().is_some_and(|(open, _)| *open >= indent) {
            self.open.pop();
        }
        let parent = self.open.last().map(|(_, at)| *at);
        if line.starts_with('"') {
            let (text, rest) = quoted(line)?;
            return if rest.trim().is_empty() {
                self.add(parent, NodeData::Text(text.into())).map(|_| ())
            } else {
                Err("something follows a text")
            };
        }
        let shadow = match line {
            ":shadow" => Some(ShadowMode::Open),
            ":shadow-closed" => Some(ShadowMode::Closed),
            _ => None,
        };
        let at = match shadow {
            Some(mode) => self.add(parent, NodeData::ShadowRoot(mode))?,
            None => self.element(parent, line)?,
        };
        self.open.push((indent, at));
        Ok(())
    }

    fn add(&mut self, parent: Option<NodeIdx>, data: NodeData) -> Result<NodeIdx, Problem> {
        let at = NodeIdx::try_from(self.nodes.len()).map_err(|_| "too many nodes")?;
        self.nodes.push(Node { id: NodeId(at + 1), parent, end: 0, data });
        Ok(at)
    }

    fn element(&mut self, parent: Option<NodeIdx>, line: &str) -> Result<NodeIdx, Problem> {
        let head_end = line.find(' ').unwrap_or(line.len());
        let (head, mut rest) = line.split_at(head_end);
        let at = NodeIdx::try_from(self.nodes.len()).map_err(|_| "too many nodes")?;
        let mut element = self.named(parent, head)?;
        let mut attributes = core::mem::take(&mut element.attributes).into_vec();
        let mut texts = Vec::new();
        loop {
            rest = rest.trim_start();
            let Some(first) = rest.chars().next() else { break };
            match first {
                '"' => {
                    let (text, after) = quoted(rest)?;
                    texts.push(text);
                    rest = after;
                }
                '[' => {
                    let (name, value, after) = pair(&rest[1..], ']')?;
                    attributes.push((name.into(), value.unwrap_or_default().into()));
                    rest = after;
                }
                '(' => {
                    let (name, value, after) = pair(&rest[1..], ')')?;
                    self.live(at, &mut element, &name, value)?;
                    rest = after;
                }
                '{' => {
                    let end = rest.find('}').ok_or("a brace is not closed")?;
                    element.style = Fact::Known(style(&rest[1..end])?);
                    rest = &rest[end + 1..];
                }
                _ => return Err("expected a text, [attribute], (state) or {style}"),
            }
        }
        element.attributes = attributes.into();
        let at = self.add(parent, NodeData::Element(Box::new(element)))?;
        for text in texts {
            self.add(Some(at), NodeData::Text(text.into()))?;
        }
        Ok(at)
    }

    fn named(&self, parent: Option<NodeIdx>, head: &str) -> Result<Element, Problem> {
        let tag_end = head.find(['#', '.']).unwrap_or(head.len());
        let tag = if tag_end == 0 { "div" } else { &head[..tag_end] };
        let mut element = Element::new(tag, self.namespace(parent, tag));
        let mut attributes = Vec::new();
        let mut classes = String::new();
        let mut rest = &head[tag_end..];
        while let Some(mark) = rest.chars().next() {
            let end = rest[1..].find(['#', '.']).map_or(rest.len(), |end| end + 1);
            let name = &rest[1..end];
            if name.is_empty() {
                return Err("an id or class is empty");
            }
            if mark == '#' {
                attributes.push(("id".into(), name.into()));
            } else {
                if !classes.is_empty() {
                    classes.push(' ');
                }
                classes.push_str(name);
            }
            rest = &rest[end..];
        }
        if !classes.is_empty() {
            attributes.push(("class".into(), classes.into()));
        }
        element.attributes = attributes.into();
        Ok(element)
    }

    fn namespace(&self, parent: Option<NodeIdx>, tag: &str) -> Namespace {
        let above = parent.and_then(|parent| match &self.nodes[parent as usize].data {
            NodeData::Element(above) => Some(above),
            NodeData::Text(_) | NodeData::ShadowRoot(_) => None,
        });
        match (tag, above) {
            ("svg", _) => Namespace::Svg,
            ("math", _) => Namespace::MathMl,
            (_, Some(above)) if above.tag != "foreignObject" => above.namespace,
            _ => Namespace::Html,
        }
    }

    fn live(
        &mut self,
        at: NodeIdx,
        element: &mut Element,
        name: &str,
        value: Option<String>,
    ) -> Result<(), Problem> {
        let text = |block| value.clone().map(|text| Box::new(PseudoText { text, block }));
        match name {
            "focused" => self.focused = Some(at),
            "modal" => self.modal.push(at),
            "before" => element.before = text(false),
            "after" => element.after = text(false),
            "before-block" => element.before = text(true),
            "after-block" => element.after = text(true),
            _ => {
                let control = element.control.get_or_insert_with(|| {
                    Box::new(Control {
                        value: FieldValue::None,
                        checked: false,
                        indeterminate: false,
                        selected: false,
                    })
                });
                match name {
                    "checked" => control.checked = true,
                    "indeterminate" => control.indeterminate = true,
                    "selected" => control.selected = true,
                    "value" => control.value = FieldValue::Text(value.unwrap_or_default()),
                    "secret" => {
                        let filled = value.as_deref() != Some("empty");
                        control.value = FieldValue::Secret { filled };
                    }
                    _ => return Err("unknown live state"),
                }
            }
        }
        Ok(())
    }
}

/// A quoted text at the start of `from`, and what follows it.
fn quoted(from: &str) -> Result<(String, &str), Problem> {
    let mut text = String::new();
    let mut escaped = false;
    for (at, ch) in from.char_indices().skip(1) {
        if escaped {
            text.push(if ch == 'n' { '\n' } else { ch });
            escaped = false;
        } else if ch == '\\' {
            escaped = true;
        } else if ch == '"' {
            return Ok((text, &from[at + 1..]));
        } else {
            text.push(ch);
        }
    }
    Err("a quote is not closed")
}

/// `name`, `name=value` or `name="value"` up to the closing mark, and what follows it.
fn pair(from: &str, close: char) -> Result<(String, Option<String>, &str), Problem> {
    let end = from.find(['=', close]).ok_or("a bracket is not closed")?;
    let name = from[..end].trim().to_owned();
    if name.is_empty() {
        return Err("a name is empty");
    }
    let rest = &from[end..];
    let Some(value) = rest.strip_prefix('=') else {
        return Ok((name, None, &rest[close.len_utf8()..]));
    };
    if value.starts_with('"') {
        let (text, rest) = quoted(value)?;
        let rest = rest.strip_prefix(close).ok_or("a bracket is not closed")?;
        return Ok((name, Some(text), rest));
    }
    let end = value.find(close).ok_or("a bracket is not closed")?;
    Ok((name, Some(value[..end].to_owned()), &value[end + close.len_utf8()..]))
}

fn style(words: &str) -> Result<Style, Problem> {
    let mut style = Style::BLOCK;
    for word in words.split_ascii_whitespace() {
        match word {
            "none" => style.display = Display::None,
            "contents" => style.display = Display::Contents,
            "inline" => style.display = Display::Inline,
            "inline-block" => style.display = Display::InlineBlock,
            "block" => style.display = Display::Block,
            "cell" => style.display = Display::TableCell,
            "hidden" => style.visibility = Visibility::Hidden,
            "collapse" => style.visibility = Visibility::Collapse,
            "pointer" => style.cursor_pointer = true,
            "skipped" => style.contents_skipped = true,
            "out-of-flow" => style.out_of_flow = true,
            _ => return Err("unknown style word"),
        }
    }
    Ok(style)
}

/// DOM "assign slottables for a tree", for every host: the first slot of a name gets the children that ask for it.
fn fill_slots(frame: &mut Frame) {
    let mut filled: Vec<(NodeIdx, Vec<NodeIdx>)> = Vec::new();
    for (root, node) in (0..).zip(&frame.nodes) {
        let (NodeData::ShadowRoot(_), Some(host)) = (&node.data, node.parent) else { continue };
        let mut names: Vec<&str> = Vec::new();
        for slot in root + 1..node.end {
            let Some(element) = frame.element(slot).filter(|e| e.is_html("slot")) else { continue };
            let name = element.attr("name").unwrap_or("");
            if names.contains(&name) || filled.iter().any(|(other, _)| *other == slot) {
                continue;
            }
            names.push(name);
            let wants = |child: &NodeIdx| match &frame.node(*child).data {
                NodeData::Text(_) => name.is_empty(),
                NodeData::Element(element) => element.attr("slot").unwrap_or("") == name,
                NodeData::ShadowRoot(_) => false,
            };
            filled.push((slot, frame.children(host).filter(wants).collect()));
        }
    }
    for (slot, assigned) in filled {
        if let NodeData::Element(element) = &mut frame.nodes[slot as usize].data {
            element.assigned = assigned.into();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_gives_an_element_with_all_its_parts() {
        let frame = frame(
            "form\n  input#q.a.b [type=text] [aria-label=\"x ] y\"] (value=\"v\") (focused) {inline hidden}\n  p \"one \\\"two\\\"\"\n",
        )
        .unwrap();
        let input = frame.element(1).unwrap();
        assert_eq!(input.attr("class"), Some("a b"));
        assert_eq!(input.attr("aria-label"), Some("x ] y"));
        assert_eq!(input.control.as_ref().unwrap().value, FieldValue::Text("v".into()));
        let style = input.style.known().unwrap();
        assert_eq!((style.display, style.visibility), (Display::Inline, Visibility::Hidden));
        assert_eq!(frame.focused, Some(1));
        assert_eq!(frame.node(3).data, NodeData::Text("one \"two\"".into()));
        assert_eq!(frame.children(0).collect::<Vec<_>>(), [1, 2]);
    }

    #[test]
    fn slots_are_filled_by_name_and_namespaces_inherit() {
        let frame = frame(
            "x-card\n  :shadow\n    slot#a\n    slot#b [name=t]\n  \"light\"\n  b [slot=t]\nsvg\n  g\n",
        )
        .unwrap();
        assert_eq!(frame.element(find(&frame, "a").unwrap()).unwrap().assigned[..], [4]);
        assert_eq!(frame.element(find(&frame, "b").unwrap()).unwrap().assigned[..], [5]);
        assert_eq!(frame.element(7).unwrap().namespace, Namespace::Svg);
    }

    #[test]
    fn mistakes_name_their_line() {
        let cases = [
            ("p\n  p [x", 2, "a bracket is not closed"),
            ("p \"x", 1, "a quote is not closed"),
            ("p x", 1, "expected a text, [attribute], (state) or {style}"),
            ("p {red}", 1, "unknown style word"),
            ("p (odd)", 1, "unknown live state"),
            ("p#", 1, "an id or class is empty"),
        ];
        for (outline, line, problem) in cases {
            assert_eq!(frame(outline), Err(OutlineError { line, problem }), "{outline}");
        }
    }
}
