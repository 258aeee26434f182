//! The catalog's descriptors. Names, parameters and types are the seed's (section 3).

use crate::action::limits::{EXTRACT_CHARS_MAX, READ_TOKENS_MAX, WAIT_FOR_MS};
use crate::tool::{Category, Descriptor, Effects, Level, Param, ParamKind, Recovery};

const TEXT: ParamKind = ParamKind::Text { chars_min: 0 };
const REF: ParamKind = ParamKind::Text { chars_min: 1 };

const TAB: Param = Param::optional(
    "tabId",
    ParamKind::Integer { min: 0, max: u32::MAX as i64 },
    "Tab to act in. Without it: the tab of this connection, which moves only when a result reports tab_created.",
);
const THIS_TAB: Param = Param::required(
    "tabId",
    ParamKind::Integer { min: 0, max: u32::MAX as i64 },
    "The tab, by the number that tabs_list gives.",
);
const ELEMENT: Param =
    Param::required("element", TEXT, "The element in words, for whoever approves the call.");
const TARGET: Param =
    Param::required("ref", REF, "Ref of the element, exactly as the newest snapshot shows it.");

const NAVIGATE: Descriptor = Descriptor {
    level: Level::L0,
    effects: Effects::Write,
    category: Some(Category::Navigate),
    recovery: Recovery::NeverRetry,
    ..Descriptor::READ
};

const CLICK: Descriptor = Descriptor {
    effects: Effects::Write,
    category: Some(Category::Click),
    recovery: Recovery::NeverRetry,
    ..Descriptor::READ
};

const FILL: Descriptor = Descriptor { category: Some(Category::Fill), ..CLICK };

