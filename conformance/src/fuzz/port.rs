//! The door to the simulated browser, with faults before the ops that they are planned for, and a look at what passes.

use super::digest::Digest;
use super::scenario::{Answer, SITES};
use crate::fault::{self, FaultAt, Schedule, What};
use backlot_core::gatekeeper::{Rule, RuleVerdict};
use backlot_core::page::{NodeKey, Rect, TabId};
use backlot_core::port::{DispatchOutcome, DriverError, Millis, Op, Port, Reply};
use backlot_core::surface::catalog::Catalog;
use backlot_sim::{Fate, Field, Reach, Response, SimHost, SimPort, World};
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::{Rc, Weak};

/// The catalog under test.
pub(super) type Tested = Catalog<Rc<Staged>, SimHost>;

/// How far beside its target a point may lie, CSS pixels: targets may move a little between two looks.
const POINT_TOLERANCE_PX: f64 = 2.0;

/// What was seen of the ops of one call.
#[derive(Debug, Default)]
pub(super) struct Seen {
    pub(super) schedule: Schedule,
    /// Faults that fell, and the op before which the last one did.
    pub(super) fallen: u32,
    pub(super) fell_at: u32,
    /// Dialogs that opened: their tabs and texts.
    pub(super) dialogs: Vec<(TabId, String)>,
    /// Op before which the first rule came.
    pub(super) ruled_at: Option<u32>,
    /// Op before which whoever is asked came to answer otherwise.
    pub(super) answers: Option<(u32, Answer)>,
    /// Boxes of the watched element as they were told, with the op that asked.
    pub(super) boxes: Vec<(u32, Rect)>,
    /// Writes to elements.
    pub(super) writes: Vec<Write>,
    /// URLs that were navigated to.
    pub(super) navigations: Vec<String>,
    /// Items at the last capture.
    pub(super) items: BTreeMap<NodeKey, String>,
    /// What the watched field held when the call began, and at the last capture.
    pub(super) before: Option<Field>,
    pub(super) watched: Option<Field>,
    watch: Option<NodeKey>,
}

/// A write to an element.
#[derive(Debug)]
pub(super) struct Write {
    /// The op.
    pub(super) at: u32,
    pub(super) node: NodeKey,
    /// Whether a person could use the target just before.
    pub(super) reach: Reach,
    /// The point that the input is for lies on the target; so it does where there is none.
    pub(super) is_met: bool,
    pub(super) end: End,
}

/// How a dispatch ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    Done,
    NotSent,
    Unknown,
}

pub(super) struct Staged {
    inner: SimPort,
    world: World,
    pub(super) catalog: RefCell<Weak<Tested>>,
    pub(super) seen: RefCell<Seen>,
    /// HTML of each of [`SITES`].
    pub(super) html: RefCell<Vec<String>>,
    /// Of each op, reply, event and result.
    pub(super) digest: Cell<Digest>,
    /// A line on its way there.
    line: RefCell<Vec<u8>>,
    /// The same to read, where it is asked for.
    pub(super) transcript: Option<RefCell<String>>,
}

impl std::fmt::Debug for Staged {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Staged").finish_non_exhaustive()
    }
}

impl Staged {
    pub(super) fn new(world: &World, records: bool) -> Self {
        Self {
            inner: world.port(),
            world: world.clone(),
            catalog: RefCell::new(Weak::new()),
            seen: RefCell::new(Seen::default()),
            html: RefCell::default(),
            digest: Cell::default(),
            line: RefCell::default(),
            transcript: records.then(RefCell::default),
        }
    }

    /// A call begins: its faults, and the element that it is about.
    pub(super) fn begin(&self, faults: &[FaultAt], watch: Option<NodeKey>) {
        let before = watch.and_then(|node| self.world.field(node));
        let mut seen = self.seen.borrow_mut();
        let items = std::mem::take(&mut seen.items);
        *seen = Seen { schedule: Schedule::new(faults), watch, before, items, ..Seen::default() };
    }

    /// A line of the transcript.
    pub(super) fn note(&self, line: &str) {
        let mut digest = self.digest.get();
        digest.push(line.as_bytes());
        self.digest.set(digest);
        if let Some(transcript) = &self.transcript {
            let mut transcript = transcript.borrow_mut();
            transcript.push_str(line);
            transcript.push('\n');
        }
    }

    fn note_value(&self, value: &impl serde::Serialize) {
        if self.transcript.is_some() {
            // Ops and replies have string keys only, so they have a JSON form.
            self.note(&serde_json::to_string(value).unwrap_or_default());
            return;
        }
        let mut line = self.line.borrow_mut();
        line.clear();
        let _ = serde_json::to_writer(&mut *line, value);
        let mut digest = self.digest.get();
        digest.push(&line);
        self.digest.set(digest);
    }

