//! From HTML to a capture.

use crate::drive::{Browser, by_id, outline, top_frame_of};
use backlot_core::page::{
    CaptureSpec, Display, Fact, FieldValue, FrameGap, Style, Visibility, limits,
};
use backlot_core::port::DriverError;
use backlot_sim::{Response, World};

fn check(html: &str, expected: &str) {
    let browser = Browser::showing(html);
    assert_eq!(outline(browser.text().top()), expected);
}

fn styled(html: &str, id: &str) -> Style {
    let browser = Browser::showing(html);
    let capture = browser.text();
    match by_id(capture.top(), id).style {
        Fact::Known(style) => style,
        other => panic!("{other:?}"),
    }
}

#[test]
fn head_script_style_and_template_are_left_out() {
    check(
        "<title>T</title><p>a<script>x</script><b>b</b><!-- c --><style>p{}</style><template>t</template>",
        "html\n body\n  p\n   \"a\"\n   b\n    \"b\"\n",
    );
}

#[test]
fn an_open_shadow_root_stands_before_the_light_children_and_a_closed_one_does_not_stand() {
    check(
        "<div><template shadowrootmode=open><slot></slot></template><i>l</i></div>
         <div><template shadowrootmode=closed><b>secret</b><slot></slot></template><i>m</i></div>",
        "html\n body\n  div\n   #Open\n    slot\n   i\n    \"l\"\n  div\n   i\n    \"m\"\n",
    );
}

#[test]
fn an_invalid_or_second_shadow_host_is_refused() {
    check(
        "<button><template shadowrootmode=open>x</template>y</button>
         <div><template shadowrootmode=open>1</template><template shadowrootmode=open>2</template></div>",
        "html\n body\n  button\n   \"y\"\n  div\n   #Open\n    \"1\"\n",
    );
}

#[test]
fn slots_name_what_is_assigned_to_them() {
    let browser = Browser::showing(
        "<div id=h><template shadowrootmode=open><slot id=a name=n></slot><slot id=b></slot></template>\
         <i id=x slot=n></i>t<b id=y></b><u id=z slot=none></u></div>",
    );
    let capture = browser.text();
    let frame = capture.top();
    let ids = |slot: &str| -> Vec<String> {
        let assigned = &by_id(frame, slot).assigned;
        assigned
            .iter()
            .map(|at| frame.element(*at).map_or("text".into(), |e| e.attr("id").unwrap().into()))
            .collect()
    };
    assert_eq!(ids("a"), ["x"]);
    assert_eq!(ids("b"), ["text", "y"]);
    let display = |id| by_id(frame, id).style.known().unwrap().display;
    assert_eq!((display("y"), display("z")), (Display::Inline, Display::None));
}

#[test]
fn display_comes_from_the_cascade() {
    let page = "<style>
        p { display: flex } #b { display: inline !important } .x { display: none }
        @media (max-width: 100px) { p { display: none } }
        @media screen and (min-width: 1000px) { i { display: block } }
        @supports (display: grid) { u { display: grid } }
        @layer low { s { display: none } } s { display: inline-block }
        em { --d: block; display: var(--d) }
        ul { li { display: none } }
        </style><p id=a></p><p id=b style='display:block'></p><b class=x id=c></b><i id=d></i><u id=e></u>
        <s id=f></s><em id=g></em><ul><li id=h></ul><td id=nothing><span id=i style='float:left'></span>
        <div style='display:flex'><span id=j></span></div>";
    let cases = [
        ("a", Display::Block),
        ("b", Display::Inline),
        ("c", Display::None),
        ("d", Display::Block),
        ("e", Display::Block),
        ("f", Display::InlineBlock),
        ("g", Display::Block),
        ("h", Display::None),
        ("i", Display::Block),
        ("j", Display::Block),
    ];
    for (id, display) in cases {
        assert_eq!(styled(page, id).display, display, "{id}");
    }
}

