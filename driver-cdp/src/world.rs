//! Our isolated world in a tab's top document, where the walker stands: one evaluation, one string back.
//!
//! The world shares the page's tree and none of its script objects: page code neither runs in it nor can change it. Through
//! `contentDocument` it reaches every document of the same origin.

use crate::clock;
use crate::session::Link;
use backlot_core::page::{DocumentKey, NodeKey, TabId};
use backlot_core::port::{DriverError, Millis};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

/// The world's name.
pub(crate) const WORLD_NAME: &str = "backlot";

/// What the guard around trusted input calls when the input has met its target: the answer outlives a document that goes away
/// with it.
pub(crate) const TOLD_BINDING: &str = "__backlotTold";

/// The walker: one script from its parts.
const WALKER: &str = concat!(
    "(() => { 'use strict';\n",
    include_str!("walker/identity.js"),
    include_str!("walker/capture.js"),
    include_str!("walker/style.js"),
    include_str!("walker/geometry.js"),
    include_str!("walker/guard.js"),
    include_str!("walker/trusted.js"),
    include_str!("walker/click.js"),
    include_str!("walker/fields.js"),
    include_str!("walker/entry.js"),
    "})();\n",
);

/// The script that stands in our world of every document before the page's own scripts run.
pub(crate) fn sentry(secret_type: &str) -> String {
    include_str!("walker/sentry.js").replace("SECRET_TYPE", secret_type)
}

/// Why the walker gave no answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum NoAnswer {
    /// The document was gone before the call: nothing ran.
    NotRun,
    /// The document went while the call ran.
    Lost,
    /// Something else, before the call was sent.
    NotSent(DriverError),
    /// Something else, after it was sent.
    Sent(DriverError),
}

impl NoAnswer {
    /// As an error of a read.
    pub(crate) fn of_read(self) -> DriverError {
        match self {
            Self::NotRun | Self::Lost => DriverError::DocumentGone,
            Self::NotSent(error) | Self::Sent(error) => error,
        }
    }
}

/// The walker's answer and the context that gave it.
#[derive(Debug)]
pub(crate) struct Answer<T> {
    pub(crate) value: T,
    pub(crate) context: String,
}

/// A node in the walker's numbers.
#[derive(Debug, Clone, Copy, Serialize)]
pub(crate) struct WalkerNode {
    /// Its document.
    pub(crate) d: u32,
    /// Itself.
    pub(crate) n: u32,
}

impl Link {
    /// Calls a function of the walker in a tab's top document.
    pub(crate) async fn ask<T: DeserializeOwned>(
        &self,
        tab: TabId,
        function: &str,
        argument: &impl Serialize,
        deadline: Millis,
    ) -> Result<Answer<T>, NoAnswer> {
        let (context, ready) = self.context(tab, deadline).await.map_err(NoAnswer::NotSent)?;
        let argument = serde_json::to_string(argument)
            .map_err(|e| NoAnswer::NotSent(broken(&e.to_string())))?;
        let call = format!("__backlot.{function}({argument})");
        let expression = if ready { call } else { format!("{WALKER}{call}") };
        if clock::now() >= deadline {
            return Err(NoAnswer::NotSent(DriverError::Deadline));
        }
        let parameters = json!({
            "expression": expression,
            "uniqueContextId": context,
            "returnByValue": true,
        });
        let answer = self.tab(tab, "Runtime.evaluate", parameters, deadline).await;
        let value = answer.map_err(why_no_answer)?;
        if !ready {
            self.mark_ready(tab, &context);
        }
        let text = string_result(&value).map_err(NoAnswer::Sent)?;
        let value =
            serde_json::from_str(text).map_err(|e| NoAnswer::Sent(broken(&e.to_string())))?;
        Ok(Answer { value, context })
    }

    /// The same for a read, once more if the document was replaced meanwhile.
    pub(crate) async fn read<T: DeserializeOwned>(
        &self,
        tab: TabId,
        function: &str,
        argument: &impl Serialize,
        deadline: Millis,
    ) -> Result<Answer<T>, DriverError> {
        match self.ask(tab, function, argument, deadline).await {
            Err(NoAnswer::NotRun | NoAnswer::Lost) if clock::now() < deadline => {
                self.ask(tab, function, argument, deadline).await.map_err(NoAnswer::of_read)
            }
            other => other.map_err(NoAnswer::of_read),
        }
    }

    /// A node in the numbers of the walker that stands now; `None` if its document is not there any more.
    pub(crate) fn walker_node(&self, tab: TabId, node: NodeKey) -> Option<WalkerNode> {
        let d = self.walker_document(tab, node.document)?;
        Some(WalkerNode { d, n: node.node.0 })
    }

    /// A document in the numbers of the walker that stands now.
    pub(crate) fn walker_document(&self, tab: TabId, document: DocumentKey) -> Option<u32> {
        let book = self.book();
        let world = book.tabs.get(&tab)?.world.as_ref()?;
        let found = world.documents.iter().find(|(_, key)| **key == document);
        found.map(|(number, _)| *number)
    }

    /// The context of our world in the top document; made if there is none.
    async fn context(&self, tab: TabId, deadline: Millis) -> Result<(String, bool), DriverError> {
        for _ in 0..3 {
            let frame = {
                let book = self.book();
                let state = book.tab(tab)?;
                if let Some(world) = &state.world {
                    return Ok((world.context.clone(), world.ready));
                }
                state.target.clone()
            };
            let parameters = json!({ "frameId": frame, "worldName": WORLD_NAME });
            self.tab(tab, "Page.createIsolatedWorld", parameters, deadline).await?;
            // The event that tells of the context comes before the command's answer, unless a navigation was faster.
        }
        let book = self.book();
        let world = book.tab(tab)?.world.as_ref();
        world.map(|w| (w.context.clone(), w.ready)).ok_or(DriverError::DocumentGone)
    }

    fn mark_ready(&self, tab: TabId, context: &str) {
        let mut book = self.book();
        let world = book.tabs.get_mut(&tab).and_then(|tab| tab.world.as_mut());
        if let Some(world) = world.filter(|world| world.context == context) {
            world.ready = true;
        }
    }
}

fn why_no_answer(error: DriverError) -> NoAnswer {
    match error {
        DriverError::Refused { reason, .. }
            if reason.contains("uniqueContextId not found")
                || reason.contains("Cannot find context") =>
        {
            NoAnswer::NotRun
        }
        DriverError::Refused { reason, .. }
            if reason.contains("context was destroyed")
                || reason.contains("navigated or closed") =>
        {
            NoAnswer::Lost
        }
        error => NoAnswer::Sent(error),
    }
}

fn string_result(value: &Value) -> Result<&str, DriverError> {
    if let Some(details) = value.get("exceptionDetails") {
        let thrown = &details["exception"]["description"];
        return Err(broken(thrown.as_str().unwrap_or("the walker threw")));
    }
    value["result"]["value"].as_str().ok_or_else(|| broken("the walker gave no string"))
}

fn broken(reason: &str) -> DriverError {
    DriverError::Refused { method: "Runtime.evaluate".into(), reason: reason.into() }
}
