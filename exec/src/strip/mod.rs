//! TypeScript becomes JavaScript by blanks: every type is overwritten with spaces, so that each line keeps its number.
//!
//! What has a meaning at run time and no form in JavaScript is written out in place (enums, parameter properties) or refused
//! (decorators, namespaces, imports).

mod blank;
mod classes;
mod visit;

use blank::Blanks;
use oxc_allocator::Allocator;
use oxc_ast::ast::{Expression, Program, Statement};
use oxc_ast_visit::Visit;
use oxc_parser::{Parser, ParserReturn};
use oxc_span::{GetSpan, SourceType};
use std::thread;

/// Stands on the first line, before the body.
pub(crate) const HEAD: &str = "(async function (page, context, browser, console) {";
/// Stands behind the body, on a line of its own: the body may end in a line comment.
const TAIL: &str = "\n})";

/// Bytes of stack for the parser, which recurses once for each level of nesting and does not watch its depth.
const PARSER_STACK: usize = 512 * 1024 * 1024;
/// How deep brackets may nest: what one level costs the parser times this is far below its stack.
const MAX_NESTING: usize = 1_000;

/// The body as JavaScript: an expression that is an async function of `page`, `context`, `browser` and `console`.
///
/// # Errors
/// What is wrong with the code, with its line and column.
pub(crate) fn strip(code: &str) -> Result<String, String> {
    check_nesting(code)?;
    let source = format!("{HEAD}{code}{TAIL}");
    let work = move || strip_wrapped(&source);
    let thread =
        thread::Builder::new().name("code".to_owned()).stack_size(PARSER_STACK).spawn(work);
    let thread =
        thread.map_err(|error| format!("code cannot be read: no thread for it: {error}"))?;
    thread.join().unwrap_or_else(|_| Err("code cannot be read: its parser failed on it".to_owned()))
}

fn check_nesting(code: &str) -> Result<(), String> {
    let mut depth = 0_usize;
    // A lone `<` compares; types nest only up to the next statement.
    let mut angles = 0_usize;
    for (at, byte) in code.bytes().enumerate() {
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth = depth.saturating_sub(1),
            b'<' => angles += 1,
            b'>' => angles = angles.saturating_sub(1),
            b';' => angles = 0,
            _ => {}
        }
        if depth.max(angles) > MAX_NESTING {
            return Err(format!(
                "code does not parse at {}: brackets nest deeper than {MAX_NESTING} levels",
                place(code, at)
            ));
        }
    }
    Ok(())
}

fn strip_wrapped(source: &str) -> Result<String, String> {
    let allocator = Allocator::default();
    let kind = SourceType::ts().with_script(true);
    let ParserReturn { program, diagnostics, panicked, .. } =
        Parser::new(&allocator, source, kind).parse();
    if let Some(first) = diagnostics.iter().next() {
        let at = first.labels.first().map_or(HEAD.len(), |label| label.offset() as usize);
        return Err(parse_error(source, at, &first.message));
    }
    if panicked {
        return Err(parse_error(source, source.len(), "it ends too early"));
    }
    if !is_one_function(&program, source) {
        return Err("code does not parse: it closes a bracket that it did not open".to_owned());
    }
    let mut blanks = Blanks::new(source);
    blanks.visit_program(&program);
    blanks.finish()
}

/// A body could close the function around it and open another one.
fn is_one_function(program: &Program<'_>, source: &str) -> bool {
    let [Statement::ExpressionStatement(statement)] = program.body.as_slice() else { return false };
    let Expression::ParenthesizedExpression(outer) = &statement.expression else { return false };
    let Expression::FunctionExpression(function) = &outer.expression else { return false };
    let span = function.span();
    program.directives.is_empty() && span.start == 1 && span.end as usize == source.len() - 1
}

/// `at`: a byte of the wrapped source.
fn parse_error(source: &str, at: usize, message: &str) -> String {
    let body = &source[HEAD.len()..source.len() - TAIL.len()];
    let at = at.saturating_sub(HEAD.len()).min(body.len());
    let rest = body.get(at..).unwrap_or("");
    let word: String = rest.chars().take_while(char::is_ascii_alphabetic).collect();
    match word.as_str() {
        "import" | "export" => {
            format!("code does not parse at {}: {}", place(body, at), no_modules(&word))
        }
        _ if at == body.len() => {
            format!("code does not parse: it ends at {} too early ({message})", place(body, at))
        }
        _ => format!("code does not parse at {}: {message}", place(body, at)),
    }
}

/// Why there is no `import` and no `export`.
fn no_modules(word: &str) -> String {
    format!(
        "{word} is not possible, since code is the body of a function and nothing can be imported; \
         page, context, browser and console are there already"
    )
}

/// `line 3, column 7`: both from 1, columns in characters.
fn place(body: &str, at: usize) -> String {
    let before = body.get(..at).unwrap_or(body);
    let line = before.matches('\n').count() + 1;
    let start = before.rfind('\n').map_or(0, |end| end + 1);
    format!("line {line}, column {}", before[start..].chars().count() + 1)
}

/// The place that a stack's first frame in the code names: `… code:2:9 …`.
pub(crate) fn place_in(stack: &str) -> Option<String> {
    let (_, behind) = stack.split_once("code:")?;
    let mut numbers = behind.split(|c: char| !c.is_ascii_digit());
    let line: usize = numbers.next()?.parse().ok()?;
    let column: usize = numbers.next()?.parse().ok()?;
    let column = if line == 1 { column.saturating_sub(HEAD.len()).max(1) } else { column };
    Some(format!("line {line}, column {column}"))
}

#[cfg(test)]
mod tests;
