//! Lengths as they are written, before fonts and the viewport are known.

use super::computed::Size;
use cssparser::{Parser, Token};

/// A sum of lengths in every unit that is known.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Linear {
    px: f32,
    percent: f32,
    em: f32,
    rem: f32,
    vw: f32,
    vh: f32,
    number: f32,
    /// No more than these, no less than that: of `min()`, `max()` and `clamp()`.
    most: [Option<Bound>; 2],
    least: Option<Bound>,
    /// Written in the browser's own unit for margins that quirks mode ignores at some edges.
    quirky: bool,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Length {
    Auto,
    Linear(Linear),
    MinContent,
    MaxContent,
    FitContent,
    Stretch,
}

/// A length in one unit.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Bound {
    value: f32,
    unit: Unit,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Unit {
    Px,
    Em,
    Rem,
    Vw,
    Vh,
}

impl Bound {
    fn px(self, basis: Basis) -> f32 {
        self.value
            * match self.unit {
                Unit::Px => 1.0,
                Unit::Em => basis.em,
                Unit::Rem => basis.rem,
                Unit::Vw => basis.viewport.0 / 100.0,
                Unit::Vh => basis.viewport.1 / 100.0,
            }
    }
}

/// Lengths beyond this are this, as in Chromium; what is no number is nothing.
const LENGTH_MAX: f32 = 33_554_428.0;

pub(super) fn tame(value: f32) -> f32 {
    if value.is_nan() { 0.0 } else { value.clamp(-LENGTH_MAX, LENGTH_MAX) }
}

/// What relative units refer to, CSS pixels.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Basis {
    pub(crate) em: f32,
    pub(crate) rem: f32,
    pub(crate) viewport: (f32, f32),
}

impl Linear {
    pub(crate) fn px(px: f32) -> Self {
        Self { px, ..Self::default() }
    }

    /// So much of what percentages refer to; all is 1.
    pub(crate) fn share(percent: f32) -> Self {
        Self { percent, ..Self::default() }
    }

    fn combine(self, other: Self, sign: f32) -> Self {
        let sum = |a: f32, b: f32| a + b * sign;
        Self {
            px: sum(self.px, other.px),
            percent: sum(self.percent, other.percent),
            em: sum(self.em, other.em),
            rem: sum(self.rem, other.rem),
            vw: sum(self.vw, other.vw),
            vh: sum(self.vh, other.vh),
            number: sum(self.number, other.number),
            // A sum of what is bounded is not known to be.
            most: [None; 2],
            least: None,
            quirky: false,
        }
    }

    /// It, if it has one unit only.
    fn bound(self) -> Option<Bound> {
        let parts = [
            (self.px, Unit::Px),
            (self.em, Unit::Em),
            (self.rem, Unit::Rem),
            (self.vw, Unit::Vw),
            (self.vh, Unit::Vh),
        ];
        let mut given = parts.iter().filter(|(value, _)| *value != 0.0);
        let (value, unit) = given.next().copied().unwrap_or((0.0, Unit::Px));
        let alone = given.next().is_none() && self.percent == 0.0;
        alone.then_some(Bound { value, unit })
    }

    /// The smaller of two.
    ///
    /// SIM DIFFERENCE: where both have shares of what is around, the first stands for both; `round()` and its like and the unit
    /// `lh` are unknown.
    fn at_most(mut self, other: Self) -> Self {
        match (other.bound(), self.bound()) {
            (Some(bound), _) => {
                if let Some(place) = self.most.iter_mut().find(|place| place.is_none()) {
                    *place = Some(bound);
                }
                self
            }
            (None, Some(_)) => other.at_most(self),
            (None, None) => self,
        }
    }

    /// The larger of two.
    fn at_least(mut self, other: Self) -> Self {
        match (other.bound(), self.bound()) {
            (Some(bound), _) if self.least.is_none() => {
                self.least = Some(bound);
                self
            }
            (None, Some(_)) => other.at_least(self),
            _ => self,
        }
    }

    fn limits(self, basis: Basis) -> (f32, f32) {
        let most = self.most.iter().flatten().map(|bound| bound.px(basis)).fold(f32::MAX, f32::min);
        (self.least.map_or(f32::MIN, |bound| bound.px(basis)), most)
    }

    fn times(self, factor: f32) -> Self {
        Self::default().combine(self, factor)
    }

    fn is_number(self) -> bool {
        self == Self { number: self.number, ..Self::default() }
    }

    /// Pixels and the share (1 is all) of what percentages refer to.
    pub(crate) fn resolve(self, basis: Basis) -> (f32, f32) {
        let px = self.px
            + self.em * basis.em
            + self.rem * basis.rem
            + self.vw * basis.viewport.0 / 100.0
            + self.vh * basis.viewport.1 / 100.0;
        let (least, most) = self.limits(basis);
        if self.percent == 0.0 {
            (tame(px.min(most).max(least)), 0.0)
        } else {
            (tame(px), tame(self.percent))
        }
    }
}

impl Length {
    /// Its margin is ignored at the edges of `body` and cells in quirks mode.
    pub(crate) fn is_quirky(self) -> bool {
        matches!(self, Self::Linear(linear) if linear.quirky)
    }

