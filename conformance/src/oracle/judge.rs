//! One page: which facts of its nodes differ.

use super::role_words;
use backlot_core::aria::{AriaFrame, Invalid, Role, States, Tristate};
use backlot_core::page::{Capture, NodeData, NodeIdx};
use backlot_driver_cdp::OracleNode;
use std::collections::BTreeMap;

/// What is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    /// The role of an element that the browser tells.
    Role,
    /// Its name.
    Name,
    /// Its description.
    Description,
    /// Whether an element or a text is told.
    Ignored,
    /// A state or value of an element that both tell.
    State(&'static str),
}

impl Kind {
    /// The word for it in accepted files and results.
    pub(crate) fn word(self) -> String {
        match self {
            Self::Role => "role".into(),
            Self::Name => "name".into(),
            Self::Description => "description".into(),
            Self::Ignored => "ignored".into(),
            Self::State(state) => format!("state:{state}"),
        }
    }
}

/// One fact of one node, as both sides tell it.
#[derive(Debug)]
pub(crate) struct Found {
    pub(crate) kind: Kind,
    /// The element, as a person would find it.
    pub(crate) element: String,
    /// Our role word, before anything hides the element; empty for text.
    pub(crate) role: &'static str,
    pub(crate) ours: String,
    pub(crate) theirs: String,
}

impl Found {
    pub(crate) fn agrees(&self) -> bool {
        // Behind "no" stands why.
        self.ours == self.theirs
            || self.kind == Kind::Ignored && self.ours == "no" && self.theirs.starts_with("no")
    }
}

/// All facts of all nodes that both sides know.
pub(crate) fn judge(capture: &Capture, tree: &[OracleNode]) -> Vec<Found> {
    let frames: Vec<AriaFrame<'_>> = capture.frames.iter().map(AriaFrame::new).collect();
    let mut found = Vec::new();
    for node in tree {
        let aria = &frames[node.frame];
        match &capture.frames[node.frame].node(node.node).data {
            NodeData::Element(_) => element(capture, aria, node, &mut found),
            NodeData::Text(text) if !text.trim().is_empty() => {
                text_node(capture, aria, node, &mut found);
            }
            NodeData::Text(_) | NodeData::ShadowRoot(_) => {}
        }
    }
    found
}

fn element(capture: &Capture, aria: &AriaFrame<'_>, node: &OracleNode, found: &mut Vec<Found>) {
    let at = node.node;
    let their_role = if node.ignored { "" } else { role_words::ours(&node.role) };
    // Ours are separate facts: hidden to all, and taking no input. Chromium leaves out both.
    let told = aria.hidden(at).is_shown() && !aria.is_inert(at);
    let our_role = if told { aria.role(at) } else { Role::NoRole };
    let role = aria.role(at).as_str();
    let our_word = if our_role.is_transparent() { "" } else { our_role.as_str() };
    let element = path(capture, node.frame, at);
    let mut add = |kind, ours: &str, theirs: &str| {
        let (ours, theirs) = (ours.to_owned(), theirs.to_owned());
        found.push(Found { kind, element: element.clone(), role, ours, theirs });
    };
    let theirs = if their_role.is_empty() { untold(node) } else { "yes".into() };
    add(Kind::Ignored, if our_word.is_empty() { "no" } else { "yes" }, &theirs);
    if node.ignored {
        return;
    }
    add(Kind::Role, our_word, their_role);
    if our_role == Role::Document && capture.frames[node.frame].node(at).parent.is_none() {
        // The browser names it by the document's title, which is the frame's.
        return;
    }
    let name = if told { aria.name(at).text } else { String::new() };
    add(Kind::Name, &name, &folded(&node.name));
    if our_word.is_empty() || their_role.is_empty() {
        return;
    }
    // What repeats the name describes nothing.
    let described = folded(&node.description);
    let described = if described == name { "" } else { &described };
    add(Kind::Description, &aria.description(at), described);
    for (state, ours, theirs) in states(&aria.states(at), our_role, &node.properties) {
        add(Kind::State(state), &ours, &theirs);
    }
}

