//! What each event of the browser means for the [`Book`]. Runs in the order of the socket and never waits.

use crate::book::{Book, Held, Life, MainWorld, World};
use crate::transport::{RawEvent, Wire};
use crate::world::{self, TOLD_BINDING, WORLD_NAME};
use backlot_core::page::TabId;
use backlot_core::port::{DialogKind, EventKind};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// Most characters kept of a dialog's message.
const DIALOG_CHARACTERS_MAX: usize = 1_000;

/// What every new tab gets before its first script.
#[derive(Debug, Clone, Default)]
pub(crate) struct Setup {
    pub(crate) new_document_script: Option<String>,
    pub(crate) binding: Option<String>,
    pub(crate) scripts_disabled: bool,
    pub(crate) viewport: Option<(u32, u32)>,
    /// Nobody looks at this browser: focus may be emulated in every tab from its start.
    pub(crate) unwatched: bool,
    /// An event type that no page can guess (see `walker/sentry.js`).
    pub(crate) secret_type: String,
}

/// CDP targets that are tabs.
pub(crate) static PAGES: LazyLock<Value> =
    LazyLock::new(|| json!([{ "type": "page" }, { "exclude": true }]));
/// CDP targets below a tab that are attached: out-of-process frames.
static FRAMES: LazyLock<Value> =
    LazyLock::new(|| json!([{ "type": "iframe" }, { "exclude": true }]));

/// Parameters of an attachment that holds each new target until it is set up.
pub(crate) fn auto_attach(filter: &Value) -> Value {
    json!({ "autoAttach": true, "waitForDebuggerOnStart": true, "flatten": true, "filter": filter })
}

/// Takes one event. The tab that lost its session with it, if one did: the event does not say why, which [`lost`] must be told.
pub(crate) fn take(book: &mut Book, wire: &Wire, setup: &Setup, event: &RawEvent) -> Option<TabId> {
    let session = event.session.as_deref();
    match event.method.as_ref() {
        "Target.targetCreated" => target_created(book, &event.params["targetInfo"]),
        "Target.targetInfoChanged" => target_changed(book, &event.params["targetInfo"]),
        "Target.targetDestroyed" => target_ended(book, wire, &event.params, Life::Closed),
        "Target.targetCrashed" => target_ended(book, wire, &event.params, Life::Crashed),
        "Target.attachedToTarget" => attached(book, wire, setup, session, &event.params),
        "Target.detachedFromTarget" => return detached(book, wire, &event.params),
        method => {
            let session = session?;
            let tab = book.sessions.get(session).copied()?;
            in_tab(book, wire, tab, session, method, &event.params);
        }
    }
    None
}

/// Tells why a tab lost its session: its life from now on.
pub(crate) fn lost(book: &mut Book, wire: &Wire, tab: TabId, life: Life) {
    let Some(state) = book.tabs.get_mut(&tab) else { return };
    if state.session.is_some() || state.life != Life::Alive {
        return;
    }
    match life {
        Life::Detached => state.life = life,
        life => ended(book, wire, tab, life),
    }
}

fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value[key].as_str().unwrap_or_default()
}

fn target_created(book: &mut Book, info: &Value) {
    if text(info, "type") == "page" && !text(info, "url").starts_with("devtools:") {
        let opener = info["openerId"].as_str();
        book.add_tab(text(info, "targetId"), opener);
        target_changed(book, info);
    }
}

fn target_changed(book: &mut Book, info: &Value) {
    let Some(tab) = book.by_target.get(text(info, "targetId")) else { return };
    if let Some(tab) = book.tabs.get_mut(tab) {
        tab.url = text(info, "url").into();
        tab.title = text(info, "title").into();
    }
}

fn target_ended(book: &mut Book, wire: &Wire, params: &Value, life: Life) {
    if let Some(id) = book.by_target.get(text(params, "targetId")).copied() {
        ended(book, wire, id, life);
    }
}

fn ended(book: &mut Book, wire: &Wire, id: TabId, life: Life) {
    let Some(tab) = book.tabs.get_mut(&id) else { return };
    if tab.life == Life::Closed || tab.life == life {
        return;
    }
    tab.life = life;
    tab.world = None;
    if let Some(session) = &tab.session {
        wire.end_session(session);
    }
    let kind = match life {
        Life::Crashed => EventKind::TabCrashed,
        Life::Alive | Life::Detached | Life::Closed => EventKind::TabClosed,
    };
    book.log.push(id, kind);
}

