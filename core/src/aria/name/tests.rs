//! Names, one test a rule.

use super::{NAME_BYTES_MAX, NameSource};
use crate::aria::AriaFrame;
use crate::page::outline;

fn check(text: &str, expected: &str, source: NameSource) {
    let frame = outline::frame(text).unwrap();
    let at = outline::find(&frame, "x").unwrap();
    let name = AriaFrame::new(&frame).name(at);
    assert_eq!((name.text.as_str(), name.source), (expected, source), "{text}");
}

#[test]
fn labelledby_joins_without_a_second_hop() {
    use NameSource::LabelledBy;
    check("p#x [aria-labelledby=\"a nowhere b\"]\ni#a \"A\"\ni#b \"B\"", "A B", LabelledBy);
    let hop = "p#x [aria-labelledby=a]\ni#a [aria-labelledby=b] \"A\"\ni#b \"B\"";
    check(hop, "A", LabelledBy);
    check("p#x [aria-labelledby=\"a a\"]\ni#a \"A\"", "A A", LabelledBy);
    check("p#x [aria-labelledby=a]\ni#a [title=T]", "T", LabelledBy);
    check("p#x [aria-labelledby=\"x b\"] [aria-label=S]\ni#b \"B\"", "S B", LabelledBy);
    check("input#x [aria-labelledby=x] [aria-label=S] (value=v)", "S", LabelledBy);
}

#[test]
fn a_hidden_reference_counts_with_all_that_is_hidden_in_it() {
    let text = "p#x [aria-labelledby=a]\ndiv#a {none}\n  div {none} \"in\"\n  i [aria-hidden=true] \"too\"";
    check(text, "in too", NameSource::LabelledBy);
    let text = "p#x [aria-labelledby=a]\ndiv#a {block}\n  i {none} \"in\"\n  b {inline} \"out\"";
    check(text, "out", NameSource::LabelledBy);
}

#[test]
fn cycles_end() {
    let text = "p#x [aria-labelledby=y]\np#y [aria-labelledby=x] \"Y\"";
    check(text, "Y", NameSource::LabelledBy);
    let text = "button#x [aria-owns=y]\n  i \"A\"\nbutton#y [aria-owns=x] \"B\"";
    check(text, "A B", NameSource::Content);
    let text = "button#x \"A\"\n  i [aria-labelledby=x]";
    check(text, "A", NameSource::Content);
}

#[test]
fn what_a_part_referred_to_counts_once() {
    let text = "h1#x\n  a [href=a] [aria-labelledby=i] \"no\"\n  a [href=b]\n    img#i [alt=image]\n    \" two\"";
    check(text, "image two", NameSource::Content);
}

#[test]
fn labels_name_their_controls_in_tree_order() {
    use NameSource::HostLabel;
    check(
        "label [for=x] \"A\"\nlabel\n  \"B \"\n  input#x (value=v)\n  \" C\"",
        "A B C",
        HostLabel,
    );
    check("label\n  input\n  input#x [title=T]\n  \"L\"", "T", NameSource::Title);
    check("label\n  \"A\"\n  label\n    \"B\"\n    input#x", "A B", HostLabel);
    check("label [for=x] {none} \"A\"\ninput#x", "A", HostLabel);
    check("label [for=x] \"A\"\ninput#x [role=none] [disabled]", "", NameSource::None);
}

#[test]
fn embedded_controls_stand_for_their_values() {
    let label = |inner: &str| {
        alloc::format!("input#x [type=checkbox]\nlabel [for=x]\n  \"a \"\n{inner}\n  \" b\"")
    };
    let check = |inner: &str, expected| check(&label(inner), expected, NameSource::HostLabel);
    check("  input (value=\"v w\")", "a v w b");
    check("  textarea (value=t) \"old\"", "a t b");
    check("  select\n    option \"one\"\n    option (selected) \"two\"", "a two b");
    check("  select\n    option \"one\"\n    option \"two\"", "a one b");
    check("  select [size=2]\n    option \"one\"\n    option \"two\"", "a b");
    check("  span [role=slider] [aria-valuenow=3] [aria-valuetext=three]", "a three b");
    check("  span [role=textbox] [aria-label=no] \"t\"", "a t b");
    check(
        "  ul [role=listbox]\n    li [role=option] \"1\"\n    li [role=option] [aria-selected=true] \"2\"",
        "a 2 b",
    );
    check("  span [role=menu]\n    span [role=menuitem] \"m\"", "a b");
}

#[test]
fn secrets_stay_out_of_names() {
    let text = "button#x \"a \"\n  input [type=password] (secret) [aria-label=no]";
    check(text, "a", NameSource::Content);
    check("button#x \"a \"\n  input [value=hunter2] (secret)", "a", NameSource::Content);
    // A driver that filled in no live state must not make the attribute leak either.
    check("button#x \"a \"\n  input [type=password] [value=hunter2]", "a", NameSource::Content);
    check("button#x \"a \"\n  input [autocomplete=cc-number] [value=4]", "a", NameSource::Content);
}

