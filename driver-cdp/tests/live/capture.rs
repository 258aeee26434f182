//! The page as facts.

use crate::support::{Stage, key, options, place, within};
use backlot_core::page::{
    CaptureSpec, Display, Element, FieldValue, Frame, FrameGap, NodeData, ShadowMode, Visibility,
};
use backlot_core::port::{LoadState, Op, Port, Reply, ScrollBy, ScrollWhat};
use backlot_driver_cdp::{LaunchOptions, Route};

fn element<'a>(frame: &'a Frame, id: &str) -> &'a Element {
    frame.element(place(frame, id)).unwrap()
}

#[tokio::test]
async fn tree_attributes_state_styles_and_boxes() {
    let stage = Stage::showing(
        r#"<!doctype html><title>A &amp; B</title><style>#p::before{content:"x" / "alt"} #q::after{content:attr(title)}</style>
        <body style="margin:0"><!-- no --><p id=p data-x=1 class=k>one <b id=b>two</b></p>
        <p id=q title="tip" style="position:absolute;cursor:pointer">q</p>
        <div id=none style="display:none"><i id=inner>x</i></div><span id=hid style="visibility:hidden">h</span>
        <input id=t value=start><input id=c type=checkbox checked><select><option id=o1>1<option id=o2 selected>2</select>
        <textarea id=ta>text</textarea><details><summary id=s>s</summary><em id=skipped>e</em></details>
        <div id=box style="width:100px;height:50px"></div><script>document.getElementById('t').value='live'; t.focus()</script>"#,
    )
    .await;
    let capture = stage.capture().await;
    let top = capture.top();
    assert_eq!(
        (top.title.as_str(), top.viewport.width, top.viewport.height),
        ("A & B", 1280.0, 720.0)
    );
    assert_eq!(top.url, stage.server.url("/"));
    let p = element(top, "p");
    assert_eq!(p.attributes[..], [("id".into(), "p".into()), ("class".into(), "k".into())]);
    assert_eq!(p.before.as_ref().map(|text| text.text.as_str()), Some("alt"));
    assert_eq!(element(top, "q").after.as_ref().map(|text| text.text.as_str()), Some("tip"));
    let style = |id: &str| *element(top, id).style.known().unwrap();
    assert_eq!(style("p").display, Display::Block);
    assert_eq!(style("b").display, Display::Inline);
    assert!(style("q").out_of_flow && style("q").cursor_pointer);
    assert_eq!(style("none").display, Display::None);
    assert_eq!(style("inner").display, Display::Inline);
    assert_eq!(style("hid").visibility, Visibility::Hidden);
    assert!(style("skipped").contents_skipped && !style("s").contents_skipped);
    assert_eq!(element(top, "t").control.as_ref().unwrap().value, FieldValue::Text("live".into()));
    assert!(element(top, "c").control.as_ref().unwrap().checked);
    assert!(element(top, "o2").control.as_ref().unwrap().selected);
    assert!(!element(top, "o1").control.as_ref().unwrap().selected);
    assert_eq!(element(top, "ta").control.as_ref().unwrap().value, FieldValue::Text("text".into()));
    let rect = element(top, "box").rect.known().unwrap();
    assert_eq!((rect.width, rect.height), (100.0, 50.0));
    assert!(element(top, "inner").rect.known().is_none());
    assert_eq!(top.focused, Some(place(top, "t")));
    assert!(
        top.nodes
            .iter()
            .all(|node| !matches!(&node.data, NodeData::Element(e) if e.tag == "script"))
    );
    stage.browser.close().await;
}

#[tokio::test]
async fn shadow_roots_and_slots() {
    let stage = Stage::showing(
        r#"<!doctype html><div id=host><template shadowrootmode=open><b id=in>in</b><slot id=s name=a></slot><slot id=d><i>fallback</i></slot></template><u id=light slot=a>l</u></div>"#,
    )
    .await;
    let capture = stage.capture().await;
    let top = capture.top();
    let host = place(top, "host");
    let root = top.children(host).next().unwrap();
    assert_eq!(top.node(root).data, NodeData::ShadowRoot(ShadowMode::Open));
    assert_eq!(element(top, "s").assigned[..], [place(top, "light")]);
    assert!(element(top, "d").assigned.is_empty());
    assert!(place(top, "in") < place(top, "light"));
    stage.browser.close().await;
}

