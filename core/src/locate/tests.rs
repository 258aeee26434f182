//! Locators on pages written as outlines.

use super::*;
use crate::aria::AriaFrame;
use crate::page::{Capture, Matches, NodeId, outline};
use crate::refs::StaleReason;
use alloc::{string::ToString, vec};

struct Words;

impl Patterns for Words {
    /// Stands for an engine: a pattern is a word, `i` ignores case, `(` is none.
    fn finds(&self, source: &str, flags: &str, text: &str) -> Result<bool, String> {
        match (source, flags) {
            ("(", _) => Err("unterminated".to_string()),
            (source, "i") => Ok(text.to_lowercase().contains(&source.to_lowercase())),
            (source, _) => Ok(text.contains(source)),
        }
    }
}

const PAGE: &str = "\
body
  h1#title \"Orders\"
  ul#list
    li#one
      \"Apple \"
      b \"red\"
      button#buy1 \"Buy\"
    li#two
      \"Pear\"
      button#buy2 [disabled] \"Buy\"
  label#l [for=q] \"Search\"
  input#q [placeholder=\"Find it\"] (value=\"x\")
  input#send [type=submit] [value=\"Send now\"]
  x-card#card
    :shadow
      p#in [data-testid=deep] \"Inside\"
  x-card#shut
    :shadow-closed
      p#never [data-testid=deep] \"Inside\"
  input#tick [type=checkbox] [aria-label=Tick] (checked)
  img#pic [alt=\"A cat\"] [title=\"Cat\"]";

fn ids(locator: &Locator, css: &[(&str, &[&str])]) -> Result<Vec<String>, LocateError> {
    let mut capture: Capture = outline::capture(PAGE).unwrap();
    let asked = selectors(locator);
    capture.matches = asked
        .iter()
        .map(|selector| match css.iter().find(|(known, _)| known == selector) {
            Some((_, ids)) => {
                let frame = capture.top();
                let of = |id: &&str| frame.node(outline::find(frame, id).unwrap()).id;
                Matches::Nodes(ids.iter().map(of).collect())
            }
            None => Matches::Invalid,
        })
        .collect();
    let aria = AriaFrame::new(capture.top());
    let refs = |elem_ref: &str| match elem_ref {
        "l1" => Ok(capture.top().node(outline::find(capture.top(), "buy1").unwrap()).id),
        "l2" => Ok(NodeId(9_999)),
        _ => Err(StaleReason::Unknown),
    };
    let grounds = Grounds {
        capture: &capture,
        aria: &aria,
        refs: &refs,
        patterns: &Words,
        selectors: &asked,
    };
    let found = find(locator, &grounds)?;
    let id = |at| capture.top().element(at).and_then(|e| e.attr("id")).unwrap_or("?").into();
    Ok(found.into_iter().map(id).collect())
}

fn check(steps: Vec<Step>, wanted: &[&str]) {
    let css: &[(&str, &[&str])] = &[("li", &["two", "one"]), ("button", &["buy1", "buy2"])];
    let locator = Locator { steps };
    assert_eq!(ids(&locator, css).unwrap(), wanted, "{locator:?}");
}

fn part(text: &str) -> TextMatch {
    TextMatch::Part(text.into())
}

fn role(role: &str) -> RoleStep {
    RoleStep { role: role.into(), ..RoleStep::default() }
}

#[test]
fn css_is_scoped_and_ordered() {
    check(vec![Step::Css("li".into())], &["one", "two"]);
    check(vec![Step::Css("li".into()), Step::Css("button".into())], &["buy1", "buy2"]);
    check(vec![Step::Css("li".into()), Step::Nth(-1), Step::Css("button".into())], &["buy2"]);
    check(vec![Step::Css("button".into()), Step::Css("button".into())], &[]);
}

#[test]
fn roles_have_names_and_states() {
    check(vec![Step::Role(role("button"))], &["buy1", "buy2", "send"]);
    let enabled = RoleStep { disabled: Some(false), name: Some(part("buy")), ..role("button") };
    check(vec![Step::Role(enabled)], &["buy1"]);
    let whole = RoleStep { name: Some(TextMatch::Whole("buy".into())), ..role("button") };
    check(vec![Step::Role(whole)], &[]);
    check(vec![Step::Role(RoleStep { level: Some(1), ..role("heading") })], &["title"]);
    check(vec![Step::Role(RoleStep { checked: Some(true), ..role("checkbox") })], &["tick"]);
    check(vec![Step::Role(RoleStep { checked: Some(false), ..role("checkbox") })], &[]);
}