fn attached(book: &mut Book, wire: &Wire, setup: &Setup, parent: Option<&str>, params: &Value) {
    let session = text(params, "sessionId");
    let info = &params["targetInfo"];
    let target = text(info, "targetId");
    match (text(info, "type"), parent) {
        ("page", None) => {
            target_created(book, info);
            if let Some(id) = book.by_target.get(target).copied() {
                book.sessions.insert(session.into(), id);
                if let Some(tab) = book.tabs.get_mut(&id) {
                    tab.session = Some(session.into());
                    tab.life = Life::Alive;
                    tab.viewport = setup.viewport;
                    tab.held = Held::default();
                    tab.leaving = false;
                    tab.main_world = None;
                }
                if setup.unwatched {
                    // Tabs of ours open in the background, those that pages open in front.
                    let front = book.front_at_start(id);
                    book.tabs.entry(id).and_modify(|tab| tab.emulated = Some(front));
                }
                set_up_frame(wire, setup, session);
                set_up_tab(wire, setup, session);
            }
        }
        ("iframe", Some(parent)) => {
            if let Some(tab) = book.sessions.get(parent).copied() {
                book.sessions.insert(session.into(), tab);
                set_up_frame(wire, setup, session);
            }
        }
        _ => {}
    }
    // Whatever it is, it must not be left waiting.
    wire.post("Runtime.runIfWaitingForDebugger", Some(session), json!({}));
}

fn set_up_tab(wire: &Wire, setup: &Setup, session: &str) {
    let to = Some(session);
    wire.post("Page.setLifecycleEventsEnabled", to, json!({ "enabled": true }));
    if setup.unwatched {
        // Focus events also in a tab that is not in front.
        wire.post("Emulation.setFocusEmulationEnabled", to, json!({ "enabled": true }));
    }
    if let Some((width, height)) = setup.viewport {
        let metrics = json!({
            "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false
        });
        wire.post("Emulation.setDeviceMetricsOverride", to, metrics);
    }
}

fn set_up_frame(wire: &Wire, setup: &Setup, session: &str) {
    let to = Some(session);
    wire.post("Runtime.enable", to, json!({}));
    // Only our own worlds have it.
    let told = json!({ "name": TOLD_BINDING, "executionContextName": WORLD_NAME });
    wire.post("Runtime.addBinding", to, told);
    if let Some(name) = &setup.binding {
        wire.post("Runtime.addBinding", to, json!({ "name": name }));
    }
    wire.post("Page.enable", to, json!({}));
    // Bodies are never asked for, so none need be kept.
    let network =
        json!({ "maxTotalBufferSize": 0, "maxResourceBufferSize": 0, "maxPostDataSize": 0 });
    wire.post("Network.enable", to, network);
    if let Some(source) = &setup.new_document_script {
        let script = json!({ "source": source, "runImmediately": true });
        wire.post("Page.addScriptToEvaluateOnNewDocument", to, script);
    }
    if setup.scripts_disabled {
        wire.post("Emulation.setScriptExecutionDisabled", to, json!({ "value": true }));
    }
    wire.post("Target.setAutoAttach", to, auto_attach(&FRAMES));
    // Before the page's own scripts, so that no listener of theirs comes first.
    let sentry = json!({
        "source": world::sentry(&setup.secret_type),
        "worldName": WORLD_NAME,
        "runImmediately": true,
    });
    wire.post("Page.addScriptToEvaluateOnNewDocument", to, sentry);
}

fn detached(book: &mut Book, wire: &Wire, params: &Value) -> Option<TabId> {
    let session = text(params, "sessionId");
    let id = book.sessions.remove(session)?;
    wire.end_session(session);
    let tab = book.tabs.get_mut(&id)?;
    if tab.session.as_deref() != Some(session) {
        return None;
    }
    tab.session = None;
    tab.world = None;
    tab.main_world = None;
    (tab.life == Life::Alive).then_some(id)
}

fn in_tab(book: &mut Book, wire: &Wire, tab: TabId, session: &str, method: &str, params: &Value) {
    match method {
        "Page.javascriptDialogOpening" => dialog(book, wire, tab, session, params),
        "Page.frameStartedNavigating" => navigation_started(book, tab, params),
        "Page.frameNavigated" => navigated(book, tab, session, &params["frame"]),
        // A frame that goes to another process is not gone.
        "Page.frameDetached" if text(params, "reason") != "swap" => {
            if let Some(state) = book.tabs.get_mut(&tab) {
                state.page_log.removed(text(params, "frameId"));
            }
        }
        "Page.frameStoppedLoading" => {
            if let Some(state) = own_frame(book, tab, params) {
                state.loading = false;
                state.leaving = false;
            }
        }
        "Page.navigatedWithinDocument" => {
            if let Some(state) = own_frame(book, tab, params) {
                state.url = text(params, "url").into();
                state.moved_within += 1;
            }
        }
        "Page.lifecycleEvent" => {
            if let Some(state) = own_frame(book, tab, params) {
                let loader = Some(text(params, "loaderId").into());
                match text(params, "name") {
                    "load" => state.loaded = loader,
                    "DOMContentLoaded" => state.parsed = loader,
                    _ => {}
                }
            }
        }
        "Runtime.executionContextCreated" => context_created(book, tab, &params["context"]),
        "Runtime.executionContextDestroyed" => {
            forget_world(book, tab, session, params["executionContextId"].as_i64());
        }
        "Runtime.executionContextsCleared" => forget_world(book, tab, session, None),
        "Runtime.bindingCalled" if text(params, "name") == TOLD_BINDING => {
            if let Some(state) = book.tabs.get_mut(&tab) {
                state.told_hits += 1;
            }
        }
        "Runtime.bindingCalled" => {
            if let Value::String(payload) = &params["payload"] {
                book.keep_call(payload.clone());
            }
        }
        "Input.dragIntercepted" => {
            if let Some(state) = book.tabs.get_mut(&tab) {
                state.held.drag = Some(params["data"].clone());
            }
        }
        method => {
            if let Some(state) = book.tabs.get_mut(&tab) {
                state.page_log.take(method, params);
            }
        }
    }
}

