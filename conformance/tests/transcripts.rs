//! The same seed gives the same transcript: in two processes, under another time zone, language, folder and number of threads.

#![expect(clippy::unwrap_used, reason = "a test that cannot set its stage has failed")]

use std::path::Path;
use std::process::Command;

/// The last two lines of a search: the transcripts' number, and the counts.
fn fuzz(suite: &str, jobs: &str, zone: &str, language: &str, folder: &Path) -> (String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_backlot-conformance"))
        .args(["fuzz", "--suite", suite, "--seed", "40", "--steps", "400", "--jobs", jobs])
        .env("TZ", zone)
        .envs([("LANG", language), ("LC_ALL", language)])
        // What steers proptest elsewhere must not steer it here.
        .env("PROPTEST_RNG_SEED", jobs)
        .current_dir(folder)
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
    let mut lines = text.lines().rev();
    let counts = lines.next().unwrap().to_owned();
    (lines.next().unwrap().to_owned(), counts)
}

#[test]
fn no_surrounding_changes_a_transcript() {
    for suite in ["refs", "frames", "actions", "gatekeeper"] {
        let here = fuzz(suite, "1", "UTC", "C", Path::new("."));
        assert!(here.0.starts_with("transcripts "), "{here:?}");
        assert!(here.1.ends_with(" wrong_target 0 false_success 0 uncoded 0 panics 0"), "{here:?}");
        let folder = std::env::temp_dir();
        let there = fuzz(suite, "8", "Pacific/Kiritimati", "tr_TR.UTF-8", &folder);
        assert_eq!(here, there, "{suite}");
    }
}
