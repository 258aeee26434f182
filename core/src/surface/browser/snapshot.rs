//! The snapshot action: which part of the page, in which form, how much of it.

use super::report::Report;
use super::rows::{Form, Row, Scope, Wish, links, rows};
use super::{BrowserTool, schema};
use crate::action::{Failure, Phase, Retry};
use crate::aria;
use crate::page::{Capture, CaptureSpec, Matches, NodeIdx, TabId};
use crate::port::{Host, Launcher, Millis, Op, Reply, TabInfo};
use crate::refs;
use crate::snapshot::build;
use crate::text::{header_piece, quoted, url_piece};
use crate::tool::Args;
use alloc::{collections::BTreeSet, format, string::String, vec::Vec};
use serde_json::json;

/// Most characters of a snapshot that names no number, or 0.
const CHARS_MAX: usize = 40_000;
/// Most characters of any snapshot.
const BUDGET_CHARS: usize = 200_000;
/// Most characters of an efficient snapshot.
const EFFICIENT_CHARS: usize = 8_000;
/// Deepest level of an efficient snapshot.
const EFFICIENT_DEPTH: u32 = 6;
/// Most nodes of an aria snapshot that names no number, and of any.
const LIMIT: usize = 500;
const LIMIT_MAX: usize = 2_000;

/// What is asked of a snapshot.
#[derive(Debug, Clone)]
pub(super) struct SnapshotSpec {
    /// As it is told.
    format: &'static str,
    wish: Wish,
    selector: Option<String>,
    chars_max: usize,
    limit: Option<usize>,
    urls: bool,
    query: Option<String>,
    /// A picture with the refs is wanted, too.
    pub(super) labels: bool,
}

impl SnapshotSpec {
    /// The compact one that comes with a loaded page.
    pub(super) fn efficient() -> Self {
        Self {
            format: "ai",
            wish: Wish {
                form: Form::Role,
                interactive: true,
                compact: true,
                depth: Some(EFFICIENT_DEPTH),
            },
            selector: None,
            chars_max: EFFICIENT_CHARS,
            limit: None,
            urls: false,
            query: None,
            labels: false,
        }
    }

    fn of(args: &Args) -> Result<Self, Failure> {
        let efficient = args.text("mode") == Some("efficient");
        let labels = args.flag("labels") == Some(true);
        let format = match args.text("snapshotFormat") {
            Some("aria") => "aria",
            Some("role") => "role",
            _ => "ai",
        };
        if format == "aria" && (efficient || labels) {
            return Err(schema::bad(
                "snapshotFormat: aria goes neither with mode nor with labels; leave it out",
            ));
        }
        let usual = Self::efficient();
        let flag = |name: &str| args.flag(name).unwrap_or(efficient);
        let depth = args.integer("depth").and_then(|depth| u32::try_from(depth).ok());
        let (interactive, compact) = (flag("interactive"), flag("compact"));
        let selector = args.text("selector").map(String::from);
        // The plain form is for the whole page; whatever narrows it has a flatter one.
        let is_narrowed =
            interactive || compact || depth.is_some() || selector.is_some() || labels || efficient;
        let form = match format {
            "aria" => Form::Aria,
            "ai" if !is_narrowed => Form::Ai,
            _ => Form::Role,
        };
        let given = args.integer("maxChars").and_then(|most| usize::try_from(most).ok());
        let limit = args.integer("limit").and_then(|limit| usize::try_from(limit).ok());
        Ok(Self {
            format,
            wish: Wish {
                form,
                interactive,
                compact,
                depth: depth.or(usual.wish.depth.filter(|_| efficient)),
            },
            selector,
            chars_max: match given {
                Some(0) => BUDGET_CHARS,
                Some(most) => most.min(BUDGET_CHARS),
                None if efficient => EFFICIENT_CHARS,
                None => CHARS_MAX,
            },
            limit: (form == Form::Aria).then(|| limit.unwrap_or(LIMIT).clamp(1, LIMIT_MAX)),
            urls: args.flag("urls") == Some(true),
            query: args.text("query").map(String::from),
            labels,
        })
    }
}

impl<L: Launcher, H: Host + Clone> BrowserTool<L, H> {
    pub(super) async fn snapshot(
        &self,
        tab: &TabInfo,
        args: &Args,
        deadline: Millis,
    ) -> Result<Report, Failure> {
        let spec = SnapshotSpec::of(args)?;
        let deadline = self.clear_read(tab, deadline).await?;
        let mut report = self.report(tab);
        report.add(self.take(tab.tab, &spec, deadline).await?);
        if spec.labels {
            report.add(self.labelled_picture(tab, deadline).await?);
        }
        Ok(report)
    }

