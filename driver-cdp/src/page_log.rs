//! What a tab's pages asked for and said, as far back as the limits go.

use backlot_core::port::{LogEntry, LogKind, LogPage};
use serde_json::Value;
use std::collections::{BTreeMap, VecDeque};

/// Most requests kept.
const REQUESTS_MAX: usize = 500;
/// Most errors kept.
const ERRORS_MAX: usize = 200;
/// Most lines of the console kept.
const CONSOLE_MAX: usize = 500;
/// Most characters of a message or line.
const MESSAGE_CHARACTERS_MAX: usize = 2_000;
/// Most characters of a stack.
const STACK_CHARACTERS_MAX: usize = 4_000;
/// Most characters of a URL.
const URL_CHARACTERS_MAX: usize = 4_000;

/// The logs of one tab.
#[derive(Debug, Default)]
pub(crate) struct PageLog {
    requests: Ring,
    errors: Ring,
    console: Ring,
    /// The requests under way, by the browser's id.
    open: BTreeMap<String, Open>,
    last_request: u64,
}

/// A request under way.
#[derive(Debug)]
struct Open {
    number: u64,
    /// The browser's frame and loader that it belongs to.
    frame: String,
    loader: String,
}

#[derive(Debug, Default)]
struct Ring {
    entries: VecDeque<LogEntry>,
    dropped: u64,
}

impl Ring {
    fn push(&mut self, entry: LogEntry, most: usize) {
        self.entries.push_back(entry);
        if self.entries.len() > most {
            self.entries.pop_front();
            self.dropped += 1;
        }
    }
}

impl PageLog {
    /// Takes an event of the browser, if it is one for a log.
    pub(crate) fn take(&mut self, method: &str, params: &Value) {
        match method {
            "Network.requestWillBeSent" => self.request(params),
            "Network.responseReceived" => {
                self.answered(params, &params["response"]);
            }
            "Network.loadingFailed" => {
                let reason = params["errorText"].as_str().unwrap_or("failed");
                self.ended(params, None, Some(reason.to_string()));
            }
            "Network.loadingFinished" => self.ended(params, None, None),
            "Runtime.exceptionThrown" => self.error(params),
            "Runtime.consoleAPICalled" => self.console(params),
            _ => {}
        }
    }

    /// A log as it stands.
    pub(crate) fn page(&mut self, kind: LogKind, clear: bool) -> LogPage {
        let ring = match kind {
            LogKind::Requests => &mut self.requests,
            LogKind::Errors => &mut self.errors,
            LogKind::Console => &mut self.console,
        };
        let page =
            LogPage { entries: ring.entries.iter().cloned().collect(), dropped: ring.dropped };
        if clear {
            // A request without its answer stays: whoever waits for quiet must see it.
            ring.entries.retain(is_unanswered);
            ring.dropped = 0;
        }
        page
    }

    /// A frame has this document from now on: what its former one asked for is given up. In the top frame that is all that the
    /// tab asked for.
    pub(crate) fn replaced(&mut self, frame: &str, loader: &str, top: bool) {
        self.give_up(|open| (top || open.frame == frame) && open.loader != loader);
    }

    /// A frame is gone, and with it what it asked for.
    pub(crate) fn removed(&mut self, frame: &str) {
        self.give_up(|open| open.frame == frame);
    }

    fn give_up(&mut self, is_given_up: impl Fn(&Open) -> bool) {
        let numbers: Vec<u64> = self
            .open
            .extract_if(.., |_, open| is_given_up(open))
            .map(|(_, it)| it.number)
            .collect();
        for number in numbers {
            self.update(number, None, Some("net::ERR_ABORTED".into()));
        }
    }

    fn request(&mut self, params: &Value) {
        let request = &params["request"];
        let url = request["url"].as_str().unwrap_or_default();
        if url.starts_with("data:") {
            return;
        }
        // A redirect goes on under the same id: what came before it has its answer.
        if params["redirectResponse"].is_object() {
            self.answered(params, &params["redirectResponse"]);
        }
        self.last_request += 1;
        let number = self.last_request;
        if let Some(id) = params["requestId"].as_str() {
            let word = |name: &str| params[name].as_str().unwrap_or_default().to_string();
            let open = Open { number, frame: word("frameId"), loader: word("loaderId") };
            self.open.insert(id.into(), open);
            if self.open.len() > REQUESTS_MAX {
                let oldest = self.last_request.saturating_sub(REQUESTS_MAX as u64);
                self.open.retain(|_, open| open.number > oldest);
            }
        }
        let entry = LogEntry::Request {
            number,
            at: milliseconds(params["wallTime"].as_f64().map(|seconds| seconds * 1_000.0)),
            method: cut(&request["method"], 40),
            url: without_credentials(url),
            resource_type: cut(&params["type"], 40).to_lowercase(),
            status: None,
            failure: None,
        };
        self.requests.push(entry, REQUESTS_MAX);
    }

