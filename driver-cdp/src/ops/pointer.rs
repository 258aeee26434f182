//! Pointer input through the browser's pipeline: clicks, moves, wheel, drags. Always through the tab's root session: a child
//! frame's own session would not see what covers the frame.

use super::dispatch::not_sent;
use super::guarded::{GUARD_MS, Ground, guarded};
use super::keys::modifier_bits;
use crate::session::Link;
use backlot_core::page::TabId;
use backlot_core::port::{
    Button, DispatchOutcome, DriverError, Millis, Modifiers, MouseStep, NotSent,
};
use serde_json::{Value, json};

/// What kind of click.
#[derive(Debug, Clone, Copy)]
pub(super) struct Click {
    pub(super) button: Button,
    pub(super) double: bool,
    pub(super) modifiers: Modifiers,
}

/// Clicks at the guard's top point.
pub(super) async fn click(
    link: &Link,
    tab: TabId,
    click: Click,
    guard: Value,
    deadline: Millis,
) -> DispatchOutcome {
    let Some(at) = top_point(&guard) else { return not_sent(NotSent::Unfit) };
    let count = if click.double { 2 } else { 1 };
    let arming = arming(link, &guard, Some((click.button, count)), None);
    guarded(link, tab, ("arm", arming), deadline, async |ground| {
        let pointer = Pointer { ground, at, modifiers: click.modifiers };
        pointer.step(MouseStep::Move).await?;
        for count in 1..=count {
            if count > 1 {
                ground.stands().await?;
            }
            // Both at once: the less time between them, the less can move.
            let press = pointer.step(MouseStep::Down { button: click.button, count });
            let release = pointer.step(MouseStep::Up { button: click.button, count });
            let (pressed, released) = tokio::join!(press, release);
            pressed.and(released)?;
        }
        Ok(())
    })
    .await
}

/// Mouse steps at the guard's top point.
pub(super) async fn mouse(
    link: &Link,
    tab: TabId,
    steps: &[MouseStep],
    guard: Value,
    deadline: Millis,
) -> DispatchOutcome {
    let Some(at) = top_point(&guard) else { return not_sent(NotSent::Unfit) };
    let arming = arming(link, &guard, None, None);
    let modifiers = Modifiers::default();
    guarded(link, tab, ("arm", arming), deadline, async |ground| {
        let pointer = Pointer { ground, at, modifiers };
        for (at, step) in steps.iter().enumerate() {
            // A button comes up wherever it went down.
            if at > 0 && !matches!(step, MouseStep::Up { .. }) {
                ground.stands().await?;
            }
            pointer.step(*step).await?;
        }
        Ok(())
    })
    .await
}

/// Presses at the guard's top point and releases at that of another node.
pub(super) async fn drag(
    link: &Link,
    tab: TabId,
    (from, to): (Value, Value),
    deadline: Millis,
) -> DispatchOutcome {
    let (Some(start), Some(end)) = (top_point(&from), top_point(&to)) else {
        return not_sent(NotSent::Unfit);
    };
    let button = Button::Left;
    let arming = arming(link, &from, Some((button, 1)), Some(&to));
    let modifiers = Modifiers::default();
    guarded(link, tab, ("arm", arming), deadline, async |ground| {
        let at = |at| Pointer { ground, at, modifiers };
        at(start).step(MouseStep::Move).await?;
        at(start).step(MouseStep::Down { button, count: 1 }).await?;
        // Pages tell a drag from a click by a first small move.
        let middle = ((start.0 + end.0) / 2.0, (start.1 + end.1) / 2.0);
        at(middle).step(MouseStep::Move).await?;
        at(end).step(MouseStep::Move).await?;
        at(end).step(MouseStep::Up { button, count: 1 }).await
    })
    .await
}

fn top_point(guard: &Value) -> Option<(f64, f64)> {
    let point = &guard["points"][0];
    Some((point["x"].as_f64()?, point["y"].as_f64()?))
}

fn arming(
    link: &Link,
    guard: &Value,
    presses: Option<(Button, u8)>,
    drop: Option<&Value>,
) -> Value {
    let (button, presses) = presses.unwrap_or((Button::Left, 0));
    json!({
        "guard": guard,
        "secret": link.secret_type(),
        "ms": GUARD_MS,
        "button": number(button),
        "presses": presses,
        "drop": drop,
    })
}

/// `button` of a mouse event.
pub(super) fn number(button: Button) -> u8 {
    match button {
        Button::Left => 0,
        Button::Middle => 1,
        Button::Right => 2,
    }
}

