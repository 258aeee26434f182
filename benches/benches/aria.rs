//! Accessibility: tree, roles, names, descriptions and states of every node of a frame, by its size.
//!
//! `cargo bench -p backlot-benches --bench aria`. The time for one node is what is to stay: at most twice as long at 100,000
//! nodes as at 1,000. Criterion's throughput line tells it: 1 Melem/s is one microsecond.

use backlot_core::aria::AriaFrame;
use backlot_core::page::{Capture, CaptureSpec, Frame, NodeIdx};
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;

const SIZES: [usize; 4] = [100, 1_000, 10_000, 100_000];

/// Looks at every node as a snapshot of all of it would.
fn all(frame: &Frame) -> u64 {
    let aria = AriaFrame::new(frame);
    let count = NodeIdx::try_from(frame.nodes.len()).expect("fewer nodes than numbers");
    for at in 0..count {
        if frame.element(at).is_none() || !aria.hidden(at).is_shown() {
            continue;
        }
        black_box((aria.role(at), aria.name(at), aria.description(at), aria.states(at)));
    }
    aria.steps()
}

fn captured(nodes: usize) -> Capture {
    backlot_benches::capture(&backlot_benches::mixed(nodes), CaptureSpec::TEXT)
}

fn by_size(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("aria");
    group.sample_size(10);
    for nodes in SIZES {
        let capture = captured(nodes);
        let frame = capture.top();
        group.throughput(Throughput::Elements(frame.nodes.len() as u64));
        group.bench_with_input(BenchmarkId::new("all", nodes), frame, |bench, frame| {
            bench.iter(|| black_box(all(frame)));
        });
        group.bench_with_input(BenchmarkId::new("tree and roles", nodes), frame, |bench, frame| {
            bench.iter(|| black_box(AriaFrame::new(frame)));
        });
    }
    group.finish();
}

criterion_group!(benches, by_size);
criterion_main!(benches);
