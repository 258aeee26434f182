//! Makes a scenario that fails as small as it can be: steps, faults and pieces are left out while it still fails.

use super::judge::Kind;
use super::scenario::Scenario;

/// Most scenarios that are tried.
const TRIES_MAX: u32 = 1_000;

/// `fails` plays a scenario and gives what was found.
pub(crate) fn shrink(
    scenario: Scenario,
    kind: Kind,
    fails: impl Fn(&Scenario) -> Option<Kind>,
) -> Scenario {
    let mut best = scenario;
    let mut tries = 0;
    loop {
        let mut smaller = None;
        for candidate in candidates(&best) {
            tries += 1;
            if tries > TRIES_MAX {
                return best;
            }
            if fails(&candidate) == Some(kind) {
                smaller = Some(candidate);
                break;
            }
        }
        match smaller {
            Some(scenario) => best = scenario,
            None => return best,
        }
    }
}

/// One thing less each, the largest first.
fn candidates(from: &Scenario) -> Vec<Scenario> {
    let mut all = Vec::new();
    let half = from.steps.len() / 2;
    if half > 1 {
        all.push(Scenario { steps: from.steps[..half].to_vec(), ..from.clone() });
        all.push(Scenario { steps: from.steps[half..].to_vec(), ..from.clone() });
    }
    for at in (0..from.steps.len()).rev() {
        let mut less = from.clone();
        less.steps.remove(at);
        all.push(less);
    }
    for at in 0..from.page.len() {
        let mut less = from.clone();
        less.page.remove(at);
        all.push(less);
    }
    for at in 0..from.rules.len() {
        let mut less = from.clone();
        less.rules.remove(at);
        all.push(less);
    }
    for at in 0..from.frames.len() {
        if !from.frames[at].is_empty() {
            let mut less = from.clone();
            less.frames[at].clear();
            all.push(less);
        }
    }
    for (step, at) in from
        .steps
        .iter()
        .zip(0..)
        .flat_map(|(step, at)| (0..step.faults.len()).map(move |fault| (at, fault)))
    {
        let mut less = from.clone();
        less.steps[step].faults.remove(at);
        all.push(less);
    }
    all
}
