//! A client of the tool in tests.

use backlot_core::action::ToolResult;
use backlot_core::gatekeeper::{Policy, PolicyState};
use backlot_core::surface::Surface;
use backlot_core::surface::browser::BrowserTool;
use backlot_core::tool::ToolCall;
use backlot_sim::{Response, SimHost, SimLauncher, World};
use serde_json::{Value, json};

pub(crate) struct Client {
    pub(crate) world: World,
    pub(crate) tool: BrowserTool<SimLauncher, SimHost>,
}

impl Client {
    pub(crate) fn new() -> Self {
        Self::with(Policy::Auto)
    }

    pub(crate) fn with(policy: Policy) -> Self {
        let world = World::new(1);
        let tool = BrowserTool::new(world.launcher(), world.host(), PolicyState::new(policy));
        Self { world, tool }
    }

    /// A client whose tab `t1` shows this markup at `http://page.test/`.
    pub(crate) fn showing(html: &str) -> Self {
        let client = Self::new();
        client.serve("http://page.test/", html);
        client.ok(json!({"action": "open", "targetUrl": "http://page.test/"}));
        client
    }

    pub(crate) fn serve(&self, url: &str, html: &str) {
        self.world.serve(url, Response::html(html));
    }

    pub(crate) fn call(&self, arguments: Value) -> ToolResult {
        let call = ToolCall { name: "browser".into(), arguments };
        self.world.block_on(self.tool.call(&call))
    }

    #[track_caller]
    pub(crate) fn ok(&self, arguments: Value) -> ToolResult {
        let asked = arguments.to_string();
        let result = self.call(arguments);
        assert!(!result.is_error, "{asked}: {}", result.text);
        result
    }

    /// The code and text of a failure.
    #[track_caller]
    pub(crate) fn fails(&self, arguments: Value) -> (String, String) {
        let asked = arguments.to_string();
        let result = self.call(arguments);
        assert!(result.is_error, "{asked}: {}", result.text);
        (result.details["code"].as_str().unwrap_or_default().into(), result.text)
    }

    /// A snapshot's lines between its title and the end of the fence.
    #[track_caller]
    pub(crate) fn tree(&self, mut options: Value) -> String {
        options["action"] = "snapshot".into();
        tree(&self.ok(options).text)
    }

    /// The ref in the first line of a plain snapshot that holds this text.
    #[track_caller]
    pub(crate) fn elem_ref(&self, text: &str) -> String {
        let tree = self.tree(json!({}));
        let line = tree.lines().find(|line| line.contains(text) && line.contains("[ref="));
        let line = line.unwrap_or_else(|| panic!("no ref at {text} in\n{tree}"));
        let from = line.find("[ref=").map_or(0, |at| at + 5);
        line[from..].split(']').next().unwrap_or_default().into()
    }

    #[track_caller]
    pub(crate) fn act(&self, mut act: Value) -> ToolResult {
        act["action"] = "act".into();
        self.ok(act)
    }
}

pub(crate) fn tree(text: &str) -> String {
    let mut lines = text.lines().skip_while(|line| !line.starts_with("Title:"));
    lines.next();
    let lines = lines.take_while(|line| !line.starts_with("<<<END_"));
    lines.collect::<Vec<_>>().join("\n")
}