/// The tab, where the event is about its top frame.
fn own_frame<'a>(
    book: &'a mut Book,
    tab: TabId,
    params: &Value,
) -> Option<&'a mut crate::book::Tab> {
    book.tabs.get_mut(&tab).filter(|state| state.target == text(params, "frameId"))
}

fn dialog(book: &mut Book, wire: &Wire, tab: TabId, session: &str, params: &Value) {
    let (kind, accept) = match text(params, "type") {
        "confirm" => (DialogKind::Confirm, false),
        "prompt" => (DialogKind::Prompt, false),
        "beforeunload" => (DialogKind::BeforeUnload, true),
        _ => (DialogKind::Alert, true),
    };
    wire.post("Page.handleJavaScriptDialog", Some(session), json!({ "accept": accept }));
    let message = text(params, "message").chars().take(DIALOG_CHARACTERS_MAX).collect();
    book.log.push(tab, EventKind::Dialog { kind, message });
}

fn navigation_started(book: &mut Book, tab: TabId, params: &Value) {
    if matches!(text(params, "navigationType"), "sameDocument" | "historySameDocument") {
        return;
    }
    let frame = frame_number(book, tab, text(params, "frameId"));
    if let Some(state) = own_frame(book, tab, params) {
        state.loading = true;
        state.leaving = true;
        state.departures += 1;
    }
    book.log.push(tab, EventKind::NavigationStarted { frame });
}

fn navigated(book: &mut Book, tab: TabId, session: &str, frame: &Value) {
    let loader = book.new_loader();
    let number = frame_number(book, tab, text(frame, "id"));
    let url = format!("{}{}", text(frame, "url"), text(frame, "urlFragment"));
    let Some(state) = book.tabs.get_mut(&tab) else { return };
    let top = state.target == text(frame, "id") && state.session.as_deref() == Some(session);
    state.page_log.replaced(text(frame, "id"), text(frame, "loaderId"), top);
    if top {
        let cdp_loader = Some(text(frame, "loaderId").to_string());
        if state.cdp_loader == cdp_loader {
            return;
        }
        state.cdp_loader = cdp_loader;
        state.leaving = false;
        state.loader = loader;
        state.url.clone_from(&url);
        state.children.clear();
        state.life = Life::Alive;
    }
    book.log.push(tab, EventKind::Navigated { frame: number, loader, url, top });
}

fn frame_number(book: &mut Book, tab: TabId, cdp: &str) -> backlot_core::page::FrameId {
    match book.tabs.get(&tab) {
        Some(state) if state.target == cdp => return state.frame,
        Some(state) if state.children.contains_key(cdp) => return state.children[cdp],
        _ => {}
    }
    let number = book.new_frame();
    if let Some(state) = book.tabs.get_mut(&tab) {
        state.children.insert(cdp.into(), number);
    }
    number
}

fn context_created(book: &mut Book, tab: TabId, context: &Value) {
    let Some(state) = book.tabs.get_mut(&tab) else { return };
    let about = &context["auxData"];
    if about["isDefault"] == true && text(about, "frameId") == state.target {
        state.main_world = Some(MainWorld {
            context: text(context, "uniqueId").into(),
            number: context["id"].as_i64().unwrap_or_default(),
        });
    }
    if text(context, "name") == WORLD_NAME && text(&context["auxData"], "frameId") == state.target {
        state.world = Some(World {
            context: text(context, "uniqueId").into(),
            number: context["id"].as_i64().unwrap_or_default(),
            ready: false,
            documents: BTreeMap::new(),
            frames: BTreeMap::new(),
        });
    }
}

fn forget_world(book: &mut Book, tab: TabId, session: &str, number: Option<i64>) {
    let Some(state) = book.tabs.get_mut(&tab) else { return };
    if state.session.as_deref() != Some(session) {
        return;
    }
    let is_it = |of: i64| number.is_none_or(|number| number == of);
    if state.world.as_ref().is_some_and(|world| is_it(world.number)) {
        state.world = None;
    }
    if state.main_world.as_ref().is_some_and(|world| is_it(world.number)) {
        state.main_world = None;
    }
}
