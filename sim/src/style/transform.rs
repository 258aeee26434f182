//! `transform` and its like: two-dimensional ones are carried out.
//!
//! SIM DIFFERENCE: there is no depth: `perspective` and what turns or moves a box out of the plane count for their shadow in it.

use super::computed::Size;
use super::length::{Basis, Length, Linear, parse_length, parse_linear};
use cssparser::{Parser, Token};

/// One function of a transform, as written or with its lengths known.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Move<L> {
    Translate(L, L),
    /// The linear part of a matrix: `a b c d`.
    Linear([f32; 4]),
    Matrix([f32; 6]),
    /// In depth; what it comes to in the plane is not known.
    Other,
}

/// What moves, scales and turns a box once it has its place.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Transform {
    /// Of `translate`, `rotate`, `scale` and `transform`, which are carried out in this order.
    pub(crate) parts: [Vec<Move<Size>>; 4],
    /// Where it is fixed, in its border box.
    pub(crate) origin: (Size, Size),
}

/// A plane affine map: `x' = a x + c y + e`, `y' = b x + d y + f`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Affine([f32; 6]);

impl Default for Transform {
    fn default() -> Self {
        let half = Size::Given { px: 0.0, percent: 0.5 };
        Self { parts: [const { Vec::new() }; 4], origin: (half, half) }
    }
}

impl Transform {
    pub(crate) fn is_none(&self) -> bool {
        self.parts.iter().all(Vec::is_empty)
    }

    /// Edges do not stay level.
    pub(crate) fn turns(&self) -> bool {
        self.parts.iter().flatten().any(|one| match one {
            Move::Translate(..) => false,
            Move::Linear([_, b, c, _]) | Move::Matrix([_, b, c, ..]) => {
                b.abs() > 1e-6 || c.abs() > 1e-6
            }
            Move::Other => true,
        })
    }

    /// The map for a border box of this place and size.
    pub(crate) fn map(&self, (x, y, width, height): (f32, f32, f32, f32)) -> Affine {
        let px = |size: Size, whole: f32| match size {
            Size::Given { px, percent } => px + percent * whole,
            _ => 0.0,
        };
        let (ox, oy) = (x + px(self.origin.0, width), y + px(self.origin.1, height));
        let mut map = Affine([1.0, 0.0, 0.0, 1.0, ox, oy]);
        for one in self.parts.iter().flatten() {
            map = map.then(&match *one {
                Move::Translate(x, y) => Affine([1.0, 0.0, 0.0, 1.0, px(x, width), px(y, height)]),
                Move::Linear([a, b, c, d]) => Affine([a, b, c, d, 0.0, 0.0]),
                Move::Matrix(all) => Affine(all),
                Move::Other => continue,
            });
        }
        map.then(&Affine([1.0, 0.0, 0.0, 1.0, -ox, -oy]))
    }
}

impl Affine {
    /// The map that carries out `inner` first.
    pub(crate) fn then(&self, inner: &Self) -> Self {
        let ([a, b, c, d, e, f], [g, h, i, j, k, l]) = (self.0, inner.0);
        Self([
            a * g + c * h,
            b * g + d * h,
            a * i + c * j,
            b * i + d * j,
            a * k + c * l + e,
            b * k + d * l + f,
        ])
    }

    /// What holds a mapped box: left, top, width, height.
    pub(crate) fn bounds(
        &self,
        (x, y, width, height): (f32, f32, f32, f32),
    ) -> (f32, f32, f32, f32) {
        let [a, b, c, d, e, f] = self.0;
        let corners = [(x, y), (x + width, y), (x, y + height), (x + width, y + height)]
            .map(|(x, y)| (a * x + c * y + e, b * x + d * y + f));
        let least =
            |pick: fn(&(f32, f32)) -> f32| corners.iter().map(pick).fold(f32::MAX, f32::min);
        let most = |pick: fn(&(f32, f32)) -> f32| corners.iter().map(pick).fold(f32::MIN, f32::max);
        let (left, top) = (least(|at| at.0), least(|at| at.1));
        (left, top, most(|at| at.0) - left, most(|at| at.1) - top)
    }
}

impl Move<Length> {
    pub(crate) fn resolve(self, basis: Basis) -> Move<Size> {
        match self {
            Self::Translate(x, y) => Move::Translate(x.resolve(basis), y.resolve(basis)),
            Self::Linear(all) => Move::Linear(all),
            Self::Matrix(all) => Move::Matrix(all),
            Self::Other => Move::Other,
        }
    }
}

const ZERO: fn() -> Length = || Length::Linear(Linear::default());

/// The value of `transform`; none for `none`.
pub(super) fn parse(input: &mut Parser<'_>) -> Option<Vec<Move<Length>>> {
    if input.try_parse(|input| input.expect_ident_matching("none")).is_ok() {
        return Some(Vec::new());
    }
    let mut moves = Vec::new();
    while !input.is_exhausted() {
        let name = input.expect_function().ok()?.to_ascii_lowercase();
        let found = input.parse_nested_block(|input| {
            let one = one(&name, input).ok_or_else(|| input.new_error_for_next_token::<()>());
            while input.next().is_ok() {}
            one
        });
        moves.push(found.ok()?);
    }
    Some(moves)
}

