//! From a locator to the one element that is meant.

use super::door::CallError;
use super::limits;
use super::page::{SessionDoor, error, failed, timed_out};
use crate::action::{Failure, Phase};
use crate::aria::AriaFrame;
use crate::locate::{self, Grounds, LocateError, Locator, Patterns, Step};
use crate::page::{Capture, CaptureSpec, Element, NodeIdx, TabId};
use crate::port::{Browser, Host, Millis, TabInfo};
use crate::refs::{self, RefEntry, StaleReason, entry_of, lasting_number};
use crate::text::{header_piece, quoted};
use alloc::{format, string::String, vec::Vec};

/// A page as it was seen, and what a locator found in its top frame.
pub(super) struct Seen {
    pub(super) capture: Capture,
    pub(super) found: Vec<NodeIdx>,
}

/// The one element.
pub(super) struct One {
    pub(super) capture: Capture,
    pub(super) at: NodeIdx,
    pub(super) entry: RefEntry,
}

impl One {
    pub(super) fn element(&self) -> Option<&Element> {
        self.capture.top().element(self.at)
    }
}

impl<B: Browser, H: Host> SessionDoor<B, H> {
    /// Looks at the page once.
    pub(super) async fn see(
        &self,
        tab: TabId,
        locator: &Locator,
        patterns: &dyn Patterns,
        until: Millis,
    ) -> Result<Seen, CallError> {
        self.see_with(tab, locator, &[], patterns, until).await
    }

    async fn see_with(
        &self,
        tab: TabId,
        locator: &Locator,
        attributes: &[&str],
        patterns: &dyn Patterns,
        until: Millis,
    ) -> Result<Seen, CallError> {
        let selectors = locate::selectors(locator);
        let boxes = locate::needs_boxes(locator);
        let attributes = attributes.iter().map(|name| String::from(*name)).collect();
        let spec =
            CaptureSpec { boxes, selectors: selectors.clone(), attributes, ..CaptureSpec::TEXT };
        let deadline = until.max(self.session.engine.now().plus(limits::STATUS_MS));
        let captured = self.session.engine.capture(tab, spec, deadline).await;
        let capture = captured.map_err(|error| failed(&Failure::driver(Phase::Read, &error)))?;
        let found = {
            let aria = AriaFrame::new(capture.top());
            let refs = |elem_ref: &str| {
                let pages = self.session.pages.borrow();
                let page = pages.peek(tab).ok_or(StaleReason::NoSnapshot)?;
                let entry = page.refs.look_up(lasting_number(&["l"], elem_ref)?)?;
                if entry.key.document != capture.top().document {
                    return Err(StaleReason::OtherDocument);
                }
                refs::resolve(&page.refs.given_in(capture.top().document), entry, &capture)?;
                Ok(entry.key.node)
            };
            let grounds = Grounds {
                capture: &capture,
                aria: &aria,
                refs: &refs,
                patterns,
                selectors: &selectors,
            };
            locate::find(locator, &grounds).map_err(|why| wrong_locator(&why))?
        };
        Ok(Seen { capture, found })
    }

    /// Waits until the locator finds exactly one element. Several are an error at once.
    pub(super) async fn find_one(
        &self,
        tab: &TabInfo,
        locator: &Locator,
        patterns: &dyn Patterns,
        until: Millis,
    ) -> Result<One, CallError> {
        self.find_one_with(tab, locator, &[], patterns, until).await
    }

    /// The same with these attributes of it.
    pub(super) async fn find_one_with(
        &self,
        tab: &TabInfo,
        locator: &Locator,
        attributes: &[&str],
        patterns: &dyn Patterns,
        until: Millis,
    ) -> Result<One, CallError> {
        loop {
            let seen = self.see_with(tab.tab, locator, attributes, patterns, until).await?;
            match &seen.found[..] {
                [at] => {
                    let at = *at;
                    let entry = self.entry(tab.tab, locator, &seen.capture, at)?;
                    return Ok(One { capture: seen.capture, at, entry });
                }
                [] => {}
                several => return Err(strict(&seen.capture, several)),
            }
            if self.session.engine.now() >= until {
                return Err(timed_out(
                    "nothing on the page matches the locator; browser_snapshot shows what is there",
                ));
            }
            self.pause(until).await;
        }
    }

    pub(super) async fn pause(&self, until: Millis) {
        let engine = &self.session.engine;
        engine.host().sleep_until(engine.now().plus(limits::POLL_MS).min(until)).await;
    }

    /// What the element is bound to. Of a ref: what it meant when it was given.
    fn entry(
        &self,
        tab: TabId,
        locator: &Locator,
        capture: &Capture,
        at: NodeIdx,
    ) -> Result<RefEntry, CallError> {
        let stale = |reason| wrong_locator(&LocateError::Stale(reason));
        if let Some(Step::Ref(elem_ref)) = locator.steps.first() {
            let pages = self.session.pages.borrow();
            let page = pages.peek(tab).ok_or_else(|| stale(StaleReason::NoSnapshot))?;
            let number = lasting_number(&["l"], elem_ref).map_err(stale)?;
            let kept = page.refs.look_up(number).map_err(stale)?;
            // Further steps may choose among what the ref stands for, or look below it.
            if kept.key == capture.top().key(at) {
                return Ok(kept.clone());
            }
        }
        let views = [AriaFrame::new(capture.top())];
        entry_of(capture, &views, (0, at)).ok_or_else(|| stale(StaleReason::Removed))
    }
}

/// A locator that is one ref does not change its meaning: what is wrong with it now stays wrong.
pub(super) fn is_ref(locator: &Locator) -> bool {
    matches!(locator.steps.first(), Some(Step::Ref(_)))
}

fn wrong_locator(why: &LocateError) -> CallError {
    match why {
        LocateError::Stale(reason) => {
            error("stale_ref", format!("{reason}; call browser_snapshot and use a new ref"))
        }
        LocateError::Selector(_) => error("invalid_selector", format!("{why}; check its syntax")),
        LocateError::Pattern(..) => error("invalid_pattern", format!("{why}")),
    }
}

/// Several elements where one was meant.
pub(super) fn strict(capture: &Capture, found: &[NodeIdx]) -> CallError {
    let aria = AriaFrame::new(capture.top());
    let mut message =
        format!("strict mode violation: the locator resolved to {} elements:", found.len());
    for (number, at) in (1..).zip(found.iter().take(limits::STRICT_LISTED_MAX)) {
        message.push_str(&format!("\n    {number}) {}", described(&aria, *at)));
    }
    if found.len() > limits::STRICT_LISTED_MAX {
        message.push_str("\n    ...");
    }
    message.push_str("\nuse a more exact locator, or first(), nth() or filter()");
    error("strict_mode", message)
}

/// `<button id="x"> button "Save"`
pub(super) fn described(aria: &AriaFrame<'_>, at: NodeIdx) -> String {
    let Some(element) = aria.lookup().frame().element(at) else { return String::new() };
    let mut text = format!("<{}", header_piece(&element.tag, 40));
    for name in ["id", "class", "type", "name"] {
        if let Some(value) = element.attr(name).filter(|value| !value.is_empty()) {
            text.push_str(&format!(" {name}={}", quoted(value, 60)));
        }
    }
    text.push('>');
    let name = aria.name(at).text;
    let role = aria.role(at).as_str();
    match name.is_empty() {
        true => text.push_str(&format!(" {role}")),
        false => text.push_str(&format!(" {role} {}", quoted(&name, 80))),
    }
    text
}
