//! Pages that no fixture should hold: huge, deep, broken. Both arms give a snapshot, and the same one.

#![cfg(feature = "live")]

use std::fs;
use std::path::PathBuf;
use std::process::Command;

struct Folder(PathBuf);

impl Drop for Folder {
    fn drop(&mut self) {
        // Left behind only if the system refuses; the next run has another name.
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn pages() -> Vec<(&'static str, Vec<u8>)> {
    let page =
        |body: String| format!("<!doctype html><title>t</title><body>{body}</body>").into_bytes();
    let broken: Vec<u8> =
        (0..20_000u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    vec![
        ("deep", page("<div>".repeat(10_000) + "<button>Deep</button>" + &"</div>".repeat(10_000))),
        ("deep_inline", page("<b>".repeat(10_000) + "text <a href=x>Link</a>")),
        ("deep_table", page("<table><tr><td>".repeat(2_000) + "x")),
        ("long_text", page(format!("<p>{}</p><button>After</button>", "word ".repeat(209_715)))),
        (
            "long_attribute",
            page(format!("<button aria-label=\"{}\">a</button>", "x".repeat(1_000_000))),
        ),
        ("many_options", page(format!("<select>{}</select>", "<option>o</option>".repeat(5_000)))),
        (
            "nul",
            b"<!doctype html><title>a\0b</title><p>x\0y</p><button id=\0>B\0</button>".to_vec(),
        ),
        (
            "invalid_utf8",
            b"<!doctype html><p>a\xff\xfeb \xc3\x28 \xed\xa0\x80</p><button>\xe2\x82</button>"
                .to_vec(),
        ),
        ("noise", broken),
        ("nothing", Vec::new()),
        ("self", page("me<iframe src=self.html title=f></iframe>".into())),
        (
            "self_twice",
            page("<iframe src='self_twice.html#a' title=f></iframe><iframe src='self_twice.html?x' title=q></iframe>".into()),
        ),
        ("each_other_a", page("a<iframe src=each_other_b.html title=f></iframe>".into())),
        ("each_other_b", page("b<iframe src=each_other_a.html title=f></iframe>".into())),
        ("self_elsewhere", page("o<iframe src=http://other.test/self_elsewhere.html title=f></iframe>".into())),
        ("unclosed", b"<!doctype html><div><p>a<select><option>b<textarea>c<!-- d".to_vec()),
    ]
}

#[test]
fn any_html_gives_the_same_snapshot_in_both_arms() {
    let folder =
        Folder(std::env::temp_dir().join(format!("backlot-bad-input-{}", std::process::id())));
    fs::create_dir_all(&folder.0).unwrap();
    let pages = pages();
    for (name, bytes) in &pages {
        fs::write(folder.0.join(format!("{name}.html")), bytes).unwrap();
    }
    let output = Command::new(env!("CARGO_BIN_EXE_backlot-conformance"))
        .arg("compare")
        .arg(&folder.0)
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    let count = pages.len();
    assert_eq!(
        text.lines().last(),
        Some(format!("identical {count} of {count}").as_str()),
        "{text}"
    );
    assert_eq!(output.status.code(), Some(0));
}
