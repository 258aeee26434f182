//! What differs by chance between two runs: document nonces and fence numbers.

use std::collections::BTreeMap;

/// Replaces nonces by `D1`, `D2`, … in the order in which they come, the same one by the same word, and fence numbers by
/// dots. One value serves a whole transcript.
#[derive(Debug, Default)]
pub(crate) struct Normaliser {
    nonces: BTreeMap<String, usize>,
}

impl Normaliser {
    pub(crate) fn text(&mut self, text: &str) -> String {
        let mut out = String::with_capacity(text.len());
        let mut rest = text;
        loop {
            let next = ["[ref=s", "(s", "\"ref\":\"s", "web_content_"]
                .iter()
                .filter_map(|mark| rest.find(mark).map(|at| (at, *mark)))
                .min_by_key(|(at, _)| *at);
            let Some((at, mark)) = next else {
                out.push_str(rest);
                return out;
            };
            let (before, after) = rest.split_at(at + mark.len());
            out.push_str(before);
            rest = after;
            if mark == "web_content_" {
                if rest.len() >= 16 && rest.as_bytes()[..16].iter().all(u8::is_ascii_hexdigit) {
                    out.push_str("...");
                    rest = &rest[16..];
                }
            } else if let Some(len) = nonce_len(rest) {
                let count = self.nonces.len() + 1;
                let number = *self.nonces.entry(rest[..len].to_owned()).or_insert(count);
                out.push_str(&format!("D{number}"));
                rest = &rest[len..];
            }
        }
    }
}

/// Length of a nonce that is followed by `_` and a number.
fn nonce_len(text: &str) -> Option<usize> {
    let len = text.bytes().take_while(|b| b.is_ascii_lowercase() || b.is_ascii_digit()).count();
    let after = text.as_bytes().get(len..)?;
    (len > 0 && after.first() == Some(&b'_') && after.get(1).is_some_and(u8::is_ascii_digit))
        .then_some(len)
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
}
