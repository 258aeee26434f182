//! `fuzz`: random pages, calls and faults in the simulated browser.

use super::CommandError;
use crate::cli::FuzzArgs;
use crate::fuzz::{Ends, Kind, Range, Scenario, Seeded, Violation, play, search};
use backlot_fixtures::{cases, pages_folder};
use std::fs;
use std::io::Write;
use std::ops::ControlFlow;
use std::time::Instant;

/// Most bytes of a fixture page that is mutated: larger ones are slow.
const FIXTURE_BYTES_MAX: usize = 2_000;

/// What was found, by the columns of the last line.
#[derive(Debug, Default)]
struct Counts {
    steps: u64,
    wrong_target: u64,
    false_success: u64,
    uncoded: u64,
    panics: u64,
}

impl Counts {
    fn add(&mut self, kind: Kind) {
        match kind {
            Kind::WrongTarget => self.wrong_target += 1,
            Kind::FalseSuccess => self.false_success += 1,
            Kind::Uncoded => self.uncoded += 1,
            Kind::Panic => self.panics += 1,
        }
    }

    fn line(&self) -> String {
        format!(
            "steps {} wrong_target {} false_success {} uncoded {} panics {}",
            self.steps, self.wrong_target, self.false_success, self.uncoded, self.panics
        )
    }

    fn is_clean(&self) -> bool {
        self.wrong_target + self.false_success + self.uncoded + self.panics == 0
    }
}

pub(crate) fn fuzz(args: &FuzzArgs) -> Result<bool, CommandError> {
    plant(args.plant.as_deref())?;
    silence_panics();
    if args.replay.is_some() {
        return replay(args);
    }
    let fixtures = fixture_pages()?;
    let start = Instant::now();
    let (mut counts, mut ends) = (Counts::default(), Ends::new());
    let range = Range {
        suite: args.suite,
        seed: args.seed,
        until: args.until,
        steps: args.steps,
        jobs: args.jobs,
    };
    let searched = search(range, &fixtures, |seed, _, played| {
        for (end, count) in played.ends {
            *ends.entry(end).or_default() += count;
        }
        let Some(violation) = played.violation else { return ControlFlow::Continue(()) };
        counts.add(violation.kind);
        match report(&Seeded { suite: args.suite, seed, fixtures: &fixtures }, &violation) {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => ControlFlow::Break(error),
        }
    })?;
    counts.steps = searched.steps;
    for (end, count) in ends {
        say(&format!("{count:8} {end}"))?;
    }
    let rate = counts.steps as f64 / start.elapsed().as_secs_f64().max(0.001);
    let (suite, from, end) = (args.suite.word(), args.seed, searched.seed);
    say(&format!("suite {suite} seeds {from}..{end}: {rate:.0} steps a second"))?;
    say(&format!("transcripts {}", searched.transcripts))?;
    say(&counts.line())?;
    Ok(counts.is_clean())
}

/// Plays one file; its whole transcript first, where it is asked for.
fn replay(args: &FuzzArgs) -> Result<bool, CommandError> {
    let Some(file) = &args.replay else { return Ok(true) };
    let text = fs::read_to_string(file).map_err(|error| CommandError::file(file, error))?;
    let played = play(&Scenario::parse(&text)?, true);
    if args.transcript {
        say(played.transcript.trim_end())?;
    }
    let mut counts = Counts { steps: played.steps, ..Counts::default() };
    if let Some(violation) = played.violation {
        counts.add(violation.kind);
        say(&describe(&violation))?;
    }
    say(&format!("transcripts {}", played.digest))?;
    say(&counts.line())?;
    Ok(counts.is_clean())
}

/// A panic is a finding with its text; the default hook would print each one of the shrinking too.
pub(crate) fn silence_panics() {
    std::panic::set_hook(Box::new(|_| {}));
}

/// Turns a bug on by its name.
#[cfg(feature = "planted")]
fn plant(name: Option<&str>) -> Result<(), CommandError> {
    use backlot_core::planted::{self, Bug};
    let Some(name) = name else { return Ok(()) };
    let bug = Bug::ALL.iter().find(|bug| bug.name() == name);
    let bug = bug.ok_or_else(|| {
        CommandError::Usage(format!("there is no bug {name}; mutants --list shows them"))
    })?;
    planted::turn(Some(*bug));
    Ok(())
}

#[cfg(not(feature = "planted"))]
fn plant(name: Option<&str>) -> Result<(), CommandError> {
    name.map_or(Ok(()), |_| Err(super::mutants::not_planted()))
}

fn report(seeded: &Seeded<'_>, violation: &Violation) -> Result<(), CommandError> {
    let smallest = seeded.smallest(|candidate| play(candidate, false).violation);
    let (small, found) = smallest.unwrap_or_else(|| (seeded.scenario(), violation.clone()));
    let name = format!("backlot-{}-{}.json", seeded.suite.word(), seeded.seed);
    let file = std::env::temp_dir().join(name);
    fs::write(&file, small.text()).map_err(|error| CommandError::file(&file, error))?;
    say(&format!("FAILED seed {}: {}", seeded.seed, describe(&found)))?;
    say(&format!("replay: --replay {}", file.display()))
}

fn describe(violation: &Violation) -> String {
    format!("{:?} at step {}: {}", violation.kind, violation.step, violation.why)
}

/// Pages of the fixtures that are small enough.
pub(crate) fn fixture_pages() -> Result<Vec<String>, CommandError> {
    let all = cases(&pages_folder()).map_err(|error| CommandError::Failed(error.to_string()))?;
    let pages =
        all.iter().filter_map(|case| fs::read_to_string(case.folder.join("page.html")).ok());
    Ok(pages.filter(|page| page.len() <= FIXTURE_BYTES_MAX).collect())
}

pub(crate) fn say(line: &str) -> Result<(), CommandError> {
    writeln!(std::io::stdout().lock(), "{line}").map_err(|error| CommandError::output(&error))
}
