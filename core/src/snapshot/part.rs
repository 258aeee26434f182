//! Parts of a snapshot: what lies below one line, and the lines that hold a text.

use super::cut::parents;
use super::line::{Line, LineKind, Snapshot, State};
use crate::page::{NodeKey, collapse};
use alloc::{string::String, vec, vec::Vec};

/// The line of an element and all below it, moved to the left edge; `None` if the element has no line.
pub fn part(snapshot: &Snapshot, key: NodeKey) -> Option<Snapshot> {
    let is_its_own = |line: &Line| line.key == key && !line.is_text();
    let from = snapshot.lines.iter().position(is_its_own)?;
    let depth = snapshot.lines[from].depth;
    let below = snapshot.lines[from + 1..].iter().take_while(|line| line.depth > depth).count();
    let lines = snapshot.lines[from..=from + below].iter();
    let lines = lines.map(|line| Line { depth: line.depth - depth, ..line.clone() }).collect();
    Some(Snapshot {
        url: snapshot.url.clone(),
        title: snapshot.title.clone(),
        lines,
        omissions: Vec::new(),
    })
}

/// Lines that hold a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// Places of the first lines that hold it and of all lines around those, rising.
    pub shown: Vec<usize>,
    /// How many lines hold it.
    pub hits: usize,
}

/// Finds a text in names, texts and values, whatever the case of its letters. White space folds. An empty text is found nowhere.
pub fn find(snapshot: &Snapshot, text: &str, hits_max: usize) -> Found {
    let wanted = collapse(text).to_lowercase();
    let parents = parents(&snapshot.lines);
    let mut is_shown = vec![false; snapshot.lines.len()];
    let mut hits = 0;
    for (at, line) in snapshot.lines.iter().enumerate() {
        if wanted.is_empty() || !words(line).any(|words| words.contains(&wanted)) {
            continue;
        }
        hits += 1;
        let mut up = Some(at).filter(|_| hits <= hits_max);
        while let Some(line) = up.filter(|line| !is_shown[*line]) {
            is_shown[line] = true;
            up = parents[line];
        }
    }
    Found { shown: (0..is_shown.len()).filter(|at| is_shown[*at]).collect(), hits }
}

fn words(line: &Line) -> impl Iterator<Item = String> {
    let (own, states): (&str, &[State]) = match &line.kind {
        LineKind::Text(text) => (text, &[]),
        LineKind::Node { name, states, .. } => (name, states),
    };
    let values = states.iter().filter_map(|state| match state {
        State::Value(value) => Some(value.as_str()),
        _ => None,
    });
    core::iter::once(own).chain(values).map(|words| collapse(words).to_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::aria;
    use crate::page::outline;
    use crate::snapshot::build;

    fn snapshot(page: &str) -> Snapshot {
        let capture = outline::capture(page).unwrap();
        build(&capture, &aria::frames(&capture))
    }

    fn check(page: &str, text: &str, hits: usize, shown: &[usize]) {
        let found = find(&snapshot(page), text, 2);
        assert_eq!((found.hits, found.shown.as_slice()), (hits, shown), "{text} in\n{page}");
    }

    #[test]
    fn hits_keep_the_lines_around_them() {
        let page = "main\n  h1 \"Fruit\"\n  ul\n    li \"Apple\"\n    li \"Pear\"";
        check(page, "pear", 1, &[0, 2, 5, 6]);
        check(page, "  FRUIT ", 1, &[0, 1]);
        check(page, "plum", 0, &[]);
        check(page, " ", 0, &[]);
    }

    #[test]
    fn values_are_found_and_secrets_are_not() {
        check("input [aria-label=Mail] (value=\"a@b.test\")", "A@B", 1, &[0]);
        check("input [type=password] [aria-label=P] (secret)", "secret", 0, &[]);
    }

    #[test]
    fn only_so_many_are_shown_and_all_are_counted() {
        check("p \"x\"\np \"x\"\np \"x\"", "x", 3, &[0, 1]);
    }

    #[test]
    fn a_part_is_a_line_with_all_below_it() {
        let whole =
            snapshot("ul\n  li\n    button \"In\"\n    p \"text\"\n  li\n    button \"Out\"");
        let of = |name: &str| {
            let is_it =
                |line: &&Line| matches!(&line.kind, LineKind::Node { name: n, .. } if n == name);
            whole.lines.iter().find(is_it).map(|line| line.key)
        };
        let button = part(&whole, of("In").unwrap()).unwrap();
        assert_eq!(button.lines.len(), 1);
        assert_eq!(button.lines[0].depth, 0);
        let list = part(&whole, whole.lines[0].key).unwrap();
        assert_eq!(list.lines.len(), whole.lines.len());
        let gone = NodeKey { node: crate::page::NodeId(99), ..whole.lines[0].key };
        assert_eq!(part(&whole, gone), None);
    }
}
