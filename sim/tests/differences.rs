//! `docs/differences.md` lists every `SIM DIFFERENCE` comment of this crate, and nothing else.

#![expect(clippy::unwrap_used, reason = "a test that cannot read its input has failed")]

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

const MARK: &str = "SIM DIFFERENCE:";

/// Asks for the file to be written instead of compared.
const UPDATE: &str = "BACKLOT_UPDATE_DIFFERENCES";

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// What each such comment says, up to its end or its next paragraph.
fn differences(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut lines = text.lines().map(|line| {
        let line = line.trim_start();
        let slashes = line.len() - line.trim_start_matches('/').len();
        let body = line.trim_start_matches('/').trim_start_matches('!').trim();
        (slashes >= 2).then_some(body)
    });
    while let Some(line) = lines.next() {
        let Some((_, first)) = line.and_then(|body| body.split_once(MARK)) else { continue };
        let mut told = first.trim().to_string();
        for line in lines.by_ref() {
            match line {
                Some(body) if !body.is_empty() => {
                    told.push(' ');
                    told.push_str(body);
                }
                _ => break,
            }
        }
        found.push(told);
    }
    found
}

fn list(root: &Path) -> String {
    let mut files = Vec::new();
    sources(&root.join("sim/src"), &mut files);
    files.sort();
    let mut text = format!(
        "<!-- Made from the `SIM DIFFERENCE` comments in sim/src by `{UPDATE}=1 cargo test -p backlot-sim --test differences`. -->\n\n\
         # Where the simulated browser differs from Chromium on purpose\n"
    );
    let mut areas: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for file in files {
        let below = file.strip_prefix(root.join("sim/src")).unwrap();
        let words: Vec<&str> = below.iter().map(|part| part.to_str().unwrap()).collect();
        let area = if words.len() > 1 { words[0] } else { "browser" };
        for told in differences(&fs::read_to_string(&file).unwrap()) {
            let line = format!("- {told} (`{}`)", words.join("/"));
            areas.entry(area.into()).or_default().push(line);
        }
    }
    for (area, lines) in areas {
        write!(text, "\n## {area}\n\n{}\n", lines.join("\n")).unwrap();
    }
    text
}

#[test]
fn differences_are_listed() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let file = root.join("docs/differences.md");
    let list = list(root);
    if std::env::var_os(UPDATE).is_some() {
        fs::write(&file, &list).unwrap();
    }
    let committed = fs::read_to_string(&file).unwrap_or_default();
    assert_eq!(
        committed, list,
        "docs/differences.md is not what the comments say; {UPDATE}=1 writes it"
    );
}

#[test]
fn a_comment_ends_with_its_paragraph() {
    let text = "/// A thing.\n///\n/// SIM DIFFERENCE: it is\n/// so.\n///\n/// More.\nfn a() {\n    // SIM DIFFERENCE: here.\n    b();\n}\n";
    assert_eq!(differences(text), ["it is so.", "here."]);
}
