//! Seeds in their order, played on as many threads as are given. What is found does not depend on how many.

use super::digest::Digest;
use super::{Played, Seeded, Suite, play_seed};
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::sync_channel;
use std::thread;

/// Bytes of a thread's stack: as of a main thread.
const STACK_BYTES: usize = 8 << 20;

/// Which seeds.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Range {
    pub(crate) suite: Suite,
    /// The first one.
    pub(crate) seed: u64,
    /// Before this one.
    pub(crate) until: Option<u64>,
    /// No further seed once so many calls were made.
    pub(crate) steps: u64,
    /// Threads.
    pub(crate) jobs: usize,
}

/// How far a search came.
#[derive(Debug, Default)]
pub(crate) struct Searched {
    /// The seed after the last one.
    pub(crate) seed: u64,
    /// Calls.
    pub(crate) steps: u64,
    /// Of all transcripts, in the order of the seeds.
    pub(crate) transcripts: Digest,
}

/// Plays seed after seed and hands each to `visit`, in order, with the calls before it.
pub(crate) fn search<E>(
    range: Range,
    fixtures: &[String],
    mut visit: impl FnMut(u64, u64, Played) -> ControlFlow<E>,
) -> Result<Searched, E> {
    let next = AtomicU64::new(range.seed);
    let (sender, receiver) = sync_channel::<(u64, Played)>(4 * range.jobs.max(1));
    thread::scope(|scope| {
        // Dropped when the search ends: threads that still play find nobody to tell, and end.
        let receiver = receiver;
        for _ in 0..range.jobs.max(1) {
            let (sender, next) = (sender.clone(), &next);
            let play = move || loop {
                let seed = next.fetch_add(1, Ordering::Relaxed);
                if range.until.is_some_and(|until| seed >= until) {
                    return;
                }
                let scenario = Seeded { suite: range.suite, seed, fixtures }.scenario();
                if sender.send((seed, play_seed(&scenario))).is_err() {
                    return;
                }
            };
            let thread = thread::Builder::new().stack_size(STACK_BYTES);
            if let Err(error) = thread.spawn_scoped(scope, play) {
                panic!("no thread to play on: {error}");
            }
        }
        drop(sender);
        let mut waiting: BTreeMap<u64, Played> = BTreeMap::new();
        let mut searched = Searched { seed: range.seed, ..Searched::default() };
        while searched.steps < range.steps {
            let Some(played) = waiting.remove(&searched.seed) else {
                match receiver.recv() {
                    Ok((seed, played)) => waiting.insert(seed, played),
                    Err(_) => break,
                };
                continue;
            };
            let before = searched.steps;
            // A seed that makes no call ends the search all the same.
            searched.steps += played.steps.max(1);
            searched.transcripts.join(played.digest);
            let seed = searched.seed;
            searched.seed += 1;
            if let ControlFlow::Break(end) = visit(seed, before, played) {
                return Err(end);
            }
        }
        Ok(searched)
    })
}
