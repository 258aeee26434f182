//! Declaration blocks.

use super::declare::{self, Value};
use cssparser::{Delimiter, ParseError, Parser, Token, parse_important};

/// The declarations of a rule.
#[derive(Debug, Default)]
pub(crate) struct Block {
    pub(crate) normal: Vec<Declared>,
    pub(crate) important: Vec<Declared>,
}

/// One declaration.
#[derive(Debug, Clone)]
pub(crate) enum Declared {
    Known(Vec<Value>),
    /// One of the keywords that every property takes.
    Wide(String, Wide),
    /// It has a `var()`: parsed when that is known.
    Raw(String, String),
    Custom(String, String),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wide {
    Inherit,
    Initial,
    Unset,
    /// Back to the origin below.
    Revert,
    /// Back to the layer below.
    RevertLayer,
}

impl Declared {
    /// An author who draws the border or the background of a button takes the browser's look from it.
    pub(crate) fn draws(&self) -> bool {
        match self {
            Self::Known(values) => values.iter().any(|value| {
                matches!(value, Value::Drawn | Value::Border(..) | Value::BorderStyled(..))
            }),
            Self::Raw(name, _) => name.starts_with("border") || name.starts_with("background"),
            Self::Wide(..) | Self::Custom(..) => false,
        }
    }
}

impl Block {
    pub(crate) fn push(&mut self, declared: Declared, important: bool) {
        if important { self.important.push(declared) } else { self.normal.push(declared) }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.normal.is_empty() && self.important.is_empty()
    }
}

/// Parses one declaration's value, and whether it is `!important`.
pub(crate) fn declared(name: &str, input: &mut Parser<'_>) -> Option<(Declared, bool)> {
    let text = input
        .parse_until_before(Delimiter::Bang, |input| {
            let start = input.position();
            while input.next_including_whitespace().is_ok() {}
            Ok::<_, ParseError<()>>(input.slice_from(start).trim().to_string())
        })
        .ok()?;
    let important = !input.is_exhausted();
    if important {
        parse_important(input).ok()?;
        input.expect_exhausted().ok()?;
    }
    if name.starts_with("--") {
        return Some((Declared::Custom(name.into(), text), important));
    }
    let name = name.to_ascii_lowercase();
    if super::custom::has_var(&text) {
        return Some((Declared::Raw(name, text), important));
    }
    Some((parse_text(&name, &text)?, important))
}

/// Parses a value that has no `var()`.
pub(crate) fn parse_text(name: &str, text: &str) -> Option<Declared> {
    let wide = match text.to_ascii_lowercase().as_str() {
        "inherit" => Some(Wide::Inherit),
        "initial" => Some(Wide::Initial),
        "unset" => Some(Wide::Unset),
        "revert" => Some(Wide::Revert),
        "revert-layer" => Some(Wide::RevertLayer),
        _ => None,
    };
    if let Some(wide) = wide {
        return Some(Declared::Wide(name.into(), wide));
    }
    let mut input = Parser::new(text);
    if let Some(values) = declare::parse(name, &mut input)
        && input.is_exhausted()
    {
        return Some(Declared::Known(values));
    }
    None
}

/// The names in a value of tokens only, for tests of `@supports`.
pub(crate) fn is_blank(text: &str) -> bool {
    matches!(Parser::new(text).next(), Err(_) | Ok(Token::Semicolon))
}
