//! The wait kind: conditions one after another, in a fixed order.

use super::super::BrowserTool;
use super::super::report::Report;
use super::super::snapshot::all_matches;
use crate::action::{Failure, Phase, Retry, limits, wrong_reply};
use crate::aria;
use crate::page::TabId;
use crate::port::{Host, Launcher, LogEntry, LogKind, Millis, Op, ReadyState, Reply};
use crate::text::quoted;
use alloc::{format, string::String};

/// Time without a request that counts as an idle network, milliseconds.
const NETWORK_IDLE_MS: u64 = 500;

/// What is waited for, in this order.
#[derive(Debug, Default)]
pub(super) struct WaitFor {
    pub(super) time_ms: Option<u64>,
    pub(super) text: Option<String>,
    pub(super) text_gone: Option<String>,
    pub(super) selector: Option<String>,
    pub(super) url: Option<String>,
    pub(super) load: Option<LoadWish>,
    pub(super) script: Option<String>,
}

/// How far the page must be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LoadWish {
    Parsed,
    Loaded,
    NetworkIdle,
}

impl WaitFor {
    pub(super) fn is_empty(&self) -> bool {
        self.time_ms.is_none()
            && self.load.is_none()
            && [&self.text, &self.text_gone, &self.selector, &self.url, &self.script]
                .iter()
                .all(|condition| condition.is_none())
    }
}

impl<L: Launcher, H: Host + Clone> BrowserTool<L, H> {
    /// Waits for each condition; each has the time up to the deadline for itself.
    pub(super) async fn wait(
        &self,
        tab: TabId,
        wait: &WaitFor,
        deadline: Millis,
    ) -> Result<Report, Failure> {
        let started = self.engine.now();
        let budget = deadline.0.saturating_sub(started.0);
        let by = || self.engine.now().plus(budget);
        self.clear_read(&self.info_of(tab).await?, deadline).await?;
        if let Some(ms) = wait.time_ms {
            self.engine.host().sleep_until(self.engine.now().plus(ms)).await;
        }
        for (text, appears) in [(&wait.text, true), (&wait.text_gone, false)] {
            if let Some(text) = text {
                let what = format!(
                    "the text {} {}",
                    quoted(text, 100),
                    if appears { "did not appear" } else { "is still there" }
                );
                let deadline = by();
                self.poll(deadline, &what, async || {
                    let read_by = self.engine.now().plus(limits::READ_MS);
                    Ok(self.engine.shows(tab, text, read_by).await? == appears)
                })
                .await?;
            }
        }
        if let Some(selector) = &wait.selector {
            self.matching(tab, selector, by(), |capture| {
                let aria = &aria::AriaFrame::new(capture.top());
                all_matches(capture, 0, selector)
                    .is_ok_and(|all| all.iter().any(|at| aria.hidden(*at).is_shown()))
            })
            .await
            .map_err(|failure| match failure.code {
                "not_found" => timeout(&format!(
                    "no visible element matches the selector {}",
                    quoted(selector, 200)
                )),
                _ => failure,
            })?;
        }
        if let Some(glob) = &wait.url {
            let what = format!("the URL does not match {}", quoted(glob, 200));
            self.poll(by(), &what, async || Ok(matches(glob, &self.info_of(tab).await?.url)))
                .await?;
        }
        if let Some(load) = wait.load {
            self.wait_for_load(tab, load, by()).await?;
        }
        if let Some(source) = &wait.script {
            self.wait_for_script(tab, source, by()).await?;
        }
        let mut report = Report::default();
        report.fact("waitedMs", self.engine.now().0.saturating_sub(started.0));
        Ok(report)
    }

    async fn poll(
        &self,
        deadline: Millis,
        what: &str,
        holds: impl AsyncFn() -> Result<bool, Failure>,
    ) -> Result<(), Failure> {
        loop {
            match holds().await {
                Ok(true) => return Ok(()),
                Ok(false) => {}
                // A page that is just being replaced is not there yet.
                Err(failure) if failure.code == "document_gone" => {}
                Err(failure) => return Err(failure),
            }
            if self.engine.now() >= deadline {
                return Err(timeout(what));
            }
            let next = self.engine.now().plus(limits::WAIT_POLL_MS).min(deadline);
            self.engine.host().sleep_until(next).await;
        }
    }

