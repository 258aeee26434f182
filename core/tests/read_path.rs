//! The read path as a pure function: properties that hold for any page.

use backlot_core::aria;
use backlot_core::page::{Capture, outline};
use backlot_core::refs::{DocumentNonce, ElementRef, RefTable, entries};
use backlot_core::snapshot::{Line, build, cut};
use backlot_core::text::{outline as render, outline_line};
use proptest::prelude::*;

/// A page in the outline format: some rows of elements with odd names, values and nesting.
fn pages() -> impl Strategy<Value = String> {
    let tag = prop::sample::select(vec![
        "div",
        "p",
        "button",
        "a [href=x]",
        "li",
        "ul",
        "h2",
        "input",
        "table",
        "tr",
        "td",
        "span",
        "form",
        "img [alt=i]",
        "nav",
        "main",
        "select",
        "option",
        "label",
        "details",
        "summary",
        "iframe",
        "svg",
        "textarea",
        "section",
    ]);
    let text = "[ -~\u{202e}\u{200b}\u{a0}é日\t]{0,40}";
    let row = (0usize..6, tag, text, any::<bool>());
    prop::collection::vec(row, 0..60).prop_map(|rows| {
        let mut page = String::new();
        let mut depth = 0;
        for (level, tag, text, has_text) in rows {
            depth = level.min(depth + 1);
            let clean: String = text.chars().filter(|c| !matches!(c, '"' | '\\' | '\n')).collect();
            let quoted = if has_text { format!(" \"{clean}\"") } else { String::new() };
            page.push_str(&format!("{}{tag}{quoted}\n", "  ".repeat(depth)));
        }
        page
    })
}

fn captured(page: &str) -> Capture {
    // The generator writes valid outlines only; a page that does not read must fail the test, not skip it.
    outline::capture(page).unwrap_or_else(|error| panic!("{error} in\n{page}"))
}

fn text(capture: &Capture, tokens: u32) -> String {
    let views = aria::frames(capture);
    let snapshot = build(capture, &views);
    let table = RefTable::new(DocumentNonce::new(7), 1, entries(&snapshot, capture, &views));
    let ref_of =
        |line: &Line| line.has_ref().then(|| table.ref_of(line.key)).flatten().map(|r| r.text());
    let cut = cut(&snapshot, tokens, |line| outline_line(line, ref_of(line).as_deref()));
    render("Page Snapshot (s7_1)", &snapshot, cut.kept, ref_of).0
}

/// The lines of the body: what stands after the header and before the omissions.
fn body(text: &str) -> Vec<&str> {
    text.lines().skip(4).filter(|line| line.trim_start().starts_with("- ")).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn the_same_capture_gives_the_same_bytes(page in pages()) {
        let capture = captured(&page);
        prop_assert_eq!(text(&capture, u32::MAX), text(&capture.clone(), u32::MAX));
    }

    #[test]
    fn a_smaller_budget_never_shows_a_line_that_a_larger_one_hides(page in pages(), a in 0u32..400, b in 0u32..400) {
        let capture = captured(&page);
        let (small, large) = (text(&capture, a.min(b)), text(&capture, a.max(b)));
        let mut rest = body(&large).into_iter();
        for line in body(&small) {
            prop_assert!(rest.any(|other| other == line), "{line} is in the smaller one only");
        }
    }

    #[test]
    fn every_line_is_one_line_and_every_ref_is_a_real_one(page in pages()) {
        let capture = captured(&page);
        let views = aria::frames(&capture);
        let snapshot = build(&capture, &views);
        let with_ref = snapshot.lines.iter().filter(|line| line.has_ref()).count();
        let text = text(&capture, u32::MAX);
        prop_assert_eq!(body(&text).len(), snapshot.lines.len());
        prop_assert_eq!(text.matches("[ref=").count(), with_ref);
        let is_loose = |c: char| matches!(c, '\u{202e}' | '\u{200b}') || c.is_control() && c != '\n';
        prop_assert!(!text.chars().any(is_loose), "an invisible character came through");
    }

    #[test]
    fn a_ref_is_found_in_its_own_table_only(page in pages()) {
        let capture = captured(&page);
        let views = aria::frames(&capture);
        let snapshot = build(&capture, &views);
        let found = entries(&snapshot, &capture, &views);
        let table = RefTable::new(DocumentNonce::new(7), 2, found.clone());
        for (index, entry) in (1..).zip(&found) {
            let own = ElementRef { nonce: DocumentNonce::new(7), snapshot: 2, index };
            prop_assert_eq!(table.look_up(&own.text()).unwrap(), entry);
            for other in [
                ElementRef { nonce: DocumentNonce::new(8), ..own.clone() },
                ElementRef { snapshot: 1, ..own.clone() },
                ElementRef { snapshot: 3, ..own.clone() },
                ElementRef { index: u32::try_from(found.len()).unwrap() + index, ..own },
            ] {
                prop_assert!(table.look_up(&other.text()).is_err());
            }
        }
    }
}
