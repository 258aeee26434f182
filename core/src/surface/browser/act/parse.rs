//! From arguments to acts: everything is checked before anything is done, nested acts too.

use super::super::schema::{ACT, bad};
use super::wait::{LoadWish, WaitFor};
use crate::action::Failure;
use crate::port::{Button, Modifiers, Stroke};
use crate::tool::Args;
use alloc::{
    format,
    string::{String, ToString},
    vec::Vec,
};
use serde_json::{Map, Value};

/// Most acts of a batch, nested ones too.
const ACTS_MAX: usize = 100;
/// Deepest nesting of batches.
const DEPTH_MAX: usize = 5;

/// An act with what it needs.
#[derive(Debug)]
pub(super) struct Act {
    pub(super) word: String,
    pub(super) kind: Kind,
    pub(super) target_id: Option<String>,
    /// Milliseconds.
    pub(super) timeout: Option<u64>,
}

/// How an element is said.
#[derive(Debug, Clone)]
pub(super) enum Where {
    Ref(String),
    Css(String),
}

/// What to do.
#[derive(Debug)]
pub(super) enum Kind {
    Click {
        at: Where,
        button: Button,
        double: bool,
        modifiers: Modifiers,
        delay_ms: u64,
    },
    Type {
        at: Where,
        text: String,
        submit: bool,
        slowly: bool,
    },
    /// Without a place: to what has the focus.
    Press {
        stroke: Stroke,
        at: Option<Where>,
    },
    Hover {
        at: Where,
    },
    ScrollIntoView {
        at: Where,
    },
    Drag {
        from: Where,
        to: Where,
    },
    Select {
        at: Where,
        values: Vec<String>,
    },
    Fill {
        fields: Vec<FillField>,
    },
    Resize {
        width: u32,
        height: u32,
    },
    Wait(WaitFor),
    Evaluate {
        source: String,
        at: Option<Where>,
    },
    Close,
    Batch {
        acts: Vec<Act>,
        stop_on_error: bool,
    },
}

/// One field of a fill.
#[derive(Debug)]
pub(super) struct FillField {
    pub(super) at: Where,
    pub(super) value: FillValue,
}

/// What it is to hold.
#[derive(Debug)]
pub(super) enum FillValue {
    Text(String),
    Checked(bool),
}

/// The act of a call: a nested `request` wins, fields beside it fill what it lacks. Where both name a kind and they differ, the
/// fields beside it are of another act, and only the tab counts.
pub(super) fn parse(args: &Args) -> Result<Act, Failure> {
    let beside = args.map().iter().filter(|(name, _)| ACT.param(name).is_some());
    let mut fields: Map<String, Value> = beside.map(|(k, v)| (k.clone(), v.clone())).collect();
    if let Some(request) = args.object("request") {
        let differs = match (fields.get("kind"), request.get("kind")) {
            (Some(beside), Some(nested)) => beside != nested,
            _ => false,
        };
        if differs {
            fields.retain(|name, _| name == "targetId");
        }
        fields.extend(request.iter().map(|(k, v)| (k.clone(), v.clone())));
    }
    act(&Value::Object(fields), "", 0, &mut 0)
}

/// One act; `place` is where it stands, such as `actions[2].`.
fn act(given: &Value, place: &str, depth: usize, count: &mut usize) -> Result<Act, Failure> {
    let args = super::super::schema::check(&ACT, given).map_err(|failure| at(place, failure))?;
    let fail = |failure: Failure| at(place, failure);
    let word = args.text("kind").ok_or_else(|| fail(bad("kind: is required for act")))?;
    *count += 1;
    if *count > ACTS_MAX + 1 {
        return Err(bad(&format!("actions: at most {ACTS_MAX}, nested ones counted")));
    }
    let kind = match word {
        "batch" => batch(&args, place, depth, count)?,
        word => kind(word, &args).map_err(fail)?,
    };
    let takes_css = matches!(
        word,
        "batch"
            | "click"
            | "drag"
            | "hover"
            | "press"
            | "scrollIntoView"
            | "select"
            | "type"
            | "wait"
    );
    if args.has("selector") && !takes_css {
        return Err(fail(bad(&format!("selector: is not for {word}; use a ref of a snapshot"))));
    }
    // An element that an act would not look at is never passed over in silence.
    let takes_ref = matches!(
        word,
        "batch" | "click" | "evaluate" | "hover" | "press" | "scrollIntoView" | "select" | "type"
    );
    if args.has("ref") && !takes_ref {
        let instead = match word {
            "drag" => "use startRef and endRef",
            "fill" => "give it in fields",
            _ => "leave it out",
        };
        return Err(fail(bad(&format!("ref: is not for {word}; {instead}"))));
    }
    Ok(Act {
        word: word.into(),
        kind,
        target_id: args.text("targetId").map(String::from),
        timeout: args.integer("timeoutMs").and_then(|ms| u64::try_from(ms).ok()),
    })
}

