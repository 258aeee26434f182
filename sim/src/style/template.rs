//! Grid properties: parsing.

use super::grid::{Area, Breadth, GridValue, Line, Track, Tracks};
use super::length::{Length, parse_length};
use cssparser::{ParseError, Parser, Token};

/// Most tracks that a `repeat()` is unrolled to, and the farthest line that something is placed at.
const REPEAT_MAX: usize = 500;
const LINE_MAX: i32 = 500;

/// `None`: not a grid property, or an invalid value.
pub(super) fn parse(name: &str, input: &mut Parser<'_>) -> Option<Vec<GridValue>> {
    Some(match name {
        "grid-template-columns" => vec![GridValue::Columns(tracks(input)?)],
        "grid-template-rows" => vec![GridValue::Rows(tracks(input)?)],
        "grid-auto-columns" => vec![GridValue::AutoColumns(auto_tracks(input)?)],
        "grid-auto-rows" => vec![GridValue::AutoRows(auto_tracks(input)?)],
        "grid-template-areas" => {
            let mut rows = Vec::new();
            while let Ok(row) =
                input.try_parse(|input| input.expect_string().map(ToString::to_string))
            {
                rows.push(row);
            }
            while input.next().is_ok() {}
            let (areas, size) = areas(&rows)?;
            vec![GridValue::Areas(areas, size)]
        }
        "grid-auto-flow" => vec![GridValue::Flow(flow(input))],
        "grid-column-start" => vec![GridValue::ColumnStart(line(input)?)],
        "grid-column-end" => vec![GridValue::ColumnEnd(line(input)?)],
        "grid-row-start" => vec![GridValue::RowStart(line(input)?)],
        "grid-row-end" => vec![GridValue::RowEnd(line(input)?)],
        "grid-column" | "grid-row" => {
            let (start, end) = pair(input)?;
            match name {
                "grid-column" => vec![GridValue::ColumnStart(start), GridValue::ColumnEnd(end)],
                _ => vec![GridValue::RowStart(start), GridValue::RowEnd(end)],
            }
        }
        "grid-area" => area(input)?,
        "grid-template" | "grid" => template(input)?,
        _ => return None,
    })
}

fn template(input: &mut Parser<'_>) -> Option<Vec<GridValue>> {
    let no_areas = || GridValue::Areas(Vec::new(), (0, 0));
    let flows = |input: &mut Parser<'_>| {
        input.try_parse(|input| {
            input.expect_ident_matching("auto-flow").map_err(drop)?;
            let dense = input.try_parse(|input| input.expect_ident_matching("dense"));
            Ok::<_, ()>(dense.is_ok())
        })
    };
    if let Ok(dense) = flows(input) {
        let rows = if input.try_parse(|i| i.expect_delim('/')).is_ok() {
            Vec::new()
        } else {
            let rows = auto_tracks(input)?;
            input.expect_delim('/').ok()?;
            rows
        };
        let columns = tracks(input)?;
        let flow = GridValue::Flow((false, dense));
        return Some(vec![
            flow,
            GridValue::AutoRows(rows),
            GridValue::Columns(columns),
            no_areas(),
        ]);
    }
    // Rows, each with the names of its areas or not.
    let (mut rows, mut named) = (Tracks::default(), Vec::new());
    if input.try_parse(|input| input.expect_ident_matching("none")).is_err() {
        loop {
            let names = line_names(input);
            rows.names.resize(rows.tracks.len() + 1, Vec::new());
            rows.names[rows.tracks.len()].extend(names);
            if let Ok(text) = input.try_parse(|i| i.expect_string().map(ToString::to_string)) {
                named.push(text);
                let given = input.try_parse(|input| track(input).ok_or(()));
                rows.tracks.push(given.unwrap_or(AUTO));
            } else if let Ok(one) = input.try_parse(|input| track(input).ok_or(())) {
                rows.tracks.push(one);
            } else if let Ok(repeat) = input.try_parse(|input| repeat(input).ok_or(())) {
                rows.add(repeat);
            } else {
                break;
            }
        }
    }
    let mut values = vec![GridValue::Rows(rows)];
    if input.try_parse(|input| input.expect_delim('/')).is_ok() {
        if let Ok(dense) = flows(input) {
            let columns = if input.is_exhausted() { Vec::new() } else { auto_tracks(input)? };
            values.push(GridValue::Flow((true, dense)));
            values.push(GridValue::AutoColumns(columns));
        } else {
            values.push(GridValue::Columns(tracks(input)?));
        }
    } else {
        values.push(GridValue::Columns(Tracks::default()));
    }
    let (areas, size) = areas(&named)?;
    values.push(GridValue::Areas(areas, size));
    Some(values)
}

