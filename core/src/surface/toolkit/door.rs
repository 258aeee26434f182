//! The one door between a code body and its session: a body's every wish is a [`PageCall`], and its answer is JSON.
//!
//! The engine that runs bodies (a [`CodeRunner`]) knows nothing of browsers; what stands behind the door ([`PageDoor`]) knows
//! nothing of JavaScript.

use crate::locate::{Locator, Patterns};
use crate::port::{Button, Millis, Modifiers};
use alloc::{string::String, vec::Vec};
use core::future::Future;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What a code body may ask for. `page` is a page id of the session (`page-…`); times are milliseconds.
#[expect(missing_docs, reason = "what each variant says of its fields is enough")]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "op", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum PageCall {
    /// Answer: the ids of the session's pages, oldest first.
    Pages,
    /// A new page, the session's default one from now on. Answer: its id.
    NewPage,
    /// Answer: the cookies that the session's pages are sent, as Playwright's `context.cookies()` gives them.
    Cookies,
    /// Answer: `{url, status}` of the document, `status` null where it did not come over http.
    Goto { page: String, url: String, wait_until: LoadWait, timeout: u64 },
    /// Loads the page again. Answer: as above.
    Reload { page: String, wait_until: LoadWait, timeout: u64 },
    /// Answer: as above; null if there is nothing to go to.
    GoBack { page: String, wait_until: LoadWait, timeout: u64 },
    /// Likewise.
    GoForward { page: String, wait_until: LoadWait, timeout: u64 },
    /// Answer: the title.
    Title { page: String },
    /// Answer: the URL.
    Url { page: String },
    /// Answer: the document as HTML.
    Content { page: String },
    /// Changes the viewport's size. Answer: null.
    SetViewportSize { page: String, width: u32, height: u32 },
    /// Closes the page. Answer: null.
    ClosePage { page: String },
    /// Brings it to the front. Answer: null.
    BringToFront { page: String },
    /// Runs a script in the page. `source` is a function's source if `is_function`, else an expression; `argument` is absent for
    /// `undefined`. With a locator the function gets its element first (strict), then `argument`. Answer: `{value}`, where
    /// `value` is absent for `undefined`.
    Evaluate {
        page: String,
        source: String,
        is_function: bool,
        argument: Option<Value>,
        locator: Option<Locator>,
        timeout: u64,
    },
    /// Waits until the page's URL fits: a glob, or a pattern. Answer: null.
    WaitForUrl {
        page: String,
        glob: Option<String>,
        pattern: Option<(String, String)>,
        wait_until: LoadWait,
        timeout: u64,
    },
    /// Answer: null.
    WaitForLoadState { page: String, state: LoadWait, timeout: u64 },
    /// Waits. Answer: null.
    Sleep { ms: u64 },
    /// Keys to whatever has the focus. Answer: null.
    Keyboard { page: String, strokes: Vec<crate::port::Stroke>, delay: u64 },
    /// Mouse input at a point of the top viewport. Answer: null.
    Mouse { page: String, x: f64, y: f64, act: PointerAct },
    /// A picture. Answer: `{base64, mimeType}`.
    Screenshot { page: String, shot: Shot, locator: Option<Locator>, timeout: u64 },
    /// Acts on the one element that a locator finds, once it is actionable. Answer: null; of `SelectOption` the selected values.
    Act { page: String, locator: Locator, action: Action, timeout: u64 },
    /// Asks about what a locator finds. Answer: as [`Query`] says.
    Query { page: String, locator: Locator, query: Query, timeout: u64 },
    /// Waits for a state of the one element that a locator finds (strict). Answer: null.
    WaitFor { page: String, locator: Locator, state: WaitState, timeout: u64 },
}

/// How far a load is waited for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LoadWait {
    /// The document is there.
    Commit,
    /// It is parsed.
    DomContentLoaded,
    /// `load` has fired.
    Load,
    /// And no request has been under way for 500 ms.
    NetworkIdle,
}

/// Mouse input at a point.
#[expect(missing_docs, reason = "what each variant says of its fields is enough")]
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum PointerAct {
    /// Moves there.
    Move,
    /// Presses.
    Down { button: Button, count: u8 },
    /// Releases.
    Up { button: Button, count: u8 },
    /// Moves, presses and releases, so many times.
    Click { button: Button, count: u8 },
    /// Turns the wheel.
    Wheel { dx: f64, dy: f64 },
}

/// A picture's options.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Shot {
    /// The whole document.
    pub full_page: bool,
    /// JPEG of this quality instead of PNG.
    pub jpeg_quality: Option<u8>,
}