#[test]
fn text_is_that_of_the_smallest_element() {
    check(vec![Step::Text(part("apple"))], &["one"]);
    check(vec![Step::Text(part("red"))], &["?"]);
    check(vec![Step::Text(TextMatch::Whole("Apple redBuy".into()))], &["one"]);
    check(vec![Step::Text(part("send"))], &["send"]);
    check(vec![Step::Text(TextMatch::Pattern { source: "in".into(), flags: "i".into() })], &["in"]);
}

#[test]
fn attributes_and_labels() {
    check(vec![Step::Label(part("search"))], &["q"]);
    check(vec![Step::Label(part("tick"))], &["tick"]);
    check(vec![Step::Placeholder(part("find"))], &["q"]);
    check(vec![Step::AltText(part("cat"))], &["pic"]);
    check(vec![Step::Title(TextMatch::Whole("Cat".into()))], &["pic"]);
    check(vec![Step::TestId(TextMatch::Whole("deep".into()))], &["in"]);
}

#[test]
fn filters_and_sets() {
    let has = Filter { has_text: Some(part("pear")), ..Filter::default() };
    check(vec![Step::Css("li".into()), Step::Filter(has)], &["two"]);
    let inner =
        Locator { steps: vec![Step::Role(RoleStep { disabled: Some(true), ..role("button") })] };
    let without = Filter { has_not: Some(Box::new(inner.clone())), ..Filter::default() };
    check(vec![Step::Css("li".into()), Step::Filter(without)], &["one"]);
    check(vec![Step::Css("button".into()), Step::And(inner.clone())], &["buy2"]);
    check(vec![Step::Css("li".into()), Step::Or(inner)], &["one", "two", "buy2"]);
    check(vec![Step::Css("li".into()), Step::Nth(5)], &[]);
}

#[test]
fn a_ref_is_its_node_or_stale() {
    check(vec![Step::Ref("l1".into())], &["buy1"]);
    let stale = |name: &str| ids(&Locator { steps: vec![Step::Ref(name.into())] }, &[]);
    assert_eq!(stale("l2"), Err(LocateError::Stale(StaleReason::Removed)));
    assert_eq!(stale("l9"), Err(LocateError::Stale(StaleReason::Unknown)));
}

#[test]
fn what_is_wrong_with_a_locator_is_said() {
    let locator = |step| Locator { steps: vec![step] };
    let css = ids(&locator(Step::Css("p[".into())), &[]);
    assert_eq!(css, Err(LocateError::Selector("p[".into())));
    let pattern = TextMatch::Pattern { source: "(".into(), flags: String::new() };
    let text = ids(&locator(Step::Text(pattern)), &[]);
    assert_eq!(text, Err(LocateError::Pattern("(".into(), "unterminated".into())));
}

#[test]
fn a_locator_nested_in_itself_is_asked_once_for_each_place() {
    let page: String = (0..60).map(|depth| alloc::format!("{}div\n", "  ".repeat(depth))).collect();
    let mut capture: Capture = outline::capture(&page).unwrap();
    let css = || Locator { steps: vec![Step::Css("div".to_string())] };
    let mut nested = css();
    for level in 0..20 {
        let inner = Locator { steps: vec![Step::And(nested.clone())] };
        let inner = if level % 2 == 0 {
            nested
        } else {
            Locator { steps: [css().steps, inner.steps].concat() }
        };
        nested = css();
        nested.steps.push(Step::Filter(Filter { has: Some(inner.into()), ..Filter::default() }));
    }
    capture.matches =
        vec![Matches::Nodes(capture.top().nodes.iter().map(|node| node.id).collect())];
    let aria = AriaFrame::new(capture.top());
    let refs = |_: &str| Err(StaleReason::NoSnapshot);
    let selectors = selectors(&nested);
    let grounds = Grounds {
        capture: &capture,
        aria: &aria,
        refs: &refs,
        patterns: &Words,
        selectors: &selectors,
    };
    assert!(find(&nested, &grounds).is_ok_and(|found| !found.is_empty()));
}
