//! Keys that choose: radio buttons, lists, numbers and ranges.

use super::event::Detail;
use crate::dom::{Dom, InputKind};
use crate::world::State;
use backlot_core::page::{FrameId, NodeId, TabId};

impl State {
    /// An arrow in a group of radio buttons checks the next one that is enabled, round and round.
    pub(super) fn arrow_in_radios(&mut self, tab: TabId, frame: FrameId, at: NodeId, back: bool) {
        let Some(page) = self.pages.get(&frame) else { return };
        let group: Vec<NodeId> =
            page.dom.radio_group(at).into_iter().filter(|id| page.is_focusable(*id)).collect();
        let Some(here) = group.iter().position(|id| *id == at) else { return };
        let next = if back { here + group.len() - 1 } else { here + 1 } % group.len();
        if group[next] == at {
            return;
        }
        self.set_focus(frame, Some(group[next]));
        self.click_event(tab, frame, group[next], true);
    }

    /// A key in a list or a drop-down. `false`: it is none of its keys.
    pub(super) fn choose_by_key(
        &mut self,
        frame: FrameId,
        at: NodeId,
        key: &str,
        shift: bool,
    ) -> bool {
        let Some(page) = self.pages.get(&frame) else { return false };
        let dom = &page.dom;
        let options = dom.options(at);
        let is_enabled = |id: &NodeId| !crate::probe::is_disabled(dom, *id);
        let enabled: Vec<usize> =
            (0..options.len()).filter(|place| is_enabled(&options[*place])).collect();
        let is_many = dom.has_attr(at, "multiple");
        let here = match is_many {
            true => dom.element(at).map(|element| element.live.selection.1),
            false => None,
        };
        let selected = options.iter().position(|id| dom.is_selected(*id));
        // The end that keys move is kept as one place more than it is: none is 0.
        let here = here.and_then(|end| end.checked_sub(1)).or(selected);
        let next = match key {
            "ArrowDown" | "ArrowRight" => {
                enabled.iter().copied().find(|place| here.is_none_or(|here| *place > here))
            }
            "ArrowUp" | "ArrowLeft" => {
                enabled.iter().rev().copied().find(|place| here.is_none_or(|here| *place < here))
            }
            "Home" => enabled.first().copied(),
            "End" => enabled.last().copied(),
            _ => match letter(key) {
                Some(letter) => {
                    let starts = |place: &usize| {
                        let text = dom.option_text(options[*place]).to_lowercase();
                        text.starts_with(letter.as_str())
                    };
                    let after = enabled.iter().copied().filter(|place| Some(*place) > here);
                    after.chain(enabled.iter().copied()).find(starts)
                }
                None => return false,
            },
        };
        let Some(next) = next.filter(|next| Some(*next) != here || is_many) else { return true };
        let anchor = dom.element(at).map_or(0, |element| element.live.selection.0);
        let anchor = match (is_many && shift, anchor.checked_sub(1).or(selected)) {
            (true, Some(anchor)) => anchor,
            _ => next,
        };
        let wanted = anchor.min(next)..=anchor.max(next);
        let wanted: Vec<usize> =
            enabled.into_iter().filter(|place| wanted.contains(place)).collect();
        self.choose(frame, at, &options, &wanted);
        if let Some(element) = self.pages.get_mut(&frame).and_then(|page| page.dom.element_mut(at))
        {
            element.live.selection = (anchor + 1, next + 1);
        }
        true
    }

    /// All options of a list that takes several.
    pub(super) fn choose_all(&mut self, frame: FrameId, at: NodeId) {
        let Some(page) = self.pages.get(&frame) else { return };
        if page.dom.has_attr(at, "multiple") {
            let options = page.dom.options(at);
            let enabled = |place: &usize| !crate::probe::is_disabled(&page.dom, options[*place]);
            let all: Vec<usize> = (0..options.len()).filter(enabled).collect();
            self.choose(frame, at, &options, &all);
        }
    }

    fn choose(&mut self, frame: FrameId, at: NodeId, options: &[NodeId], wanted: &[usize]) {
        let Some(page) = self.pages.get_mut(&frame) else { return };
        let mut changed = false;
        for (place, option) in options.iter().enumerate() {
            let selected = wanted.contains(&place);
            if let Some(element) = page.dom.element_mut(*option) {
                changed |= element.live.selected != selected;
                element.live.selected = selected;
                element.live.dirty_selected = true;
            }
        }
        page.dom.revision += 1;
        if changed {
            self.fire(frame, at, "input", true);
            self.fire(frame, at, "change", true);
        }
    }

