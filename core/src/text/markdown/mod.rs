//! A page, or a part of it, as Markdown: headings, paragraphs, links, lists, tables, code, images and quotes.
//!
//! What is hidden is left out, and so are the values of fields. Page text is escaped where it would read as Markdown, so that
//! only the page's own structure makes structure.

mod inline;
mod table;

use crate::aria::{AriaFrame, Hidden, Role};
use crate::page::{Capture, Element, NodeData, NodeIdx, push_reversed};
use crate::snapshot::breaks_line;
use alloc::{format, string::String, vec::Vec};
use inline::{Inline, Kind};

/// Deepest nesting of lists and quotes that shows as such.
const PREFIX_DEPTH_MAX: usize = 20;

/// Markdown of a part of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Markdown {
    /// The text; blocks are parted by empty lines.
    pub text: String,
    /// There was more than `chars_max`; the rest is not there.
    pub is_cut: bool,
}

/// Markdown of what lies at a place of a frame and below it, frames inside included where they were captured. `views` are those of
/// the capture's frames, in their order.
pub fn markdown(
    capture: &Capture,
    views: &[AriaFrame<'_>],
    frame: u32,
    start: Option<NodeIdx>,
    chars_max: usize,
) -> Markdown {
    let mut writer = Writer {
        capture,
        views,
        out: String::new(),
        chars_left: chars_max,
        is_cut: false,
        line: Inline::default(),
        block: Block::Paragraph,
        around: Vec::new(),
        tight: false,
    };
    let mut stack = Vec::new();
    let roots = || capture.frames[frame as usize].roots();
    match start {
        Some(at) => stack.push(Step::Enter { frame, at }),
        None => push_reversed(&mut stack, roots().map(|at| Step::Enter { frame, at })),
    }
    writer.walk(stack);
    Markdown { text: writer.out, is_cut: writer.is_cut }
}

/// What is to be done next, last first.
enum Step {
    Enter {
        frame: u32,
        at: NodeIdx,
    },
    /// The end of a block.
    Break,
    /// The end of a link, of emphasis or of code.
    Close(Kind),
    /// The end of a list, an item or a quote.
    Leave,
}

/// What the line that is being gathered will be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Block {
    Paragraph,
    Heading(u32),
}

/// What stands around a block.
#[derive(Debug, Clone)]
enum Around {
    Quote,
    /// A list: the number of its next item, where items have numbers.
    List(Option<u32>),
    /// An item: its mark, until it has been written, and the room that the mark takes.
    Item {
        mark: Option<String>,
        room: usize,
    },
}

struct Writer<'a, 'v> {
    capture: &'a Capture,
    views: &'v [AriaFrame<'a>],
    out: String,
    chars_left: usize,
    is_cut: bool,
    line: Inline,
    block: Block,
    around: Vec<Around>,
    /// The last block was an item's: the next item follows without an empty line.
    tight: bool,
}