    /// Takes a snapshot: its refs are good from now on.
    pub(super) async fn take(
        &self,
        tab: TabId,
        spec: &SnapshotSpec,
        deadline: Millis,
    ) -> Result<Report, Failure> {
        let selectors = spec.selector.iter().cloned().collect();
        let wanted = CaptureSpec { selectors, ..CaptureSpec::TEXT };
        let capture = self.read(tab, wanted, deadline, Phase::Read).await?;
        let root = match &spec.selector {
            Some(selector) => Some(first_match(&capture, 0, selector)?.ok_or_else(|| {
                not_found(selector, "check it, or take a snapshot without selector")
            })?),
            None => None,
        };
        let views = aria::frames(&capture);
        let built = build(&capture, &views);
        if built.lines.is_empty() && root.is_none() {
            return self.browsers_own(tab, spec, &capture, deadline).await;
        }
        let scope = Scope { capture: &capture, views: &views, lines: &built.lines, root };
        let mut book = self.book.borrow_mut();
        let places = scope.places(&spec.wish);
        let entries = refs::entries_at(places.into_iter(), &capture, &views);
        book.renew(tab, capture.top().document, &entries);
        let (mut found, beyond) = rows(&scope, &spec.wish, |key| book.number(key));
        drop(book);
        let mut report = Report::default();
        let mut cut = Cut::default();
        if let Some(limit) = spec.limit.filter(|limit| found.len() > *limit) {
            cut.take(&found[limit..]);
            found.truncate(limit);
        }
        if spec.urls {
            found.extend(links(&scope));
        }
        found = cut.fit(found, spec.chars_max);
        if beyond > 0 {
            report.notes.push(format!(
                "{beyond} lines lie deeper than the depth asked for; raise depth to see them"
            ));
        }
        let counts: u32 = built.omissions.iter().map(|omission| omission.count).sum();
        if counts > 0 {
            report.notes.push(format!(
                "the page is too large to be read whole: {counts} parts are left out"
            ));
        }
        if let Some(query) = &spec.query {
            found =
                self.narrow(query, found, &cut, &mut report, spec.chars_max, &mut Cut::default());
        } else if let Some(marker) = cut.marker() {
            found.push(Row::plain(marker));
        }
        self.fill(&mut report, spec, &capture, &found, cut.lines > 0);
        Ok(report)
    }

    /// Where we see nothing: the browser's own tree, without refs, if that shows something.
    async fn browsers_own(
        &self,
        tab: TabId,
        spec: &SnapshotSpec,
        capture: &Capture,
        deadline: Millis,
    ) -> Result<Report, Failure> {
        let asked = self.engine.ask(Op::BrowserTree { tab }, deadline, Phase::Read).await;
        let nodes = match asked {
            Ok(Reply::BrowserTree(nodes)) => nodes,
            _ => Vec::new(),
        };
        let mut report = Report::default();
        let mut cut = Cut::default();
        let mut found: Vec<Row> = Vec::new();
        // A box without a role or a name says nothing.
        if nodes.iter().any(|node| !node.name.is_empty() || node.role != "generic") {
            report.notes.push(
                "the page shows nothing that can be acted on; this is the browser's own tree"
                    .into(),
            );
            found.extend(nodes.iter().map(|node| {
                let indent: String = (0..node.depth.min(40)).map(|_| "  ").collect();
                let (role, name) = (header_piece(&node.role, 40), quoted(&node.name, 200));
                Row::plain(format!("{indent}- {role} {name}"))
            }));
            found = cut.fit(found, spec.chars_max);
            found.extend(cut.marker().map(Row::plain));
        }
        self.fill(&mut report, spec, capture, &found, cut.lines > 0);
        Ok(report)
    }

    /// Keeps the lines that hold all words of the query.
    fn narrow(
        &self,
        query: &str,
        found: Vec<Row>,
        source: &Cut,
        report: &mut Report,
        chars_max: usize,
        cut: &mut Cut,
    ) -> Vec<Row> {
        let words: Vec<String> = query.split_whitespace().map(str::to_lowercase).collect();
        let holds = |row: &Row| {
            let line = row.searched().to_lowercase();
            words.iter().all(|word| line.contains(word))
        };
        let mut kept: Vec<Row> = found.into_iter().filter(holds).collect();
        for row in &mut kept {
            row.text = row.searched().trim_start().into();
        }
        let count = kept.len();
        report.fact("matchCount", count);
        let truncated = match source.lines {
            0 => "",
            _ => "; the snapshot was truncated before the search: raise maxChars or narrow it",
        };
        report.notes.push(match count {
            0 => format!("no line holds all of {}{truncated}", quoted(query, 200)),
            1 => format!("1 line holds all of {}{truncated}", quoted(query, 200)),
            _ => format!("{count} lines hold all of {}{truncated}", quoted(query, 200)),
        });
        let mut kept = cut.fit(kept, chars_max);
        if let Some(marker) = cut.marker() {
            kept.push(Row::plain(marker));
        }
        kept
    }

