//! Constraint validation.

use crate::dom::{Dom, InputKind};
use backlot_core::page::NodeId;

impl Dom {
    /// Whether a control's value satisfies its constraints.
    ///
    /// SIM DIFFERENCE: `pattern` and `step` are not looked at.
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
        if value.is_empty() {
            return true;
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
                number("min").is_none_or(|min| now >= min)
                    && number("max").is_none_or(|max| now <= max)
            }),
            Some(
                InputKind::Date
                | InputKind::Month
                | InputKind::Week
                | InputKind::Time
                | InputKind::DateTime,
            ) => {
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