/// A text is told by itself, but for what an element has in place of content: its value, its label, its title.
fn text_node(capture: &Capture, aria: &AriaFrame<'_>, node: &OracleNode, found: &mut Vec<Found>) {
    let at = node.node;
    let frame = &capture.frames[node.frame];
    let mut around = frame.node(at).parent;
    while let Some(parent) = around {
        let of_element = frame.element(parent).is_some_and(|e| {
            matches!(e.tag.as_str(), "textarea" | "option" | "title" | "desc" | "datalist")
        });
        if of_element {
            return;
        }
        around = frame.node(parent).parent;
    }
    found.push(Found {
        kind: Kind::Ignored,
        element: format!("text in {}", path(capture, node.frame, at)),
        role: "",
        ours: if aria.hidden(at).is_shown() && !aria.is_inert(at) { "yes" } else { "no" }.into(),
        theirs: if node.ignored { untold(node) } else { "yes".into() },
    });
}

/// That the browser tells nothing, and why.
fn untold(node: &OracleNode) -> String {
    let word = if node.ignored { "" } else { node.role.as_str() };
    let reasons: Vec<&str> = node.reasons.iter().map(String::as_str).collect();
    format!("no ({word}{})", reasons.join(" "))
}

/// States as both sides tell them: name, ours, theirs. A state that is off and one that is not there are the same.
fn states(
    ours: &States,
    role: Role,
    theirs: &BTreeMap<String, String>,
) -> Vec<(&'static str, String, String)> {
    let tristate = |state: Option<Tristate>| match state {
        Some(Tristate::True) => "true",
        Some(Tristate::Mixed) => "mixed",
        Some(Tristate::False) | None => "false",
    };
    let flag = |state: bool| if state { "true" } else { "false" };
    let optional = |state: Option<bool>| match state {
        Some(true) => "true",
        Some(false) => "false",
        None => "",
    };
    let invalid = match ours.invalid {
        Some(Invalid::Grammar) => "grammar",
        Some(Invalid::Spelling) => "spelling",
        Some(Invalid::Other) => "true",
        None => "false",
    };
    let level = ours.level.map(|level| level.to_string()).unwrap_or_default();
    let pairs = [
        ("checked", tristate(ours.checked), "false"),
        ("pressed", tristate(ours.pressed), "false"),
        ("selected", flag(ours.selected == Some(true)), "false"),
        ("expanded", optional(ours.expanded), ""),
        ("disabled", flag(ours.disabled), "false"),
        ("required", flag(ours.required), "false"),
        ("invalid", invalid, "false"),
        ("autocomplete", ours.autocomplete.unwrap_or_default(), ""),
        ("readonly", flag(ours.readonly), "false"),
        ("busy", flag(ours.busy), "false"),
        ("modal", flag(ours.modal), "false"),
        ("multiselectable", flag(ours.multiselectable), "false"),
        ("level", level.as_str(), ""),
    ];
    pairs
        .into_iter()
        // The browser gives numbers to what it counts itself; ours are those of the standard.
        .filter(|(name, ..)| *name != "level" || role == Role::Heading)
        .map(|(name, ours, off)| {
            let theirs = theirs.get(name).map_or(off, String::as_str);
            (name, ours.to_owned(), if theirs.is_empty() { off } else { theirs }.to_owned())
        })
        .collect()
}

/// The element and a few around it.
fn path(capture: &Capture, frame: usize, at: NodeIdx) -> String {
    let frame = &capture.frames[frame];
    let mut parts = Vec::new();
    let mut next = Some(at);
    while let Some(at) = next.filter(|_| parts.len() < 4) {
        next = frame.node(at).parent;
        let Some(element) = frame.element(at) else { continue };
        let mut part = element.tag.clone();
        for (name, mark) in [("id", "#"), ("class", "."), ("type", ":"), ("role", "@")] {
            if let Some(value) = element.attr(name).and_then(|v| v.split_ascii_whitespace().next())
            {
                part.push_str(mark);
                part.push_str(value);
            }
        }
        parts.push(part);
    }
    parts.reverse();
    parts.join(" > ")
}

fn folded(text: &str) -> String {
    text.split_ascii_whitespace().collect::<Vec<_>>().join(" ")
}
