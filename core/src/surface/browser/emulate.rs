//! The emulate action.

use super::devices::{device, names};
use super::report::Report;
use super::{BrowserTool, schema};
use crate::action::{Effect, Failure};
use crate::port::{Emulation, Host, Launcher, Millis, Op, TabInfo};
use crate::text::quoted;
use crate::tool::Args;
use alloc::{format, string::String, vec::Vec};

impl<L: Launcher, H: Host + Clone> BrowserTool<L, H> {
    /// Applies the settings in their order. Not atomic: those before one that fails stay.
    pub(super) async fn emulate(
        &self,
        tab: &TabInfo,
        args: &Args,
        deadline: Millis,
    ) -> Result<Report, Failure> {
        let mut applied: Vec<&str> = Vec::new();
        for (name, what) in settings(args)? {
            let step = async {
                let write = self.tab_write(tab).await?;
                self.order(Op::Emulate { what, write }, deadline.max(self.engine.now().plus(1_000)))
                    .await
            };
            match step.await {
                Ok(_) => applied.push(name),
                Err(failure) => return Err(partly(failure, name, &applied)),
            }
        }
        let mut report = self.report(tab);
        report.url(&tab.url);
        report.fact("applied", applied);
        Ok(report)
    }
}

/// What is asked for, in the order in which it is applied. All of it is checked first.
fn settings(args: &Args) -> Result<Vec<(&'static str, Emulation)>, Failure> {
    let mut all = Vec::new();
    if let Some(name) = args.text("device") {
        let device = device(name).ok_or_else(|| {
            let known: Vec<&str> = names().collect();
            schema::bad(&format!(
                "device: {} is not known; known are {}",
                quoted(name, 60),
                known.join(", ")
            ))
        })?;
        all.push(("device", Emulation::Device(device)));
    }
    if let Some(scheme) = args.text("colorScheme") {
        let scheme = Some(scheme).filter(|word| *word != "none");
        all.push(("colorScheme", Emulation::ColorScheme(scheme.map(String::from))));
    }
    if let Some(zone) = args.text("timezoneId") {
        check_word(zone, "timezoneId", "an IANA time zone such as America/New_York", "/_+-")?;
        all.push(("timezoneId", Emulation::Timezone(zone.into())));
    }
    if let Some(locale) = args.text("locale") {
        check_word(locale, "locale", "a language tag such as en-US", "-_")?;
        all.push(("locale", Emulation::Locale(locale.into())));
    }
    if all.is_empty() {
        return Err(schema::bad(
            "emulate needs at least one of device, colorScheme, timezoneId, locale",
        ));
    }
    Ok(all)
}

/// ASCII letters and digits with these signs between.
fn check_word(word: &str, name: &str, what: &str, signs: &str) -> Result<(), Failure> {
    let is_word = word.starts_with(|c: char| c.is_ascii_alphabetic())
        && word.len() <= 60
        && word.chars().all(|c| c.is_ascii_alphanumeric() || signs.contains(c));
    if is_word { Ok(()) } else { Err(schema::bad(&format!("{name}: must be {what}"))) }
}

fn partly(failure: Failure, name: &str, applied: &[&str]) -> Failure {
    let before = if applied.is_empty() { "nothing".into() } else { applied.join(", ") };
    let message =
        format!("{name} could not be set; applied before it: {before}; {}", failure.message);
    // It took the command and not the word.
    let failure = match failure.code {
        "browser_refused" => Failure {
            detail: failure.detail,
            ..schema::bad(&format!(
                "{name}: the browser does not know this one; applied before it: {before}"
            ))
        },
        _ => Failure { message, ..failure },
    };
    let effect = match failure.effect {
        Effect::None if !applied.is_empty() => Effect::Done,
        effect => effect,
    };
    failure.with_effect(effect)
}
