//! `oracle`: our accessibility against Chromium's own tree.

use super::CommandError;
use crate::accepted::{Accepted, Difference};
use crate::arm::Setup;
use crate::arm::cdp::CdpArm;
use crate::cli::OracleArgs;
use crate::oracle::{Found, Kind, judge};
use crate::session::Session;
use crate::site::{self, Site};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fs;

/// How often a page is captured anew when it changes between our look and the browser's.
const TRIES: u32 = 5;

/// A fact that differs.
#[derive(Debug, Serialize)]
struct Differs {
    page: String,
    kind: String,
    element: String,
    role: &'static str,
    ours: String,
    theirs: String,
    accepted: Option<String>,
}

/// How many facts of a kind there are, and how many of them differ.
#[derive(Debug, Clone, Copy, Default, Serialize)]
struct Count {
    all: usize,
    differ: usize,
    accepted: usize,
}

#[derive(Debug, Serialize)]
struct Results {
    browser: Option<String>,
    pages: usize,
    /// Pages that never stood still.
    restless: Vec<String>,
    /// By path as it was given, then by kind.
    counts: BTreeMap<String, BTreeMap<String, Count>>,
    differences: Vec<Differs>,
}

pub(crate) fn oracle(args: &OracleArgs) -> Result<bool, CommandError> {
    let mut accepted = Accepted::read(args.accepted.as_deref())?;
    let mut results = Results {
        browser: None,
        pages: 0,
        restless: Vec::new(),
        counts: BTreeMap::new(),
        differences: Vec::new(),
    };
    for path in &args.paths {
        let (root, pages) = site::pages(path)?;
        let site = Site::new(&root);
        let setup = Setup::reader(&site, !args.no_scripts);
        let arm = CdpArm::start(&setup)?;
        results.browser = crate::arm::Arm::version(&arm);
        let session = Session::reader(&arm);
        for page in pages {
            let name = page.strip_prefix(&root).unwrap_or(&page).to_string_lossy().into_owned();
            results.pages += 1;
            match facts(&arm, &session, &site.url(&page))? {
                Some(found) => results.take(&path.to_string_lossy(), &name, found, &mut accepted),
                None => results.restless.push(name),
            }
        }
    }
    if results.pages == 0 {
        return Err(CommandError::Usage("there is no HTML file under the given paths".into()));
    }
    let unused = accepted.unused();
    say(&results.text(args.show, &unused));
    if let Some(file) = &args.json {
        let text = serde_json::to_string_pretty(&results)
            .map_err(|error| CommandError::file(file, error))?;
        fs::write(file, text + "\n").map_err(|error| CommandError::file(file, error))?;
    }
    let explained = results.differences.iter().all(|differs| differs.accepted.is_some());
    Ok(explained && results.restless.is_empty() && unused.is_empty())
}

/// All facts of one page; `None` if it never stood still.
fn facts(
    arm: &CdpArm,
    session: &Session<'_, CdpArm>,
    url: &str,
) -> Result<Option<Vec<Found>>, CommandError> {
    let mut capture = session.capture(url)?;
    for _ in 0..TRIES {
        if let Some(tree) = arm.oracle_tree(&capture)? {
            return Ok(Some(judge(&capture, &tree)));
        }
        capture = session.capture_again()?;
    }
    Ok(None)
}

impl Results {
    fn take(&mut self, path: &str, page: &str, found: Vec<Found>, accepted: &mut Accepted) {
        for fact in found {
            let kind = fact.kind.word();
            let group = match fact.kind {
                Kind::State(_) => "state".to_owned(),
                _ => kind.clone(),
            };
            let counts = self.counts.entry(path.to_owned()).or_default();
            let count = counts.entry(group).or_default();
            count.all += 1;
            if fact.agrees() {
                continue;
            }
            count.differ += 1;
            let reason = accepted.take(&Difference {
                page,
                kind: &kind,
                role: fact.role,
                ours: &fact.ours,
                theirs: &fact.theirs,
            });
            count.accepted += usize::from(reason.is_some());
            self.differences.push(Differs {
                page: page.into(),
                kind,
                element: fact.element,
                role: fact.role,
                ours: fact.ours,
                theirs: fact.theirs,
                accepted: reason,
            });
        }
    }

    fn text(&self, show: usize, unused: &[String]) -> String {
        let mut out = String::new();
        let mut by_kind: BTreeMap<&str, Vec<&Differs>> = BTreeMap::new();
        for differs in self.differences.iter().filter(|differs| differs.accepted.is_none()) {
            by_kind.entry(&differs.kind).or_default().push(differs);
        }
        for (kind, list) in by_kind {
            out.push_str(&format!("{kind}: {} unexplained\n", list.len()));
            for differs in list.iter().take(show) {
                out.push_str(&format!(
                    "  {} {}: ours {:?}, theirs {:?}\n",
                    differs.page, differs.element, differs.ours, differs.theirs
                ));
            }
        }
        for page in &self.restless {
            out.push_str(&format!("restless: {page} changed at every look\n"));
        }
        unused.iter().for_each(|entry| out.push_str(&format!("unused: {entry}\n")));
        for (path, counts) in &self.counts {
            out.push_str(&agreement(path, counts));
        }
        out
    }
}

/// What agrees or is explained, by kind, and behind it how much is only explained.
fn agreement(path: &str, counts: &BTreeMap<String, Count>) -> String {
    let kinds = [
        ("roles", "role"),
        ("names", "name"),
        ("descriptions", "description"),
        ("ignored", "ignored"),
        ("states", "state"),
    ];
    let count = |kind: &str| counts.get(kind).copied().unwrap_or_default();
    let line = kinds.map(|(word, kind)| format!("{word} {}", count(kind).percent())).join(" ");
    let detail = kinds.map(|(word, kind)| {
        let Count { all, differ, accepted } = count(kind);
        format!("{word} {all}, {differ} differ, {accepted} of them explained")
    });
    format!("{path}: {line}\n  {}\n", detail.join("; "))
}

impl Count {
    /// What agrees or is explained; rounded down, so that 100.0% means all.
    fn percent(self) -> String {
        if self.all == 0 {
            return "-".into();
        }
        let tenths = (self.all - self.differ + self.accepted) * 1000 / self.all;
        format!("{}.{}%", tenths / 10, tenths % 10)
    }
}

fn say(text: &str) {
    // A closed pipe is no reason to fail: the exit code carries the verdict.
    let _ = std::io::Write::write_all(&mut std::io::stdout(), text.as_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agreement_is_rounded_down() {
        let percent = |all, differ| Count { all, differ, accepted: differ / 10 }.percent();
        assert_eq!(percent(1000, 10), "99.1%");
        assert_eq!(percent(10_000, 1), "99.9%");
        assert_eq!(percent(3, 0), "100.0%");
        assert_eq!(percent(0, 0), "-");
    }
}
