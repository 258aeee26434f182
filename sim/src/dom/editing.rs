//! Editing hosts (`contenteditable`): their content as one text with a place for each character.

use super::{Attr, Data, Dom, ElementData, Live};
use backlot_core::page::NodeId;
use html5ever::{LocalName, QualName, ns};
use std::rc::Rc;

/// Where a character of a host's text comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Spot {
    /// A text node's character at this place.
    Text(NodeId, usize),
    /// A line break.
    Break(NodeId),
    /// A block that begins a new line.
    Block(NodeId),
}

/// Elements that begin a line of their own.
const BLOCKS: &[&str] = &[
    "address",
    "article",
    "aside",
    "blockquote",
    "dd",
    "div",
    "dl",
    "dt",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "li",
    "ol",
    "p",
    "pre",
    "section",
    "ul",
];

impl Dom {
    /// The editing host around a node: the outermost editable element of an unbroken chain.
    pub(crate) fn editing_host(&self, id: NodeId) -> Option<NodeId> {
        let mut host = None;
        for at in std::iter::successors(Some(id), |at| self.parent(*at)) {
            match self.attr(at, "contenteditable").map(str::to_ascii_lowercase).as_deref() {
                Some("" | "true" | "plaintext-only") => host = Some(at),
                Some("false") => break,
                _ => {}
            }
        }
        host
    }

    /// The characters of a host, in order.
    pub(crate) fn spots(&self, host: NodeId) -> Vec<(char, Spot)> {
        let mut spots: Vec<(char, Spot)> = Vec::new();
        for at in self.subtree(host).skip(1) {
            if let Some(text) = self.text(at) {
                spots.extend((0..).zip(text.chars()).map(|(i, c)| (c, Spot::Text(at, i))));
            } else if self.is_html(at, "br") {
                // The last one of a block only holds its line open.
                if self.next_sibling(at).is_some_and(|next| !self.is_block(next)) {
                    spots.push(('\n', Spot::Break(at)));
                }
            } else if self.is_block(at) && self.prev_sibling(at).is_some() {
                spots.push(('\n', Spot::Block(at)));
            }
        }
        spots
    }

    fn is_block(&self, id: NodeId) -> bool {
        BLOCKS.contains(&self.html_tag(id))
    }

    /// Puts text behind so many characters of a host.
    pub(crate) fn insert_in_host(&mut self, host: NodeId, place: usize, text: &str) {
        self.revision += 1;
        let spots = self.spots(host);
        let before = place.checked_sub(1).and_then(|at| spots.get(at)).map(|(_, spot)| *spot);
        match (before, spots.get(place).map(|(_, spot)| *spot)) {
            (Some(Spot::Text(node, at)), _) => self.splice(node, at + 1, 0, text),
            (_, Some(Spot::Text(node, at))) => self.splice(node, at, 0, text),
            (Some(Spot::Break(node)), _) => {
                let new = self.create(Data::Text(text.into()));
                match self.next_sibling(node) {
                    Some(next) => self.insert_before(next, new),
                    None => self.append_after(node, new),
                }
            }
            (Some(Spot::Block(block)), _) => self.fill_block(block, text),
            (None, _) => self.fill_block(host, text),
        }
        self.balance_between(host, place, place + text.chars().count());
    }

    /// Balances the spaces at both ends of a stretch.
    fn balance_between(&mut self, host: NodeId, from: usize, to: usize) {
        let spots = self.spots(host);
        for at in
            [from.checked_sub(1), Some(from), to.checked_sub(1), Some(to)].into_iter().flatten()
        {
            if let Some((_, Spot::Text(node, at))) = spots.get(at).copied() {
                self.balance(host, node, at);
            }
        }
    }

    /// Text into a block that holds none, in place of what holds its line open.
    fn fill_block(&mut self, block: NodeId, text: &str) {
        let first = self.first_child(block);
        if let Some(first) = first.filter(|first| self.is_html(*first, "br")) {
            self.detach(first);
        }
        let new = self.create(Data::Text(text.into()));
        match self.first_child(block) {
            Some(first) => self.insert_before(first, new),
            None => self.append(block, new),
        }
    }

