//! The sink against a plain reference tree.

use super::{Data, Dom, parse_document};
use html5ever::ParseOpts;
use html5ever::tendril::TendrilSink;
use html5ever::tree_builder::TreeBuilderOpts;
use markup5ever_rcdom::{Handle, NodeData, RcDom};
use proptest::prelude::{Strategy, any, prop, proptest};

fn ours(html: &str) -> String {
    let dom = parse_document(html, true, false);
    let mut text = String::new();
    let mut open: Vec<(backlot_core::page::NodeId, usize)> = vec![(Dom::DOCUMENT, 0)];
    while let Some((id, depth)) = open.pop() {
        let what = match dom.data(id) {
            Data::Document => "#document".into(),
            Data::Doctype => "#doctype".into(),
            Data::Comment => "#comment".into(),
            Data::Text(text) => format!("{text:?}"),
            Data::Fragment | Data::ShadowRoot { .. } => "#fragment".into(),
            Data::Element(element) => {
                let attrs: Vec<String> = element
                    .attrs
                    .iter()
                    .map(|attr| format!("{}={:?}", attr.name, attr.value))
                    .collect();
                format!("{} {} {}", element.name.ns, element.tag(), attrs.join(" "))
            }
        };
        text.push_str(&format!("{depth} {what}\n"));
        let mut below: Vec<_> = dom.children(id).collect();
        below.extend(dom.element(id).and_then(|element| element.contents));
        open.extend(below.into_iter().rev().map(|id| (id, depth + 1)));
    }
    text
}

fn reference(html: &str) -> String {
    let tree_builder = TreeBuilderOpts { scripting_enabled: true, ..TreeBuilderOpts::default() };
    let opts = ParseOpts { tree_builder, ..ParseOpts::default() };
    let dom = html5ever::parse_document(RcDom::default(), opts).one(html);
    let mut text = String::new();
    let mut open: Vec<(Handle, usize)> = vec![(dom.document.clone(), 0)];
    while let Some((node, depth)) = open.pop() {
        let mut below = node.children.borrow().clone();
        let what = match &node.data {
            NodeData::Document if depth == 0 => "#document".into(),
            NodeData::Document => "#fragment".into(),
            NodeData::Doctype { .. } => "#doctype".into(),
            NodeData::Comment { .. } | NodeData::ProcessingInstruction { .. } => "#comment".into(),
            NodeData::Text { contents } => format!("{:?}", &**contents.borrow()),
            NodeData::Element { name, attrs, template_contents, .. } => {
                below.extend(template_contents.borrow().clone());
                let attrs = attrs.borrow();
                let attrs: Vec<String> = attrs
                    .iter()
                    .map(|attr| match &attr.name.prefix {
                        Some(prefix) => format!("{prefix}:{}={:?}", attr.name.local, &*attr.value),
                        None => format!("{}={:?}", attr.name.local, &*attr.value),
                    })
                    .collect();
                format!("{} {} {}", name.ns, name.local, attrs.join(" "))
            }
        };
        text.push_str(&format!("{depth} {what}\n"));
        open.extend(below.into_iter().rev().map(|node| (node, depth + 1)));
    }
    text
}

fn markup() -> impl Strategy<Value = String> {
    let tags = "a|b|p|div|table|tr|td|form|input|select|option|template|svg|foreignObject|math|mi|li|button|nobr|title|script|noscript|br|caption|frameset|body|html|head";
    let piece = format!(
        "(<({tags})( (id|class|xlink:href|x)=[\"']?[a-z<]{{0,3}}[\"']?)?/?>|</({tags})>|[a-z ]{{1,4}}|<!--x-->|<!doctype html>|&amp;|\u{0}|<)"
    );
    let one = prop::string::string_regex(&piece).expect("the pattern above is one");
    prop::collection::vec(one, 0..40).prop_map(|parts| parts.concat())
}

proptest! {
    #[test]
    fn our_tree_is_the_reference_tree(html in markup()) {
        assert_eq!(ours(&html), reference(&html));
    }
}

#[test]
fn foster_parents_templates_and_foreign_content_stand_where_they_should() {
    for html in [
        "<table>x<tr><td>y</table>",
        "<template><p>a</template><svg><a xlink:href=b>c</a></svg>",
        "<b><p>1</b>2</p><form><div></form><input></div>",
        "<select><option>a<option>b</select><frameset><frame>",
    ] {
        assert_eq!(ours(html), reference(html), "{html}");
    }
}

/// Markup with declarative shadow roots: the reference keeps their templates, so what ours holds is compared with what the
/// same template holds there.
fn shadow_markup() -> impl Strategy<Value = String> {
    let host = prop::sample::select(vec![
        "div", "p", "span", "x-y", "button", "input", "template", "section",
    ]);
    let mode = prop::sample::select(vec!["open", "closed", "OPEN", "none", ""]);
    (prop::collection::vec((host, mode, markup(), any::<bool>()), 0..4)).prop_map(|roots| {
        let parts = roots.into_iter().map(|(host, mode, inside, twice)| {
            let root = format!("<template shadowrootmode='{mode}'>{inside}</template>");
            let second = if twice { root.as_str() } else { "" };
            format!("<{host}>{root}{second}light</{host}>")
        });
        parts.collect()
    })
}

proptest! {
    #[test]
    fn shadow_roots_stand_at_hosts_that_can_have_one(html in shadow_markup()) {
        let dom = parse_document(&html, true, false);
        let mut text = 0;
        for id in dom.composed() {
            text += usize::from(dom.text(id).is_some());
            let Some(root) = dom.shadow_of(id) else { continue };
            let tag = dom.html_tag(id);
            assert!(!matches!(tag, "button" | "input" | "template" | ""), "{tag} is a host in {html}");
            assert!(dom.shadow_mode(root).is_some());
            assert!(dom.parent(root).is_none() && dom.root_of(root) == root);
            // Each light child is assigned to one slot at most, and that slot says so too.
            for child in dom.children(id) {
                if let Some(slot) = dom.assigned_slot(child) {
                    assert_eq!(dom.assigned(slot).iter().filter(|at| **at == child).count(), 1);
                    assert_eq!(dom.flat_parent(child), Some(slot));
                }
            }
        }
        assert!(text <= html.len());
    }
}

#[test]
fn only_the_first_root_of_a_host_counts_and_bad_modes_stay_templates() {
    let dom = parse_document(
        "<div id=a><template shadowrootmode=open>1</template><template shadowrootmode=closed>2</template></div>\
         <div id=b><template shadowrootmode=wide>3</template></div><input id=c><template shadowrootmode=open>4</template>",
        true,
        false,
    );
    let host = |id: &str| dom.by_id(Dom::DOCUMENT, id).expect("it is in the markup");
    let root = dom.shadow_of(host("a")).expect("the first one is a root");
    assert_eq!(dom.text_content(root), "1");
    assert_eq!(dom.children(host("a")).filter(|id| dom.is_html(*id, "template")).count(), 1);
    assert!(dom.shadow_of(host("b")).is_none());
    assert_eq!(dom.children(host("b")).filter(|id| dom.is_html(*id, "template")).count(), 1);
}
