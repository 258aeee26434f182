//! Grid properties (CSS Grid Layout 2): templates, areas and placements.

use super::computed::Size;
use super::length::{Basis, Length};

/// The smallest or largest size of a track.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Breadth<L> {
    Length(L),
    Fraction(f32),
    FitContent(L),
}

/// One column or row.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Track<L> {
    pub(crate) min: Breadth<L>,
    pub(crate) max: Breadth<L>,
}

/// A template of columns or rows.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Tracks<L> {
    pub(crate) tracks: Vec<Track<L>>,
    /// Names of the lines before each track and behind the last one.
    pub(crate) names: Vec<Vec<String>>,
    /// Tracks repeated as often as they fit, at this place; `true`: empty ones collapse.
    pub(crate) repeated: Option<(usize, Vec<Track<L>>, bool)>,
}

impl<L> Default for Tracks<L> {
    fn default() -> Self {
        Self { tracks: Vec::new(), names: Vec::new(), repeated: None }
    }
}

/// A named area: rows and columns by line, from 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Area {
    pub(crate) name: String,
    pub(crate) rows: (u16, u16),
    pub(crate) columns: (u16, u16),
}

/// Where an item begins or ends.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) enum Line {
    #[default]
    Auto,
    At(i16),
    Named(String, i16),
    Span(u16),
    NamedSpan(String, u16),
}

/// All of a style's grid properties.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Grid {
    pub(crate) columns: Tracks<Size>,
    pub(crate) rows: Tracks<Size>,
    pub(crate) auto_columns: Vec<Track<Size>>,
    pub(crate) auto_rows: Vec<Track<Size>>,
    pub(crate) areas: Vec<Area>,
    /// Numbers of rows and columns of the area template.
    pub(crate) area_size: (u16, u16),
    /// Automatic placement goes down columns; holes are filled.
    pub(crate) flow: (bool, bool),
    /// First and last lines.
    pub(crate) column: (Line, Line),
    pub(crate) row: (Line, Line),
}

/// One of the grid longhands, as written.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum GridValue {
    Columns(Tracks<Length>),
    Rows(Tracks<Length>),
    AutoColumns(Vec<Track<Length>>),
    AutoRows(Vec<Track<Length>>),
    Areas(Vec<Area>, (u16, u16)),
    Flow((bool, bool)),
    ColumnStart(Line),
    ColumnEnd(Line),
    RowStart(Line),
    RowEnd(Line),
}

impl Grid {
    pub(crate) fn apply(&mut self, value: &GridValue, basis: Basis) {
        let all = |tracks: &[Track<Length>]| tracks.iter().map(|one| one.resolve(basis)).collect();
        match value {
            GridValue::Columns(tracks) => self.columns = tracks.resolve(basis),
            GridValue::Rows(tracks) => self.rows = tracks.resolve(basis),
            GridValue::AutoColumns(tracks) => self.auto_columns = all(tracks),
            GridValue::AutoRows(tracks) => self.auto_rows = all(tracks),
            GridValue::Areas(areas, size) => (self.areas, self.area_size) = (areas.clone(), *size),
            GridValue::Flow(flow) => self.flow = *flow,
            GridValue::ColumnStart(line) => self.column.0 = line.clone(),
            GridValue::ColumnEnd(line) => self.column.1 = line.clone(),
            GridValue::RowStart(line) => self.row.0 = line.clone(),
            GridValue::RowEnd(line) => self.row.1 = line.clone(),
        }
    }
}

impl Breadth<Length> {
    fn resolve(self, basis: Basis) -> Breadth<Size> {
        match self {
            Self::Length(length) => Breadth::Length(length.resolve(basis)),
            Self::Fraction(fraction) => Breadth::Fraction(fraction),
            Self::FitContent(length) => Breadth::FitContent(length.resolve(basis)),
        }
    }
}

impl Track<Length> {
    fn resolve(self, basis: Basis) -> Track<Size> {
        Track { min: self.min.resolve(basis), max: self.max.resolve(basis) }
    }
}

impl Tracks<Length> {
    fn resolve(&self, basis: Basis) -> Tracks<Size> {
        let all = |tracks: &[Track<Length>]| tracks.iter().map(|one| one.resolve(basis)).collect();
        Tracks {
            tracks: all(&self.tracks),
            names: self.names.clone(),
            repeated: self.repeated.as_ref().map(|(at, tracks, fit)| (*at, all(tracks), *fit)),
        }
    }
}
