//! From a capture to lines.
//!
//! One walk over the flat tree with a stack of its own: frames, shadow trees and slots in place, so a deep page cannot
//! exhaust the program's stack. An element becomes a line if it has a ref or a role worth a line; else its children take its
//! place. Text runs over inline elements and ends at block boundaries.

use super::line::{Gap, Line, LineKind, Omission, OmissionKind, Snapshot, State};
use super::shown::{breaks_line, is_offscreen, own_text};
use super::states::{self, printed_role};
use crate::aria::{AriaFrame, Hidden, NameSource};
use crate::interactive::{InteractiveReason, interactive};
use crate::page::{Capture, Element, Frame, FrameGap, NodeData, NodeIdx, collapse, push_reversed};
use alloc::{string::String, vec::Vec};

/// Most levels of lines; deeper ones stand at the last level.
const DEPTH_MAX: u32 = 60;
/// Most characters of an own text that stands for a missing name.
const OWN_TEXT_CHARS_MAX: usize = 80;
/// Most characters of one text line.
const TEXT_CHARS_MAX: usize = 2_000;

/// Builds the snapshot of a capture from the accessible views of its frames. Total: any capture gives a snapshot.
pub fn build(capture: &Capture, views: &[AriaFrame<'_>]) -> Snapshot {
    let frames: Vec<FrameView<'_>> = views.iter().map(FrameView::new).collect();
    let mut walk = Walk { frames: &frames, lines: Vec::new(), run: Run::default(), long_chars: 0 };
    walk.frame(0, 0, false);
    let top = capture.top();
    let cut: u32 = capture.frames.iter().map(|frame| frame.cut).sum();
    let counts = [(OmissionKind::CaptureLimit, cut), (OmissionKind::LongText, walk.long_chars)];
    Snapshot {
        url: top.url.clone(),
        title: top.title.clone(),
        omissions: counts
            .into_iter()
            .filter(|(_, count)| *count > 0)
            .map(|(kind, count)| Omission { kind, count })
            .collect(),
        lines: walk.lines,
    }
}

/// A frame with what the steps before said about it.
struct FrameView<'a> {
    frame: &'a Frame,
    aria: &'a AriaFrame<'a>,
    reasons: Vec<Option<InteractiveReason>>,
    /// How many nodes with a ref stand before each place.
    targets_before: Vec<u32>,
}

impl<'a> FrameView<'a> {
    fn new(aria: &'a AriaFrame<'a>) -> Self {
        let frame = aria.lookup().frame();
        let reasons = interactive(aria);
        let mut targets_before = Vec::with_capacity(reasons.len() + 1);
        targets_before.push(0);
        let mut count = 0;
        for reason in &reasons {
            count += u32::from(reason.is_some());
            targets_before.push(count);
        }
        Self { frame, aria, reasons, targets_before }
    }

    /// Something below the node has a ref.
    fn has_target_below(&self, at: NodeIdx) -> bool {
        let end = self.frame.node(at).end as usize;
        self.targets_before[end] > self.targets_before[at as usize + 1]
    }
}

/// What is to be done next, last first.
#[derive(Clone, Copy)]
enum Step {
    Enter {
        frame: u32,
        at: NodeIdx,
        depth: u32,
        mute: bool,
        offscreen: bool,
    },
    /// The end of a block or line: text before and after it is not one run.
    Break,
    /// Text of a pseudo-element after the children.
    After {
        frame: u32,
        at: NodeIdx,
        depth: u32,
    },
}

/// Text that is being gathered.
#[derive(Default)]
struct Run {
    text: String,
    from: Option<(u32, NodeIdx)>,
    depth: u32,
    offscreen: bool,
}

struct Walk<'a, 'b> {
    frames: &'b [FrameView<'a>],
    lines: Vec<Line>,
    run: Run,
    long_chars: u32,
}

impl Walk<'_, '_> {
    /// Walks a frame's document. Called again for frames inside it: nesting is bounded by the capture.
    fn frame(&mut self, frame: u32, depth: u32, offscreen: bool) {
        let view = &self.frames[frame as usize];
        let mut stack: Vec<Step> = Vec::new();
        let roots: Vec<NodeIdx> = view.frame.roots().collect();
        stack.extend(roots.iter().rev().map(|at| Step::Enter {
            frame,
            at: *at,
            depth,
            mute: false,
            offscreen,
        }));
        while let Some(step) = stack.pop() {
            match step {
                Step::Enter { frame, at, depth, mute, offscreen } => {
                    self.enter(&mut stack, frame, at, depth, mute, offscreen);
                }
                Step::Break => self.flush(),
                Step::After { frame, at, depth } => self.pseudo(frame, at, depth, false),
            }
        }
        self.flush();
    }

    fn enter(
        &mut self,
        stack: &mut Vec<Step>,
        frame: u32,
        at: NodeIdx,
        depth: u32,
        mute: bool,
        offscreen: bool,
    ) {
        let view = &self.frames[frame as usize];
        let element = match &view.frame.node(at).data {
            NodeData::Text(text) => {
                if !mute {
                    self.text(frame, at, depth, text, offscreen);
                }
                return;
            }
            NodeData::ShadowRoot(_) => return,
            NodeData::Element(element) => element,
        };
        let hidden = view.aria.hidden(at);
        if matches!(hidden, Hidden::SubtreeHidden(_)) {
            return;
        }
        if element.is_html("br") {
            self.run.text.push(' ');
            return;
        }
        let offscreen = offscreen || is_offscreen(view.frame, element).unwrap_or(offscreen);
        let breaks = breaks_line(element);
        if breaks {
            self.flush();
        }
        let line = (hidden == Hidden::Shown)
            .then(|| self.line(frame, at, element, depth, mute, offscreen))
            .flatten();
        let (depth, mute, leaf) = match line {
            Some(Made { mute: muted, leaf }) => (bounded(depth + 1), mute || muted, leaf),
            None => (depth, mute, states::is_leaf(element)),
        };
        if breaks {
            stack.push(Step::Break);
        }
        if leaf {
            return;
        }
        if !mute {
            self.pseudo(frame, at, depth, true);
            stack.push(Step::After { frame, at, depth });
        }
        if let Some(inner) = element.frame {
            self.frame(inner, depth, offscreen);
            return;
        }
        let children = view.aria.lookup().flat_children(at);
        let enter = |at| Step::Enter { frame, at, depth, mute, offscreen };
        push_reversed(stack, children.map(enter));
    }