impl<'a> Writer<'a, '_> {
    fn walk(&mut self, mut stack: Vec<Step>) {
        while let Some(step) = stack.pop() {
            if self.is_cut {
                return;
            }
            match step {
                Step::Enter { frame, at } => self.enter(&mut stack, frame, at),
                Step::Break => {
                    self.flush();
                    self.block = Block::Paragraph;
                }
                Step::Close(kind) => self.line.close(&kind),
                Step::Leave => {
                    self.flush();
                    self.around.pop();
                }
            }
        }
        self.flush();
    }

    fn enter(&mut self, stack: &mut Vec<Step>, frame: u32, at: NodeIdx) {
        let view = &self.views[frame as usize];
        let page = &self.capture.frames[frame as usize];
        let element = match &page.node(at).data {
            NodeData::Text(text) => {
                let parent = view.lookup().flat_parent(at);
                if parent.is_none_or(|parent| view.hidden(parent) == Hidden::Shown) {
                    self.line.text(&page.shown_text(at, text));
                }
                return;
            }
            NodeData::ShadowRoot(_) => return,
            NodeData::Element(element) => element,
        };
        match view.hidden(at) {
            Hidden::SubtreeHidden(_) => return,
            Hidden::NodeHidden => {}
            Hidden::Shown => {
                if self.whole(frame, at, element) {
                    return;
                }
            }
        }
        if breaks_line(element) {
            self.flush();
            stack.push(Step::Break);
        }
        self.open(stack, frame, at, element);
        if let Some(inner) = element.frame {
            let roots = self.capture.frames[inner as usize].roots();
            push_reversed(stack, roots.map(|at| Step::Enter { frame: inner, at }));
            return;
        }
        let children = view.lookup().flat_children(at);
        push_reversed(stack, children.map(|at| Step::Enter { frame, at }));
    }

    /// Writes an element that is one piece; false if its children are to be written one by one.
    fn whole(&mut self, frame: u32, at: NodeIdx, element: &Element) -> bool {
        let view = &self.views[frame as usize];
        match view.role(at) {
            Role::Image => {
                let name = view.name(at).text;
                if !name.is_empty() {
                    let src = element.attr("src").map(|src| self.url(frame, src));
                    self.line.image(&name, src.flatten().as_deref());
                }
                return true;
            }
            Role::Table if !table::holds_a_table(view, at) => {
                self.flush();
                let rows = table::rows(self.capture, self.views, frame, at);
                self.push_block(&rows);
                return true;
            }
            _ => {}
        }
        match element.tag.as_str() {
            _ if element.namespace != crate::page::Namespace::Html => false,
            "br" => {
                self.line.line_break();
                true
            }
            "hr" => {
                self.flush();
                self.push_block("---");
                true
            }
            "pre" => {
                self.flush();
                let code = inline::fenced(&self.visible_text(frame, at));
                self.push_block(&code);
                true
            }
            // What a field holds is not what the page says.
            "input" | "textarea" | "select" | "canvas" | "video" | "audio" | "meter"
            | "progress" | "embed" | "datalist" => true,
            _ => false,
        }
    }

    /// Opens what an element means for what it holds.
    fn open(&mut self, stack: &mut Vec<Step>, frame: u32, at: NodeIdx, element: &Element) {
        let view = &self.views[frame as usize];
        if view.hidden(at) != Hidden::Shown {
            return;
        }
        let kind = match view.role(at) {
            Role::Heading => {
                self.flush();
                self.block = Block::Heading(view.states(at).level.unwrap_or(2).clamp(1, 6));
                stack.push(Step::Break);
                return;
            }
            Role::List => {
                let first = element.attr("start").and_then(|start| start.trim().parse().ok());
                let first = element.is_html("ol").then(|| first.unwrap_or(1));
                return self.nest(stack, Around::List(first));
            }
            Role::Listitem => {
                let item = self.item();
                return self.nest(stack, item);
            }
            Role::Blockquote => return self.nest(stack, Around::Quote),
            Role::Link => {
                let href = element.attr("href").or_else(|| element.attr("xlink:href"));
                match href.and_then(|href| self.url(frame, href)) {
                    Some(url) => Kind::Link(url),
                    None => return,
                }
            }
            Role::Strong => Kind::Strong,
            Role::Emphasis => Kind::Emphasis,
            Role::Code => Kind::Code,
            _ if element.is_html("b") => Kind::Strong,
            _ if element.is_html("i") => Kind::Emphasis,
            _ if element.is_html("kbd") || element.is_html("samp") => Kind::Code,
            _ => return,
        };
        if self.line.open(&kind) {
            stack.push(Step::Close(kind));
        }
    }

    fn nest(&mut self, stack: &mut Vec<Step>, around: Around) {
        if self.around.len() < PREFIX_DEPTH_MAX {
            self.flush();
            self.around.push(around);
            stack.push(Step::Leave);
        }
    }

    /// The next item of the list around.
    fn item(&mut self) -> Around {
        let list = self.around.iter_mut().rev().find_map(|around| match around {
            Around::List(number) => Some(number),
            Around::Quote | Around::Item { .. } => None,
        });
        let mark = match list {
            Some(Some(number)) => {
                let mark = format!("{number}. ");
                *number = number.saturating_add(1);
                mark
            }
            Some(None) | None => "- ".into(),
        };
        Around::Item { room: mark.len(), mark: Some(mark) }
    }

    /// Ends the line that is being gathered.
    fn flush(&mut self) {
        let text = self.line.take();
        if text.is_empty() {
            return;
        }
        match self.block {
            Block::Paragraph => self.push_block(&text),
            Block::Heading(level) => {
                let marks: String = (0..level).map(|_| '#').collect();
                self.push_block(&format!("{marks} {text}"));
            }
        }
    }

    /// Writes a block with what stands around it, up to the limit.
    fn push_block(&mut self, text: &str) {
        if text.is_empty() {
            return;
        }
        let starts_item = matches!(self.around.last(), Some(Around::Item { mark: Some(_), .. }));
        if !self.out.is_empty() {
            let gap = if starts_item && self.tight { "\n" } else { "\n\n" };
            self.push(gap);
        }
        self.tight = starts_item;
        for (at, line) in text.split('\n').enumerate() {
            let mut whole = String::new();
            if at > 0 {
                whole.push('\n');
            }
            for around in &mut self.around {
                match around {
                    Around::Quote => whole.push_str("> "),
                    Around::List(_) => {}
                    Around::Item { mark, room } => match mark.take() {
                        Some(mark) => whole.push_str(&mark),
                        None => whole.extend((0..*room).map(|_| ' ')),
                    },
                }
            }
            whole.push_str(line);
            self.push(whole.trim_end_matches(' '));
        }
    }

    fn push(&mut self, text: &str) {
        for c in text.chars() {
            let Some(left) = self.chars_left.checked_sub(1) else {
                self.is_cut = true;
                return;
            };
            self.chars_left = left;
            self.out.push(c);
        }
    }

    fn url(&self, frame: u32, written: &str) -> Option<String> {
        inline::url(&self.capture.frames[frame as usize].url, written)
    }

    /// Text of a subtree as it is shown, line feeds kept.
    fn visible_text(&self, frame: u32, at: NodeIdx) -> String {
        let (view, page) = (&self.views[frame as usize], &self.capture.frames[frame as usize]);
        let mut text = String::new();
        let mut stack = alloc::vec![at];
        while let Some(at) = stack.pop() {
            match &page.node(at).data {
                NodeData::Text(data) => text.push_str(&page.shown_text(at, data)),
                NodeData::ShadowRoot(_) => {}
                NodeData::Element(element) if view.hidden(at) == Hidden::Shown => {
                    if element.is_html("br") {
                        text.push('\n');
                    }
                    push_reversed(&mut stack, view.lookup().flat_children(at));
                }
                NodeData::Element(_) => {}
            }
        }
        text
    }
}

#[cfg(test)]
mod tests;
