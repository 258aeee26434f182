//! Paint order (CSS 2.2, appendix E): which of two boxes that overlap lies above the other.

use super::Area;
use crate::style::{Computed, Display, Float, Position};
use backlot_core::page::NodeId;
use std::rc::Rc;

/// A box, or the text that stands in a block itself. Items stand in tree order.
#[derive(Debug)]
pub(crate) struct Item {
    /// The element that receives its events.
    pub(crate) node: NodeId,
    pub(crate) style: Rc<Computed>,
    /// Place of the box around.
    pub(crate) up: Option<usize>,
    /// Place in the top layer.
    pub(crate) top: Option<usize>,
    /// Where it is: the border box, or each piece of what stands on lines.
    pub(crate) areas: Pieces,
    pub(crate) kind: Kind,
}

#[derive(Debug)]
pub(crate) enum Pieces {
    None,
    One(Area),
    Many(Vec<Area>),
}

impl Pieces {
    pub(crate) fn as_slice(&self) -> &[Area] {
        match self {
            Self::None => &[],
            Self::One(area) => std::slice::from_ref(area),
            Self::Many(areas) => areas,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Box,
    /// A replaced element or control on a line.
    Replaced,
    /// Text of the block that `up` is.
    Text,
}

/// Levels of what is painted in one context, the lowest first; a `z-index` lies below or above all of them.
const GROUND: i64 = i64::MIN;
const BLOCKS: i64 = 0;
const FLOATS: i64 = 1;
const LINES: i64 = 2;
const LIFTED: i64 = 3;
/// The top layer is above all, in the order in which it was opened.
const TOP: i64 = i64::MAX / 2;

/// Something whose contents are painted together.
#[derive(Default)]
struct Context {
    members: Vec<(i64, Member)>,
}

#[derive(Clone, Copy)]
enum Member {
    Item(usize),
    Context(usize),
}

/// The place of each item in paint order, the lowest 0.
pub(crate) fn ranks(items: &[Item]) -> Vec<u32> {
    let mut contexts = vec![Context::default()];
    // Of each item: the context that its contents are painted in, and the one that what is lifted in it goes to.
    let mut inside: Vec<(usize, usize)> = Vec::with_capacity(items.len());
    for (at, item) in items.iter().enumerate() {
        let (flow, stack) = item.up.map_or((0, 0), |up| inside[up]);
        if item.kind == Kind::Text {
            contexts[flow].members.push((LINES, Member::Item(at)));
            inside.push((flow, stack));
            continue;
        }
        let is_item = item.up.is_some_and(|up| items[up].style.display.is_flex_or_grid());
        let (level, stacks, alone) = standing(item, is_item);
        if !alone {
            contexts[flow].members.push((level, Member::Item(at)));
            inside.push((flow, stack));
            continue;
        }
        let own = contexts.len();
        contexts.push(Context { members: vec![(GROUND, Member::Item(at))] });
        let around = match level {
            TOP.. => 0,
            BLOCKS..LIFTED => flow,
            _ => stack,
        };
        contexts[around].members.push((level, Member::Context(own)));
        inside.push((own, if stacks { own } else { stack }));
    }
    order(contexts, items.len())
}

/// The level of a box in the context around, whether it is a stacking context, and whether it is painted as one thing.
fn standing(item: &Item, is_item: bool) -> (i64, bool, bool) {
    if let Some(place) = item.top {
        return (TOP.saturating_add(i64::try_from(place).unwrap_or(i64::MAX)), true, true);
    }
    let style = &item.style;
    let positioned = style.position != Position::Static;
    let z_index = style.z_index.filter(|_| positioned || is_item);
    let stacks = item.up.is_none()
        || z_index.is_some()
        || style.transform.is_some()
        || style.opacity < 1.0
        || style.isolated
        || matches!(style.position, Position::Fixed | Position::Sticky);
    if positioned || stacks {
        let z_index = i64::from(z_index.unwrap_or(0));
        let level = if z_index < 0 { z_index } else { LIFTED + z_index };
        return (level, stacks, true);
    }
    if style.float != Float::None {
        return (FLOATS, false, true);
    }
    let atomic = matches!(
        style.display,
        Display::InlineBlock | Display::InlineFlex | Display::InlineGrid | Display::InlineTable
    );
    if atomic || is_item || item.kind == Kind::Replaced {
        return (LINES, false, true);
    }
    let inline = matches!(style.display, Display::Inline | Display::RubyText);
    (if inline { LINES } else { BLOCKS }, false, false)
}

fn order(mut contexts: Vec<Context>, count: usize) -> Vec<u32> {
    for context in &mut contexts {
        context.members.sort_by_key(|(level, _)| *level);
    }
    let mut ranks = vec![0; count];
    let mut next = 0;
    let mut open = vec![Member::Context(0)];
    while let Some(member) = open.pop() {
        match member {
            Member::Item(at) => {
                ranks[at] = next;
                next += 1;
            }
            Member::Context(at) => {
                let members = std::mem::take(&mut contexts[at].members);
                open.extend(members.into_iter().rev().map(|(_, member)| member));
            }
        }
    }
    ranks
}
