//! `mutants`: each planted bug is found, by fuzz or by a case. This is how we know that the proofs can fail.

use super::CommandError;
use crate::cli::MutantsArgs;

/// Without the feature there is nothing to find.
#[cfg(not(feature = "planted"))]
pub(crate) fn mutants(_args: &MutantsArgs) -> Result<bool, CommandError> {
    Err(not_planted())
}

#[cfg(not(feature = "planted"))]
pub(crate) fn not_planted() -> CommandError {
    CommandError::Usage(
        "this build has no bugs to plant; use `cargo run --release -p backlot-conformance --no-default-features --features \
         planted -- mutants`"
            .into(),
    )
}

#[cfg(feature = "planted")]
pub(crate) use with_bugs::mutants;

#[cfg(feature = "planted")]
mod with_bugs {
    use super::{CommandError, MutantsArgs};
    use crate::command::fuzz::{fixture_pages, say, silence_panics};
    use crate::command::run::failing_case;
    use crate::fuzz::{Range, Seeded, Suite, play, search};
    use backlot_core::planted::{Area, Bug, turn};
    use std::ops::ControlFlow;

    /// Most lines of a replay.
    const REPLAY_LINES_MAX: usize = 30;

    pub(crate) fn mutants(args: &MutantsArgs) -> Result<bool, CommandError> {
        let is_chosen =
            |bug: &Bug| args.only.is_empty() || args.only.iter().any(|name| name == bug.name());
        let chosen: Vec<Bug> = Bug::ALL.iter().copied().filter(is_chosen).collect();
        if let Some(unknown) =
            args.only.iter().find(|name| !Bug::ALL.iter().any(|bug| bug.name() == **name))
        {
            return Err(CommandError::Usage(format!(
                "there is no bug {unknown}; --list shows them"
            )));
        }
        if args.list {
            for bug in chosen {
                say(&format!("{} ({:?}): {}", bug.name(), bug.area(), bug.about()))?;
            }
            return Ok(true);
        }
        silence_panics();
        let fixtures = fixture_pages()?;
        let mut bad = control(args, &fixtures)?;
        let (mut found, mut missed) = (0, 0);
        for bug in &chosen {
            turn(Some(*bug));
            let line = look_for(*bug, args, &fixtures);
            turn(None);
            match line? {
                Some(line) => {
                    found += 1;
                    say(&format!("{} {line}", bug.name()))?;
                }
                None => {
                    missed += 1;
                    say(&format!("{} MISSED: {}", bug.name(), bug.about()))?;
                }
            }
        }
        bad |= missed > 0;
        say(&format!("mutants {} found {found} missed {missed}", chosen.len()))?;
        Ok(!bad)
    }

    /// Without a bug nothing is found by the same seeds. `true` where something is.
    fn control(args: &MutantsArgs, fixtures: &[String]) -> Result<bool, CommandError> {
        let mut violations = 0;
        for suite in [Suite::Refs, Suite::Frames, Suite::Actions, Suite::Gatekeeper] {
            let searched = search(range(suite, args), fixtures, |_, _, played| {
                violations += u64::from(played.violation.is_some());
                ControlFlow::<()>::Continue(())
            });
            let steps = searched.map_or(0, |searched| searched.steps);
            say(&format!("no bug: fuzz:{} {steps} steps", suite.word()))?;
        }
        say(&format!("no bug: {violations} violations"))?;
        Ok(violations > 0)
    }

    fn range(suite: Suite, args: &MutantsArgs) -> Range {
        Range { suite, seed: args.seed, until: None, steps: args.steps, jobs: args.jobs }
    }

    /// How the bug that is on is found.
    fn look_for(
        bug: Bug,
        args: &MutantsArgs,
        fixtures: &[String],
    ) -> Result<Option<String>, CommandError> {
        let suites = match bug.area() {
            Area::Refs => [Suite::Refs, Suite::Actions, Suite::Frames, Suite::Gatekeeper],
            Area::Frames => [Suite::Frames, Suite::Refs, Suite::Actions, Suite::Gatekeeper],
            Area::Acting | Area::Text => {
                [Suite::Actions, Suite::Refs, Suite::Frames, Suite::Gatekeeper]
            }
            // What a page is said to be is stated by cases; the judge of calls does not know it.
            Area::Accessibility => {
                return Ok(failing_case()?.map(|name| format!("found by case {name}")));
            }
            Area::Policy => [Suite::Gatekeeper, Suite::Actions, Suite::Refs, Suite::Frames],
        };
        for suite in suites {
            let first = search(range(suite, args), fixtures, |seed, before, played| {
                match played.violation {
                    Some(violation) => ControlFlow::Break((seed, before + violation.step)),
                    None => ControlFlow::Continue(()),
                }
            });
            let Err((seed, step)) = first else { continue };
            let seeded = Seeded { suite, seed, fixtures };
            let smallest = seeded.smallest(|scenario| play(scenario, false).violation);
            let Some((small, _)) = smallest else { continue };
            turn(None);
            let without = play(&small, false).violation;
            turn(Some(bug));
            if let Some(violation) = without {
                let why = format!("seed {seed} fails without the bug too: {}", violation.why);
                return Err(CommandError::Failed(why));
            }
            let lines = small.text().lines().count();
            if lines >= REPLAY_LINES_MAX {
                say(&format!("{} seed {seed}: the replay has {lines} lines", bug.name()))?;
                return Ok(None);
            }
            let word = suite.word();
            return Ok(Some(format!(
                "found by fuzz:{word} seed {seed} step {step}, replay {lines} lines"
            )));
        }
        Ok(failing_case()?.map(|name| format!("found by case {name}")))
    }
}
