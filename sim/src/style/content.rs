//! `content` of pseudo-elements.

use super::computed::ContentItem;
use cssparser::{Parser, Token};

/// `Some(None)` is `none` or `normal`.
#[expect(clippy::option_option, reason = "invalid, no content, and content are three answers")]
pub(super) fn parse(input: &mut Parser<'_>) -> Option<Option<Vec<ContentItem>>> {
    let mut items = Vec::new();
    while let Ok(token) = input.next() {
        match token.clone() {
            Token::QuotedString(text) => items.push(ContentItem::Text(text.to_string())),
            Token::Delim('/') => items.push(ContentItem::Alternative),
            Token::Ident(word) => match word.to_ascii_lowercase().as_str() {
                "none" | "normal" if items.is_empty() => return Some(None),
                // Quotes are neither strings nor attributes: they are shown and not told.
                "open-quote" | "close-quote" | "no-open-quote" | "no-close-quote" => {}
                _ => return None,
            },
            Token::Function(name) => {
                let is_attr = name.eq_ignore_ascii_case("attr");
                let argument = input.parse_nested_block(|input| {
                    let word = input.expect_ident().map(ToString::to_string).ok();
                    while input.next().is_ok() {}
                    Ok::<_, cssparser::ParseError<()>>(word)
                });
                if let (true, Ok(Some(name))) = (is_attr, argument) {
                    items.push(ContentItem::Attr(name.to_ascii_lowercase()));
                }
            }
            Token::UnquotedUrl(_) => {}
            _ => return None,
        }
    }
    Some(Some(items))
}
