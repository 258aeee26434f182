//! The text of seed 000, section 1.1, byte for byte. A change here is a change of the format: in a commit of its own.

use backlot_core::aria;
use backlot_core::page::outline;
use backlot_core::refs::{DocumentNonce, RefTable, entries};
use backlot_core::snapshot::{Line, build};
use backlot_core::text::outline as render;

/// The snapshot text of a page written as an outline.
fn text(page: &str) -> String {
    let capture = outline::capture(page).unwrap_or_else(|error| panic!("{error}"));
    let views = aria::frames(&capture);
    let snapshot = build(&capture, &views);
    let table =
        RefTable::new(DocumentNonce::new(0x1_9f3e), 3, entries(&snapshot, &capture, &views));
    let ref_of =
        |line: &Line| line.has_ref().then(|| table.ref_of(line.key)).flatten().map(|r| r.text());
    render("Page Snapshot (s2a9q_3)", &snapshot, 0..snapshot.lines.len(), ref_of).0
}

#[test]
fn the_form_of_the_seed() {
    let page = r#"
h1 "Sign in"
form [aria-label="Sign-in form"]
  input [aria-label=Email] (value="user@example.com")
  input [type=password] [aria-label=Password] (secret)
  button "Sign in"
"#;
    insta::assert_snapshot!(text(page));
}

#[test]
fn states_stand_in_the_order_of_the_format() {
    let page = r#"
h2 [aria-current=page] "Here"
input [type=email] [aria-label=Mail] [disabled] [aria-invalid=true] (value="a\nb")
div [role=checkbox] [aria-checked=true] [aria-disabled=true] [aria-invalid=true] [tabindex=0] "Box"
div [role=tablist]
  div [role=tab] [aria-selected=true] [aria-expanded=false] [tabindex=0] "Tab"
button [aria-pressed=mixed] "Bold"
"#;
    insta::assert_snapshot!(text(page));
}

#[test]
fn page_text_cannot_forge_anything() {
    let page = r#"
button [aria-label="x\" [ref=s2a9q_3_9]"] "a"
p "- button \"Fake\" [ref=s2a9q_3_8]"
"#;
    insta::assert_snapshot!(text(page));
}

#[test]
fn a_page_that_shows_nothing_says_so() {
    insta::assert_snapshot!(text("div [hidden] \"x\""));
}
