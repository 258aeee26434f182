//! Faults between the ops of a click on a live page, sampled: every call ends with a code in time, and what it says of its effect is
//! true. The simulated browser enumerates them all (`conformance/tests/faults.rs`).

use crate::support::Stage;
use backlot_core::gatekeeper::{Policy, PolicyState};
use backlot_core::port::{Fault, FaultPlan, Faulty};
use backlot_core::surface::Surface;
use backlot_core::surface::catalog::{Catalog, ToolCall};
use backlot_core::tool::Level;
use backlot_driver_cdp::{Approver, TokioHost};
use serde_json::{Value, json};
use std::time::{Duration, Instant};
use tokio::task::LocalSet;

const PAGE: &str = "<!doctype html><title>seen 0</title><button>Save</button><script>let n = 0;
    for (const t of ['pointerdown', 'click', 'focusin']) addEventListener(t, () => { n++; document.title = 'seen ' + n; }, true);
    </script>";

#[tokio::test(flavor = "current_thread")]
async fn sampled_faults_of_a_click_end_with_a_code_and_a_true_effect() {
    LocalSet::new()
        .run_until(async {
            let stage = Stage::showing(PAGE).await;
            let port = Faulty::new(stage.port.clone(), None);
            let host = TokioHost::new(Approver::Accept);
            let policy = PolicyState::new(Policy::Auto);
            let catalog = Catalog::new(port, host, policy, &[Level::L0, Level::L1]);
            let call = async |name: &str, arguments: Value| {
                let start = Instant::now();
                let result = catalog.call(&ToolCall { name: name.into(), arguments }).await;
                assert!(start.elapsed() < Duration::from_secs(16), "{name}: {}", result.text);
                result
            };
            let mut effects = Vec::new();
            for (fault, at_op) in
                Fault::ALL.iter().flat_map(|fault| [0, 1, 6, 8, 9, 10].map(|at| (*fault, at)))
            {
                stage.show(PAGE).await;
                let page = call("read_page", json!({ "tabId": stage.tab.0 })).await;
                let elem_ref = page.text.split("[ref=").nth(1).unwrap().split(']').next().unwrap();
                let faulty = catalog.engine().port();
                faulty.rearm(Some(FaultPlan { at_op, fault }));
                let args = json!({ "tabId": stage.tab.0, "element": "save", "ref": elem_ref });
                let clicked = call("click", args).await;
                assert!(faulty.count() > at_op, "a click has more than {at_op} ops");
                faulty.rearm(None);
                let after = call("read_page", json!({ "tabId": stage.tab.0 })).await;
                let seen_nothing = after.text.contains("Title: seen 0");
                let told = &clicked.details;
                assert!(clicked.is_error, "{fault:?} at {at_op}: {}", clicked.text);
                match told["effect"].as_str() {
                    Some("none") => assert!(seen_nothing, "{fault:?} at {at_op}: {}", clicked.text),
                    Some("done") => {
                        assert!(!seen_nothing, "{fault:?} at {at_op}: {}", clicked.text);
                    }
                    Some("unknown") => assert_eq!(told["retry"], "never", "{}", clicked.text),
                    other => panic!("{other:?} is no effect"),
                }
                effects.push(told["effect"].as_str().unwrap_or_default().to_owned());
            }
            for effect in ["none", "done", "unknown"] {
                assert!(
                    effects.iter().any(|seen| seen == effect),
                    "no fault ended as {effect}: {effects:?}"
                );
            }
            stage.browser.close().await;
        })
        .await;
}
