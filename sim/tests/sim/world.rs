//! Determinism and the executor.

use crate::drive::{DEADLINE, permit};
use backlot_core::gatekeeper::TargetIdentity;
use backlot_core::page::{CaptureSpec, TabId};
use backlot_core::port::{
    Host, Millis, NavigateTo, Op, Port, ScrollBy, ScrollWhat, Seq, SettleSpec, Trace, Traced,
};
use backlot_sim::{Response, World};

fn transcript(seed: u64) -> String {
    let world = World::new(seed);
    let page = "<style>p{color:red}</style><p>x<iframe srcdoc=y></iframe><form><input id=a></form>";
    world.serve("http://a.test/", Response { latency_ms: 30, ..Response::html(page) });
    let trace = Trace::default();
    let (port, host) = (Traced::new(world.port(), trace.clone()), world.host());
    let tab = TabId(1);
    world.block_on(async {
        let url = "http://a.test/".to_string();
        let target = TargetIdentity {
            tab: Some(tab),
            destination: Some(url.clone()),
            ..TargetIdentity::default()
        };
        let spec =
            SettleSpec { since: Seq(0), min_ms: 50, quiet_ms: 100, cap_ms: 1_000, load_ms: 5_000 };
        let ops = [
            Op::OpenTab,
            Op::Navigate(NavigateTo { tab, url, permit: permit(&target) }),
            Op::Capture { tab, spec: CaptureSpec::GEOMETRY },
            Op::Scroll { tab, what: ScrollWhat::Page(ScrollBy::End) },
            Op::Settle { tab, spec },
            Op::Events { since: Seq(0) },
            Op::Tabs,
        ];
        for op in ops {
            port.call(op, DEADLINE).await.unwrap();
            trace.note(format!("{} {}", host.now().0, host.nonce()));
        }
    });
    trace.text()
}

#[test]
fn one_seed_gives_one_transcript() {
    assert_eq!(transcript(7), transcript(7));
    assert_ne!(transcript(7), transcript(8));
}

#[test]
fn sleep_jumps_and_does_not_wait() {
    let world = World::new(1);
    let host = world.host();
    world.block_on(host.sleep_until(Millis(86_400_000)));
    assert_eq!(host.now(), Millis(86_400_000));
    world.block_on(host.sleep_until(Millis(5)));
    assert_eq!(host.now(), Millis(86_400_000));
}

#[test]
#[should_panic(expected = "nothing in the simulated world can wake it")]
fn a_future_that_nothing_wakes_is_told() {
    World::new(1).block_on(std::future::pending::<()>());
}
