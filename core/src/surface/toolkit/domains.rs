//! Which hosts a toolkit may show.

use crate::page::TabId;
use crate::port::{DriverError, EventKind, Reply};
use alloc::{format, string::String, vec::Vec};
use url::Url;

/// Allowed and blocked hosts: a host name, or `*.example.com` for what lies below it. Blocked beats allowed. Only `http` and
/// `https` have hosts here; everything else is allowed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DomainPolicy {
    /// Only these, if given; an empty list allows none.
    pub allowed: Option<Vec<String>>,
    /// Never these.
    pub blocked: Vec<String>,
}

impl DomainPolicy {
    /// Why a URL may not be shown; `None` if it may, or is no URL.
    pub fn refusal(&self, url: &str) -> Option<String> {
        let parsed = Url::parse(url).ok()?;
        if !matches!(parsed.scheme(), "http" | "https") {
            return None;
        }
        let host = parsed.host_str()?.trim_end_matches('.').to_ascii_lowercase();
        let covers = |patterns: &[String]| patterns.iter().any(|pattern| covers(pattern, &host));
        let is_allowed = self.allowed.as_deref().is_none_or(covers) && !covers(&self.blocked);
        (!is_allowed).then(|| {
            format!(
                "{host} may not be opened: the domain policy of this toolkit {} it; use another address, or ask the user to change \
                 the policy",
                if covers(&self.blocked) { "blocks" } else { "does not allow" }
            )
        })
    }

    /// The tabs that a batch of events shows on a URL that may not be shown, and why the call must fail. What cannot be known
    /// counts as a breach.
    pub(super) fn judge(&self, asked: Result<Reply, DriverError>) -> (Vec<TabId>, Option<String>) {
        let unknown = |why: &str| {
            format!(
                "{why}, so it cannot be told whether a page was shown that the domain policy of this toolkit forbids; do less in one \
                 call"
            )
        };
        let batch = match asked {
            Ok(Reply::Events(batch)) => batch,
            Ok(_) => return (Vec::new(), Some(unknown("the browser's events cannot be read"))),
            Err(error) => {
                let why = format!("the browser's events cannot be read ({error})");
                return (Vec::new(), Some(unknown(&why)));
            }
        };
        let mut refusal = (batch.lost > 0).then(|| unknown("too much happened in the browser"));
        let mut tabs = Vec::new();
        for event in &batch.events {
            let EventKind::Navigated { url, top: true, .. } = &event.kind else { continue };
            if let Some(why) = self.refusal(url) {
                refusal = Some(why);
                tabs.push(event.tab);
            }
        }
        tabs.dedup();
        (tabs, refusal)
    }

    /// Whether any URL could be refused.
    pub fn is_open(&self) -> bool {
        self.allowed.is_none() && self.blocked.is_empty()
    }
}

fn covers(pattern: &str, host: &str) -> bool {
    let pattern = pattern.trim().trim_end_matches('.').to_ascii_lowercase();
    match pattern.strip_prefix("*.") {
        Some("") => false,
        Some(above) => {
            host.strip_suffix(above).is_some_and(|below| below.len() > 1 && below.ends_with('.'))
        }
        None => pattern == host,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::port::EventBatch;
    use alloc::{string::ToString, vec};

    fn check(allowed: Option<&[&str]>, blocked: &[&str], url: &str, is_allowed: bool) {
        let list = |given: &[&str]| given.iter().map(ToString::to_string).collect();
        let policy = DomainPolicy { allowed: allowed.map(list), blocked: list(blocked) };
        assert_eq!(policy.refusal(url).is_none(), is_allowed, "{policy:?} {url}");
    }

    #[test]
    fn hosts_are_compared_as_browsers_do() {
        check(None, &[], "https://a.test/", true);
        check(Some(&[]), &[], "https://a.test/", false);
        check(Some(&[]), &[], "about:blank", true);
        check(Some(&[" A.test "]), &[], "https://a.TEST:8443/x", true);
        check(Some(&["a.test"]), &[], "https://a.test./", true);
        check(Some(&["a.test"]), &[], "https://b.a.test/", false);
        check(Some(&["*.a.test"]), &[], "https://b.a.test/", true);
        check(Some(&["*.a.test"]), &[], "https://c.b.a.test/", true);
        check(Some(&["*.a.test"]), &[], "https://a.test/", false);
        check(Some(&["*.a.test"]), &[], "https://ba.test/", false);
        check(Some(&["*."]), &[], "https://a.test/", false);
        check(Some(&["a.test"]), &["a.test"], "https://a.test/", false);
        check(None, &["*.a.test"], "http://x.a.test./", false);
        check(None, &["a.test"], "data:text/html,a.test", true);
    }

    #[test]
    fn what_cannot_be_known_counts_as_a_breach() {
        let policy = DomainPolicy { allowed: None, blocked: vec!["b.test".to_string()] };
        let batch = |lost| Reply::Events(EventBatch { lost, ..EventBatch::default() });
        assert_eq!(policy.judge(Ok(batch(0))), (vec![], None));
        for asked in [Ok(batch(1)), Ok(Reply::Probe(None)), Err(DriverError::Deadline)] {
            let (tabs, refusal) = policy.judge(asked.clone());
            assert!(tabs.is_empty() && refusal.is_some(), "{asked:?}");
        }
    }
}
