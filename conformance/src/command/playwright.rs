//! `playwright`: bodies in our engine, against what playwright-core made of them (`conformance/playwright`).

use super::CommandError;
use super::compare::say;
use crate::arm::Setup;
use crate::cli::PlaywrightArgs;
use crate::client::{Client, SurfaceName};
use crate::pattern::matches;
use crate::site::{HOST, Site};
use crate::with_arm;
use backlot_core::gatekeeper::Policy;
use serde::Deserialize;
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};

/// Least share of bodies that must agree, in percent.
const LEAST: f64 = 95.0;

/// What playwright-core made of one body.
#[derive(Debug, Deserialize)]
struct Reference {
    body: String,
    result: Option<Value>,
    error: Option<String>,
    #[serde(default)]
    stdout: String,
}

pub(crate) fn playwright(args: &PlaywrightArgs) -> Result<bool, CommandError> {
    let folder = args
        .folder
        .clone()
        .unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("playwright"));
    let file = folder.join("reference.jsonl");
    let text = fs::read_to_string(&file).map_err(|error| CommandError::file(&file, error))?;
    let mut references: Vec<Reference> = Vec::new();
    for line in text.lines() {
        references
            .push(serde_json::from_str(line).map_err(|error| CommandError::file(&file, error))?);
    }
    references.retain(|one| args.filter.as_ref().is_none_or(|pattern| matches(pattern, &one.body)));
    if references.is_empty() {
        return Err(CommandError::Usage("no body has a name like that".into()));
    }
    let mut agree = 0_u32;
    for reference in &references {
        match run(args, &folder, reference)? {
            None => agree += 1,
            Some(difference) => say(&format!("differs {}\n{difference}", reference.body)),
        }
    }
    let all = references.len();
    let share = 100.0 * f64::from(agree) / f64::from(u32::try_from(all).unwrap_or(u32::MAX));
    say(&format!("{agree} of {all} bodies agree ({share:.1}%, at least {LEAST}%)"));
    Ok(share >= LEAST)
}

/// Runs a body in a browser of its own; the difference, where there is one.
fn run(
    args: &PlaywrightArgs,
    folder: &Path,
    reference: &Reference,
) -> Result<Option<String>, CommandError> {
    let file: PathBuf = folder.join("bodies").join(format!("{}.js", reference.body));
    let code = fs::read_to_string(&file).map_err(|error| CommandError::file(&file, error))?;
    let page = code.lines().next().and_then(|line| line.strip_prefix("// page: "));
    let page = page.ok_or_else(|| CommandError::file(&file, "the first line names no page"))?;
    let site = Site::new(&folder.join("pages"));
    let setup = Setup {
        site: &site,
        seed: 1,
        own_browser: false,
        scripts: true,
        events: false,
        moves: false,
        declines: false,
    };
    let url = site.url(&folder.join("pages").join(page.trim()));
    with_arm!(args.arm, &setup, arm => {
        let client = Client::new(&arm, SurfaceName::Toolkit, Policy::Auto, &[]);
        let opened = client.call("browser_open", json!({ "url": url }));
        if opened.is_error {
            return Err(CommandError::Failed(opened.text));
        }
        let session = &opened.details["sessionId"];
        let ended = client.call("browser_exec", json!({ "sessionId": session, "code": code }));
        client.close();
        Ok(differs(reference, &ended.details))
    })
}

fn differs(reference: &Reference, ours: &Value) -> Option<String> {
    let told = |value: &Value| value.to_string().replace(&format!("http://{HOST}"), "http://host");
    let stdout = told(&ours["stdout"]);
    let wanted = Value::from(reference.stdout.as_str()).to_string();
    let mut lines = Vec::new();
    if stdout != wanted {
        lines.push(format!("- stdout {wanted}\n+ stdout {stdout}"));
    }
    match (&reference.error, ours["ok"] == true) {
        (Some(_), false) => {}
        (Some(error), true) => {
            lines.push(format!("- error {error}\n+ result {}", told(&ours["result"])));
        }
        (None, false) => lines.push(format!(
            "- result {}\n+ error {}",
            reference.result.as_ref().map(told).unwrap_or_default(),
            told(&ours["error"])
        )),
        (None, true) => {
            let wanted = reference.result.as_ref().map(told);
            let got = ours.get("result").map(told);
            if wanted != got {
                lines.push(format!(
                    "- result {}\n+ result {}",
                    wanted.unwrap_or_default(),
                    got.unwrap_or_default()
                ));
            }
        }
    }
    (!lines.is_empty()).then(|| lines.join("\n"))
}
