//! Reports: what is said of a call is so.

use super::super::port::End;
use super::{Call, Found, Kind, broken, is_direct};
use backlot_core::page::TabId;
use backlot_sim::{Field, Reach};

pub(super) fn success(call: &Call<'_>) -> Found {
    if call.result.is_error {
        return None;
    }
    let Some(aimed) = call.aimed else { return arrival(call) };
    let fired =
        |kind: &str| call.hits.iter().any(|hit| hit.is_within(aimed.node) && hit.kind == kind);
    let host = call.world.editing_host(aimed.node);
    let any = call.hits.iter().any(|hit| hit.is_within(aimed.node) || hit.node == host);
    let is_verified = call.result.text.contains("effect: verified");
    let lie = |why: &str| broken(Kind::FalseSuccess, why);
    let found = match call.tool {
        "click" | "click_trusted" if !any => lie("a click is reported and no event came"),
        "click" if call.args["doubleClick"] == true && !fired("dblclick") => {
            lie("a double click is reported and it was none")
        }
        "click" if call.text("button") == "right" && !fired("contextmenu") => {
            lie("a click of the other button is reported and it was none")
        }
        "type" if call.args["submit"] == true && !fired("keydown") => {
            lie("a submission is reported and no key came")
        }
        "type" if is_verified && !any && !call.text("text").is_empty() => {
            lie("typing is verified and no event came")
        }
        "type" if is_verified && call.args["submit"] != true => typed(call),
        "select_option" if is_verified => selected(call),
        _ => None,
    };
    found.or_else(|| rest(call))
}

fn typed(call: &Call<'_>) -> Found {
    let (wanted, held) = (call.text("text"), call.seen.watched.as_ref()?);
    let before = call.seen.before.as_ref().filter(|_| call.seen.fallen == 0);
    let holds = match (call.text("mode"), before) {
        // What the page makes of a secret afterwards is not to be seen, but that it is empty.
        _ if held.is_secret => !held.value.is_empty() || wanted.is_empty(),
        ("append", Some(before)) => held.value == format!("{}{wanted}", before.value),
        ("append", None) => held.value.ends_with(wanted),
        _ => held.value == wanted,
    };
    let why = || format!("{wanted:?} is verified and the field holds {:?}", held.value);
    if holds { None } else { broken(Kind::FalseSuccess, why()) }
}

fn selected(call: &Call<'_>) -> Found {
    let held = call.seen.watched.as_ref()?;
    let wanted = call.args["values"].as_array()?.iter().filter_map(|value| value.as_str());
    let mut places: Vec<u32> = wanted.filter_map(|wanted| option(held, wanted)).collect();
    places.sort_unstable();
    places.dedup();
    if held.selected == places {
        return None;
    }
    let why = format!("{} is verified and {:?} is selected", call.args["values"], held.selected);
    broken(Kind::FalseSuccess, why)
}

/// The option with this value, else the one with this label.
fn option(held: &Field, wanted: &str) -> Option<u32> {
    let by_value = held.options.iter().position(|(value, _)| value == wanted);
    let place = by_value.or_else(|| held.options.iter().position(|(_, label)| label == wanted));
    place.and_then(|place| u32::try_from(place).ok())
}

/// A page that is said to be loaded is there, and a page that rests is said to.
fn arrival(call: &Call<'_>) -> Found {
    let tab = call.args["tabId"].as_u64().and_then(|tab| u32::try_from(tab).ok());
    let is_leaving = tab.is_none_or(|tab| call.world.is_leaving(TabId(tab)));
    let is_quiet = !call.disturbed && call.seen.fallen == 0 && !is_leaving;
    if is_quiet && call.result.text.contains("had not come to rest") {
        return broken(Kind::FalseSuccess, "a page at rest is said not to be");
    }
    None
}

/// A page that is about to be another one is not shown as what a write led to.
fn rest(call: &Call<'_>) -> Found {
    let named = TabId(u32::try_from(call.args["tabId"].as_u64()?).ok()?);
    let opened =
        call.result.text.split_once("tab_created: [tabId=").and_then(|(_, rest)| {
            rest.split(']').next().and_then(|tab| tab.parse().ok()).map(TabId)
        });
    let is_told = call.result.text.contains("had not come to rest");
    let shown = opened.unwrap_or(named);
    if call.seen.fallen == 0 && call.world.is_leaving(shown) && !is_told {
        return broken(
            Kind::FalseSuccess,
            "the page is said to have come to rest and loads another",
        );
    }
    None
}

pub(super) fn effect(call: &Call<'_>) -> Found {
    if !call.result.is_error {
        return None;
    }
    let effect = call.result.details["effect"].as_str().unwrap_or_default();
    let fired = call.hits.iter().any(is_direct);
    if effect == "none" && fired {
        let why =
            format!("no effect is reported and the page was written to: {}", call.result.text);
        return broken(Kind::FalseSuccess, why);
    }
    let is_unknown = call.seen.writes.iter().any(|write| write.end == End::Unknown);
    if is_unknown && (effect != "unknown" || call.result.details["retry"] != "never") {
        return broken(
            Kind::FalseSuccess,
            "what a lost write did is unknown, and that is not said",
        );
    }
    None
}

/// Nothing happened to the page, a person could use the target, and the call failed for the target.
pub(super) fn needless(call: &Call<'_>) -> Found {
    let aimed = call.aimed.filter(|_| call.result.is_error && !call.disturbed)?;
    if aimed.is_stale {
        return None;
    }
    let code = call.code();
    let is_of_target = matches!(
        code,
        "stale_ref"
            | "occluded"
            | "detached"
            | "disabled"
            | "inert"
            | "outside_viewport"
            | "no_pointer_events"
            | "not_stable"
            | "not_visible"
            | "target_changed"
    );
    let tab = call.args["tabId"].as_u64().and_then(|tab| u32::try_from(tab).ok())?;
    let reach = call.world.reach(TabId(tab), aimed.node);
    if is_of_target && reach == Reach::Free && !call.result.text.contains("the option is disabled")
    {
        return broken(Kind::FalseSuccess, format!("the target is free and the call said {code}"));
    }
    None
}
