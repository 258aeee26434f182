//! What is known of the browser's tabs, sessions and documents, kept in the order of the socket.

use crate::log::EventLog;
use crate::page_log::PageLog;
use backlot_core::page::{DocumentKey, FrameId, LoaderId, TabId};
use backlot_core::port::{DriverError, EventKind, Modifiers};
use serde_json::Value;
use std::collections::BTreeMap;

/// Most calls of the binding that are kept until they are asked for.
const BINDING_CALLS_MAX: usize = 100_000;

/// All that is known of one connection.
#[derive(Debug, Default)]
pub(crate) struct Book {
    /// Every tab there ever was, by number.
    pub(crate) tabs: BTreeMap<TabId, Tab>,
    /// Tabs by CDP target.
    pub(crate) by_target: BTreeMap<String, TabId>,
    /// Live CDP sessions and the tab each belongs to. Child frames have sessions of their own.
    pub(crate) sessions: BTreeMap<String, TabId>,
    /// What happened.
    pub(crate) log: EventLog,
    /// Collected calls of the binding.
    pub(crate) binding_calls: Vec<String>,
    /// The connection has ended.
    pub(crate) closed: bool,
    next_tab: u32,
    next_frame: u32,
    next_loader: u32,
}

/// Whether a tab can be talked to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Life {
    Alive,
    Crashed,
    Detached,
    Closed,
}

/// One tab.
#[derive(Debug)]
pub(crate) struct Tab {
    /// CDP target, which is its top frame's CDP id too.
    pub(crate) target: String,
    /// Its session, once attached.
    pub(crate) session: Option<String>,
    pub(crate) life: Life,
    pub(crate) url: String,
    pub(crate) title: String,
    pub(crate) opener: Option<TabId>,
    /// The top frame, for good.
    pub(crate) frame: FrameId,
    /// The top document that stands now.
    pub(crate) loader: LoaderId,
    /// The same in the browser's words; `None` until the first navigation that was seen.
    pub(crate) cdp_loader: Option<String>,
    /// The browser's loader whose `load` event has fired last.
    pub(crate) loaded: Option<String>,
    /// The top frame is loading another document.
    pub(crate) loading: bool,
    /// The top frame is on its way to another document, which is not there yet.
    pub(crate) leaving: bool,
    /// How often it has set out.
    pub(crate) departures: u64,
    /// Our isolated world in the top document.
    pub(crate) world: Option<World>,
    /// The tab is told that it has the focus, which makes it call itself visible; with this, whether it truly was when that
    /// began.
    pub(crate) emulated: Option<bool>,
    /// Numbers of child frames, for events, by CDP frame.
    pub(crate) children: BTreeMap<String, FrameId>,
    /// The browser's loader whose document was parsed last.
    pub(crate) parsed: Option<String>,
    /// How often the top document's URL changed without a load.
    pub(crate) moved_within: u64,
    /// The page's own world in the top document.
    pub(crate) main_world: Option<MainWorld>,
    /// How often the guard has told that input met its target.
    pub(crate) told_hits: u64,
    /// What our input holds down.
    pub(crate) held: Held,
    /// Size of the viewport, where it is not the window's affair.
    pub(crate) viewport: Option<(u32, u32)>,
    /// The time zone that it was made to believe in.
    pub(crate) timezone: Option<String>,
    /// What the page asked for and said.
    pub(crate) page_log: PageLog,
}

/// The page's own world in one top document.
#[derive(Debug, Clone)]
pub(crate) struct MainWorld {
    /// The execution context's lasting id.
    pub(crate) context: String,
    /// The execution context's number in its session.
    pub(crate) number: i64,
}

/// What trusted input holds down between two dispatches.
#[derive(Debug, Clone, Default)]
pub(crate) struct Held {
    /// Mouse buttons, as in `MouseEvent.buttons`.
    pub(crate) buttons: u8,
    /// Keys that change others.
    pub(crate) modifiers: Modifiers,
    /// Data of a drag that the browser would have begun by itself.
    pub(crate) drag: Option<Value>,
    /// The browser hands us such drags instead of beginning them.
    pub(crate) intercepts: bool,
}

