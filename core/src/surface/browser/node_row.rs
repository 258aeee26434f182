//! One element's line in each of the three forms.

use super::rows::{NAME_CHARS_MAX, Row, Scope, TEXT_CHARS_MAX, indent, is_interactive};
use super::yaml;
use crate::aria::{Invalid, States, Tristate};
use crate::page::FieldValue;
use crate::snapshot::{Gap, Line, LineKind, State};
use crate::text::{quoted, quoted_value, url_piece};
use alloc::{format, string::String, vec, vec::Vec};

/// An element's line.
pub(super) struct Node<'a> {
    pub(super) scope: &'a Scope<'a>,
    pub(super) line: &'a Line,
    pub(super) depth: u32,
    pub(super) role: &'a str,
    pub(super) name: &'a str,
    pub(super) states: &'a [State],
    pub(super) number: Option<u32>,
}

impl Node<'_> {
    fn row(&self, text: String) -> Row {
        let interactive = self.number.is_some() && is_interactive(self.line);
        Row { number: self.number, interactive, ..Row::plain(text) }
    }

    fn known(&self) -> States {
        self.scope.views[self.line.at.0 as usize].states(self.line.at.1)
    }

    pub(super) fn points(&self) -> bool {
        let element = self.scope.element(self.line);
        element.and_then(|element| element.style.known()).is_some_and(|style| style.cursor_pointer)
    }

    /// Its lines in the ai and role forms; how many of the lines after it they say already.
    pub(super) fn tree(
        &self,
        after: &[(u32, &Line)],
        points: bool,
        twin: Option<u32>,
        out: &mut Vec<Row>,
    ) -> usize {
        let flags = self.flags();
        let elem_ref = self.number.map(|number| format!(" [ref=e{number}]")).unwrap_or_default();
        let mut key = self.role.into();
        if !self.name.is_empty() {
            key = format!("{key} {}", quoted(self.name, NAME_CHARS_MAX));
        }
        let key = match twin {
            // Only the role form counts twins, and it has the ref first.
            Some(twin) => {
                let nth = if twin > 0 { format!(" [nth={twin}]") } else { String::new() };
                format!("{key}{elem_ref}{nth}{flags}")
            }
            None if points => format!("{key}{flags}{elem_ref} [cursor=pointer]"),
            None => format!("{key}{flags}{elem_ref}"),
        };
        let below = indent(self.depth + 1);
        let has_properties = twin.is_none() && self.number.is_some();
        let properties: Vec<String> = if has_properties { self.properties() } else { Vec::new() };
        // Whether there is one, and whether it is the only one.
        let inner = after.iter().take_while(|(depth, _)| *depth > self.depth).take(2);
        let inner: Vec<&Line> = inner.map(|(_, line)| *line).collect();
        let value = self.value().filter(|_| inner.is_empty() || self.role != "combobox");
        let (only_text, said) = match (inner.as_slice(), &value) {
            ([line], None) => match &line.kind {
                LineKind::Text(text) => (Some(text.clone()), 1),
                LineKind::Node { .. } => (None, 0),
            },
            ([], Some(value)) => (Some(value.clone()), 0),
            _ => (None, 0),
        };
        let (head, key) = (indent(self.depth), yaml::key(key));
        if let Some(text) = only_text.filter(|_| properties.is_empty()) {
            let text = yaml::value(&text, TEXT_CHARS_MAX);
            out.push(self.row(format!("{head}- {key}: {text}")));
            return said;
        }
        let has_more = !inner.is_empty() || !properties.is_empty() || value.is_some();
        out.push(self.row(format!("{head}- {key}{}", if has_more { ":" } else { "" })));
        out.extend(
            properties.into_iter().map(|property| Row::plain(format!("{below}- {property}"))),
        );
        if let Some(value) = value {
            let value = yaml::value(&value, TEXT_CHARS_MAX);
            out.push(Row::plain(format!("{below}- text: {value}")));
        }
        0
    }

    fn properties(&self) -> Vec<String> {
        let Some(element) = self.scope.element(self.line) else { return vec![] };
        let url = element.attr("href").filter(|_| self.role == "link");
        let hint = element.attr("placeholder").filter(|hint| *hint != self.name);
        let hint = hint.filter(|_| matches!(element.tag.as_str(), "input" | "textarea"));
        let piece = |name: &str, value: &str| format!("/{name}: {}", yaml::value(value, 500));
        let url = url.map(|url| piece("url", &url_piece(url)));
        url.into_iter().chain(hint.map(|hint| piece("placeholder", hint))).collect()
    }

    /// The live value of a field that is no secret.
    fn value(&self) -> Option<String> {
        self.states.iter().find_map(|state| match state {
            State::Value(value) => Some(value.clone()),
            _ => None,
        })
    }

    /// Flags in the order of the grammar.
    fn flags(&self) -> String {
        let known = self.known();
        let mut flags: Vec<String> = Vec::new();
        let mut push = |flag: &str| flags.push(flag.into());
        match known.checked {
            Some(Tristate::True) => push("checked"),
            Some(Tristate::Mixed) => push("checked=mixed"),
            Some(Tristate::False) | None => {}
        }
        if known.disabled {
            push("disabled");
        }
        if known.expanded == Some(true) {
            push("expanded");
        }
        // The focused element of a document within: the frame's own focus is on the frame element.
        if known.focused && !matches!(self.role, "iframe" | "form") {
            push("active");
        }
        match known.invalid {
            Some(Invalid::Grammar) => push("invalid=grammar"),
            Some(Invalid::Spelling) => push("invalid=spelling"),
            Some(Invalid::Other) => push("invalid"),
            None => {}
        }
        if let Some(level) = known.level.filter(|_| self.role == "heading") {
            push(&format!("level={level}"));
        }
        match known.pressed {
            Some(Tristate::True) => push("pressed"),
            Some(Tristate::Mixed) => push("pressed=mixed"),
            Some(Tristate::False) | None => {}
        }
        if known.selected == Some(true) {
            push("selected");
        }
        if let Some(word) = self.secret() {
            push(word);
        }
        for state in self.states {
            match state {
                State::Gap(Gap::CrossOrigin) => push("cross-origin, not read"),
                State::Gap(Gap::TooDeep) => push("nested too deep, not read"),
                State::Gap(Gap::Torn) => push("kept changing, not read"),
                _ => {}
            }
        }
        flags.iter().map(|flag| format!(" [{flag}]")).collect()
    }

    /// Of a secret field: only whether it holds something.
    fn secret(&self) -> Option<&'static str> {
        match self.scope.element(self.line)?.control.as_ref()?.value {
            FieldValue::Secret { filled: true } => Some("filled"),
            FieldValue::Secret { filled: false } => Some("empty"),
            FieldValue::Text(_) | FieldValue::None => None,
        }
    }

    /// One JSON object.
    pub(super) fn aria(&self) -> Row {
        let name = quoted(self.name, NAME_CHARS_MAX);
        let elem_ref = self.number.map(|number| format!("ax{number}"));
        let mut text = String::from("{");
        if let Some(elem_ref) = &elem_ref {
            text.push_str(&format!("\"ref\":\"{elem_ref}\","));
        }
        text.push_str(&format!("\"role\":\"{}\",\"name\":{name}", self.role));
        let mut search = format!("- {} {name}", self.role);
        if let Some(elem_ref) = &elem_ref {
            search.push_str(&format!(" [ref={elem_ref}]"));
        }
        let value = self.value().or_else(|| self.secret().map(|word| format!("({word})")));
        let described = self.scope.views[self.line.at.0 as usize].description(self.line.at.1);
        let described = Some(described).filter(|text| !text.is_empty());
        for (word, value) in [("value", value), ("description", described)] {
            if let Some(value) = value {
                let value = quoted_value(&value, TEXT_CHARS_MAX);
                text.push_str(&format!(",\"{word}\":{value}"));
                search.push_str(&format!(" {word}={value}"));
            }
        }
        text.push_str(&format!(",\"depth\":{}}}", self.depth));
        Row { search: Some(search), ..self.row(text) }
    }
}
