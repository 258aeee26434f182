//! From a seed to a scenario: pages of items that look alike, steps that mean one of them, faults between the ops.

mod fault;
mod page;
mod step;

use super::draw::Draw;
use super::scenario::{Answer, Scenario, Step, Suite};

/// Steps of one seed.
const STEPS: usize = 12;

/// What an item can be used for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Use {
    Click,
    Text,
    Select,
    /// Nobody knows: an element of a fixture.
    Any,
}

/// What steps can be about.
#[derive(Debug, Default)]
struct Made {
    items: Vec<(String, Use)>,
    /// Selectors of rows that are built alike.
    rows: Vec<String>,
    /// Selectors of what holds them.
    parents: Vec<String>,
}

/// The scenario of a seed. `fixtures` are pages to be mutated.
pub(super) fn generate(
    mut draw: Draw<'_>,
    suite: Suite,
    seed: u64,
    fixtures: &[String],
) -> Scenario {
    let (page, frames, made) = page::page(&mut draw, suite, fixtures);
    let mut steps = vec![Step { tool: "read_page".into(), ..Step::default() }];
    for _ in 0..STEPS {
        steps.push(step::step(&mut draw, suite, &made));
    }
    let (policy, rules, answer) = policy(&mut draw, suite);
    Scenario { suite, seed, page, frames, policy, rules, answer, steps }
}

type Rules = Vec<(String, String, String)>;

fn policy(draw: &mut Draw<'_>, suite: Suite) -> (String, Rules, Answer) {
    if suite != Suite::Gatekeeper {
        return ("auto".into(), Vec::new(), Answer::Accept);
    }
    let rules = (0..draw.below(4)).map(|_| rule(draw)).collect();
    (draw.word(&["auto", "untrusted", "always"]).into(), rules, answer(draw))
}

/// Tool, origin, verdict.
fn rule(draw: &mut Draw<'_>) -> (String, String, String) {
    let tool = draw.word(&[
        "*",
        "click",
        "type",
        "category:fill",
        "category:click",
        "category:navigate",
        "navigate",
        "read_page",
    ]);
    let origin = draw.word(&["*", "http://a.test", "http://b.test", "null"]);
    let verdict = draw.word(&["allow", "ask", "deny"]);
    (tool.into(), origin.into(), verdict.into())
}

fn answer(draw: &mut Draw<'_>) -> Answer {
    match draw.below(6) {
        0 => Answer::Accept,
        1 | 2 => Answer::Session,
        _ => Answer::Decline,
    }
}
