//! Input: what a dispatch does to its target.

use super::op::Guard;
use alloc::{string::String, vec::Vec};
use serde::{Deserialize, Serialize};

/// A mouse button.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Button {
    /// The main one.
    Left,
    /// The wheel.
    Middle,
    /// The one for context menus.
    Right,
}

/// Keys that are held while something else is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Modifiers {
    /// Alt.
    pub alt: bool,
    /// Control.
    pub control: bool,
    /// Meta.
    pub meta: bool,
    /// Shift.
    pub shift: bool,
}

/// Input to give. The first three are DOM events from the content world, or changes with the events that go with them; all
/// others go through the browser's input pipeline and are trusted, under a guard in the page that swallows what would reach
/// anything but the target.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum InputPlan {
    /// Left: `pointerdown mousedown (focus) pointerup mouseup click`, twice and then `dblclick` for a double click.
    /// Right: `pointerdown mousedown (focus) contextmenu pointerup mouseup`.
    Click {
        /// Which button.
        button: Button,
        /// Two clicks and a `dblclick`.
        double: bool,
    },
    /// Text into an `input`, `textarea` or editing host.
    Type {
        /// What the field is to hold, or what is to be appended.
        text: String,
        /// How.
        how: Typing,
        /// Then Enter, and the form's submission unless a key handler cancels it.
        submit: bool,
    },
    /// Selectedness of a `select`'s options: `input` and `change` if it changes.
    Select {
        /// Places of the options to be selected, in the order of the select's `options`; all others are not selected.
        options: Vec<u32>,
    },
    /// The pointer moves to the guard's top point, then presses and releases there.
    TrustedClick {
        /// Which button.
        button: Button,
        /// Two clicks.
        double: bool,
        /// Keys held meanwhile.
        modifiers: Modifiers,
    },
    /// The pointer moves to the guard's top point.
    Hover,
    /// The target gets the focus, as by its `focus()`. No input: needs no point.
    Focus,
    /// The target loses the focus, as by its `blur()`, if it has it.
    Blur,
    /// Keys, one after another, while the target has the focus: it is given the focus first if `focus` says so, else nothing
    /// is sent unless it has it. The target of keys that nothing has the focus for is the `body`.
    Keys {
        /// The keys.
        strokes: Vec<Stroke>,
        /// Give the target the focus first.
        focus: bool,
    },
    /// Mouse input at the guard's top point, in these steps.
    Mouse {
        /// The steps.
        steps: Vec<MouseStep>,
    },
    /// Presses the main button at the guard's top point, moves to the other point, releases there.
    Drag {
        /// Where to: judged as the target of the whole is.
        to: Guard,
    },
}

/// One stroke of a key, or text as an input method gives it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stroke {
    /// Down and up, with modifiers held around it: `Control+A` holds Control. The key is a DOM `key` value (`Enter`, `a`, `é`)
    /// or a `code` (`KeyA`, `Digit1`).
    Press {
        /// The key.
        key: String,
        /// Held meanwhile.
        modifiers: Modifiers,
    },
    /// Down only; held for the strokes after it, in this and later dispatches.
    Down {
        /// The key.
        key: String,
    },
    /// Up only.
    Up {
        /// The key.
        key: String,
    },
    /// Text at once, without key events.
    Insert {
        /// The text.
        text: String,
    },
}

/// One step of mouse input.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MouseStep {
    /// Moves to the point.
    Move,
    /// Presses a button.
    Down {
        /// Which button.
        button: Button,
        /// Which press of a double or triple click, from 1.
        count: u8,
    },
    /// Releases it.
    Up {
        /// Which button.
        button: Button,
        /// As of the press.
        count: u8,
    },
    /// Turns the wheel: CSS pixels to the right and down.
    Wheel {
        /// To the right.
        dx: f64,
        /// Down.
        dy: f64,
    },
}

/// How text goes into a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Typing {
    /// The text is the whole new value, set at once: `beforeinput input`, then `change`.
    Replace,
    /// The text goes behind what is there, at once.
    Append,
    /// As `Replace`, one character after another: `keydown beforeinput input keyup` for each, `change` at the end.
    ReplaceSlowly,
    /// As `Append`, one character after another.
    AppendSlowly,
}