    fn fill(
        &self,
        report: &mut Report,
        spec: &SnapshotSpec,
        capture: &Capture,
        found: &[Row],
        truncated: bool,
    ) {
        let count = |wanted: fn(&Row) -> bool| found.iter().filter(|row| wanted(row)).count();
        let (refs, interactive) = (count(|row| row.number.is_some()), count(|row| row.interactive));
        let mut tree: Vec<&str> = found.iter().map(|row| row.text.as_str()).collect();
        let chars: usize = tree.iter().map(|line| line.chars().count() + 1).sum();
        report.fact("format", spec.format);
        report.fact(
            "stats",
            json!({
                "lines": tree.len(),
                "chars": chars.saturating_sub(1),
                "refs": refs,
                "interactive": interactive,
            }),
        );
        report.fact("truncated", truncated);
        report.extra("refs", refs);
        if tree.is_empty() && spec.query.is_none() {
            tree.push(match spec.wish.interactive {
                true => "(no interactive elements)",
                false => "(empty)",
            });
        }
        let top = capture.top();
        report.url(&top.url);
        report.has_notice = true;
        let head =
            format!("URL: {}\nTitle: {}", url_piece(&top.url), header_piece(&top.title, 500));
        tree.insert(0, &head);
        report.say("snapshot", tree.join("\n"));
    }
}

/// What did not fit.
#[derive(Debug, Default)]
struct Cut {
    lines: usize,
    refs: usize,
}

impl Cut {
    fn take(&mut self, rows: &[Row]) {
        self.lines += rows.len();
        self.refs += rows.iter().filter(|row| row.number.is_some()).count();
    }

    /// The lines from the first on that fit with the marker behind them; all of them where all fit without one.
    fn fit(&mut self, mut rows: Vec<Row>, chars_max: usize) -> Vec<Row> {
        const MARKER_CHARS: usize = 120;
        let lengths: Vec<usize> = rows.iter().map(|row| row.text.chars().count() + 1).collect();
        let all: usize = lengths.iter().sum();
        if all <= chars_max.saturating_add(1) {
            return rows;
        }
        let budget = chars_max.saturating_sub(MARKER_CHARS);
        let mut used = 0;
        let kept = lengths.iter().take_while(|length| {
            used += **length;
            used <= budget
        });
        let kept = kept.count();
        self.take(&rows[kept..]);
        rows.truncate(kept);
        rows
    }

    fn marker(&self) -> Option<String> {
        let Self { lines, refs } = self;
        (*lines > 0).then(|| {
            format!("[TRUNCATED: {lines} more lines, {refs} of them with refs; raise maxChars or limit, or use query]")
        })
    }
}

/// The first element in tree order that the capture's selector of this number matches.
pub(super) fn first_match(
    capture: &Capture,
    number: usize,
    selector: &str,
) -> Result<Option<NodeIdx>, Failure> {
    Ok(all_matches(capture, number, selector)?.first().copied())
}

/// All of them, in tree order.
pub(super) fn all_matches(
    capture: &Capture,
    number: usize,
    selector: &str,
) -> Result<Vec<NodeIdx>, Failure> {
    let nodes = match capture.matches.get(number) {
        Some(Matches::Nodes(nodes)) => nodes,
        Some(Matches::Invalid) => {
            return Err(schema::bad(&format!(
                "selector: {} is no CSS selector that the browser knows",
                quoted(selector, 200)
            )));
        }
        None => return Err(crate::action::wrong_reply(Phase::Read)),
    };
    let wanted: BTreeSet<_> = nodes.iter().collect();
    let all = (0..).zip(&capture.top().nodes);
    Ok(all.filter(|(_, node)| wanted.contains(&node.id)).map(|(at, _)| at).collect())
}

/// A selector that nothing matches.
pub(super) fn not_found(selector: &str, next: &str) -> Failure {
    Failure::new(
        "not_found",
        Phase::Resolve,
        Retry::SameCall,
        format!("no element matches the selector {}; {next}", quoted(selector, 200)),
    )
}
