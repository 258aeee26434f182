//! One flat, session-addressed transport to a browser. The only module that sees chromiumoxide.
//!
//! `Connection` gives one ordered stream of messages and takes commands for any session. A message that does not parse is
//! ignored; the end of the socket ends every pending command.

use chromiumoxide::Connection;
use chromiumoxide::cdp::browser_protocol::target::SessionId;
use chromiumoxide::error::CdpError;
use chromiumoxide::types::{CallId, EventMessage, Message, Method, MethodId};
use futures_util::StreamExt;
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;
use tokio::sync::{mpsc, oneshot};

/// An event as it came, its parameters not yet looked at.
#[derive(Debug, Deserialize)]
pub(crate) struct RawEvent {
    /// `Domain.event`
    pub(crate) method: MethodId,
    /// The session it came through; `None` for the browser's own.
    #[serde(rename = "sessionId", default)]
    pub(crate) session: Option<String>,
    /// Its parameters.
    #[serde(default)]
    pub(crate) params: Value,
}

impl Method for RawEvent {
    fn identifier(&self) -> MethodId {
        self.method.clone()
    }
}

impl EventMessage for RawEvent {
    fn session_id(&self) -> Option<&str> {
        self.session.as_deref()
    }
}

/// Why a command has no result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum CommandError {
    /// The socket ended.
    Closed,
    /// The session of the command ended before its answer.
    SessionEnded,
    /// The browser answered with an error.
    Refused(String),
}

/// Answer to one command.
pub(crate) type Answer = Result<Value, CommandError>;

enum Outgoing {
    Command {
        method: &'static str,
        session: Option<String>,
        params: Value,
        reply: Option<oneshot::Sender<Answer>>,
    },
    EndSession(String),
    Close,
}

/// Sending half; clones share the socket.
#[derive(Clone)]
pub(crate) struct Wire {
    outgoing: mpsc::UnboundedSender<Outgoing>,
}

impl Wire {
    /// Sends a command. The answer comes through the receiver, which also ends if the connection does.
    pub(crate) fn send(
        &self,
        method: &'static str,
        session: Option<&str>,
        params: Value,
    ) -> oneshot::Receiver<Answer> {
        let (reply, answer) = oneshot::channel();
        let session = session.map(Into::into);
        // A closed channel drops `reply`, which the receiver sees as the end of the connection.
        let _ =
            self.outgoing.send(Outgoing::Command { method, session, params, reply: Some(reply) });
        answer
    }

    /// Sends a command whose answer nobody waits for.
    pub(crate) fn post(&self, method: &'static str, session: Option<&str>, params: Value) {
        let session = session.map(Into::into);
        let _ = self.outgoing.send(Outgoing::Command { method, session, params, reply: None });
    }

    /// Ends the pending commands of a session at once.
    pub(crate) fn end_session(&self, session: &str) {
        let _ = self.outgoing.send(Outgoing::EndSession(session.into()));
    }

    /// Ends the connection.
    pub(crate) fn close(&self) {
        let _ = self.outgoing.send(Outgoing::Close);
    }
}

/// What happens on the connection, in the order of the socket.
pub(crate) trait Sink: Send + 'static {
    /// An event came.
    fn event(&mut self, wire: &Wire, event: RawEvent);
    /// The connection ended; nothing comes after this.
    fn closed(&mut self);
}

/// Connects to a browser's WebSocket and runs the connection as a task.
///
/// # Errors
/// The reason, in words, why the socket did not open.
pub(crate) async fn connect(url: &str, sink: impl Sink) -> Result<Wire, String> {
    let connection = Connection::<RawEvent>::connect(url).await.map_err(|e| e.to_string())?;
    let (outgoing, incoming) = mpsc::unbounded_channel();
    let wire = Wire { outgoing };
    tokio::spawn(run(connection, incoming, wire.clone(), sink));
    Ok(wire)
}

struct Pending {
    session: Option<String>,
    reply: oneshot::Sender<Answer>,
}

async fn run(
    mut connection: Connection<RawEvent>,
    mut incoming: mpsc::UnboundedReceiver<Outgoing>,
    wire: Wire,
    mut sink: impl Sink,
) {
    let mut pending: BTreeMap<u64, Pending> = BTreeMap::new();
    loop {
        tokio::select! {
            outgoing = incoming.recv() => match outgoing {
                Some(Outgoing::Command { method, session, params, reply }) => {
                    let to = session.clone().map(SessionId::new);
                    let id = connection.submit_command(method.into(), to, params);
                    if let (Ok(id), Some(reply)) = (id, reply) {
                        pending.insert(number(id), Pending { session, reply });
                    }
                }
                Some(Outgoing::EndSession(session)) => end_session(&mut pending, &session),
                Some(Outgoing::Close) | None => break,
            },
            message = connection.next() => match message {
                Some(Ok(Message::Response(response))) => {
                    if let Some(command) = pending.remove(&number(response.id)) {
                        let answer = match response.error {
                            Some(error) => Err(CommandError::Refused(error.message)),
                            None => Ok(response.result.unwrap_or_default()),
                        };
                        let _ = command.reply.send(answer);
                    }
                }
                Some(Ok(Message::Event(event))) => sink.event(&wire, event),
                Some(Err(CdpError::Ws(_))) | None => break,
                // A message of an unknown shape concerns nobody here.
                Some(Err(_)) => {}
            },
        }
    }
    sink.closed();
    for (_, command) in pending {
        let _ = command.reply.send(Err(CommandError::Closed));
    }
}

fn end_session(pending: &mut BTreeMap<u64, Pending>, session: &str) {
    let ended: Vec<u64> = pending
        .iter()
        .filter(|(_, command)| command.session.as_deref() == Some(session))
        .map(|(id, _)| *id)
        .collect();
    for id in ended {
        if let Some(command) = pending.remove(&id) {
            let _ = command.reply.send(Err(CommandError::SessionEnded));
        }
    }
}

/// The number inside a call id, which has an order that the id itself lacks.
fn number(id: CallId) -> u64 {
    serde_json::to_value(id).ok().and_then(|value| value.as_u64()).unwrap_or(u64::MAX)
}
