//! The engine: state of one client's use of one surface, over a port and a host.

use super::extract::Extract;
use super::failure::{Failure, Phase, Retry};
use super::limits;
use super::report::dialog_line;
use crate::aria;
use crate::gatekeeper::{
    ApprovalRequest, CallId, Clearance, DenyReason, Destination, Permit, PolicyState, Question,
    TargetIdentity, Verdict, check,
};
use crate::lane::Lane;
use crate::page::{Capture, CaptureSpec, DocumentKey, NodeKey, TabId};
use crate::planted::{self, Bug};
use crate::port::{Approval, DriverError, EventBatch, Host, Millis, Op, Port, Reply, Seq, TabInfo};
use crate::refs::{self, DocumentNonce, RefEntry, RefTable};
use crate::route;
use crate::snapshot::{Snapshot, build};
use crate::tool::Descriptor;
use alloc::{
    collections::{BTreeMap, BTreeSet},
    string::String,
    vec::Vec,
};
use core::cell::{Cell, RefCell};

/// One client's use of one surface. Ref tables, default tab and grants live here, in memory only.
#[derive(Debug)]
pub struct Engine<P, H> {
    port: P,
    host: H,
    next_call: Cell<u64>,
    /// Events before this one were taken note of.
    noted: Cell<Seq>,
    pub(super) state: RefCell<State>,
}

#[derive(Debug)]
pub(super) struct State {
    pub(super) policy: PolicyState,
    pub(super) default_tab: Option<TabId>,
    pub(super) tabs: BTreeMap<TabId, TabState>,
    lanes: BTreeMap<TabId, Lane>,
    /// Tabs whose page did not come to rest after the last write.
    restless: BTreeSet<TabId>,
    dialogs: BTreeMap<TabId, Vec<String>>,
    pub(super) extracts: BTreeMap<TabId, Extract>,
    /// Tool and origin of a call that was approved and is running: what it does there was approved with it.
    approved: Option<(&'static str, String)>,
}

/// A page as it was seen once.
#[derive(Debug)]
pub(crate) struct Seen {
    pub(super) capture: Capture,
    refs: Vec<RefEntry>,
    pub(crate) snapshot: Snapshot,
}

impl Seen {
    pub(super) fn new(capture: Capture) -> Self {
        let views = aria::frames(&capture);
        let snapshot = build(&capture, &views);
        let refs = refs::entries(&snapshot, &capture, &views);
        drop(views);
        Self { capture, refs, snapshot }
    }
}

/// What is remembered of a tab: its newest snapshot.
#[derive(Debug)]
pub(super) struct TabState {
    document: DocumentKey,
    nonce: DocumentNonce,
    number: u32,
    pub(super) table: RefTable,
    pub(super) snapshot: Snapshot,
}

impl<P: Port, H: Host> Engine<P, H> {
    /// An engine without refs and without a default tab.
    pub fn new(port: P, host: H, policy: PolicyState) -> Self {
        let state = State {
            policy,
            default_tab: None,
            tabs: BTreeMap::new(),
            lanes: BTreeMap::new(),
            restless: BTreeSet::new(),
            dialogs: BTreeMap::new(),
            extracts: BTreeMap::new(),
            approved: None,
        };
        Self {
            port,
            host,
            next_call: Cell::new(1),
            noted: Cell::new(Seq(0)),
            state: RefCell::new(state),
        }
    }

    /// The port.
    pub fn port(&self) -> &P {
        &self.port
    }

    /// The host.
    pub fn host(&self) -> &H {
        &self.host
    }

    /// The tab that calls without `tabId` go to, once there is one.
    pub fn default_tab(&self) -> Option<TabId> {
        self.state.borrow().default_tab
    }

    /// The refs of a tab's newest snapshot as they are printed, each with its node.
    pub fn refs(&self, tab: TabId) -> Vec<(String, NodeKey)> {
        let state = self.state.borrow();
        let Some(tab) = state.tabs.get(&tab) else { return Vec::new() };
        let keys = tab.table.entries().iter().map(|entry| entry.key);
        keys.filter_map(|key| Some((tab.table.ref_of(key)?.text(), key))).collect()
    }

    /// Changes policy and rules.
    pub fn change_policy(&self, change: impl FnOnce(&mut PolicyState)) {
        change(&mut self.state.borrow_mut().policy);
    }

    pub(crate) fn lane(&self, tab: TabId) -> Lane {
        if planted::is(Bug::LaneSkipped) {
            return Lane::default();
        }
        self.state.borrow_mut().lanes.entry(tab).or_default().clone()
    }

