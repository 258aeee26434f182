//! Chance: what a seed's numbers choose.

use backlot_sim::Numbers;

pub(super) struct Draw(Numbers);

impl Draw {
    pub(super) fn new(seed: u64) -> Self {
        Self(Numbers::new(seed.wrapping_mul(0x2545_f491_4f6c_dd1d) ^ 0x6675_7a7a))
    }

    pub(super) fn next(&mut self) -> u64 {
        self.0.draw()
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
