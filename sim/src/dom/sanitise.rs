//! Value sanitisation of `input` (HTML standard, "States of the type attribute").

use super::{Dom, InputKind};
use backlot_core::page::NodeId;

impl Dom {
    pub(super) fn sanitised(&self, id: NodeId, value: &str) -> String {
        let one_line = || value.replace(['\n', '\r'], "");
        let kept_if = |fits: bool| if fits { value.to_string() } else { String::new() };
        match self.input_kind(id) {
            Some(InputKind::Email) if self.has_attr(id, "multiple") => {
                let parts = one_line();
                parts.split(',').map(str::trim_ascii).collect::<Vec<_>>().join(",")
            }
            Some(InputKind::Email | InputKind::Url) => one_line().trim_ascii().to_string(),
            Some(InputKind::Number) => kept_if(float(value).is_some()),
            Some(InputKind::Range) => self.ranged(id, value),
            Some(InputKind::Color) => {
                let hex = value.strip_prefix('#').unwrap_or_default();
                let fits = hex.len() == 6 && hex.bytes().all(|b| b.is_ascii_hexdigit());
                if fits { value.to_ascii_lowercase() } else { "#000000".into() }
            }
            Some(InputKind::Date) => kept_if(is_date(value)),
            Some(InputKind::Month) => kept_if(is_month(value)),
            Some(InputKind::Week) => kept_if(is_week(value)),
            Some(InputKind::Time) => kept_if(is_time(value)),
            Some(InputKind::DateTime) => match value.split_once(['T', ' ']) {
                Some((date, time)) if is_date(date) && is_time(time) => format!("{date}T{time}"),
                _ => String::new(),
            },
            Some(InputKind::Text | InputKind::Password | InputKind::Search | InputKind::Tel) => {
                one_line()
            }
            _ => value.to_string(),
        }
    }

    fn ranged(&self, id: NodeId, value: &str) -> String {
        let number = |name| self.attr(id, name).and_then(float);
        let min = number("min").unwrap_or(0.0);
        let max = number("max").unwrap_or(100.0).max(min);
        let wanted = float(value).unwrap_or(min + (max - min) / 2.0).clamp(min, max);
        let any = self.attr(id, "step").is_some_and(|step| step.eq_ignore_ascii_case("any"));
        if any {
            return wanted.to_string();
        }
        let step = number("step").filter(|step| *step > 0.0).unwrap_or(1.0);
        let mut steps = ((wanted - min) / step + 0.5).floor();
        if min + steps * step > max {
            steps -= 1.0;
        }
        let places = self.attr(id, "step").and_then(|s| s.split_once('.')).map_or(0, |s| s.1.len());
        let places = places
            .max(self.attr(id, "min").and_then(|s| s.split_once('.')).map_or(0, |s| s.1.len()));
        format!("{:.places$}", min + steps * step)
    }
}

/// Days since 1970 in the proleptic Gregorian calendar.
pub(crate) fn days_since_1970(year: i64, month: i64, day: i64) -> i64 {
    // The year begins in March.
    let year = if month <= 2 { year - 1 } else { year };
    let (era, of_era) = (year.div_euclid(400), year.rem_euclid(400));
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

/// A valid floating-point number.
pub(super) fn float(text: &str) -> Option<f64> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let first = digits.as_bytes().first()?;
    let fits = (first.is_ascii_digit() || *first == b'.')
        && !text.ends_with('.')
        && text
            .bytes()
            .all(|b| b.is_ascii_digit() || matches!(b, b'.' | b'-' | b'+' | b'e' | b'E'));
    text.parse::<f64>().ok().filter(|number| fits && number.is_finite())
}

fn number(text: &str, digits: usize) -> Option<u32> {
    let fits = text.len() == digits && text.bytes().all(|b| b.is_ascii_digit());
    text.parse().ok().filter(|_| fits)
}

fn is_month(text: &str) -> bool {
    let Some((year, month)) = text.split_once('-') else { return false };
    number(year, year.len().max(4)).is_some_and(|year| year > 0)
        && number(month, 2).is_some_and(|month| (1..=12).contains(&month))
}

fn is_date(text: &str) -> bool {
    let Some((month, day)) = text.rsplit_once('-') else { return false };
    let (Some((year, number_of)), true) = (month.split_once('-'), is_month(month)) else {
        return false;
    };
    let year: u32 = year.parse().unwrap_or(1);
    let leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let days = match number_of {
        "02" if leap => 29,
        "02" => 28,
        "04" | "06" | "09" | "11" => 30,
        _ => 31,
    };
    number(day, 2).is_some_and(|day| (1..=days).contains(&day))
}

fn is_week(text: &str) -> bool {
    let Some((year, week)) = text.split_once("-W") else { return false };
    number(year, year.len().max(4)).is_some_and(|year| year > 0)
        && number(week, 2).is_some_and(|week| (1..=53).contains(&week))
}

fn is_time(text: &str) -> bool {
    let (clock, fraction) = text.split_once('.').unwrap_or((text, "0"));
    let parts: Vec<&str> = clock.split(':').collect();
    let within = |text: &str, max| number(text, 2).is_some_and(|n| n < max);
    let fits = match parts.as_slice() {
        [hours, minutes] => !text.contains('.') && within(hours, 24) && within(minutes, 60),
        [hours, minutes, seconds] => {
            within(hours, 24) && within(minutes, 60) && within(seconds, 60)
        }
        _ => false,
    };
    fits && (1..=3).contains(&fraction.len()) && fraction.bytes().all(|b| b.is_ascii_digit())
}