/// Our isolated world in one top document.
#[derive(Debug, Clone)]
pub(crate) struct World {
    /// The execution context's lasting id.
    pub(crate) context: String,
    /// The execution context's number in its session.
    pub(crate) number: i64,
    /// The walker stands in it.
    pub(crate) ready: bool,
    /// Documents by the walker's number for them.
    pub(crate) documents: BTreeMap<u32, DocumentKey>,
    /// Frames by the walker's number for their element; the top frame is 0.
    pub(crate) frames: BTreeMap<u32, FrameId>,
}

impl Book {
    /// A new tab.
    pub(crate) fn add_tab(&mut self, target: &str, opener: Option<&str>) -> TabId {
        if let Some(tab) = self.by_target.get(target) {
            return *tab;
        }
        self.next_tab += 1;
        let tab = TabId(self.next_tab);
        let opener = opener.and_then(|opener| self.by_target.get(opener).copied());
        let state = Tab {
            target: target.into(),
            session: None,
            life: Life::Alive,
            url: String::new(),
            title: String::new(),
            opener,
            frame: self.new_frame(),
            loader: self.new_loader(),
            cdp_loader: None,
            loaded: None,
            loading: false,
            leaving: false,
            departures: 0,
            world: None,
            emulated: None,
            children: BTreeMap::new(),
            parsed: None,
            moved_within: 0,
            main_world: None,
            told_hits: 0,
            held: Held::default(),
            viewport: None,
            timezone: None,
            page_log: PageLog::default(),
        };
        self.tabs.insert(tab, state);
        self.by_target.insert(target.into(), tab);
        self.log.push(tab, EventKind::TabCreated { opener });
        tab
    }

    /// A frame number that was never given.
    pub(crate) fn new_frame(&mut self) -> FrameId {
        self.next_frame += 1;
        FrameId(self.next_frame)
    }

    /// A loader number that was never given.
    pub(crate) fn new_loader(&mut self) -> LoaderId {
        self.next_loader += 1;
        LoaderId(self.next_loader)
    }

    /// Whether a tab starts in front: a page opened it, or there is no other.
    pub(crate) fn front_at_start(&self, tab: TabId) -> bool {
        let others = self.tabs.iter().any(|(id, other)| *id < tab && other.life != Life::Closed);
        !others || self.tabs.get(&tab).is_some_and(|tab| tab.opener.is_some())
    }

    /// A live tab.
    pub(crate) fn tab(&self, tab: TabId) -> Result<&Tab, DriverError> {
        if self.closed {
            return Err(DriverError::ConnectionClosed);
        }
        let state = self.tabs.get(&tab).ok_or(DriverError::TabGone)?;
        match state.life {
            Life::Alive => Ok(state),
            Life::Crashed => Err(DriverError::TabCrashed),
            Life::Detached => Err(DriverError::Detached),
            Life::Closed => Err(DriverError::TabGone),
        }
    }

    /// Our key of a document that the walker numbered. A number seen for the first time becomes a new load of its frame.
    pub(crate) fn document(
        &mut self,
        tab: TabId,
        context: &str,
        seen: SeenDocument,
    ) -> Option<DocumentKey> {
        let state = self.tabs.get(&tab)?;
        let world = state.world.as_ref().filter(|world| world.context == context)?;
        if let Some(key) = world.documents.get(&seen.document) {
            return Some(*key);
        }
        let key = if seen.frame == 0 {
            DocumentKey { frame: state.frame, loader: state.loader }
        } else {
            let known = world.frames.get(&seen.frame).copied();
            let frame = known.unwrap_or_else(|| self.new_frame());
            DocumentKey { frame, loader: self.new_loader() }
        };
        let world = self.tabs.get_mut(&tab)?.world.as_mut()?;
        world.frames.insert(seen.frame, key.frame);
        world.documents.insert(seen.document, key);
        Some(key)
    }

    /// Keeps a call of the binding.
    pub(crate) fn keep_call(&mut self, payload: String) {
        if self.binding_calls.len() < BINDING_CALLS_MAX {
            self.binding_calls.push(payload);
        }
    }
}

/// A document in the walker's numbers.
#[derive(Debug, Clone, Copy, serde::Deserialize)]
pub(crate) struct SeenDocument {
    /// The document.
    #[serde(rename = "d")]
    pub(crate) document: u32,
    /// Its frame element; 0 for the top frame.
    #[serde(rename = "f")]
    pub(crate) frame: u32,
}
