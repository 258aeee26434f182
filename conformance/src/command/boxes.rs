//! `boxes`: where refs lie, and what lies under their middle, in both arms.

use super::CommandError;
use super::compare::say;
use super::roots::{self, NodeBox};
use crate::arm::{Arm, Setup};
use crate::cli::{ArmName, BoxesArgs};
use crate::session::Session;
use crate::site::{self, Site};
use crate::with_arm;
use backlot_core::aria;
use backlot_core::page::{Capture, CaptureSpec, Rect};
use backlot_core::port::{Op, Point, Reply, ScrollWhat};
use backlot_core::snapshot::{LineKind, build};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// How far an edge may lie from the same edge in the other arm, CSS pixels.
pub(super) const DRIFT_MAX: f64 = 1.0;

/// One ref.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct RefBox {
    /// Its line, without what changes with the page.
    line: String,
    tag: String,
    rect: Option<Rect>,
    /// Place in the capture of what receives events in its middle; `None` where that is not asked (in frames) or nothing does.
    under: Option<u32>,
}

/// One page in one arm.
#[derive(Debug, Default, Serialize, Deserialize)]
struct PageBoxes {
    refs: Vec<RefBox>,
    nodes: Vec<NodeBox>,
}

#[derive(Debug, Default)]
struct Count {
    refs: u32,
    boxes_differ: u32,
    under_differ: u32,
    /// What differs, by tag.
    kinds: BTreeMap<String, u32>,
}

pub(crate) fn boxes(args: &BoxesArgs) -> Result<bool, CommandError> {
    let mut least = 100.0_f64;
    for path in &args.paths {
        CommandError::check_exists(path)?;
        let (root, pages) = site::pages(path)?;
        let site = Site::new(&root);
        let sim = all(ArmName::Sim, &site, &pages, args)?;
        let cdp = kept(&site, &pages, args, path)?;
        let mut count = Count::default();
        for ((page, sim), cdp) in pages.iter().zip(sim).zip(cdp) {
            let name = page.strip_prefix(&root).unwrap_or(page).to_string_lossy().into_owned();
            judge(&name, &sim.refs, &cdp.refs, args.show, &mut count);
            for line in roots::of(&sim.nodes, &cdp.nodes).into_iter().take(args.roots) {
                say(&format!("{name}: {line}"));
            }
        }
        let share = |differ: u32| 100.0 * (1.0 - f64::from(differ) / f64::from(count.refs.max(1)));
        let (same_box, same_under) = (share(count.boxes_differ), share(count.under_differ));
        least = least.min(same_box).min(same_under);
        say(&format!(
            "{}: refs {}, box within {DRIFT_MAX} px {same_box:.1}%, same node under the middle {same_under:.1}%",
            path.display(),
            count.refs
        ));
        for (kind, number) in &count.kinds {
            say(&format!("  {kind}: {number}"));
        }
    }
    Ok(least >= args.least)
}

/// What Chromium said, from the file of an earlier run where there is one.
fn kept(
    site: &Site,
    pages: &[PathBuf],
    args: &BoxesArgs,
    path: &Path,
) -> Result<Vec<PageBoxes>, CommandError> {
    let Some(folder) = &args.keep else { return all(ArmName::Cdp, site, pages, args) };
    let name: String = path.to_string_lossy().replace(|c: char| !c.is_ascii_alphanumeric(), "-");
    let file = folder.join(format!("{name}.json"));
    if let Ok(bytes) = fs::read(&file) {
        return serde_json::from_slice(&bytes).map_err(|error| CommandError::file(&file, error));
    }
    let found = all(ArmName::Cdp, site, pages, args)?;
    let bytes = serde_json::to_vec(&found).map_err(|error| CommandError::file(&file, error))?;
    fs::write(&file, bytes).map_err(|error| CommandError::file(&file, error))?;
    Ok(found)
}

fn all(
    arm: ArmName,
    site: &Site,
    pages: &[PathBuf],
    args: &BoxesArgs,
) -> Result<Vec<PageBoxes>, CommandError> {
    let setup = Setup::reader(site, !args.no_scripts);
    with_arm!(arm, &setup, arm => {
        let session = Session::reader(&arm);
        pages
            .iter()
            .map(|page| match session.capture_as(&site.url(page), CaptureSpec::GEOMETRY) {
                Ok(capture) => of_page(&session, &capture),
                // A page that does not load has no refs, in both arms.
                Err(_) => Ok(PageBoxes::default()),
            })
            .collect()
    })
}

fn of_page<A: Arm>(session: &Session<'_, A>, capture: &Capture) -> Result<PageBoxes, CommandError> {
    let snapshot = build(capture, &aria::frames(capture));
    let mut found = Vec::new();
    for line in snapshot.lines.iter().filter(|line| line.has_ref()) {
        let LineKind::Node { role, name, .. } = &line.kind else { continue };
        let (frame_at, at) = line.at;
        let element = capture.frames[frame_at as usize].element(at);
        let in_top = frame_at == 0;
        found.push(RefBox {
            line: format!("{role} {name:?}"),
            tag: element.map(|element| element.tag.to_string()).unwrap_or_default(),
            rect: line.rect,
            under: if in_top { under(session, capture, line.key)? } else { None },
        });
    }
    let nodes = capture.frames.first().map(roots::nodes).unwrap_or_default();
    Ok(PageBoxes { refs: found, nodes })
}

/// What receives events in the middle of a node, once it is in view.
fn under<A: Arm>(
    session: &Session<'_, A>,
    capture: &Capture,
    node: backlot_core::page::NodeKey,
) -> Result<Option<u32>, CommandError> {
    let tab = session.tab()?;
    let what = ScrollWhat::IntoView(node);
    session.ask(Op::Scroll { tab, what })?;
    let Reply::Probe(Some(probe)) = session.ask(Op::Probe { tab, node })? else {
        return Ok(None);
    };
    let (x, y) = probe.rect.center();
    let Reply::NodeAt(Some(key)) = session.ask(Op::NodeAt { tab, point: Point { x, y } })? else {
        return Ok(None);
    };
    Ok(capture.find(key).map(|(_, at)| at))
}

fn judge(page: &str, sim: &[RefBox], cdp: &[RefBox], show: usize, count: &mut Count) {
    count.refs += u32::try_from(cdp.len()).unwrap_or(u32::MAX);
    let mut shown = 0;
    for (at, theirs) in cdp.iter().enumerate() {
        let ours = sim.get(at).filter(|ours| ours.line == theirs.line);
        let same_box = match (ours.and_then(|ours| ours.rect), theirs.rect) {
            (Some(ours), Some(theirs)) => ours.drift(&theirs) <= DRIFT_MAX,
            (None, None) => ours.is_some(),
            _ => false,
        };
        let same_under = ours.is_some_and(|ours| ours.under == theirs.under);
        count.boxes_differ += u32::from(!same_box);
        count.under_differ += u32::from(!same_under);
        if same_box && same_under {
            continue;
        }
        let what = if same_box { "under" } else { "box" };
        *count.kinds.entry(format!("{what} {}", theirs.tag)).or_default() += 1;
        if shown < show {
            shown += 1;
            say(&format!(
                "{page}: {} <{}>: cdp {:?} over {:?}, sim {:?} over {:?}",
                theirs.line,
                theirs.tag,
                theirs.rect.map(short),
                theirs.under,
                ours.and_then(|ours| ours.rect).map(short),
                ours.map(|ours| ours.under),
            ));
        }
    }
}

pub(super) fn short(rect: Rect) -> [i64; 4] {
    [rect.x, rect.y, rect.width, rect.height].map(|edge| edge.round() as i64)
}