    fn answered(&mut self, params: &Value, response: &Value) {
        let status = response["status"].as_u64().and_then(|status| u16::try_from(status).ok());
        let id = params["requestId"].as_str().unwrap_or_default();
        if let Some(number) = self.open.get(id).map(|open| open.number) {
            self.update(number, status, None);
        }
    }

    fn ended(&mut self, params: &Value, status: Option<u16>, failure: Option<String>) {
        let id = params["requestId"].as_str().unwrap_or_default();
        if let Some(open) = self.open.remove(id) {
            // What ends without a word of HTTP has the status 0, as in a page's own timings.
            let status = status.or(failure.is_none().then_some(0));
            self.update(open.number, status, failure);
        }
    }

    fn update(&mut self, of: u64, new_status: Option<u16>, new_failure: Option<String>) {
        for entry in self.requests.entries.iter_mut().rev() {
            if let LogEntry::Request { number, status, failure, .. } = entry
                && *number == of
            {
                *status = status.or(new_status);
                *failure = failure.take().or(new_failure);
                return;
            }
        }
    }

    fn error(&mut self, params: &Value) {
        let details = &params["exceptionDetails"];
        let exception = &details["exception"];
        let description = exception["description"].as_str().unwrap_or_default();
        let is_error = exception["subtype"] == "error";
        let thrown = match exception["value"].as_str() {
            Some(text) => text.to_string(),
            None if !exception["value"].is_null() => exception["value"].to_string(),
            None => details["text"].as_str().unwrap_or_default().to_string(),
        };
        let first = description.lines().next().unwrap_or_default();
        let (name, message) = match first.split_once(": ") {
            Some((name, message)) if is_error => (name.to_string(), message.to_string()),
            _ if is_error => (first.to_string(), String::new()),
            _ => (String::new(), thrown),
        };
        let entry = LogEntry::Error {
            at: milliseconds(params["timestamp"].as_f64()),
            name: name.chars().take(100).collect(),
            message: message.chars().take(MESSAGE_CHARACTERS_MAX).collect(),
            stack: description.chars().take(STACK_CHARACTERS_MAX).collect(),
        };
        self.errors.push(entry, ERRORS_MAX);
    }

    fn console(&mut self, params: &Value) {
        let level = match params["type"].as_str().unwrap_or_default() {
            level @ ("debug" | "info" | "warning" | "error") => level,
            "assert" => "error",
            _ => "log",
        };
        let arguments = params["args"].as_array().into_iter().flatten();
        let words: Vec<String> = arguments.map(printed).collect();
        let entry = LogEntry::Console {
            at: milliseconds(params["timestamp"].as_f64()),
            level: level.into(),
            text: words.join(" ").chars().take(MESSAGE_CHARACTERS_MAX).collect(),
        };
        self.console.push(entry, CONSOLE_MAX);
    }
}

fn is_unanswered(entry: &LogEntry) -> bool {
    matches!(entry, LogEntry::Request { status: None, failure: None, .. })
}

fn printed(argument: &Value) -> String {
    let value = &argument["value"];
    match (value, argument["description"].as_str()) {
        (Value::String(text), _) => text.clone(),
        (Value::Null, Some(description)) => description.to_string(),
        (Value::Null, None) => {
            argument["unserializableValue"].as_str().or(argument["subtype"].as_str()).map_or_else(
                || argument["type"].as_str().unwrap_or_default().to_string(),
                String::from,
            )
        }
        (value, _) => value.to_string(),
    }
}

fn cut(value: &Value, characters: usize) -> String {
    value.as_str().unwrap_or_default().chars().take(characters).collect()
}

fn milliseconds(value: Option<f64>) -> u64 {
    // Times of a browser's clock are far below 2^53 ms.
    value.unwrap_or_default().max(0.0) as u64
}