#[tokio::test]
async fn frames_of_the_same_origin_and_gaps() {
    let stage = Stage::new().await;
    stage.server.page("/inner", "<title>inner</title><p id=deep>deep");
    let other = format!("http://localhost:{}/inner", stage.server.port());
    stage
        .show(&format!(
            "<!doctype html><iframe id=a src=/inner></iframe><iframe id=x src={other}></iframe><iframe id=b srcdoc='<p id=doc>d'></iframe>"
        ))
        .await;
    let capture = stage.capture().await;
    let facts: Vec<_> = capture.frames.iter().map(|f| (f.title.as_str(), f.gap)).collect();
    assert_eq!(facts, [("", None), ("inner", None), ("", Some(FrameGap::CrossOrigin)), ("", None)]);
    assert_eq!(capture.frames[2].url, other);
    let top = capture.top();
    assert_eq!(capture.frames[1].owner, Some((0, place(top, "a"))));
    assert_eq!(element(top, "a").frame, Some(1));
    assert_eq!(element(top, "b").frame, Some(3));
    let again = stage.capture().await;
    assert_eq!(key(&capture, "deep"), key(&again, "deep"));
    stage.browser.close().await;
}

/// Each of these frames is a process of its own that waits until it is set up: one that is forgotten never loads.
#[tokio::test]
async fn frames_of_other_sites_inside_each_other_load() {
    let stage = Stage::new().await;
    let port = stage.server.port();
    let frame = |host: &str, path: &str| {
        format!(
            "<!doctype html><title>{path}</title><iframe src=http://{host}:{port}{path}></iframe>"
        )
    };
    stage.server.page("/b", &frame("c.localhost", "/c"));
    stage.server.page("/c", &frame("d.localhost", "/d"));
    stage.server.page("/d", "<!doctype html><script>alert('deep')</script><p>d");
    let loaded = stage.show(&frame("b.localhost", "/b")).await;
    assert_eq!(loaded.load, LoadState::Complete);
    assert_eq!(stage.capture().await.frames.len(), 2);
    stage.browser.close().await;
}

#[tokio::test]
async fn keys_last_and_die_with_their_document() {
    let stage = Stage::showing("<!doctype html><ul id=l><li id=one>1<li id=two>2</ul>").await;
    let first = stage.capture().await;
    let second = stage.capture_as(CaptureSpec::TEXT).await.unwrap();
    assert_eq!(key(&first, "one"), key(&second, "one"));
    assert!(stage.probe(key(&first, "one")).await.is_some());
    let navigated = stage.show("<!doctype html><ul id=l><li id=one>1</ul>").await;
    let third = stage.capture().await;
    assert_eq!(third.top().document, navigated.document);
    assert_eq!(third.top().document.frame, first.top().document.frame);
    assert_ne!(third.top().document.loader, first.top().document.loader);
    assert!(stage.probe(key(&first, "one")).await.is_none());
    stage.browser.close().await;
}

