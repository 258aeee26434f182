//! Makes a scenario that fails as small as it can be: steps, faults and pieces are left out while it still fails.

use super::scenario::Scenario;
use proptest::strategy::ValueTree;

/// A scenario that gets smaller by one thing at a time.
#[derive(Debug)]
pub(crate) struct Shrinking {
    /// The smallest one that failed.
    best: Scenario,
    current: Scenario,
    /// Those to be tried next, the last one first.
    smaller: Vec<Scenario>,
}

impl Shrinking {
    pub(crate) fn new(scenario: Scenario) -> Self {
        Self { best: scenario.clone(), current: scenario, smaller: Vec::new() }
    }
}

impl ValueTree for Shrinking {
    type Value = Scenario;

    fn current(&self) -> Scenario {
        self.current.clone()
    }

    /// The current one failed: on from there.
    fn simplify(&mut self) -> bool {
        self.best = self.current.clone();
        self.smaller = candidates(&self.best);
        self.smaller.reverse();
        self.complicate()
    }

    /// The current one did not fail: the next one that is smaller than the best.
    fn complicate(&mut self) -> bool {
        let next = self.smaller.pop();
        let is_more = next.is_some();
        self.current = next.unwrap_or_else(|| self.best.clone());
        is_more
    }
}

/// One thing less each, the largest first.
fn candidates(from: &Scenario) -> Vec<Scenario> {
    let mut all = Vec::new();
    let mut add = |change: &dyn Fn(&mut Scenario)| {
        let mut less = from.clone();
        change(&mut less);
        all.push(less);
    };
    let half = from.steps.len() / 2;
    if half > 1 {
        add(&|less| less.steps.truncate(half));
        add(&|less| {
            less.steps.drain(..half);
        });
    }
    for at in (0..from.steps.len()).rev() {
        add(&|less| {
            less.steps.remove(at);
        });
    }
    for at in 0..from.page.len() {
        add(&|less| {
            less.page.remove(at);
        });
    }
    for at in 0..from.rules.len() {
        add(&|less| {
            less.rules.remove(at);
        });
    }
    // Documents of frames have numbers: only the last one can go.
    if !from.frames.is_empty() {
        add(&|less| {
            less.frames.pop();
        });
    }
    for at in (0..from.frames.len()).filter(|at| !from.frames[*at].is_empty()) {
        add(&|less| less.frames[at].clear());
    }
    for (at, step) in from.steps.iter().enumerate() {
        for fault in 0..step.faults.len() {
            add(&|less| {
                less.steps[at].faults.remove(fault);
            });
        }
        if step.age > 0 {
            add(&|less| less.steps[at].age = 0);
        }
        if step.beside.is_some() {
            add(&|less| less.steps[at].beside = None);
        }
        if step.foreign {
            add(&|less| less.steps[at].foreign = false);
        }
    }
    all
}
