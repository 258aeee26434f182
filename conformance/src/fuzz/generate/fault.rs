//! What befalls a page, its tab, the network and the policy.

use super::{Draw, Made, Suite, answer, rule};
use crate::fault::What;

/// Where calls and pages go.
pub(super) const URLS: &[&str] = &[
    "http://a.test/",
    "http://a.test/other",
    "http://b.test/",
    "http://a.test/",
    "http://a.test/other",
    "http://b.test/",
    "http://tax.gov/",
    "http://late.test/",
    "http://slow.test/",
    "javascript:alert(1)",
    "file:///etc/passwd",
    "data:text/html,x",
];

pub(super) fn fault(draw: &mut Draw<'_>, suite: Suite, made: &Made, item: Option<&str>) -> What {
    let any = made.items.first().map(|(item, _)| item.clone()).unwrap_or_default();
    let item = item.map_or(any, str::to_owned);
    let rows = draw.pick(&made.rows).unwrap_or_default();
    let parent = draw.pick(&made.parents).unwrap_or_default();
    if suite == Suite::Gatekeeper && draw.percent(50) {
        return match draw.below(8) {
            0 => What::Deny,
            1 | 7 => {
                let (tool, origin, verdict) = rule(draw);
                What::Rule(tool, origin, verdict)
            }
            2..=5 => What::Answer(answer(draw)),
            _ => What::Navigate("http://tax.gov/".into()),
        };
    }
    if suite == Suite::Frames && draw.percent(10) {
        // Frames that move a little, so that points meet them still.
        return What::Person(draw.below(80) as f64 - 40.0);
    }
    match draw.below(34) {
        0 | 1 => What::Detach(item),
        2 => What::Replace(item),
        3 | 4 => What::Rerender(parent),
        5..=10 => What::Rotate(rows),
        11 => What::Cover,
        12 => What::CoverTop,
        13 => What::Shift(rows),
        14 => What::Slide(item),
        15 => What::Disable(item),
        16 => What::Inert(item),
        17 => What::Hide(item),
        18 | 19 => What::Revert(item),
        20 => What::Navigate(
            draw.word(&["http://a.test/", "http://a.test/other", "http://b.test/"]).into(),
        ),
        21 | 22 => What::Reframe,
        23 => What::Dialog(format!("said {}", draw.below(1000))),
        24 => What::Person(draw.below(800) as f64 - 300.0),
        25 => What::Slow(draw.below(20_000) as u64),
        26 => What::Delay(draw.below(20_000) as u64),
        27 | 28 => What::Late,
        29 => What::Drop,
        30 => match draw.below(2) {
            0 => What::Crash,
            _ => What::Close,
        },
        _ => What::Rotate(rows),
    }
}