#[tokio::test]
async fn keys_outlast_garbage_collection() {
    let collecting =
        LaunchOptions { extra_args: vec!["--js-flags=--expose-gc".into()], ..options() };
    let stage = Stage::with(collecting).await;
    stage.show("<!doctype html><title>0</title><ul id=l></ul><script>
        for (let i = 0; i < 500; i++) l.append(Object.assign(document.createElement('li'), { id: 'n' + i, textContent: i }));
        setInterval(() => { gc(); document.title++; }, 5);</script>").await;
    let first = stage.capture().await;
    let mut last = first.clone();
    let collections =
        |capture: &backlot_core::page::Capture| -> u32 { capture.top().title.parse().unwrap() };
    while collections(&last) < collections(&first) + 10 {
        last = stage.capture().await;
        assert_eq!(first.top().nodes, last.top().nodes);
    }
    stage.browser.close().await;
}

#[tokio::test]
async fn a_secret_never_becomes_a_string_of_ours() {
    let stage = Stage::showing(
        r#"<!doctype html><input id=p type=password value=hunter2><input id=o autocomplete="section-x one-time-code" value=hunter2>
        <ul><li id=row>card <textarea id=c autocomplete=cc-number>hunter2</textarea></ul><input id=e type=password>"#,
    )
    .await;
    let capture = stage.capture().await;
    assert!(!format!("{capture:?}").contains("hunter2"));
    let top = capture.top();
    let value = |id: &str| element(top, id).control.as_ref().unwrap().value.clone();
    for id in ["p", "o", "c"] {
        assert_eq!(value(id), FieldValue::Secret { filled: true }, "{id}");
    }
    assert_eq!(value("e"), FieldValue::Secret { filled: false });
    // A mark, too, is a string that leaves the page.
    for id in ["p", "c", "row"] {
        let mark = stage.mark(key(&capture, id)).await;
        assert!(!mark.contains("hunter2"), "{mark}");
    }
    stage.browser.close().await;
}

#[tokio::test]
async fn the_page_notices_nothing_and_cannot_lie() {
    let options = LaunchOptions { binding: Some("tell".into()), ..options() };
    let stage = Stage::with(options).await;
    stage
        .show(
            r#"<!doctype html><p id=p>x</p><script>
            for (const name of ['firstChild', 'lastChild', 'shadowRoot']) {
              Object.defineProperty(Node.prototype, name, { get() { tell(name); return null; } });
            }
            window.getComputedStyle = () => tell('style');
            JSON.stringify = () => '"lie"';
            p.append('\ud800 lone');
            const all = { subtree: true, childList: true, attributes: true, characterData: true };
            new MutationObserver(() => tell('mutation')).observe(document, all);</script>"#,
        )
        .await;
    // The parser's own last steps may be seen.
    stage.browser.binding_calls();
    let first = stage.capture().await;
    let second = stage.capture().await;
    assert_eq!(first.top().nodes, second.top().nodes);
    assert!(format!("{:?}", second.top().nodes).contains("\u{FFFD} lone"));
    assert_eq!(stage.browser.binding_calls(), [""; 0]);
    stage.browser.close().await;
}

#[tokio::test]
async fn any_page_gives_a_capture() {
    let stage = Stage::new().await;
    let nested = "<!doctype html><div id=top></div><script>
        let at = top_ = document.getElementById('top');
        for (let i = 0; i < 3000; i++) at = at.appendChild(document.createElement('b'));</script>";
    let long = format!("<!doctype html><p id=p title='{0}'>{0}", "\u{1F600}x".repeat(120_000));
    let odd: &[u8] = b"<p id=p>a\0b\xff\xfe<b></p></i></b><table><tr><a><td>x<svg><foreignObject><p>y</svg><math><mi>z";
    stage.server.page("/nested", nested);
    stage.server.page("/long", &long);
    stage.server.route("/odd", Route::html(odd));
    stage.server.page("/gone", "<!doctype html><script>document.documentElement.remove()</script>");
    stage.server.route("/svg", Route {
        content_type: "image/svg+xml".into(),
        ..Route::html("<svg xmlns='http://www.w3.org/2000/svg'><title>t</title><text id='p'>s</text></svg>")
    });
    for path in ["/nested", "/long", "/odd", "/gone", "/svg"] {
        stage.go(&stage.server.url(path)).await.unwrap();
        let capture = stage.capture().await;
        let top = capture.top();
        match path {
            "/nested" => {
                assert!((2_000..2_100).contains(&top.cut), "{}", top.cut);
                assert!(top.nodes.len() < 1_010, "{}", top.nodes.len());
            }
            "/long" => {
                let at = place(top, "p");
                let NodeData::Text(text) = &top.node(at + 1).data else { panic!("no text") };
                assert_eq!(text.encode_utf16().count(), 99_999);
                assert_eq!(element(top, "p").attr("title").unwrap().encode_utf16().count(), 3_999);
            }
            "/gone" => assert_eq!(top.nodes, []),
            _ => assert!(!top.nodes.is_empty() && top.cut == 0, "{path}"),
        }
    }
    let spec = CaptureSpec { nodes_max: 3, ..CaptureSpec::TEXT };
    stage.show("<!doctype html><p>a<p>b<p>c").await;
    let capture = stage.capture_as(spec).await.unwrap();
    assert_eq!((capture.top().nodes.len(), capture.top().cut), (3, 5));
    stage.browser.close().await;
}

#[tokio::test]
async fn the_browsers_own_tree_is_given_flat() {
    let stage = Stage::showing("<!doctype html><ul><li><button>Save</button></ul>").await;
    let op = Op::BrowserTree { tab: stage.tab };
    let Ok(Reply::BrowserTree(tree)) = stage.port.call(op, within(5_000)).await else {
        panic!("no tree")
    };
    let words: Vec<_> = tree.iter().map(|n| (n.depth, n.role.as_str(), n.name.as_str())).collect();
    let button = words.iter().find(|(_, role, _)| *role == "button").unwrap();
    assert_eq!(button.2, "Save");
    assert!(words[0].0 == 0 && words[0].1 == "list" && button.0 == 2, "{words:?}");
    stage.browser.close().await;
}

#[tokio::test]
async fn scrolling() {
    let stage = Stage::showing(
        "<!doctype html><body style='margin:0'><div style='height:3000px'></div>
        <div id=s style='height:100px;overflow:auto'><div style='height:500px'></div><b id=deep>x</b></div><div style='height:3000px'></div>",
    )
    .await;
    let capture = stage.capture().await;
    let (deep, scroller) = (key(&capture, "deep"), key(&capture, "s"));
    let scroll = async |what| match stage
        .port
        .call(Op::Scroll { tab: stage.tab, what }, within(5_000))
        .await
    {
        Ok(Reply::Scrolled(scrolled)) => scrolled,
        other => panic!("{other:?}"),
    };
    let by = scroll(ScrollWhat::Page(ScrollBy::Pixels(100.0))).await;
    assert_eq!((by.moved, by.at_start, by.at_end), (100.0, false, false));
    assert_eq!(scroll(ScrollWhat::Page(ScrollBy::Pages(-1.0))).await.moved, -100.0);
    assert!(scroll(ScrollWhat::Page(ScrollBy::End)).await.at_end);
    let into = scroll(ScrollWhat::IntoView(deep)).await;
    assert!(into.moved != 0.0, "{into:?}");
    let rect = stage.probe(deep).await.unwrap().rect;
    assert!(rect.y > 0.0 && rect.y < 720.0, "{rect:?}");
    assert_eq!(scroll(ScrollWhat::IntoView(deep)).await.moved, 0.0);
    let start = scroll(ScrollWhat::Element(scroller, ScrollBy::Start)).await;
    assert!(start.at_start && start.moved < 0.0, "{start:?}");
    stage.browser.close().await;
}

#[tokio::test]
async fn the_browsers_tree_stands_beside_the_nodes_of_a_capture() {
    let stage = Stage::showing(
        r#"<!doctype html><title>T</title><p>one <button id=b aria-pressed=true title=more>Go</button></p>
        <x-a id=h>light<template shadowrootmode=open><i>in</i> <a href="/" id=a>Link</a><slot></slot></template></x-a>
        <div aria-hidden=true id=hid>no</div><input type=password id=pw value=secret>
        <iframe srcdoc="<h1 id=inner>Inner</h1>"></iframe>"#,
    )
    .await;
    let capture = stage.capture().await;
    let tree = stage.browser.oracle_tree(&capture).await.unwrap().expect("nothing changed");
    let node = |frame: usize, id: &str| {
        let at = place(&capture.frames[frame], id);
        let found = tree.iter().find(|node| (node.frame, node.node) == (frame, at));
        found.unwrap_or_else(|| panic!("{id} is not in the tree"))
    };
    let button = node(0, "b");
    assert_eq!((button.role.as_str(), button.name.as_str()), ("button", "Go"));
    assert_eq!(button.description, "more");
    assert_eq!(button.properties.get("pressed").map(String::as_str), Some("true"));
    assert_eq!(node(0, "a").role, "link");
    assert!(node(0, "hid").ignored);
    assert_eq!(node(1, "inner").name, "Inner");
    let script = "document.querySelector('p').append(document.createElement('hr'))";
    stage.browser.run_page_script(stage.tab, script).await.unwrap();
    assert_eq!(stage.browser.oracle_tree(&capture).await.unwrap(), None);
    stage.browser.close().await;
}
