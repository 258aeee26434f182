//! Driving a world in tests: permits, navigation, captures.

use backlot_core::gatekeeper::{
    CallId, Permit, Policy, PolicyState, Question, TargetIdentity, Verdict, check, origin_of,
};
use backlot_core::page::{
    Capture, CaptureSpec, Element, Frame, FrameId, MarkOf, NodeData, NodeIdx, NodeKey, TabId,
};
use backlot_core::port::{
    Button, Dispatch, DispatchOutcome, DriverError, Guard, InputPlan, Millis, NavigateTo,
    Navigated, Op, Point, Port, Probe, Reply, Seq, SettleSpec, Settled, Typing,
};
use backlot_core::tool::Effects;
use backlot_sim::{Response, SimPort, World};

pub(crate) const DEADLINE: Millis = Millis(1_000_000);

pub(crate) fn permit(target: &TargetIdentity) -> Permit {
    let state = PolicyState::new(Policy::Auto);
    let question = Question {
        call: CallId(1),
        tool: "test",
        effects: Effects::Read,
        category: None,
        target: target.clone(),
        destination: None,
    };
    match check(&state, &question) {
        Verdict::Allow(clearance) => clearance.permit(&state, target).unwrap(),
        other => panic!("{other:?}"),
    }
}

/// A world with one tab.
pub(crate) struct Browser {
    pub(crate) world: World,
    pub(crate) port: SimPort,
    pub(crate) tab: TabId,
}

impl Browser {
    pub(crate) fn new(world: World) -> Self {
        let port = world.port();
        let Reply::Tab(info) = world.block_on(port.call(Op::OpenTab, DEADLINE)).unwrap() else {
            panic!("not a tab");
        };
        Self { tab: info.tab, port, world }
    }

    /// A browser that shows this markup at `http://page.test/`.
    pub(crate) fn showing(html: &str) -> Self {
        let world = World::new(1);
        world.serve("http://page.test/", Response::html(html));
        let browser = Self::new(world);
        browser.open("http://page.test/").unwrap();
        browser
    }

    pub(crate) fn call(&self, op: Op) -> Result<Reply, DriverError> {
        self.world.block_on(self.port.call(op, DEADLINE))
    }

    pub(crate) fn open(&self, url: &str) -> Result<Navigated, DriverError> {
        self.open_by(url, DEADLINE)
    }

    pub(crate) fn open_by(&self, url: &str, deadline: Millis) -> Result<Navigated, DriverError> {
        let target = TargetIdentity {
            tab: Some(self.tab),
            origin: origin_of(url),
            destination: Some(url.into()),
            ..TargetIdentity::default()
        };
        let to = NavigateTo { tab: self.tab, url: url.into(), permit: permit(&target) };
        match self.world.block_on(self.port.call(Op::Navigate(to), deadline))? {
            Reply::Navigated(navigated) => Ok(navigated),
            other => panic!("{other:?}"),
        }
    }

    pub(crate) fn capture(&self, spec: CaptureSpec) -> Capture {
        match self.call(Op::Capture { tab: self.tab, spec }).unwrap() {
            Reply::Capture(capture) => capture,
            other => panic!("{other:?}"),
        }
    }

    pub(crate) fn text(&self) -> Capture {
        self.capture(CaptureSpec::TEXT)
    }

    /// The node with this `id` attribute, in any frame.
    pub(crate) fn key(&self, id: &str) -> NodeKey {
        let capture = self.text();
        for frame in &capture.frames {
            for (at, element) in elements(frame) {
                if element.attr("id") == Some(id) {
                    return frame.key(at);
                }
            }
        }
        panic!("no element #{id}")
    }
}

pub(crate) fn elements(frame: &Frame) -> impl Iterator<Item = (NodeIdx, &Element)> {
    (0..).zip(&frame.nodes).filter_map(|(at, node)| match &node.data {
        NodeData::Element(element) => Some((at, &**element)),
        _ => None,
    })
}

/// The element with this `id` attribute.
pub(crate) fn by_id<'a>(frame: &'a Frame, id: &str) -> &'a Element {
    match elements(frame).find(|(_, element)| element.attr("id") == Some(id)) {
        Some((_, element)) => element,
        None => panic!("no element #{id}"),
    }
}