    /// Forgets all that was of one browser: another one takes its place behind the same port. Policy, rules and grants stay.
    pub(crate) fn forget_browser(&self) {
        self.noted.set(Seq(0));
        let mut state = self.state.borrow_mut();
        state.default_tab = None;
        state.tabs.clear();
        state.lanes.clear();
        state.restless.clear();
        state.dialogs.clear();
        state.extracts.clear();
    }

    /// Why a call would be refused whoever were asked; `None` where it would not.
    pub(crate) fn refusal(
        &self,
        tool: &Descriptor,
        target: TargetIdentity,
        destination: Option<&Destination>,
    ) -> Option<Failure> {
        let question = Question {
            call: CallId(0),
            tool: tool.name,
            effects: tool.effects,
            category: tool.category,
            target,
            destination,
        };
        match check(&self.state.borrow().policy, &question) {
            Verdict::Deny(reason) => Some(Failure::denied(&reason)),
            Verdict::Allow(_) | Verdict::Ask(..) => None,
        }
    }

    pub(crate) fn now(&self) -> Millis {
        self.host.now()
    }

    /// The tab of a call: the given one, the default one, or what becomes the default one: the visible web tab, else a new
    /// tab. The default moves only by [`Self::move_default`].
    pub(crate) async fn route(
        &self,
        given: Option<TabId>,
        deadline: Millis,
    ) -> Result<TabInfo, Failure> {
        let tabs = self.tabs(deadline).await?;
        let default = self.state.borrow().default_tab;
        match route::choose(&tabs, given, default) {
            route::Choice::Tab(tab) => {
                if given.is_none() {
                    self.state.borrow_mut().default_tab = Some(tab.tab);
                }
                Ok(tab.clone())
            }
            route::Choice::Gone(tab) => Err(Failure::new(
                "tab_gone",
                Phase::Route,
                Retry::Never,
                alloc::format!("there is no tab {}; call tabs_list and give another tabId", tab.0),
            )),
            route::Choice::Open => {
                let tab = match self.ask(Op::OpenTab, deadline, Phase::Route).await? {
                    Reply::Tab(tab) => tab,
                    _ => return Err(wrong_reply(Phase::Route)),
                };
                self.state.borrow_mut().default_tab = Some(tab.tab);
                Ok(tab)
            }
        }
    }

    /// The default route follows a tab that an action opened, if it stood at the tab it came from.
    pub(crate) fn move_default(&self, from: TabId, to: TabId) -> bool {
        let mut state = self.state.borrow_mut();
        let moves = state.default_tab == Some(from);
        if moves {
            state.default_tab = Some(to);
        }
        moves
    }

    pub(crate) async fn tabs(&self, deadline: Millis) -> Result<Vec<TabInfo>, Failure> {
        match self.ask(Op::Tabs, deadline, Phase::Route).await? {
            Reply::Tabs(tabs) => Ok(tabs),
            _ => Err(wrong_reply(Phase::Route)),
        }
    }

    /// One read op; a driver's failure is a failure of this phase without effect.
    pub(crate) async fn ask(
        &self,
        op: Op,
        deadline: Millis,
        phase: Phase,
    ) -> Result<Reply, Failure> {
        self.port.call(op, deadline).await.map_err(|error| Failure::driver(phase, &error))
    }

    pub(crate) async fn capture(
        &self,
        tab: TabId,
        spec: CaptureSpec,
        deadline: Millis,
    ) -> Result<Capture, DriverError> {
        let deadline = deadline.min(self.now().plus(limits::READ_MS));
        match self.port.call(Op::Capture { tab, spec }, deadline).await? {
            Reply::Capture(capture) if !capture.frames.is_empty() => Ok(capture),
            _ => Err(DriverError::Unsupported { op: "capture".into() }),
        }
    }

    /// Takes note of what happened since the last time, and gives the cursor for what comes next.
    pub(crate) async fn events(&self, deadline: Millis) -> Result<Seq, DriverError> {
        match self.port.call(Op::Events { since: self.noted.get() }, deadline).await? {
            Reply::Events(batch) => {
                self.note_events(&batch);
                Ok(batch.next)
            }
            _ => Err(DriverError::Unsupported { op: "events".into() }),
        }
    }

    /// Cursor after what was taken note of.
    pub(crate) fn noted(&self) -> Seq {
        self.noted.get()
    }