fn at(place: &str, failure: Failure) -> Failure {
    let message = match place {
        "" => return failure,
        place => format!("{}: {}", place.trim_end_matches('.'), failure.message),
    };
    Failure { message, ..failure }
}

fn batch(args: &Args, place: &str, depth: usize, count: &mut usize) -> Result<Kind, Failure> {
    if depth == DEPTH_MAX {
        return Err(bad(&format!("actions: batches nest at most {DEPTH_MAX} deep")));
    }
    let given = args.objects("actions");
    if given.is_empty() {
        return Err(at(place, bad("actions: is required for batch")));
    }
    let acts = given.into_iter().enumerate().map(|(number, given)| {
        let place = format!("{place}actions[{number}].");
        act(&Value::Object(given.clone()), &place, depth + 1, count)
    });
    let acts = acts.collect::<Result<Vec<Act>, Failure>>()?;
    Ok(Kind::Batch { acts, stop_on_error: args.flag("stopOnError") != Some(false) })
}

fn kind(word: &str, args: &Args) -> Result<Kind, Failure> {
    let text = |name: &str| args.text(name).map(String::from);
    let element = || place(args, word, "ref", "selector");
    let side = |name: &str| {
        let side = args.integer(name).and_then(|side| u32::try_from(side).ok());
        side.ok_or_else(|| bad(&format!("{name}: is required for resize")))
    };
    Ok(match word {
        "click" => Kind::Click {
            at: element()?,
            button: match args.text("button") {
                Some("right") => Button::Right,
                Some("middle") => Button::Middle,
                _ => Button::Left,
            },
            double: args.flag("doubleClick") == Some(true),
            modifiers: modifiers(&args.texts("modifiers"))?,
            delay_ms: args.integer("delayMs").and_then(|ms| u64::try_from(ms).ok()).unwrap_or(0),
        },
        "type" => Kind::Type {
            at: element()?,
            text: text("text").ok_or_else(|| bad("text: is required for type"))?,
            submit: args.flag("submit") == Some(true),
            slowly: args.flag("slowly") == Some(true),
        },
        "press" => {
            let key = args.text("key").ok_or_else(|| bad("key: is required for press"))?;
            if args.integer("delayMs").is_some_and(|ms| ms > 0) {
                return Err(super::super::schema::unsupported("delayMs of press", "leave it out"));
            }
            let stroke = Stroke::press(key).map_err(|unknown| bad(&format!("key: {unknown}")))?;
            let is_placed = args.has("ref") || args.has("selector");
            let at = is_placed.then(element).transpose()?;
            Kind::Press { stroke, at }
        }
        "hover" => Kind::Hover { at: element()? },
        "scrollIntoView" => Kind::ScrollIntoView { at: element()? },
        "drag" => Kind::Drag {
            from: place(args, word, "startRef", "startSelector")?,
            to: place(args, word, "endRef", "endSelector")?,
        },
        "select" => {
            let values = args.texts("values");
            if values.is_empty() {
                return Err(bad("values: is required for select, with at least one value"));
            }
            Kind::Select { at: element()?, values }
        }
        "fill" => Kind::Fill { fields: fill(args)? },
        "resize" => Kind::Resize { width: side("width")?, height: side("height")? },
        "wait" => Kind::Wait(wait(args)?),
        "evaluate" => Kind::Evaluate {
            source: text("fn").ok_or_else(|| bad("fn: is required for evaluate"))?,
            at: text("ref").map(Where::Ref),
        },
        "close" => Kind::Close,
        other => return Err(bad(&format!("kind: {other} is no kind of act"))),
    })
}

