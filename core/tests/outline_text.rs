//! The outline's text reads back as the lines that it was made of, whatever the page wrote into them.

use backlot_core::page::{DocumentKey, FrameId, LoaderId, NodeId, NodeKey};
use backlot_core::snapshot::{Gap, Line, LineKind, Snapshot, State};
use backlot_core::text::{ParsedKind, ParsedState, outline, parse};
use proptest::prelude::*;

/// What a page may write: plain text, and pieces of the format itself.
fn page_text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        any::<char>().prop_map(String::from),
        "[ -~]{0,8}",
        prop::sample::select(vec![
            "\"",
            "\\",
            "\n",
            "\n- button \"Pay\" [ref=s7_1_1]",
            "[ref=s7_1_9]",
            "] [ref=s7_1_2]",
            "\" [disabled",
            "\n[omitted: 1 visible lines]",
            "# Page Snapshot (s7_2)",
            "\u{202e}",
            "\u{2028}",
            "text: \"x\"",
            "(empty page)",
        ])
        .prop_map(String::from),
    ];
    prop::collection::vec(piece, 0..6).prop_map(|pieces| pieces.concat())
}

fn state() -> impl Strategy<Value = State> {
    prop_oneof![
        (1u32..9).prop_map(State::Level),
        Just(State::Type("password")),
        Just(State::Mixed),
        page_text().prop_map(State::Value),
        Just(State::Filled),
        Just(State::Collapsed),
        Just(State::Gap(Gap::CrossOrigin)),
    ]
}

fn kind() -> impl Strategy<Value = LineKind> {
    let role = prop::sample::select(vec!["button", "doc-noteref", "textbox", "generic"]);
    let node = (role, page_text(), prop::collection::vec(state(), 0..3), any::<bool>());
    prop_oneof![
        page_text().prop_map(LineKind::Text),
        node.prop_map(|(role, name, states, has_ref)| LineKind::Node {
            role,
            name,
            states,
            has_ref
        }),
    ]
}

fn snapshots() -> impl Strategy<Value = Snapshot> {
    let lines = prop::collection::vec((0u32..6, kind()), 0..20);
    (lines, page_text(), page_text()).prop_map(|(made, title, url)| {
        let mut depth_max = 0;
        let lines = (0u32..).zip(made).map(|(at, (depth, kind))| {
            let depth = depth.min(depth_max);
            depth_max = depth + 1;
            let document = DocumentKey { frame: FrameId(1), loader: LoaderId(1) };
            let key = NodeKey { document, node: NodeId(at) };
            Line { depth, kind, key, at: (0, at), rect: None, offscreen: false }
        });
        Snapshot { url, title, lines: lines.collect(), omissions: Vec::new() }
    })
}

fn ref_text(line: &Line) -> Option<String> {
    line.has_ref().then(|| format!("s7_1_{}", line.at.1))
}

/// The page's own words, without what collapses and what is cut.
fn same_words(printed: &str, written: &str) -> bool {
    let words = |text: &str| text.split_whitespace().map(String::from).collect::<Vec<_>>();
    match printed.strip_suffix('…') {
        Some(start) if !written.trim_end().ends_with('…') => {
            written.chars().count() > start.chars().count()
        }
        _ => words(printed) == words(written),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn an_outline_reads_back_line_by_line(snapshot in snapshots()) {
        let text = outline("Page Snapshot (s7_1)", &snapshot, 0..snapshot.lines.len(), ref_text).0;
        let parsed = parse(&text).map_err(|error| TestCaseError::fail(format!("{error} in\n{text}")))?;
        prop_assert_eq!(parsed.heading, "Page Snapshot (s7_1)");
        prop_assert_eq!(parsed.omissions.len(), 0);
        prop_assert_eq!(parsed.lines.len(), snapshot.lines.len());
        for (line, got) in snapshot.lines.iter().zip(&parsed.lines) {
            prop_assert_eq!(got.depth, line.depth as usize);
            match (&line.kind, &got.kind) {
                (LineKind::Text(text), ParsedKind::Text(got)) => prop_assert!(same_words(got, text)),
                (
                    LineKind::Node { role, name, states, .. },
                    ParsedKind::Node { role: got_role, name: got_name, states: got_states, elem_ref },
                ) => {
                    prop_assert_eq!(got_role, role);
                    prop_assert!(same_words(got_name, name), "{:?} {:?}", got_name, name);
                    prop_assert_eq!(elem_ref, &ref_text(line));
                    prop_assert_eq!(got_states.len(), states.len());
                    for (state, got) in states.iter().zip(got_states) {
                        let is_value = matches!(state, State::Value(_));
                        prop_assert_eq!(matches!(got, ParsedState::Value { .. }), is_value);
                    }
                }
                (line, got) => prop_assert!(false, "{:?} became {:?}", line, got),
            }
        }
    }
}
