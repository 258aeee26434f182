//! One node's state, and what lies at a point.

use crate::support::{Stage, key, within};
use backlot_core::port::{HitAnswer, Op, Point, Port, Probe, Reply};

async fn probe(stage: &Stage, id: &str) -> Probe {
    let node = key(&stage.capture().await, id);
    stage.probe(node).await.unwrap()
}

async fn mark(stage: &Stage, id: &str) -> String {
    stage.mark(key(&stage.capture().await, id)).await
}

async fn hit(stage: &Stage, id: &str, x: f64, y: f64) -> HitAnswer {
    let node = key(&stage.capture().await, id);
    let op = Op::HitTest { tab: stage.tab, node, points: vec![Point { x, y }] };
    match stage.port.call(op, within(5_000)).await.unwrap() {
        Reply::Hit(answer) => answer,
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn disabled_inert_readonly_and_not_rendered() {
    let stage = Stage::showing(
        "<!doctype html><fieldset disabled><legend><input id=legend></legend><input id=fielded></fieldset>
        <div aria-disabled=true><b id=aria>x</b></div><div inert><b id=inert>x</b></div><input id=ro readonly>
        <div style='display:none'><b id=none>x</b></div><div style='display:contents'><b id=shown>x</b></div>
        <select disabled><option id=option>1</select>",
    )
    .await;
    for (id, disabled) in
        [("legend", false), ("fielded", true), ("aria", true), ("option", true), ("ro", false)]
    {
        assert_eq!(probe(&stage, id).await.disabled, disabled, "{id}");
    }
    assert!(probe(&stage, "inert").await.inert && !probe(&stage, "ro").await.inert);
    assert!(probe(&stage, "ro").await.readonly && !probe(&stage, "legend").await.readonly);
    assert!(!probe(&stage, "none").await.rendered && probe(&stage, "shown").await.rendered);
    stage.browser.close().await;
}

#[tokio::test]
async fn a_modal_dialog_makes_the_rest_inert() {
    let stage = Stage::showing("<!doctype html><button id=out>o</button><dialog id=d><button id=in>i</button></dialog><script>d.showModal()</script>").await;
    assert!(probe(&stage, "out").await.inert && !probe(&stage, "in").await.inert);
    let capture = stage.capture().await;
    assert_eq!(capture.top().modal, [crate::support::place(capture.top(), "d")]);
    stage.browser.close().await;
}

#[tokio::test]
async fn a_mark_tells_what_a_node_means() {
    let page = |name: &str| {
        format!(
            "<!doctype html><ul><li>{name} <button id=b>Delete</button></ul><button id=o>x</button>"
        )
    };
    let stage = Stage::showing(&page("Ann")).await;
    let ann = mark(&stage, "b").await;
    assert_eq!(ann, mark(&stage, "b").await);
    assert_ne!(ann, mark(&stage, "o").await);
    stage.show(&page("Ann")).await;
    assert_eq!(ann, mark(&stage, "b").await);
    stage.show(&page("Bob")).await;
    assert_ne!(ann, mark(&stage, "b").await);
    stage.browser.close().await;
}

#[tokio::test]
async fn steps_through_frames_name_what_is_unsupported() {
    let stage = Stage::new().await;
    stage.server.page("/in", "<!doctype html><b class=x id=IN>x</b>");
    for (style, reason) in [
        ("transform:translate(5px,6px) scale(2,1)", None),
        ("transform:rotate(3deg)", Some("non_axis_aligned_transform")),
        ("transform:scale(-1,1)", Some("non_axis_aligned_transform")),
        ("transform:rotateX(9deg)", Some("non_axis_aligned_transform")),
        ("rotate:3deg", Some("individual_transform")),
        ("scale:2", Some("individual_transform")),
        ("zoom:2", Some("zoom")),
        ("perspective:100px", Some("perspective")),
    ] {
        let html = format!(
            "<!doctype html><div style='{style}'><iframe src=/in style='width:100px;height:50px;padding:3px;border:2px solid'></iframe></div>"
        );
        stage.show(&html).await;
        let steps = probe(&stage, "IN").await.frames;
        assert_eq!(steps.len(), 2);
        assert_eq!(steps[1].unsupported.as_deref(), reason, "{style}");
        assert_eq!((steps[1].border, steps[1].padding), ((2.0, 2.0), (3.0, 3.0)), "{style}");
        if reason.is_none() {
            assert_eq!(steps[1].layout_size, (110.0, 60.0));
            let owner = steps[1].owner_rect.unwrap();
            assert_eq!((owner.width, owner.height), (220.0, 60.0));
        }
    }
    stage.browser.close().await;
}

#[tokio::test]
async fn a_hit_counts_for_descendants_labels_and_shadow_trees() {
    let stage = Stage::showing(
        "<!doctype html><style>body{margin:0}div,label,section{display:block;height:20px}</style>
        <div id=a><b>deep</b></div><label>text <input id=i type=checkbox></label>
        <section id=host><template shadowrootmode=open><style>i{display:block}</style><i id=inner>shadow</i></template></section><p id=low>low",
    )
    .await;
    assert_eq!(hit(&stage, "a", 5.0, 10.0).await, HitAnswer::Target);
    assert_eq!(hit(&stage, "i", 5.0, 30.0).await, HitAnswer::Target);
    assert_eq!(hit(&stage, "host", 5.0, 50.0).await, HitAnswer::Target);
    assert_eq!(hit(&stage, "inner", 5.0, 50.0).await, HitAnswer::Target);
    match hit(&stage, "a", 5.0, 50.0).await {
        HitAnswer::Covered { tag, id, text, .. } => {
            assert_eq!((tag.as_str(), id.as_str(), text.as_str()), ("i", "inner", "shadow"));
        }
        other => panic!("{other:?}"),
    }
    assert_eq!(hit(&stage, "a", 5_000.0, 10.0).await, HitAnswer::Nothing);
    stage.browser.close().await;
}
