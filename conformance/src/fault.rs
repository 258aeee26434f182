//! What can go wrong between any two ops, as pages, browsers, networks and people do it: drawn by `fuzz`, or written in a case.

use backlot_core::page::TabId;
use backlot_core::port::{DialogKind, Op};
use backlot_sim::{Fate, PageEditor, World};
use serde::{Deserialize, Serialize};

/// A fault before one op of a call, counted from 0.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct FaultAt {
    pub(crate) at: u32,
    #[serde(flatten)]
    pub(crate) what: What,
}

/// What goes wrong. An item is named by the key that only the sim knows, or by a selector; rows and parents by a selector.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum What {
    /// The element is removed.
    Detach(String),
    /// The element is replaced by an equal, new one.
    Replace(String),
    /// The children of what the selector matches are replaced by clones.
    Rerender(String),
    /// The rows that the selector matches are re-used for each other's data.
    Rotate(String),
    /// Something comes to lie over everything, in every document.
    Cover,
    /// The same in the top document only.
    CoverTop,
    /// The row that the selector matches last moves before the first: another one comes to lie under the pointer.
    Shift(String),
    /// The element moves a little before each of the next ops.
    Slide(String),
    /// The element is disabled.
    Disable(String),
    /// It becomes inert.
    Inert(String),
    /// It is not to be seen any more.
    Hide(String),
    /// The page takes back what was entered into the field.
    Revert(String),
    /// The page loads another URL.
    Navigate(String),
    /// Each frame gets another document.
    Reframe,
    Crash,
    Close,
    /// The page opens a dialog with this text.
    Dialog(String),
    /// A person scrolls the page by so many pixels.
    Person(f64),
    /// From now on every answer of the network takes so many milliseconds.
    Slow(u64),
    /// The reply comes so many milliseconds later.
    Delay(u64),
    /// The op is carried out and its reply is lost.
    Late,
    /// The driver is detached before the op.
    Drop,
    /// A rule comes that denies every write.
    Deny,
    /// A rule comes: tool, origin, verdict.
    Rule(String, String, String),
    /// Whoever is asked answers otherwise from now on.
    Answer(super::fuzz::Answer),
}

/// The faults of one call.
#[derive(Debug, Default)]
pub(crate) struct Schedule {
    ops: u32,
    due: Vec<FaultAt>,
    /// An element that moves before each op, and moves left.
    sliding: Option<(String, u32)>,
}

/// What falls before one op.
#[derive(Debug)]
pub(crate) struct Falling {
    /// The op, from 0.
    pub(crate) at: u32,
    pub(crate) what: Vec<What>,
    /// What becomes of the op itself.
    pub(crate) fate: Fate,
    /// An element moves: its item, and how often it has moved.
    pub(crate) slide: Option<(String, u32)>,
}

impl Schedule {
    pub(crate) fn new(due: &[FaultAt]) -> Self {
        Self { due: due.to_vec(), ..Self::default() }
    }

    /// Ops so far.
    pub(crate) fn ops(&self) -> u32 {
        self.ops
    }

    /// What falls before the next op.
    pub(crate) fn next(&mut self) -> Falling {
        let at = self.ops;
        self.ops += 1;
        let (now, later): (Vec<_>, Vec<_>) =
            std::mem::take(&mut self.due).into_iter().partition(|fault| fault.at == at);
        self.due = later;
        let what: Vec<What> = now.into_iter().map(|fault| fault.what).collect();
        let mut fate = Fate::Carried;
        for what in &what {
            match what {
                What::Late => fate = Fate::Lost,
                What::Drop => fate = Fate::Detached,
                What::Delay(ms) => fate = Fate::Delayed(*ms),
                What::Slide(item) => self.sliding = Some((item.clone(), 0)),
                _ => {}
            }
        }
        let slide = self.sliding.take().map(|(item, moved)| (item, moved + 1));
        self.sliding = slide.clone().filter(|(_, moved)| *moved < SLIDES);
        Falling { at, what, fate, slide }
    }
}

