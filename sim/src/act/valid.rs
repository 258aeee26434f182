//! Constraint validation.

use crate::dom::{Dom, InputKind};
use backlot_core::page::NodeId;

impl Dom {
    /// Whether a control's value satisfies its constraints.
    pub(crate) fn is_valid(&self, id: NodeId) -> bool {
        let kind = self.input_kind(id);
        let exempt = self.is_disabled(id)
            || self.has_attr(id, "readonly")
            || self.is_html(id, "button")
            || kind.is_some_and(|kind| kind == InputKind::Hidden || kind.is_button());
        if exempt {
            return true;
        }
        let value = self.value(id);
        let missing = self.has_attr(id, "required")
            && match kind {
                Some(InputKind::Checkbox) => !self.is_checked(id),
                Some(InputKind::Radio) => {
                    !self.radio_group(id).iter().any(|at| self.is_checked(*at))
                }
                _ => value.is_empty(),
            };
        if missing {
            return false;
        }
        if value.is_empty() || !self.fits_length(id, &value) || self.fails_pattern(id, &value) {
            return value.is_empty();
        }
        let number =
            |name: &str| self.attr(id, name).and_then(|text| text.trim().parse::<f64>().ok());
        match kind {
            Some(InputKind::Email) => {
                let many = self.has_attr(id, "multiple");
                if many { value.split(',').all(is_email) } else { is_email(&value) }
            }
            Some(InputKind::Url) => url::Url::parse(&value).is_ok(),
            Some(InputKind::Number) => value.parse::<f64>().is_ok_and(|now| {
                let base = number("min").or_else(|| number("value")).unwrap_or(0.0);
                number("min").is_none_or(|min| now >= min)
                    && number("max").is_none_or(|max| now <= max)
                    && self.is_on_step(id, now - base, 1.0)
            }),
            Some(
                InputKind::Date
                | InputKind::Month
                | InputKind::Week
                | InputKind::Time
                | InputKind::DateTime,
            ) => {
                let count = |text: &str| kind.and_then(|kind| counted(kind, text));
                let own = self.attr(id, "min").or_else(|| self.attr(id, "value"));
                let base = own.and_then(count).unwrap_or(0.0);
                let default = match kind {
                    Some(InputKind::Time | InputKind::DateTime) => 60.0,
                    _ => 1.0,
                };
                if count(&value).is_some_and(|now| !self.is_on_step(id, now - base, default)) {
                    return false;
                }
                let above =
                    self.attr(id, "min").is_none_or(|min| min.is_empty() || value.as_str() >= min);
                above
                    && self
                        .attr(id, "max")
                        .is_none_or(|max| max.is_empty() || value.as_str() <= max)
            }
            _ => true,
        }
    }
}

impl Dom {
    /// `minlength` and `maxlength` bind what a person typed.
    fn fits_length(&self, id: NodeId, value: &str) -> bool {
        let limit =
            |name: &str| self.attr(id, name).and_then(|text| text.trim().parse::<usize>().ok());
        let typed = self.element(id).is_some_and(|element| element.live.by_person);
        let units = value.encode_utf16().count();
        !typed
            || limit("minlength").is_none_or(|least| units >= least)
                && limit("maxlength").is_none_or(|most| units <= most)
    }

    fn fails_pattern(&self, id: NodeId, value: &str) -> bool {
        let takes_one = matches!(
            self.input_kind(id),
            Some(
                InputKind::Text
                    | InputKind::Search
                    | InputKind::Tel
                    | InputKind::Url
                    | InputKind::Email
                    | InputKind::Password
            )
        );
        let pattern = self.attr(id, "pattern").filter(|_| takes_one);
        pattern.is_some_and(|pattern| super::pattern::holds(pattern, value) == Some(false))
    }

    /// Whether a distance from the base is a whole number of steps.
    fn is_on_step(&self, id: NodeId, distance: f64, default: f64) -> bool {
        let step = match self.attr(id, "step").map(str::trim) {
            Some(step) if step.eq_ignore_ascii_case("any") => return true,
            step => step.and_then(|step| step.parse::<f64>().ok()).filter(|step| *step > 0.0),
        };
        let steps = distance / step.unwrap_or(default);
        (steps - steps.round()).abs() < 1e-7
    }
}

/// A date or time as a number of its steps' unit: days, months, weeks, seconds.
fn counted(kind: InputKind, text: &str) -> Option<f64> {
    let days = |text: &str| {
        let mut parts = text.split('-').map(|part| part.parse::<i64>().ok());
        let (year, month, day) = (parts.next()??, parts.next()??, parts.next()??);
        Some(crate::dom::days_since_1970(year, month, day) as f64)
    };
    let seconds = |text: &str| {
        let mut parts = text.split(':');
        let mut next = || parts.next().map(|part| part.parse::<f64>().ok());
        Some(next()?? * 3_600.0 + next()?? * 60.0 + next().unwrap_or(Some(0.0))?)
    };
    match kind {
        InputKind::Date => days(text),
        InputKind::Month => {
            let (year, month) = text.split_once('-')?;
            Some(year.parse::<f64>().ok()? * 12.0 + month.parse::<f64>().ok()?)
        }
        InputKind::Week => None,
        InputKind::Time => seconds(text),
        InputKind::DateTime => {
            let (date, time) = text.split_once('T')?;
            Some(days(date)? * 86_400.0 + seconds(time)?)
        }
        _ => None,
    }
}

/// The standard's own idea of an e-mail address.
fn is_email(text: &str) -> bool {
    let Some((name, host)) = text.split_once('@') else { return false };
    let name_fits = !name.is_empty()
        && name.chars().all(|c| c.is_ascii_alphanumeric() || ".!#$%&'*+/=?^_`{|}~-".contains(c));
    let label_fits = |label: &str| {
        (1..=63).contains(&label.len())
            && label.chars().all(|c| c.is_ascii_alphanumeric() || c == '-')
            && !label.starts_with('-')
            && !label.ends_with('-')
    };
    name_fits && host.split('.').all(label_fits)
}
