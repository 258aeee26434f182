//! `@import` (CSS Cascade 5): which sheets a sheet asks for, and what they become in it.

use cssparser::{Delimiter, ParseError, Parser, Token};

/// One `@import` rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Import {
    pub(crate) url: String,
    /// The empty string: a layer without a name.
    layer: Option<String>,
    supports: Option<String>,
    media: String,
}

/// The imports at the head of a sheet, what stands before them, and the rest.
pub(crate) fn split(css: &str) -> (Vec<Import>, String, &str) {
    let mut input = Parser::new(css);
    let sheet = input.position();
    let (mut imports, mut head, mut rest) = (Vec::new(), String::new(), css);
    loop {
        let start = input.position();
        let name = match input.next() {
            Ok(Token::AtKeyword(name)) => name.to_ascii_lowercase(),
            Ok(Token::CDO | Token::CDC) => continue,
            _ => break,
        };
        let statement =
            input.parse_until_after(Delimiter::Semicolon | Delimiter::CurlyBracketBlock, |input| {
                let import = if name == "import" { import(input) } else { None };
                while input.next().is_ok() {}
                Ok::<_, ParseError<()>>(import)
            });
        let text = input.slice_from(start);
        match (name.as_str(), statement) {
            ("import", Ok(Some(import))) => imports.push(import),
            ("import", _) => {}
            ("charset", _) => {}
            ("layer", _) if text.trim_end().ends_with(';') => head.push_str(text),
            _ => break,
        }
        let here = input.position();
        let before = input.slice(sheet..here).len();
        rest = &css[before..];
    }
    (imports, head, rest)
}

fn import(input: &mut Parser<'_>) -> Option<Import> {
    let url = input.expect_url_or_string().ok()?.to_string();
    let layer = input
        .try_parse(|input| match input.next() {
            Ok(Token::Ident(word)) if word.eq_ignore_ascii_case("layer") => Ok(String::new()),
            Ok(Token::Function(name)) if name.eq_ignore_ascii_case("layer") => {
                inside(input).ok_or(())
            }
            _ => Err(()),
        })
        .ok();
    let supports = input
        .try_parse(|input| {
            input.expect_function_matching("supports").map_err(drop)?;
            inside(input).ok_or(())
        })
        .ok();
    let start = input.position();
    while input.next().is_ok() {}
    Some(Import { url, layer, supports, media: input.slice_from(start).trim().to_string() })
}

fn inside(input: &mut Parser<'_>) -> Option<String> {
    input
        .parse_nested_block(|input| {
            let start = input.position();
            while input.next().is_ok() {}
            Ok::<_, ParseError<()>>(input.slice_from(start).trim().to_string())
        })
        .ok()
}

impl Import {
    /// The imported sheet as rules of the one that imports it.
    pub(crate) fn wrap(&self, css: &str) -> String {
        let (mut open, mut close) = (String::new(), String::new());
        let mut around = |text: String| {
            open.push_str(&text);
            close.push('}');
        };
        if !self.media.is_empty() {
            around(format!("@media {}{{", self.media));
        }
        if let Some(condition) = &self.supports {
            let bare = condition.contains(':') && !condition.starts_with(['(', 'n', 's']);
            around(if bare {
                format!("@supports ({condition}){{")
            } else {
                format!("@supports {condition}{{")
            });
        }
        if let Some(layer) = &self.layer {
            around(format!("@layer {layer}{{"));
        }
        format!("{open}{}{close}\n", closed(css))
    }
}

/// A sheet with all that is open closed, and nothing closed that is not open: it must end where it ends.
fn closed(css: &str) -> String {
    let mut out = String::with_capacity(css.len());
    let mut open: Vec<char> = Vec::new();
    let mut chars = css.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '"' | '\'' => {
                out.push(c);
                let mut ended = false;
                while let Some(inner) = chars.next() {
                    out.push(inner);
                    match inner {
                        '\\' => out.extend(chars.next()),
                        '\n' => ended = true,
                        inner if inner == c => ended = true,
                        _ => {}
                    }
                    if ended {
                        break;
                    }
                }
                if !ended {
                    out.push(c);
                }
                continue;
            }
            '/' if chars.peek() == Some(&'*') => {
                chars.next();
                let mut last = ' ';
                for inner in chars.by_ref() {
                    if last == '*' && inner == '/' {
                        break;
                    }
                    last = inner;
                }
                out.push(' ');
                continue;
            }
            '\\' => {
                out.push(c);
                out.extend(chars.next());
                continue;
            }
            '{' => open.push('}'),
            '(' => open.push(')'),
            '[' => open.push(']'),
            '}' | ')' | ']' => match open.iter().rposition(|end| *end == c) {
                Some(at) => {
                    out.extend(open.drain(at + 1..).rev());
                    open.pop();
                }
                None => continue,
            },
            _ => {}
        }
        out.push(c);
    }
    out.extend(open.into_iter().rev());
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn imports_stand_at_the_head() {
        let css = "@charset \"x\"; @layer a, b; @import 'one.css'; @import url(two.css) layer(x.y) supports(display: grid) (width > 9px);\n\
                   p { color: red } @import 'late.css';";
        let (imports, head, rest) = split(css);
        let urls: Vec<&str> = imports.iter().map(|import| import.url.as_str()).collect();
        assert_eq!(urls, ["one.css", "two.css"]);
        assert!(head.contains("@layer a, b;"));
        assert!(rest.trim_start().starts_with("p {"), "{rest}");
        assert_eq!(
            imports[1].wrap("a{b:c}").trim(),
            "@media (width > 9px){@supports (display: grid){@layer x.y{a{b:c}}}}"
        );
    }

    #[test]
    fn an_imported_sheet_ends_where_it_ends() {
        for (css, expected) in [
            ("a{b:c", "a{b:c}"),
            ("a{}}b{}", "a{}b{}"),
            ("a{b:(c}d{e:'f", "a{b:(c)}d{e:'f'}"),
            ("/* } */a{}/*", " a{} "),
        ] {
            assert_eq!(closed(css), expected, "{css}");
        }
    }
}
