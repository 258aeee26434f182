//! Custom properties (CSS Custom Properties 1): what `var()` stands for.

use std::collections::BTreeMap;

/// Deepest nesting of fallbacks, and most bytes that a value may grow to; what is more is invalid.
const FALLBACKS_MAX: u32 = 32;
const VALUE_BYTES_MAX: usize = 20_000;

/// Values of custom properties by name, without any `var()`.
pub(crate) type Customs = BTreeMap<String, String>;

/// Puts custom properties in place of their `var()`. `None`: the value is invalid.
pub(super) fn substitute<'a>(
    text: &str,
    lookup: &impl Fn(&str) -> Option<&'a str>,
) -> Option<String> {
    let mut out = String::new();
    put(text, lookup, &mut out, 0)?;
    Some(out)
}

fn put<'a>(
    text: &str,
    lookup: &impl Fn(&str) -> Option<&'a str>,
    out: &mut String,
    deep: u32,
) -> Option<()> {
    let mut rest = text;
    while let Some((at, inside)) = next_var(rest) {
        out.push_str(&rest[..at]);
        let end = closing(inside)?;
        let (name, fallback) = match inside[..end].split_once(',') {
            Some((name, fallback)) => (name.trim(), Some(fallback.trim())),
            None => (inside[..end].trim(), None),
        };
        match (lookup(name), fallback) {
            (Some(value), _) => out.push_str(value),
            (None, Some(fallback)) if deep < FALLBACKS_MAX => put(fallback, lookup, out, deep + 1)?,
            (None, _) => return None,
        }
        if out.len() > VALUE_BYTES_MAX {
            return None;
        }
        rest = &inside[(end + 1).min(inside.len())..];
    }
    out.push_str(rest);
    (out.len() <= VALUE_BYTES_MAX).then_some(())
}

/// Place of the next `var(` (`env(` counts as one without a value), and what stands behind its parenthesis.
fn next_var(text: &str) -> Option<(usize, &str)> {
    let mut from = 0;
    while let Some(open) = text[from..].find('(').map(|at| at + from) {
        let head = &text[..open];
        let at = head.len().saturating_sub(3);
        let is_name = head.get(at..).is_some_and(|name| {
            name.eq_ignore_ascii_case("var") || name.eq_ignore_ascii_case("env")
        });
        let before = head.get(..at).and_then(|head| head.chars().next_back());
        let is_longer = before.is_some_and(|c| c.is_alphanumeric() || matches!(c, '-' | '_'));
        if is_name && !is_longer {
            return Some((at, &text[open + 1..]));
        }
        from = open + 1;
    }
    None
}

/// Whether a value must wait for custom properties.
pub(super) fn has_var(text: &str) -> bool {
    next_var(text).is_some()
}

/// Place of the parenthesis that closes what is open before `text`; its end where nothing does.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 0_u32;
    let mut quote = None;
    for (at, c) in text.char_indices() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(c),
            (None, '(') => depth += 1,
            (None, ')') if depth == 0 => return Some(at),
            (None, ')') => depth -= 1,
            _ => {}
        }
    }
    Some(text.len())
}

/// The names that a value refers to.
fn names(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some((_, inside)) = next_var(rest) {
        let end = inside.find([',', ')']).unwrap_or(inside.len());
        found.push(inside[..end].trim());
        rest = inside;
    }
    found
}

