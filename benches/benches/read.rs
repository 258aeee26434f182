//! The read path: capture to snapshot to refs to text, and the simulated browser's own share.
//!
//! `cargo bench -p backlot-benches --bench read`. Compare rows of one run only.

use backlot_benches::{capture, page, stage};
use backlot_core::aria;
use backlot_core::page::CaptureSpec;
use backlot_core::snapshot::{build, cut};
use backlot_core::surface::Surface;
use backlot_core::surface::catalog::ToolCall;
use backlot_core::text::outline_line;
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;

const SIZES: [usize; 3] = [100, 1_000, 10_000];

fn core_alone(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("core");
    for elements in SIZES {
        let capture = capture(&page(elements), CaptureSpec::GEOMETRY);
        group.throughput(Throughput::Elements(capture.top().nodes.len() as u64));
        group.bench_with_input(BenchmarkId::new("views", elements), &capture, |bench, capture| {
            bench.iter(|| black_box(aria::frames(capture)));
        });
        group.bench_with_input(
            BenchmarkId::new("snapshot", elements),
            &capture,
            |bench, capture| {
                bench.iter(|| black_box(build(capture, &aria::frames(capture))));
            },
        );
        let snapshot = build(&capture, &aria::frames(&capture));
        group.bench_with_input(
            BenchmarkId::new("cut to 3000 tokens", elements),
            &snapshot,
            |bench, snapshot| {
                bench.iter(|| black_box(cut(snapshot, 3_000, |line| outline_line(line, None))));
            },
        );
    }
    group.finish();
}

fn simulated(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("sim");
    group.sample_size(20);
    for elements in SIZES {
        let html = page(elements);
        group.bench_with_input(
            BenchmarkId::new("html to first snapshot", elements),
            &html,
            |bench, html| {
                bench.iter(|| black_box(stage(html)));
            },
        );
        let (world, catalog) = stage(&html);
        let call = ToolCall { name: "read_page".into(), arguments: serde_json::json!({}) };
        group.bench_function(BenchmarkId::new("read_page", elements), |bench| {
            bench.iter(|| black_box(world.block_on(catalog.call(&call))));
        });
    }
    group.finish();
}

criterion_group!(benches, core_alone, simulated);
criterion_main!(benches);
