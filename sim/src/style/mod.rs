//! The style cascade: from sheets and attributes to one computed style an element.

mod apply;
mod block;
mod cascade;
mod computed;
mod content;
mod custom;
mod declare;
mod element;
mod flex;
mod grid;
mod hints;
pub(crate) mod import;
mod keyword;
mod length;
mod media;
mod reset;
mod scope;
pub(crate) mod selector;
mod sheet;
mod shorthand;
mod template;
mod transform;
mod ua;
mod values;

pub(crate) use cascade::{PseudoStyle, Styles, compute, has_no_box};
pub(crate) use computed::{
    Align, Computed, Display, Float, LineHeight, Marker, Overflow, Position, Size, TextAlign,
    VerticalAlign, WhiteSpace, WordBreak, Wrap,
};
pub(crate) use grid::{Area as GridArea, Breadth, Line, Track, Tracks};
pub(crate) use media::Media;
pub(crate) use transform::Affine;
