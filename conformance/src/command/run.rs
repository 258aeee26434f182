//! `run`: the cases of the fixtures.

use super::CommandError;
use crate::accessible;
use crate::arm::{Arm, Setup, each};
use crate::cli::{ArmName, RunArgs};
use crate::client::{Client, SurfaceName};
use crate::fault::FaultAt;
use crate::fill::{Given, fill};
use crate::normalise::Normaliser;
use crate::pattern::matches;
use crate::report::{self, CaseResult, Environment};
use crate::session::Session;
use crate::site::Site;
use crate::text_diff::short_diff;
use crate::with_arm;
use backlot_core::gatekeeper::Policy;
use backlot_core::page::{CaptureSpec, TabId};
use backlot_core::tool::Level;
use backlot_fixtures::{Case, Step, cases, faults_folder, pages_folder, scripted_folder};
use serde_json::Value;
use std::fs;
use std::io::Write;
use std::path::PathBuf;

/// Most lines of a difference that are printed.
const DIFF_LINES_MAX: usize = 30;

pub(crate) fn run(args: &RunArgs) -> Result<bool, CommandError> {
    let mut all: Vec<Case> = Vec::new();
    for folder in args.cases.clone().map_or_else(folders, |folder| vec![folder]) {
        all.extend(cases(&folder).map_err(|error| CommandError::Usage(error.to_string()))?);
    }
    let chosen: Vec<&Case> = all
        .iter()
        .filter(|case| args.filter.as_ref().is_none_or(|pattern| matches(pattern, &case.name)))
        .collect();
    if args.list {
        return say_all(chosen.iter().map(|case| format!("{}: {}", case.name, case.script.title)));
    }
    if chosen.is_empty() {
        return Err(CommandError::Usage("no case has a name like that; --list shows them".into()));
    }
    let mut results = Vec::new();
    let mut environment = Environment { seed: args.seed, browser: None };
    for arm in each(args.arm) {
        let word = arm.word();
        for case in chosen.iter().filter(|case| case.script.arms.iter().any(|name| name == word)) {
            let (failure, version) = run_case(arm, case, args)?;
            environment.browser = version.or(environment.browser);
            let verdict = if failure.is_none() { "ok" } else { "FAILED" };
            let mut text = format!("{verdict:6} {word} {}", case.name);
            if let Some(why) = &failure {
                text.push('\n');
                text.push_str(why);
            }
            say_all([text])?;
            let title = case.script.title.clone();
            results.push(CaseResult { name: case.name.clone(), arm: word, title, failure });
        }
    }
    report::write(&args.report, &results, &environment)?;
    let failed = results.iter().filter(|result| result.failure.is_some()).count();
    say_all([format!("{} passed, {failed} failed", results.len() - failed)])?;
    Ok(failed == 0)
}

fn folders() -> Vec<PathBuf> {
    vec![pages_folder(), scripted_folder(), faults_folder()]
}

/// A case in a browser of its own: why it failed, and the browser's version.
fn run_case(
    arm: ArmName,
    case: &Case,
    args: &RunArgs,
) -> Result<(Option<String>, Option<String>), CommandError> {
    let site = Site::new(&case.root);
    let surface = SurfaceName::parse(&case.script.surface).map_err(CommandError::Usage)?;
    let setup = Setup {
        site: &site,
        seed: args.seed,
        own_browser: surface.is_given_a_browser(),
        scripts: true,
        events: case.script.events,
        moves: case.script.moves,
        declines: case.script.declines,
    };
    with_arm!(arm, &setup, arm => {
        let version = arm.version();
        let outcome = play(&arm, case, &site, surface);
        let expected = case.folder.join("expected.txt");
        let failure = match outcome {
            Err(why) => Some(why),
            // What it expects has been judged on the way.
            Ok(_) if case.script.steps.is_empty() => None,
            Ok(transcript) if args.update => {
                fs::write(&expected, &transcript).map_err(|error| CommandError::file(&expected, error))?;
                None
            }
            Ok(transcript) => judge(&transcript, &expected),
        };
        Ok((failure, version))
    })
}

/// The first case of the simulated arm that does not give what it must; what is not even played to its end counts too.
#[cfg(feature = "planted")]
pub(crate) fn failing_case() -> Result<Option<String>, CommandError> {
    let args = RunArgs {
        arm: ArmName::Sim,
        filter: None,
        list: false,
        report: Vec::new(),
        seed: 1,
        cases: None,
        update: false,
    };
    let mut all = Vec::new();
    for folder in folders() {
        all.extend(cases(&folder).map_err(|error| CommandError::Usage(error.to_string()))?);
    }
    let is_simulated = |case: &Case| case.script.arms.iter().any(|arm| arm == "sim");
    for case in all.into_iter().filter(is_simulated) {
        if run_case(ArmName::Sim, &case, &args)?.0.is_some() {
            return Ok(Some(case.name));
        }
    }
    Ok(None)
}

fn judge(transcript: &str, expected: &PathBuf) -> Option<String> {
    let wanted = match fs::read_to_string(expected) {
        Ok(text) => text,
        Err(error) => return Some(format!("{}: {error}; --update writes it", expected.display())),
    };
    (wanted != transcript).then(|| {
        format!(
            "the transcript differs (- expected, + got)\n{}",
            short_diff(&wanted, transcript, DIFF_LINES_MAX)
        )
    })
}

