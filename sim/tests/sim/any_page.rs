//! Pages of any kind: every op answers, and answers the same twice.

use crate::drive::{Browser, elements};
use backlot_core::page::CaptureSpec;
use backlot_core::port::{Button, InputPlan, Op, ScrollBy, ScrollWhat, Typing};
use proptest::prelude::{ProptestConfig, Strategy, prop, proptest};

fn markup() -> impl Strategy<Value = String> {
    let tags = "a|b|p|div|span|table|tbody|tr|td|form|input|select|option|textarea|button|label|details|summary|fieldset|legend|ul|li|svg|iframe|img|dialog|slot|template shadowrootmode=open|br|hr|h1|pre|center|caption|col|noscript";
    let css = "display:(none|block|inline|flex|grid|table|table-cell|table-row|contents|inline-block)|position:(absolute|fixed|relative)|float:left|width:(50%|10px|-3px|calc\\(1em \\+ 5%\\))|height:(50%|0)|margin:(auto|-9px)|overflow:auto|visibility:hidden|transform:scale\\(0\\)|z-index:(-1|2147483647)|white-space:pre|grid-template-columns:repeat\\(3, 1fr\\)|flex:1|line-height:0|font-size:0|--x:var\\(--x\\)|width:var\\(--x\\)";
    let attrs = format!(
        "( (style='({css})(;({css}))?'|colspan=[0-9]{{1,2}}|rowspan=[0-3]|type=(checkbox|radio|date|hidden|number)|hidden|open|href=#x|id=x|for=x|value=9|tabindex=0|slot=y|srcdoc=q|required|size=3|multiple|contenteditable))?"
    );
    let piece = format!(
        "<({tags}){attrs}>|</({tags})>|[a-z \n]{{1,6}}|<style>(p|\\*|:is\\(a,b\\)|div:has\\(> p\\)|td ~ td::before) \\{{({css});content:'q'\\}}</style>"
    );
    let one = prop::string::string_regex(&piece).expect("the pattern above is one");
    prop::collection::vec(one, 0..40).prop_map(|parts| parts.concat())
}

fn tour(html: &str) -> String {
    let browser = Browser::showing(html);
    let capture = browser.capture(CaptureSpec::GEOMETRY);
    let mut told = serde_json::to_string(&capture).unwrap();
    let top = capture.top();
    for (at, element) in elements(top).take(12) {
        let node = top.key(at);
        if browser.probe(node).is_none() {
            continue;
        }
        let guard = browser.guard(node);
        let points = guard.points.clone();
        let ops = [
            Op::HitTest { tab: browser.tab, node, points },
            Op::Scroll { tab: browser.tab, what: ScrollWhat::IntoView(node) },
            Op::Scroll { tab: browser.tab, what: ScrollWhat::Element(node, ScrollBy::Pages(0.5)) },
        ];
        for op in ops {
            told.push_str(&serde_json::to_string(&browser.call(op)).unwrap());
        }
        let plan = match element.tag.as_str() {
            "select" => InputPlan::Select { options: vec![0] },
            "input" | "textarea" => {
                InputPlan::Type { text: "7".into(), how: Typing::AppendSlowly, submit: true }
            }
            _ => InputPlan::Click { button: Button::Left, double: true },
        };
        let guard = browser.guard(node);
        told.push_str(&serde_json::to_string(&browser.dispatch(plan, guard)).unwrap());
    }
    told + &browser.world.event_log().join("\n")
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn any_page_is_captured_and_acted_on_twice_alike(html in markup()) {
        assert_eq!(tour(&html), tour(&html));
    }
}
