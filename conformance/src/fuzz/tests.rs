use super::*;
use clap::ValueEnum;

/// Plays seeds of a suite until so many calls were made or something is found.
fn search(suite: Suite, planted: Planted, steps_max: u64) -> Option<(Scenario, Violation)> {
    let (mut seed, mut steps) = (1, 0);
    while steps < steps_max {
        let scenario = generate(suite, seed, &[]);
        let played = play_seed(&scenario, planted);
        if let Some(violation) = played.violation {
            return Some((scenario, violation));
        }
        steps += played.steps.max(1);
        seed += 1;
    }
    None
}

#[test]
fn no_promise_is_broken_in_any_suite() {
    for &suite in Suite::value_variants() {
        if let Some((scenario, violation)) = search(suite, Planted::None, 500) {
            panic!("{violation:?}\n{}", scenario.text());
        }
    }
}

#[test]
fn a_write_that_is_swallowed_is_found_and_its_replay_is_small() {
    let found = search(Suite::Actions, Planted::SwallowedWrite, 500);
    let (scenario, violation) = found.expect("a swallowed write is found");
    assert_eq!(violation.kind, Kind::FalseSuccess, "{violation:?}");
    let small = shrink(scenario, violation.kind, |candidate| {
        play(candidate, Planted::SwallowedWrite, false).violation.map(|found| found.kind)
    });
    assert!(small.text().lines().count() < 30, "{}", small.text());
    let again = Scenario::parse(&small.text()).expect("a replay is read back");
    assert_eq!(again, small);
    let played = play(&again, Planted::SwallowedWrite, false);
    assert_eq!(played.violation.map(|found| found.kind), Some(Kind::FalseSuccess));
    assert!(play(&again, Planted::None, false).violation.is_none(), "only the bug fails it");
}

#[test]
fn a_mark_that_is_not_compared_lets_a_write_through_to_another_item() {
    let found = search(Suite::Refs, Planted::SkippedMark, 20_000);
    let (_, violation) = found.expect("a skipped mark is found");
    assert_eq!(violation.kind, Kind::WrongTarget, "{violation:?}");
}
