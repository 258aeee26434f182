//! The door to the simulated browser, with faults before the ops that they are planned for, and a look at what passes.

use super::scenario::{FaultAt, What};
use backlot_core::gatekeeper::{Rule, RuleVerdict};
use backlot_core::page::{NodeKey, TabId};
use backlot_core::port::{
    DialogKind, DispatchOutcome, DriverError, Fault, FaultPlan, Faulty, Millis, Op, Port, Reply,
};
use backlot_core::surface::catalog::Catalog;
use backlot_sim::{Field, Reach, SimHost, SimPort, World};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::{Rc, Weak};

/// The catalog under test.
pub(super) type Tested = Catalog<Rc<Staged>, SimHost>;

/// What was seen of the ops of one call.
#[derive(Debug, Default)]
pub(super) struct Seen {
    ops: u32,
    due: Vec<FaultAt>,
    /// Faults that fell.
    pub(super) fallen: u32,
    /// Texts of dialogs that opened.
    pub(super) dialogs: Vec<String>,
    /// Op before which a rule came that denies every write.
    pub(super) denied_at: Option<u32>,
    /// Writes: op, target, whether a person could use it just before, how it ended.
    pub(super) writes: Vec<(u32, NodeKey, Reach, End)>,
    /// Items at the last capture.
    pub(super) items: BTreeMap<NodeKey, String>,
    /// What the watched field held at the last capture.
    pub(super) watched: Option<Field>,
    pub(super) watch: Option<NodeKey>,
}

/// How a dispatch ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    Done,
    NotSent,
    Unknown,
}

/// Bugs that are put between core and the browser, to see that the judges find them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Planted {
    /// No bug.
    None,
    /// A write is said to be done and is not.
    SwallowedWrite,
    /// The node's mark is not compared in the task of the write.
    SkippedMark,
}

pub(super) struct Staged {
    inner: Faulty<SimPort>,
    world: World,
    pub(super) catalog: RefCell<Weak<Tested>>,
    pub(super) seen: RefCell<Seen>,
    pub(super) planted: Planted,
    /// One line for each op and reply, where a transcript is kept.
    pub(super) transcript: Option<RefCell<String>>,
}

impl std::fmt::Debug for Staged {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Staged").finish_non_exhaustive()
    }
}

impl Staged {
    pub(super) fn new(world: &World, planted: Planted, records: bool) -> Self {
        Self {
            inner: Faulty::new(world.port(), None),
            world: world.clone(),
            catalog: RefCell::new(Weak::new()),
            seen: RefCell::new(Seen::default()),
            planted,
            transcript: records.then(RefCell::default),
        }
    }

    /// A call begins: its faults, and the field that it writes to.
    pub(super) fn begin(&self, faults: &[FaultAt], watch: Option<NodeKey>) {
        let mut seen = self.seen.borrow_mut();
        let items = std::mem::take(&mut seen.items);
        *seen = Seen { due: faults.to_vec(), watch, items, ..Seen::default() };
    }

    pub(super) fn note(&self, line: &str) {
        if let Some(transcript) = &self.transcript {
            let mut transcript = transcript.borrow_mut();
            transcript.push_str(line);
            transcript.push('\n');
        }
    }

    /// Lets what is due before this op happen.
    fn befall(&self, tab: Option<TabId>, at: u32) {
        let due: Vec<What> = {
            let mut seen = self.seen.borrow_mut();
            let (now, later): (Vec<_>, Vec<_>) =
                std::mem::take(&mut seen.due).into_iter().partition(|fault| fault.at == at);
            seen.due = later;
            now.into_iter().map(|fault| fault.what).collect()
        };
        let tab = tab.or_else(|| self.world.newest_tab());
        for what in due {
            self.seen.borrow_mut().fallen += 1;
            match what {
                What::Late => self.inner.rearm(plan(Fault::LateReply)),
                What::Drop => self.inner.rearm(plan(Fault::Detach)),
                What::Deny => {
                    self.seen.borrow_mut().denied_at = Some(at);
                    if let Some(catalog) = self.catalog.borrow().upgrade() {
                        let rule = Rule {
                            tool: "*".into(),
                            origin: "*".into(),
                            verdict: RuleVerdict::Deny,
                        };
                        catalog.engine().change_policy(|state| state.add_rule(rule));
                    }
                }
                What::Dialog(text) => {
                    if let Some(tab) = tab {
                        self.world.dialog(tab, DialogKind::Alert, &text);
                        self.seen.borrow_mut().dialogs.push(text);
                    }
                }
                other => {
                    if let Some(tab) = tab {
                        change(&self.world, tab, &other);
                    }
                }
            }
        }
    }

