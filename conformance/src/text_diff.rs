//! A short difference of two texts, by lines.

/// Lines that are only in one of them: `-` expected, `+` got; at most `lines_max`, the rest is counted.
pub(crate) fn short_diff(expected: &str, got: &str, lines_max: usize) -> String {
    let (old, new): (Vec<&str>, Vec<&str>) = (expected.lines().collect(), got.lines().collect());
    let same_start = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let room = old.len().min(new.len()) - same_start;
    let same_end =
        old.iter().rev().zip(new.iter().rev()).take(room).take_while(|(a, b)| a == b).count();
    let (old, new) =
        (&old[same_start..old.len() - same_end], &new[same_start..new.len() - same_end]);
    let mut lines: Vec<String> = Vec::new();
    let mut rest = new;
    for line in old {
        match rest.iter().position(|other| other == line) {
            Some(at) => {
                lines.extend(rest[..at].iter().map(|line| format!("+ {line}")));
                rest = &rest[at + 1..];
            }
            None => lines.push(format!("- {line}")),
        }
    }
    lines.extend(rest.iter().map(|line| format!("+ {line}")));
    let more = lines.len().saturating_sub(lines_max);
    lines.truncate(lines_max);
    if more > 0 {
        lines.push(format!("… and {more} more lines"));
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_differs_is_shown() {
        assert_eq!(short_diff("a\nb\nc", "a\nx\nc", 9), "- b\n+ x");
        assert_eq!(short_diff("a\nb", "a\nb", 9), "");
        assert_eq!(short_diff("", "a\nb\nc", 2), "+ a\n+ b\n… and 1 more lines");
    }
}