fn without_credentials(url: &str) -> String {
    let kept: String = url.chars().take(URL_CHARACTERS_MAX).collect();
    let Some((scheme, rest)) = kept.split_once("://") else { return kept };
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    match rest[..end].rfind('@') {
        Some(at) => format!("{scheme}://{}", &rest[at + 1..]),
        None => kept,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_request_gets_its_status_and_loses_its_password() {
        let mut log = PageLog::default();
        let sent = json!({
            "requestId": "1", "wallTime": 1.5, "type": "Fetch",
            "request": { "url": "http://a:b@c.test/x?y@z", "method": "GET" },
        });
        log.take("Network.requestWillBeSent", &sent);
        log.take(
            "Network.responseReceived",
            &json!({ "requestId": "1", "response": { "status": 404 } }),
        );
        log.take(
            "Network.loadingFailed",
            &json!({ "requestId": "1", "errorText": "net::ERR_ABORTED" }),
        );
        let page = log.page(LogKind::Requests, true);
        let wanted = LogEntry::Request {
            number: 1,
            at: 1_500,
            method: "GET".into(),
            url: "http://c.test/x?y@z".into(),
            resource_type: "fetch".into(),
            status: Some(404),
            failure: Some("net::ERR_ABORTED".into()),
        };
        assert_eq!(page.entries, [wanted]);
        assert!(log.page(LogKind::Requests, false).entries.is_empty());
    }

    /// A log with requests of these ids, frames and loaders; how each ended.
    fn ends(events: impl FnOnce(&mut PageLog)) -> Vec<(u64, Option<u16>, Option<String>)> {
        let mut log = PageLog::default();
        for (id, frame, loader) in [("1", "top", "old"), ("2", "inner", "in"), ("3", "top", "new")]
        {
            let sent = json!({
                "requestId": id, "frameId": frame, "loaderId": loader, "request": { "url": "http://a.test/" },
            });
            log.take("Network.requestWillBeSent", &sent);
        }
        events(&mut log);
        let end = |entry| match entry {
            LogEntry::Request { number, status, failure, .. } => (number, status, failure),
            other => panic!("{other:?}"),
        };
        log.page(LogKind::Requests, false).entries.into_iter().map(end).collect()
    }

    #[test]
    fn what_a_left_document_asked_for_is_given_up() {
        let aborted = || Some("net::ERR_ABORTED".to_string());
        let top = ends(|log| log.replaced("top", "new", true));
        assert_eq!(top, [(1, None, aborted()), (2, None, aborted()), (3, None, None)]);
        for inner in
            [ends(|log| log.replaced("inner", "other", false)), ends(|log| log.removed("inner"))]
        {
            assert_eq!(inner, [(1, None, None), (2, None, aborted()), (3, None, None)]);
        }
    }

    #[test]
    fn a_cleared_log_keeps_what_has_no_answer_and_what_ends_has_ended() {
        let cleared = ends(|log| {
            log.take("Network.loadingFinished", &json!({ "requestId": "1" }));
            assert_eq!(log.page(LogKind::Requests, true).entries.len(), 3);
        });
        assert_eq!(cleared, [(2, None, None), (3, None, None)]);
        let ended = ends(|log| log.take("Network.loadingFinished", &json!({ "requestId": "2" })));
        assert_eq!(ended[1], (2, Some(0), None));
    }

    #[test]
    fn what_overflows_is_counted() {
        let mut log = PageLog::default();
        let line = json!({ "type": "warning", "timestamp": 1.0, "args": [{ "type": "string", "value": "a" }] });
        for _ in 0..CONSOLE_MAX + 3 {
            log.take("Runtime.consoleAPICalled", &line);
        }
        let page = log.page(LogKind::Console, false);
        assert_eq!((page.entries.len(), page.dropped), (CONSOLE_MAX, 3));
    }

    #[test]
    fn thrown_things_are_told_by_class_or_by_value() {
        let mut log = PageLog::default();
        let error = json!({ "timestamp": 1.0, "exceptionDetails": { "text": "Uncaught", "exception": {
            "subtype": "error", "description": "TypeError: no\n    at x" } } });
        log.take("Runtime.exceptionThrown", &error);
        let text = json!({ "timestamp": 1.0, "exceptionDetails": { "text": "Uncaught", "exception": {
            "type": "string", "value": "oops" } } });
        log.take("Runtime.exceptionThrown", &text);
        let told: Vec<(String, String)> = log
            .page(LogKind::Errors, false)
            .entries
            .into_iter()
            .filter_map(|entry| match entry {
                LogEntry::Error { name, message, .. } => Some((name, message)),
                _ => None,
            })
            .collect();
        let word = String::from;
        assert_eq!(told, [(word("TypeError"), word("no")), (word(""), word("oops"))]);
    }
}
