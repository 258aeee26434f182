//! `compare`: the same pages in both arms, byte for byte.

use super::CommandError;
use crate::accepted::{Accepted, Difference};
use crate::arm::Setup;
use crate::cli::{ArmName, CompareArgs};
use crate::normalise::Normaliser;
use crate::session::Session;
use crate::site::{self, Site};
use crate::text_diff::short_diff;
use crate::with_arm;
use serde::Serialize;
use std::fs;
use std::path::PathBuf;

/// Most lines of a difference that are printed.
const DIFF_LINES_MAX: usize = 12;

#[derive(Debug, Serialize)]
struct Compared {
    page: String,
    identical: bool,
    accepted: Option<String>,
    diff: String,
}

pub(crate) fn compare(args: &CompareArgs) -> Result<bool, CommandError> {
    for path in args.paths.iter().chain(args.accepted.as_ref()) {
        CommandError::check_exists(path)?;
    }
    let mut accepted = Accepted::read(args.accepted.as_deref())?;
    let mut results: Vec<Compared> = Vec::new();
    for path in &args.paths {
        let (root, pages) = site::pages(path)?;
        let site = Site::new(&root);
        let sim = snapshots(ArmName::Sim, &site, &pages, args)?;
        let cdp = snapshots(ArmName::Cdp, &site, &pages, args)?;
        for ((page, sim), cdp) in pages.iter().zip(sim).zip(cdp) {
            let name = page.strip_prefix(&root).unwrap_or(page).to_string_lossy().into_owned();
            let diff = short_diff(&cdp, &sim, DIFF_LINES_MAX);
            let identical = cdp == sim;
            let difference =
                Difference { page: &name, kind: "snapshot", role: "", ours: "", theirs: "" };
            let accepted = if identical { None } else { accepted.take(&difference) };
            report(&name, identical, accepted.as_deref(), &diff);
            results.push(Compared { page: name, identical, accepted, diff });
        }
    }
    if results.is_empty() {
        return Err(CommandError::Usage("there is no HTML file under the given paths".into()));
    }
    let unused = accepted.unused();
    unused.iter().for_each(|entry| say(&format!("unused: {entry}")));
    if let Some(file) = &args.json {
        let text = serde_json::to_string_pretty(&results)
            .map_err(|error| CommandError::file(file, error))?;
        fs::write(file, text + "\n").map_err(|error| CommandError::file(file, error))?;
    }
    let identical = results.iter().filter(|result| result.identical).count();
    say(&format!("identical {identical} of {}", results.len()));
    let all_explained = results.iter().all(|result| result.identical || result.accepted.is_some());
    Ok(all_explained && unused.is_empty())
}

fn snapshots(
    arm: ArmName,
    site: &Site,
    pages: &[PathBuf],
    args: &CompareArgs,
) -> Result<Vec<String>, CommandError> {
    let setup = Setup::reader(site, !args.no_scripts);
    with_arm!(arm, &setup, arm => {
        let session = Session::reader(&arm);
        Ok(pages
            .iter()
            .map(|page| {
                let text = session.snapshot(&site.url(page), args.max_tokens);
                // An error is compared like a snapshot: both arms must say the same.
                Normaliser::default().text(&text.unwrap_or_else(|error| error))
            })
            .collect())
    })
}

fn report(name: &str, identical: bool, accepted: Option<&str>, diff: &str) {
    match (identical, accepted) {
        (true, _) => {}
        (false, Some(reason)) => say(&format!("accepted  {name}: {reason}")),
        (false, None) => say(&format!("different {name} (- cdp, + sim)\n{diff}")),
    }
}

pub(super) fn say(line: &str) {
    // A closed pipe is no reason to fail: the exit code carries the verdict.
    let _ = std::io::Write::write_all(&mut std::io::stdout(), format!("{line}\n").as_bytes());
}
