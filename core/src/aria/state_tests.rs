//! States and values, one test a kind.

use super::{AriaFrame, Invalid, States, Tristate};
use crate::page::outline;

fn check(text: &str, expected: impl Fn(&States) -> bool) {
    let frame = outline::frame(text).unwrap();
    let at = outline::find(&frame, "x").unwrap();
    let states = AriaFrame::new(&frame).states(at);
    assert!(expected(&states), "{text}: {states:?}");
}

#[test]
fn a_disabled_fieldset_spares_its_first_legend() {
    check("fieldset [disabled]\n  input#x", |s| s.disabled);
    check("fieldset [disabled]\n  legend\n    input#x", |s| !s.disabled);
    check("fieldset [disabled]\n  legend\n  legend\n    input#x", |s| s.disabled);
    let nested = "fieldset [disabled]\n  fieldset [disabled]\n    legend\n      input#x";
    check(nested, |s| s.disabled);
    check("fieldset [disabled]\n  a#x [href=a]", |s| !s.disabled);
}

#[test]
fn options_are_disabled_with_their_group_and_select() {
    check("select\n  optgroup [disabled]\n    option#x", |s| s.disabled);
    check("select [disabled]\n  option#x", |s| s.disabled);
    check("select\n  option#x", |s| !s.disabled);
    check("div [aria-disabled=true]\n  button#x", |s| s.disabled);
    check("div [aria-disabled=true]\n  p#x", |s| !s.disabled);
    check("div [aria-disabled=true]\n  p#x [tabindex=0]", |s| s.disabled);
    check("div#x [aria-disabled=true]", |s| s.disabled);
}

#[test]
fn checkedness_is_live_and_native_wins() {
    let is = |state| move |s: &States| s.checked == Some(state);
    check("input#x [type=checkbox] (checked) [aria-checked=false]", is(Tristate::True));
    check("input#x [type=checkbox] (checked) (indeterminate)", is(Tristate::Mixed));
    check("input#x [type=checkbox] [checked] (value=on)", is(Tristate::False));
    check("div#x [role=checkbox] [aria-checked=mixed]", is(Tristate::Mixed));
    check("div#x [role=switch] [aria-checked=mixed]", is(Tristate::False));
    check("div#x [aria-checked=true]", |s| s.checked.is_none());
}

#[test]
fn levels_and_current_words() {
    check("h3#x", |s| s.level == Some(3));
    check("h3#x [aria-level=5]", |s| s.level == Some(5));
    check("div#x [role=heading]", |s| s.level == Some(2));
    check("h3#x [aria-level=0]", |s| s.level == Some(3));
    check("a#x [aria-current=page]", |s| s.current.as_deref() == Some("page"));
    check("a#x [aria-current=here]", |s| s.current.as_deref() == Some("true"));
    check("a#x [aria-current=false]", |s| s.current.is_none());
}

#[test]
fn expansion_comes_from_details_or_aria() {
    check("div#x [role=tabpanel] [aria-expanded=true]", |s| s.expanded.is_none());
    check("div#x [role=doc-noteref] [aria-expanded=true]", |s| s.expanded == Some(true));
    check("div [role=menu]\n  a#x [role=menuitemradio] [aria-expanded=false]", |s| {
        s.expanded == Some(false)
    });
    check("details [open]\n  summary#x", |s| s.expanded == Some(true));
    check("details\n  summary#x", |s| s.expanded == Some(false));
    check("button#x [aria-expanded=true]", |s| s.expanded == Some(true));
    check("button#x [aria-expanded=undefined]", |s| s.expanded.is_none());
}

#[test]
fn popups_orientation_and_focus() {
    check("button#x [aria-haspopup=true] (focused)", |s| s.has_popup == Some("menu") && s.focused);
    check("button#x [aria-haspopup=false]", |s| s.has_popup.is_none() && !s.focused);
    check("div#x [role=tablist]", |s| s.horizontal == Some(true));
    check("div#x [role=tablist] [aria-orientation=vertical]", |s| s.horizontal == Some(false));
    check("input#x [role=combobox] [aria-activedescendant=o]\np#o", |s| {
        s.active_descendant == Some(1)
    });
}

#[test]
fn ranges_have_values() {
    check("input#x [type=range] [min=1] [max=9] (value=4)", |s| {
        (s.value_now.as_deref(), s.value_min.as_deref(), s.value_max.as_deref())
            == (Some("4"), Some("1"), Some("9"))
    });
    check("input#x (value=4)", |s| s.value_now.is_none());
    check("progress#x", |s| s.value_max.as_deref() == Some("1"));
    check("div#x [role=slider]", |s| s.value_max.as_deref() == Some("100"));
    check("div#x [role=spinbutton]", |s| s.value_max.is_none());
}

#[test]
fn readonly_is_for_fields_that_are_typed_into() {
    check("input#x [readonly]", |s| s.readonly);
    check("input#x [type=checkbox] [readonly]", |s| !s.readonly);
    check("div#x [role=grid] [aria-readonly=true]", |s| s.readonly);
}

#[test]
fn kinds_of_wrong_values() {
    let is = |kind| move |s: &States| s.invalid == kind;
    check("input#x [aria-invalid=grammar]", is(Some(Invalid::Grammar)));
    check("input#x [aria-invalid=spelling]", is(Some(Invalid::Spelling)));
    check("input#x [aria-invalid=yes]", is(Some(Invalid::Other)));
    check("input#x [aria-invalid=false]", is(None));
    check("input#x [aria-invalid=\"\"]", is(None));
}

#[test]
fn hints_and_secrets_of_fields() {
    check("input#x [autocomplete=\"Shipping  Postal-Code\"]", |s| {
        s.autofill.as_deref() == Some("shipping postal-code") && !s.secret
    });
    check("input#x [autocomplete=off]", |s| s.autofill.is_none());
    check("form#x [autocomplete=email]", |s| s.autofill.is_none());
    check("input#x [aria-autocomplete=list]", |s| s.autocomplete == Some("list"));
    check("input#x [aria-autocomplete=none]", |s| s.autocomplete.is_none());
    check("input#x [type=password]", |s| s.secret);
    check("input#x [autocomplete=\"billing cc-number\"]", |s| s.secret);
    check("input#x (secret)", |s| s.secret);
    check("p#x [autocomplete=cc-number]", |s| !s.secret);
}
