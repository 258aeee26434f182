//! A number that meant one node never comes to mean another.

use super::{Data, Dom, parse_document, parse_fragment_into};
use backlot_core::page::NodeId;
use proptest::prelude::{Strategy, any, prop, proptest};
use std::collections::BTreeMap;

/// What a page script could do to a tree; numbers pick nodes.
#[derive(Debug, Clone)]
enum Change {
    Detach(usize),
    Empty(usize),
    Parse(usize, &'static str),
    Move(usize, usize),
    Attribute(usize),
}

const MARKUP: &[&str] = &[
    "<p>a<b>b</b></p>",
    "<table><tr><td>x</table>",
    "<template><i>in</i></template>text",
    "<div><template shadowrootmode=open><slot></slot></template>s</div>",
    "",
];

fn change() -> impl Strategy<Value = Change> {
    (0..5_usize, any::<usize>(), any::<usize>()).prop_map(|(kind, a, b)| match kind {
        0 => Change::Detach(a),
        1 => Change::Empty(a),
        2 => Change::Parse(a, MARKUP[b % MARKUP.len()]),
        3 => Change::Move(a, b),
        _ => Change::Attribute(a),
    })
}

/// What a node is, for good: its kind, and an element's name.
fn being(dom: &Dom, id: NodeId) -> String {
    match dom.data(id) {
        Data::Element(element) => format!("<{}>", element.tag()),
        Data::Text(_) => "#text".into(),
        Data::ShadowRoot { host, .. } => format!("#shadow of {}", host.0),
        other => format!("{other:?}"),
    }
}

fn apply(dom: &mut Dom, change: &Change) {
    let connected = dom.composed();
    let elements: Vec<NodeId> =
        connected.into_iter().filter(|id| dom.element(*id).is_some()).collect();
    let Some(count) = std::num::NonZeroUsize::new(elements.len()) else { return };
    let pick = |n: usize| elements[n % count];
    match *change {
        Change::Detach(a) => dom.detach(pick(a)),
        Change::Empty(a) => dom.remove_children(pick(a)),
        Change::Parse(a, html) => parse_fragment_into(dom, pick(a), html),
        Change::Move(a, b) => {
            let (node, to) = (pick(a), pick(b));
            if !dom.inclusive_ancestors(to).any(|up| up == node) {
                dom.detach(node);
                dom.append(to, node);
            }
        }
        Change::Attribute(a) => dom.set_attr(pick(a), "id", Some("x")),
    }
}

/// Links agree with each other: every child names its parent and its neighbours.
fn check_links(dom: &Dom) {
    for id in dom.composed() {
        let mut before = None;
        for child in dom.children(id) {
            assert_eq!(dom.parent(child), Some(id));
            assert_eq!(dom.prev_sibling(child), before);
            before = Some(child);
        }
        assert_eq!(dom.last_child(id), before);
    }
}

proptest! {
    #[test]
    fn a_number_means_one_node_for_good(changes in prop::collection::vec(change(), 0..40)) {
        let mut dom = parse_document("<body><ul><li>1<li>2</ul><p>x<span>y</span></p>", true, false);
        let mut known: BTreeMap<NodeId, String> = BTreeMap::new();
        for change in &changes {
            apply(&mut dom, change);
            for at in 0..dom.node_count() {
                let id = NodeId(u32::try_from(at).expect("a small tree"));
                let now = being(&dom, id);
                let first = known.entry(id).or_insert_with(|| now.clone());
                assert_eq!(*first, now, "{id:?} after {change:?}");
            }
            check_links(&dom);
        }
    }
}

#[test]
fn what_is_taken_out_stays_itself_and_is_not_in_the_page() {
    let mut dom = parse_document("<body><p id=a>x</p>", true, false);
    let body = dom.body().expect("a page has one");
    let old = dom.by_id(Dom::DOCUMENT, "a").expect("it is in the markup");
    dom.detach(old);
    parse_fragment_into(&mut dom, body, "<p id=a>x</p>");
    let new = dom.by_id(Dom::DOCUMENT, "a").expect("it was parsed");
    assert_ne!(old, new);
    assert!(!dom.is_connected(old) && dom.is_connected(new));
    assert_eq!(dom.attr(old, "id"), Some("a"));
}