    /// An arrow in a number field.
    pub(super) fn step_number(&mut self, frame: FrameId, at: NodeId, up: bool) {
        let Some(page) = self.pages.get(&frame) else { return };
        let dom = &page.dom;
        if dom.has_attr(at, "readonly") || dom.is_disabled(at) {
            return;
        }
        if dom.value(at).is_empty() {
            // An empty field counts from nothing.
            let Some(page) = self.pages.get_mut(&frame) else { return };
            page.dom.set_raw_value(at, "0".into(), 1);
        }
        let Some(page) = self.pages.get(&frame) else { return };
        let before = page.dom.value(at);
        let Some(next) = stepped(&page.dom, at, up) else { return };
        self.fire_with(frame, at, "beforeinput", true, Detail::Edit("insertText", Some(&next)));
        if next == before {
            return;
        }
        let Some(page) = self.pages.get_mut(&frame) else { return };
        let caret = next.chars().count();
        page.dom.set_raw_value(at, next, caret);
        if let Some(element) = page.dom.element_mut(at) {
            element.live.edited_from = None;
        }
        self.fire(frame, at, "input", true);
        self.fire(frame, at, "change", true);
    }

    /// A key in a slider. `false`: it is none of its keys.
    pub(super) fn slide(&mut self, frame: FrameId, at: NodeId, key: &str) -> bool {
        let Some(page) = self.pages.get_mut(&frame) else { return false };
        let dom = &page.dom;
        let number =
            |name: &str| dom.attr(at, name).and_then(|text| text.trim().parse::<f64>().ok());
        let (min, max) = (number("min").unwrap_or(0.0), number("max").unwrap_or(100.0));
        let step = number("step").filter(|step| *step > 0.0).unwrap_or(1.0);
        let big = ((max - min) / 10.0).max(step);
        let now = dom.value(at).parse().unwrap_or(min);
        let wanted = match key {
            "ArrowRight" | "ArrowUp" => now + step,
            "ArrowLeft" | "ArrowDown" => now - step,
            "PageUp" => now + big,
            "PageDown" => now - big,
            "Home" => min,
            "End" => max,
            _ => return false,
        };
        let before = dom.value(at);
        page.dom.set_value(at, &wanted.to_string());
        if page.dom.value(at) != before {
            self.fire(frame, at, "input", true);
            self.fire(frame, at, "change", true);
        }
        true
    }

    /// Escape empties a search field.
    pub(super) fn clear_search(&mut self, frame: FrameId, at: NodeId) {
        let Some(page) = self.pages.get_mut(&frame) else { return };
        let is_search = page.dom.input_kind(at) == Some(InputKind::Search);
        if is_search && !page.dom.value(at).is_empty() && !page.dom.has_attr(at, "readonly") {
            let before = page.dom.value(at);
            page.dom.set_raw_value(at, String::new(), 0);
            if let Some(element) = page.dom.element_mut(at) {
                element.live.edited_from.get_or_insert(before);
            }
            self.fire(frame, at, "input", true);
        }
    }
}

fn letter(key: &str) -> Option<String> {
    let mut characters = key.chars();
    let first = characters.next()?;
    (characters.next().is_none() && first.is_alphanumeric()).then(|| key.to_lowercase())
}

/// The value one step further (HTML standard, `stepUp()`); `None` where none is left.
fn stepped(dom: &Dom, at: NodeId, up: bool) -> Option<String> {
    let number = |name: &str| dom.attr(at, name).and_then(|text| text.trim().parse::<f64>().ok());
    let (min, max) = (number("min"), number("max"));
    let step = number("step").filter(|step| *step > 0.0).unwrap_or(1.0);
    let now = dom.value(at).parse::<f64>().unwrap_or(0.0);
    let is_at_end =
        if up { max.is_some_and(|max| now >= max) } else { min.is_some_and(|min| now <= min) };
    if is_at_end {
        return None;
    }
    let base = min.or_else(|| number("value")).unwrap_or(0.0);
    let steps = (now - base) / step;
    let is_aligned = (steps - steps.round()).abs() < 1e-9;
    let steps = match (is_aligned, up) {
        (true, true) => steps.round() + 1.0,
        (true, false) => steps.round() - 1.0,
        (false, true) => steps.ceil(),
        (false, false) => steps.floor(),
    };
    let mut next = base + steps * step;
    if let Some(min) = min {
        next = next.max(min);
    }
    if let Some(max) = max.filter(|max| next > *max) {
        next = base + ((max - base) / step).floor() * step;
    }
    // As many places as the attributes have: 0.1 + 0.2 is 0.3 to a person.
    let places = |text: Option<&str>| {
        text.and_then(|t| t.split_once('.')).map_or(0, |(_, places)| places.len())
    };
    let value = dom.value(at);
    let most = [dom.attr(at, "step"), dom.attr(at, "min"), Some(value.as_str())]
        .into_iter()
        .map(places)
        .max();
    let text = format!("{next:.*}", most.unwrap_or(0));
    let short =
        if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    Some(if short == "-0" { "0".into() } else { short.into() })
}
