//! Pictures, logs, and what a tab is made to believe.

use crate::page::Rect;
use alloc::{string::String, vec::Vec};
use serde::{Deserialize, Serialize};

/// What a picture shows.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ScreenshotSpec {
    /// Which part.
    pub area: ScreenshotArea,
    /// The encoding.
    pub format: ImageFormat,
    /// Boxes in the top viewport to be drawn over the picture, each with its word.
    pub labels: Vec<Label>,
}

/// A part of a page.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ScreenshotArea {
    /// What the viewport shows.
    Viewport,
    /// The whole document.
    Page,
    /// A box in the top viewport.
    Box(Rect),
}

/// An image's encoding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ImageFormat {
    /// PNG.
    Png,
    /// JPEG of this quality, 0 to 100.
    Jpeg(u8),
}

/// A word at a box.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Label {
    /// The word, such as a ref.
    pub text: String,
    /// The box in the top viewport.
    pub rect: Rect,
}

/// A log of a tab.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LogKind {
    /// Network requests.
    Requests,
    /// Errors that nothing caught.
    Errors,
    /// What the page wrote to its console.
    Console,
}

/// What a tab is made to believe, until it is closed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Emulation {
    /// A device.
    Device(Device),
    /// A viewport of this size, CSS pixels; the rest of the device stays.
    Viewport {
        /// Width.
        width: u32,
        /// Height.
        height: u32,
    },
    /// `prefers-color-scheme`; `None` is the browser's own.
    ColorScheme(Option<String>),
    /// An IANA time zone.
    Timezone(String),
    /// A BCP 47 language.
    Locale(String),
}

/// A device to pretend to be.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Device {
    /// `User-Agent`; empty: the browser's own.
    pub user_agent: String,
    /// Viewport, CSS pixels.
    pub viewport: (u32, u32),
    /// Screen, CSS pixels.
    pub screen: (u32, u32),
    /// Device pixels for one CSS pixel.
    pub scale: f64,
    /// The `viewport` meta element counts, scrollbars lie over the page.
    pub is_mobile: bool,
    /// It has a touch screen.
    pub has_touch: bool,
}
