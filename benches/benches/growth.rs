//! How the time for one node grows with the page: at 100,000 nodes it is to be at most twice what it is at 1,000.
//!
//! `cargo bench -p backlot-benches --bench growth`. The sizes take turns and each one's best turn counts: on a machine that others
//! use too, means of one size after the other compare the neighbours, not the sizes. Counted steps stand beside the time.

use backlot_core::aria::{self, AriaFrame};
use backlot_core::page::{Capture, CaptureSpec, Frame, NodeIdx};
use backlot_core::snapshot::build;
use backlot_core::text::outline_line;
use std::hint::black_box;
use std::io::Write;
use std::time::{Duration, Instant};

const SIZES: [usize; 4] = [100, 1_000, 10_000, 100_000];
/// Turns of each size.
const TURNS: usize = 12;
/// A turn looks at about so many nodes, small pages again and again.
const NODES_A_TURN: usize = 100_000;

/// Roles, names, descriptions and states of every node that is told.
fn views(frame: &Frame) -> u64 {
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

/// Capture to text, all of it.
fn text(capture: &Capture) -> u64 {
    let frames = aria::frames(capture);
    let snapshot = build(capture, &frames);
    let lines = snapshot.lines.iter().map(|line| outline_line(line, None).len() as u64);
    black_box(lines.sum::<u64>());
    frames.iter().map(AriaFrame::steps).sum()
}

struct Row {
    capture: Capture,
    best: Duration,
    steps: u64,
}

fn grow(what: &str, spec: &CaptureSpec, run: impl Fn(&Capture) -> u64) {
    let row = |size| Row {
        capture: backlot_benches::capture(&backlot_benches::mixed(size), spec.clone()),
        best: Duration::MAX,
        steps: 0,
    };
    let mut rows = SIZES.map(row);
    for _ in 0..TURNS {
        for row in &mut rows {
            let nodes = row.capture.top().nodes.len();
            let times = (NODES_A_TURN / nodes).max(1);
            let started = Instant::now();
            for _ in 0..times {
                row.steps = black_box(run(&row.capture));
            }
            let each = started.elapsed() / u32::try_from(times).expect("few turns");
            row.best = row.best.min(each);
        }
    }
    let per_node = |row: &Row| row.best.as_nanos() as f64 / row.capture.top().nodes.len() as f64;
    let base = per_node(&rows[1]);
    let mut out = std::io::stdout();
    for row in &rows {
        let nodes = row.capture.top().nodes.len();
        let told = writeln!(
            out,
            "{what:<28} {nodes:>7} nodes {:>9.3} ms {:>7.0} ns a node {:>5.2} times {:>6.2} steps a node",
            row.best.as_secs_f64() * 1e3,
            per_node(row),
            per_node(row) / base,
            row.steps as f64 / nodes as f64
        );
        told.expect("standard output takes lines");
    }
}

fn main() {
    grow("roles, names, states", &CaptureSpec::TEXT, |capture| views(capture.top()));
    grow("capture to text", &CaptureSpec::TEXT, text);
}
