//! The bounded log of browser events.

use super::{BrowserId, State};
use backlot_core::page::TabId;
use backlot_core::port::{Event, EventBatch, EventKind, Seq};

/// Most events that are kept.
const EVENTS_MAX: usize = 1_000;

impl State {
    pub(crate) fn emit(&mut self, tab: TabId, kind: EventKind) {
        let seq = Seq(self.sequence);
        self.sequence += 1;
        self.events.push_back(Event { seq, tab, kind });
        if self.events.len() > EVENTS_MAX {
            self.events.pop_front();
        }
    }

    /// The events of a browser's tabs.
    pub(crate) fn events_since(&self, browser: BrowserId, since: Seq) -> EventBatch {
        let first_kept = self.events.front().map_or(self.sequence, |event| event.seq.0);
        let is_its = |tab: TabId| self.tabs.get(&tab).is_some_and(|tab| tab.browser == browser);
        let events = self.events.iter().filter(|event| event.seq >= since && is_its(event.tab));
        let events = events.cloned().collect();
        // Every number is one event's.
        let lost = first_kept.saturating_sub(since.0);
        EventBatch { events, next: Seq(self.sequence), lost }
    }
}
