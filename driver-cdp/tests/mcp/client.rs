//! An MCP client and a site, small enough to see through.

use backlot_driver_cdp::LoopbackServer;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};
use tokio::runtime::Runtime;

/// Pages on loopback, served as long as this lives.
pub(crate) struct Site {
    server: LoopbackServer,
    _runtime: Runtime,
}

impl Site {
    pub(crate) fn new(pages: &[(&str, &str)]) -> Self {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .unwrap();
        let server = runtime.block_on(LoopbackServer::start(None)).unwrap();
        for (path, html) in pages {
            server.page(path, html);
        }
        Self { server, _runtime: runtime }
    }

    pub(crate) fn url(&self, path: &str) -> String {
        self.server.url(path)
    }
}

/// A server with its client's end of the pipes.
pub(crate) struct Client {
    process: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    next_id: u64,
}

/// What a call gave.
pub(crate) struct Answer {
    pub(crate) text: String,
    pub(crate) is_error: bool,
    pub(crate) took: Duration,
}

impl Client {
    pub(crate) fn start(args: &[&str]) -> Self {
        let mut process = Command::new(env!("CARGO_BIN_EXE_backlot"))
            .arg("mcp")
            .args(args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let input = process.stdin.take();
        let output = BufReader::new(process.stdout.take().unwrap());
        let mut client = Self { process, input, output, next_id: 0 };
        let hello = json!({
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": { "name": "test", "version": "1" },
        });
        client.request("initialize", &hello);
        client.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
        client
    }

    pub(crate) fn pid(&self) -> u32 {
        self.process.id()
    }

    fn send(&mut self, message: &Value) {
        let input = self.input.as_mut().unwrap();
        writeln!(input, "{message}").unwrap();
        input.flush().unwrap();
    }

    /// Sends a request and does not wait.
    pub(crate) fn send_call(&mut self, tool: &str, arguments: Value) -> u64 {
        self.next_id += 1;
        let mut params = json!({ "name": tool });
        params["arguments"] = arguments;
        let id = self.next_id;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params }));
        id
    }

    /// Waits for the answer to a request.
    pub(crate) fn answer(&mut self, id: u64) -> Answer {
        let start = Instant::now();
        let result = self.wait(id);
        let text = result["content"][0]["text"].as_str().unwrap_or_else(|| panic!("{result}"));
        Answer { text: text.to_owned(), is_error: result["isError"] == true, took: start.elapsed() }
    }

    /// The message of a call that must end as a protocol error.
    pub(crate) fn refused(&mut self, tool: &str, arguments: Value) -> String {
        let id = self.send_call(tool, arguments);
        let message = self.message(id);
        message["error"]["message"].as_str().unwrap_or_else(|| panic!("{message}")).to_owned()
    }

    fn wait(&mut self, id: u64) -> Value {
        self.message(id)["result"].clone()
    }

    fn message(&mut self, id: u64) -> Value {
        let mut line = String::new();
        loop {
            line.clear();
            assert!(self.output.read_line(&mut line).unwrap() > 0, "the server closed its output");
            let message: Value = serde_json::from_str(&line).unwrap();
            if message["id"] == id {
                return message;
            }
        }
    }

    pub(crate) fn request(&mut self, method: &str, params: &Value) -> Value {
        self.next_id += 1;
        let id = self.next_id;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        self.wait(id)
    }

    pub(crate) fn call(&mut self, tool: &str, arguments: Value) -> Answer {
        let id = self.send_call(tool, arguments);
        self.answer(id)
    }

    /// A call that must succeed.
    pub(crate) fn ok(&mut self, tool: &str, arguments: Value) -> String {
        let shown = arguments.to_string();
        let answer = self.call(tool, arguments);
        assert!(!answer.is_error, "{tool} {shown}: {}", answer.text);
        answer.text
    }

    /// A call that must fail with this code.
    pub(crate) fn fails(&mut self, tool: &str, arguments: Value, code: &str) -> String {
        let shown = arguments.to_string();
        let answer = self.call(tool, arguments);
        let is_told = answer.is_error && answer.text.contains(&format!("error: {code} "));
        assert!(is_told, "{tool} {shown}: {}", answer.text);
        answer.text
    }

    /// Closes the input and waits for the end.
    pub(crate) fn close(mut self) -> ExitStatus {
        drop(self.input.take());
        self.process.wait().unwrap()
    }

    /// Sends a signal by number and waits for the end.
    pub(crate) fn signal(mut self, signal: &str) -> ExitStatus {
        kill(signal, self.process.id());
        self.process.wait().unwrap()
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        // Ours, and perhaps gone already.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

pub(crate) fn kill(signal: &str, pid: u32) {
    let done = Command::new("kill").args(["-s", signal, &pid.to_string()]).status().unwrap();
    assert!(done.success(), "kill -s {signal} {pid}");
}

/// The ref on the first line that begins so.
pub(crate) fn ref_of(text: &str, line: &str) -> String {
    let start = format!("- {line}");
    let found = text.lines().find(|have| have.trim_start().starts_with(&start));
    let found = found.unwrap_or_else(|| panic!("no line {start} in\n{text}"));
    found.split("[ref=").nth(1).unwrap().split(']').next().unwrap().to_owned()
}
