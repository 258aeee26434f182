//! Style sheets that no page should have: what they give is finite, the same each time, and never a panic; the work is about
//! that of their size.

#![expect(clippy::unwrap_used, reason = "a test that cannot set its stage has failed")]

use backlot_core::gatekeeper::{Policy, PolicyState};
use backlot_core::page::{Capture, CaptureSpec, Fact, NodeData, Rect, TabId};
use backlot_core::port::{Host, Op, Point, Port, Reply};
use backlot_core::surface::Surface;
use backlot_core::surface::catalog::{Catalog, ToolCall};
use backlot_core::tool::Level;
use backlot_sim::{Response, Work, World};
use proptest::prelude::*;

const URL: &str = "http://bad.test/";

/// A page that was loaded, captured with its boxes and hit all over.
struct Seen {
    capture: Capture,
    hits: Vec<String>,
    work: Work,
}

fn see(html: &str) -> Seen {
    let world = World::new(1);
    world.serve(URL, Response::html(html));
    let policy = PolicyState::new(Policy::Auto);
    let catalog = Catalog::new(world.port(), world.host(), policy, &[Level::L0]);
    let call = ToolCall { name: "navigate".into(), arguments: serde_json::json!({ "url": URL }) };
    let loaded = world.block_on(catalog.call(&call));
    assert!(!loaded.is_error, "{}", loaded.text);
    let tab = TabId(1);
    let ask = |op| {
        let deadline = world.host().now().plus(10_000);
        world.block_on(world.port().call(op, deadline)).unwrap()
    };
    let Reply::Capture(capture) = ask(Op::Capture { tab, spec: CaptureSpec::GEOMETRY }) else {
        panic!("no capture");
    };
    let points =
        (0..8).map(|n| Point { x: 10.0 + 160.0 * f64::from(n), y: 5.0 + 85.0 * f64::from(n) });
    let hits = points.map(|point| format!("{:?}", ask(Op::NodeAt { tab, point }))).collect();
    Seen { capture, hits, work: world.work(tab).unwrap() }
}

fn rects(capture: &Capture) -> Vec<Rect> {
    let elements = capture.frames.iter().flat_map(|frame| &frame.nodes);
    elements
        .filter_map(|node| match &node.data {
            NodeData::Element(element) => match element.rect {
                Fact::Known(rect) => Some(rect),
                _ => None,
            },
            _ => None,
        })
        .collect()
}

/// Sees a page twice and checks what holds for all.
fn check(html: &str) -> Seen {
    let (first, second) = (see(html), see(html));
    assert_eq!(first.capture, second.capture);
    assert_eq!(first.hits, second.hits);
    for rect in rects(&first.capture) {
        let edges = [rect.x, rect.y, rect.width, rect.height];
        assert!(edges.iter().all(|edge| edge.is_finite()), "{rect:?}");
        assert!(rect.width >= 0.0 && rect.height >= 0.0, "{rect:?}");
    }
    first
}

fn page(css: &str, body: &str) -> String {
    format!("<!doctype html><title>t</title><style>{css}</style><body>{body}</body>")
}

const BODY: &str = "<div class=a><p>Text of <b>a <i>page</i></b> <a href=/x>link</a></p><button>Press</button><ul><li>1<li>2</ul>\
     <table><tr><td>a<td>b<tr><td>c</table><input><select><option>o</select></div>";

#[test]
fn huge_selectors_are_read_or_left() {
    check(&page(&format!("{}{{color:red}} button{{width:90px}}", "div ".repeat(250_000)), BODY));
    check(&page(&format!("{}{{color:red}}", ".a".repeat(500_000)), BODY));
    check(&page(&format!("{}{{width:9px}}", "a,".repeat(300_000) + "button"), BODY));
    check(&page(&format!("{}b{}{{width:9px}}", ":is(".repeat(20_000), ")".repeat(20_000)), BODY));
    check(&page(
        &format!("{}b{}{{width:9px}}", ":not(:has(".repeat(2_000), "))".repeat(2_000)),
        BODY,
    ));
    check(&page(&"a{b{".repeat(20_000), BODY));
    check(&page(&"@media all{".repeat(20_000), BODY));
    check(&page(&"@layer a{".repeat(2_000), BODY));
    check(&page(&format!("a{{width:{}", "calc(".repeat(50_000)), BODY));
    check(&page(&format!("a{{width:{}1px", "min(1px,".repeat(50_000)), BODY));
    check(&page(
        &format!("@supports {}(a:b){} {{a{{b:c}}}}", "(".repeat(9_000), ")".repeat(9_000)),
        BODY,
    ));
    check(&page(
        &format!("div{{grid-template-columns:{};display:grid}}", "[a] 1px ".repeat(20_000)),
        BODY,
    ));
}

