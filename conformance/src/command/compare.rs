//! `compare`: the same pages in both arms, byte for byte.

use super::CommandError;
use crate::arm::Setup;
use crate::cli::{ArmName, CompareArgs};
use crate::normalise::Normaliser;
use crate::session::Session;
use crate::site::Site;
use crate::text_diff::short_diff;
use crate::with_arm;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Most lines of a difference that are printed.
const DIFF_LINES_MAX: usize = 12;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct AcceptedFile {
    #[serde(default)]
    accepted: Vec<Accepted>,
}

/// A difference that somebody looked at and explained.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Accepted {
    page: String,
    reason: String,
}

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
    let mut accepted = read_accepted(args.accepted.as_deref())?;
    let mut results: Vec<Compared> = Vec::new();
    for path in &args.paths {
        let (root, pages) = pages(path)?;
        let site = Site::new(&root);
        let sim = snapshots(ArmName::Sim, &site, &pages, args)?;
        let cdp = snapshots(ArmName::Cdp, &site, &pages, args)?;
        for ((page, sim), cdp) in pages.iter().zip(sim).zip(cdp) {
            let name = page.strip_prefix(&root).unwrap_or(page).to_string_lossy().into_owned();
            let diff = short_diff(&cdp, &sim, DIFF_LINES_MAX);
            let identical = cdp == sim;
            let accepted = if identical { None } else { accepted.remove(&name) };
            report(&name, identical, accepted.as_deref(), &diff);
            results.push(Compared { page: name, identical, accepted, diff });
        }
    }
    if results.is_empty() {
        return Err(CommandError::Usage("there is no HTML file under the given paths".into()));
    }
    for page in accepted.keys() {
        say(&format!("unused: {page} is accepted and did not differ"));
    }
    if let Some(file) = &args.json {
        let text = serde_json::to_string_pretty(&results)
            .map_err(|error| CommandError::file(file, error))?;
        fs::write(file, text + "\n").map_err(|error| CommandError::file(file, error))?;
    }
    let identical = results.iter().filter(|result| result.identical).count();
    say(&format!("identical {identical} of {}", results.len()));
    let all_explained = results.iter().all(|result| result.identical || result.accepted.is_some());
    Ok(all_explained && accepted.is_empty())
}

fn snapshots(
    arm: ArmName,
    site: &Site,
    pages: &[PathBuf],
    args: &CompareArgs,
) -> Result<Vec<String>, CommandError> {
    let setup = Setup { site, seed: 1, scripts: !args.no_scripts, events: false, declines: false };
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

fn say(line: &str) {
    // A closed pipe is no reason to fail: the exit code carries the verdict.
    let _ = std::io::Write::write_all(&mut std::io::stdout(), format!("{line}\n").as_bytes());
}

fn read_accepted(file: Option<&Path>) -> Result<BTreeMap<String, String>, CommandError> {
    let Some(file) = file else { return Ok(BTreeMap::new()) };
    let text = fs::read_to_string(file).map_err(|error| CommandError::file(file, error))?;
    let read: AcceptedFile =
        toml::from_str(&text).map_err(|error| CommandError::file(file, error))?;
    if let Some(bare) = read.accepted.iter().find(|entry| entry.reason.trim().is_empty()) {
        return Err(CommandError::file(
            file,
            format!("{} is accepted without a reason", bare.page),
        ));
    }
    Ok(read.accepted.into_iter().map(|entry| (entry.page, entry.reason)).collect())
}

/// The folder that is served, and the pages in it.
fn pages(path: &Path) -> Result<(PathBuf, Vec<PathBuf>), CommandError> {
    if path.is_file() {
        let root = path.parent().unwrap_or(Path::new("")).to_owned();
        return Ok((root, vec![path.to_owned()]));
    }
    let mut found = Vec::new();
    gather(path, &mut found)?;
    found.sort();
    Ok((path.to_owned(), found))
}

fn gather(folder: &Path, found: &mut Vec<PathBuf>) -> Result<(), CommandError> {
    for entry in fs::read_dir(folder).map_err(|error| CommandError::file(folder, error))? {
        let path = entry.map_err(|error| CommandError::file(folder, error))?.path();
        if path.is_dir() {
            gather(&path, found)?;
        } else if path
            .extension()
            .is_some_and(|extension| extension == "html" || extension == "htm")
        {
            found.push(path);
        }
    }
    Ok(())
}
