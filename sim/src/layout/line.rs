//! One line: what stands on it, and where that comes to stand once the line is full.
//!
//! SIM DIFFERENCE: characters are not put in visual order: right-to-left text starts at the right and is laid from left to right.

use super::{Area, Flow, metrics};
use crate::dom::Quirks;
use crate::style::{Computed, TextAlign, VerticalAlign};
use backlot_core::page::NodeId;
use std::collections::BTreeMap;
use std::rc::Rc;

/// An open inline box with those around it.
#[derive(Debug)]
pub(super) struct Chain {
    pub(super) id: NodeId,
    pub(super) style: Rc<Computed>,
    /// How far its baseline stands above the line's.
    pub(super) rise: f32,
    pub(super) up: Option<Rc<Chain>>,
}

/// Something that was put on the current line.
#[derive(Debug)]
pub(super) struct Put {
    pub(super) x: f32,
    pub(super) width: f32,
    /// Above and below the line's baseline, margins included.
    pub(super) above: f32,
    pub(super) below: f32,
    pub(super) chain: Option<Rc<Chain>>,
    pub(super) what: What,
}

#[derive(Debug)]
pub(super) enum What {
    Text,
    /// A collapsible space.
    Space,
    /// Start of the inline box that the chain begins with; the margin is part of the width.
    Open {
        margin: f32,
    },
    Close {
        margin: f32,
    },
    Break(NodeId),
    /// An inline-level box of its own, with its border box's height and margins.
    Atom {
        id: NodeId,
        height: f32,
        margin: [f32; 4],
        align: VerticalAlign,
    },
    /// An absolute box would stand here.
    Out(NodeId),
}

impl What {
    /// It makes a line of what would be none.
    pub(super) fn shows(&self) -> bool {
        matches!(self, Self::Text | Self::Atom { .. } | Self::Break(_))
    }
}

/// Where a line goes.
pub(super) struct Place<'a> {
    pub(super) block_id: NodeId,
    pub(super) block: &'a Computed,
    /// Left and top edge, and the room between the floats.
    pub(super) left: f32,
    pub(super) top: f32,
    pub(super) room: f32,
    /// Something on it shows: without, it has no height, and neither has what is on it.
    pub(super) shows: bool,
}

/// Part of an inline box on one line.
struct Piece {
    chain: Rc<Chain>,
    from: f32,
    to: f32,
}

