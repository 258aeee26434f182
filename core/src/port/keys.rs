// table: keys of a US keyboard
//! Which key is meant by a word, on a US keyboard: both drivers and the tools' argument checks ask here.
//!
//! Source: UI Events KeyboardEvent key Values and code Values (W3C); key codes as "Legacy key models" of UI Events tells.

use super::input::{Modifiers, Stroke};
use alloc::{
    borrow::ToOwned,
    format,
    string::{String, ToString},
    vec::Vec,
};

/// A key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Key {
    /// `KeyboardEvent.key`.
    pub key: String,
    /// `KeyboardEvent.code`.
    pub code: String,
    /// `KeyboardEvent.keyCode`.
    pub key_code: u32,
    /// What it types, where it types something.
    pub text: Option<String>,
    /// `KeyboardEvent.location`.
    pub location: u8,
}

/// A word that is no key.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "{0:?} is no key; keys are single characters (a, A, 5, +) and names such as Enter, Tab, Escape, ArrowDown, F5, KeyA"
)]
pub struct UnknownKey(pub String);

/// Keys by name: name, code, key code, text, location. Where the name is also that of several keys, the left one is meant.
const NAMED: &[(&str, &str, u32, &str, u8)] = &[
    ("Alt", "AltLeft", 18, "", 1),
    ("ArrowDown", "ArrowDown", 40, "", 0),
    ("ArrowLeft", "ArrowLeft", 37, "", 0),
    ("ArrowRight", "ArrowRight", 39, "", 0),
    ("ArrowUp", "ArrowUp", 38, "", 0),
    ("Backspace", "Backspace", 8, "", 0),
    ("CapsLock", "CapsLock", 20, "", 0),
    ("ContextMenu", "ContextMenu", 93, "", 0),
    ("Control", "ControlLeft", 17, "", 1),
    ("Delete", "Delete", 46, "", 0),
    ("End", "End", 35, "", 0),
    ("Enter", "Enter", 13, "\r", 0),
    ("Escape", "Escape", 27, "", 0),
    ("F1", "F1", 112, "", 0),
    ("F2", "F2", 113, "", 0),
    ("F3", "F3", 114, "", 0),
    ("F4", "F4", 115, "", 0),
    ("F5", "F5", 116, "", 0),
    ("F6", "F6", 117, "", 0),
    ("F7", "F7", 118, "", 0),
    ("F8", "F8", 119, "", 0),
    ("F9", "F9", 120, "", 0),
    ("F10", "F10", 121, "", 0),
    ("F11", "F11", 122, "", 0),
    ("F12", "F12", 123, "", 0),
    ("Home", "Home", 36, "", 0),
    ("Insert", "Insert", 45, "", 0),
    ("Meta", "MetaLeft", 91, "", 1),
    ("NumLock", "NumLock", 144, "", 0),
    ("PageDown", "PageDown", 34, "", 0),
    ("PageUp", "PageUp", 33, "", 0),
    ("Pause", "Pause", 19, "", 0),
    ("PrintScreen", "PrintScreen", 44, "", 0),
    ("ScrollLock", "ScrollLock", 145, "", 0),
    ("Shift", "ShiftLeft", 16, "", 1),
    ("Tab", "Tab", 9, "", 0),
];

/// Other words for keys, in any letter case.
const ALIASES: &[(&str, &str)] = &[
    ("cmd", "Meta"),
    ("command", "Meta"),
    ("ctrl", "Control"),
    ("controlormeta", "Control"),
    ("del", "Delete"),
    ("down", "ArrowDown"),
    ("esc", "Escape"),
    ("left", "ArrowLeft"),
    ("option", "Alt"),
    ("return", "Enter"),
    ("right", "ArrowRight"),
    ("space", " "),
    ("spacebar", " "),
    ("up", "ArrowUp"),
];

