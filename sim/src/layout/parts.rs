//! What a block is made of: blocks, and lines between them.

use super::Flow;
use super::inline::{Run, Step};
use backlot_core::page::NodeId;
use std::rc::Rc;

/// What stands one below the other in a block.
#[derive(Debug, Clone)]
pub(super) enum Part {
    /// A block, and the broken inline boxes that it stands in.
    Block(NodeId, Vec<NodeId>),
    /// Inline-level content.
    Line(Run),
}

impl Flow<'_> {
    /// Blocks and lines of a block, in order.
    pub(super) fn parts(&mut self, id: NodeId) -> Rc<[Part]> {
        if let Some(Some(known)) = self.parts.get(id.0 as usize) {
            return Rc::clone(known);
        }
        let parts: Rc<[Part]> = self.parts_of(id).into();
        if let Some(place) = self.parts.get_mut(id.0 as usize) {
            *place = Some(Rc::clone(&parts));
        }
        parts
    }

    fn parts_of(&mut self, id: NodeId) -> Vec<Part> {
        let tree = self.tree;
        let mut parts: Vec<Part> = Vec::new();
        let mut around: Vec<NodeId> = Vec::new();
        let mut open: Vec<Step> =
            tree.children(id).iter().rev().map(|at| Step::Enter(*at)).collect();
        while let Some(step) = open.pop() {
            match step {
                Step::Enter(child) if self.is_block_level(child) && !self.is_out(child) => {
                    parts.push(Part::Block(child, around.clone()));
                    continue;
                }
                Step::Enter(child) if self.is_broken(child) => {
                    around.push(child);
                    open.push(Step::Close(child));
                    open.extend(tree.children(child).iter().rev().map(|at| Step::Enter(*at)));
                    add_step(&mut parts, Step::Open(child), &around[..around.len() - 1]);
                }
                Step::Close(child) => {
                    add_step(&mut parts, step, &around);
                    around.retain(|at| *at != child);
                }
                _ => add_step(&mut parts, step, &around),
            }
        }
        parts.retain(|part| match part {
            Part::Block(..) => true,
            Part::Line(run) => !run.steps.iter().all(|step| match step {
                Step::Enter(node) => self.is_blank_text(*node),
                _ => false,
            }),
        });
        parts
    }

    /// An inline box that holds blocks.
    fn is_broken(&mut self, id: NodeId) -> bool {
        let mut open = vec![id];
        let mut seen = 0;
        while let Some(at) = open.pop() {
            let Some(style) = self.style(at) else { continue };
            if at != id && self.is_block_level(at) && !self.is_out(at) {
                return true;
            }
            seen += 1;
            // Lines do not nest deeper than this either.
            if seen < BROKEN_MAX && self.is_plain_inline(at, &style) {
                open.extend(self.tree.children(at).iter());
            }
        }
        false
    }

    pub(super) fn is_blank_text(&self, id: NodeId) -> bool {
        let keeps = self
            .tree
            .parent(id)
            .and_then(|up| self.style(up))
            .is_some_and(|style| super::inline::keeps_space(style.white_space));
        self.tree.text(id).is_some_and(|text| {
            if keeps { text.is_empty() } else { text.chars().all(|c| c.is_ascii_whitespace()) }
        })
    }
}

/// Most boxes of an inline box that are looked at for blocks in it.
const BROKEN_MAX: u32 = 1_000;

/// Adds to the line at the end.
fn add_step(parts: &mut Vec<Part>, step: Step, around: &[NodeId]) {
    if let Some(Part::Line(run)) = parts.last_mut() {
        run.steps.push(step);
    } else {
        parts.push(Part::Line(Run { around: around.to_vec(), steps: vec![step] }));
    }
}
