//! A browser, a tab and a server, and the ops with their replies unwrapped.

use backlot_core::gatekeeper::{
    CallId, Destination, Permit, Policy, PolicyState, Question, TargetIdentity, Verdict, check,
};
use backlot_core::page::{Capture, CaptureSpec, Frame, MarkOf, NodeIdx, NodeKey, TabId};
use backlot_core::port::{
    DriverError, Host, Millis, NavigateTo, Navigated, Op, Port, Probe, Reply,
};
use backlot_core::tool::{Category, Effects};
use backlot_driver_cdp::{Approver, CdpBrowser, CdpPort, LaunchOptions, LoopbackServer, TokioHost};

pub(crate) const HINT: &str =
    "these tests need Chromium: `apt-get install chromium`, or name one in BACKLOT_CHROMIUM";

pub(crate) struct Stage {
    pub(crate) browser: CdpBrowser,
    pub(crate) port: CdpPort,
    pub(crate) tab: TabId,
    pub(crate) server: LoopbackServer,
}

pub(crate) fn options() -> LaunchOptions {
    LaunchOptions { deterministic: true, ..LaunchOptions::default() }
}

/// A moment so many milliseconds from now.
pub(crate) fn within(ms: u64) -> Millis {
    TokioHost::new(Approver::Accept).now().plus(ms)
}

/// The right to write to this target.
pub(crate) fn permit(target: &TargetIdentity, category: Category) -> Permit {
    let state = PolicyState::new(Policy::Auto);
    let destination = target.destination.as_deref().map(|url| Destination::parse(url).unwrap());
    let question = Question {
        call: CallId(1),
        tool: "test",
        effects: Effects::Write,
        category: Some(category),
        target: target.clone(),
        destination: destination.as_ref(),
    };
    match check(&state, &question) {
        Verdict::Allow(clearance) => clearance.permit(&state, target).unwrap(),
        other => panic!("not allowed: {other:?}"),
    }
}

impl Stage {
    pub(crate) async fn new() -> Self {
        Self::with(options()).await
    }

    pub(crate) async fn with(options: LaunchOptions) -> Self {
        let browser = CdpBrowser::launch(options).await.unwrap_or_else(|e| panic!("{e}; {HINT}"));
        let port = browser.port();
        let server = LoopbackServer::start(None).await.unwrap();
        let Reply::Tab(tab) = port.call(Op::OpenTab, within(10_000)).await.unwrap() else {
            panic!("no tab")
        };
        Self { browser, port, tab: tab.tab, server }
    }

    /// A stage whose tab shows this page.
    pub(crate) async fn showing(html: &str) -> Self {
        let stage = Self::new().await;
        stage.show(html).await;
        stage
    }

    pub(crate) async fn show(&self, html: &str) -> Navigated {
        self.server.page("/", html);
        self.go(&self.server.url("/")).await.unwrap()
    }

    pub(crate) async fn go(&self, url: &str) -> Result<Navigated, DriverError> {
        self.go_within(url, 10_000).await
    }

    pub(crate) async fn go_within(&self, url: &str, ms: u64) -> Result<Navigated, DriverError> {
        let target = TargetIdentity {
            tab: Some(self.tab),
            origin: "test".into(),
            destination: Some(url.into()),
            ..TargetIdentity::default()
        };
        let permit = permit(&target, Category::Navigate);
        let op = Op::Navigate(NavigateTo { tab: self.tab, url: url.into(), permit });
        match self.port.call(op, within(ms)).await? {
            Reply::Navigated(navigated) => Ok(navigated),
            other => panic!("{other:?}"),
        }
    }

    pub(crate) async fn capture(&self) -> Capture {
        self.capture_as(CaptureSpec::GEOMETRY).await.unwrap()
    }

    pub(crate) async fn capture_as(&self, spec: CaptureSpec) -> Result<Capture, DriverError> {
        match self.port.call(Op::Capture { tab: self.tab, spec }, within(20_000)).await? {
            Reply::Capture(capture) => Ok(capture),
            other => panic!("{other:?}"),
        }
    }

    pub(crate) async fn mark(&self, node: NodeKey) -> String {
        let mark = Some(MarkOf { node, context: None });
        let spec = CaptureSpec { mark, ..CaptureSpec::TEXT };
        self.capture_as(spec).await.unwrap().mark.unwrap()
    }

    pub(crate) async fn probe(&self, node: NodeKey) -> Option<Probe> {
        match self.port.call(Op::Probe { tab: self.tab, node }, within(10_000)).await.unwrap() {
            Reply::Probe(probe) => probe,
            other => panic!("{other:?}"),
        }
    }
}

/// Place of the element with this id.
pub(crate) fn place(frame: &Frame, id: &str) -> NodeIdx {
    let has = |at: &NodeIdx| frame.element(*at).is_some_and(|e| e.attr("id") == Some(id));
    let count = NodeIdx::try_from(frame.nodes.len()).unwrap();
    (0..count).find(has).unwrap_or_else(|| panic!("no element with the id {id}"))
}

/// Key of the element with this id in any frame.
pub(crate) fn key(capture: &Capture, id: &str) -> NodeKey {
    let has = |frame: &&Frame| {
        frame.nodes.iter().any(|node| match &node.data {
            backlot_core::page::NodeData::Element(e) => e.attr("id") == Some(id),
            _ => false,
        })
    };
    let frame = capture.frames.iter().find(has).unwrap_or_else(|| panic!("no id {id}"));
    frame.key(place(frame, id))
}
