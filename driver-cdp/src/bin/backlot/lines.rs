//! Standard input and output, line by line, around the protocol library: it drops a message that it cannot parse without a
//! word, and the client would wait for ever.

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, duplex, stdin, stdout};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

/// Bytes that may wait between us and the library.
const BUFFER: usize = 64 * 1024;
/// Most complaints that may wait to be written.
const COMPLAINTS_MAX: usize = 64;

/// Starts both ways. Gives the library's input and output, and the task that ends once all output is written.
pub(crate) fn start() -> (DuplexStream, DuplexStream, JoinHandle<()>) {
    let (input, feeder) = duplex(BUFFER);
    let (output, drain) = duplex(BUFFER);
    let (complain, complaints) = mpsc::channel(COMPLAINTS_MAX);
    tokio::spawn(feed(feeder, complain));
    (input, output, tokio::spawn(write_out(drain, complaints)))
}

async fn feed(mut feeder: DuplexStream, complain: mpsc::Sender<Value>) {
    let mut lines = BufReader::new(stdin());
    let mut line = Vec::new();
    while lines.read_until(b'\n', &mut line).await.is_ok_and(|read| read > 0) {
        let sent = match complaint(&line) {
            None => feeder.write_all(&line).await.is_ok(),
            Some(answer) => complain.send(answer).await.is_ok(),
        };
        if !sent {
            break;
        }
        line.clear();
    }
}

async fn write_out(drain: DuplexStream, mut complaints: mpsc::Receiver<Value>) {
    let mut out = stdout();
    let mut answers = BufReader::new(drain);
    let mut answer = Vec::new();
    let mut complaints_end = false;
    loop {
        // A line that was read in part stays in `answer` while a complaint is written.
        let written = tokio::select! {
            read = answers.read_until(b'\n', &mut answer) => match read {
                Ok(read) if read > 0 => {
                    let written = out.write_all(&answer).await;
                    answer.clear();
                    written
                }
                _ => break,
            },
            complaint = complaints.recv(), if !complaints_end => match complaint {
                Some(complaint) => out.write_all(format!("{complaint}\n").as_bytes()).await,
                None => {
                    complaints_end = true;
                    Ok(())
                }
            },
        };
        if written.is_err() || out.flush().await.is_err() {
            break;
        }
    }
}

/// The part of a message that says whom to answer.
#[derive(Deserialize)]
struct Head {
    #[serde(default)]
    id: Value,
    #[serde(default, rename = "params")]
    _params: IgnoredAny,
}

/// The answer to a line that is no message, or a tool call of the wrong shape; `None` for all others and for an empty line.
fn complaint(line: &[u8]) -> Option<Value> {
    if line.trim_ascii().is_empty() {
        return None;
    }
    let (id, code, message) = match serde_json::from_slice::<Value>(line) {
        Ok(message) => (message["id"].clone(), -32602, wrong_call(&message)?.to_owned()),
        Err(wrong) => {
            let id = serde_json::from_slice::<Head>(line).map_or(Value::Null, |head| head.id);
            (id, -32700, format!("parse error: {wrong}; nothing was done"))
        }
    };
    Some(json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code, "message": message } }))
}

/// What is wrong with the frame of a tool call; the library would say that there is no such method.
fn wrong_call(message: &Value) -> Option<&'static str> {
    let has_id = message["id"].is_number() || message["id"].is_string();
    if message["method"] != "tools/call" || !has_id {
        return None;
    }
    let params = &message["params"];
    if !params["name"].is_string() {
        return Some("invalid params for tools/call: name: must be a string, the name of a tool");
    }
    let arguments = params.get("arguments").unwrap_or(&Value::Null);
    if !arguments.is_object() && !arguments.is_null() {
        return Some("invalid params for tools/call: arguments: must be an object");
    }
    None
}

#[cfg(test)]
mod tests {
    use super::complaint;
    use serde_json::{Value, json};

    fn id_of(line: &str) -> Option<Value> {
        complaint(line.as_bytes()).map(|answer| answer["id"].clone())
    }

    #[test]
    fn a_message_that_cannot_be_parsed_is_answered_where_it_says_whom() {
        let deep = format!(r#"{{"id":7,"params":{}{}}}"#, "[".repeat(500), "]".repeat(500));
        assert_eq!(id_of(&deep), Some(json!(7)));
        assert_eq!(id_of(r#"{"id":"a","params":{"text":"\ud800"}}"#), Some(json!("a")));
        assert_eq!(id_of("no message"), Some(Value::Null));
        assert_eq!(
            complaint(b"{\"id\":1,\"x\":\"\xff\"}").map(|answer| answer["id"].clone()),
            Some(json!(1))
        );
        assert_eq!(id_of(r#"{"id":1}"#), None);
        assert_eq!(id_of(" \r\n"), None);
    }

    #[test]
    fn a_tool_call_of_the_wrong_shape_names_what_is_wrong() {
        let said = |params: &str| {
            let line = format!(r#"{{"id":1,"method":"tools/call","params":{params}}}"#);
            complaint(line.as_bytes()).map(|answer| answer["error"]["message"].to_string())
        };
        assert!(said("{}").is_some_and(|said| said.contains("name:")));
        let list = said(r#"{"name":"a","arguments":[]}"#);
        assert!(list.is_some_and(|said| said.contains("arguments:")));
        assert_eq!(said(r#"{"name":"a","arguments":{}}"#), None);
        assert_eq!(said(r#"{"name":"a","arguments":null}"#), None);
        assert_eq!(said(r#"{"name":"a"}"#), None);
    }
}
