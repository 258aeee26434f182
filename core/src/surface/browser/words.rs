//! The engine's messages in the words of this tool.

use crate::action::Failure;
use alloc::string::String;

/// What the engine says, and what it is here.
const WORDS: &[(&str, &str)] = &[
    (
        "call read_page and use a new ref",
        "take a new snapshot (action \"snapshot\") and use a ref of it",
    ),
    ("read_page shows", "a new snapshot shows"),
    (
        "call tabs_list and choose another tab",
        "list the tabs (action \"tabs\") and choose another one",
    ),
    ("options are chosen with select_option on", "options are chosen with kind \"select\" on"),
    ("use select_option", "use kind \"select\""),
    ("; use click", "; use kind \"click\""),
    ("Invalid parameters for type:", "Invalid parameters for browser:"),
    ("Invalid parameters for select_option:", "Invalid parameters for browser:"),
];

/// The failure with its advice in the words of this tool.
pub(super) fn in_our_words(failure: Failure) -> Failure {
    let message = WORDS
        .iter()
        .fold(failure.message, |message: String, (theirs, ours)| message.replace(theirs, ours));
    Failure { message, ..failure }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::action::{NotActionable, Phase};
    use crate::port::DriverError;
    use crate::refs::StaleReason;

    #[test]
    fn no_tool_of_another_surface_is_named() {
        let failures = [
            Failure::stale(StaleReason::Removed),
            Failure::not_actionable(&NotActionable::Detached),
            Failure::not_actionable(&NotActionable::OutsideViewport),
            Failure::not_actionable(&NotActionable::NotEditable(
                "it is a select; use select_option",
            )),
            Failure::driver(Phase::Read, &DriverError::TabGone),
            Failure::driver(Phase::Read, &DriverError::DocumentGone),
        ];
        for failure in failures {
            let said = in_our_words(failure).message;
            for name in ["read_page", "tabs_list", "select_option"] {
                assert!(!said.contains(name), "{said}");
            }
        }
    }
}
