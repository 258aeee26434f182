//! `run`: the cases of the fixtures.

use super::CommandError;
use crate::arm::{Arm, Setup, each};
use crate::cli::{ArmName, RunArgs};
use crate::normalise::Normaliser;
use crate::pattern::matches;
use crate::report::{self, CaseResult, Environment};
use crate::session::Session;
use crate::site::Site;
use crate::text_diff::short_diff;
use crate::with_arm;
use backlot_core::gatekeeper::Policy;
use backlot_core::tool::Level;
use backlot_fixtures::{Case, Step, cases, pages_folder, scripted_folder};
use serde_json::Value;
use std::fs;
use std::io::Write;
use std::path::PathBuf;

/// Most lines of a difference that are printed.
const DIFF_LINES_MAX: usize = 30;

pub(crate) fn run(args: &RunArgs) -> Result<bool, CommandError> {
    let mut all: Vec<Case> = Vec::new();
    for folder in args
        .cases
        .clone()
        .map_or_else(|| vec![pages_folder(), scripted_folder()], |folder| vec![folder])
    {
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

/// A case in a browser of its own: why it failed, and the browser's version.
fn run_case(
    arm: ArmName,
    case: &Case,
    args: &RunArgs,
) -> Result<(Option<String>, Option<String>), CommandError> {
    let site = Site::new(&case.root);
    let setup = Setup {
        site: &site,
        seed: args.seed,
        own_browser: true,
        scripts: true,
        events: true,
        declines: case.script.declines,
    };
    with_arm!(arm, &setup, arm => {
        let version = arm.version();
        let outcome = play(&arm, case, &site);
        let expected = case.folder.join("expected.txt");
        let failure = match outcome {
            Err(why) => Some(why),
            Ok(transcript) if args.update => {
                fs::write(&expected, &transcript).map_err(|error| CommandError::file(&expected, error))?;
                None
            }
            Ok(transcript) => judge(&transcript, &expected),
        };
        Ok((failure, version))
    })
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
fn play<A: Arm>(arm: &A, case: &Case, site: &Site) -> Result<String, String> {
    let policy = match case.script.policy.as_str() {
        "always" => Policy::Always,
        "untrusted" => Policy::Untrusted,
        "auto" => Policy::Auto,
        other => return Err(format!("there is no policy {other}")),
    };
    let mut levels = vec![Level::L0, Level::L1];
    levels.extend(case.script.trusted_input.then_some(Level::L2));
    // The page is there before the first step, whatever the case's policy says of navigations.
    let opener = Session::new(arm, Policy::Auto, &levels);
    let opened = opener
        .call("navigate", serde_json::json!({ "url": site.url(&case.folder.join("page.html")) }));
    if opened.is_error {
        return Err(format!("the page did not load: {}", opened.text));
    }
    arm.take_events();
    let session = Session::new(arm, policy, &levels);
    let mut normaliser = Normaliser::default();
    let mut transcript = String::new();
    let mut texts: Vec<String> = Vec::new();
    for (at, step) in case.script.steps.iter().enumerate() {
        let step_text = play_step(arm, &session, &opener, step, &texts)
            .map_err(|why| format!("step {}: {why}", at + 1))?;
        transcript.push_str(&normaliser.text(&step_text.shown));
        transcript.push('\n');
        texts.push(step_text.text);
    }
    transcript.push_str("events:\n");
    for line in arm.take_events() {
        transcript.push_str(&line);
        transcript.push('\n');
    }
    Ok(transcript)
}

struct StepText {
    /// For the transcript.
    shown: String,
    /// The result as it came, for later steps to take refs from.
    text: String,
}

fn play_step<A: Arm>(
    arm: &A,
    session: &Session<'_, A>,
    opener: &Session<'_, A>,
    step: &Step,
    texts: &[String],
) -> Result<StepText, String> {
    if let Some(mutation) = &step.mutate {
        let tab = opener.tab().map_err(|error| error.to_string())?;
        arm.mutate(Some(tab), mutation)?;
        let shown = format!("* the page changes: {}\n", mutation.selector);
        return Ok(StepText { shown, text: String::new() });
    }
    let tool = step.tool.as_deref().unwrap_or_default();
    let mut args = serde_json::to_value(&step.args).map_err(|error| error.to_string())?;
    fill_refs(&mut args, texts)?;
    let result = session.call(tool, args.clone());
    let code =
        result.is_error.then(|| result.details["code"].as_str().unwrap_or_default().to_owned());
    if code != step.fails {
        let wanted = step.fails.as_deref().unwrap_or("success");
        return Err(format!("{tool} was to end in {wanted} and gave:\n{}", result.text));
    }
    if let Some(missing) = step.says.iter().find(|piece| !result.text.contains(*piece)) {
        return Err(format!("{tool} does not say {missing:?}:\n{}", result.text));
    }
    let shown = format!("> {tool} {args}\n{}\n", result.text);
    Ok(StepText { shown, text: result.text })
}

/// Replaces `@role "name"` and `@2 role "name"` by refs from earlier results.
fn fill_refs(args: &mut Value, texts: &[String]) -> Result<(), String> {
    let Value::Object(map) = args else { return Ok(()) };
    for value in map.values_mut() {
        let Some(wanted) = value.as_str().and_then(|text| text.strip_prefix('@')) else { continue };
        let (line, searched) = match wanted.split_once(' ') {
            Some((number, line)) if number.parse::<usize>().is_ok() => {
                let at: usize = number.parse().unwrap_or_default();
                (line, texts.get(at.wrapping_sub(1)..at).unwrap_or_default())
            }
            _ => (wanted, texts),
        };
        let found = searched.iter().rev().find_map(|text| ref_of(text, line));
        *value = Value::from(
            found.ok_or_else(|| format!("no result before has a line `- {line}` with a ref"))?,
        );
    }
    Ok(())
}

fn ref_of(text: &str, wanted: &str) -> Option<String> {
    let start = format!("- {wanted}");
    text.lines().map(str::trim_start).find_map(|line| {
        let rest = line.strip_prefix(&start)?;
        let at = rest.starts_with(' ').then(|| rest.find("[ref=")).flatten()?;
        rest[at + 5..].split(']').next().map(str::to_owned)
    })
}

fn say_all(lines: impl IntoIterator<Item = String>) -> Result<bool, CommandError> {
    let mut out = std::io::stdout().lock();
    for line in lines {
        writeln!(out, "{line}").map_err(|error| CommandError::output(&error))?;
    }
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ref_is_taken_from_the_line_that_begins_so() {
        let text = "- button \"Save all\" [ref=s1]\n  - button \"Save\" [disabled] [ref=s2]";
        assert_eq!(ref_of(text, "button \"Save\"").as_deref(), Some("s2"));
        assert_eq!(ref_of(text, "button \"Sav"), None);
    }
}
