//! HTML to names and roles here and in jsdom with dom-accessibility-api, for the same pages in one run.
//!
//! `cargo run --release -p backlot-benches --bin side-by-side -- "$(scripts/jsdom)"`. Exit code 1: not 20 times faster.

use backlot_benches::{capture, page};
use backlot_core::aria::{self, Role};
use backlot_core::page::{CaptureSpec, NodeIdx};
use std::error::Error;
use std::hint::black_box;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, ExitCode};
use std::time::Instant;

/// Elements of the pages.
const SIZES: [usize; 2] = [100, 1_000];
/// Runs of which the median counts.
const RUNS: usize = 9;
/// How many times faster it is to be.
const RATIO: f64 = 20.0;

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let packages =
        std::env::args().nth(1).ok_or("which folder has the packages? scripts/jsdom prints it")?;
    let folder = std::env::temp_dir().join(format!("backlot-side-by-side-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let mut files: Vec<PathBuf> = Vec::new();
    let mut ours: Vec<(f64, usize)> = Vec::new();
    for elements in SIZES {
        let html = page(elements);
        ours.push(median(&html));
        let file = folder.join(format!("{elements}.html"));
        std::fs::write(&file, &html)?;
        files.push(file);
    }
    let script = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("jsdom/names.mjs");
    let ended = Command::new("node")
        .arg(script)
        .arg(packages)
        .arg(RUNS.to_string())
        .args(&files)
        .output()?;
    std::fs::remove_dir_all(&folder)?;
    if !ended.status.success() {
        return Err(String::from_utf8_lossy(&ended.stderr).into_owned().into());
    }
    let mut out = std::io::stdout().lock();
    writeln!(
        out,
        "| elements | ours, ms (named) | jsdom, ms (named) | times faster |\n|---|---|---|---|"
    )?;
    let mut is_fast = true;
    for (line, (ms, named)) in String::from_utf8(ended.stdout)?.lines().zip(&ours) {
        let theirs: serde_json::Value = serde_json::from_str(line)?;
        let their_ms = theirs["ms"].as_f64().ok_or("no figure of jsdom")?;
        let ratio = their_ms / ms;
        is_fast &= ratio >= RATIO;
        writeln!(
            out,
            "| {} | {ms:.2} ({named}) | {their_ms:.1} ({}) | {ratio:.0} |",
            theirs["elements"], theirs["named"]
        )?;
    }
    Ok(if is_fast { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Median time in milliseconds from HTML to the name and role of every element, and how many have both.
fn median(html: &str) -> (f64, usize) {
    let mut named = names_and_roles(html);
    let mut times: Vec<f64> = (0..RUNS)
        .map(|_| {
            let start = Instant::now();
            named = black_box(names_and_roles(html));
            start.elapsed().as_secs_f64() * 1_000.0
        })
        .collect();
    times.sort_by(f64::total_cmp);
    (times[RUNS / 2], named)
}

fn names_and_roles(html: &str) -> usize {
    let capture = capture(html, CaptureSpec::TEXT);
    let views = aria::frames(&capture);
    let count = NodeIdx::try_from(capture.top().nodes.len()).unwrap_or(NodeIdx::MAX);
    let named = |at: &NodeIdx| {
        capture.top().element(*at).is_some()
            && !views[0].name(*at).text.is_empty()
            && views[0].role(*at) != Role::Generic
    };
    (0..count).filter(named).count()
}
