//! What can be typed.

use crate::fuzz::Suite;
use clap::{Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;

/// Judges browser tools: the same cases in the simulated browser and in live Chromium.
#[derive(Debug, Parser)]
#[command(name = "backlot-conformance", version, args_conflicts_with_subcommands = true)]
pub(crate) struct Cli {
    /// What to do; `run` unless given.
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
    #[command(flatten)]
    pub(crate) run: RunArgs,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Runs the cases of the fixtures.
    Run(RunArgs),
    /// Loads pages in both arms and compares the snapshots byte for byte.
    Compare(CompareArgs),
    /// Compares where the refs of pages lie, and what lies under their middle, in both arms.
    Boxes(BoxesArgs),
    /// Loads pages in Chromium and compares our roles, names, descriptions and states with its own accessibility tree.
    Oracle(OracleArgs),
    /// Runs Playwright bodies in our engine and compares them with what playwright-core made of them.
    Playwright(PlaywrightArgs),
    /// Scores accessible names, roles and descriptions against test vectors.
    Vectors(VectorsArgs),
    /// Prints the snapshot of one page.
    Snapshot(SnapshotArgs),
    /// Random pages, calls and faults in the simulated browser, judged by what must hold for all.
    Fuzz(FuzzArgs),
    /// Turns on one planted bug after another and looks for each by fuzz and cases. Needs a build with the feature `planted`.
    Mutants(MutantsArgs),
}

/// Which browser.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ArmName {
    /// The simulated browser.
    Sim,
    /// Live Chromium.
    Cdp,
    /// One after the other.
    Both,
}

impl ArmName {
    /// The word for it in cases and reports.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Sim => "sim",
            Self::Cdp => "cdp",
            Self::Both => "both",
        }
    }
}

#[derive(Debug, Args)]
pub(crate) struct RunArgs {
    /// Browser to run in.
    #[arg(long, value_enum, default_value = "sim")]
    pub(crate) arm: ArmName,
    /// Only cases whose name matches; `*` stands for any characters.
    #[arg(long)]
    pub(crate) filter: Option<String>,
    /// Print the names of the cases and stop.
    #[arg(long)]
    pub(crate) list: bool,
    /// Also write a report: `junit=FILE` or `json=FILE`.
    #[arg(long, value_name = "KIND=FILE", value_parser = report_target)]
    pub(crate) report: Vec<ReportTarget>,
    /// Seed of the simulated browser.
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
    /// Folder of the cases; the fixtures of this checkout unless given.
    #[arg(long, value_name = "DIR")]
    pub(crate) cases: Option<PathBuf>,
    /// Write what the cases give as what they must give. Read the difference before you commit it.
    #[arg(long)]
    pub(crate) update: bool,
}