    async fn wait_for_load(
        &self,
        tab: TabId,
        load: LoadWish,
        deadline: Millis,
    ) -> Result<(), Failure> {
        let what = "the page has not come so far";
        self.poll(deadline, what, async || {
            let ready = self.info_of(tab).await?.ready;
            Ok(ready == ReadyState::Complete
                || load == LoadWish::Parsed && ready == ReadyState::Interactive)
        })
        .await?;
        if load != LoadWish::NetworkIdle {
            return Ok(());
        }
        let last = core::cell::Cell::new((None, self.engine.now()));
        self.poll(deadline, "requests keep coming", async || {
            let (open, newest) = self.traffic(tab, deadline).await?;
            let (before, since) = last.get();
            if open || before != Some(newest) {
                last.set((Some(newest), self.engine.now()));
                return Ok(false);
            }
            Ok(self.engine.now().0 >= since.0 + NETWORK_IDLE_MS)
        })
        .await
    }

    /// Whether a request has no answer yet, and the number of the newest one.
    async fn traffic(&self, tab: TabId, deadline: Millis) -> Result<(bool, u64), Failure> {
        let op = Op::Log { tab, kind: LogKind::Requests, clear: false };
        let read_by = deadline.max(self.engine.now().plus(limits::READ_MS));
        let Reply::Log(log) = self.engine.ask(op, read_by, Phase::Read).await? else {
            return Err(wrong_reply(Phase::Read));
        };
        let mut open = false;
        let mut newest = 0;
        for entry in log.entries {
            if let LogEntry::Request { number, resource_type, status, failure, .. } = entry {
                newest = newest.max(number);
                open |= status.is_none() && failure.is_none() && resource_type != "websocket";
            }
        }
        Ok((open, newest))
    }

    /// The page itself looks, so that a page that changes quickly is not missed, and one verdict covers all looks.
    async fn wait_for_script(
        &self,
        tab: TabId,
        source: &str,
        deadline: Millis,
    ) -> Result<(), Failure> {
        let ms = deadline.0.saturating_sub(self.engine.now().0);
        let looking = format!(
            "async () => {{ const until = performance.now() + {ms}; \
             for (;;) {{ const it = ({source}\n); \
             if (await (typeof it === 'function' ? it() : it)) return true; \
             if (performance.now() > until) return false; \
             await new Promise((done) => setTimeout(done, 50)); }} }}"
        );
        let asked = self.script(tab, looking, None, deadline.plus(1_000)).await?;
        match asked {
            Some(serde_json::Value::Bool(true)) => Ok(()),
            _ => Err(timeout("the function did not become true")),
        }
    }
}

fn timeout(what: &str) -> Failure {
    Failure::new(
        "timeout",
        Phase::Verify,
        Retry::SameCall,
        format!("{what} in time; take a snapshot (action \"snapshot\") to see the page as it is"),
    )
}

/// Whether a URL matches a glob: `**` is anything, `*` anything but a slash, `?` is itself, `{a,b}` one of these; a pattern
/// without any of them is part of the URL.
fn matches(glob: &str, url: &str) -> bool {
    if !glob.contains(['*', '{']) {
        return url.contains(glob);
    }
    let glob: alloc::vec::Vec<char> = glob.chars().collect();
    let url: alloc::vec::Vec<char> = url.chars().take(4_000).collect();
    // `reached[j]`: what of the glob was read so far can match the first `j` characters.
    spread(&glob, &url)
}

fn spread(glob: &[char], url: &[char]) -> bool {
    let mut reached = alloc::vec![false; url.len() + 1];
    reached[0] = true;
    let mut at = 0;
    while at < glob.len() {
        let is_deep = glob[at] == '*' && glob.get(at + 1) == Some(&'*');
        if glob[at] == '*' {
            for j in 1..reached.len() {
                reached[j] |= reached[j - 1] && (is_deep || url[j - 1] != '/');
            }
            at += if is_deep { 2 } else { 1 };
            continue;
        }
        let end = glob[at..].iter().position(|c| *c == '}').map(|end| at + end);
        if let (true, Some(end)) = (glob[at] == '{', end) {
            let mut next = alloc::vec![false; reached.len()];
            for word in glob[at + 1..end].split(|c| *c == ',') {
                for j in 0..reached.len() {
                    if reached[j] && url[j..].starts_with(word) {
                        next[j + word.len()] = true;
                    }
                }
            }
            (reached, at) = (next, end + 1);
            continue;
        }
        for j in (1..reached.len()).rev() {
            reached[j] = reached[j - 1] && url[j - 1] == glob[at];
        }
        reached[0] = false;
        at += 1;
    }
    reached.last() == Some(&true)
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn globs_match_urls() {
        let url = "http://a.test/shop/cart?id=1";
        for glob in [
            "cart",
            "**/cart*",
            "http://a.test/**",
            "**/{card,cart}?id=*",
            "http://a.test/*/cart?id=1",
        ] {
            assert!(matches(glob, url), "{glob}");
        }
        for glob in ["**/cart", "http://a.test/*", "*/cart*", "**/{a,b}*1x", "bill"] {
            assert!(!matches(glob, url), "{glob}");
        }
    }
}
