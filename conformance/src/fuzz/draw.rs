//! Chance: what the numbers of proptest's generator choose.

use proptest::prelude::Rng;
use proptest::test_runner::TestRng;

pub(super) struct Draw<'a>(pub(super) &'a mut TestRng);

impl Draw<'_> {
    pub(super) fn next(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A number below `end`; 0 where that is 0.
    pub(super) fn below(&mut self, end: usize) -> usize {
        // A remainder by a `usize` fits into one.
        if end == 0 { 0 } else { (self.next() % end as u64) as usize }
    }

    pub(super) fn percent(&mut self, share: u64) -> bool {
        self.next() % 100 < share
    }

    pub(super) fn pick<T: Clone>(&mut self, all: &[T]) -> Option<T> {
        all.get(self.below(all.len())).cloned()
    }

    pub(super) fn word(&mut self, all: &'static [&'static str]) -> &'static str {
        all.get(self.below(all.len())).copied().unwrap_or_default()
    }
}
