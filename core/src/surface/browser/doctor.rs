//! The doctor action: what is ready and what is not.

use super::report::Report;
use super::{BrowserTool, LAUNCH_MS, schema};
use crate::action::Failure;
use crate::gatekeeper::TargetIdentity;
use crate::page::CaptureSpec;
use crate::port::{Host, Launcher, ReadyState};
use crate::tool::Args;
use alloc::{format, string::String, vec::Vec};
use serde_json::{Value, json};

/// The answer to one question.
struct Check {
    id: &'static str,
    label: &'static str,
    status: &'static str,
    summary: String,
    hint: Option<&'static str>,
}

impl Check {
    fn new(
        id: &'static str,
        label: &'static str,
        status: &'static str,
        summary: impl Into<String>,
    ) -> Self {
        Self { id, label, status, summary: summary.into(), hint: None }
    }

    fn hint(self, hint: &'static str) -> Self {
        Self { hint: Some(hint), ..self }
    }

    fn json(&self) -> Value {
        let mut json = json!({
            "id": self.id,
            "label": self.label,
            "status": self.status,
            "summary": self.summary,
        });
        if let Some(hint) = self.hint {
            json["fixHint"] = hint.into();
        }
        json
    }
}

impl<L: Launcher, H: Host + Clone> BrowserTool<L, H> {
    /// Looks at everything and changes nothing: a browser that does not run is not started.
    pub(super) async fn doctor(&self, args: &Args) -> Result<Report, Failure> {
        self.engine.clear(&schema::READ, TargetIdentity::default(), None).await?;
        let running = self.is_running().await;
        let mut checks = alloc::vec![
            Check::new("gateway", "Gateway", "info", "none: the tool runs on this host by itself"),
            Check::new("plugin-enabled", "Plugin", "pass", "the browser tool is on"),
            Check::new(
                "profile",
                "Profile",
                "pass",
                format!("{}, a managed browser of its own", schema::PROFILE),
            ),
            Check::new(
                "sandbox",
                "Sandbox",
                "info",
                "sandbox, node and dashboard are not supported"
            ),
        ];
        checks.push(match self.info().filter(|_| running) {
            Some(info) => {
                let mode = if info.is_headless { "headless" } else { "with a window" };
                Check::new("browser", "Browser", "pass", format!("{} runs, {mode}", info.version))
            }
            None => {
                Check::new("browser", "Browser", "info", "not running; open or start starts it")
                    .hint("use the action start to see whether it starts")
            }
        });
        if running {
            checks.extend(self.tab_checks(args.flag("deep") == Some(true)).await);
        }
        let ok = checks.iter().all(|check| check.status != "fail");
        let mut report = Report::default();
        report.fact("ok", ok);
        report.fact("profile", schema::PROFILE);
        report.fact("transport", "cdp");
        report.fact("running", running);
        report.fact("checks", checks.iter().map(Check::json).collect::<Vec<_>>());
        Ok(report)
    }

    async fn tab_checks(&self, deep: bool) -> Vec<Check> {
        let tabs = match self.tabs().await {
            Ok(tabs) => tabs,
            Err(failure) => {
                let said = format!("the browser does not answer ({})", failure.code);
                return alloc::vec![
                    Check::new("cdp", "Connection", "fail", said)
                        .hint("use the actions stop and start")
                ];
            }
        };
        let mut checks =
            alloc::vec![Check::new("cdp", "Connection", "pass", "the browser answers")];
        checks.push(match tabs.len() {
            0 => Check::new("tabs", "Tabs", "warn", "no tab is open").hint("use the action open"),
            count => Check::new("tabs", "Tabs", "pass", format!("{count} open")),
        });
        let found = self.book.borrow().find(None, &tabs);
        let Ok(tab) = found else { return checks };
        let id = self.book.borrow().id(tab.tab);
        checks.push(match tab.ready {
            ReadyState::Complete => Check::new("tab", "Tab", "pass", format!("{id} has loaded")),
            ReadyState::Interactive | ReadyState::Loading => {
                Check::new("tab", "Tab", "warn", format!("{id} is still loading"))
                    .hint("wait for it with act, kind wait, loadState load")
            }
        });
        if deep {
            let by = self.engine.now().plus(LAUNCH_MS);
            checks.push(match self.engine.capture(tab.tab, CaptureSpec::TEXT, by).await {
                Ok(_) => Check::new("live-snapshot", "Page", "pass", format!("{id} can be read")),
                Err(error) => {
                    let said = format!("{id} cannot be read ({})", error.code());
                    Check::new("live-snapshot", "Page", "fail", said)
                        .hint("close the tab and open its page again")
                }
            });
        }
        checks
    }
}
