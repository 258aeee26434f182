//! What differs by chance between two runs: nonces, ids, fence numbers, times.

use std::collections::BTreeMap;

/// Replaces document nonces by `D1`, `D2`, …, session ids by `ses-1`, …, page ids by `page-1`, …, in the order in which they come,
/// the same one by the same word; fence numbers and times by dots. One value serves a whole transcript.
#[derive(Debug, Default)]
pub(crate) struct Normaliser {
    nonces: BTreeMap<String, usize>,
    sessions: BTreeMap<String, usize>,
    pages: BTreeMap<String, usize>,
}

/// What follows these is a thing of chance.
const MARKS: &[(&str, Kind)] = &[
    ("[ref=s", Kind::Nonce),
    ("(s", Kind::Nonce),
    ("\"ref\":\"s", Kind::Nonce),
    ("\"scope\":\"s", Kind::Nonce),
    ("web_content_", Kind::Fence),
    ("UNTRUSTED_CONTENT id=\"", Kind::Fence),
    ("ses-", Kind::Session),
    ("page-", Kind::Page),
    ("\"timestamp\":\"", Kind::Time),
    ("\"waitedMs\":", Kind::Number),
];

#[derive(Debug, Clone, Copy)]
enum Kind {
    Nonce,
    Fence,
    Session,
    Page,
    Time,
    Number,
}

impl Normaliser {
    pub(crate) fn text(&mut self, text: &str) -> String {
        let mut out = String::with_capacity(text.len());
        let mut rest = text;
        loop {
            let next = MARKS
                .iter()
                .filter_map(|(mark, kind)| rest.find(mark).map(|at| (at, *mark, *kind)))
                .min_by_key(|(at, ..)| *at);
            let Some((at, mark, kind)) = next else {
                out.push_str(rest);
                return out;
            };
            let (before, after) = rest.split_at(at + mark.len());
            out.push_str(before);
            rest = after;
            let Some(length) = length(kind, rest) else { continue };
            let found = &rest[..length];
            let number = |known: &mut BTreeMap<String, usize>| {
                let next = known.len() + 1;
                *known.entry(found.to_owned()).or_insert(next)
            };
            match kind {
                Kind::Nonce => out.push_str(&format!("D{}", number(&mut self.nonces))),
                Kind::Session => out.push_str(&number(&mut self.sessions).to_string()),
                Kind::Page => out.push_str(&number(&mut self.pages).to_string()),
                Kind::Fence | Kind::Time | Kind::Number => out.push_str("..."),
            }
            rest = &rest[length..];
        }
    }
}

/// How long the thing of chance is, if one stands there.
fn length(kind: Kind, text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let are_hex = |count: usize| {
        let is_lower = |b: &u8| b.is_ascii_digit() || (b'a'..=b'f').contains(b);
        bytes.len() >= count
            && bytes[..count].iter().all(is_lower)
            && !bytes.get(count).is_some_and(u8::is_ascii_alphanumeric)
    };
    match kind {
        // A nonce is followed by `_` and a number.
        Kind::Nonce => {
            let is_one = |b: &u8| b.is_ascii_lowercase() || b.is_ascii_digit();
            let length = bytes.iter().take_while(|b| is_one(b)).count();
            let after = bytes.get(length..)?;
            let ends = after.first() == Some(&b'_') && after.get(1).is_some_and(u8::is_ascii_digit);
            (length > 0 && ends).then_some(length)
        }
        Kind::Fence => are_hex(16).then_some(16),
        Kind::Session | Kind::Page => are_hex(4).then_some(4),
        Kind::Time => text.find('"'),
        Kind::Number => Some(bytes.iter().take_while(|b| b.is_ascii_digit()).count()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chance_is_taken_out_and_nothing_else() {
        let mut normaliser = Normaliser::default();
        let text =
            "# Page Snapshot (sabc_1)\n- a [ref=sabc_1_2]\n- b [ref=sxy9_1_1] (see it) [ref=site]";
        assert_eq!(
            normaliser.text(text),
            "# Page Snapshot (sD1_1)\n- a [ref=sD1_1_2]\n- b [ref=sD2_1_1] (see it) [ref=site]"
        );
        assert_eq!(
            normaliser.text("<<<web_content_0123456789abcdef origin"),
            "<<<web_content_... origin"
        );
        assert_eq!(normaliser.text("[ref=sxy9_2_1]"), "[ref=sD2_2_1]");
    }

    #[test]
    fn ids_keep_who_is_who() {
        let mut normaliser = Normaliser::default();
        let text = "ses-0a1f ses-ffff ses-0a1f page-0a1f page-break page-00001 \"timestamp\":\"2026-12-01T01:58:53.653Z\",";
        assert_eq!(
            normaliser.text(text),
            "ses-1 ses-2 ses-1 page-1 page-break page-00001 \"timestamp\":\"...\","
        );
    }
}
