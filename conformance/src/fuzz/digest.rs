//! A transcript as a number: each line of it changes the number, in order.

use std::fmt;

/// Eight bytes at a time, after the pattern of FNV-1a with a turn between: the same on every system and with every compiler.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Digest(u64);

impl Default for Digest {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Digest {
    /// Takes a line in.
    pub(crate) fn push(&mut self, line: &[u8]) {
        let (words, rest) = line.as_chunks::<8>();
        words.iter().for_each(|word| self.mix(u64::from_le_bytes(*word)));
        // The length tells a line from one that goes on with zeros.
        let mut last = [0_u8; 8];
        last[..rest.len()].copy_from_slice(rest);
        self.mix(u64::from_le_bytes(last));
        self.mix(line.len() as u64);
    }

    /// Takes another one in.
    pub(crate) fn join(&mut self, other: Self) {
        self.mix(other.0);
    }

    fn mix(&mut self, word: u64) {
        self.0 = (self.0 ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_their_order_make_the_number() {
        let of = |lines: &[&str]| {
            let mut digest = Digest::default();
            lines.iter().for_each(|line| digest.push(line.as_bytes()));
            digest
        };
        assert_eq!(of(&["a", "longer than eight"]), of(&["a", "longer than eight"]));
        for other in [
            &["longer than eight", "a"][..],
            &["alonger than eight"],
            &["a\0", "longer than eight"],
        ] {
            assert_ne!(of(&["a", "longer than eight"]), of(other));
        }
    }
}
