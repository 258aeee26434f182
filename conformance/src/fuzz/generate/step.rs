//! Calls: mostly writes on an item, now and then anything else a client may ask.

use super::{Draw, Made, Suite, Use, fault};
use crate::fault::{FaultAt, What};
use crate::fuzz::scenario::Step;
use serde_json::{Value, json};

const TEXTS: &[&str] = &["Ada", "x", "", "12", "two words", "é", "<b>&"];

/// Ops of an average call: where faults fall.
const OPS: usize = 14;

pub(super) fn step(draw: &mut Draw<'_>, suite: Suite, made: &Made) -> Step {
    let plain = |tool: &str, args: Value| Step { tool: tool.into(), args, ..Step::default() };
    let mut step = match draw.below(40) {
        0..=2 => plain("read_page", read(draw)),
        3 => plain("tabs_list", Value::Null),
        4 | 5 => plain("scroll", scroll(draw)),
        // Grants and rules are of one origin: what they let through on another one shows only there.
        6 | 7 | 10 if suite == Suite::Gatekeeper || draw.percent(67) => {
            plain("navigate", json!({ "url": draw.word(fault::URLS) }))
        }
        8 => plain("wait_for", wait(draw)),
        9 => nonsense(draw),
        _ => act(draw, made),
    };
    if step.item.is_some() {
        if draw.percent(8) {
            step.age = 1 + u32::from(draw.percent(50));
        }
        step.foreign = draw.percent(4);
    }
    if step.item.is_some() && draw.percent(4) {
        // Two calls at once; what befalls a page meanwhile is for other steps.
        step.beside = Some(Box::new(act(draw, made)));
        return step;
    }
    if draw.percent(40) {
        let what = fault::fault(draw, suite, made, step.item.as_deref());
        // What is asked is asked early; a change of the answer after that is for the next call.
        let at = if matches!(what, What::Answer(_)) { 0 } else { draw.below(OPS) };
        step.faults.push(FaultAt { at: u32::try_from(at).unwrap_or(0), what });
    }
    step
}

fn read(draw: &mut Draw<'_>) -> Value {
    match draw.below(6) {
        0 => json!({ "mode": "article" }),
        1 => json!({ "maxTokens": draw.below(120) }),
        2 => json!({ "tabId": 1 + draw.below(3) }),
        _ => Value::Null,
    }
}

fn scroll(draw: &mut Draw<'_>) -> Value {
    let direction = draw.word(&["up", "down"]);
    match draw.below(4) {
        0 => json!({ "direction": direction, "amount": "end" }),
        1 => json!({ "direction": direction, "amount": draw.below(400) }),
        2 => json!({ "direction": direction, "tabId": 1 + draw.below(3) }),
        _ => json!({ "direction": direction }),
    }
}

fn wait(draw: &mut Draw<'_>) -> Value {
    match draw.below(4) {
        0 => json!({ "timeMs": draw.below(3_000) }),
        1 => json!({ "text": "Milk", "timeMs": draw.below(3_000) }),
        2 => json!({ "textGone": "Milk", "timeMs": draw.below(3_000) }),
        _ => json!({ "text": "never there" }),
    }
}

/// What no client should say.
fn nonsense(draw: &mut Draw<'_>) -> Step {
    let (tool, args) = match draw.below(10) {
        0 => ("no_such_tool", Value::Null),
        1 => ("click", json!({ "element": "it" })),
        2 => ("click", json!({ "element": "it", "ref": "e7" })),
        3 => ("click", json!({ "element": "it", "ref": "s1_1_1" })),
        4 => ("type", json!({ "element": "it", "ref": "", "text": 1 })),
        5 => ("read_page", json!({ "tabId": -1 })),
        6 => ("read_page", json!({ "tabId": 999 })),
        7 => ("wait_for", json!({})),
        8 => ("scroll", json!({ "direction": "sideways", "more": [1, { "a": null }] })),
        _ => ("navigate", json!({ "url": draw.word(&["", "x", "about:srcdoc", "/other"]) })),
    };
    Step { tool: tool.into(), args, ..Step::default() }
}

fn act(draw: &mut Draw<'_>, made: &Made) -> Step {
    let (item, mut using) = match draw.pick(&made.items) {
        Some((item, using)) => (item, using),
        None => (format!("#{}", draw.below(4)), Use::Click),
    };
    if using == Use::Any || draw.percent(2) {
        using = [Use::Click, Use::Text, Use::Select][draw.below(3)];
    }
    let (tool, args) = match using {
        Use::Text => {
            let (text, slowly) = (draw.word(TEXTS), draw.percent(20));
            let mode = draw.word(&["replace", "replace", "append"]);
            let submit = draw.percent(10);
            ("type", json!({ "text": text, "mode": mode, "slowly": slowly, "submit": submit }))
        }
        Use::Select if draw.percent(15) => ("select_option", json!({ "values": ["x", "y"] })),
        Use::Select => ("select_option", json!({ "values": [draw.word(&["x", "y", "z", "q"])] })),
        Use::Click | Use::Any => match draw.below(20) {
            0 | 1 => ("click", json!({ "doubleClick": true })),
            2 => ("click", json!({ "button": "right" })),
            3 | 4 => ("click_trusted", json!({})),
            _ => ("click", json!({})),
        },
    };
    Step { tool: tool.into(), item: Some(item), args, ..Step::default() }
}