/// Tags and texts in tree order, one a line, indented.
pub(crate) fn outline(frame: &Frame) -> String {
    let mut depth = vec![0_usize; frame.nodes.len()];
    let mut text = String::new();
    for (at, node) in frame.nodes.iter().enumerate() {
        depth[at] = node.parent.map_or(0, |parent| depth[parent as usize] + 1);
        let what = match &node.data {
            NodeData::Element(element) => element.tag.to_string(),
            NodeData::Text(data) if data.trim().is_empty() => continue,
            NodeData::Text(data) => format!("{:?}", data.trim()),
            NodeData::ShadowRoot(mode) => format!("#{mode:?}"),
        };
        text.push_str(&format!("{}{what}\n", " ".repeat(depth[at])));
    }
    text
}

pub(crate) fn top_frame_of(capture: &Capture) -> FrameId {
    capture.top().document.frame
}

impl Browser {
    pub(crate) fn probe(&self, node: NodeKey) -> Option<Probe> {
        match self.call(Op::Probe { tab: self.tab, node }).unwrap() {
            Reply::Probe(probe) => probe,
            other => panic!("{other:?}"),
        }
    }

    pub(crate) fn mark(&self, node: NodeKey) -> Option<String> {
        let mark = Some(MarkOf { node, context: None });
        self.capture(CaptureSpec { mark, ..CaptureSpec::TEXT }).mark
    }

    /// The guard that holds for a node now; the hit point is the middle of the node.
    pub(crate) fn guard(&self, node: NodeKey) -> Guard {
        let probe = self.probe(node).unwrap();
        let mut points = Vec::new();
        let (mut x, mut y) = probe.rect.center();
        for step in probe.frames.iter().rev() {
            points.insert(0, Point { x, y });
            if let Some(owner) = step.owner_rect {
                x += owner.x + step.border.0 + step.padding.0;
                y += owner.y + step.border.1 + step.padding.1;
            }
        }
        Guard {
            node,
            chain: probe.frames.iter().map(|step| step.document).collect(),
            mark: self.mark(node).unwrap_or_default(),
            context: None,
            rect: probe.rect,
            tolerance_px: 1.0,
            points,
        }
    }

    pub(crate) fn dispatch(&self, plan: InputPlan, guard: Guard) -> DispatchOutcome {
        let target = TargetIdentity {
            tab: Some(self.tab),
            document: Some(guard.node.document),
            node: Some(guard.node),
            ..TargetIdentity::default()
        };
        self.dispatch_with(plan, guard, &target)
    }

    pub(crate) fn dispatch_with(
        &self,
        plan: InputPlan,
        guard: Guard,
        target: &TargetIdentity,
    ) -> DispatchOutcome {
        let dispatch = Dispatch { tab: self.tab, plan, guard, permit: permit(target) };
        match self.call(Op::Dispatch(Box::new(dispatch))).unwrap() {
            Reply::Dispatched(outcome) => outcome,
            other => panic!("{other:?}"),
        }
    }

    /// Does this to the element of this id. Typing needs no hit test.
    pub(crate) fn act(&self, id: &str, plan: InputPlan) -> DispatchOutcome {
        let mut guard = self.guard(self.key(id));
        if matches!(plan, InputPlan::Type { .. } | InputPlan::Select { .. }) {
            guard.points.clear();
        }
        self.dispatch(plan, guard)
    }

    pub(crate) fn click(&self, id: &str) -> DispatchOutcome {
        self.act(id, InputPlan::Click { button: Button::Left, double: false })
    }

    pub(crate) fn type_in(
        &self,
        id: &str,
        text: &str,
        how: Typing,
        submit: bool,
    ) -> DispatchOutcome {
        self.act(id, InputPlan::Type { text: text.into(), how, submit })
    }

    pub(crate) fn settle(&self, since: Seq) -> Settled {
        let spec = SettleSpec { since, min_ms: 100, quiet_ms: 200, cap_ms: 5_000, load_ms: 5_000 };
        match self.call(Op::Settle { tab: self.tab, spec }).unwrap() {
            Reply::Settled(settled) => settled,
            other => panic!("{other:?}"),
        }
    }

    pub(crate) fn cursor(&self) -> Seq {
        match self.call(Op::Events { since: Seq(0) }).unwrap() {
            Reply::Events(batch) => batch.next,
            other => panic!("{other:?}"),
        }
    }
}