fn place(args: &Args, word: &str, by_ref: &str, by_css: &str) -> Result<Where, Failure> {
    match (args.text(by_ref), args.text(by_css)) {
        (Some(elem_ref), None) => Ok(Where::Ref(elem_ref.into())),
        (None, Some(css)) => Ok(Where::Css(css.into())),
        (Some(_), Some(_)) => {
            Err(bad(&format!("{by_ref}, {by_css}: give one of them for {word}, not both")))
        }
        (None, None) => Err(bad(&format!(
            "{by_ref}: is required for {word} (or {by_css}); refs are in the snapshot"
        ))),
    }
}

fn modifiers(words: &[String]) -> Result<Modifiers, Failure> {
    let none = Modifiers::default();
    words.iter().try_fold(none, |held, word| {
        let one = match word.as_str() {
            "Alt" => Modifiers { alt: true, ..none },
            "Control" | "ControlOrMeta" => Modifiers { control: true, ..none },
            "Meta" => Modifiers { meta: true, ..none },
            "Shift" => Modifiers { shift: true, ..none },
            other => {
                return Err(bad(&format!(
                    "modifiers: {} is none; they are Alt, Control, ControlOrMeta, Meta, Shift",
                    crate::text::quoted(other, 40)
                )));
            }
        };
        Ok(held.and(one))
    })
}

fn fill(args: &Args) -> Result<Vec<FillField>, Failure> {
    let given = args.objects("fields");
    if given.is_empty() {
        return Err(bad("fields: is required for fill"));
    }
    let fields = given.into_iter().enumerate().map(|(number, field)| {
        let fail = |what: &str| bad(&format!("fields[{number}].{what}"));
        if let Some(name) =
            field.keys().find(|name| !matches!(name.as_str(), "ref" | "type" | "value"))
        {
            let name = crate::text::header_piece(name, 60);
            return Err(fail(&format!("{name}: is not a field of fill")));
        }
        let elem_ref = field.get("ref").and_then(Value::as_str).filter(|text| !text.is_empty());
        let elem_ref = elem_ref.ok_or_else(|| fail("ref: is required, a string"))?;
        let value = field.get("value").ok_or_else(|| fail("value: is required"))?;
        let text = match value {
            Value::String(text) => text.clone(),
            Value::Bool(_) | Value::Number(_) => value.to_string(),
            _ => return Err(fail("value: must be a string, a number, or true or false")),
        };
        let value = match field.get("type").map(Value::as_str) {
            None | Some(Some("text")) => FillValue::Text(text),
            Some(Some("checkbox" | "radio")) => {
                FillValue::Checked(matches!(text.as_str(), "true" | "1"))
            }
            Some(_) => return Err(fail("type: must be one of text, checkbox, radio")),
        };
        Ok(FillField { at: Where::Ref(elem_ref.into()), value })
    });
    fields.collect()
}

fn wait(args: &Args) -> Result<WaitFor, Failure> {
    let text = |name: &str| args.text(name).filter(|text| !text.is_empty()).map(String::from);
    let wait = WaitFor {
        time_ms: args.integer("timeMs").and_then(|ms| u64::try_from(ms).ok()),
        text: text("text"),
        text_gone: text("textGone"),
        selector: text("selector"),
        url: text("url"),
        load: args.text("loadState").map(|word| match word {
            "domcontentloaded" => LoadWish::Parsed,
            "networkidle" => LoadWish::NetworkIdle,
            _ => LoadWish::Loaded,
        }),
        script: text("fn"),
    };
    if wait.is_empty() {
        return Err(bad(
            "wait needs at least one of timeMs, text, textGone, selector, url, loadState, fn",
        ));
    }
    Ok(wait)
}

impl core::fmt::Display for Where {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Ref(text) | Self::Css(text) => {
                f.write_str(&crate::text::quoted(text, 100).to_string())
            }
        }
    }
}