/// The value of one of the properties that stand for one function.
pub(super) fn parse_part(name: &str, input: &mut Parser<'_>) -> Option<Vec<Move<Length>>> {
    if input.try_parse(|input| input.expect_ident_matching("none")).is_ok() {
        return Some(Vec::new());
    }
    let found = match name {
        "translate" => {
            let x = parse_length(input)?;
            let y = input.try_parse(|input| parse_length(input).ok_or(())).unwrap_or(ZERO());
            Move::Translate(x, y)
        }
        "scale" => {
            let x = number(input)?;
            let y = input.try_parse(|input| number(input).ok_or(())).unwrap_or(x);
            Move::Linear([x, 0.0, 0.0, y])
        }
        _ => turn(angle(input)?),
    };
    while input.next().is_ok() {}
    Some(vec![found])
}

/// The value of `transform-origin`.
pub(super) fn parse_origin(input: &mut Parser<'_>) -> Option<(Length, Length)> {
    let (mut x, mut y) = (None, None);
    let share = |percent| Length::Linear(Linear::share(percent));
    while !input.is_exhausted() && (x.is_none() || y.is_none()) {
        let word =
            input.try_parse(|input| input.expect_ident().map(|word| word.to_ascii_lowercase()));
        match word.as_deref() {
            Ok("left") => x = Some(share(0.0)),
            Ok("right") => x = Some(share(1.0)),
            Ok("top") => y = Some(share(0.0)),
            Ok("bottom") => y = Some(share(1.0)),
            Ok("center") if x.is_none() => x = Some(share(0.5)),
            Ok("center") => y = Some(share(0.5)),
            Ok(_) => return None,
            Err(_) => {
                let length = Length::Linear(parse_linear(input)?);
                if x.is_none() { x = Some(length) } else { y = Some(length) }
            }
        }
    }
    while input.next().is_ok() {}
    Some((x.unwrap_or(share(0.5)), y.unwrap_or(share(0.5))))
}

fn one(name: &str, input: &mut Parser<'_>) -> Option<Move<Length>> {
    let second = |input: &mut Parser<'_>| input.expect_comma().is_ok();
    Some(match name {
        "translate" | "translate3d" => {
            let x = parse_length(input)?;
            let y = if second(input) { parse_length(input)? } else { ZERO() };
            Move::Translate(x, y)
        }
        "translatex" => Move::Translate(parse_length(input)?, ZERO()),
        "translatey" => Move::Translate(ZERO(), parse_length(input)?),
        "translatez" => Move::Translate(ZERO(), ZERO()),
        "scale" | "scale3d" => {
            let x = number(input)?;
            let y = if second(input) { number(input)? } else { x };
            Move::Linear([x, 0.0, 0.0, y])
        }
        "scalex" => Move::Linear([number(input)?, 0.0, 0.0, 1.0]),
        "scaley" => Move::Linear([1.0, 0.0, 0.0, number(input)?]),
        "rotate" | "rotatez" => turn(angle(input)?),
        // Without a perspective they come to this in the plane.
        "rotatex" => Move::Linear([1.0, 0.0, 0.0, angle(input)?.cos()]),
        "rotatey" => Move::Linear([angle(input)?.cos(), 0.0, 0.0, 1.0]),
        "skew" => {
            let x = angle(input)?;
            let y = if second(input) { angle(input)? } else { 0.0 };
            Move::Linear([1.0, y.tan(), x.tan(), 1.0])
        }
        "skewx" => Move::Linear([1.0, 0.0, angle(input)?.tan(), 1.0]),
        "skewy" => Move::Linear([1.0, angle(input)?.tan(), 0.0, 1.0]),
        "matrix" => {
            let mut all = [0.0; 6];
            for (at, place) in all.iter_mut().enumerate() {
                if at > 0 {
                    input.expect_comma().ok()?;
                }
                *place = number(input)?;
            }
            Move::Matrix(all)
        }
        _ => Move::Other,
    })
}

fn turn(angle: f32) -> Move<Length> {
    // Quarter turns are exact: a rounding error must not make a box a pixel larger.
    let exact =
        |value: f32| if (value - value.round()).abs() < 1e-6 { value.round() } else { value };
    let (sin, cos) = (exact(angle.sin()), exact(angle.cos()));
    Move::Linear([cos, sin, -sin, cos])
}

/// An angle in radians.
fn angle(input: &mut Parser<'_>) -> Option<f32> {
    match input.next().ok()? {
        Token::Dimension { value, unit, .. } => Some(match unit.to_ascii_lowercase().as_str() {
            "deg" => value.to_radians(),
            "rad" => *value,
            "turn" => value * std::f32::consts::TAU,
            "grad" => (value * 0.9).to_radians(),
            _ => return None,
        }),
        Token::Number { value: 0.0, .. } => Some(0.0),
        _ => None,
    }
}

fn number(input: &mut Parser<'_>) -> Option<f32> {
    match input.next().ok()? {
        Token::Number { value, .. } => Some(*value),
        Token::Percentage { unit_value, .. } => Some(*unit_value),
        _ => None,
    }
}
