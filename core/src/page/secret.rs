//! Which form fields hold secrets. A driver applies these lists where a live value would enter our process, so that a
//! secret never becomes a string of ours.

use crate::planted::{self, Bug};

/// `autocomplete` tokens whose field is secret: passwords, one-time codes and payment-card data
/// (HTML standard, "Autofill").
pub const SECRET_AUTOCOMPLETE: &[&str] = &[
    "cc-csc",
    "cc-exp",
    "cc-exp-month",
    "cc-exp-year",
    "cc-number",
    "current-password",
    "new-password",
    "one-time-code",
];

/// Whether a field's value must not leave the page. `was_password` is true once the same node was seen as a password
/// field: a "show password" switch does not make it public.
pub fn is_secret_field(input_type: &str, autocomplete: &str, was_password: bool) -> bool {
    if planted::is(Bug::SecretsPrinted) {
        return false;
    }
    was_password
        || input_type.eq_ignore_ascii_case("password")
        || autocomplete.split_ascii_whitespace().any(|token| {
            SECRET_AUTOCOMPLETE.iter().any(|secret| token.eq_ignore_ascii_case(secret))
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_told_by_type_token_and_history() {
        assert!(is_secret_field("PassWord", "", false));
        assert!(is_secret_field("text", "section-a billing CC-Number", false));
        assert!(is_secret_field("text", "", true));
        assert!(!is_secret_field("text", "cc-name", false));
    }
}
