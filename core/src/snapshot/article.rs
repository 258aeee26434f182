//! The text of a page's main part, block by block, for reading without refs.

use super::shown::breaks_line;
use super::states;
use crate::aria::{AriaFrame, Hidden, Role};
use crate::page::{NodeData, NodeIdx, collapse, push_reversed};
use alloc::{string::String, vec, vec::Vec};

/// A block of text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    /// Level of the heading it is.
    pub heading: Option<u32>,
    /// Its text, collapsed, not empty.
    pub text: String,
}

enum Step {
    Enter(NodeIdx),
    Break,
}

/// Blocks of the first article, else of the main part, else of the whole frame. Hidden text and navigation are left out.
pub fn article(aria: &AriaFrame<'_>) -> Vec<Block> {
    let frame = aria.lookup().frame();
    let count = NodeIdx::try_from(frame.nodes.len()).unwrap_or(NodeIdx::MAX);
    let first = |role: Role| {
        (0..count).find(|at| aria.role(*at) == role && aria.hidden(*at) == Hidden::Shown)
    };
    let start = first(Role::Article).or_else(|| first(Role::Main));
    let mut stack: Vec<Step> = match start {
        Some(at) => vec![Step::Enter(at)],
        None => frame.roots().map(Step::Enter).collect(),
    };
    let mut blocks = Vec::new();
    let mut run = String::new();
    let mut heading = None;
    while let Some(step) = stack.pop() {
        let at = match step {
            Step::Break => {
                flush(&mut blocks, &mut run, heading.take());
                continue;
            }
            Step::Enter(at) => at,
        };
        match &frame.node(at).data {
            NodeData::Text(text) => run.push_str(&frame.shown_text(at, text)),
            NodeData::ShadowRoot(_) => {}
            NodeData::Element(element) => {
                let role = aria.role(at);
                let is_aside =
                    matches!(role, Role::Navigation | Role::Contentinfo | Role::Complementary);
                if matches!(aria.hidden(at), Hidden::SubtreeHidden(_))
                    || is_aside
                    || states::is_leaf(element)
                {
                    continue;
                }
                if element.is_html("br") {
                    run.push(' ');
                }
                if breaks_line(element) {
                    flush(&mut blocks, &mut run, heading.take());
                    stack.push(Step::Break);
                }
                if role == Role::Heading {
                    heading = aria.states(at).level;
                }
                push_reversed(&mut stack, aria.lookup().flat_children(at).map(Step::Enter));
            }
        }
    }
    flush(&mut blocks, &mut run, heading);
    blocks
}

fn flush(blocks: &mut Vec<Block>, run: &mut String, heading: Option<u32>) {
    let text = collapse(run);
    run.clear();
    if !text.is_empty() {
        blocks.push(Block { heading, text });
    }
}