#[derive(Debug, Args)]
pub(crate) struct CompareArgs {
    /// HTML files, or folders of them.
    #[arg(required = true)]
    pub(crate) paths: Vec<PathBuf>,
    /// Pages run no scripts.
    #[arg(long)]
    pub(crate) no_scripts: bool,
    /// Budget of the snapshots; unlimited unless given.
    #[arg(long)]
    pub(crate) max_tokens: Option<u32>,
    /// Differences that are accepted, each with its reason: TOML, `[[accepted]] page = "…" reason = "…"`.
    #[arg(long, value_name = "FILE")]
    pub(crate) accepted: Option<PathBuf>,
    /// Write the results as JSON.
    #[arg(long, value_name = "FILE")]
    pub(crate) json: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct BoxesArgs {
    /// HTML files, or folders of them.
    #[arg(required = true)]
    pub(crate) paths: Vec<PathBuf>,
    /// Pages run no scripts.
    #[arg(long)]
    pub(crate) no_scripts: bool,
    /// Most differences that are printed for each page.
    #[arg(long, default_value_t = 5)]
    pub(crate) show: usize,
    /// Most boxes printed for each page from which others get their difference: the first place to look at.
    #[arg(long, default_value_t = 0)]
    pub(crate) roots: usize,
    /// Folder in which what Chromium said is kept between runs; a path that has a file there is not loaded in Chromium again.
    #[arg(long)]
    pub(crate) keep: Option<PathBuf>,
    /// Least share of refs, in percent, that must be the same, for each path and kind.
    #[arg(long, default_value_t = 98.0)]
    pub(crate) least: f64,
}

#[derive(Debug, Args)]
pub(crate) struct OracleArgs {
    /// HTML files, or folders of them.
    #[arg(required = true)]
    pub(crate) paths: Vec<PathBuf>,
    /// Pages run no scripts. They do unless this is given: a page is judged as its users meet it.
    #[arg(long)]
    pub(crate) no_scripts: bool,
    /// Differences that are accepted, each with its reason: TOML, `[[accepted]] page = "…" kind = "…" role = "…"
    /// ours = "…" theirs = "…" reason = "…"`, patterns with `*`, all but `page` and `reason` as needed. Entries that explain
    /// nothing fail.
    #[arg(long, value_name = "FILE")]
    pub(crate) accepted: Option<PathBuf>,
    /// Most differences that are printed for each kind.
    #[arg(long, default_value_t = 20)]
    pub(crate) show: usize,
    /// Write the results as JSON.
    #[arg(long, value_name = "OUT")]
    pub(crate) json: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct PlaywrightArgs {
    /// Browser to run in. The pages run scripts, so only the live one shows them as they are meant.
    #[arg(long, value_enum, default_value = "cdp")]
    pub(crate) arm: ArmName,
    /// Only bodies whose name matches; `*` stands for any characters.
    #[arg(long)]
    pub(crate) filter: Option<String>,
    /// Folder of bodies, pages and reference; those of this checkout unless given.
    #[arg(long, value_name = "DIR")]
    pub(crate) folder: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct VectorsArgs {
    /// The vectors.
    pub(crate) file: PathBuf,
    /// Browser to capture with.
    #[arg(long, value_enum, default_value = "sim")]
    pub(crate) arm: ArmName,
    /// Write every expectation with its answer as JSON.
    #[arg(long, value_name = "OUT")]
    pub(crate) json: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct FuzzArgs {
    /// What pages and calls are drawn for.
    #[arg(long, value_enum, default_value = "refs")]
    pub(crate) suite: Suite,
    /// First seed. Each seed is a page with about a dozen calls.
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
    /// Stop after so many calls.
    #[arg(long, default_value_t = 10_000)]
    pub(crate) steps: u64,
    /// Stop before this seed.
    #[arg(long)]
    pub(crate) until: Option<u64>,
    /// Play this file instead, as a failure wrote it.
    #[arg(long, value_name = "FILE")]
    pub(crate) replay: Option<PathBuf>,
    /// Print the transcript of the replay: each op, reply, event and result.
    #[arg(long, requires = "replay")]
    pub(crate) transcript: bool,
    /// Turn on a planted bug (`mutants --list`), to see that it is found. Needs a build with the feature `planted`.
    #[arg(long, value_name = "BUG")]
    pub(crate) plant: Option<String>,
    /// Threads. What is found, and the transcripts, do not depend on how many.
    #[arg(long, default_value_t = 1)]
    pub(crate) jobs: usize,
}

#[derive(Debug, Args)]
pub(crate) struct MutantsArgs {
    /// Only these bugs.
    #[arg(long, value_name = "BUG")]
    pub(crate) only: Vec<String>,
    /// Print the bugs and stop.
    #[arg(long)]
    pub(crate) list: bool,
    /// First seed.
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
    /// Most calls of each suite for each bug.
    #[arg(long, default_value_t = 20_000)]
    pub(crate) steps: u64,
    /// Threads.
    #[arg(long, default_value_t = 1)]
    pub(crate) jobs: usize,
}

#[derive(Debug, Args)]
pub(crate) struct SnapshotArgs {
    /// An HTML file, or a URL (live arm only).
    pub(crate) page: String,
    /// Browser to read with.
    #[arg(long, value_enum, default_value = "sim")]
    pub(crate) arm: ArmName,
    /// Budget; unlimited unless given.
    #[arg(long)]
    pub(crate) max_tokens: Option<u32>,
    /// Say on standard error what markup was passed over: unknown roles, references that lead nowhere, ids borne twice.
    #[arg(long)]
    pub(crate) notes: bool,
}

/// Where a report goes.
#[derive(Debug, Clone)]
pub(crate) struct ReportTarget {
    pub(crate) kind: ReportKind,
    pub(crate) file: PathBuf,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ReportKind {
    Junit,
    Json,
}

fn report_target(text: &str) -> Result<ReportTarget, String> {
    let (kind, file) =
        text.split_once('=').ok_or("a report is given as junit=FILE or json=FILE")?;
    let kind = match kind {
        "junit" => ReportKind::Junit,
        "json" => ReportKind::Json,
        other => return Err(format!("there is no report of the kind {other}; junit and json are")),
    };
    if file.is_empty() {
        return Err("the report's file is missing".into());
    }
    Ok(ReportTarget { kind, file: file.into() })
}
