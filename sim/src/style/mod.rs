//! The style cascade: from sheets and attributes to one computed style an element.

mod apply;
mod block;
mod cascade;
mod computed;
mod content;
mod declare;
mod element;
mod flex;
mod hints;
mod keyword;
mod length;
mod media;
mod scope;
pub(crate) mod selector;
mod sheet;
mod shorthand;
mod transform;
mod ua;

pub(crate) use cascade::{PseudoStyle, Styles, compute, has_no_box};
pub(crate) use computed::{
    Align, Computed, Display, Float, LineHeight, Overflow, Position, Size, TextAlign, Track,
    VerticalAlign, WhiteSpace, WordBreak,
};
pub(crate) use media::Media;
pub(crate) use transform::Affine;
