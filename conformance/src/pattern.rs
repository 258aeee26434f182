//! Patterns in which `*` stands for any characters.

/// `*` stands for any characters; everything else for itself.
pub(crate) fn matches(pattern: &str, name: &str) -> bool {
    let mut pieces = pattern.split('*');
    // A split has at least one piece.
    let Some(mut rest) = name.strip_prefix(pieces.next().unwrap_or_default()) else { return false };
    let mut last = None;
    for piece in pieces {
        last = Some(piece);
        match rest.find(piece) {
            Some(at) => rest = &rest[at + piece.len()..],
            None => return false,
        }
    }
    match last {
        None => rest.is_empty(),
        Some(end) => end.is_empty() || name.ends_with(end),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_matches_whole_names() {
        for (pattern, name) in [
            ("refs/*", "refs/stale"),
            ("*stale*", "refs/stale"),
            ("refs/stale", "refs/stale"),
            ("*", "a"),
        ] {
            assert!(matches(pattern, name), "{pattern} {name}");
        }
        for (pattern, name) in
            [("refs", "refs/stale"), ("*x", "refs/stale"), ("refs/*e*x", "refs/stale")]
        {
            assert!(!matches(pattern, name), "{pattern} {name}");
        }
    }
}