    pub(crate) fn resolve(self, basis: Basis) -> Size {
        match self {
            Self::Auto => Size::Auto,
            Self::Linear(linear) => {
                let (px, percent) = linear.resolve(basis);
                let (least, most) = linear.limits(basis);
                if percent != 0.0 && (least, most) != (f32::MIN, f32::MAX) {
                    return Size::Bounded { px, percent, least, most };
                }
                Size::Given { px, percent }
            }
            Self::Stretch => Size::Stretch,
            Self::MinContent => Size::MinContent,
            Self::MaxContent => Size::MaxContent,
            Self::FitContent => Size::FitContent,
        }
    }
}

/// A length, percentage or sizing keyword.
pub(crate) fn parse_length(input: &mut Parser<'_>) -> Option<Length> {
    let keyword = input.try_parse(|input| {
        let word = input.expect_ident().map_err(drop)?;
        match word.to_ascii_lowercase().as_str() {
            "auto" | "none" | "normal" => Ok(Length::Auto),
            "min-content" => Ok(Length::MinContent),
            "max-content" => Ok(Length::MaxContent),
            "fit-content" => Ok(Length::FitContent),
            "stretch" | "-webkit-fill-available" | "-moz-available" => Ok(Length::Stretch),
            _ => Err(()),
        }
    });
    match keyword {
        Ok(length) => Some(length),
        Err(()) => parse_linear(input).map(Length::Linear),
    }
}

/// A length or percentage; a bare number only where it is 0.
pub(crate) fn parse_linear(input: &mut Parser<'_>) -> Option<Linear> {
    let linear = parse_term(input)?;
    if linear.number != 0.0 { None } else { Some(linear) }
}

fn parse_term(input: &mut Parser<'_>) -> Option<Linear> {
    let token = input.next().ok()?.clone();
    match token {
        Token::Number { value, .. } => Some(Linear { number: value, ..Linear::default() }),
        Token::Percentage { unit_value, .. } => {
            Some(Linear { percent: unit_value, ..Linear::default() })
        }
        Token::Dimension { value, unit, .. } => dimension(value, &unit),
        Token::ParenthesisBlock => nested(input, parse_sum),
        Token::Function(name) => match name.to_ascii_lowercase().as_str() {
            "calc" => nested(input, parse_sum),
            "min" => nested(input, |input| fold(input, Linear::at_most)),
            "max" => nested(input, |input| fold(input, Linear::at_least)),
            "clamp" => nested(input, |input| {
                let least = parse_sum(input)?;
                input.expect_comma().ok()?;
                let value = parse_sum(input)?;
                input.expect_comma().ok()?;
                Some(value.at_most(parse_sum(input)?).at_least(least))
            }),
            _ => None,
        },
        _ => None,
    }
}

fn nested(
    input: &mut Parser<'_>,
    parse: impl FnOnce(&mut Parser<'_>) -> Option<Linear>,
) -> Option<Linear> {
    input
        .parse_nested_block(|input| {
            parse(input).ok_or_else(|| input.new_error_for_next_token::<()>())
        })
        .ok()
}

fn fold(input: &mut Parser<'_>, join: fn(Linear, Linear) -> Linear) -> Option<Linear> {
    let mut all = parse_sum(input)?;
    while input.try_parse(Parser::expect_comma).is_ok() {
        all = join(all, parse_sum(input)?);
    }
    Some(all)
}

fn parse_sum(input: &mut Parser<'_>) -> Option<Linear> {
    let mut sum = parse_product(input)?;
    loop {
        let sign = input.try_parse(|input| match input.next() {
            Ok(Token::Delim('+')) => Ok(1.0),
            Ok(Token::Delim('-')) => Ok(-1.0),
            _ => Err(()),
        });
        let Ok(sign) = sign else { return Some(sum) };
        sum = sum.combine(parse_product(input)?, sign);
    }
}

fn parse_product(input: &mut Parser<'_>) -> Option<Linear> {
    let mut product = parse_term(input)?;
    loop {
        let divide = input.try_parse(|input| match input.next() {
            Ok(Token::Delim('*')) => Ok(false),
            Ok(Token::Delim('/')) => Ok(true),
            _ => Err(()),
        });
        let Ok(divide) = divide else { return Some(product) };
        let factor = parse_term(input)?;
        product = match (product.is_number(), factor.is_number()) {
            (_, true) if divide && factor.number != 0.0 => product.times(1.0 / factor.number),
            (_, true) if !divide => product.times(factor.number),
            (true, false) if !divide => factor.times(product.number),
            _ => return None,
        };
    }
}

fn dimension(value: f32, unit: &str) -> Option<Linear> {
    let none = Linear::default();
    Some(match unit.to_ascii_lowercase().as_str() {
        "px" => Linear::px(value),
        "pt" => Linear::px(value * 4.0 / 3.0),
        "pc" => Linear::px(value * 16.0),
        "in" => Linear::px(value * 96.0),
        "cm" => Linear::px(value * 96.0 / 2.54),
        "mm" => Linear::px(value * 96.0 / 25.4),
        "em" => Linear { em: value, ..none },
        "__qem" => Linear { em: value, quirky: true, ..none },
        // Of the one font: an advance of 0.602 and an x-height of 0.547 of the size.
        "ch" => Linear { em: value * 0.602, ..none },
        "ex" => Linear { em: value * 0.547, ..none },
        "rem" => Linear { rem: value, ..none },
        "vw" | "dvw" | "svw" | "lvw" | "vmax" => Linear { vw: value, ..none },
        "vh" | "dvh" | "svh" | "lvh" | "vmin" => Linear { vh: value, ..none },
        _ => return None,
    })
}