    /// Takes characters out of a host.
    pub(crate) fn delete_in_host(&mut self, host: NodeId, from: usize, to: usize) {
        self.revision += 1;
        let spots = self.spots(host);
        for (_, spot) in spots.get(from..to).unwrap_or_default().iter().rev() {
            match *spot {
                Spot::Text(node, at) => self.splice(node, at, 1, ""),
                Spot::Break(node) => self.detach(node),
                Spot::Block(node) => self.join(host, node),
            }
        }
        self.balance_between(host, from, from);
    }

    /// The content of a block becomes the end of what stands before it.
    fn join(&mut self, host: NodeId, block: NodeId) {
        let before = self.prev_sibling(block);
        let into = before.filter(|before| self.is_block(*before));
        while let Some(child) = self.first_child(block) {
            self.detach(child);
            match into {
                Some(into) => self.append(into, child),
                None => self.insert_before(block, child),
            }
        }
        if block != host {
            self.detach(block);
        }
    }

    /// A new paragraph (or line break) behind so many characters of a host.
    pub(crate) fn break_in_host(&mut self, host: NodeId, place: usize, paragraph: bool) {
        self.revision += 1;
        let after = self.split_at(host, place);
        if !paragraph {
            let line_break = self.create_html("br", &[]);
            match after {
                Ok(next) => self.insert_before(next, line_break),
                Err(block) => {
                    self.append(block, line_break);
                    let open = self.create_html("br", &[]);
                    self.append(block, open);
                }
            }
            return;
        }
        let block = match after {
            Ok(next) => self.parent(next).unwrap_or(host),
            Err(block) => block,
        };
        let tag = if block == host { "div".into() } else { self.html_tag(block).to_string() };
        let new = self.create_html(&tag, &[]);
        let mut moving = after.ok();
        if block == host {
            let rest = self.children(host).skip_while(|at| Some(*at) != moving);
            let next = rest.filter(|_| moving.is_some()).find(|at| self.is_block(*at));
            match next {
                Some(next) => self.insert_before(next, new),
                None => self.append(host, new),
            }
        } else {
            self.append_after(block, new);
        }
        while let Some(at) = moving.filter(|at| *at != new && !self.is_block(*at)) {
            moving = self.next_sibling(at);
            self.detach(at);
            self.append(new, at);
        }
        for block in [block, new] {
            if self.first_child(block).is_none() {
                let open = self.create_html("br", &[]);
                self.append(block, open);
            }
        }
    }

    /// Splits the text at a place: what comes next there, or the block that ends there.
    fn split_at(&mut self, host: NodeId, place: usize) -> Result<NodeId, NodeId> {
        let spots = self.spots(host);
        let before = place.checked_sub(1).and_then(|at| spots.get(at)).map(|(_, spot)| *spot);
        let next_of = |dom: &Self, node: NodeId| {
            let block = dom.parent(node).unwrap_or(host);
            dom.next_sibling(node).filter(|next| !dom.is_block(*next)).ok_or(block)
        };
        match before {
            Some(Spot::Text(node, at)) => {
                let text: Vec<char> = self.text(node).unwrap_or_default().chars().collect();
                if at + 1 == text.len() {
                    return next_of(self, node);
                }
                let rest: String = text[at + 1..].iter().collect();
                self.splice(node, at + 1, text.len(), "");
                let new = self.create(Data::Text(rest));
                self.append_after(node, new);
                Ok(new)
            }
            Some(Spot::Break(node)) => next_of(self, node),
            Some(Spot::Block(block)) => self.first_child(block).ok_or(block),
            None => self.first_child(host).ok_or(host),
        }
    }

    fn append_after(&mut self, node: NodeId, new: NodeId) {
        match (self.next_sibling(node), self.parent(node)) {
            (Some(next), _) => self.insert_before(next, new),
            (None, Some(parent)) => self.append(parent, new),
            (None, None) => {}
        }
    }

    fn splice(&mut self, node: NodeId, at: usize, taken: usize, text: &str) {
        let Some(old) = self.text(node) else { return };
        let before: String = old.chars().take(at).collect();
        let after: String = old.chars().skip(at + taken).collect();
        let new = format!("{before}{text}{after}");
        if new.is_empty() {
            self.detach(node);
        } else {
            self.set_text(node, &new);
        }
    }

