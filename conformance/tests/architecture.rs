//! What may use what (ARCHITECTURE.md, "Workspace"): checked on `cargo metadata` and on core's own `use` lines.

#![expect(clippy::unwrap_used, reason = "a test that cannot read its input has failed")]

use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

fn metadata() -> Value {
    // Packages of other platforms are not downloaded, so they cannot be read.
    let host = Command::new("rustc").arg("-vV").output().unwrap();
    let host = String::from_utf8(host.stdout).unwrap();
    let host = host.lines().find_map(|line| line.strip_prefix("host: ")).unwrap();
    let output = Command::new(env!("CARGO"))
        .args([
            "metadata",
            "--format-version=1",
            "--locked",
            "--offline",
            "--filter-platform",
            host,
        ])
        .current_dir(root())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// Normal and build dependencies of each of our packages, by name, as far as they go.
fn reach(metadata: &Value) -> BTreeMap<String, BTreeSet<String>> {
    let name_of: BTreeMap<&str, &str> = metadata["packages"]
        .as_array()
        .unwrap()
        .iter()
        .map(|package| (package["id"].as_str().unwrap(), package["name"].as_str().unwrap()))
        .collect();
    let edges: BTreeMap<&str, Vec<&str>> = metadata["resolve"]["nodes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|node| {
            let deps = node["deps"].as_array().unwrap().iter().filter(|dep| {
                dep["dep_kinds"].as_array().unwrap().iter().any(|kind| kind["kind"] != "dev")
            });
            (node["id"].as_str().unwrap(), deps.map(|dep| dep["pkg"].as_str().unwrap()).collect())
        })
        .collect();
    metadata["workspace_members"]
        .as_array()
        .unwrap()
        .iter()
        .map(|member| {
            let member = member.as_str().unwrap();
            let mut seen = BTreeSet::new();
            let mut open = vec![member];
            while let Some(id) = open.pop() {
                for dep in &edges[id] {
                    if seen.insert(*dep) {
                        open.push(dep);
                    }
                }
            }
            let names = seen.iter().map(|id| name_of[id].to_owned()).collect();
            (name_of[member].to_owned(), names)
        })
        .collect()
}

#[test]
fn no_crate_sees_what_it_must_not() {
    let reach = reach(&metadata());
    let forbidden = [
        (
            "backlot-core",
            &["tokio", "html5ever", "chromiumoxide", "getrandom", "rand", "backlot-sim"][..],
        ),
        ("backlot-sim", &["tokio", "chromiumoxide", "backlot-driver-cdp"]),
        ("backlot-exec", &["tokio", "chromiumoxide", "backlot-sim", "backlot-driver-cdp"]),
        ("backlot-driver-cdp", &["backlot-sim", "html5ever"]),
        (
            "backlot-fixtures",
            &["backlot-core", "backlot-sim", "backlot-driver-cdp", "tokio", "html5ever"],
        ),
    ];
    for (package, never) in forbidden {
        for name in never {
            assert!(!reach[package].contains(*name), "{package} must never see {name}");
        }
    }
}

#[test]
fn direct_dependencies_are_those_of_the_table() {
    let metadata = metadata();
    let allowed = [
        (
            "backlot-core",
            &["compact_str", "indexmap", "serde", "serde_json", "thiserror", "url"][..],
        ),
        (
            "backlot-exec",
            &[
                "backlot-core",
                "oxc_allocator",
                "oxc_ast",
                "oxc_ast_visit",
                "oxc_parser",
                "oxc_span",
                "oxc_syntax",
                "rquickjs",
                "serde_json",
            ],
        ),
        ("backlot-fixtures", &["serde", "toml"]),
    ];
    for (package, table) in allowed {
        let found =
            metadata["packages"].as_array().unwrap().iter().find(|p| p["name"] == package).unwrap();
        for dep in
            found["dependencies"].as_array().unwrap().iter().filter(|dep| dep["kind"].is_null())
        {
            let name = dep["name"].as_str().unwrap();
            assert!(
                table.contains(&name),
                "{package} uses {name}, which ARCHITECTURE.md does not list"
            );
        }
    }
    let conformance = metadata["packages"]
        .as_array()
        .unwrap()
        .iter()
        .find(|p| p["name"] == "backlot-conformance");
    let direct = conformance.unwrap()["dependencies"].as_array().unwrap();
    assert!(
        direct.iter().all(|dep| dep["name"] != "chromiumoxide"),
        "conformance sees chromiumoxide directly"
    );
}

