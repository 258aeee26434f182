//! `extract`: a page or a part of it as Markdown, in pieces whose places hold still.

use super::engine::Engine;
use super::failure::{Failure, Phase};
use super::limits;
use super::report::Parts;
use crate::aria;
use crate::page::{CaptureSpec, DocumentKey, TabId};
use crate::port::{Host, Millis, Port};
use crate::refs::StaleReason;
use crate::text::{header_piece, markdown, url_piece};
use alloc::{borrow::ToOwned, format, string::String};

/// The text of the last extract of a tab: later pieces are cut from it, whatever the page does meanwhile.
#[derive(Debug)]
pub(super) struct Extract {
    document: DocumentKey,
    elem_ref: Option<String>,
    url: String,
    title: String,
    text: String,
    /// The page had more than [`limits::EXTRACT_CHARS_MAX`].
    is_cut: bool,
}

impl<P: Port, H: Host> Engine<P, H> {
    /// A piece of the tab's text as Markdown, from this character on. From 0 the page is read anew; other pieces are of the text
    /// that was read then, as long as the tab shows the same document.
    pub(crate) async fn extract(
        &self,
        tab: TabId,
        elem_ref: Option<&str>,
        from: usize,
        deadline: Millis,
    ) -> Result<Parts, Failure> {
        if from > 0 && self.is_kept(tab, elem_ref, deadline).await? {
            let state = self.state.borrow();
            if let Some(extract) = state.extracts.get(&tab) {
                return extract.piece(from);
            }
        }
        let extract = self.read_markdown(tab, elem_ref, deadline).await?;
        let mut piece = extract.piece(from)?;
        if from > 0 {
            piece
                .said
                .push("the text was read anew: places of earlier pieces may have moved".into());
        }
        self.state.borrow_mut().extracts.insert(tab, extract);
        Ok(piece)
    }

    /// The kept text is of this scope and of the document that the tab shows now.
    async fn is_kept(
        &self,
        tab: TabId,
        elem_ref: Option<&str>,
        deadline: Millis,
    ) -> Result<bool, Failure> {
        let kept = |kept: &Extract| (kept.elem_ref.as_deref() == elem_ref).then_some(kept.document);
        let kept = self.state.borrow().extracts.get(&tab).and_then(kept);
        let Some(document) = kept else { return Ok(false) };
        let spec = CaptureSpec { styles: false, nodes_max: 1, ..CaptureSpec::TEXT };
        let capture = self.capture(tab, spec, deadline).await;
        let capture = capture.map_err(|error| Failure::driver(Phase::Read, &error))?;
        Ok(capture.top().document == document)
    }

    async fn read_markdown(
        &self,
        tab: TabId,
        elem_ref: Option<&str>,
        deadline: Millis,
    ) -> Result<Extract, Failure> {
        let scope = match elem_ref {
            Some(elem_ref) => Some(self.find_ref(tab, elem_ref, deadline).await?),
            None => None,
        };
        let capture = self.capture(tab, CaptureSpec::TEXT, deadline).await;
        let capture = capture.map_err(|error| Failure::driver(Phase::Read, &error))?;
        let views = aria::frames(&capture);
        let (frame, start) = match scope {
            None => (0, None),
            Some(key) => match capture.find(key) {
                Some((frame, at)) => (frame, Some(at)),
                None => {
                    return Err(Failure::stale(StaleReason::Removed));
                }
            },
        };
        let found = markdown(&capture, &views, frame, start, limits::EXTRACT_CHARS_MAX);
        let top = capture.top();
        Ok(Extract {
            document: top.document,
            elem_ref: elem_ref.map(ToOwned::to_owned),
            url: top.url.clone(),
            title: top.title.clone(),
            text: found.text,
            is_cut: found.is_cut,
        })
    }
}

impl Extract {
    fn piece(&self, from: usize) -> Result<Parts, Failure> {
        let total = self.text.chars().count();
        if from > total {
            return Err(Failure::arguments(format!(
                "Invalid parameters for extract: fromChar: the text has {total} characters"
            )));
        }
        let piece: String =
            self.text.chars().skip(from).take(limits::EXTRACT_PIECE_CHARS).collect();
        let next = from + piece.chars().count();
        let mut page = format!(
            "# {}\nURL: {}\n\n{}",
            header_piece(&self.title, 500),
            url_piece(&self.url),
            if self.text.is_empty() { "(no text)" } else { &piece },
        );
        if next < total {
            page.push_str(&format!(
                "\n[omitted: {} characters; extract with fromChar {next} shows what follows]",
                total - next
            ));
        } else if self.is_cut {
            page.push_str(&format!(
                "\n[omitted: all beyond {} characters; extract with the scope of a part shows it]",
                limits::EXTRACT_CHARS_MAX
            ));
        }
        let details =
            serde_json::json!({ "fromChar": from, "nextChar": next, "totalChars": total });
        Ok(Parts { page, url: self.url.clone(), details, ..Parts::default() })
    }
}