    /// Makes the element's line, if it is worth one.
    fn line(
        &mut self,
        frame: u32,
        at: NodeIdx,
        element: &Element,
        depth: u32,
        mute: bool,
        offscreen: bool,
    ) -> Option<Made> {
        let view = &self.frames[frame as usize];
        let has_ref = view.reasons[at as usize].is_some();
        let role = printed_role(view.aria, at, element, has_ref)?;
        let name = view.aria.name(at);
        let mut text = name.text;
        let mut covered = name.source == NameSource::Content;
        let says_again = states::is_cell(role) && view.has_target_below(at);
        if covered && !has_ref && (says_again || !states::prints_content_name(role)) {
            text = String::new();
            covered = false;
        }
        if text.is_empty() && has_ref && !element.is_html("form") {
            let own = own_text(view.aria, at);
            covered = own.chars().count() <= OWN_TEXT_CHARS_MAX;
            text = if covered {
                own
            } else {
                own.chars().take(OWN_TEXT_CHARS_MAX - 1).chain(['…']).collect()
            };
        }
        if text.is_empty() && !has_ref && states::needs_name(role) {
            return None;
        }
        let mut states = states::states(view.aria, view.frame, at, element);
        if let Some(gap) = element.frame.and_then(|inner| self.frames[inner as usize].frame.gap) {
            states.push(State::Gap(match gap {
                FrameGap::CrossOrigin => Gap::CrossOrigin,
                FrameGap::TooDeep => Gap::TooDeep,
                FrameGap::Torn => Gap::Torn,
            }));
        }
        // A node inside a name that says it all adds nothing unless it can be acted on or has a state of its own.
        if mute && !has_ref && states.is_empty() && !states::stands_inside_a_name(role) {
            return None;
        }
        self.flush();
        self.push(
            frame,
            at,
            depth,
            offscreen,
            element,
            LineKind::Node { role, name: text, states, has_ref },
        );
        Some(Made { mute: covered, leaf: states::is_leaf(element) })
    }

    fn text(&mut self, frame: u32, at: NodeIdx, depth: u32, text: &str, offscreen: bool) {
        let view = &self.frames[frame as usize];
        let parent = view.aria.lookup().flat_parent(at);
        if parent.is_some_and(|parent| view.aria.hidden(parent) != Hidden::Shown) {
            return;
        }
        let from = (frame, view.frame.node(at).parent.unwrap_or(at));
        self.gather(from, depth, &view.frame.shown_text(at, text), offscreen);
    }

    fn pseudo(&mut self, frame: u32, at: NodeIdx, depth: u32, before: bool) {
        let view = &self.frames[frame as usize];
        let Some(element) = view.frame.element(at) else { return };
        let pseudo = if before { &element.before } else { &element.after };
        let Some(pseudo) = pseudo.as_ref().filter(|_| view.aria.hidden(at) == Hidden::Shown) else {
            return;
        };
        if pseudo.block {
            self.flush();
        }
        self.gather((frame, at), depth, &pseudo.text, false);
        if pseudo.block {
            self.flush();
        }
    }

    fn gather(&mut self, from: (u32, NodeIdx), depth: u32, text: &str, offscreen: bool) {
        if self.run.from.is_none() && !text.trim().is_empty() {
            self.run.from = Some(from);
            self.run.depth = depth;
            self.run.offscreen = offscreen;
        }
        self.run.text.push_str(text);
    }

    fn flush(&mut self) {
        let run = core::mem::take(&mut self.run);
        let Some((frame, at)) = run.from else { return };
        let mut text = collapse(&run.text);
        if text.is_empty() {
            return;
        }
        if let Some((cut_at, _)) = text.char_indices().nth(TEXT_CHARS_MAX) {
            let lost = text[cut_at..].chars().count() + 1;
            self.long_chars =
                self.long_chars.saturating_add(u32::try_from(lost).unwrap_or(u32::MAX));
            let kept: String = text.chars().take(TEXT_CHARS_MAX - 1).chain(['…']).collect();
            text = kept;
        }
        let view = &self.frames[frame as usize];
        let rect = view.frame.element(at).and_then(|element| element.rect.known().copied());
        self.lines.push(Line {
            depth: run.depth,
            kind: LineKind::Text(text),
            key: view.frame.key(at),
            at: (frame, at),
            rect,
            offscreen: run.offscreen,
        });
    }

    fn push(
        &mut self,
        frame: u32,
        at: NodeIdx,
        depth: u32,
        offscreen: bool,
        element: &Element,
        kind: LineKind,
    ) {
        let key = self.frames[frame as usize].frame.key(at);
        let rect = element.rect.known().copied();
        self.lines.push(Line {
            depth: bounded(depth),
            kind,
            key,
            at: (frame, at),
            rect,
            offscreen,
        });
    }
}

/// A line that was made.
struct Made {
    /// Its name says the text below it.
    mute: bool,
    /// Nothing below it is shown.
    leaf: bool,
}

fn bounded(depth: u32) -> u32 {
    depth.min(DEPTH_MAX)
}
