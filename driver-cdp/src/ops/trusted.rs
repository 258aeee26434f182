//! A click through the browser's input pipeline, under a one-shot guard in the page.
//!
//! A point that was right when it was tested may be wrong when the input arrives: the guard swallows every event of the
//! sequence that would reach anything but the target, so that no listener of the page sees it.

use super::dispatch::{Written, not_sent, number, outcome, without_answer};
use crate::clock;
use crate::session::Link;
use crate::world::NoAnswer;
use backlot_core::page::TabId;
use backlot_core::port::{Button, DispatchOutcome, DriverError, Millis, NotSent};
use serde_json::{Value, json};

/// Longest time that the guard stands, ms: a click that takes longer is given up as unknown.
const GUARD_MS: u64 = 5_000;

/// What kind of click.
#[derive(Debug, Clone, Copy)]
pub(super) struct Click {
    pub(super) button: Button,
    pub(super) double: bool,
}

/// Clicks at the guard's top point, through the tab's root session: a child frame's own session would not see what covers
/// the frame.
pub(super) async fn click(
    link: &Link,
    tab: TabId,
    click: Click,
    guard: Value,
    deadline: Millis,
) -> DispatchOutcome {
    let point = &guard["points"][0];
    let (Some(x), Some(y)) = (point["x"].as_f64(), point["y"].as_f64()) else {
        return not_sent(NotSent::Unfit);
    };
    let arming = json!({
        "guard": guard,
        "secret": link.secret_type(),
        "ms": GUARD_MS,
        "button": number(click.button),
        "double": click.double,
    });
    let armed = match link.ask::<Written>(tab, "arm", &arming, deadline).await {
        Ok(answer) => answer,
        // Arming fires nothing: whatever became of it, no event reached the page.
        Err(NoAnswer::NotRun | NoAnswer::Lost) => return not_sent(NotSent::Gone),
        Err(NoAnswer::NotSent(error) | NoAnswer::Sent(error)) => {
            return not_sent(NotSent::Failed(error));
        }
    };
    if !matches!(armed.value, Written::Armed) {
        return outcome(link, tab, &armed.context, armed.value);
    }
    let sent_by = deadline.min(clock::now().plus(GUARD_MS));
    if let Err(reason) = send(link, tab, click, (x, y), sent_by).await {
        return DispatchOutcome::Unknown { reason };
    }
    match link.ask::<Written>(tab, "disarm", &(), deadline).await {
        Ok(answer) if answer.context == armed.context => {
            outcome(link, tab, &answer.context, answer.value)
        }
        // Another document stands there: the click's own doing, or chance. The record went with the old one.
        Ok(_) => DispatchOutcome::Unknown { reason: DriverError::DocumentGone },
        Err(NoAnswer::NotRun) => DispatchOutcome::Unknown { reason: DriverError::DocumentGone },
        Err(NoAnswer::NotSent(reason)) => DispatchOutcome::Unknown { reason },
        Err(no_answer) => without_answer(no_answer),
    }
}

async fn send(
    link: &Link,
    tab: TabId,
    click: Click,
    (x, y): (f64, f64),
    deadline: Millis,
) -> Result<(), DriverError> {
    let button = if number(click.button) == 2 { "right" } else { "left" };
    let held = if number(click.button) == 2 { 2 } else { 1 };
    let event = |kind: &str, button: &str, buttons: u8, count: u8| {
        let params = json!({
            "type": kind, "x": x, "y": y, "button": button, "buttons": buttons, "clickCount": count
        });
        link.tab(tab, "Input.dispatchMouseEvent", params, deadline)
    };
    event("mouseMoved", "none", 0, 0).await?;
    for count in 1..=(if click.double { 2 } else { 1 }) {
        // Both at once: the less time between them, the less can move.
        let press = event("mousePressed", button, held, count);
        let release = event("mouseReleased", button, 0, count);
        let (pressed, released) = tokio::join!(press, release);
        pressed.and(released)?;
    }
    Ok(())
}
