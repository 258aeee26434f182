//! The bounded event log of a browser connection.

use backlot_core::page::TabId;
use backlot_core::port::{Event, EventBatch, EventKind, Seq};
use std::collections::VecDeque;

/// Most events kept.
pub(crate) const EVENTS_MAX: usize = 1_000;

/// The last events, in order; older ones are counted, never silently gone.
#[derive(Debug, Default)]
pub(crate) struct EventLog {
    events: VecDeque<Event>,
    next: u64,
}

impl EventLog {
    /// Adds an event.
    pub(crate) fn push(&mut self, tab: TabId, kind: EventKind) {
        self.events.push_back(Event { seq: Seq(self.next), tab, kind });
        self.next += 1;
        if self.events.len() > EVENTS_MAX {
            self.events.pop_front();
        }
    }

    /// The cursor after the last event.
    pub(crate) fn next(&self) -> Seq {
        Seq(self.next)
    }

    /// The events from a cursor on.
    pub(crate) fn since(&self, cursor: Seq) -> EventBatch {
        let oldest = self.events.front().map_or(self.next, |event| event.seq.0);
        EventBatch {
            events: self.events.iter().filter(|event| event.seq >= cursor).cloned().collect(),
            next: self.next(),
            lost: oldest.saturating_sub(cursor.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_overflows_is_counted() {
        let mut log = EventLog::default();
        for _ in 0..EVENTS_MAX + 5 {
            log.push(TabId(1), EventKind::TabClosed);
        }
        let batch = log.since(Seq(2));
        assert_eq!((batch.events.len(), batch.lost), (EVENTS_MAX, 3));
        assert_eq!(batch.next, Seq(1_005));
        let rest = log.since(Seq(1_004));
        assert_eq!((rest.events.len(), rest.lost), (1, 0));
    }
}
