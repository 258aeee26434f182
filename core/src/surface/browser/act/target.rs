//! Which element an act is about: by ref, by selector, or what has the focus.

use super::super::BrowserTool;
use super::super::snapshot::{all_matches, not_found};
use super::parse::Where;
use crate::action::{Failure, Phase, Retry, limits};
use crate::aria;
use crate::page::{Capture, CaptureSpec, NodeIdx, TabId};
use crate::port::{DriverError, Host, Launcher, Millis};
use crate::refs::{RefEntry, entry_of};
use crate::text::quoted;
use alloc::{format, string::String, vec::Vec};

/// Most elements that an error lists.
const LISTED_MAX: usize = 10;

/// An element and what was given together with it.
#[derive(Debug)]
pub(in super::super) struct Target {
    pub(in super::super) entry: RefEntry,
    pub(in super::super) others: Vec<RefEntry>,
}

impl Target {
    /// Input at a frame goes to whatever document is in it, for which nobody was asked.
    pub(super) fn takes_input(&self) -> Result<(), Failure> {
        if !matches!(self.entry.likeness.tag.as_str(), "iframe" | "frame" | "object" | "embed") {
            return Ok(());
        }
        Err(Failure::new(
            "not_editable",
            Phase::Precheck,
            Retry::Never,
            "a frame as a whole takes no input; act on an element in it, by its ref of a snapshot",
        ))
    }
}

impl<L: Launcher, H: Host + Clone> BrowserTool<L, H> {
    /// The element. A selector is waited for until the deadline.
    pub(super) async fn target(
        &self,
        tab: TabId,
        at: &Where,
        deadline: Millis,
    ) -> Result<Target, Failure> {
        match at {
            Where::Ref(text) => {
                let (entry, others) = self.book.borrow().look_up(tab, text)?;
                Ok(Target { entry, others })
            }
            Where::Css(selector) => self.target_by_css(tab, selector, deadline).await,
        }
    }

    /// The one element that a selector matches.
    pub(in super::super) async fn target_by_css(
        &self,
        tab: TabId,
        selector: &str,
        deadline: Millis,
    ) -> Result<Target, Failure> {
        let capture = self.matching(tab, selector, deadline, |_| true).await?;
        let all = all_matches(&capture, 0, selector)?;
        let views = aria::frames(&capture);
        let [one] = all.as_slice() else {
            // A list of what is there is a read like any other.
            self.clear_read(&self.info_of(tab).await?, deadline).await?;
            let lines: Vec<String> = all
                .iter()
                .take(LISTED_MAX)
                .map(|at| {
                    let name = views[0].name(*at).text;
                    format!("- {} {}", views[0].role(*at).as_str(), quoted(&name, 100))
                })
                .collect();
            let failure = Failure::new(
                "ambiguous_selector",
                Phase::Resolve,
                Retry::Never,
                format!(
                    "{} elements match the selector {}; give a narrower one, or a ref of a snapshot",
                    all.len(),
                    quoted(selector, 200)
                ),
            );
            return Err(failure.with_detail(lines.join("\n")));
        };
        let entry = entry_of(&capture, &views, (0, *one));
        let entry = entry.ok_or_else(|| not_found(selector, "take a snapshot"))?;
        Ok(Target { entry, others: Vec::new() })
    }

    /// A capture in which the selector matches something that will do; waits for it until the deadline.
    pub(in super::super) async fn matching(
        &self,
        tab: TabId,
        selector: &str,
        deadline: Millis,
        will_do: impl Fn(&Capture) -> bool,
    ) -> Result<Capture, Failure> {
        loop {
            let selectors = alloc::vec![selector.into()];
            let spec = CaptureSpec { selectors, ..CaptureSpec::TEXT };
            let read_by = deadline.max(self.engine.now().plus(limits::WAIT_POLL_MS));
            match self.read(tab, spec, read_by, Phase::Resolve).await {
                Ok(capture) => {
                    if !all_matches(&capture, 0, selector)?.is_empty() && will_do(&capture) {
                        return Ok(capture);
                    }
                }
                // A page that is just being replaced is not there yet.
                Err(failure) if failure.code == DriverError::DocumentGone.code() => {}
                Err(failure) => return Err(failure),
            }
            if self.engine.now() >= deadline {
                return Err(not_found(selector, "take a snapshot to see what is there"));
            }
            let next = self.engine.now().plus(limits::WAIT_POLL_MS).min(deadline);
            self.engine.host().sleep_until(next).await;
        }
    }

    /// What has the focus, in the innermost frame that has it; else the body.
    pub(super) async fn focused(&self, tab: TabId, deadline: Millis) -> Result<Target, Failure> {
        let capture = self.read(tab, CaptureSpec::TEXT, deadline, Phase::Resolve).await?;
        let place = focus(&capture);
        let views = aria::frames(&capture);
        let entry = place.and_then(|place| entry_of(&capture, &views, place));
        let entry = entry.ok_or_else(|| {
            Failure::new(
                "not_found",
                Phase::Resolve,
                Retry::SameCall,
                "nothing that takes keys can be read: the focus may be in a frame of another origin; take a snapshot",
            )
        })?;
        Ok(Target { entry, others: Vec::new() })
    }
}

fn focus(capture: &Capture) -> Option<(u32, NodeIdx)> {
    let mut frame_at = 0;
    loop {
        let frame = &capture.frames[frame_at as usize];
        let body = || {
            (0..)
                .zip(&frame.nodes)
                .map(|(at, _)| at)
                .find(|at| frame.element(*at).is_some_and(|element| element.is_html("body")))
        };
        let at = frame.focused.or_else(body).or_else(|| frame.roots().next())?;
        // Frames stand after their parents, so this ends.
        match frame.element(at).and_then(|element| element.frame) {
            Some(inner) if inner > frame_at => frame_at = inner,
            _ => return Some((frame_at, at)),
        }
    }
}
