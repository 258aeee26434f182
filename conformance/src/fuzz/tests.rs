use super::*;
use clap::ValueEnum;
use std::ops::ControlFlow;

fn range(suite: Suite, steps: u64, jobs: usize) -> Range {
    Range { suite, seed: 1, until: None, steps, jobs }
}

#[test]
fn no_promise_is_broken_in_any_suite() {
    for &suite in Suite::value_variants() {
        let searched =
            search(range(suite, 500, 1), &[], |seed, _, played| match played.violation {
                Some(violation) => ControlFlow::Break((seed, violation)),
                None => ControlFlow::Continue(()),
            });
        if let Err((seed, violation)) = searched {
            let scenario = Seeded { suite, seed, fixtures: &[] }.scenario();
            panic!("{violation:?}\n{}", scenario.text());
        }
    }
}

#[test]
fn what_is_played_does_not_depend_on_the_number_of_threads() {
    let transcripts = |jobs| {
        let searched =
            search(range(Suite::Refs, 300, jobs), &[], |_, _, _| ControlFlow::<()>::Continue(()));
        searched.map(|searched| (searched.seed, searched.steps, searched.transcripts)).ok()
    };
    assert_eq!(transcripts(1), transcripts(8));
}

#[test]
fn a_scenario_shrinks_to_what_fails_and_is_read_back() {
    let seeded = Seeded { suite: Suite::Refs, seed: 3, fixtures: &[] };
    // Stands for a bug: whoever scrolls breaks a promise.
    let plays = |scenario: &Scenario| {
        let scrolls = scenario.steps.iter().any(|step| step.tool == "click");
        scrolls.then(|| Violation { kind: Kind::FalseSuccess, step: 1, why: String::new() })
    };
    let (small, violation) = seeded.smallest(plays).expect("the scenario fails");
    assert_eq!(violation.kind, Kind::FalseSuccess);
    assert_eq!((small.steps.len(), small.page.len(), small.frames.len()), (1, 0, 0));
    assert!(small.steps[0].faults.is_empty());
    assert_eq!(Scenario::parse(&small.text()).ok(), Some(small));
}
