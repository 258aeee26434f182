//! proptest drives: it draws a seed's scenario, plays it, and makes one that fails as small as it can be.

use super::draw::Draw;
use super::generate::generate;
use super::judge::{Kind, Violation};
use super::scenario::{Scenario, Suite};
use super::shrink::Shrinking;
use proptest::strategy::{NewTree, Strategy};
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestError, TestRng, TestRunner};
use std::cell::RefCell;

/// Most scenarios that are tried to make one smaller.
const TRIES_MAX: u32 = 1_000;

/// The one scenario of a seed. `fixtures` are pages to be mutated.
#[derive(Debug)]
pub(crate) struct Seeded<'a> {
    pub(crate) suite: Suite,
    pub(crate) seed: u64,
    pub(crate) fixtures: &'a [String],
}

impl Strategy for Seeded<'_> {
    type Tree = Shrinking;
    type Value = Scenario;

    fn new_tree(&self, runner: &mut TestRunner) -> NewTree<Self> {
        let draw = Draw(runner.rng());
        Ok(Shrinking::new(generate(draw, self.suite, self.seed, self.fixtures)))
    }
}

impl Seeded<'_> {
    /// The scenario itself.
    pub(crate) fn scenario(&self) -> Scenario {
        // The numbers come from the seed and the suite alone, so a seed is the same scenario in every run.
        let mut rng = rng(self.suite, self.seed);
        generate(Draw(&mut rng), self.suite, self.seed, self.fixtures)
    }

    /// The smallest scenario that still breaks the same promise, and what it breaks. `plays` finds what a scenario breaks.
    pub(crate) fn smallest(
        &self,
        plays: impl Fn(&Scenario) -> Option<Violation>,
    ) -> Option<(Scenario, Violation)> {
        // All that the environment could say is set here.
        let config = Config {
            cases: 1,
            failure_persistence: None,
            max_shrink_iters: TRIES_MAX,
            max_shrink_time: 0,
            verbose: 0,
            ..Config::default()
        };
        let mut runner = TestRunner::new_with_rng(config, rng(self.suite, self.seed));
        let tree = self.new_tree(&mut runner).ok()?;
        let found: RefCell<Option<Violation>> = RefCell::new(None);
        let first: RefCell<Option<Kind>> = RefCell::new(None);
        let outcome = runner.run_one(tree, |scenario| {
            let Some(violation) = plays(&scenario) else { return Ok(()) };
            let wanted = *first.borrow_mut().get_or_insert(violation.kind);
            if violation.kind != wanted {
                return Ok(());
            }
            let why = violation.why.clone();
            *found.borrow_mut() = Some(violation);
            Err(TestCaseError::fail(why))
        });
        match outcome {
            Err(TestError::Fail(_, small)) => Some((small, found.into_inner()?)),
            _ => None,
        }
    }
}

fn rng(suite: Suite, seed: u64) -> TestRng {
    let mut bytes = [0_u8; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    bytes[8] = suite as u8;
    TestRng::from_seed(RngAlgorithm::ChaCha, &bytes)
}
