//! One page: which facts of its nodes differ.

use super::role_words;
use backlot_core::aria::{AriaFrame, Hidden, Role, States, Tristate};
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
    pub(crate) ours: String,
    pub(crate) theirs: String,
}

impl Found {
    pub(crate) fn agrees(&self) -> bool {
        self.ours == self.theirs
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
    let our_role = match aria.hidden(at) {
        Hidden::Shown => aria.role(at),
        Hidden::NodeHidden | Hidden::SubtreeHidden(_) => Role::NoRole,
    };
    let our_word = if our_role.is_transparent() { "" } else { our_role.as_str() };
    let element = path(capture, node.frame, at);
    let mut add = |kind, ours: &str, theirs: &str| {
        let (ours, theirs) = (ours.to_owned(), theirs.to_owned());
        found.push(Found { kind, element: element.clone(), ours, theirs });
    };
    let told = |word: &str| if word.is_empty() { "no" } else { "yes" };
    add(Kind::Ignored, told(our_word), told(their_role));
    if node.ignored {
        return;
    }
    add(Kind::Role, our_word, their_role);
    let hidden = !aria.hidden(at).is_shown();
    let name = if hidden { String::new() } else { aria.name(at).text };
    add(Kind::Name, &name, &folded(&node.name));
    if our_word.is_empty() || their_role.is_empty() {
        return;
    }
    add(Kind::Description, &aria.description(at), &folded(&node.description));
    for (state, ours, theirs) in states(&aria.states(at), our_role, &node.properties) {
        add(Kind::State(state), &ours, &theirs);
    }
}

/// A text is told where its element is, or where nothing of it is.
fn text_node(capture: &Capture, aria: &AriaFrame<'_>, node: &OracleNode, found: &mut Vec<Found>) {
    let at = node.node;
    let told = |shown: bool| if shown { "yes" } else { "no" }.to_owned();
    found.push(Found {
        kind: Kind::Ignored,
        element: format!("text in {}", path(capture, node.frame, at)),
        ours: told(aria.hidden(at).is_shown()),
        theirs: told(!node.ignored),
    });
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
    let level = ours.level.map(|level| level.to_string()).unwrap_or_default();
    let pairs = [
        ("checked", tristate(ours.checked), "false"),
        ("pressed", tristate(ours.pressed), "false"),
        ("selected", flag(ours.selected == Some(true)), "false"),
        ("expanded", optional(ours.expanded), ""),
        ("disabled", flag(ours.disabled), "false"),
        ("required", flag(ours.required), "false"),
        ("invalid", flag(ours.invalid), "false"),
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
