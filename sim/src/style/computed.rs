//! Computed style: what layout, hit testing and the capture look at.

use super::grid::Grid;
use super::transform::Transform;
use std::collections::BTreeMap;
use std::rc::Rc;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Display {
    None,
    Contents,
    Inline,
    RubyText,
    InlineBlock,
    InlineFlex,
    InlineGrid,
    InlineTable,
    Block,
    FlowRoot,
    ListItem,
    Flex,
    Grid,
    Table,
    RowGroup,
    Row,
    Cell,
    Column,
    Caption,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Position {
    Static,
    Relative,
    Absolute,
    Fixed,
    Sticky,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Float {
    None,
    Left,
    Right,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Overflow {
    Visible,
    Clip,
    Hidden,
    Scroll,
    Auto,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum WhiteSpace {
    Normal,
    NoWrap,
    Pre,
    PreWrap,
    PreLine,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TextAlign {
    Start,
    Center,
    End,
    Left,
    Right,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum VerticalAlign {
    Baseline,
    Top,
    Middle,
    Bottom,
    Sub,
    Super,
    TextTop,
    TextBottom,
    /// Raised by so much; percentages are of the line height.
    Length(Size),
}

/// `list-style-type`, as far as widths differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Marker {
    None,
    Symbol,
    Disclosure,
    Number,
    Letter,
}

/// Where words may be broken inside.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum WordBreak {
    Normal,
    /// Only words that are longer than the line.
    Long,
    All,
}

/// A length once fonts and the viewport are known: CSS pixels and a share of what percentages refer to.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Size {
    Auto,
    Given {
        px: f32,
        percent: f32,
    },
    /// The same, kept between two lengths in pixels.
    Bounded {
        px: f32,
        percent: f32,
        least: f32,
        most: f32,
    },
    /// As much as there is.
    Stretch,
    MinContent,
    MaxContent,
    FitContent,
}

impl Size {
    pub(crate) const ZERO: Self = Self::Given { px: 0.0, percent: 0.0 };
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum LineHeight {
    Normal,
    Times(f32),
    Px(f32),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Align {
    Start,
    End,
    FlexStart,
    FlexEnd,
    Center,
    Baseline,
    Stretch,
    SpaceBetween,
    SpaceAround,
    SpaceEvenly,
}

/// `flex-wrap`
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wrap {
    No,
    Yes,
    Reverse,
}

/// One piece of `content`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ContentItem {
    Text(String),
    Attr(String),
    /// After the slash: alternative text, which replaces what stands before.
    Alternative,
}

/// Flex and grid properties; most elements have the initial ones.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Boxes {
    pub(crate) column: bool,
    pub(crate) reverse: bool,
    pub(crate) wrap: Wrap,
    pub(crate) grow: f32,
    pub(crate) shrink: f32,
    pub(crate) basis: Size,
    pub(crate) order: i32,
    pub(crate) align_items: Option<Align>,
    pub(crate) align_self: Option<Align>,
    pub(crate) justify_content: Option<Align>,
    pub(crate) align_content: Option<Align>,
    pub(crate) justify_items: Option<Align>,
    pub(crate) justify_self: Option<Align>,
    /// Row gap, column gap.
    pub(crate) gap: (Size, Size),
    pub(crate) grid: Rc<Grid>,
}

/// Computed style of one element.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Computed {
    pub(crate) display: Display,
    pub(crate) visibility: backlot_core::page::Visibility,
    pub(crate) text_transform: backlot_core::page::TextTransform,
    pub(crate) cursor_pointer: bool,
    pub(crate) content_hidden: bool,
    pub(crate) position: Position,
    pub(crate) float: Float,
    /// Left floats and right floats.
    pub(crate) clear: (bool, bool),
    /// top, right, bottom, left; so are all four-sided ones.
    pub(crate) inset: [Size; 4],
    pub(crate) width: Size,
    pub(crate) height: Size,
    pub(crate) min_width: Size,
    pub(crate) min_height: Size,
    pub(crate) max_width: Size,
    pub(crate) max_height: Size,
    pub(crate) margin: [Size; 4],
    /// Margins of the browser's own sheet that quirks mode ignores at the edges of `body` and cells.
    pub(crate) quirky_margin: [bool; 4],
    pub(crate) padding: [Size; 4],
    pub(crate) border: [f32; 4],
    pub(crate) border_styled: [bool; 4],
    pub(crate) border_box: bool,
    pub(crate) overflow: (Overflow, Overflow),
    pub(crate) font_size: f32,
    pub(crate) monospace: bool,
    pub(crate) line_height: LineHeight,
    pub(crate) word_break: WordBreak,
    /// CSS pixels.
    pub(crate) letter_spacing: f32,
    pub(crate) word_spacing: f32,
    pub(crate) text_indent: Size,
    /// `appearance: none`
    pub(crate) appearance_none: bool,
    /// Width over height.
    pub(crate) aspect_ratio: Option<f32>,
    /// Of a list item.
    pub(crate) marker: Marker,
    /// The marker is part of the first line.
    pub(crate) marker_inside: bool,
    /// It was inline-level before its position made a block of it.
    pub(crate) was_inline: bool,
    pub(crate) white_space: WhiteSpace,
    pub(crate) text_align: TextAlign,
    /// `direction: rtl`
    pub(crate) rtl: bool,
    pub(crate) vertical_align: VerticalAlign,
    pub(crate) border_spacing: (f32, f32),
    pub(crate) border_collapse: bool,
    /// `table-layout: fixed`
    pub(crate) table_fixed: bool,
    pub(crate) z_index: Option<i32>,
    pub(crate) opacity: f32,
    pub(crate) pointer_events: bool,
    /// A stacking context for another reason than its position, opacity or transform.
    pub(crate) isolated: bool,
    /// `clip` leaves nothing.
    pub(crate) clip_rect: bool,
    /// Clipped to nothing, with all that is in it.
    pub(crate) clipped_away: bool,
    pub(crate) transform: Option<Rc<Transform>>,
    pub(crate) boxes: Rc<Boxes>,
    pub(crate) content: Option<Rc<Vec<ContentItem>>>,
    pub(crate) custom: Rc<BTreeMap<String, String>>,
}

impl Default for Boxes {
    fn default() -> Self {
        Self {
            column: false,
            reverse: false,
            wrap: Wrap::No,
            grow: 0.0,
            shrink: 1.0,
            basis: Size::Auto,
            order: 0,
            align_items: None,
            align_self: None,
            justify_content: None,
            align_content: None,
            justify_items: None,
            justify_self: None,
            gap: (Size::ZERO, Size::ZERO),
            grid: Rc::default(),
        }
    }
}

impl Computed {
    /// Every property's initial value.
    pub(crate) fn initial() -> Self {
        thread_local! {
            // What most styles share is made once.
            static INITIAL: Computed = Computed::made();
        }
        INITIAL.with(Clone::clone)
    }

    fn made() -> Self {
        Self {
            display: Display::Inline,
            visibility: backlot_core::page::Visibility::Visible,
            text_transform: backlot_core::page::TextTransform::None,
            cursor_pointer: false,
            content_hidden: false,
            position: Position::Static,
            float: Float::None,
            clear: (false, false),
            inset: [Size::Auto; 4],
            width: Size::Auto,
            height: Size::Auto,
            min_width: Size::Auto,
            min_height: Size::Auto,
            max_width: Size::Auto,
            max_height: Size::Auto,
            margin: [Size::ZERO; 4],
            quirky_margin: [false; 4],
            padding: [Size::ZERO; 4],
            border: [3.0; 4],
            border_styled: [false; 4],
            border_box: false,
            overflow: (Overflow::Visible, Overflow::Visible),
            font_size: 16.0,
            monospace: false,
            line_height: LineHeight::Normal,
            word_break: WordBreak::Normal,
            letter_spacing: 0.0,
            word_spacing: 0.0,
            text_indent: Size::ZERO,
            appearance_none: false,
            aspect_ratio: None,
            marker: Marker::Symbol,
            marker_inside: false,
            was_inline: false,
            white_space: WhiteSpace::Normal,
            text_align: TextAlign::Start,
            rtl: false,
            vertical_align: VerticalAlign::Baseline,
            border_spacing: (0.0, 0.0),
            border_collapse: false,
            table_fixed: false,
            z_index: None,
            opacity: 1.0,
            pointer_events: true,
            isolated: false,
            clip_rect: false,
            clipped_away: false,
            transform: None,
            boxes: Rc::default(),
            content: None,
            custom: Rc::default(),
        }
    }

    /// The initial style with what is inherited taken from `parent`.
    pub(crate) fn inheriting(parent: &Self) -> Self {
        Self {
            visibility: parent.visibility,
            text_transform: parent.text_transform,
            cursor_pointer: parent.cursor_pointer,
            font_size: parent.font_size,
            monospace: parent.monospace,
            line_height: parent.line_height,
            word_break: parent.word_break,
            letter_spacing: parent.letter_spacing,
            word_spacing: parent.word_spacing,
            text_indent: parent.text_indent,
            marker: parent.marker,
            marker_inside: parent.marker_inside,
            white_space: parent.white_space,
            text_align: parent.text_align,
            rtl: parent.rtl,
            border_spacing: parent.border_spacing,
            border_collapse: parent.border_collapse,
            pointer_events: parent.pointer_events,
            custom: Rc::clone(&parent.custom),
            ..Self::initial()
        }
    }

    pub(crate) fn out_of_flow(&self) -> bool {
        self.float != Float::None || matches!(self.position, Position::Absolute | Position::Fixed)
    }

    pub(crate) fn border_width(&self, side: usize) -> f32 {
        if self.border_styled[side] { self.border[side] } else { 0.0 }
    }
}

impl Display {
    /// The outer type that floats, absolute boxes, and items of flex and grid boxes get.
    pub(crate) fn blockified(self) -> Self {
        match self {
            Self::Inline | Self::InlineBlock | Self::RubyText => Self::Block,
            Self::InlineFlex => Self::Flex,
            Self::InlineGrid => Self::Grid,
            Self::InlineTable => Self::Table,
            Self::RowGroup | Self::Row | Self::Cell | Self::Column | Self::Caption => Self::Block,
            other => other,
        }
    }

    pub(crate) fn is_flex_or_grid(self) -> bool {
        matches!(self, Self::Flex | Self::Grid | Self::InlineFlex | Self::InlineGrid)
    }

    pub(crate) fn outer(self) -> backlot_core::page::Display {
        use backlot_core::page::Display as Outer;
        match self {
            Self::None => Outer::None,
            Self::Contents => Outer::Contents,
            Self::Inline | Self::RubyText => Outer::Inline,
            Self::InlineBlock | Self::InlineFlex | Self::InlineGrid | Self::InlineTable => {
                Outer::InlineBlock
            }
            Self::Cell => Outer::TableCell,
            _ => Outer::Block,
        }
    }
}
