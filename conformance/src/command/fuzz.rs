//! `fuzz`: random pages, calls and faults in the simulated browser.

use super::CommandError;
use crate::cli::FuzzArgs;
use crate::fuzz::{Ends, Kind, Planted, Scenario, Violation, generate, play, play_seed, shrink};
use backlot_fixtures::{cases, pages_folder};
use std::fs;
use std::io::Write;
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
    // A panic is a finding with its text; the default hook would print each one of the shrinking too.
    std::panic::set_hook(Box::new(|_| {}));
    let mut counts = Counts::default();
    if let Some(file) = &args.replay {
        let text = fs::read_to_string(file).map_err(|error| CommandError::file(file, error))?;
        let scenario = Scenario::parse(&text)?;
        let played = play(&scenario, args.plant, true);
        counts.steps = played.steps;
        if let Some(violation) = played.violation {
            counts.add(violation.kind);
            say(&describe(&violation))?;
        }
        say(&counts.line())?;
        return Ok(counts.is_clean());
    }
    let fixtures = fixture_pages()?;
    let start = Instant::now();
    let mut seed = args.seed;
    let mut ends = Ends::new();
    while counts.steps < args.steps && args.until.is_none_or(|until| seed < until) {
        let scenario = generate(args.suite, seed, &fixtures);
        let played = play_seed(&scenario, args.plant);
        // A seed that makes no call ends the search all the same.
        counts.steps += played.steps.max(1);
        for (end, count) in played.ends {
            *ends.entry(end).or_default() += count;
        }
        if let Some(violation) = played.violation {
            counts.add(violation.kind);
            report(scenario, args.plant, &violation)?;
        }
        seed += 1;
    }
    for (end, count) in ends {
        say(&format!("{count:8} {end}"))?;
    }
    let rate = counts.steps as f64 / start.elapsed().as_secs_f64().max(0.001);
    say(&format!(
        "suite {} seeds {}..{seed}: {rate:.0} steps a second",
        args.suite.word(),
        args.seed
    ))?;
    say(&counts.line())?;
    Ok(counts.is_clean())
}

fn report(scenario: Scenario, planted: Planted, violation: &Violation) -> Result<(), CommandError> {
    let seed = scenario.seed;
    let small = shrink(scenario, violation.kind, |candidate| {
        play(candidate, planted, false).violation.map(|violation| violation.kind)
    });
    let found = play(&small, planted, false).violation;
    let file = std::env::temp_dir().join(format!("backlot-{}-{seed}.json", small.suite.word()));
    fs::write(&file, small.text()).map_err(|error| CommandError::file(&file, error))?;
    say(&format!("FAILED seed {seed}: {}", describe(found.as_ref().unwrap_or(violation))))?;
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

fn say(line: &str) -> Result<(), CommandError> {
    writeln!(std::io::stdout().lock(), "{line}").map_err(|error| CommandError::output(&error))
}
