//! The bounded log of browser events.

use super::State;
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

    pub(crate) fn events_since(&self, since: Seq) -> EventBatch {
        let first_kept = self.events.front().map_or(self.sequence, |event| event.seq.0);
        let events = self.events.iter().filter(|event| event.seq >= since).cloned().collect();
        // Every number is one event's.
        let lost = first_kept.saturating_sub(since.0);
        EventBatch { events, next: Seq(self.sequence), lost }
    }
}
