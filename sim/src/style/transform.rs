//! `transform`: translations and scales.

use super::declare::TransformStep;
use super::length::{Length, Linear, parse_length};
use cssparser::{ParseError, Parser, Token};

/// `Some(None)` is `none`.
#[expect(
    clippy::option_option,
    reason = "invalid, no transform, and a transform are three answers"
)]
pub(super) fn parse(input: &mut Parser<'_>) -> Option<Option<Vec<TransformStep>>> {
    if input.try_parse(|input| input.expect_ident_matching("none")).is_ok() {
        return Some(None);
    }
    let mut steps = Vec::new();
    while !input.is_exhausted() {
        let name = input.expect_function().ok()?.to_ascii_lowercase();
        let step = input.parse_nested_block(|input| {
            let step = one(&name, input).ok_or_else(|| input.new_error_for_next_token::<()>());
            while input.next().is_ok() {}
            step
        });
        steps.push(step.ok()?);
    }
    Some(Some(steps))
}

fn one(name: &str, input: &mut Parser<'_>) -> Option<TransformStep> {
    let zero = Length::Linear(Linear::default());
    Some(match name {
        "translate" | "translate3d" => {
            let x = parse_length(input)?;
            let y = if input.expect_comma().is_ok() { parse_length(input)? } else { zero };
            TransformStep::Translate(x, y)
        }
        "translatex" => TransformStep::Translate(parse_length(input)?, zero),
        "translatey" => TransformStep::Translate(zero, parse_length(input)?),
        "translatez" => TransformStep::Translate(zero, zero),
        "scale" | "scale3d" => {
            let x = number(input)?;
            let y = if input.expect_comma().is_ok() { number(input)? } else { x };
            TransformStep::Scale(x, y)
        }
        "scalex" => TransformStep::Scale(number(input)?, 1.0),
        "scaley" => TransformStep::Scale(1.0, number(input)?),
        _ => TransformStep::Other,
    })
}

fn number(input: &mut Parser<'_>) -> Option<f32> {
    let given: Result<f32, ParseError<()>> = match input.next() {
        Ok(Token::Number { value, .. }) => Ok(*value),
        Ok(Token::Percentage { unit_value, .. }) => Ok(*unit_value),
        _ => return None,
    };
    given.ok()
}