impl What {
    /// The rule that comes.
    pub(crate) fn rule(&self) -> Option<(String, String, String)> {
        match self {
            Self::Deny => Some(("*".into(), "*".into(), "deny".into())),
            Self::Rule(tool, origin, verdict) => {
                Some((tool.clone(), origin.clone(), verdict.clone()))
            }
            _ => None,
        }
    }
}

/// How far a sliding element moves at a time, CSS pixels: more than the tolerance, less than its height.
const SLIDE_PX: u32 = 4;

/// Ops before which a sliding element moves.
const SLIDES: u32 = 6;

/// Moves a sliding element to its next place.
pub(crate) fn slide(world: &World, tab: TabId, item: &str, moved: u32) {
    let top = moved * SLIDE_PX;
    let of = selector(item);
    world.mutate_each(tab, |page| {
        if page.count(&of) > 0 {
            page.set_attribute(&of, "style", Some(&format!("position:relative;top:{top}px")));
        }
    });
}

/// Carries out what happens to pages and tabs. All else (replies, rules, the network) is for whoever holds the port.
pub(crate) fn befall(world: &World, tab: TabId, what: &What) {
    match what {
        What::Navigate(url) => world.navigate(tab, url),
        What::Crash => world.crash(tab),
        What::Close => world.close_tab(tab),
        What::Dialog(text) => world.dialog(tab, DialogKind::Alert, text),
        What::CoverTop | What::Person(_) => {
            if world.url(tab).is_some() {
                world.mutate(tab, |page| change(page, what));
            }
        }
        _ => world.mutate_each(tab, |page| change(page, what)),
    }
}

/// An item's key, or a selector as it is.
fn selector(item: &str) -> String {
    match item.chars().all(char::is_alphanumeric) {
        true => format!("[data-key=\"{item}\"]"),
        false => item.into(),
    }
}

fn change(page: &mut PageEditor<'_>, what: &What) {
    let there = |page: &mut PageEditor<'_>, item: &str| {
        let of = selector(item);
        (page.count(&of) > 0).then_some(of)
    };
    match what {
        What::Detach(item) => {
            if let Some(of) = there(page, item) {
                page.remove(&of);
            }
        }
        What::Replace(item) => page.replace(&selector(item)),
        What::Rerender(parent) => page.rerender(parent),
        What::Rotate(rows) => {
            page.rotate(rows);
        }
        What::Cover | What::CoverTop if page.count("body") > 0 => page.append_html(
            "body",
            "<div style=\"position:fixed;left:0;top:0;width:3000px;height:3000px;z-index:9\"></div>",
        ),
        What::Shift(rows) if page.count(rows) > 1 => {
            let last = format!("{rows}:last-child");
            if page.count(&last) > 0 {
                page.move_before(&last, rows);
            }
        }
        What::Disable(item) => set(page, item, "disabled", ""),
        What::Inert(item) => set(page, item, "inert", ""),
        What::Hide(item) => set(page, item, "style", "visibility:hidden"),
        What::Revert(item) => {
            if let Some(of) = there(page, item) {
                page.set_value(&of, "taken back");
            }
        }
        // Each frame element makes place for a new one, with a document of its own.
        What::Reframe if page.count("iframe") > 0 => page.rerender("body"),
        What::Person(px) => page.scroll_by(*px),
        _ => {}
    }
}

fn set(page: &mut PageEditor<'_>, item: &str, name: &str, value: &str) {
    let of = selector(item);
    if page.count(&of) > 0 {
        page.set_attribute(&of, name, Some(value));
    }
}

/// The tab that an op is about.
pub(crate) fn tab_of(op: &Op) -> Option<TabId> {
    match op {
        Op::Navigate(to) => Some(to.tab),
        Op::Dispatch(dispatch) => Some(dispatch.tab),
        Op::Capture { tab, .. }
        | Op::Probe { tab, .. }
        | Op::HitTest { tab, .. }
        | Op::Scroll { tab, .. }
        | Op::Settle { tab, .. }
        | Op::BrowserTree { tab } => Some(*tab),
        _ => None,
    }
}
