//! Reading a page: capture, snapshot, and the way down when there is nothing to show.

use super::engine::{Engine, wrong_reply};
use super::failure::{Failure, Phase, Retry};
use super::limits;
use super::report::{self, Parts};
use crate::page::{Capture, CaptureSpec, TabId};
use crate::port::{BrowserNode, DriverError, Host, Millis, Op, Port, Reply};
use crate::snapshot::{LineKind, Snapshot, State, build};
use crate::text::{header_piece, outline_line, quoted};
use alloc::{format, string::String, vec::Vec};

impl<P: Port, H: Host> Engine<P, H> {
    /// A new snapshot of a tab, as text within a budget.
    pub(crate) async fn read_snapshot(
        &self,
        tab: TabId,
        tokens: u32,
        deadline: Millis,
    ) -> Result<Parts, Failure> {
        let (capture, snapshot) = match self.look(tab, tokens, deadline).await {
            Ok(seen) => seen,
            Err(error @ (DriverError::Refused { .. } | DriverError::Unsupported { .. })) => {
                return self.fall_back(tab, &error, deadline).await;
            }
            Err(error) => return Err(Failure::driver(Phase::Read, &error)),
        };
        if snapshot.lines.is_empty() {
            let seen = self.browser_tree(tab, deadline).await?;
            if !seen.is_empty() {
                return Ok(tree_parts(&capture.top().url, &seen));
            }
        }
        let url = snapshot.url.clone();
        self.publish(&capture, snapshot);
        Ok(Parts { page: self.text_of(tab, tokens), url, ..Parts::default() })
    }

    /// The text of the tab's newest snapshot.
    pub(crate) fn text_of(&self, tab: TabId, tokens: u32) -> String {
        let state = self.state.borrow();
        state.tabs.get(&tab).map_or_else(String::new, |tab| report::snapshot_text(tab, tokens))
    }

    /// Captures and builds. Boxes are asked only if the budget does not hold everything.
    pub(crate) async fn look(
        &self,
        tab: TabId,
        tokens: u32,
        deadline: Millis,
    ) -> Result<(Capture, Snapshot), DriverError> {
        let capture = self.capture(tab, CaptureSpec::TEXT, deadline).await?;
        let snapshot = build(&capture);
        if fits(&snapshot, tokens) {
            return Ok((capture, snapshot));
        }
        let capture = self.capture(tab, CaptureSpec::GEOMETRY, deadline).await?;
        let snapshot = build(&capture);
        Ok((capture, snapshot))
    }

    async fn browser_tree(
        &self,
        tab: TabId,
        deadline: Millis,
    ) -> Result<Vec<BrowserNode>, Failure> {
        match self.ask(Op::BrowserTree { tab }, deadline, Phase::Read).await? {
            Reply::BrowserTree(nodes) => Ok(nodes),
            _ => Err(wrong_reply(Phase::Read)),
        }
    }

    /// L1 failed: the browser's own tree, else an explicit failure that names what is left.
    async fn fall_back(
        &self,
        tab: TabId,
        cause: &DriverError,
        deadline: Millis,
    ) -> Result<Parts, Failure> {
        let seen = self.browser_tree(tab, deadline).await?;
        if seen.is_empty() {
            let message = format!(
                "the page could not be read ({}) and the browser's own tree is empty; a screenshot may show more",
                cause.code()
            );
            return Err(Failure::new("empty_tree", Phase::Read, Retry::SameCall, message));
        }
        Ok(tree_parts("", &seen))
    }

    /// Text of the page's article, main part or body, without refs.
    pub(crate) async fn read_article(
        &self,
        tab: TabId,
        deadline: Millis,
    ) -> Result<Parts, Failure> {
        let seen = self.look(tab, limits::READ_TOKENS_MAX, deadline).await;
        let (_, snapshot) = seen.map_err(|error| Failure::driver(Phase::Read, &error))?;
        let is_role = |at: usize, wanted: &str| matches!(&snapshot.lines[at].kind, LineKind::Node { role, .. } if *role == wanted);
        let places = 0..snapshot.lines.len();
        let root = ["article", "main"]
            .iter()
            .find_map(|role| places.clone().find(|at| is_role(*at, role)));
        let lines = match root {
            None => &snapshot.lines[..],
            Some(root) => {
                let depth = snapshot.lines[root].depth;
                let below =
                    snapshot.lines[root + 1..].iter().take_while(|line| line.depth > depth).count();
                &snapshot.lines[root..=root + below]
            }
        };
        let mut body = String::new();
        for line in lines {
            match &line.kind {
                LineKind::Text(text) => body.push_str(&header_piece(text, 2_000)),
                LineKind::Node { role: "heading", name, states, .. } => {
                    let level = states.iter().find_map(|state| match state {
                        State::Level(level) => Some(*level),
                        _ => None,
                    });
                    body.push('\n');
                    body.extend((0..level.unwrap_or(2).min(6)).map(|_| '#'));
                    body.push(' ');
                    body.push_str(&header_piece(name, 2_000));
                }
                LineKind::Node {
                    role: "link" | "cell" | "columnheader" | "rowheader",
                    name,
                    ..
                } => {
                    body.push_str(&header_piece(name, 2_000));
                }
                LineKind::Node { .. } => continue,
            }
            body.push('\n');
        }
        let page = format!(
            "# {}\nURL: {}\n\n{}",
            header_piece(&snapshot.title, 500),
            header_piece(&snapshot.url, 500),
            within(body.trim(), limits::ARTICLE_CHARS_MAX),
        );
        Ok(Parts { page, url: snapshot.url, ..Parts::default() })
    }
}

fn within(text: &str, chars_max: usize) -> String {
    match text.char_indices().nth(chars_max) {
        None => text.into(),
        Some((at, _)) => {
            let omitted = text[at..].chars().count();
            format!("{}\n[omitted: {omitted} characters beyond {chars_max}]", &text[..at])
        }
    }
}

fn fits(snapshot: &Snapshot, tokens_max: u32) -> bool {
    let mut left = tokens_max;
    for line in &snapshot.lines {
        // A ref costs about eight tokens more; the exact cost is counted where lines are cut.
        let cost =
            crate::snapshot::tokens(&outline_line(line, None)) + if line.has_ref() { 9 } else { 1 };
        match left.checked_sub(cost) {
            Some(rest) => left = rest,
            None => return false,
        }
    }
    true
}

fn tree_parts(url: &str, nodes: &[BrowserNode]) -> Parts {
    let mut page = String::from("# Accessibility Tree (browser's own; no refs)");
    for node in nodes.iter().take(limits::FALLBACK_LINES_MAX) {
        page.push('\n');
        page.extend((0..node.depth.min(40)).map(|_| "  "));
        page.push_str(&format!("- {} {}", header_piece(&node.role, 40), quoted(&node.name, 200)));
    }
    if let Some(omitted) =
        nodes.len().checked_sub(limits::FALLBACK_LINES_MAX).filter(|count| *count > 0)
    {
        page.push_str(&format!("\n[omitted: {omitted} nodes]"));
    }
    Parts { page, url: url.into(), ..Parts::default() }
}
