//! Random pages, calls and faults in the simulated browser, judged by what must hold for all of them.

mod draw;
mod generate;
mod judge;
mod port;
mod scenario;
mod shrink;
mod stage;
#[cfg(test)]
mod tests;

pub(crate) use generate::generate;
pub(crate) use judge::{Kind, Violation};
pub(crate) use port::Planted;
pub(crate) use scenario::{Scenario, Suite};
pub(crate) use shrink::shrink;
pub(crate) use stage::{Ends, Played, play};

/// Every so many seeds the transcripts of two runs are compared.
const TWICE_EACH: u64 = 16;

/// Plays one seed; every now and then twice, to compare the transcripts.
pub(crate) fn play_seed(scenario: &Scenario, planted: Planted) -> Played {
    let twice = scenario.seed.is_multiple_of(TWICE_EACH);
    let mut played = play(scenario, planted, twice);
    if twice && played.violation.is_none() {
        let again = play(scenario, planted, true);
        if again.transcript != played.transcript {
            let why = "two runs gave two transcripts".into();
            played.violation = Some(Violation { kind: Kind::Uncoded, step: played.steps, why });
        }
    }
    played
}
