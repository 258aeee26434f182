//! Pictures: only their sizes count.

use super::cookies::Jar;
use super::network::Fetched;
use super::{Page, State};
use crate::dom::InputKind;
use crate::picture;
use url::Url;

/// Most pictures of a document that are looked at.
const PICTURES_MAX: usize = 2_000;

impl State {
    /// What a URL answers, without a trace: no cookies, no log, no chance.
    fn look_up(&self, url: &Url) -> Option<Fetched> {
        let chance = &mut super::Numbers::new(0);
        self.network.fetch(url, None, &mut Jar::default(), (self.now, chance)).ok()
    }

    /// Reads the sizes of a document's pictures.
    ///
    /// SIM DIFFERENCE: the pictures of a document are there at once and not in the log of requests; those that are added to it
    /// later have no size.
    pub(super) fn load_pictures(&self, page: &mut Page, base: &Url) {
        let mut pictures = Vec::new();
        let dom = &page.dom;
        let shown = |id: &_| match dom.html_tag(*id) {
            "img" => true,
            "input" => dom.input_kind(*id) == Some(InputKind::Image),
            _ => false,
        };
        for id in dom.composed().into_iter().filter(shown).take(PICTURES_MAX) {
            let first = dom.attr(id, "srcset").and_then(|set| set.split_whitespace().next());
            let Some(src) = dom.attr(id, "src").filter(|src| !src.trim().is_empty()).or(first)
            else {
                continue;
            };
            let size = if src.trim().starts_with("data:") {
                picture::data_url_size(src)
            } else {
                let fetched = base.join(src.trim()).ok().and_then(|url| self.look_up(&url));
                fetched
                    .filter(|fetched| fetched.response.status < 400)
                    .and_then(|fetched| picture::size(&fetched.response.body))
            };
            pictures.extend(size.map(|size| (id, size)));
        }
        for (id, size) in pictures {
            if let Some(element) = page.dom.element_mut(id) {
                element.live.picture = Some(size);
            }
        }
    }
}
