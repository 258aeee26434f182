//! The fill kind: several fields, one after another.

use super::super::report::Report;
use super::super::{BrowserTool, schema};
use super::parse::{FillField, FillValue};
use super::target::Target;
use crate::action::{Effect, Failure, Intent, Phase, Retry};
use crate::aria::{AriaFrame, Tristate};
use crate::page::TabId;
use crate::port::{Host, Launcher, Millis, Typing};
use alloc::{format, vec::Vec};

impl<L: Launcher, H: Host + Clone> BrowserTool<L, H> {
    /// Fills the fields in their order. All refs are looked up before the first one is touched.
    pub(super) async fn fill_fields(
        &self,
        tab: TabId,
        fields: &[FillField],
        deadline: Millis,
    ) -> Result<Report, Failure> {
        let mut targets = Vec::with_capacity(fields.len());
        for field in fields {
            targets.push(self.target(tab, &field.at, deadline).await?);
        }
        let budget = deadline.0.saturating_sub(self.engine.now().0);
        let mut report = Report::default();
        for (number, (field, target)) in fields.iter().zip(&targets).enumerate() {
            // Each field has the act's time for itself.
            let deadline = self.engine.now().plus(budget);
            match self.fill_field(tab, field, target, deadline).await {
                Ok(one) => report.add(one),
                Err(failure) => return Err(partly(failure, number, fields.len(), field)),
            }
        }
        report.fact("filled", fields.len());
        Ok(report)
    }

    async fn fill_field(
        &self,
        tab: TabId,
        field: &FillField,
        target: &Target,
        deadline: Millis,
    ) -> Result<Report, Failure> {
        let wanted = match &field.value {
            FillValue::Text(text) => {
                let intent =
                    Intent::Type { text: text.clone(), how: Typing::Replace, submit: false };
                return self.write(tab, &schema::FILL, target, intent, deadline).await;
            }
            FillValue::Checked(wanted) => *wanted,
        };
        let was = self.is_checked(tab, target, deadline).await?;
        if was == Some(wanted) {
            let mut report = Report::default();
            report.fact("effect", "verified");
            return Ok(report);
        }
        let mut report = self.plain_click(tab, target, deadline).await?;
        let mut now = self.is_checked(tab, target, deadline).await;
        // The first click on a box that was mixed says what it was: the other of the two.
        if was.is_none() && matches!(now, Ok(Some(now)) if now != wanted) {
            report = self.plain_click(tab, target, deadline).await?;
            now = self.is_checked(tab, target, deadline).await;
        }
        // A page that went on to another one took the click; nothing is left to look at.
        match now {
            Ok(now) if now != Some(wanted) => Err(Failure::new(
                "l1_not_effective",
                Phase::Verify,
                Retry::AfterNewSnapshot,
                "the box was clicked and does not stand as it should; take a new snapshot",
            )
            .with_effect(Effect::Done)),
            Ok(_) => {
                report.fact("effect", "verified");
                Ok(report)
            }
            Err(_) => Ok(report),
        }
    }

    /// `None` for a mixed one.
    async fn is_checked(
        &self,
        tab: TabId,
        target: &Target,
        deadline: Millis,
    ) -> Result<Option<bool>, Failure> {
        let found = self.engine.find(tab, &target.entry, &target.others, deadline).await?;
        let (frame, at) = found.resolved.at;
        let checked = AriaFrame::new(&found.capture.frames[frame as usize]).states(at).checked;
        match checked {
            Some(Tristate::True) => Ok(Some(true)),
            Some(Tristate::False) => Ok(Some(false)),
            Some(Tristate::Mixed) => Ok(None),
            None => Err(Failure::new(
                "not_editable",
                Phase::Precheck,
                Retry::Never,
                "the target is neither a check box nor a radio button; leave the type out for text",
            )),
        }
    }
}

fn partly(failure: Failure, done: usize, all: usize, field: &FillField) -> Failure {
    let message = format!(
        "field {} ({}) was not filled ({done} of {all} were filled before it): {}",
        done + 1,
        field.at,
        failure.message
    );
    let effect = match failure.effect {
        Effect::None if done > 0 => Effect::Done,
        effect => effect,
    };
    Failure { message, ..failure }.with_effect(effect)
}