/// Keys that type: code, key code, plain, with Shift.
const TYPING: &[(&str, u32, char, char)] = &[
    ("Backquote", 192, '`', '~'),
    ("Backslash", 220, '\\', '|'),
    ("BracketLeft", 219, '[', '{'),
    ("BracketRight", 221, ']', '}'),
    ("Comma", 188, ',', '<'),
    ("Digit0", 48, '0', ')'),
    ("Digit1", 49, '1', '!'),
    ("Digit2", 50, '2', '@'),
    ("Digit3", 51, '3', '#'),
    ("Digit4", 52, '4', '$'),
    ("Digit5", 53, '5', '%'),
    ("Digit6", 54, '6', '^'),
    ("Digit7", 55, '7', '&'),
    ("Digit8", 56, '8', '*'),
    ("Digit9", 57, '9', '('),
    ("Equal", 187, '=', '+'),
    ("Minus", 189, '-', '_'),
    ("Period", 190, '.', '>'),
    ("Quote", 222, '\'', '"'),
    ("Semicolon", 186, ';', ':'),
    ("Slash", 191, '/', '?'),
    ("Space", 32, ' ', ' '),
];

impl Modifiers {
    /// The keys that are held, in the order in which they go down.
    pub fn keys(self) -> Vec<Key> {
        let all = [
            (self.control, "Control"),
            (self.alt, "Alt"),
            (self.shift, "Shift"),
            (self.meta, "Meta"),
        ];
        // The four are in the table.
        all.iter()
            .filter(|(is_held, _)| *is_held)
            .filter_map(|(_, name)| Key::of(name).ok())
            .collect()
    }
}

impl Key {
    /// The key of a word: a name, a code, another word for it, or the character it types.
    ///
    /// # Errors
    /// No key of the keyboard is meant.
    pub fn of(word: &str) -> Result<Self, UnknownKey> {
        let unknown = || UnknownKey(word.chars().take(40).collect());
        let alias = ALIASES.iter().find(|(alias, _)| alias.eq_ignore_ascii_case(word));
        let word = alias.map_or(word, |(_, name)| name);
        if let Some(named) = NAMED.iter().find(|(name, code, ..)| *name == word || *code == word) {
            let (name, code, key_code, text, location) = *named;
            let text = (!text.is_empty()).then(|| text.to_owned());
            let (key, code) = (name.to_owned(), code.to_owned());
            return Ok(Self { key, code, key_code, text, location });
        }
        if let Some(letter) =
            word.strip_prefix("Key").and_then(single).filter(char::is_ascii_uppercase)
        {
            return Ok(Self::letter(letter.to_ascii_lowercase()));
        }
        if let Some((code, key_code, plain, _)) = TYPING.iter().find(|(code, ..)| *code == word) {
            return Ok(Self::typing(code, *key_code, *plain));
        }
        let typed = single(word).ok_or_else(unknown)?;
        if typed.is_ascii_alphabetic() {
            return Ok(Self::letter(typed));
        }
        if typed == '\n' || typed == '\r' {
            return Self::of("Enter");
        }
        let found =
            TYPING.iter().find(|(_, _, plain, shifted)| *plain == typed || *shifted == typed);
        let (code, key_code, ..) = found.ok_or_else(unknown)?;
        Ok(Self::typing(code, *key_code, typed))
    }

    /// Which modifier the key is, if it is one.
    pub fn modifier(&self) -> Option<Modifiers> {
        let none = Modifiers::default();
        match self.key.as_str() {
            "Alt" => Some(Modifiers { alt: true, ..none }),
            "Control" => Some(Modifiers { control: true, ..none }),
            "Meta" => Some(Modifiers { meta: true, ..none }),
            "Shift" => Some(Modifiers { shift: true, ..none }),
            _ => None,
        }
    }

    /// The key with Shift held: what a letter or a digit types then.
    #[must_use]
    pub fn shifted(self) -> Self {
        let Some(typed) = self.text.as_deref().and_then(single) else { return self };
        let with_shift = match TYPING.iter().find(|(_, _, plain, _)| *plain == typed) {
            Some((.., shifted)) => *shifted,
            None => typed.to_ascii_uppercase(),
        };
        if typed == '\r' {
            return self;
        }
        Self { key: with_shift.to_string(), text: Some(with_shift.to_string()), ..self }
    }

    fn letter(typed: char) -> Self {
        let upper = typed.to_ascii_uppercase();
        Self::typing(&format!("Key{upper}"), u32::from(upper), typed)
    }