impl Flow<'_> {
    /// Puts everything of a full line at its place. Gives the line's height and how far its baseline lies below its top.
    pub(super) fn place_line(&mut self, line: &[Put], place: &Place<'_>) -> (f32, f32) {
        let (above, below) = self.line_extent(line, place.block);
        let end = line.iter().map(|put| put.x + put.width).fold(0.0, f32::max);
        let slack = (place.room - end).max(0.0);
        let rtl = place.block.rtl;
        let shift = match place.block.text_align {
            TextAlign::Center => slack / 2.0,
            TextAlign::Right => slack,
            TextAlign::Start if rtl => slack,
            TextAlign::End if !rtl => slack,
            TextAlign::Left | TextAlign::Start | TextAlign::End => 0.0,
        };
        let baseline = place.top + above;
        let mut pieces = Pieces::default();
        for put in line {
            let x = place.left + put.x + shift;
            match &put.what {
                What::Atom { id, height, margin, align } => {
                    let y = match align {
                        VerticalAlign::Top => place.top + margin[0],
                        VerticalAlign::Bottom => place.top + above + below - height - margin[2],
                        _ => baseline - put.above + margin[0],
                    };
                    self.shift(*id, (x + margin[3], y));
                }
                What::Break(id) => {
                    let size = put.chain.as_ref().map_or(place.block, |c| &c.style).font_size;
                    let (ascent, descent) = metrics::ascent_descent(size);
                    let rise = put.chain.as_ref().map_or(0.0, |chain| chain.rise);
                    let y = baseline - rise - ascent;
                    self.out.insert(*id, Area { x, y, width: 0.0, height: ascent + descent });
                }
                What::Out(id) => self.wait(*id, (x, place.top), put.chain.as_deref()),
                What::Text if put.chain.is_none() => {
                    let (ascent, descent) = metrics::ascent_descent(place.block.font_size);
                    let height = ascent + descent;
                    let area = Area { x, y: baseline - ascent, width: put.width, height };
                    self.add_text(place.block_id, area);
                }
                _ => {}
            }
            if !matches!(put.what, What::Out(_)) {
                pieces.add(put, x);
            }
        }
        for piece in pieces.list {
            if place.shows {
                self.place_piece(&piece, baseline);
            } else {
                let area = Area { x: piece.from, y: place.top, width: 0.0, height: 0.0 };
                self.fragments.entry(piece.chain.id).or_default().push(area);
            }
        }
        (above + below, above)
    }

    fn add_text(&mut self, id: NodeId, area: Area) {
        let texts = self.texts.entry(id).or_default();
        match texts.last_mut() {
            Some(last) if last.y == area.y && area.x - (last.x + last.width) < 20.0 => {
                *last = last.union(area);
            }
            _ => texts.push(area),
        }
    }

    fn place_piece(&mut self, piece: &Piece, baseline: f32) {
        let style = &piece.chain.style;
        let id = piece.chain.id;
        let (ascent, descent) = metrics::ascent_descent(style.font_size);
        let edges = self.edges(id, 0.0);
        let area = Area {
            x: piece.from,
            y: baseline - piece.chain.rise - ascent - edges[0],
            width: (piece.to - piece.from).max(0.0),
            height: ascent + descent + edges[0] + edges[2],
        };
        self.fragments.entry(id).or_default().push(area);
    }

    /// How far a line reaches above and below its baseline.
    fn line_extent(&self, line: &[Put], block: &Computed) -> (f32, f32) {
        let (mut above, mut below) = self.line_strut(line, block);
        let quirky = self.dom.quirks != Quirks::No;
        for put in line {
            let counts = match put.what {
                What::Atom { align, .. } => {
                    !matches!(align, VerticalAlign::Top | VerticalAlign::Bottom)
                }
                What::Out(_) | What::Space => false,
                // Empty inline boxes make a line no higher in quirks mode.
                What::Open { .. } | What::Close { .. } => !quirky || put.width != 0.0,
                What::Text | What::Break(_) => true,
            };
            if counts {
                above = above.max(put.above);
                below = below.max(put.below);
            }
            // Every inline box on the line asks for the room of its own font.
            let chain =
                put.chain.as_deref().filter(|_| !quirky && !matches!(put.what, What::Out(_)));
            let around = std::iter::successors(chain, |chain| chain.up.as_deref());
            for chain in around {
                let (up, down) = strut(&chain.style);
                above = above.max(up + chain.rise);
                below = below.max(down - chain.rise);
            }
        }
        if above == f32::MIN {
            (above, below) = (0.0, 0.0);
        }
        for put in line {
            match put.what {
                What::Atom { align: VerticalAlign::Top, .. } => {
                    below = below.max(put.above + put.below - above);
                }
                What::Atom { align: VerticalAlign::Bottom, .. } => {
                    above = above.max(put.above + put.below - below);
                }
                _ => {}
            }
        }
        (above, below)
    }

    /// What the block's own font asks for on a line. Nothing in quirks mode where no text of its own stands there (Quirks Mode
    /// standard, "The line height calculation quirk").
    fn line_strut(&self, line: &[Put], block: &Computed) -> (f32, f32) {
        let own_text =
            |put: &Put| matches!(put.what, What::Text | What::Break(_)) && put.chain.is_none();
        let is_quirky = self.dom.quirks != Quirks::No
            && block.display != crate::style::Display::ListItem
            && line.iter().any(|put| put.width > 0.0)
            && !line.iter().any(own_text);
        if is_quirky { (f32::MIN, f32::MIN) } else { strut(block) }
    }
}

/// The inline boxes on a line.
#[derive(Default)]
struct Pieces {
    list: Vec<Piece>,
    places: BTreeMap<NodeId, usize>,
}

impl Pieces {
    /// Lets the inline boxes around something grow over it.
    fn add(&mut self, put: &Put, x: f32) {
        let mut own = true;
        let mut at = put.chain.as_ref();
        while let Some(chain) = at {
            let (mut from, mut to) = (x, x + put.width);
            match put.what {
                What::Open { margin } if own => from += margin,
                What::Close { margin } if own => to -= margin,
                _ => {}
            }
            own = false;
            match self.places.get(&chain.id) {
                Some(at) => {
                    let piece = &mut self.list[*at];
                    piece.from = piece.from.min(from);
                    piece.to = piece.to.max(to);
                }
                None => {
                    self.places.insert(chain.id, self.list.len());
                    self.list.push(Piece { chain: Rc::clone(chain), from, to });
                }
            }
            at = chain.up.as_ref();
        }
    }
}

/// What a font asks for above and below the baseline.
pub(super) fn strut(style: &Computed) -> (f32, f32) {
    let (ascent, _) = metrics::ascent_descent(style.font_size);
    let line = metrics::line_height(style);
    let above = ascent + metrics::half_leading(style);
    (above, line - above)
}
