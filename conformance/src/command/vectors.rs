//! `vectors`: accessible names, roles and descriptions against expectations from elsewhere.
//!
//! The format is that of a list of pages, each with `html` and `expectations`; an element is found by its `data-v`
//! attribute, else by `selector` (`#id` or a tag).

use super::CommandError;
use crate::arm::{Arm, Setup};
use crate::cli::{ArmName, VectorsArgs};
use crate::session::Session;
use crate::site::Site;
use crate::with_arm;
use backlot_core::aria::{AriaFrame, Hidden, Role};
use backlot_core::page::{Capture, NodeData, NodeIdx};
use serde::{Deserialize, Serialize};
use std::fs;

#[derive(Debug, Deserialize)]
struct Entry {
    id: String,
    html: String,
    #[serde(default)]
    html_declarative_shadow: Option<String>,
    #[serde(default)]
    tentative: bool,
    #[serde(default)]
    unconfirmed: bool,
    expectations: Vec<Expectation>,
}

#[derive(Debug, Deserialize)]
struct Expectation {
    #[serde(default)]
    v: Option<u32>,
    #[serde(default)]
    selector: Option<String>,
    #[serde(default)]
    testname: String,
    #[serde(default)]
    expected_role: Option<String>,
    #[serde(default)]
    expected_role_any: Option<Vec<String>>,
    #[serde(default)]
    expected_label: Option<String>,
    #[serde(default)]
    expected_description: Option<String>,
    #[serde(default)]
    disputed: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum Kind {
    Name,
    Role,
    Description,
}

#[derive(Debug, Serialize)]
struct Scored {
    page: String,
    testname: String,
    kind: Kind,
    settled: bool,
    expected: Vec<String>,
    got: Option<String>,
    passed: bool,
}

pub(crate) fn vectors(args: &VectorsArgs) -> Result<bool, CommandError> {
    CommandError::check_exists(&args.file)?;
    let text =
        fs::read_to_string(&args.file).map_err(|error| CommandError::file(&args.file, error))?;
    let entries: Vec<Entry> =
        serde_json::from_str(&text).map_err(|error| CommandError::file(&args.file, error))?;
    let folder = std::env::temp_dir().join(format!("backlot-vectors-{}", std::process::id()));
    fs::create_dir_all(&folder).map_err(|error| CommandError::file(&folder, error))?;
    let scored = score_all(args.arm, &entries, &folder);
    // The folder is ours and holds only what was just written.
    fs::remove_dir_all(&folder).map_err(|error| CommandError::file(&folder, error))?;
    let scored = scored?;
    if let Some(file) = &args.json {
        let text = serde_json::to_string_pretty(&scored)
            .map_err(|error| CommandError::file(file, error))?;
        fs::write(file, text + "\n").map_err(|error| CommandError::file(file, error))?;
    }
    let mut out = String::new();
    for result in scored.iter().filter(|result| !result.passed) {
        let mark = if result.settled { "fails" } else { "fails (other)" };
        out.push_str(&format!(
            "{mark} {} {:?} {}: expected {:?}, got {:?}\n",
            result.page, result.kind, result.testname, result.expected, result.got
        ));
    }
    out.push_str(&format!("{}\nother {}\n", tally(&scored, true), tally(&scored, false)));
    // A closed pipe is no reason to fail.
    let _ = std::io::Write::write_all(&mut std::io::stdout(), out.as_bytes());
    Ok(true)
}

fn tally(scored: &[Scored], settled: bool) -> String {
    let count = |kind: Kind| {
        let of_kind =
            scored.iter().filter(|result| result.settled == settled && result.kind == kind);
        let (passed, all) =
            of_kind.fold((0, 0), |(p, n), result| (p + usize::from(result.passed), n + 1));
        format!("{passed}/{all}")
    };
    format!(
        "names {} roles {} descriptions {}",
        count(Kind::Name),
        count(Kind::Role),
        count(Kind::Description)
    )
}

fn score_all(
    arm: ArmName,
    entries: &[Entry],
    folder: &std::path::Path,
) -> Result<Vec<Scored>, CommandError> {
    for (number, entry) in entries.iter().enumerate() {
        // The simulated browser runs no scripts, so it loads the page that needs none.
        let html = match (&entry.html_declarative_shadow, arm) {
            (Some(html), ArmName::Sim) => html,
            _ => &entry.html,
        };
        let file = folder.join(format!("{number}.html"));
        fs::write(&file, html).map_err(|error| CommandError::file(&file, error))?;
    }
    let site = Site::new(folder);
    let setup = Setup::reader(&site, true);
    with_arm!(arm, &setup, arm => score_in(&arm, entries, &site))
}

fn score_in<A: Arm>(arm: &A, entries: &[Entry], site: &Site) -> Result<Vec<Scored>, CommandError> {
    let session = Session::reader(arm);
    let mut scored = Vec::new();
    for (number, entry) in entries.iter().enumerate() {
        let capture = session.capture(&site.url(&site.folder().join(format!("{number}.html"))))?;
        for expectation in &entry.expectations {
            scored.extend(score(entry, expectation, &capture));
        }
    }
    Ok(scored)
}

fn score(entry: &Entry, expectation: &Expectation, capture: &Capture) -> Option<Scored> {
    let found = find(capture, expectation);
    let (kind, expected) = if let Some(role) = &expectation.expected_role {
        (Kind::Role, vec![role.clone()])
    } else if let Some(any) = &expectation.expected_role_any {
        (Kind::Role, any.clone())
    } else if let Some(label) = &expectation.expected_label {
        (Kind::Name, vec![label.clone()])
    } else {
        (Kind::Description, vec![expectation.expected_description.clone()?])
    };
    let got = found.map(|(frame, at)| {
        let aria = AriaFrame::new(&capture.frames[frame]);
        match kind {
            Kind::Role => role_word(&aria, at),
            Kind::Name => aria.name(at).text,
            Kind::Description => aria.description(at),
        }
    });
    let fold = |text: &str| match kind {
        Kind::Role => synonym(text).to_owned(),
        Kind::Name | Kind::Description => folded(text),
    };
    let passed =
        got.as_deref().is_some_and(|got| expected.iter().any(|want| fold(want) == fold(got)));
    Some(Scored {
        page: entry.id.clone(),
        testname: expectation.testname.clone(),
        kind,
        settled: !(entry.tentative || entry.unconfirmed || expectation.disputed),
        expected,
        got,
        passed,
    })
}

fn find(capture: &Capture, expectation: &Expectation) -> Option<(usize, NodeIdx)> {
    capture.frames.iter().enumerate().find_map(|(frame_at, frame)| {
        let at = frame.nodes.iter().position(|node| {
            let NodeData::Element(element) = &node.data else { return false };
            match (expectation.v, &expectation.selector) {
                (Some(v), _) => element.attr("data-v") == Some(&v.to_string()),
                (None, Some(selector)) => match selector.strip_prefix('#') {
                    Some(id) => element.attr("id") == Some(id),
                    None => element.tag == *selector,
                },
                (None, None) => false,
            }
        })?;
        Some((frame_at, NodeIdx::try_from(at).ok()?))
    })
}

/// The role as a browser tells it; elements that are not in the accessibility tree have none.
fn role_word(aria: &AriaFrame<'_>, at: NodeIdx) -> String {
    match aria.role(at) {
        _ if matches!(aria.hidden(at), Hidden::SubtreeHidden(_)) => String::new(),
        Role::NoRole => String::new(),
        role => role.as_str().into(),
    }
}

fn synonym(role: &str) -> &str {
    match role {
        "image" => "img",
        "presentation" => "none",
        "directory" => "list",
        other => other,
    }
}

/// Folds runs of tab, line feed, form feed, carriage return and space, and cuts one space at each end.
fn folded(text: &str) -> String {
    text.split(['\t', '\n', '\u{c}', '\r', ' '])
        .filter(|word| !word.is_empty())
        .collect::<Vec<_>>()
        .join(" ")
}