/// Plays the steps; `Err` if one did not end as the script says.
fn play<A: Arm>(arm: &A, case: &Case, site: &Site, surface: SurfaceName) -> Result<String, String> {
    let policy = match case.script.policy.as_str() {
        "always" => Policy::Always,
        "untrusted" => Policy::Untrusted,
        "auto" => Policy::Auto,
        other => return Err(format!("there is no policy {other}")),
    };
    let mut levels = vec![Level::L0, Level::L1];
    levels.extend(case.script.trusted_input.then_some(Level::L2));
    let page = site.url(&case.folder.join("page.html"));
    // The page is there before the first step, whatever the case's policy says of navigations.
    let mut tab = None;
    if surface.is_given_a_browser() {
        let opener = Session::new(arm, Policy::Auto, &levels);
        let opened = opener.call("navigate", serde_json::json!({ "url": page }));
        if opened.is_error {
            return Err(format!("the page did not load: {}", opened.text));
        }
        tab = Some(opener.tab().map_err(|error| error.to_string())?);
        if !case.script.accessible.is_empty() {
            let capture = opener.captured(CaptureSpec::GEOMETRY).map_err(|e| e.to_string())?;
            accessible::judge(&capture, &case.script.accessible)?;
        }
        arm.take_events();
    }
    let client = Client::new(arm, surface, policy, &levels);
    let mut played = Played { page, tab, texts: Vec::new(), details: Vec::new() };
    let mut normaliser = Normaliser::default();
    let mut transcript = String::new();
    for (at, step) in case.script.steps.iter().enumerate() {
        let shown =
            played.step(arm, &client, step).map_err(|why| format!("step {}: {why}", at + 1))?;
        transcript.push_str(&normaliser.text(&shown));
        transcript.push('\n');
    }
    if case.script.events {
        transcript.push_str("events:\n");
    }
    for line in arm.take_events() {
        transcript.push_str(&line);
        transcript.push('\n');
    }
    client.close();
    Ok(transcript)
}

/// How far a case has come.
struct Played {
    /// URL of its page.
    page: String,
    /// The tab that shows it; the newest one where the surface opens tabs itself.
    tab: Option<TabId>,
    /// The results as they came, for later steps to take refs from.
    texts: Vec<String>,
    details: Vec<Value>,
}

impl Played {
    /// One step; gives what the transcript says of it.
    fn step<A: Arm>(
        &mut self,
        arm: &A,
        client: &Client<'_, A>,
        step: &Step,
    ) -> Result<String, String> {
        if let Some(mutation) = &step.mutate {
            arm.mutate(self.tab, mutation)?;
            self.texts.push(String::new());
            self.details.push(Value::Null);
            return Ok(format!("* the page changes: {}\n", mutation.selector));
        }
        let tool = step.tool.as_deref().unwrap_or_default();
        let mut args = serde_json::to_value(&step.args).map_err(|error| error.to_string())?;
        let given = Given { texts: &self.texts, details: &self.details, page: &self.page };
        fill(&mut args, &given)?;
        arm.plan(&faults(step)?)?;
        let result = client.call(tool, args.clone());
        arm.plan(&[])?;
        let code =
            result.is_error.then(|| result.details["code"].as_str().unwrap_or_default().to_owned());
        if code != step.fails {
            let wanted = step.fails.as_deref().unwrap_or("success");
            return Err(format!("{tool} was to end in {wanted} and gave:\n{}", result.text));
        }
        if let Some(missing) = step.says.iter().find(|piece| !result.text.contains(*piece)) {
            return Err(format!("{tool} does not say {missing:?}:\n{}", result.text));
        }
        let befallen: String =
            step.faults.iter().map(|fault| format!("! {}\n", one_line(fault))).collect();
        let shown = format!("> {tool} {args}\n{befallen}{}\n", result.text);
        self.texts.push(result.text);
        self.details.push(result.details);
        Ok(shown)
    }
}

/// The faults of a step. TOML has no word for nothing: `true` stands for a fault that says no more.
fn faults(step: &Step) -> Result<Vec<FaultAt>, String> {
    let one = |table: &toml::Table| {
        let mut value = serde_json::to_value(table).map_err(|error| error.to_string())?;
        for (_, value) in value.as_object_mut().into_iter().flatten() {
            if *value == Value::Bool(true) {
                *value = Value::Null;
            }
        }
        let shown = value.to_string();
        serde_json::from_value(value).map_err(|error| format!("the fault {shown}: {error}"))
    };
    step.faults.iter().map(one).collect()
}

fn one_line(fault: &toml::Table) -> String {
    let words: Vec<String> =
        fault.iter().map(|(name, value)| format!("{name} = {value}")).collect();
    words.join(", ")
}

fn say_all(lines: impl IntoIterator<Item = String>) -> Result<bool, CommandError> {
    let mut out = std::io::stdout().lock();
    for line in lines {
        writeln!(out, "{line}").map_err(|error| CommandError::output(&error))?;
    }
    Ok(true)
}
