//! Writes: whom they met.

use super::super::port::End;
use super::{Call, Found, Kind, broken, is_direct};
use backlot_core::action::limits;
use backlot_sim::Reach;

pub(super) fn target(call: &Call<'_>) -> Found {
    let Some(aimed) = call.aimed else {
        return match call.hits.iter().find(|hit| is_direct(hit)) {
            Some(hit) => broken(Kind::WrongTarget, format!("{} wrote: {hit:?}", call.tool)),
            None => None,
        };
    };
    if aimed.is_stale && call.hits.iter().any(is_direct) {
        return broken(Kind::WrongTarget, "a ref of another snapshot was acted on");
    }
    for hit in call.hits.iter().filter(|hit| is_direct(hit)) {
        let is_host = call.tool == "type" && hit.node == call.world.editing_host(aimed.node);
        // A person's click on a thing goes to whatever part of it stands there.
        let is_met = hit.node == aimed.node || hit.is_trusted && hit.is_within(aimed.node);
        if !is_met && !is_host {
            return broken(Kind::WrongTarget, format!("meant {aimed:?}, hit {hit:?}"));
        }
        let counts = aimed.item.is_some() || hit.node != aimed.node;
        if counts && hit.item != aimed.item && !is_host {
            return broken(Kind::WrongTarget, format!("meant {aimed:?}, hit the item {hit:?}"));
        }
    }
    let is_click = matches!(call.tool, "click" | "click_trusted");
    for write in call.seen.writes.iter().filter(|write| write.end == End::Done) {
        if write.node != aimed.node {
            let why = format!("meant {aimed:?}, wrote to {:?}", write.node);
            return broken(Kind::WrongTarget, why);
        }
        if !write.is_met {
            return broken(Kind::WrongTarget, "a click was sent to where its target is not");
        }
        let is_barred = match is_click {
            true => !matches!(write.reach, Reach::Free | Reach::Unseen),
            false => matches!(write.reach, Reach::Gone | Reach::Disabled),
        };
        if is_barred {
            let why = format!("{} on a target that is {:?}", call.tool, write.reach);
            return broken(Kind::WrongTarget, why);
        }
    }
    if call.seen.writes.len() > 1 {
        return broken(Kind::WrongTarget, "one call wrote twice");
    }
    None
}

/// What moves is waited for: the last two looks before a write found the target in the same place.
pub(super) fn moving(call: &Call<'_>) -> Found {
    let write = call.seen.writes.first()?;
    let boxes: Vec<_> = call.seen.boxes.iter().filter(|(at, _)| *at < write.at).collect();
    let is_still = match boxes[..] {
        [.., (_, before), (_, last)] => before.drift(last) <= limits::STABLE_TOLERANCE_PX,
        _ => false,
    };
    if is_still { None } else { broken(Kind::WrongTarget, "a target was written to as it moved") }
}

/// What nobody sees is not written to, if it was so when it was looked at last.
pub(super) fn unseen(call: &Call<'_>) -> Found {
    let write = call.seen.writes.iter().find(|write| write.end == End::Done)?;
    let looked_at = call.seen.boxes.last().map_or(0, |(at, _)| *at);
    let is_known = call.seen.fallen == 0 || call.seen.fell_at <= looked_at;
    if write.reach == Reach::Unseen && is_known {
        return broken(Kind::WrongTarget, format!("{} on a target that nobody sees", call.tool));
    }
    None
}