const AUTO: Track<Length> =
    Track { min: Breadth::Length(Length::Auto), max: Breadth::Length(Length::Auto) };

enum Repeat {
    Times(Tracks<Length>),
    Filled(Vec<Track<Length>>, bool),
}

impl Tracks<Length> {
    fn add(&mut self, repeat: Repeat) {
        match repeat {
            Repeat::Times(more) => {
                self.names.resize(self.tracks.len() + 1, Vec::new());
                let at = self.tracks.len();
                self.tracks.extend(more.tracks);
                self.names.resize(self.tracks.len() + 1, Vec::new());
                for (place, names) in more.names.into_iter().enumerate() {
                    if let Some(own) = self.names.get_mut(at + place) {
                        own.extend(names);
                    }
                }
            }
            Repeat::Filled(tracks, fit) => self.repeated = Some((self.tracks.len(), tracks, fit)),
        }
    }
}

fn tracks(input: &mut Parser<'_>) -> Option<Tracks<Length>> {
    let mut all = Tracks::default();
    if input.try_parse(|input| input.expect_ident_matching("none")).is_ok() {
        return Some(all);
    }
    while !input.is_exhausted() {
        let names = line_names(input);
        if !names.is_empty() {
            all.names.resize(all.tracks.len() + 1, Vec::new());
            all.names[all.tracks.len()].extend(names);
            continue;
        }
        match input.try_parse(|input| repeat(input).ok_or(())) {
            Ok(repeat) => all.add(repeat),
            Err(()) => all.tracks.push(track(input)?),
        }
    }
    if !all.names.is_empty() {
        all.names.resize(all.tracks.len() + 1, Vec::new());
    }
    Some(all)
}

fn auto_tracks(input: &mut Parser<'_>) -> Option<Vec<Track<Length>>> {
    let mut all = Vec::new();
    while let Ok(one) = input.try_parse(|input| track(input).ok_or(())) {
        all.push(one);
    }
    (!all.is_empty()).then_some(all)
}

/// `[a b]`
fn line_names(input: &mut Parser<'_>) -> Vec<String> {
    let names = input.try_parse(|input| {
        input.expect_square_bracket_block().map_err(drop)?;
        input
            .parse_nested_block(|input| {
                let mut names = Vec::new();
                while let Ok(name) = input.expect_ident() {
                    names.push(name.to_string());
                }
                Ok::<_, ParseError<()>>(names)
            })
            .map_err(drop)
    });
    names.unwrap_or_default()
}

fn repeat(input: &mut Parser<'_>) -> Option<Repeat> {
    input.expect_function_matching("repeat").ok()?;
    input
        .parse_nested_block(|input| {
            let word =
                input.try_parse(|input| input.expect_ident().map(|word| word.to_ascii_lowercase()));
            let count = match word.as_deref() {
                Ok("auto-fill") => Err(false),
                Ok("auto-fit") => Err(true),
                _ => Ok(input.expect_integer()?),
            };
            input.expect_comma()?;
            let once = tracks(input).ok_or_else(|| input.new_error_for_next_token::<()>())?;
            Ok::<_, ParseError<()>>(match count {
                Err(fit) => Repeat::Filled(once.tracks, fit),
                Ok(count) => {
                    let mut all = Tracks::default();
                    let most = REPEAT_MAX / once.tracks.len().max(1);
                    for _ in 0..usize::try_from(count).unwrap_or(0).min(most) {
                        all.add(Repeat::Times(once.clone()));
                    }
                    Repeat::Times(all)
                }
            })
        })
        .ok()
}

fn track(input: &mut Parser<'_>) -> Option<Track<Length>> {
    let function = input.try_parse(|input| {
        input.expect_function().map(|name| name.to_ascii_lowercase()).map_err(drop).and_then(
            |name| {
                let inside = input.parse_nested_block(|input| {
                    let bad = |input: &mut Parser<'_>| input.new_error_for_next_token::<()>();
                    match name.as_str() {
                        "minmax" => {
                            let min = breadth(input).ok_or_else(|| bad(input))?;
                            input.expect_comma()?;
                            Ok(Track { min, max: breadth(input).ok_or_else(|| bad(input))? })
                        }
                        "fit-content" => {
                            let length = parse_length(input).ok_or_else(|| bad(input))?;
                            Ok(Track {
                                min: Breadth::Length(Length::Auto),
                                max: Breadth::FitContent(length),
                            })
                        }
                        _ => Err(bad(input)),
                    }
                });
                inside.map_err(drop)
            },
        )
    });
    match function {
        Ok(track) => Some(track),
        Err(()) => breadth(input).map(|one| Track {
            min: if matches!(one, Breadth::Fraction(_)) {
                Breadth::Length(Length::Auto)
            } else {
                one
            },
            max: one,
        }),
    }
}