    /// Keeps the dialogs of a batch until a result of their tab tells of them. Calls in other tabs may have noted some already.
    pub(crate) fn note_events(&self, batch: &EventBatch) {
        let noted = self.noted.get();
        let mut state = self.state.borrow_mut();
        for event in batch.events.iter().filter(|event| event.seq >= noted) {
            if let Some(line) = dialog_line(event) {
                let lines = state.dialogs.entry(event.tab).or_default();
                // The first ones say most; a page may open dialogs without end.
                if lines.len() < limits::DIALOGS_MAX {
                    lines.push(line);
                }
            }
        }
        let skipped = u64::from(planted::is(Bug::EventDropped));
        self.noted.set(noted.max(Seq(batch.next.0 + skipped)));
    }

    /// Lines about dialogs that nobody was told of yet.
    pub(crate) fn take_dialogs(&self, tab: TabId) -> Vec<String> {
        self.state.borrow_mut().dialogs.remove(&tab).unwrap_or_default()
    }

    pub(super) fn is_restless(&self, tab: TabId) -> bool {
        self.state.borrow().restless.contains(&tab)
    }

    pub(super) fn note_rest(&self, tab: TabId, quiet: bool) {
        let restless = &mut self.state.borrow_mut().restless;
        if quiet {
            restless.remove(&tab)
        } else {
            restless.insert(tab)
        };
    }

    /// The Gatekeeper's verdict, with approval where it asks.
    pub(crate) async fn clear(
        &self,
        tool: &Descriptor,
        target: TargetIdentity,
        destination: Option<&Destination>,
    ) -> Result<Clearance, Failure> {
        let call = CallId(self.next_call.get());
        self.next_call.set(call.0 + 1);
        let question = Question {
            call,
            tool: tool.name,
            effects: tool.effects,
            category: tool.category,
            target,
            destination,
        };
        let verdict = check(&self.state.borrow().policy, &question);
        match verdict {
            Verdict::Allow(clearance) => Ok(clearance),
            Verdict::Deny(reason) => Err(Failure::denied(&reason)),
            Verdict::Ask(request, clearance) => {
                let approved = &self.state.borrow().approved.clone();
                let is_part = approved.as_ref().is_some_and(|(name, origin)| {
                    *name == request.tool && *origin == request.target.origin
                });
                if is_part { Ok(clearance) } else { self.approve(&request, clearance).await }
            }
        }
    }

    /// A call of many steps was approved for an origin, or has ended (`None`): its steps there are not asked about again.
    pub(crate) fn set_approved(&self, call: Option<(&'static str, String)>) {
        self.state.borrow_mut().approved = call;
    }

    /// The permit of a clearance, if target and policy are still what was judged.
    pub(crate) fn permit(
        &self,
        clearance: Clearance,
        now: &TargetIdentity,
    ) -> Result<Permit, Failure> {
        clearance
            .permit(&self.state.borrow().policy, now)
            .map_err(|reason| Failure::denied(&reason))
    }

    async fn approve(
        &self,
        request: &ApprovalRequest,
        clearance: Clearance,
    ) -> Result<Clearance, Failure> {
        if planted::is(Bug::ApprovalSkipped) {
            return Ok(clearance);
        }
        match self.host.approve(request).await {
            Approval::Accept => Ok(clearance),
            Approval::AcceptForSession => {
                self.state.borrow_mut().policy.grant(&request.tool, &request.target.origin);
                Ok(clearance)
            }
            Approval::Decline { note } => Err(Failure::denied(&DenyReason::Declined { note })),
        }
    }

    /// Makes the page as it was seen the tab's newest snapshot: its refs replace all older ones. Returns the snapshot before,
    /// if it was of the same document.
    pub(crate) fn publish(&self, seen: Seen) -> Option<Snapshot> {
        let (tab, document) = (seen.capture.tab, seen.capture.top().document);
        let mut state = self.state.borrow_mut();
        let before = state.tabs.remove(&tab).filter(|before| before.document == document);
        let (nonce, number, old) = match before {
            Some(before) => {
                let step = u32::from(!planted::is(Bug::NumberReused));
                (before.nonce, before.number + step, Some(before.snapshot))
            }
            None => (DocumentNonce::new(self.host.nonce()), 1, None),
        };
        let table = RefTable::new(nonce.clone(), number, seen.refs);
        let snapshot = seen.snapshot;
        state.tabs.insert(tab, TabState { document, nonce, number, table, snapshot });
        old
    }
}

pub(crate) fn wrong_reply(phase: Phase) -> Failure {
    Failure::new("driver_fault", phase, Retry::Never, "the driver gave an answer of the wrong kind")
}