#[test]
fn ten_thousand_rules_cost_what_matches() {
    let rules: String =
        (0..10_000).map(|n| format!(".c{n}{{width:{n}px}} #i{n} > b{{height:1px}}")).collect();
    let few = check(&page(&rules, &"<p class=c3>x".repeat(100)));
    let more = check(&page(&rules, &"<p class=c3>x".repeat(200)));
    assert!(few.work.selectors < 100 * 100, "{:?}: rules are found by class and id", few.work);
    assert!(more.work.selectors < few.work.selectors * 21 / 10, "{:?} {:?}", few.work, more.work);
}

#[test]
fn layout_is_about_linear_in_boxes() {
    let flex = |n: usize| {
        page(
            "div{display:flex}",
            &format!("<div><div><div>{}</div></div></div>", "<p>a<b>c</b></p>".repeat(n)),
        )
    };
    let deep = |n: usize| page("div{display:flex;padding:1px}", &("<div>".repeat(n) + "x"));
    let table = |n: usize| {
        page("", &format!("<table>{}</table>", "<tr><td>a<td>b<td><button>c</button>".repeat(n)))
    };
    let blocks = |n: usize| page("", &"<div><p>a <button>b</button></div>".repeat(n));
    for (name, make, small) in [
        ("flex", &flex as &dyn Fn(usize) -> String, 300),
        ("nested flex", &deep, 10),
        ("table", &table, 300),
        ("blocks", &blocks, 300),
    ] {
        let (one, two) = (see(&make(small)).work.boxes, see(&make(2 * small)).work.boxes);
        assert!(two <= one * 5 / 2 + 50, "{name}: {one} boxes laid out, {two} for twice the page");
    }
}

#[test]
fn custom_properties_in_cycles_and_towers() {
    let chain: String = (1..5_000).map(|n| format!("--v{n}:var(--v{});", n - 1)).collect();
    check(&page(&format!(":root{{--v0:9px;{chain}}} button{{width:var(--v4999)}}"), BODY));
    let doubled: String =
        (1..40).map(|n| format!("--d{n}:var(--d{0}) var(--d{0});", n - 1)).collect();
    check(&page(&format!(":root{{--d0:x;{doubled}}} button{{width:var(--d39)}}"), BODY));
    let ring: String = (0..1_000).map(|n| format!("--r{n}:var(--r{});", (n + 1) % 1_000)).collect();
    let seen = check(&page(&format!(":root{{{ring}}} button{{width:var(--r5, 77px)}}"), BODY));
    assert!(rects(&seen.capture).iter().any(|rect| (rect.width - 77.0).abs() < 0.5));
    check(&page(&format!("button{{width:{}1px", "var(--x,".repeat(30_000)), BODY));
}

#[test]
fn absurd_sizes_stay_finite() {
    let values = [
        "1e38px",
        "-1e38px",
        "1e400px",
        "calc(1e38px * 1e38)",
        "calc(0px / 0)",
        "99999999999%",
        "-5px",
        "calc(infinity * 1px)",
        "calc(NaN * 1px)",
        "1e30em",
        "1e-40px",
        "calc(100% * 1e30)",
    ];
    let properties = [
        "width",
        "height",
        "margin",
        "padding",
        "border-width",
        "font-size",
        "line-height",
        "inset",
        "letter-spacing",
        "text-indent",
        "min-width",
        "max-height",
        "flex-basis",
        "gap",
        "border-spacing",
        "vertical-align",
        "transform: translate(1e38px, -1e38px) scale(1e38); width",
        "aspect-ratio: 1e38 / 1e-38; width",
    ];
    let displays = ["flex", "grid", "inline-block", "table", "table-cell", "inline", "block"];
    for (at, value) in values.iter().enumerate() {
        for (place, property) in properties.iter().enumerate() {
            let display = displays[(at + place) % displays.len()];
            check(&page(
                &format!(".a, .a *{{display:{display};{property}:{value};border-style:solid}}"),
                BODY,
            ));
        }
    }
    check(&page(
        "div{display:grid;grid-template-columns:repeat(1000000,1px);grid-auto-rows:-1px}",
        BODY,
    ));
    check(&page("div{display:grid} div>*{grid-column:99999999;grid-row:span 99999999}", BODY));
    check(&page("div{display:grid;grid-template-columns:repeat(auto-fill,0.0001px)}", BODY));
    check(&page("", "<table><tr><td colspan=999999 rowspan=999999>x<td>y</table>"));
}

