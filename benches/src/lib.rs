//! Pages to measure with: deterministic, of about so many elements, in the mix of an ordinary application page.

use backlot_core::gatekeeper::{Policy, PolicyState};
use backlot_core::page::{Capture, CaptureSpec, TabId};
use backlot_core::port::{Host, Op, Port, Reply};
use backlot_core::surface::Surface;
use backlot_core::surface::catalog::{Catalog, ToolCall};
use backlot_core::tool::Level;
use backlot_sim::{Response, SimHost, SimPort, World};
use std::fmt::Write;

/// Where the page of a [`stage`] is.
pub const URL: &str = "http://bench.test/";

const WORDS: &[&str] = &[
    "order", "invoice", "customer", "region", "status", "pending", "draft", "report", "export",
    "filter",
];

/// HTML of a page of about `elements` elements: rows, forms, cards and prose in turn.
pub fn page(elements: usize) -> String {
    let mut body = String::from(
        "<header><nav aria-label=Main><ul><li><a href=/a>Home</a></li></ul></nav></header><main>",
    );
    let mut count = 6;
    let mut turn = 0;
    while count < elements {
        let word = |n: usize| WORDS[(turn * 7 + n) % WORDS.len()];
        match turn % 4 {
            0 => {
                body.push_str(&format!("<table><caption>{} {turn}</caption>", word(0)));
                for row in 0..5 {
                    body.push_str(&format!(
                        "<tr><td><a href=/o/{turn}/{row}>{} {row}</a></td><td>{}</td><td><button>Edit {}</button></td></tr>",
                        word(row), word(row + 1), word(row + 2)
                    ));
                }
                body.push_str("</table>");
                count += 32;
            }
            1 => {
                body.push_str(&format!(
                    "<form aria-label='{} {turn}'><label for=e{turn}>{}</label><input id=e{turn} value=x><label><input \
                     type=checkbox checked> {}</label><select aria-label=Kind><option>{}<option selected>{}</select>\
                     <button>Save</button></form>",
                    word(0), word(1), word(2), word(3), word(4)
                ));
                count += 9;
            }
            2 => {
                body.push_str(&format!(
                    "<div class=card onclick=f()><h3>{} {turn}</h3><p>{}</p><div role=button tabindex=0>{}</div></div>",
                    word(0), [word(1); 12].join(" "), word(2)
                ));
                count += 4;
            }
            _ => {
                body.push_str(&format!(
                    "<article><h2>{} {turn}</h2><p>{} <a href=/p>{}</a> <em>{}</em>.</p></article>",
                    word(0),
                    [word(1); 25].join(" "),
                    word(2),
                    word(3)
                ));
                count += 5;
            }
        }
        turn += 1;
    }
    format!(
        "<!doctype html><title>Bench</title><style>.card{{cursor:pointer;border:1px solid}}</style>{body}</main>"
    )
}

/// A page of about so many nodes: sections with headings, links, lists, tables, and forms with labels and references.
pub fn mixed(nodes: usize) -> String {
    let mut html = String::from("<!doctype html><title>t</title><main>");
    // One section has 72 nodes.
    for at in 0..nodes.div_ceil(72) {
        write!(
            html,
            "<section aria-labelledby=h{at}><h2 id=h{at}>Part {at}</h2>\
             <p>Some words, <a href=\"/{at}\">a link <b>bold</b></a> and more.</p>\
             <ul><li>one</li><li><button title=more>Go {at}</button></li><li><img alt=\"pic\" src=x></li></ul>\
             <form><label for=i{at}>Name</label><input id=i{at} aria-describedby=d{at} required>\
             <span id=d{at}>as in your passport</span><label><input type=checkbox> agree</label>\
             <select aria-label=Kind><option>a<option selected>b</select><textarea placeholder=notes></textarea></form>\
             <table><tr><th>a<th>b</tr><tr><td>{at}<td><div role=button tabindex=0 aria-expanded=false>x</div></tr></table>\
             <details><summary>Show</summary><p hidden>hidden</p></details>\
             <div aria-hidden=true><span>icon</span></div></section>"
        )
        .expect("a string takes all");
    }
    html
}

/// A world that shows a page, and a client of the catalog on it.
pub fn stage(html: &str) -> (World, Catalog<SimPort, SimHost>) {
    let world = World::new(1);
    world.serve(URL, Response::html(html));
    let policy = PolicyState::new(Policy::Auto);
    let catalog = Catalog::new(world.port(), world.host(), policy, &[Level::L0, Level::L1]);
    let call = ToolCall { name: "navigate".into(), arguments: serde_json::json!({ "url": URL }) };
    let result = world.block_on(catalog.call(&call));
    assert!(!result.is_error, "{}", result.text);
    (world, catalog)
}

/// The capture of a page.
pub fn capture(html: &str, spec: CaptureSpec) -> Capture {
    let (world, _catalog) = stage(html);
    let deadline = world.host().now().plus(10_000);
    let op = Op::Capture { tab: TabId(1), spec };
    match world.block_on(world.port().call(op, deadline)) {
        Ok(Reply::Capture(capture)) => capture,
        other => panic!("no capture: {other:?}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_has_about_as_many_elements_as_asked() {
        for elements in [100, 1_000] {
            let capture = capture(&page(elements), CaptureSpec::TEXT);
            let count = capture
                .top()
                .nodes
                .iter()
                .filter(|node| matches!(node.data, backlot_core::page::NodeData::Element(_)));
            let count = count.count();
            assert!(count.abs_diff(elements) < elements / 5, "{count} for {elements}");
        }
    }
}