/// An action of a locator.
#[expect(missing_docs, reason = "what each variant says of its fields is enough")]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Action {
    /// Trusted clicks.
    Click { button: Button, count: u8, modifiers: Modifiers },
    /// Replaces the value.
    Fill { value: String },
    /// Focuses, then types one character after another as keys.
    Type { text: String, delay: u64 },
    /// Focuses, then presses a key or a chord such as `Control+A`.
    Press { strokes: Vec<crate::port::Stroke> },
    /// Clicks unless it is in that state already; an error if it is not afterwards.
    SetChecked { checked: bool },
    /// Selects options: each by value, label or index.
    SelectOption { options: Vec<OptionWish> },
    /// Moves the pointer there.
    Hover,
    /// Gives it the focus.
    Focus,
    /// Takes the focus from it.
    Blur,
    /// Brings it into view.
    ScrollIntoView,
    /// Drags it onto what another locator finds.
    DragTo { target: Locator },
}

/// Which option.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum OptionWish {
    /// By value, else by label.
    Either(String),
    /// By value.
    Value(String),
    /// By label.
    Label(String),
    /// By place, from 0.
    Index(u32),
}

/// A question about what a locator finds. All but `Count`, `AllTextContents`, `AllInnerTexts` and the two visibilities wait for an
/// element and are strict.
#[expect(missing_docs, reason = "what each variant says of its fields is enough")]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Query {
    /// A number.
    Count,
    /// Strings.
    AllTextContents,
    /// Strings.
    AllInnerTexts,
    /// A string.
    TextContent,
    /// A string.
    InnerText,
    /// A string; an error for what has no value, and for secret fields.
    InputValue,
    /// A string or null.
    Attribute { name: String },
    /// A boolean; false where nothing is found.
    IsVisible,
    /// A boolean; true where nothing is found.
    IsHidden,
    /// A boolean.
    IsEnabled,
    /// A boolean.
    IsDisabled,
    /// A boolean.
    IsEditable,
    /// A boolean; an error for what cannot be checked.
    IsChecked,
    /// `{x, y, width, height}` in the top viewport, or null.
    BoundingBox,
}

/// A state to wait for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum WaitState {
    /// In the document.
    Attached,
    /// Not in it.
    Detached,
    /// Visible.
    Visible,
    /// Not visible, or not there.
    Hidden,
}

/// Why a call failed; thrown in the body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CallError {
    /// A code of the act path, such as `stale_ref` or `timeout`.
    pub code: String,
    /// What happened and what to do.
    pub message: String,
    /// Playwright throws a `TimeoutError`.
    pub is_timeout: bool,
}

/// What stands behind a code body.
pub trait PageDoor {
    /// Carries a call out.
    ///
    /// # Errors
    /// What the body is to be told.
    fn call(
        &self,
        call: PageCall,
        patterns: &dyn Patterns,
    ) -> impl Future<Output = Result<Value, CallError>>;

    /// The id of the page that the body's `page` is.
    fn page(&self) -> &str;

    /// The ids of the session's pages, oldest first, as far as they are known now: a body reads them without waiting.
    fn pages(&self) -> Vec<String>;

    /// The last known URL of a page; empty if there is no such page.
    fn url(&self, page: &str) -> String;

    /// The last known size of a page's viewport, `(width, height)` in CSS pixels.
    fn viewport(&self, page: &str) -> Option<(u32, u32)>;

    /// The browser's version, such as `156.0.8078.114`.
    fn version(&self) -> String;

    /// Now.
    fn now(&self) -> Millis;

    /// Ends at a moment.
    fn sleep_until(&self, moment: Millis) -> impl Future<Output = ()>;
}

/// How a body ended. Lines of output are joined by line feeds, without one at the end.
#[derive(Debug, Clone, PartialEq)]
pub struct CodeEnd {
    /// What it returned, as JSON, or as a string where JSON has no form for it; `Ok(None)` for `undefined`. The error's message
    /// if it threw, did not parse, or went over a limit.
    pub result: Result<Option<Value>, String>,
    /// What it wrote with `console.log`, `info`, `debug`.
    pub stdout: String,
    /// What it wrote with `console.warn` and `error`.
    pub stderr: String,
}

/// Runs code bodies.
pub trait CodeRunner {
    /// Runs one body to its end, at the latest at the deadline. Nothing of it stays.
    fn run<D: PageDoor + 'static>(
        &self,
        door: D,
        code: &str,
        deadline: Millis,
    ) -> impl Future<Output = CodeEnd>;
}