/// Its bit in `buttons`, and its word in the protocol.
fn bit_and_word(button: Button) -> (u8, &'static str) {
    match button {
        Button::Left => (1, "left"),
        Button::Middle => (4, "middle"),
        Button::Right => (2, "right"),
    }
}

struct Pointer<'a> {
    ground: &'a Ground<'a>,
    at: (f64, f64),
    /// Held besides what keyboard input holds.
    modifiers: Modifiers,
}

impl Pointer<'_> {
    async fn step(&self, step: MouseStep) -> Result<(), DriverError> {
        match step {
            MouseStep::Move => self.move_there().await,
            MouseStep::Down { button, count } => {
                let (bit, word) = bit_and_word(button);
                let buttons = self.hold(|held| held | bit);
                self.set_drag(None);
                self.send("mousePressed", json!({ "button": word, "clickCount": count }), buttons)
                    .await
            }
            MouseStep::Up { button, count } => {
                let (bit, word) = bit_and_word(button);
                let buttons = self.hold(|held| held & !bit);
                self.drop_there().await?;
                self.send("mouseReleased", json!({ "button": word, "clickCount": count }), buttons)
                    .await
            }
            MouseStep::Wheel { dx, dy } => {
                let buttons = self.hold(|held| held);
                self.send("mouseWheel", json!({ "deltaX": dx, "deltaY": dy }), buttons).await
            }
        }
    }

    /// Changes and gives the held buttons.
    fn hold(&self, change: impl FnOnce(u8) -> u8) -> u8 {
        let mut book = self.ground.link.book();
        let Some(tab) = book.tabs.get_mut(&self.ground.tab) else { return 0 };
        tab.held.buttons = change(tab.held.buttons);
        tab.held.buttons
    }

    async fn move_there(&self) -> Result<(), DriverError> {
        let buttons = self.hold(|held| held);
        let is_dragging = buttons & 1 == 1;
        if is_dragging {
            // The browser's own drags are the window system's affair, which a page without a window has none of.
            self.intercept_drags(true).await?;
        }
        // A move with a button held is a drag only if it names the button.
        let button = if is_dragging { "left" } else { "none" };
        self.send("mouseMoved", json!({ "button": button }), buttons).await?;
        if is_dragging && self.drag().is_some() {
            self.drag_event("dragEnter").await?;
            self.drag_event("dragOver").await?;
        }
        Ok(())
    }

    async fn drop_there(&self) -> Result<(), DriverError> {
        if self.drag().is_some() {
            self.drag_event("drop").await?;
            self.set_drag(None);
        }
        // Also where no drag came of it.
        let intercepts = {
            let book = self.ground.link.book();
            book.tabs.get(&self.ground.tab).is_some_and(|tab| tab.held.intercepts)
        };
        if intercepts {
            self.intercept_drags(false).await?;
        }
        Ok(())
    }

    fn drag(&self) -> Option<Value> {
        self.ground.link.book().tabs.get(&self.ground.tab)?.held.drag.clone()
    }

    fn set_drag(&self, drag: Option<Value>) {
        if let Some(tab) = self.ground.link.book().tabs.get_mut(&self.ground.tab) {
            tab.held.drag = drag;
        }
    }

    async fn drag_event(&self, kind: &str) -> Result<(), DriverError> {
        let (x, y) = self.at;
        let params = json!({ "type": kind, "x": x, "y": y, "data": self.drag() });
        self.command("Input.dispatchDragEvent", params).await
    }

    async fn intercept_drags(&self, enabled: bool) -> Result<(), DriverError> {
        self.command("Input.setInterceptDrags", json!({ "enabled": enabled })).await?;
        if let Some(tab) = self.ground.link.book().tabs.get_mut(&self.ground.tab) {
            tab.held.intercepts = enabled;
        }
        Ok(())
    }

    async fn send(&self, kind: &str, more: Value, buttons: u8) -> Result<(), DriverError> {
        let held = self.ground.link.book().tab(self.ground.tab)?.held.modifiers;
        let mut params = json!({
            "type": kind,
            "x": self.at.0,
            "y": self.at.1,
            "buttons": buttons,
            "modifiers": modifier_bits(held.and(self.modifiers)),
        });
        if let (Some(params), Value::Object(more)) = (params.as_object_mut(), more) {
            params.extend(more);
        }
        self.command("Input.dispatchMouseEvent", params).await
    }

    async fn command(&self, method: &'static str, params: Value) -> Result<(), DriverError> {
        let Ground { link, tab, .. } = self.ground;
        link.tab(*tab, method, params, self.ground.deadline()).await.map(drop)
    }
}