    /// A write as it is sent: a planted bug may blunt its guard.
    async fn blunted(&self, op: Op, deadline: Millis) -> Op {
        match (op, self.planted) {
            (Op::Dispatch(mut dispatch), Planted::SkippedMark) => {
                let context = dispatch.guard.context;
                let mark = backlot_core::page::MarkOf { node: dispatch.guard.node, context };
                let spec = backlot_core::page::CaptureSpec {
                    mark: Some(mark),
                    ..backlot_core::page::CaptureSpec::TEXT
                };
                let capture = Op::Capture { tab: dispatch.tab, spec };
                if let Ok(Reply::Capture(capture)) = self.inner.call(capture, deadline).await
                    && let Some(mark) = capture.mark
                {
                    dispatch.guard.mark = mark;
                }
                Op::Dispatch(dispatch)
            }
            (op, _) => op,
        }
    }
}

fn plan(fault: Fault) -> Option<FaultPlan> {
    Some(FaultPlan { at_op: 0, fault })
}

impl Port for Staged {
    async fn call(&self, op: Op, deadline: Millis) -> Result<Reply, DriverError> {
        let at = self.seen.borrow().ops;
        self.seen.borrow_mut().ops += 1;
        let op = self.blunted(op, deadline).await;
        self.befall(tab_of(&op), at);
        if self.transcript.is_some() {
            self.note(&serde_json::to_string(&op).unwrap_or_default());
        }
        let write = match &op {
            Op::Dispatch(dispatch) => {
                let node = dispatch.guard.node;
                Some((node, self.world.reach(dispatch.tab, node)))
            }
            _ => None,
        };
        let captured = match &op {
            Op::Capture { tab, .. } => Some(*tab),
            _ => None,
        };
        let answer = if write.is_some() && self.planted == Planted::SwallowedWrite {
            Ok(Reply::Dispatched(DispatchOutcome::Done(swallowed(&op))))
        } else {
            self.inner.call(op, deadline).await
        };
        let mut seen = self.seen.borrow_mut();
        if let Some((node, reach)) = write {
            let end = match &answer {
                Ok(Reply::Dispatched(DispatchOutcome::Done(_))) => End::Done,
                Ok(Reply::Dispatched(DispatchOutcome::NotSent(_))) => End::NotSent,
                _ => End::Unknown,
            };
            seen.writes.push((at, node, reach, end));
        }
        if let Some(tab) = captured {
            seen.items = self.world.items(tab);
            seen.watched = seen.watch.and_then(|node| self.world.field(node));
        }
        drop(seen);
        if self.transcript.is_some() {
            self.note(&serde_json::to_string(&answer).unwrap_or_default());
        }
        answer
    }
}

fn swallowed(op: &Op) -> backlot_core::port::DispatchEvidence {
    use backlot_core::port::InputPlan;
    let plan = match op {
        Op::Dispatch(dispatch) => Some(&dispatch.plan),
        _ => None,
    };
    backlot_core::port::DispatchEvidence {
        value: None,
        value_matches: Some(true),
        selected: match plan {
            Some(InputPlan::Select { options }) => options.clone(),
            _ => Vec::new(),
        },
        default_prevented: false,
    }
}

fn tab_of(op: &Op) -> Option<TabId> {
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

/// What happens to the page.
fn change(world: &World, tab: TabId, what: &What) {
    let of = |item: &str| format!("[data-key=\"{item}\"]");
    match what {
        What::Navigate(url) => world.navigate(tab, url),
        What::Crash => world.crash(tab),
        What::Close => world.close_tab(tab),
        _ => world.mutate_each(tab, |page| match what {
            What::Detach(item) if page.count(&of(item)) > 0 => page.remove(&of(item)),
            What::Rerender(parent) => page.rerender(parent),
            What::Rotate(rows) => {
                page.rotate(rows);
            }
            What::Cover if page.count("body") > 0 => page.append_html(
                "body",
                "<div style=\"position:fixed;left:0;top:0;width:3000px;height:3000px;z-index:9\"></div>",
            ),
            What::Shift(rows) if page.count(rows) > 1 => {
                let last = format!("{rows}:last-child");
                if page.count(&last) > 0 {
                    page.move_before(&last, rows);
                }
            }
            What::Disable(item) if page.count(&of(item)) > 0 => {
                page.set_attribute(&of(item), "disabled", Some(""));
            }
            What::Revert(item) if page.count(&of(item)) > 0 => page.set_value(&of(item), "taken back"),
            // Each frame element makes place for a new one, with a document of its own.
            What::Reframe if page.count("iframe") > 0 => {
                page.rerender("body");
            }
            _ => {}
        }),
    }
}