    fn typing(code: &str, key_code: u32, typed: char) -> Self {
        let text = typed.to_string();
        Self { key: text.clone(), code: code.to_owned(), key_code, text: Some(text), location: 0 }
    }
}

impl Stroke {
    /// A press by its words: a key, or a chord such as `Control+Shift+K`. A `+` that is itself the key stands last (`Control++`).
    ///
    /// # Errors
    /// A part is no key, or one before the last one is no modifier.
    pub fn press(words: &str) -> Result<Self, UnknownKey> {
        let unknown = || UnknownKey(words.chars().take(40).collect());
        let (before, last) = match words.strip_suffix("++") {
            Some(before) => (before, "+"),
            None if words == "+" => ("", "+"),
            None => match words.rsplit_once('+') {
                Some(("", _)) => return Err(unknown()),
                Some(parts) => parts,
                None => ("", words),
            },
        };
        let mut modifiers = Modifiers::default();
        for word in before.split('+').filter(|_| !before.is_empty()) {
            modifiers = modifiers.and(Key::of(word)?.modifier().ok_or_else(unknown)?);
        }
        Key::of(last)?;
        Ok(Self::Press { key: last.to_owned(), modifiers })
    }
}

impl Modifiers {
    /// These and those.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self {
            alt: self.alt || other.alt,
            control: self.control || other.control,
            meta: self.meta || other.meta,
            shift: self.shift || other.shift,
        }
    }

    /// These without those.
    #[must_use]
    pub fn without(self, other: Self) -> Self {
        Self {
            alt: self.alt && !other.alt,
            control: self.control && !other.control,
            meta: self.meta && !other.meta,
            shift: self.shift && !other.shift,
        }
    }

    /// One that keeps a key from typing is held.
    pub fn keeps_from_typing(self) -> bool {
        self.alt || self.control || self.meta
    }
}

fn single(word: &str) -> Option<char> {
    let mut characters = word.chars();
    let first = characters.next()?;
    characters.next().is_none().then_some(first)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(word: &str, key: &str, code: &str, key_code: u32, text: Option<&str>) {
        let found = Key::of(word).unwrap();
        assert_eq!(
            (found.key.as_str(), found.code.as_str(), found.key_code, found.text.as_deref()),
            (key, code, key_code, text),
            "{word}"
        );
    }

    #[test]
    fn words_are_keys() {
        check("a", "a", "KeyA", 65, Some("a"));
        check("A", "A", "KeyA", 65, Some("A"));
        check("KeyB", "b", "KeyB", 66, Some("b"));
        check("5", "5", "Digit5", 53, Some("5"));
        check("%", "%", "Digit5", 53, Some("%"));
        check(" ", " ", "Space", 32, Some(" "));
        check("Space", " ", "Space", 32, Some(" "));
        check("esc", "Escape", "Escape", 27, None);
        check("Enter", "Enter", "Enter", 13, Some("\r"));
        check("\n", "Enter", "Enter", 13, Some("\r"));
        for bad in ["", "Entr", "é", "KeyÄ", "Keya", "aa"] {
            assert_eq!(Key::of(bad).err(), Some(UnknownKey(bad.into())), "{bad}");
        }
    }

    #[test]
    fn chords_hold_modifiers() {
        let shift_k = Stroke::press("Control+Shift+K").unwrap();
        let modifiers = Modifiers { control: true, shift: true, ..Modifiers::default() };
        assert_eq!(shift_k, Stroke::Press { key: "K".into(), modifiers });
        let plus = Stroke::press("Control++").unwrap();
        let control = Modifiers { control: true, ..Modifiers::default() };
        assert_eq!(plus, Stroke::Press { key: "+".into(), modifiers: control });
        assert_eq!(
            Stroke::press("+"),
            Ok(Stroke::Press { key: "+".into(), modifiers: Modifiers::default() })
        );
        for bad in ["a+b", "Control+", "+a", "Hyper+a"] {
            assert!(Stroke::press(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn shift_changes_what_is_typed() {
        let typed = |word: &str| Key::of(word).unwrap().shifted().key;
        assert_eq!(
            [typed("a"), typed("KeyZ"), typed("1"), typed("Enter")],
            ["A", "Z", "!", "Enter"]
        );
    }
}
