//! The text form of a ref: `s{nonce}_{snapshot}_{index}`.

use alloc::{format, string::String};
use core::fmt;

/// Names a document towards the agent; not to be guessed, never given twice. Lower-case letters and digits.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct DocumentNonce(String);

impl DocumentNonce {
    /// The nonce of a number from the host, in base 36.
    pub fn new(mut number: u64) -> Self {
        let mut digits = String::new();
        loop {
            // A remainder by 36 is always a digit in base 36.
            digits.extend(char::from_digit((number % 36) as u32, 36));
            number /= 36;
            if number == 0 {
                return Self(digits);
            }
        }
    }
}

impl fmt::Display for DocumentNonce {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A parsed ref.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct ElementRef {
    /// The document it was given for.
    pub nonce: DocumentNonce,
    /// The snapshot it was given in, from 1.
    pub snapshot: u32,
    /// Its place among the snapshot's refs, from 1.
    pub index: u32,
}

impl ElementRef {
    /// Parses the text form; `None` for anything else.
    pub fn parse(text: &str) -> Option<Self> {
        let mut parts = text.strip_prefix('s')?.split('_');
        let nonce = parts.next().filter(|nonce| is_nonce(nonce))?;
        let snapshot = number(parts.next()?)?;
        let index = number(parts.next()?)?;
        parts.next().is_none().then(|| Self { nonce: DocumentNonce(nonce.into()), snapshot, index })
    }

    /// The text form.
    pub fn text(&self) -> String {
        format!("s{}_{}_{}", self.nonce, self.snapshot, self.index)
    }
}

fn is_nonce(text: &str) -> bool {
    (1..=32).contains(&text.len())
        && text.bytes().all(|b| b.is_ascii_digit() || b.is_ascii_lowercase())
}

/// A number from 1 without leading zeros, so that each ref has one text form.
fn number(text: &str) -> Option<u32> {
    let canonical = text.bytes().all(|b| b.is_ascii_digit()) && !text.starts_with('0');
    text.parse().ok().filter(|_| canonical)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn only_the_one_text_form_parses() {
        assert!(ElementRef::parse("sk4m9z_3_12").is_some());
        for text in [
            "",
            "s",
            "s1_1",
            "sA_1_1",
            "sk_01_1",
            "sk_0_1",
            "sk_1_1_1",
            "sk_1_+1",
            "k_1_1",
            "sk_1_99999999999",
            " sk_1_1",
        ] {
            assert_eq!(ElementRef::parse(text), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn a_ref_comes_back_from_its_text(number: u64, snapshot in 1u32.., index in 1u32..) {
            let elem_ref = ElementRef { nonce: DocumentNonce::new(number), snapshot, index };
            prop_assert_eq!(ElementRef::parse(&elem_ref.text()), Some(elem_ref));
        }

        #[test]
        fn parsing_is_total_and_canonical(text in ".{0,40}") {
            if let Some(elem_ref) = ElementRef::parse(&text) {
                prop_assert_eq!(elem_ref.text(), text);
            }
        }
    }
}