fn breadth(input: &mut Parser<'_>) -> Option<Breadth<Length>> {
    let fraction = input.try_parse(|input| match input.next() {
        Ok(Token::Dimension { value, unit, .. }) if unit.eq_ignore_ascii_case("fr") => Ok(*value),
        _ => Err(()),
    });
    match fraction {
        Ok(fraction) => Some(Breadth::Fraction(fraction.max(0.0))),
        Err(()) => parse_length(input).map(Breadth::Length),
    }
}

fn flow(input: &mut Parser<'_>) -> (bool, bool) {
    let (mut column, mut dense) = (false, false);
    while let Ok(word) = input.expect_ident() {
        column |= word.eq_ignore_ascii_case("column");
        dense |= word.eq_ignore_ascii_case("dense");
    }
    (column, dense)
}

/// `2`, `-1`, `name`, `name 2`, `span 2`, `span name`, `auto`.
fn line(input: &mut Parser<'_>) -> Option<Line> {
    let (mut span, mut name, mut number) = (false, None, None);
    loop {
        let state = input.state();
        match input.next() {
            Ok(Token::Ident(word)) if word.eq_ignore_ascii_case("span") => span = true,
            Ok(Token::Ident(word)) if word.eq_ignore_ascii_case("auto") => return Some(Line::Auto),
            Ok(Token::Ident(word)) => name = Some(word.to_string()),
            Ok(Token::Number { int_value: Some(value), .. }) => {
                number = Some(i16::try_from((*value).clamp(-LINE_MAX, LINE_MAX)).ok()?);
            }
            _ => {
                input.reset(&state);
                break;
            }
        }
    }
    let positive = |number: Option<i16>| u16::try_from(number.unwrap_or(1)).unwrap_or(1).max(1);
    Some(match (span, name, number) {
        (true, Some(name), number) => Line::NamedSpan(name, positive(number)),
        (true, None, number) => Line::Span(positive(number)),
        (false, Some(name), number) => Line::Named(name, number.unwrap_or(0)),
        (false, None, Some(0) | None) => return None,
        (false, None, Some(number)) => Line::At(number),
    })
}

fn pair(input: &mut Parser<'_>) -> Option<(Line, Line)> {
    let start = line(input)?;
    let end = if input.try_parse(|input| input.expect_delim('/')).is_ok() {
        line(input)?
    } else {
        opposite(&start)
    };
    Some((start, end))
}

/// What stands for an end that is not written: the same name, else nothing.
fn opposite(start: &Line) -> Line {
    match start {
        Line::Named(name, 0) => Line::Named(name.clone(), 0),
        _ => Line::Auto,
    }
}

fn area(input: &mut Parser<'_>) -> Option<Vec<GridValue>> {
    let mut lines = vec![line(input)?];
    while input.try_parse(|input| input.expect_delim('/')).is_ok() {
        lines.push(line(input)?);
    }
    let get =
        |at: usize, from: usize| lines.get(at).cloned().unwrap_or_else(|| opposite(&lines[from]));
    let row = lines[0].clone();
    let column = get(1, 0);
    let row_end = get(2, 0);
    let column_end = lines.get(3).cloned().unwrap_or_else(|| opposite(&column));
    Some(vec![
        GridValue::RowStart(row),
        GridValue::ColumnStart(column),
        GridValue::RowEnd(row_end),
        GridValue::ColumnEnd(column_end),
    ])
}

/// Named areas from rows of names; `None` where rows differ in length or an area is no rectangle.
fn areas(rows: &[String]) -> Option<(Vec<Area>, (u16, u16))> {
    let mut found: Vec<Area> = Vec::new();
    let mut width = None;
    for (row, text) in (1_u16..).zip(rows) {
        let names: Vec<&str> = text.split_whitespace().collect();
        if *width.get_or_insert(names.len()) != names.len() {
            return None;
        }
        for (column, name) in (1_u16..).zip(names) {
            if name.starts_with('.') {
                continue;
            }
            match found.iter_mut().find(|area| area.name == name) {
                Some(area) => {
                    area.rows.1 = row + 1;
                    area.columns.0 = area.columns.0.min(column);
                    area.columns.1 = area.columns.1.max(column + 1);
                }
                None => found.push(Area {
                    name: name.into(),
                    rows: (row, row + 1),
                    columns: (column, column + 1),
                }),
            }
        }
    }
    let count = |n: usize| u16::try_from(n).ok();
    Some((found, (count(rows.len())?, count(width.unwrap_or(0))?)))
}
