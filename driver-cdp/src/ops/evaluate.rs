//! `Op::Evaluate`: a script in the page's own world, its value as JSON.

use crate::book::MainWorld;
use crate::session::Link;
use backlot_core::page::{NodeKey, TabId};
use backlot_core::port::{DriverError, Evaluate, Millis, ScriptArgument, ScriptEnd};
use serde_json::{Value, json};

/// Most characters told of what a script threw.
const THROWN_CHARACTERS_MAX: usize = 2_000;

/// Awaits a value and gives `[text]`: its JSON, or where JSON has no form for it and it is not `undefined`, it as a string.
const AS_TEXT: &str = "async (value) => { value = await value; let json; try { json = JSON.stringify(value); } catch {} \
                       return value === undefined ? '' : json === undefined ? JSON.stringify(String(value)) : json; }";

/// Runs a script.
pub(super) async fn evaluate(
    link: &Link,
    evaluate: Evaluate,
    deadline: Millis,
) -> Result<ScriptEnd, DriverError> {
    let Evaluate { tab, source, arguments, permit } = evaluate;
    if permit.target().tab != Some(tab) {
        let reason = "the permit is for another tab".into();
        return Err(DriverError::Refused { method: "Runtime.callFunctionOn".into(), reason });
    }
    let MainWorld { context, number } = main_world(link, tab, deadline).await?;
    let declaration = match &arguments {
        Some(_) => format!(
            "async function(...them) {{ return await ({AS_TEXT})(({source}\n)(...them)); }}"
        ),
        None if is_expression(link, tab, &source, deadline).await? => format!(
            "async function() {{ const it = ({source}\n); return await ({AS_TEXT})(typeof it === 'function' ? it() : it); }}"
        ),
        // Statements: the value is that of the last one.
        None => return statements(link, tab, &source, &context, deadline).await,
    };
    let mut given = Vec::new();
    for argument in arguments.unwrap_or_default() {
        given.push(match argument {
            ScriptArgument::Undefined => json!({}),
            ScriptArgument::Json(value) => json!({ "value": value }),
            ScriptArgument::Node(node) => {
                json!({ "objectId": main_object(link, tab, node, number, deadline).await? })
            }
        });
    }
    let params = json!({
        "functionDeclaration": declaration,
        "uniqueContextId": context,
        "arguments": given,
        "awaitPromise": true,
        "returnByValue": true,
        "userGesture": true,
    });
    Ok(end(link.tab(tab, "Runtime.callFunctionOn", params, deadline).await))
}

/// The page's own world. Where the document is just being replaced there is none for a moment.
async fn main_world(link: &Link, tab: TabId, deadline: Millis) -> Result<MainWorld, DriverError> {
    let stands = link.until(deadline, |book| match book.tab(tab) {
        Ok(state) => state.main_world.clone().map(Ok),
        Err(error) => Some(Err(error)),
    });
    stands.await.unwrap_or(Err(DriverError::Deadline))
}

/// The source is one expression. Nothing of it runs.
async fn is_expression(
    link: &Link,
    tab: TabId,
    source: &str,
    deadline: Millis,
) -> Result<bool, DriverError> {
    let params = json!({
        "expression": format!("async function f() {{ ({source}\n) }}"), "sourceURL": "", "persistScript": false
    });
    let answer = link.tab(tab, "Runtime.compileScript", params, deadline).await?;
    Ok(answer.get("exceptionDetails").is_none())
}

async fn statements(
    link: &Link,
    tab: TabId,
    source: &str,
    context: &str,
    deadline: Millis,
) -> Result<ScriptEnd, DriverError> {
    let params = json!({
        "expression": source,
        "uniqueContextId": context,
        "awaitPromise": true,
        "userGesture": true,
    });
    let answer = link.tab(tab, "Runtime.evaluate", params, deadline).await;
    let object = match answer {
        Ok(answer) if answer.get("exceptionDetails").is_none() => answer["result"].clone(),
        ended => return Ok(end(ended)),
    };
    let argument = match object["objectId"].as_str() {
        Some(id) => json!({ "objectId": id }),
        None if object["type"] == "undefined" => json!({}),
        None => match object["unserializableValue"].as_str() {
            Some(word) => json!({ "unserializableValue": word }),
            None => json!({ "value": object["value"] }),
        },
    };
    let params = json!({
        "functionDeclaration": AS_TEXT,
        "uniqueContextId": context,
        "arguments": [argument],
        "awaitPromise": true,
        "returnByValue": true,
    });
    Ok(end(link.tab(tab, "Runtime.callFunctionOn", params, deadline).await))
}

/// The page's own object of a node: worlds share the tree and no objects.
async fn main_object(
    link: &Link,
    tab: TabId,
    node: NodeKey,
    world: i64,
    deadline: Millis,
) -> Result<String, DriverError> {
    let at = link.walker_node(tab, node).ok_or(DriverError::DocumentGone)?;
    let context = {
        let book = link.book();
        let world = book.tab(tab)?.world.as_ref();
        world.map(|world| world.context.clone()).ok_or(DriverError::DocumentGone)?
    };
    let expression = format!("__backlot.node({})", json!(at));
    let params = json!({ "expression": expression, "uniqueContextId": context });
    let ours = link.tab(tab, "Runtime.evaluate", params, deadline).await?;
    let ours = ours["result"]["objectId"].as_str().ok_or(DriverError::DocumentGone)?.to_string();
    let params = json!({ "objectId": ours });
    let described = link.tab(tab, "DOM.describeNode", params, deadline).await?;
    let params = json!({
        "backendNodeId": described["node"]["backendNodeId"], "executionContextId": world
    });
    let theirs = link.tab(tab, "DOM.resolveNode", params, deadline).await?;
    let theirs = theirs["object"]["objectId"].as_str().ok_or(DriverError::DocumentGone)?;
    Ok(theirs.to_string())
}

fn end(answer: Result<Value, DriverError>) -> ScriptEnd {
    let answer = match answer {
        Ok(answer) => answer,
        Err(DriverError::Refused { reason, .. })
            if reason.contains("context was destroyed")
                || reason.contains("navigated or closed")
                || reason.contains("uniqueContextId not found")
                || reason.contains("Promise was collected") =>
        {
            return ScriptEnd::Lost(DriverError::DocumentGone);
        }
        Err(error) => return ScriptEnd::Lost(error),
    };
    if let Some(details) = answer.get("exceptionDetails") {
        return ScriptEnd::Threw(thrown(details));
    }
    match answer["result"]["value"].as_str() {
        None | Some("") => ScriptEnd::Value(None),
        Some(text) => ScriptEnd::Value(serde_json::from_str(text).ok()),
    }
}

fn thrown(details: &Value) -> String {
    let exception = &details["exception"];
    let told = match (exception["description"].as_str(), &exception["value"]) {
        (Some(description), _) => description.lines().next().unwrap_or_default().to_string(),
        (None, Value::String(text)) => text.clone(),
        (None, Value::Null) => details["text"].as_str().unwrap_or_default().to_string(),
        (None, value) => value.to_string(),
    };
    told.chars().take(THROWN_CHARACTERS_MAX).collect()
}
