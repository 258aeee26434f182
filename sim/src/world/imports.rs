//! Sheets that sheets import.

use super::{Page, State};
use crate::style::import;
use backlot_core::page::{NodeId, TabId};
use std::collections::BTreeMap;
use url::Url;

/// Deepest nesting of imports, and most of them in one document's sheet.
const NESTED_MAX: u32 = 5;
const IMPORTS_MAX: u32 = 50;

impl State {
    /// A sheet with those that it imports in their places. `latency`: virtual milliseconds until all are there.
    pub(super) fn with_imports(
        &mut self,
        tab: TabId,
        base: &Url,
        css: &str,
        latency: &mut u64,
    ) -> String {
        let mut left = IMPORTS_MAX;
        self.expand(tab, base, css, (latency, &mut left), 0)
    }

    fn expand(
        &mut self,
        tab: TabId,
        base: &Url,
        css: &str,
        (latency, left): (&mut u64, &mut u32),
        deep: u32,
    ) -> String {
        let (imports, mut text, rest) = import::split(css);
        for import in imports {
            let Ok(url) = base.join(&import.url) else { continue };
            if deep >= NESTED_MAX || *left == 0 {
                break;
            }
            *left -= 1;
            let Ok(fetched) = self.fetch(tab, &url, "stylesheet", None) else { continue };
            let is_css = fetched.response.content_type.starts_with("text/css");
            if fetched.response.status < 400 && is_css {
                *latency = (*latency).max(fetched.latency_ms);
                let inner = String::from_utf8_lossy(&fetched.response.body).into_owned();
                let inner = self.expand(tab, &fetched.url, &inner, (latency, left), deep + 1);
                text.push_str(&import.wrap(&inner));
            }
        }
        text.push_str(rest);
        text
    }

    /// Expands the imports of a document's own `style` elements.
    pub(super) fn load_imports(
        &mut self,
        page: &Page,
        base: &Url,
        linked: &mut BTreeMap<NodeId, String>,
        latency: &mut u64,
    ) {
        for id in page.dom.composed() {
            if page.dom.html_tag(id) == "style" {
                let css = page.dom.child_text(id);
                if css.contains("@import") {
                    linked.insert(id, self.with_imports(page.tab, base, &css, latency));
                }
            }
        }
    }
}