#[test]
fn blocks_and_breaks_part_words_and_inline_boxes_do_not() {
    use NameSource::Content;
    check("button#x\n  i {inline} \"a\"\n  i {inline} \"b\"", "ab", Content);
    check("button#x\n  i {block} \"a\"\n  i {inline} \"b\"", "a b", Content);
    check("button#x\n  i {inline-block} \"a\"\n  i {inline} \"b\"", "a b", Content);
    check("button#x\n  i {cell} \"a\"\n  i {cell} \"b\"", "a b", Content);
    check("button#x\n  \"a\"\n  br\n  \"b\"", "a b", Content);
    check("button#x\n  div \"a\"\n  div \"b\"", "a b", Content);
    check("button#x\n  \"a\"\n  img [alt=i]\n  \"b\"", "a i b", Content);
    check("button#x\n  \"a\"\n  img [alt]\n  \"b\"", "ab", Content);
    check("button#x\n  \"a\"\n  i [aria-label=l]\n  \"b\"", "a l b", Content);
    check("button#x\n  \"a\"\n  i [role=img] [title=t]\n  \"b\"", "a t b", Content);
    check("h1#x\n  \"a\"\n  i [role=button] \"k\"\n  \"b\"", "a k b", Content);
    check("h1#x\n  \"a\"\n  a [href=l] \"l\"\n  \"b\"", "alb", Content);
    check("h1#x\n  \"a\"\n  div {block}\n  \"b\"", "a b", Content);
}

#[test]
fn hidden_content_is_left_out_and_visible_parts_of_invisible_stay() {
    use NameSource::Content;
    check("button#x \"a\"\n  i {none} \"b\"\n  i [aria-hidden=true] \"c\"", "a", Content);
    let text =
        "h1#x \"a \"\n  i {inline hidden} [aria-label=n] (before=p) \"b\"\n    i {inline} \"c\"";
    check(text, "a c", Content);
}

#[test]
fn pseudo_elements_surround_the_content() {
    check("a#x [href=a] (before=b) (after=\" a\") \"x\"", "bx a", NameSource::Content);
    check("a#x [href=a] (before-block=b) \"x\"", "b x", NameSource::Content);
}

#[test]
fn owned_elements_come_last_and_only_once() {
    use NameSource::Content;
    check("button#x [aria-owns=o]\n  i#o \"1\"\n  i \"2 \"", "2 1", Content);
    check("button#x [aria-owns=o] \"2 \"\ndiv [aria-hidden=true]\n  i#o \"1\"", "2 1", Content);
    check("button#x [aria-owns=o] \"2 \"\ni#o [aria-hidden=true] \"1\"", "2", Content);
    check("h1#x\n  i [aria-owns=o] {none}\n  b#o \"1\"", "1", Content);
}

#[test]
fn a_branch_is_no_part_of_the_name_of_its_tree_item() {
    let text = "div [role=tree]\n  div#x [role=treeitem] \"a\"\n    div [role=group]\n      div [role=treeitem] \"b\"";
    check(text, "a", NameSource::Content);
}

#[test]
fn host_language_labels() {
    use NameSource::HostLabel;
    check("fieldset#x\n  legend \"L\"\n  legend \"no\"", "L", HostLabel);
    check("table#x\n  caption \"C\"", "C", HostLabel);
    check("figure#x\n  img [alt=i]\n  figcaption \"F\"", "", NameSource::None);
    check("input#x [type=submit] [title=t]", "Submit", HostLabel);
    check("table#x [summary=s]", "s", HostLabel);
    check("a#x [href=a]\n  fieldset\n    legend \"L\"\n    \"no\"", "L", NameSource::Content);
    check("img#x [role=none] [alt=a]", "", NameSource::None);
    check("img#x [alt=a] [title=t]", "a", HostLabel);
    check("img#x [alt] [title=t]", "", NameSource::None);
    check("input#x [type=submit]", "Submit", HostLabel);
    check("input#x [type=reset] [value=Clear]", "Clear", HostLabel);
    check("input#x [type=image] [alt=Go]", "Go", HostLabel);
    check("optgroup#x [label=G]", "G", HostLabel);
    check("svg\n  g#x\n    title \"T\"", "T", HostLabel);
    check("svg\n  a#x [href=a] [xlink:title=T]", "T", HostLabel);
}

#[test]
fn tooltip_and_placeholder_come_last() {
    check("button#x [title=t] \"c\"", "c", NameSource::Content);
    check("button#x [title=t]", "t", NameSource::Title);
    check("input#x [title=t] [placeholder=p]", "t", NameSource::Title);
    check("input#x [placeholder=p]", "p", NameSource::Placeholder);
    check("button#x\n  i [role=img] [title=t]", "t", NameSource::Content);
    check("button#x\n  i [title=t]", "", NameSource::None);
    check("div#x [title=t]", "", NameSource::None);
    check("iframe#x [title=t]", "t", NameSource::Title);
    check("input#x [type=checkbox] [placeholder=p]", "", NameSource::None);
}

#[test]
fn shadow_trees_and_slots_are_in_their_places() {
    let text = "button#x\n  x-card\n    :shadow\n      \"a \"\n      slot [aria-label=no]\n      \" c\"\n    \"b\"";
    check(text, "a b c", NameSource::Content);
    let text = "button#x\n  x-card\n    :shadow\n      slot\n        \"fallback\"";
    check(text, "fallback", NameSource::Content);
}

#[test]
fn long_and_deep_content_is_cut_not_lost() {
    let mut text = alloc::string::String::from("button#x\n");
    for depth in 1..=1_000 {
        text.push_str(&" ".repeat(depth));
        text.push_str("b\n");
    }
    text.push_str(&" ".repeat(1_001));
    text.push_str("\"deep\"");
    check(&text, "deep", NameSource::Content);
    let long = "y".repeat(2 * NAME_BYTES_MAX);
    let text = alloc::format!("button#x \"{long}\"");
    check(&text, &long[..NAME_BYTES_MAX], NameSource::Content);
}