    /// Serves all documents, each so many milliseconds later than it says.
    pub(super) fn serve(&self, more_ms: u64) {
        for ((url, _, latency_ms), html) in SITES.iter().zip(self.html.borrow().iter()) {
            let latency_ms = latency_ms + more_ms;
            self.world.serve(url, Response { latency_ms, ..Response::html(html.clone()) });
        }
    }

    pub(super) fn answer(&self, answer: Answer) {
        self.world.set_approval(answer.approval());
    }

    /// Lets what is due before this op happen, and says which op it is and what becomes of it.
    fn befall(&self, tab: Option<TabId>) -> (u32, Fate) {
        let falling = self.seen.borrow_mut().schedule.next();
        let (at, tab) = (falling.at, tab.or_else(|| self.world.newest_tab()));
        for what in falling.what {
            let mut seen = self.seen.borrow_mut();
            seen.fallen += 1;
            seen.fell_at = at;
            match (what, tab) {
                (What::Slow(ms), _) => self.serve(ms),
                (What::Answer(answer), _) => {
                    seen.answers = Some((at, answer));
                    self.answer(answer);
                }
                (what, _) if what.rule().is_some() => {
                    seen.ruled_at.get_or_insert(at);
                    drop(seen);
                    self.add_rule(what.rule());
                }
                (what, Some(tab)) => {
                    if let What::Dialog(text) = &what {
                        seen.dialogs.push((tab, text.clone()));
                    }
                    drop(seen);
                    fault::befall(&self.world, tab, &what);
                }
                (_, None) => {}
            }
        }
        if let (Some((item, moved)), Some(tab)) = (falling.slide, tab) {
            fault::slide(&self.world, tab, &item, moved);
            self.seen.borrow_mut().fell_at = at;
        }
        (at, falling.fate)
    }

    fn add_rule(&self, rule: Option<(String, String, String)>) {
        let catalog = self.catalog.borrow().upgrade();
        if let (Some(catalog), Some((tool, origin, verdict))) = (catalog, rule) {
            let verdict = verdict_of(&verdict);
            catalog.engine().change_policy(|state| state.add_rule(Rule { tool, origin, verdict }));
        }
    }

    /// What an answer says of the call, for the judges.
    fn watch(&self, at: u32, passed: &Passed, answer: &Result<Reply, DriverError>) {
        let mut seen = self.seen.borrow_mut();
        match passed {
            Passed::Write(node, reach, is_met) => {
                let end = match answer {
                    Ok(Reply::Dispatched(DispatchOutcome::Done(_))) => End::Done,
                    Ok(Reply::Dispatched(DispatchOutcome::NotSent(_))) => End::NotSent,
                    _ => End::Unknown,
                };
                seen.writes.push(Write { at, node: *node, reach: *reach, is_met: *is_met, end });
            }
            Passed::Capture(tab) => {
                seen.items = self.world.items(*tab);
                seen.watched = seen.watch.and_then(|node| self.world.field(node));
            }
            Passed::Probe(node) => {
                if let (Ok(Reply::Probe(Some(probe))), true) = (answer, seen.watch == Some(*node)) {
                    seen.boxes.push((at, probe.rect));
                }
            }
            Passed::Navigate(url) => seen.navigations.push(url.clone()),
            Passed::Other => {}
        }
    }
}

pub(super) fn verdict_of(word: &str) -> RuleVerdict {
    match word {
        "allow" => RuleVerdict::Allow,
        "ask" => RuleVerdict::Ask,
        _ => RuleVerdict::Deny,
    }
}

/// What is looked at when its answer is there.
enum Passed {
    Write(NodeKey, Reach, bool),
    Capture(TabId),
    Probe(NodeKey),
    Navigate(String),
    Other,
}

impl Port for Staged {
    async fn call(&self, op: Op, deadline: Millis) -> Result<Reply, DriverError> {
        let (at, fate) = self.befall(fault::tab_of(&op));
        self.note_value(&op);
        let passed = match &op {
            Op::Dispatch(dispatch) => {
                let node = dispatch.guard.node;
                let point = dispatch.guard.points.first();
                let is_met =
                    point.is_none_or(|point| self.world.is_at(node, *point, POINT_TOLERANCE_PX));
                Passed::Write(node, self.world.reach(dispatch.tab, node), is_met)
            }
            Op::Capture { tab, .. } => Passed::Capture(*tab),
            Op::Probe { node, .. } => Passed::Probe(*node),
            Op::Navigate(to) => Passed::Navigate(to.url.clone()),
            _ => Passed::Other,
        };
        let answer = self.inner.call_as(op, deadline, fate).await;
        self.watch(at, &passed, &answer);
        self.note_value(&answer);
        answer
    }
}
