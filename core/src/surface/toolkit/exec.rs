//! `browser_exec`: one code body, with what it changed.

use super::diff::diff;
use super::door::{CodeEnd, CodeRunner};
use super::envelope::{Bad, CODE_FAILED, with_detail};
use super::page::SessionDoor;
use super::session::Session;
use super::{SessionOf, Toolkit, limits, tools};
use crate::action::{Failure, Phase};
use crate::gatekeeper::{Destination, TargetIdentity, origin_of};
use crate::page::TabId;
use crate::port::{Browser, Host, Launcher, Op, Port, Seq};
use crate::text::header_piece;
use crate::tool::Args;
use alloc::{
    format,
    rc::Rc,
    string::{String, ToString},
    vec::Vec,
};
use serde_json::{Map, Value};

impl<L, H, R> Toolkit<L, H, R>
where
    L: Launcher,
    H: Host + Clone + 'static,
    R: CodeRunner,
    L::Browser: 'static,
    <L::Browser as Browser>::Port: 'static,
{
    pub(super) async fn exec(&self, args: &Args) -> Result<Map<String, Value>, Bad> {
        let session = self.session(args)?;
        let _turn = session.lane.enter().await;
        let since = self.drain(&session).await?;
        session.look_at_tabs().await?;
        self.check_shown(&session).await?;
        let tab = session.tab(args.text("pageId"))?;
        let origin = origin_of(&tab.url);
        let target = TargetIdentity {
            tab: Some(tab.tab),
            origin: origin.clone(),
            ..TargetIdentity::default()
        };
        let failed = |failure| Bad::failed(&failure, "");
        session.engine.clear(&tools::EXEC, target, None).await.map_err(failed)?;
        // What is approved with the code are its steps on this page; other origins are asked about.
        session.engine.set_approved(Some((tools::EXEC.name, origin)));
        let code = args.text("code").unwrap_or_default();
        let ended = self.run_code(&session, tab.tab, code, since).await;
        session.engine.set_approved(None);
        ended
    }

    async fn run_code(
        &self,
        session: &Rc<SessionOf<L, H>>,
        tab: TabId,
        code: &str,
        since: Seq,
    ) -> Result<Map<String, Value>, Bad> {
        self.keep_baseline(session, tab).await;
        let deadline = self.host.now().plus(limits::EXEC_MS);
        let door = SessionDoor::new(Rc::clone(session), self.domains.clone(), tab, deadline);
        let CodeEnd { result, stdout, mut stderr } = self.runner.run(door, code, deadline).await;
        self.check_domains(session, since).await?;
        let rested = session.engine.settle(tab, since, self.host.now().plus(limits::OPEN_MS)).await;
        let change = match (rested, &result) {
            (Ok(_), Ok(_)) => self.change(session, tab).await,
            (Err(failure), Ok(_)) => unseen(&failure),
            (_, Err(_)) => String::new(),
        };
        self.check_domains(session, since).await?;
        let dialogs: Vec<String> = session.engine.take_dialogs(tab);
        for line in dialogs {
            if !stderr.is_empty() {
                stderr.push('\n');
            }
            stderr.push_str(&line);
        }
        let result = match result {
            Ok(result) => result,
            Err(error) => {
                let (code, error) = split_code(&error);
                if code == "domain_policy" {
                    return Err(Bad::thrown(&code, error));
                }
                return Err(Bad::Told { code, error, output: Some((stdout, stderr)) });
            }
        };
        let mut payload = Map::new();
        if let Some(result) = result {
            payload.insert("result".into(), result);
        }
        payload.insert("stdout".into(), stdout.into());
        payload.insert("stderr".into(), stderr.into());
        payload.insert("snapshotDiff".into(), change.into());
        Ok(payload)
    }

    /// The first code body on a page is compared with the page just before it.
    async fn keep_baseline(&self, session: &SessionOf<L, H>, tab: TabId) {
        let has_one = session.pages.borrow().peek(tab).is_some_and(|page| page.baseline.is_some());
        if !has_one && let Ok((tree, _)) = session.read_tree(tab).await {
            session.pages.borrow_mut().page(tab).baseline = Some(tree);
        }
    }

    /// What changed since the code body before, which this page is compared with from now on.
    async fn change(&self, session: &SessionOf<L, H>, tab: TabId) -> String {
        match session.tree(tab).await {
            Ok(tree) => {
                let mut pages = session.pages.borrow_mut();
                let page = pages.page(tab);
                let before = page.baseline.take().unwrap_or_default();
                let text = diff(&before, &tree, &page.refs);
                page.baseline = Some(tree);
                text
            }
            Err(failure) => unseen(&failure),
        }
    }

    async fn drain(&self, session: &SessionOf<L, H>) -> Result<Seq, Bad> {
        let deadline = self.host.now().plus(limits::STATUS_MS);
        let drained = session.engine.events(deadline).await;
        drained.map_err(|error| session.lost(&Failure::driver(Phase::Route, &error)))
    }

    /// Pages that came up since a cursor and may not be shown are left at once; the call says so whatever became of the code.
    pub(super) async fn check_domains(
        &self,
        session: &SessionOf<L, H>,
        since: Seq,
    ) -> Result<(), Bad> {
        if self.domains.is_open() {
            return Ok(());
        }
        let deadline = self.host.now().plus(limits::STATUS_MS);
        let asked = session.engine.port().call(Op::Events { since }, deadline).await;
        let (tabs, refusal) = self.domains.judge(asked);
        for tab in tabs {
            self.leave_page(session, tab).await;
        }
        match refusal {
            Some(refusal) => Err(Bad::thrown("domain_policy", refusal)),
            None => Ok(()),
        }
    }

    /// Pages that went by themselves where they may not be shown are left, and the call says so.
    pub(super) async fn check_shown(&self, session: &SessionOf<L, H>) -> Result<(), Bad> {
        let Some(refusal) = self.shown_refusal(session) else { return Ok(()) };
        let refused: Vec<TabId> = {
            let pages = session.pages.borrow();
            let refused = pages.tabs.iter().filter(|tab| self.domains.refusal(&tab.url).is_some());
            refused.map(|tab| tab.tab).collect()
        };
        for tab in refused {
            self.leave_page(session, tab).await;
        }
        Err(Bad::thrown("domain_policy", refusal))
    }

    async fn leave_page(&self, session: &SessionOf<L, H>, tab: TabId) {
        if let Ok(blank) = Destination::parse("about:blank") {
            // Nobody need be asked whether a forbidden page may be left.
            session.engine.set_approved(Some((tools::EXEC.name, blank.origin().into())));
            // One that cannot be left is told of all the same.
            let _ = session.engine.load(&tools::EXEC_LOAD, tab, &blank, limits::STATUS_MS).await;
            session.engine.set_approved(None);
        }
    }
}

impl<B: Browser, H: Host> Session<B, H> {
    /// A page's id for the code's side.
    pub(super) fn page_id(&self, tab: TabId) -> String {
        self.pages.borrow().id_of(tab).to_string()
    }
}

fn unseen(failure: &Failure) -> String {
    format!(
        "Failed to read the page after the code ran ({}); the code itself worked: call browser_snapshot to see the page",
        header_piece(&with_detail(failure, ""), 200)
    )
}

/// `code: message`, as the door's errors begin.
fn split_code(error: &str) -> (String, String) {
    match error.split_once(": ") {
        Some((code, rest)) if is_code(code) => (code.into(), rest.into()),
        _ => (CODE_FAILED.into(), error.into()),
    }
}

/// Codes of one word are few; a body may throw what it likes.
fn is_code(word: &str) -> bool {
    const SINGLE: &[&str] = &[
        "declined",
        "denied",
        "detached",
        "disabled",
        "inert",
        "occluded",
        "secret",
        "timeout",
        "unsupported",
    ];
    SINGLE.contains(&word)
        || word.contains('_') && word.chars().all(|c| c.is_ascii_lowercase() || c == '_')
}