/// All tools, in the order of the seed.
pub const TOOLS: &[Descriptor] = &[
    Descriptor {
        name: "tabs_list",
        description: "Lists the open tabs with their numbers, titles and URLs, and says which one is visible.",
        level: Level::L0,
        ..Descriptor::READ
    },
    Descriptor {
        name: "tab_open",
        description: "Opens a URL in a new tab behind the visible one and shows its page. Calls without tabId go where they \
                      went before.",
        params: &[Param::required("url", ParamKind::Url, "Absolute http or https URL.")],
        ..NAVIGATE
    },
    Descriptor {
        name: "navigate",
        description: "Loads a URL in a tab and shows the new page. Refs of the page before are stale afterwards.",
        params: &[TAB, Param::required("url", ParamKind::Url, "Absolute http or https URL.")],
        ..NAVIGATE
    },
    Descriptor {
        name: "go_back",
        description: "Goes one step back in a tab's history and shows the page.",
        params: &[TAB],
        ..NAVIGATE
    },
    Descriptor {
        name: "go_forward",
        description: "Goes one step forward in a tab's history and shows the page.",
        params: &[TAB],
        ..NAVIGATE
    },
    Descriptor {
        name: "tab_focus",
        description: "Makes a tab the visible one of its window. Nothing else does.",
        params: &[THIS_TAB],
        ..NAVIGATE
    },
    Descriptor {
        name: "tab_close",
        description: "Closes a tab without asking its page.",
        params: &[THIS_TAB],
        ..NAVIGATE
    },
    Descriptor {
        name: "read_page",
        description: "Shows the page as a tree of roles, names, states and refs. A ref is a handle for the other tools and \
                      is good until the next snapshot of the tab; it is no attribute of the page.",
        params: &[
            TAB,
            Param::optional(
                "mode",
                ParamKind::Word(&["snapshot", "article"]),
                "snapshot (default): tree with refs; article: the text of the main part, without refs.",
            ),
            Param::optional(
                "maxTokens",
                ParamKind::Integer { min: 0, max: READ_TOKENS_MAX as i64 },
                "Budget of the snapshot, in tokens; 3000 unless given. What is left out is counted at the end.",
            ),
            Param::optional(
                "ref",
                REF,
                "Show this element and what lies below it only; the refs of the whole page are new all the same.",
            ),
        ],
        ..Descriptor::READ
    },
    Descriptor {
        name: "find_in_page",
        description: "Finds a text in what the page shows (names, texts, values of fields) and shows the lines that hold it, \
                      with fresh refs. Case does not matter.",
        params: &[TAB, Param::required("query", REF, "The text.")],
        ..Descriptor::READ
    },
    Descriptor {
        name: "click",
        description: "Clicks an element by DOM events and reports what changed. Fails at once, with nothing sent, if the \
                      element is covered, disabled, hidden or gone.",
        params: &[
            TAB,
            ELEMENT,
            TARGET,
            Param::optional("button", ParamKind::Word(&["left", "right"]), "left unless given."),
            Param::optional("doubleClick", ParamKind::Bool, "Double click."),
        ],
        ..CLICK
    },
    Descriptor {
        name: "type",
        description: "Enters text into a field and reports what changed.",
        params: &[
            TAB,
            ELEMENT,
            TARGET,
            Param::required("text", TEXT, "The text."),
            Param::optional(
                "mode",
                ParamKind::Word(&["replace", "append"]),
                "replace (default) or append.",
            ),
            Param::optional(
                "submit",
                ParamKind::Bool,
                "Press Enter afterwards and submit the field's form.",
            ),
            Param::optional(
                "slowly",
                ParamKind::Bool,
                "One character after another, with key events.",
            ),
        ],
        ..FILL
    },
    Descriptor {
        name: "select_option",
        description: "Selects options of a select element, by value, else by label. All others are deselected.",
        params: &[
            TAB,
            ELEMENT,
            TARGET,
            Param::required(
                "values",
                ParamKind::Texts,
                "Values or labels of the options to be selected.",
            ),
        ],
        ..FILL
    },
    Descriptor {
        name: "scroll",
        description: "Scrolls the page, or the scroller around an element, and reports how far it moved.",
        params: &[
            TAB,
            Param::optional(
                "target",
                REF,
                "Ref of an element in what is to be scrolled; the page unless given.",
            ),
            Param::required("direction", ParamKind::Word(&["up", "down"]), "Which way."),
            Param::optional(
                "amount",
                ParamKind::AnyOf(&[
                    ParamKind::Word(&["page", "end"]),
                    ParamKind::Number { min: 0.0 },
                ]),
                "page (default: 85% of the height), end, or a number of CSS pixels.",
            ),
        ],
        ..Descriptor::READ
    },
    Descriptor {
        name: "wait_for",
        description: "Waits until text appears or is gone, or for a time. Case matters.",
        params: &[
            TAB,
            Param::optional(
                "text",
                TEXT,
                "Text to wait for; with textGone true, text whose end is waited for.",
            ),
            Param::optional(
                "textGone",
                ParamKind::AnyOf(&[ParamKind::Bool, TEXT]),
                "Text whose end is waited for, or true to mean text.",
            ),
            Param::optional(
                "timeMs",
                ParamKind::Integer { min: 0, max: WAIT_FOR_MS as i64 },
                "Milliseconds to wait; with a text, the longest time to wait for it.",
            ),
        ],
        ..Descriptor::READ
    },
    Descriptor {
        name: "extract",
        description: "Shows the page, or one element of it, as Markdown: headings, text, links, lists, tables, code, pictures. \
                      8,000 characters at a time.",
        params: &[
            TAB,
            Param::optional("scope", REF, "Ref of the element; the whole page unless given."),
            Param::optional(
                "fromChar",
                ParamKind::Integer { min: 0, max: EXTRACT_CHARS_MAX as i64 },
                "Where to go on, as the piece before said it. From 0 (default) the page is read anew.",
            ),
        ],
        ..Descriptor::READ
    },
    Descriptor {
        name: "click_trusted",
        description: "Clicks an element through the browser's own input. For pages that ignore events made by scripts.",
        level: Level::L2,
        params: &[TAB, ELEMENT, TARGET],
        ..CLICK
    },
];