#[test]
fn deep_nesting_ends() {
    for tag in ["div", "span", "table><tr><td", "ul><li", "button", "fieldset", "details open"] {
        check(&page(
            "div,span{padding:1px}",
            &(format!("<{tag}>").repeat(600) + "<a href=/x>deep</a>"),
        ));
    }
    check(&page("div{display:flex;flex-wrap:wrap}", &("<div>".repeat(600) + "<button>b</button>")));
    check(&page("div{display:grid}", &("<div>".repeat(600) + "<button>b</button>")));
    check(&page("span{display:inline-block}", &("<span>".repeat(600) + "<button>b</button>")));
    check(&page("div{position:absolute}", &("<div>".repeat(600) + "<button>b</button>")));
    check(&page("div{float:left}", &("<div>".repeat(600) + "<button>b</button>")));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 120, ..ProptestConfig::default() })]

    #[test]
    fn noise_is_passed_over(css in "[ -~\\n\\u{e9}]{0,400}") {
        check(&page(&css, BODY));
        check(&format!("<div style=\"{}\">x<button>b</button></div>", css.replace('"', "'")));
    }

    #[test]
    fn declarations_of_any_values_hold(
        parts in prop::collection::vec((0..PROPERTIES.len(), 0..VALUES.len(), 0..SELECTORS.len()), 1..30)
    ) {
        let css: String = parts
            .iter()
            .map(|(p, v, s)| format!("{}{{{}:{}}}", SELECTORS[*s], PROPERTIES[*p], VALUES[*v]))
            .collect();
        check(&page(&css, BODY));
    }
}

const SELECTORS: &[&str] = &[
    "*",
    "div",
    "p",
    ".a > *",
    "b, i",
    "button::before",
    "li::after",
    "td",
    "tr",
    "table",
    "input",
    "a:hover",
    "body",
    "html",
    "p :not(b)",
    "div:has(a)",
];

const PROPERTIES: &[&str] = &[
    "display",
    "position",
    "float",
    "width",
    "height",
    "min-width",
    "max-width",
    "min-height",
    "margin",
    "margin-top",
    "padding",
    "border",
    "inset",
    "top",
    "left",
    "overflow",
    "white-space",
    "font-size",
    "line-height",
    "vertical-align",
    "text-align",
    "transform",
    "z-index",
    "opacity",
    "flex",
    "flex-direction",
    "flex-wrap",
    "align-items",
    "justify-content",
    "order",
    "gap",
    "grid-template-columns",
    "grid-template-rows",
    "grid-area",
    "grid-column",
    "grid-auto-flow",
    "clear",
    "box-sizing",
    "content",
    "aspect-ratio",
    "letter-spacing",
    "word-break",
    "text-indent",
    "table-layout",
    "border-collapse",
    "border-spacing",
    "all",
    "direction",
    "list-style",
    "appearance",
    "--x",
    "visibility",
    "pointer-events",
];

const VALUES: &[&str] = &[
    "none",
    "block",
    "inline",
    "inline-block",
    "flex",
    "inline-flex",
    "grid",
    "inline-grid",
    "table",
    "table-row",
    "table-cell",
    "table-caption",
    "list-item",
    "contents",
    "flow-root",
    "absolute",
    "fixed",
    "relative",
    "sticky",
    "left",
    "right",
    "both",
    "auto",
    "0",
    "10px",
    "-10px",
    "50%",
    "200%",
    "-50%",
    "1e30px",
    "min-content",
    "max-content",
    "fit-content",
    "hidden",
    "scroll",
    "nowrap",
    "pre",
    "pre-wrap",
    "top",
    "middle",
    "bottom",
    "center",
    "rotate(30deg)",
    "scale(-2, 0)",
    "translate(50%, 9px)",
    "-1",
    "5",
    "1 1 0",
    "column",
    "row-reverse",
    "wrap",
    "baseline",
    "stretch",
    "space-between",
    "1fr 2fr",
    "repeat(3, 1fr)",
    "repeat(auto-fill, 10px)",
    "[a] 10px [b]",
    "a",
    "1 / span 3",
    "column dense",
    "border-box",
    "'text'",
    "attr(class)",
    "2 / 1",
    "break-all",
    "collapse",
    "fixed",
    "revert",
    "inherit",
    "initial",
    "unset",
    "revert-layer",
    "var(--x)",
    "var(--y, 20px)",
    "rtl",
    "inside",
    "3px solid",
    "calc(100% - 20px)",
    "clamp(1px, 50%, 9px)",
    "min(10px, 5%)",
];