/// The values of an element: its own declarations over what it inherits. Those in a cycle are invalid, as if they were not
/// there.
pub(super) fn resolve(inherited: &Customs, own: &BTreeMap<&str, &str>) -> Customs {
    let mut values = inherited.clone();
    for name in own.keys() {
        values.remove(*name);
    }
    let mut state: BTreeMap<&str, State> = BTreeMap::new();
    for start in own.keys() {
        let mut open: Vec<(&str, Vec<&str>)> = Vec::new();
        enter(start, own, &mut state, &mut open);
        while let Some((name, waits)) = open.last_mut() {
            let name = *name;
            match waits.pop() {
                Some(next) => match state.get(next) {
                    Some(State::Open) => {
                        for (at, _) in open.iter().rev() {
                            state.insert(at, State::Cycle);
                            if *at == next {
                                break;
                            }
                        }
                    }
                    Some(_) => {}
                    None => enter(next, own, &mut state, &mut open),
                },
                None => {
                    open.pop();
                    if state.get(name) == Some(&State::Cycle) {
                        continue;
                    }
                    state.insert(name, State::Done);
                    if let Some(value) = value(own[name], name, inherited, &values) {
                        values.insert(name.into(), value);
                    }
                }
            }
        }
    }
    values
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Open,
    Cycle,
    Done,
}

fn enter<'a>(
    name: &'a str,
    own: &BTreeMap<&'a str, &'a str>,
    state: &mut BTreeMap<&'a str, State>,
    open: &mut Vec<(&'a str, Vec<&'a str>)>,
) {
    if let (Some(text), None) = (own.get(name), state.get(name)) {
        state.insert(name, State::Open);
        open.push((name, names(text)));
    }
}

fn value(text: &str, name: &str, inherited: &Customs, values: &Customs) -> Option<String> {
    match text.to_ascii_lowercase().as_str() {
        "initial" => None,
        "inherit" | "unset" | "revert" | "revert-layer" => inherited.get(name).cloned(),
        _ => substitute(text, &|name| values.get(name).map(String::as_str)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cycles_are_invalid_and_others_are_not() {
        let own = BTreeMap::from([
            ("--a", "var(--b)"),
            ("--b", "1px var(--a, 2px)"),
            ("--c", "var(--d)"),
            ("--d", "3px"),
            ("--e", "var(--a, 4px)"),
            ("--f", "var(--f)"),
            ("--g", "var(--up) VAR(--c)"),
        ]);
        let inherited =
            Customs::from([("--up".into(), "5px".into()), ("--f".into(), "6px".into())]);
        let values = resolve(&inherited, &own);
        let get = |name: &str| values.get(name).map(String::as_str);
        assert_eq!((get("--a"), get("--b"), get("--f")), (None, None, None));
        assert_eq!((get("--c"), get("--d")), (Some("3px"), Some("3px")));
        assert_eq!(get("--e"), Some("4px"), "the fallback of what is in a cycle");
        assert_eq!(get("--g"), Some("5px 3px"));
    }

    #[test]
    fn values_that_double_are_bounded() {
        let texts: Vec<(String, String)> = (1..60)
            .map(|n| (format!("--v{n}"), format!("var(--v{0}) var(--v{0})", n - 1)))
            .collect();
        let mut own: BTreeMap<&str, &str> =
            texts.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
        own.insert("--v0", "xxxxxxxx");
        let values = resolve(&Customs::new(), &own);
        assert!(values.values().all(|value| value.len() <= VALUE_BYTES_MAX));
        assert!(values.contains_key("--v3") && !values.contains_key("--v59"));
    }

    #[test]
    fn long_chains_and_deep_fallbacks_end() {
        let texts: Vec<(String, String)> =
            (1..5_000).map(|n| (format!("--v{n:05}"), format!("var(--v{:05})", n - 1))).collect();
        let mut own: BTreeMap<&str, &str> =
            texts.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
        own.insert("--v00000", "7px");
        let values = resolve(&Customs::new(), &own);
        assert_eq!(values.get("--v04999").map(String::as_str), Some("7px"));
        let deep = format!("{}1px{}", "var(--no, ".repeat(10_000), ")".repeat(10_000));
        assert_eq!(substitute(&deep, &|_| None), None);
        assert_eq!(
            substitute("my-var(--x) var(--x", &|_| Some("1")).as_deref(),
            Some("my-var(--x) 1")
        );
    }
}
