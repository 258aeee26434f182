//! Random pages, calls and faults in the simulated browser, judged by what must hold for all of them.

mod digest;
mod draw;
mod drive;
mod generate;
mod judge;
mod memory;
mod pair;
mod port;
mod scenario;
mod search;
mod shrink;
mod stage;
#[cfg(test)]
mod tests;

pub(crate) use drive::Seeded;
pub(crate) use judge::{Kind, Violation};
pub(crate) use scenario::{Answer, Scenario, Suite};
pub(crate) use search::{Range, search};
pub(crate) use stage::{Ends, Played, play};

/// Every so many seeds the transcripts of two runs are compared: a second run of each would halve the speed.
const TWICE_EACH: u64 = 8;

/// Plays one seed; every now and then twice, to compare the transcripts.
pub(crate) fn play_seed(scenario: &Scenario) -> Played {
    let mut played = play(scenario, false);
    if scenario.seed.is_multiple_of(TWICE_EACH) && played.violation.is_none() {
        let again = play(scenario, false);
        if again.digest != played.digest {
            let why = "two runs gave two transcripts".into();
            played.violation = Some(Violation { kind: Kind::Uncoded, step: played.steps, why });
        }
    }
    played
}
