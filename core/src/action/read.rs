//! Reading a page: capture, snapshot, and the way down when there is nothing to show.

use super::engine::{Engine, Seen, wrong_reply};
use super::failure::{Failure, Phase, Retry};
use super::limits;
use super::report::{self, Parts};
use crate::aria::AriaFrame;
use crate::page::{CaptureSpec, TabId};
use crate::port::{BrowserNode, DriverError, Host, Millis, Op, Port, Reply};
use crate::snapshot::{Snapshot, article, find, part};
use crate::text::{header_piece, outline_line, quoted, text_line, url_piece};
use alloc::{format, string::String, vec, vec::Vec};

impl<P: Port, H: Host> Engine<P, H> {
    /// A new snapshot of a tab, as text within a budget.
    pub(crate) async fn read_snapshot(
        &self,
        tab: TabId,
        tokens: u32,
        deadline: Millis,
    ) -> Result<Parts, Failure> {
        let seen = match self.look(tab, tokens, deadline).await {
            Ok(seen) => seen,
            Err(error @ (DriverError::Refused { .. } | DriverError::Unsupported { .. })) => {
                return self.fall_back(tab, &error, deadline).await;
            }
            Err(error) => return Err(Failure::driver(Phase::Read, &error)),
        };
        let url = seen.snapshot.url.clone();
        if seen.snapshot.lines.is_empty() {
            let tree = self.browser_tree(tab, deadline).await?;
            // A box without a role or a name says nothing.
            if tree.iter().any(|node| !node.name.is_empty() || node.role != "generic") {
                return Ok(tree_parts(&url, &tree));
            }
        }
        self.publish(seen);
        Ok(Parts { page: self.text_of(tab, tokens), url, ..Parts::default() })
    }

    /// A new snapshot of a tab, of which one element's line and all below it are shown.
    pub(crate) async fn read_part(
        &self,
        tab: TabId,
        elem_ref: &str,
        tokens: u32,
        deadline: Millis,
    ) -> Result<Parts, Failure> {
        let key = self.find_ref(tab, elem_ref, deadline).await?;
        let seen = self.capture(tab, CaptureSpec::GEOMETRY, deadline).await;
        let seen = Seen::new(seen.map_err(|error| Failure::driver(Phase::Read, &error))?);
        let Some(part) = part(&seen.snapshot, key) else {
            let message = "the element shows nothing now; read_page shows the page";
            return Err(Failure::new("not_visible", Phase::Read, Retry::AfterNewSnapshot, message));
        };
        let url = seen.snapshot.url.clone();
        self.publish(seen);
        let state = self.state.borrow();
        let page = state.tabs.get(&tab).map(|tab| report::part_text(tab, &part, tokens));
        Ok(Parts { page: page.unwrap_or_default(), url, ..Parts::default() })
    }

    /// A new snapshot of a tab, of which the lines that hold a text are shown, with those around them.
    pub(crate) async fn find_text(
        &self,
        tab: TabId,
        text: &str,
        deadline: Millis,
    ) -> Result<Parts, Failure> {
        let seen = self.capture(tab, CaptureSpec::TEXT, deadline).await;
        let seen = Seen::new(seen.map_err(|error| Failure::driver(Phase::Read, &error))?);
        let found = find(&seen.snapshot, text, limits::FIND_HITS_MAX);
        let url = seen.snapshot.url.clone();
        self.publish(seen);
        let said = match found.hits {
            0 => "no line of the page holds this text; content that loads later or by scrolling is not there yet".into(),
            1 => "1 line holds this text".into(),
            hits if hits > limits::FIND_HITS_MAX => {
                format!("{hits} lines hold this text; the first {} are shown", limits::FIND_HITS_MAX)
            }
            hits => format!("{hits} lines hold this text"),
        };
        let state = self.state.borrow();
        let lines = state.tabs.get(&tab).filter(|_| found.hits > 0);
        let page = lines.map(|tab| report::lines_text(tab, &found.shown));
        Ok(Parts { said: vec![said], page: page.unwrap_or_default(), url, ..Parts::default() })
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
    ) -> Result<Seen, DriverError> {
        let seen = Seen::new(self.capture(tab, CaptureSpec::TEXT, deadline).await?);
        if fits(&seen.snapshot, tokens) {
            return Ok(seen);
        }
        Ok(Seen::new(self.capture(tab, CaptureSpec::GEOMETRY, deadline).await?))
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
        let captured = self.capture(tab, CaptureSpec::TEXT, deadline).await;
        let capture = captured.map_err(|error| Failure::driver(Phase::Read, &error))?;
        let top = capture.top();
        let mut body = String::new();
        for block in article(&AriaFrame::new(top)) {
            if let Some(level) = block.heading {
                body.push('\n');
                body.extend((0..level.clamp(1, 6)).map(|_| '#'));
                body.push(' ');
            }
            body.push_str(&text_line(&block.text, 20_000));
            body.push('\n');
        }
        let page = format!(
            "# {}\nURL: {}\n\n{}",
            header_piece(&top.title, 500),
            url_piece(&top.url),
            within(body.trim(), limits::ARTICLE_CHARS_MAX),
        );
        Ok(Parts { page, url: top.url.clone(), ..Parts::default() })
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