/// Bugs are turned on in a build that asks for them by name, and in no other.
#[test]
fn planted_bugs_are_in_no_default_build() {
    let metadata = metadata();
    for package in metadata["packages"].as_array().unwrap() {
        let name = package["name"].as_str().unwrap();
        if !name.starts_with("backlot-") {
            continue;
        }
        let says = |value: &Value| value.to_string().contains("planted");
        let features = package["features"].as_object().unwrap();
        let others = features.iter().filter(|(feature, _)| *feature != "planted");
        for (feature, turns_on) in others {
            assert!(!says(turns_on), "{name}: the feature {feature} turns on planted bugs");
        }
        for dep in package["dependencies"].as_array().unwrap() {
            assert!(!says(&dep["features"]), "{name} turns on planted bugs of {}", dep["name"]);
        }
    }
}

/// `cargo metadata` unites the features of the whole workspace, so core's own tree is asked by itself.
#[test]
fn cores_dependencies_have_no_std() {
    let output = Command::new(env!("CARGO"))
        .args([
            "tree",
            "--package",
            "backlot-core",
            "--edges",
            "normal,features",
            "--offline",
            "--locked",
        ])
        .args(["--prefix", "none"])
        .current_dir(root())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let tree = String::from_utf8(output.stdout).unwrap();
    // Proc macros run on the builder's machine and may use std there.
    let direct = ["compact_str", "indexmap", "serde", "serde_json", "thiserror", "url"];
    for line in tree.lines() {
        let std_of =
            direct.iter().find(|name| line.starts_with(&format!("{name} feature \"std\"")));
        assert_eq!(std_of, None, "core must not turn on std: {line}");
    }
    assert!(tree.contains("url v"), "the tree lists what it should: {tree}");
}

/// The order in which `lib.rs` lists core's modules.
fn module_order() -> Vec<String> {
    let text = fs::read_to_string(root().join("core/src/lib.rs")).unwrap();
    text.lines()
        .filter_map(|line| line.strip_prefix("pub mod ")?.strip_suffix(';'))
        .map(String::from)
        .collect()
}

fn rust_files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            rust_files(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

#[test]
fn a_module_of_core_uses_only_those_before_it() {
    let order = module_order();
    assert!(order.len() > 10, "{order:?}");
    let place = |name: &str| order.iter().position(|module| module == name);
    let source = root().join("core/src");
    let mut files = Vec::new();
    rust_files(&source, &mut files);
    let mut uses = 0;
    for file in files {
        let below = file.strip_prefix(&source).unwrap();
        let module = below
            .components()
            .next()
            .unwrap()
            .as_os_str()
            .to_str()
            .unwrap()
            .trim_end_matches(".rs");
        let Some(own) = place(module) else { continue };
        let text = fs::read_to_string(&file).unwrap();
        // Tests of a step may build on later ones; item order puts them last.
        let production = text.split("#[cfg(test)]").next().unwrap();
        // A comment may look ahead, code may not.
        let code = production.lines().filter(|line| !line.trim_start().starts_with("//"));
        let production: String = code.collect::<Vec<_>>().join("\n");
        for (at, _) in production.match_indices("crate::") {
            let used: String = production[at + 7..]
                .chars()
                .take_while(|c| c.is_alphanumeric() || *c == '_')
                .collect();
            let Some(used_place) = place(&used) else { continue };
            uses += 1;
            assert!(
                used_place <= own,
                "{}: {module} uses crate::{used}, a later step",
                below.display()
            );
        }
    }
    assert!(uses > 50, "the check sees {uses} uses");
}

#[test]
fn surfaces_do_not_know_each_other() {
    let surfaces = root().join("core/src/surface");
    let names: Vec<String> = fs::read_dir(&surfaces)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_dir())
        .map(|path| path.file_name().unwrap().to_str().unwrap().to_owned())
        .collect();
    for name in &names {
        let mut files = Vec::new();
        rust_files(&surfaces.join(name), &mut files);
        for file in files {
            let text = fs::read_to_string(&file).unwrap();
            for other in names.iter().filter(|other| *other != name) {
                assert!(!text.contains(&format!("surface::{other}")), "{name} knows {other}");
            }
        }
    }
}

/// Files stay readable: under 400 lines, but for those that mirror a table of a standard and say so in their first line.
#[test]
fn files_are_short_or_say_why_not() {
    const LINES_MAX: usize = 420;
    let mut files = Vec::new();
    for package in ["core", "sim", "driver-cdp", "conformance", "fixtures", "benches"] {
        rust_files(&root().join(package), &mut files);
    }
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        let says_why = text.lines().next().unwrap_or_default().to_lowercase().contains("table");
        assert!(
            text.lines().count() <= LINES_MAX || says_why,
            "{} has {} lines",
            file.display(),
            text.lines().count()
        );
    }
}