    /// Spaces that would collapse become no-break ones, and come back where they need not be: around one place of a text.
    fn balance(&mut self, host: NodeId, node: NodeId, at: usize) {
        let Some(text) = self.text(node) else { return };
        let mut text: Vec<char> = text.chars().collect();
        let is_space = |c: &char| matches!(c, ' ' | '\u{a0}');
        if !text.get(at).is_some_and(is_space) {
            return;
        }
        let start = text[..at].iter().rposition(|c| !is_space(c)).map_or(0, |found| found + 1);
        let end =
            text[at..].iter().position(|c| !is_space(c)).map_or(text.len(), |found| at + found);
        let spots = self.spots(host);
        let here = spots.iter().position(|(_, spot)| *spot == Spot::Text(node, start));
        let Some(here) = here else { return };
        let is_edge = |place: Option<usize>| {
            place.and_then(|at| spots.get(at)).is_none_or(|(c, _)| *c == '\n')
        };
        let (opens, closes) = (is_edge(here.checked_sub(1)), is_edge(Some(here + end - start)));
        // From the end: a plain space stands before a word, and no two of them beside each other.
        let mut before_space = false;
        for (i, c) in text[start..end].iter_mut().enumerate().rev() {
            let hard = before_space || (i == 0 && opens) || (i + 1 == end - start && closes);
            *c = if hard { '\u{a0}' } else { ' ' };
            before_space = !hard;
        }
        let text: String = text.into_iter().collect();
        self.set_text(node, &text);
    }

    /// An element without a parent.
    pub(crate) fn create_html(&mut self, tag: &str, attrs: &[(&str, &str)]) -> NodeId {
        let name = QualName::new(None, ns!(html), LocalName::from(tag));
        let attrs =
            attrs.iter().map(|(name, value)| Attr { name: (*name).into(), value: (*value).into() });
        self.create(Data::Element(Box::new(ElementData {
            name: Rc::new(name),
            attrs: attrs.collect(),
            shadow: None,
            contents: None,
            parsed_form: None,
            live: Live::default(),
            scroll: (0.0, 0.0),
        })))
    }
}

#[cfg(test)]
mod tests {
    use super::super::parse_document;
    use super::*;

    fn host(html: &str) -> (Dom, NodeId) {
        let dom = parse_document(&format!("<body><div contenteditable>{html}</div>"), true, false);
        let host = dom.subtree(Dom::DOCUMENT).find(|id| dom.has_attr(*id, "contenteditable"));
        (dom, host.expect("it was written above"))
    }

    fn html(dom: &Dom, host: NodeId) -> String {
        dom.html(host, &|_| false)
    }

    #[test]
    fn text_goes_where_the_caret_is() {
        let (mut dom, at) = host("a<b>b</b><div>c</div>");
        dom.insert_in_host(at, 2, "X");
        dom.insert_in_host(at, 0, "Y");
        assert_eq!(html(&dom, at), "Ya<b>bX</b><div>c</div>");
        dom.insert_in_host(at, 6, "Z");
        assert_eq!(html(&dom, at), "Ya<b>bX</b><div>cZ</div>");
    }

    #[test]
    fn paragraphs_split_and_join() {
        let (mut dom, at) = host("one two");
        dom.break_in_host(at, 3, true);
        assert_eq!(html(&dom, at), "one<div> two</div>");
        dom.break_in_host(at, 8, true);
        assert_eq!(html(&dom, at), "one<div> two</div><div><br></div>");
        dom.insert_in_host(at, 9, "z");
        assert_eq!(html(&dom, at), "one<div> two</div><div>z</div>");
        dom.delete_in_host(at, 3, 4);
        assert_eq!(html(&dom, at), "one two<div>z</div>");
    }

    #[test]
    fn spaces_that_would_collapse_are_hard() {
        let (mut dom, at) = host("two");
        dom.insert_in_host(at, 3, " ");
        assert_eq!(html(&dom, at), "two&nbsp;");
        dom.insert_in_host(at, 4, "w");
        dom.insert_in_host(at, 5, " ");
        assert_eq!(dom.text_content(at), "two w\u{a0}");
        dom.delete_in_host(at, 4, 6);
        assert_eq!(html(&dom, at), "two&nbsp;");
    }
}
