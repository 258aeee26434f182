//! A client of the catalog in an arm: calls in, text out.

use crate::arm::Arm;
use crate::command::CommandError;
use backlot_core::action::ToolResult;
use backlot_core::action::limits::READ_TOKENS_MAX;
use backlot_core::gatekeeper::{Policy, PolicyState};
use backlot_core::page::{Capture, CaptureSpec, TabId};
use backlot_core::port::{Host, Op, Port, Reply};
use backlot_core::surface::Surface;
use backlot_core::surface::catalog::{Catalog, ToolCall};
use backlot_core::tool::Level;
use serde_json::{Value, json};

/// A catalog on an arm.
pub(crate) struct Session<'a, A: Arm> {
    arm: &'a A,
    catalog: Catalog<A::Port, A::Host>,
}

impl<'a, A: Arm> Session<'a, A> {
    pub(crate) fn new(arm: &'a A, policy: Policy, levels: &[Level]) -> Self {
        Self {
            arm,
            catalog: Catalog::new(arm.port(), arm.host(), PolicyState::new(policy), levels),
        }
    }

    /// A client that may do everything, for reading pages.
    pub(crate) fn reader(arm: &'a A) -> Self {
        Self::new(arm, Policy::Auto, &[Level::L0, Level::L1])
    }

    pub(crate) fn call(&self, name: &str, arguments: Value) -> ToolResult {
        self.arm.block_on(self.catalog.call(&ToolCall { name: name.into(), arguments }))
    }

    /// Loads a page and gives its snapshot, or the error's text.
    pub(crate) fn snapshot(&self, url: &str, tokens: Option<u32>) -> Result<String, String> {
        let loaded = self.call("navigate", json!({ "url": url }));
        if loaded.is_error {
            return Err(loaded.text);
        }
        let read =
            self.call("read_page", json!({ "maxTokens": tokens.unwrap_or(READ_TOKENS_MAX) }));
        if read.is_error { Err(read.text) } else { Ok(inside_fence(&read.text)) }
    }

    /// Loads a page and gives its capture.
    pub(crate) fn capture(&self, url: &str) -> Result<Capture, CommandError> {
        self.capture_as(url, CaptureSpec::TEXT)
    }

    /// Loads a page and gives what this spec asks of it.
    pub(crate) fn capture_as(&self, url: &str, spec: CaptureSpec) -> Result<Capture, CommandError> {
        let loaded = self.call("navigate", json!({ "url": url }));
        if loaded.is_error {
            return Err(CommandError::Failed(loaded.text));
        }
        self.captured(spec)
    }

    /// Gives a capture of the page that stands.
    #[cfg(feature = "live")]
    pub(crate) fn capture_again(&self) -> Result<Capture, CommandError> {
        self.captured(CaptureSpec::TEXT)
    }

    /// Gives what this spec asks of the page that stands.
    pub(crate) fn captured(&self, spec: CaptureSpec) -> Result<Capture, CommandError> {
        match self.ask(Op::Capture { tab: self.tab()?, spec })? {
            Reply::Capture(capture) => Ok(capture),
            other => Err(CommandError::Failed(format!("no capture of the page: {other:?}"))),
        }
    }

    /// One op, past all tools.
    pub(crate) fn ask(&self, op: Op) -> Result<Reply, CommandError> {
        let engine = self.catalog.engine();
        let deadline = engine.host().now().plus(30_000);
        let name = op.name();
        let answer = self.arm.block_on(engine.port().call(op, deadline));
        answer.map_err(|error| CommandError::Failed(format!("{name}: {error}")))
    }

    /// The tab that the last call went to.
    pub(crate) fn tab(&self) -> Result<TabId, CommandError> {
        let engine = self.catalog.engine();
        engine.default_tab().ok_or_else(|| CommandError::Failed("no call went to a tab yet".into()))
    }
}

/// The lines between the fence's own.
pub(crate) fn inside_fence(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let start = lines.iter().position(|line| line.starts_with("<<<web_content_"));
    let end = lines.iter().rposition(|line| line.starts_with("<<<end_web_content_"));
    match (start, end) {
        (Some(start), Some(end)) if start < end => lines[start + 1..end].join("\n"),
        _ => text.into(),
    }
}
