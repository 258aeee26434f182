//! Arguments of a call, checked against the descriptor before anything else looks at them.

use super::descriptor::{Descriptor, ParamKind};
use alloc::{format, string::String, vec::Vec};
use serde_json::{Map, Value};
use url::Url;

/// The largest integer that JSON numbers carry exactly in every language.
const SAFE_INTEGER_MAX: f64 = 9_007_199_254_740_991.0;

/// Arguments that fit their descriptor.
#[derive(Debug, Clone, PartialEq)]
pub struct Args(Map<String, Value>);

/// Arguments that do not. The message names every one that does not fit.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("Invalid parameters for {tool}: {issues}")]
pub struct BadArguments {
    /// The tool.
    pub tool: String,
    /// `name: what is wrong`, joined by `; `.
    pub issues: String,
}

impl Args {
    /// Checks a call's arguments. A missing object counts as an empty one.
    ///
    /// # Errors
    /// Something is missing, unknown, or not of its kind.
    pub fn check(tool: &Descriptor, given: &Value) -> Result<Self, BadArguments> {
        let empty = Map::new();
        let given = match given {
            Value::Object(map) => map,
            Value::Null => &empty,
            _ => return Err(bad(tool, "arguments: must be an object".into())),
        };
        let mut issues: Vec<String> = Vec::new();
        for param in tool.params {
            match given.get(param.name) {
                None if param.is_required => issues.push(format!("{}: is required", param.name)),
                None => {}
                Some(value) => {
                    if let Err(wrong) = fits(param.kind, value) {
                        issues.push(format!("{}: {wrong}", param.name));
                    }
                }
            }
        }
        let unknown = given.keys().filter(|name| tool.param(name).is_none());
        issues.extend(unknown.map(|name| {
            let shown: String = name.chars().filter(|c| !c.is_control()).take(60).collect();
            format!("{shown}: is not a parameter of this tool")
        }));
        if issues.is_empty() { Ok(Self(given.clone())) } else { Err(bad(tool, issues.join("; "))) }
    }

    /// Whether the argument was given.
    pub fn has(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }

    /// An argument that is an object.
    pub fn object(&self, name: &str) -> Option<&Map<String, Value>> {
        self.0.get(name)?.as_object()
    }

    /// A list of objects.
    pub fn objects(&self, name: &str) -> Vec<&Map<String, Value>> {
        let list = self.0.get(name).and_then(Value::as_array);
        list.into_iter().flatten().filter_map(Value::as_object).collect()
    }

    /// All of them.
    pub fn map(&self) -> &Map<String, Value> {
        &self.0
    }

    /// A string argument.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.0.get(name)?.as_str()
    }

    /// An integer argument.
    pub fn integer(&self, name: &str) -> Option<i64> {
        let value = self.0.get(name)?;
        // `fits` let only safe integers through, so the cast is exact.
        value.as_i64().or_else(|| value.as_f64().map(|number| number as i64))
    }

    /// A number argument.
    pub fn number(&self, name: &str) -> Option<f64> {
        self.0.get(name)?.as_f64()
    }

    /// A boolean argument.
    pub fn flag(&self, name: &str) -> Option<bool> {
        self.0.get(name)?.as_bool()
    }

    /// A list of strings.
    pub fn texts(&self, name: &str) -> Vec<String> {
        let list = self.0.get(name).and_then(Value::as_array);
        list.into_iter().flatten().filter_map(Value::as_str).map(String::from).collect()
    }
}

fn bad(tool: &Descriptor, issues: String) -> BadArguments {
    BadArguments { tool: tool.name.into(), issues }
}

fn fits(kind: ParamKind, value: &Value) -> Result<(), String> {
    match kind {
        ParamKind::Text { chars_min } => match value.as_str() {
            None => Err("must be a string".into()),
            Some(text) if text.chars().count() < chars_min => Err("must not be empty".into()),
            Some(_) => Ok(()),
        },
        ParamKind::Url => match value.as_str() {
            None => Err("must be a string".into()),
            Some(text) => Url::parse(text).map(|_| ()).map_err(|error| {
                format!("must be an absolute URL such as https://example.com/ ({error})")
            }),
        },
        ParamKind::Integer { min, max } => {
            let whole = value.as_f64().filter(|n| is_whole(*n));
            match whole {
                None => Err("must be an integer".into()),
                Some(number) if number < min as f64 || number > max as f64 => {
                    Err(format!("must be between {min} and {max}"))
                }
                Some(_) => Ok(()),
            }
        }
        ParamKind::Number { min } => match value.as_f64() {
            None => Err("must be a number".into()),
            Some(number) if number < min => Err(format!("must be at least {min}")),
            Some(_) => Ok(()),
        },
        ParamKind::Bool => {
            value.as_bool().map(|_| ()).ok_or_else(|| "must be true or false".into())
        }
        ParamKind::Word(words) => match value.as_str() {
            Some(word) if words.contains(&word) => Ok(()),
            _ => Err(format!("must be one of {}", words.join(", "))),
        },
        ParamKind::Texts => match value.as_array() {
            Some(list) if !list.is_empty() && list.iter().all(Value::is_string) => Ok(()),
            _ => Err("must be a list of at least one string".into()),
        },
        ParamKind::Object => match value {
            Value::Object(_) => Ok(()),
            _ => Err("must be an object".into()),
        },
        ParamKind::Objects => match value.as_array() {
            Some(list) if !list.is_empty() && list.iter().all(Value::is_object) => Ok(()),
            _ => Err("must be a list of at least one object".into()),
        },
        ParamKind::AnyOf(kinds) => {
            let wrong: Vec<String> =
                kinds.iter().filter_map(|kind| fits(*kind, value).err()).collect();
            if wrong.len() < kinds.len() { Ok(()) } else { Err(wrong.join(", or ")) }
        }
    }
}

fn is_whole(number: f64) -> bool {
    // `f64::fract` and `abs` need `std`; the cast is exact for safe integers.
    (-SAFE_INTEGER_MAX..=SAFE_INTEGER_MAX).contains(&number) && (number as i64) as f64 == number
}
