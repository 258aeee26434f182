//! Keys through the browser's input pipeline.

use super::guarded::{GUARD_MS, Ground, guarded};
use crate::session::Link;
use backlot_core::page::TabId;
use backlot_core::port::{DispatchOutcome, DriverError, Key, Millis, Modifiers, Stroke};
use serde_json::{Value, json};

/// Sends keys while the guard's node has the focus.
pub(super) async fn keys(
    link: &Link,
    tab: TabId,
    (strokes, focus): (&[Stroke], bool),
    guard: Value,
    deadline: Millis,
) -> DispatchOutcome {
    let arming = json!({
        "guard": guard, "secret": link.secret_type(), "ms": GUARD_MS, "focus": focus
    });
    guarded(link, tab, ("armKeys", arming), deadline, async |ground| {
        for (at, stroke) in strokes.iter().enumerate() {
            // A key comes up wherever it went down.
            if at > 0 && !matches!(stroke, Stroke::Up { .. }) {
                ground.stands().await?;
            }
            Keyboard { ground }.stroke(stroke).await?;
        }
        Ok(())
    })
    .await
}

/// `modifiers` of the protocol's input commands.
pub(super) fn modifier_bits(held: Modifiers) -> u8 {
    u8::from(held.alt)
        | u8::from(held.control) << 1
        | u8::from(held.meta) << 2
        | u8::from(held.shift) << 3
}

struct Keyboard<'a> {
    ground: &'a Ground<'a>,
}

impl Keyboard<'_> {
    async fn stroke(&self, stroke: &Stroke) -> Result<(), DriverError> {
        match stroke {
            Stroke::Insert { text } => {
                let params = json!({ "text": text });
                self.command("Input.insertText", params).await
            }
            Stroke::Down { key } => self.down(&self.key(key)?).await,
            Stroke::Up { key } => self.up(&self.key(key)?).await,
            Stroke::Press { key, modifiers } => {
                let around = modifiers.keys();
                for key in &around {
                    self.down(key).await?;
                }
                let key = self.key(key)?;
                self.down(&key).await?;
                self.up(&key).await?;
                for key in around.iter().rev() {
                    self.up(key).await?;
                }
                Ok(())
            }
        }
    }

    /// The key with what is held now.
    fn key(&self, word: &str) -> Result<Key, DriverError> {
        let key = Key::of(word).map_err(|unknown| DriverError::Refused {
            method: "Input.dispatchKeyEvent".into(),
            reason: unknown.to_string(),
        })?;
        Ok(if self.held()?.shift { key.shifted() } else { key })
    }

    fn held(&self) -> Result<Modifiers, DriverError> {
        Ok(self.ground.link.book().tab(self.ground.tab)?.held.modifiers)
    }

    async fn down(&self, key: &Key) -> Result<(), DriverError> {
        let held = self.hold(|held| held.and(key.modifier().unwrap_or_default()))?;
        let text = key.text.as_deref().filter(|_| !held.keeps_from_typing());
        let kind = if text.is_some() { "keyDown" } else { "rawKeyDown" };
        self.send(kind, key, text, held).await
    }

    async fn up(&self, key: &Key) -> Result<(), DriverError> {
        let held = self.hold(|held| held.without(key.modifier().unwrap_or_default()))?;
        self.send("keyUp", key, None, held).await
    }

    fn hold(&self, change: impl FnOnce(Modifiers) -> Modifiers) -> Result<Modifiers, DriverError> {
        let mut book = self.ground.link.book();
        let tab = book.tabs.get_mut(&self.ground.tab).ok_or(DriverError::TabGone)?;
        tab.held.modifiers = change(tab.held.modifiers);
        Ok(tab.held.modifiers)
    }

    async fn send(
        &self,
        kind: &str,
        key: &Key,
        text: Option<&str>,
        held: Modifiers,
    ) -> Result<(), DriverError> {
        let mut params = json!({
            "type": kind,
            "modifiers": modifier_bits(held),
            "key": key.key,
            "code": key.code,
            "windowsVirtualKeyCode": key.key_code,
            "location": key.location,
        });
        if let Some(text) = text {
            params["text"] = text.into();
            params["unmodifiedText"] = text.into();
        }
        self.command("Input.dispatchKeyEvent", params).await
    }

    async fn command(&self, method: &'static str, params: Value) -> Result<(), DriverError> {
        let Ground { link, tab, .. } = self.ground;
        link.tab(*tab, method, params, self.ground.deadline()).await.map(drop)
    }
}