#[test]
fn visibility_and_cursor_are_inherited_and_skipped_parts_are_told() {
    let page = "<div style='visibility:hidden;cursor:pointer'><i id=a></i><b id=b style='visibility:visible'></b></div>
        <details><summary id=s>s</summary><p id=d>x</p></details><p id=u hidden=until-found><i id=v></i></p>
        <a href=x id=l>y</a><a id=n>y</a>";
    assert_eq!(styled(page, "a").visibility, Visibility::Hidden);
    assert!(styled(page, "a").cursor_pointer);
    assert_eq!(styled(page, "b").visibility, Visibility::Visible);
    assert!(styled(page, "d").contents_skipped && !styled(page, "s").contents_skipped);
    assert!(styled(page, "u").contents_skipped && styled(page, "v").contents_skipped);
    assert!(styled(page, "l").cursor_pointer && !styled(page, "n").cursor_pointer);
}

#[test]
fn scoped_rules_stay_in_their_tree() {
    let page = "<style>i { display: none }</style><div id=h><template shadowrootmode=open>
        <style>:host { display: inline } ::slotted(b) { display: block } i { visibility: hidden }</style>
        <i id=in></i><slot></slot></template><b id=s></b><i id=out></i></div>";
    assert_eq!(styled(page, "h").display, Display::Inline);
    assert_eq!(styled(page, "s").display, Display::Block);
    assert_eq!(styled(page, "in").display, Display::Inline);
    assert_eq!(styled(page, "in").visibility, Visibility::Hidden);
    assert_eq!(styled(page, "out").display, Display::None);
    assert_eq!(styled(page, "out").visibility, Visibility::Visible);
}

#[test]
fn pseudo_elements_give_their_text() {
    let browser = Browser::showing(
        "<style>#a::before { content: 'x ' attr(title) } #a::after { content: '*' / 'star'; display: block }</style>
         <p id=a title=T></p>",
    );
    let capture = browser.text();
    let element = by_id(capture.top(), "a");
    let before = element.before.clone().unwrap();
    let after = element.after.clone().unwrap();
    assert_eq!((before.text.as_str(), before.block), ("x T", false));
    assert_eq!((after.text.as_str(), after.block), ("star", true));
}

#[test]
fn controls_give_their_live_state_and_keep_secrets() {
    let browser = Browser::showing(
        "<input id=a value=v><input id=b type=password value=hunter2><input id=c type=checkbox checked>
         <textarea id=d>\nx</textarea><select id=e><option id=f>1<option id=g selected>2</select>
         <input id=h autocomplete='cc-number'><select id=i><option id=j disabled>1<option id=k>2</select>",
    );
    let capture = browser.text();
    let json = serde_json::to_string(&capture).unwrap();
    assert!(!json.contains("hunter2"));
    let control = |id| by_id(capture.top(), id).control.clone().unwrap();
    assert_eq!(control("a").value, FieldValue::Text("v".into()));
    assert_eq!(control("b").value, FieldValue::Secret { filled: true });
    assert!(control("c").checked && control("c").value == FieldValue::None);
    assert_eq!(control("d").value, FieldValue::Text("x".into()));
    assert!(!control("f").selected && control("g").selected);
    assert_eq!(control("h").value, FieldValue::Secret { filled: false });
    assert!(!control("j").selected && control("k").selected);
}

#[test]
fn frames_stand_in_tree_order_and_other_origins_are_gaps() {
    let world = World::new(1);
    world.serve("http://a.test/", Response::html(
        "<title> the\n top </title><iframe src=one></iframe><iframe id=x src=http://b.test/></iframe>\
         <iframe id=s srcdoc='<p>d'></iframe><iframe sandbox srcdoc=y></iframe>",
    ));
    world.serve("http://a.test/one", Response::html("<iframe srcdoc='<b>in'></iframe>"));
    world.serve("http://b.test/", Response::html("<p>other"));
    let browser = Browser::new(world);
    browser.open("http://a.test/").unwrap();
    let capture = browser.text();
    assert_eq!(capture.top().title, "the top");
    let told: Vec<(&str, Option<FrameGap>, Option<u32>)> = capture
        .frames
        .iter()
        .map(|frame| (frame.url.as_str(), frame.gap, frame.owner.map(|(parent, _)| parent)))
        .collect();
    assert_eq!(
        told,
        [
            ("http://a.test/", None, None),
            ("http://a.test/one", None, Some(0)),
            ("about:srcdoc", None, Some(1)),
            ("http://b.test/", Some(FrameGap::CrossOrigin), Some(0)),
            ("about:srcdoc", None, Some(0)),
            ("about:srcdoc", Some(FrameGap::CrossOrigin), Some(0)),
        ]
    );
    assert_eq!(by_id(capture.top(), "s").frame, Some(4));
    assert!(capture.frames[3].nodes.is_empty());
}

