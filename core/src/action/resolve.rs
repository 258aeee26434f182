//! From a ref to a node that is provably the one that was meant.

use super::engine::Engine;
use super::failure::{Failure, Phase};
use crate::aria;
use crate::gatekeeper::{TargetIdentity, origin_of};
use crate::page::{Capture, CaptureSpec, MarkOf, NodeKey, TabId, collapse};
use crate::port::{Host, Millis, Port};
use crate::refs::{RefEntry, Resolved, StaleReason, resolve};
use crate::snapshot::{LineKind, build};
use alloc::{string::String, vec::Vec};

/// A target and the capture it was found in.
#[derive(Debug)]
pub(crate) struct Found {
    pub(crate) resolved: Resolved,
    pub(crate) capture: Capture,
}

impl Found {
    /// What the Gatekeeper compares: tab, document, node and the frame's origin, as they are now.
    pub(super) fn identity(&self) -> TargetIdentity {
        let frame = &self.capture.frames[self.resolved.at.0 as usize];
        TargetIdentity {
            tab: Some(self.capture.tab),
            document: Some(frame.document),
            node: Some(self.resolved.key),
            origin: origin_of(self.capture.origin_url(self.resolved.at.0)),
            destination: None,
        }
    }
}

/// The same, from what was remembered when the ref was given.
pub(super) fn remembered_identity(tab: TabId, entry: &RefEntry) -> TargetIdentity {
    TargetIdentity {
        tab: Some(tab),
        document: Some(entry.key.document),
        node: Some(entry.key),
        origin: origin_of(&entry.url),
        destination: None,
    }
}

impl<P: Port, H: Host> Engine<P, H> {
    /// Looks a ref up in the tab's newest snapshot, without touching the page; with it all that the snapshot gave.
    pub(super) fn look_up(
        &self,
        tab: TabId,
        elem_ref: &str,
    ) -> Result<(RefEntry, Vec<RefEntry>), Failure> {
        let state = self.state.borrow();
        let Some(tab) = state.tabs.get(&tab) else {
            return Err(Failure::stale(StaleReason::NoSnapshot));
        };
        let entry = tab.table.look_up(elem_ref).cloned().map_err(Failure::stale)?;
        Ok((entry, tab.table.entries().to_vec()))
    }

    /// Finds the entry's node on the page now; `others` are those that were given together with it.
    pub(crate) async fn find(
        &self,
        tab: TabId,
        entry: &RefEntry,
        others: &[RefEntry],
        deadline: Millis,
    ) -> Result<Found, Failure> {
        // The mark is of the very moment that the node is judged in: what it comes to mean later is seen at the write.
        let context = entry.apart.as_ref().map(|apart| apart.key);
        let mark = Some(MarkOf { node: entry.key, context });
        let spec = CaptureSpec { mark, ..CaptureSpec::TEXT };
        let capture = self
            .capture(tab, spec, deadline)
            .await
            .map_err(|error| Failure::driver(Phase::Resolve, &error))?;
        let resolved = resolve(others, entry, &capture).map_err(Failure::stale)?;
        Ok(Found { resolved, capture })
    }

    /// Whether a ref means a form: something to refer to, whose middle is whatever stands there.
    pub(crate) fn is_form(&self, tab: TabId, elem_ref: &str) -> bool {
        self.look_up(tab, elem_ref).is_ok_and(|(entry, _)| entry.likeness.tag == "form")
    }

    /// The node that a ref means, found on the page now.
    pub(crate) async fn find_ref(
        &self,
        tab: TabId,
        elem_ref: &str,
        deadline: Millis,
    ) -> Result<NodeKey, Failure> {
        let (entry, others) = self.look_up(tab, elem_ref)?;
        Ok(self.find(tab, &entry, &others, deadline).await?.resolved.key)
    }

    /// Whether the page shows a text now, in any line or over several.
    pub(crate) async fn shows(
        &self,
        tab: TabId,
        text: &str,
        deadline: Millis,
    ) -> Result<bool, Failure> {
        let capture = self
            .capture(tab, CaptureSpec::TEXT, deadline)
            .await
            .map_err(|error| Failure::driver(Phase::Read, &error))?;
        let mut shown = String::new();
        for line in build(&capture, &aria::frames(&capture)).lines {
            let piece = match line.kind {
                LineKind::Text(text) => text,
                LineKind::Node { name, .. } => name,
            };
            shown.push_str(&piece);
            shown.push(' ');
        }
        Ok(shown.contains(&collapse(text)))
    }

    /// The ref text of a node in the tab's newest snapshot.
    pub(super) fn ref_text(&self, tab: TabId, key: NodeKey) -> Option<String> {
        let state = self.state.borrow();
        state.tabs.get(&tab)?.table.ref_of(key).map(|elem_ref| elem_ref.text())
    }
}
