//! A port that writes down what passes through it.

use super::{DriverError, Millis, Op, Port, Reply};
use alloc::{format, rc::Rc, string::String, vec::Vec};
use core::cell::RefCell;

/// A transcript: one line for each op and each answer, in order. Shared by whoever writes and reads it.
#[derive(Debug, Clone, Default)]
pub struct Trace {
    lines: Rc<RefCell<Vec<String>>>,
}

impl Trace {
    /// Appends a line of another writer, such as a tool call.
    pub fn note(&self, line: String) {
        self.lines.borrow_mut().push(line);
    }

    /// All lines so far, each ended by a line feed.
    pub fn text(&self) -> String {
        self.lines.borrow().iter().fold(String::new(), |mut text, line| {
            text.push_str(line);
            text.push('\n');
            text
        })
    }
}

/// Wraps a port and keeps a transcript.
#[derive(Debug)]
pub struct Traced<P> {
    inner: P,
    trace: Trace,
}

impl<P> Traced<P> {
    /// Wraps a port.
    pub fn new(inner: P, trace: Trace) -> Self {
        Self { inner, trace }
    }

    /// The wrapped port.
    pub fn inner(&self) -> &P {
        &self.inner
    }
}

impl<P: Port> Port for Traced<P> {
    async fn call(&self, op: Op, deadline: Millis) -> Result<Reply, DriverError> {
        // A value that cannot be written as JSON does not occur: ops and replies have string keys only.
        let asked = serde_json::to_string(&op).unwrap_or_else(|error| format!("{error}"));
        self.trace.note(format!("> {asked}"));
        let answer = self.inner.call(op, deadline).await;
        let told = serde_json::to_string(&answer).unwrap_or_else(|error| format!("{error}"));
        self.trace.note(format!("< {told}"));
        answer
    }
}
