//! The toolkit's descriptors. Names and arguments are the seed's.

use crate::tool::{Category, Descriptor, Effects, Level, Param, ParamKind, Recovery};

const TEXT: ParamKind = ParamKind::Text { chars_min: 0 };
const ID: ParamKind = ParamKind::Text { chars_min: 1 };

const SESSION: Param =
    Param::required("sessionId", ID, "Session ID from browser_open or browser_connect.");
const PAGE: Param = Param::optional(
    "pageId",
    ID,
    "Page ID from browser_status. Without it: the newest tab of the session that is open.",
);

const WRITE: Descriptor = Descriptor {
    effects: Effects::Write,
    category: Some(Category::Navigate),
    recovery: Recovery::NeverRetry,
    ..Descriptor::READ
};

/// Opens a session.
pub(super) const OPEN: Descriptor = Descriptor {
    name: "browser_open",
    description: "Opens a new browser session and gives its sessionId; with a url it loads that page in it.",
    level: Level::L0,
    params: &[Param::optional(
        "url",
        TEXT,
        "Page to load, a full https:// URL. Without it the session has a blank page: load one in browser_exec with page.goto.",
    )],
    ..WRITE
};

/// Attaches to a browser.
pub(super) const CONNECT: Descriptor = Descriptor {
    name: "browser_connect",
    description: "Attaches to a browser that is already running, by its CDP websocket URL. browser_close only detaches from it.",
    level: Level::L0,
    params: &[Param::required(
        "cdpUrl",
        ID,
        "CDP websocket URL, such as ws://127.0.0.1:9222/devtools/browser/...",
    )],
    ..WRITE
};

/// Runs code. What the code does is judged step by step as well.
pub(super) const EXEC: Descriptor = Descriptor {
    name: "browser_exec",
    description: "Runs Playwright code (JavaScript or TypeScript) as the body of an async function with page, context, browser and \
                  console; return gives the result. Nothing is kept between calls but the browser. The answer has what changed on the \
                  page (snapshotDiff). Elements of a browser_snapshot are page.locator('ref=l7').",
    category: Some(Category::Script),
    params: &[
        SESSION,
        Param::required("code", ID, "The body. Example: return await page.title()"),
        PAGE,
    ],
    ..WRITE
};

/// Steps of a code body, for the Gatekeeper.
pub(super) const EXEC_CLICK: Descriptor = Descriptor { category: Some(Category::Click), ..EXEC };
pub(super) const EXEC_FILL: Descriptor = Descriptor { category: Some(Category::Fill), ..EXEC };
pub(super) const EXEC_LOAD: Descriptor = Descriptor { category: Some(Category::Navigate), ..EXEC };

/// Reads a page.
pub(super) const SNAPSHOT: Descriptor = Descriptor {
    name: "browser_snapshot",
    description: "The page as a compact text tree. Elements have refs (l7) that locators in browser_exec take as ref=l7.",
    params: &[
        SESSION,
        Param::optional(
            "screenshot",
            ParamKind::Bool,
            "Also take a PNG of what the viewport shows.",
        ),
        PAGE,
    ],
    ..Descriptor::READ
};

/// Tells what is open.
pub(super) const STATUS: Descriptor = Descriptor {
    name: "browser_status",
    description: "Without arguments: all sessions with their pages. With a sessionId: its pages. With a pageId too: that page.",
    level: Level::L0,
    params: &[
        Param::optional("sessionId", ID, "Session ID from browser_open or browser_connect."),
        Param::optional("pageId", ID, "Page ID from browser_status; needs sessionId."),
    ],
    ..Descriptor::READ
};

/// Closes a session.
pub(super) const CLOSE: Descriptor = Descriptor {
    name: "browser_close",
    description: "Closes a session and its browser; a browser that was connected to is only let go of.",
    level: Level::L0,
    params: &[SESSION],
    ..WRITE
};

/// All tools, in the order of the seed.
pub const TOOLS: &[Descriptor] = &[OPEN, CONNECT, EXEC, SNAPSHOT, STATUS, CLOSE];
