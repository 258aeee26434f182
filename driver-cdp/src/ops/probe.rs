//! `Op::Probe` and `Op::HitTest`.

use super::facts::{rect, style};
use crate::book::{Book, SeenDocument};
use crate::session::Link;
use backlot_core::page::{NodeId, NodeKey, Rect, TabId};
use backlot_core::port::{DriverError, FrameStep, HitAnswer, Millis, Point, Probe};
use serde::Deserialize;
use serde_json::json;

#[derive(Debug, Deserialize)]
struct WalkerProbe {
    #[serde(rename = "r")]
    rect: [f64; 4],
    #[serde(rename = "y")]
    style: u32,
    rendered: bool,
    disabled: bool,
    inert: bool,
    readonly: bool,
    frames: Vec<WalkerStep>,
}

#[derive(Debug, Deserialize)]
struct WalkerStep {
    #[serde(flatten)]
    seen: SeenDocument,
    w: f64,
    h: f64,
    #[serde(rename = "r", default)]
    owner: Option<[f64; 4]>,
    #[serde(default)]
    border: (f64, f64),
    #[serde(default)]
    padding: (f64, f64),
    #[serde(default)]
    layout: (f64, f64),
    #[serde(default)]
    unsupported: Option<String>,
}

/// The walker's answer to a hit test, on its own or as the reason why a write was held back.
#[derive(Debug, Deserialize)]
#[serde(tag = "k", rename_all = "snake_case")]
pub(super) enum WalkerHit {
    Target,
    Nothing,
    Gone,
    Covered {
        #[serde(flatten)]
        seen: SeenDocument,
        n: u32,
        tag: String,
        id: String,
        text: String,
    },
}

/// State of one node now; `None` if it is gone.
pub(super) async fn probe(
    link: &Link,
    tab: TabId,
    node: NodeKey,
    deadline: Millis,
) -> Result<Option<Probe>, DriverError> {
    link.book().tab(tab)?;
    let Some(at) = link.walker_node(tab, node) else { return Ok(None) };
    let argument = json!({ "node": at });
    let answer = match link.ask::<Option<WalkerProbe>>(tab, "probe", &argument, deadline).await {
        Ok(answer) => answer,
        Err(no_answer) => match no_answer.of_read() {
            DriverError::DocumentGone => return Ok(None),
            error => return Err(error),
        },
    };
    let Some(found) = answer.value else { return Ok(None) };
    let mut book = link.book();
    let steps = found.frames.into_iter();
    let frames: Option<Vec<FrameStep>> =
        steps.map(|step| frame_step(&mut book, tab, &answer.context, step)).collect();
    Ok(frames.map(|frames| Probe {
        rect: rect(found.rect),
        style: style(found.style),
        rendered: found.rendered,
        disabled: found.disabled,
        inert: found.inert,
        readonly: found.readonly,
        frames,
    }))
}

fn frame_step(book: &mut Book, tab: TabId, context: &str, step: WalkerStep) -> Option<FrameStep> {
    Some(FrameStep {
        document: book.document(tab, context, step.seen)?,
        viewport: Rect { x: 0.0, y: 0.0, width: step.w, height: step.h },
        owner_rect: step.owner.map(rect),
        border: step.border,
        padding: step.padding,
        layout_size: step.layout,
        unsupported: step.unsupported,
    })
}

/// What lies at a point.
pub(super) async fn hit_test(
    link: &Link,
    tab: TabId,
    node: NodeKey,
    points: &[Point],
    deadline: Millis,
) -> Result<HitAnswer, DriverError> {
    link.book().tab(tab)?;
    let Some(at) = link.walker_node(tab, node) else { return Ok(HitAnswer::Gone) };
    let argument = json!({ "node": at, "points": points });
    match link.ask::<WalkerHit>(tab, "hitTest", &argument, deadline).await {
        Ok(answer) => Ok(hit_answer(link, tab, &answer.context, answer.value)),
        Err(no_answer) => match no_answer.of_read() {
            DriverError::DocumentGone => Ok(HitAnswer::Gone),
            error => Err(error),
        },
    }
}

/// The walker's hit in our numbers; gone, if its document went meanwhile.
pub(super) fn hit_answer(link: &Link, tab: TabId, context: &str, hit: WalkerHit) -> HitAnswer {
    match hit {
        WalkerHit::Target => HitAnswer::Target,
        WalkerHit::Nothing => HitAnswer::Nothing,
        WalkerHit::Gone => HitAnswer::Gone,
        WalkerHit::Covered { seen, n, tag, id, text } => {
            match link.book().document(tab, context, seen) {
                Some(document) => {
                    let node = NodeKey { document, node: NodeId(n) };
                    HitAnswer::Covered { node, tag, id, text }
                }
                None => HitAnswer::Gone,
            }
        }
    }
}
