//! Reports for machines.

use crate::cli::{ReportKind, ReportTarget};
use crate::command::CommandError;
use serde::Serialize;
use std::fs;

/// One case in one arm.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct CaseResult {
    pub(crate) name: String,
    pub(crate) arm: &'static str,
    pub(crate) title: String,
    /// Why it failed; `None` if it passed.
    pub(crate) failure: Option<String>,
}

/// What the run was made with.
#[derive(Debug, Clone, Serialize, Default)]
pub(crate) struct Environment {
    pub(crate) seed: u64,
    /// Version of the live browser, where one ran.
    pub(crate) browser: Option<String>,
}

pub(crate) fn write(
    targets: &[ReportTarget],
    results: &[CaseResult],
    environment: &Environment,
) -> Result<(), CommandError> {
    for target in targets {
        let text = match target.kind {
            ReportKind::Junit => junit(results),
            ReportKind::Json => {
                let passed = results.iter().filter(|result| result.failure.is_none()).count();
                let value = serde_json::json!({
                    "environment": environment,
                    "passed": passed,
                    "failed": results.len() - passed,
                    "cases": results,
                });
                format!("{value:#}\n")
            }
        };
        fs::write(&target.file, text).map_err(|error| CommandError::file(&target.file, error))?;
    }
    Ok(())
}

fn junit(results: &[CaseResult]) -> String {
    let failed = results.iter().filter(|result| result.failure.is_some()).count();
    let mut out = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n<testsuite name=\"backlot\" tests=\"{}\" failures=\"{failed}\">\n",
        results.len()
    );
    for result in results {
        let head = format!("<testcase classname=\"{}\" name=\"{}\"", result.arm, xml(&result.name));
        match &result.failure {
            None => out.push_str(&format!("{head}/>\n")),
            Some(why) => out.push_str(&format!(
                "{head}><failure message=\"{}\">{}</failure></testcase>\n",
                xml(why.lines().next().unwrap_or_default()),
                xml(why)
            )),
        }
    }
    out.push_str("</testsuite>\n</testsuites>\n");
    out
}

/// Text for an XML attribute or element. Characters that XML 1.0 does not allow become U+FFFD.
fn xml(text: &str) -> String {
    text.chars().fold(String::new(), |mut out, c| {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' | '\t' => out.push(c),
            c if c < ' ' || matches!(c, '\u{fffe}' | '\u{ffff}') => out.push('\u{fffd}'),
            c => out.push(c),
        }
        out
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_holds_nothing_that_xml_forbids() {
        let result = CaseResult {
            name: "a/b".into(),
            arm: "sim",
            title: String::new(),
            failure: Some("<x> & \"\u{1}\"".into()),
        };
        let text = junit(&[result]);
        assert!(text.contains("tests=\"1\" failures=\"1\""));
        assert!(text.contains("&lt;x&gt; &amp; &quot;\u{fffd}&quot;</failure>"), "{text}");
    }
}
