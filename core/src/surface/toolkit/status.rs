//! `browser_status` and `browser_snapshot`.

use super::envelope::Bad;
use super::render::render;
use super::session::Session;
use super::tree::Tree;
use super::{CodeRunner, Payload, Toolkit, limits};
use crate::action::{Failure, Phase};
use crate::aria;
use crate::gatekeeper::{TargetIdentity, origin_of};
use crate::page::{CaptureSpec, TabId};
use crate::port::{
    Browser, Host, Image, ImageFormat, Launcher, Op, ReadyState, Reply, ScreenshotArea,
    ScreenshotSpec, TabInfo,
};
use crate::refs;
use crate::snapshot::build;
use crate::text::{header_piece, url_piece};
use crate::tool::Args;
use alloc::{rc::Rc, string::String, vec::Vec};
use serde_json::{Map, Value, json};

impl<L, H, R> Toolkit<L, H, R>
where
    L: Launcher,
    H: Host + Clone + 'static,
    R: CodeRunner,
    L::Browser: 'static,
    <L::Browser as Browser>::Port: 'static,
{
    /// Never asks a page: a hung one must not hide what is open.
    pub(super) async fn status(&self, args: &Args) -> Result<Map<String, Value>, Bad> {
        let page = args.text("pageId");
        if args.text("sessionId").is_none() {
            if page.is_some() {
                return Err(Bad::told(
                    "invalid_arguments",
                    "pageId needs sessionId too; browser_status without arguments lists all sessions with their pages",
                ));
            }
            return Ok(self.all_sessions().await);
        }
        let session = self.session(args)?;
        session.look_at_tabs().await?;
        match page {
            None => {
                let mut payload = Map::new();
                payload.insert("pages".into(), pages(&session));
                Ok(payload)
            }
            Some(id) => {
                let tab = session.tab(Some(id))?;
                Ok(detail(&session, id, &tab))
            }
        }
    }

    async fn all_sessions(&self) -> Map<String, Value> {
        let open: Vec<Rc<_>> = self.sessions.borrow().values().cloned().collect();
        let mut sessions = Vec::new();
        for session in open {
            let mut told = json!({ "sessionId": session.id, "provider": session.provider });
            match session.look_at_tabs().await {
                Ok(()) => told["pages"] = pages(&session),
                // One that has lost its browser must not hide the others.
                Err(_) => {
                    told["pages"] = json!([]);
                    told["error"] = "the browser does not answer; close this session".into();
                }
            }
            sessions.push(told);
        }
        let mut payload = Map::new();
        payload.insert("sessions".into(), sessions.into());
        payload
    }

    pub(super) async fn snapshot(&self, args: &Args) -> Result<Payload, Bad> {
        let session = self.session(args)?;
        let _turn = session.lane.enter().await;
        session.look_at_tabs().await?;
        self.check_shown(&session).await?;
        let tab = session.tab(args.text("pageId"))?;
        let target = TargetIdentity {
            tab: Some(tab.tab),
            origin: origin_of(&tab.url),
            ..TargetIdentity::default()
        };
        let next = "browser_status tells which pages are open";
        let failed = |failure: Failure| Bad::failed(&failure, next);
        session.engine.clear(&super::tools::SNAPSHOT, target, None).await.map_err(failed)?;
        let tree = session.tree(tab.tab).await.map_err(failed)?;
        if self.domains.refusal(&tree.url).is_some() {
            session.look_at_tabs().await?;
            self.check_shown(&session).await?;
        }
        let text = {
            let pages = session.pages.borrow();
            pages.peek(tab.tab).map(|page| render(&tree, &page.refs)).unwrap_or_default()
        };
        let mut payload = Map::new();
        payload.insert("tree".into(), text.into());
        let image = match args.flag("screenshot") == Some(true) {
            true => Some(session.picture(tab.tab).await.map_err(failed)?),
            false => None,
        };
        Ok((payload, image))
    }
}

impl<B: Browser, H: Host> Session<B, H> {
    /// The page as a tree that is shown: its elements keep their refs, new ones get the next numbers.
    pub(super) async fn tree(&self, tab: TabId) -> Result<Tree, Failure> {
        let (tree, entries) = self.read_tree(tab).await?;
        self.pages.borrow_mut().page(tab).refs.renew(&entries);
        Ok(tree)
    }

    /// The page as a tree, and what refs of its elements would be bound to.
    pub(super) async fn read_tree(
        &self,
        tab: TabId,
    ) -> Result<(Tree, Vec<refs::RefEntry>), Failure> {
        let deadline = self.engine.now().plus(crate::action::limits::READ_MS);
        let captured = self.engine.capture(tab, CaptureSpec::GEOMETRY, deadline).await;
        let capture = captured.map_err(|error| Failure::driver(Phase::Read, &error))?;
        let views = aria::frames(&capture);
        let snapshot = build(&capture, &views);
        let (tree, places) = Tree::of(&capture, &views, &snapshot);
        let entries = refs::entries_at(places.into_iter(), &capture, &views);
        Ok((tree, entries))
    }

    async fn picture(&self, tab: TabId) -> Result<Image, Failure> {
        let deadline = self.engine.now().plus(limits::OPEN_MS);
        let area = ScreenshotArea::Viewport;
        let spec = ScreenshotSpec { area, format: ImageFormat::Png, labels: Vec::new() };
        match self.engine.ask(Op::Screenshot { tab, spec }, deadline, Phase::Read).await? {
            Reply::Screenshot(image) => Ok(image),
            _ => Err(crate::action::wrong_reply(Phase::Read)),
        }
    }
}

fn pages<B: Browser, H: Host>(session: &Session<B, H>) -> Value {
    let pages = session.pages.borrow();
    let current = pages.current().map(|tab| tab.tab);
    let listed = pages.tabs.iter().filter(|tab| !is_internal(&tab.url)).map(|tab| {
        json!({
            "pageId": pages.id_of(tab.tab),
            "url": url_piece(&tab.url),
            "active": Some(tab.tab) == current,
        })
    });
    listed.collect()
}

/// Pages of the browser's own.
fn is_internal(url: &str) -> bool {
    url.starts_with("devtools:") || url.starts_with("chrome-error:")
}

fn detail<B: Browser, H: Host>(
    session: &Session<B, H>,
    id: &str,
    tab: &TabInfo,
) -> Map<String, Value> {
    let viewport = tab.viewport.map(|(width, height)| json!({ "width": width, "height": height }));
    let ready = match tab.ready {
        ReadyState::Loading => "loading",
        ReadyState::Interactive => "interactive",
        ReadyState::Complete => "complete",
    };
    let active = session.pages.borrow().current().is_some_and(|current| current.tab == tab.tab);
    let mut payload = Map::new();
    payload.insert("pageId".into(), String::from(id).into());
    payload.insert("url".into(), url_piece(&tab.url).into());
    payload.insert("title".into(), header_piece(&tab.title, 500).into());
    payload.insert("viewport".into(), viewport.unwrap_or(Value::Null));
    payload.insert("active".into(), active.into());
    payload.insert("readyState".into(), ready.into());
    payload
}