#[test]
fn pages_that_frame_ever_more_pages_end_at_the_depth_limit() {
    let world = World::new(1);
    world.serve_with(Box::new(|url| {
        Some(Response::html(format!("<iframe src='{url}x'></iframe>")))
    }));
    let browser = Browser::new(world);
    browser.open("http://a.test/").unwrap();
    let capture = browser.text();
    let last = capture.frames.last().unwrap();
    assert_eq!(last.gap, Some(FrameGap::TooDeep));
    assert_eq!(capture.frames.len(), limits::FRAME_DEPTH_MAX as usize + 2);
}

#[test]
fn ten_thousand_nested_elements_are_flattened_at_the_parsers_limit() {
    let browser = Browser::showing(&format!("<!doctype html>{}x", "<div>".repeat(10_000)));
    let capture = browser.text();
    let frame = capture.top();
    assert_eq!(frame.cut, 0);
    assert_eq!(frame.nodes.len(), 10_003);
    let depth_of = |at: usize| {
        let mut depth = 1;
        let mut at = at;
        while let Some(parent) = frame.nodes[at].parent {
            depth += 1;
            at = parent as usize;
        }
        depth
    };
    assert_eq!((0..10_002).map(depth_of).max(), Some(513));
}

#[test]
fn bytes_of_any_kind_give_a_capture() {
    let world = World::new(1);
    let mut body = b"<p>a\0b\xff\xfe<b>".to_vec();
    body.extend(std::iter::repeat_n(b'x', 1_000_000));
    world.serve("http://a.test/", Response::html(body));
    let browser = Browser::new(world);
    browser.open("http://a.test/").unwrap();
    let text = outline(browser.text().top());
    assert!(text.contains("ab\u{fffd}\u{fffd}"));
    assert!(text.len() < limits::TEXT_UNITS_MAX as usize + 1_000);
}

#[test]
fn a_budget_of_nodes_is_kept_and_told() {
    let browser = Browser::showing("<p>1<p>2<p>3");
    let capture = browser.capture(CaptureSpec { styles: false, nodes_max: 3, ..CaptureSpec::TEXT });
    assert_eq!((capture.top().nodes.len(), capture.top().cut), (3, 5));
}

#[test]
fn a_node_keeps_its_number_and_a_document_its_key_until_it_is_replaced() {
    let browser = Browser::showing("<p id=a>1</p><p id=b>2</p>");
    let (first, key) = (browser.text(), browser.key("b"));
    browser.world.mutate(browser.tab, |page| page.remove("#a"));
    assert_eq!(browser.key("b"), key);
    browser.world.mutate(browser.tab, |page| page.append_html("body", "<p id=c>"));
    let fresh = browser.key("c");
    assert!(first.find(fresh).is_none());
    browser.open("http://page.test/").unwrap();
    assert_ne!(browser.key("b").document, key.document);
    assert_eq!(top_frame_of(&browser.text()), key.document.frame);
}

#[test]
fn urls_that_do_not_answer_fail_with_the_browsers_word() {
    let browser = Browser::new(World::new(1));
    let error = browser.open("http://nowhere.test/").unwrap_err();
    assert!(
        matches!(&error, DriverError::LoadFailed { reason, .. } if reason == "net::ERR_NAME_NOT_RESOLVED"),
        "{error:?}"
    );
    browser.world.serve("http://a.test/", Response::redirect("/b"));
    browser.world.serve("http://a.test/b", Response::html("ok"));
    assert_eq!(browser.open("http://a.test/").unwrap().url, "http://a.test/b");
}
