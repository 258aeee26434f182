//! Differences that somebody looked at and explained.

use crate::command::CommandError;
use crate::pattern::matches;
use serde::Deserialize;
use std::fs;
use std::path::Path;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct AcceptedFile {
    #[serde(default)]
    accepted: Vec<Entry>,
}

/// One explanation. A field that is not given says nothing; `*` stands for any characters.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    page: String,
    kind: Option<String>,
    /// Our role word, before anything hides the element.
    role: Option<String>,
    ours: Option<String>,
    theirs: Option<String>,
    reason: String,
    #[serde(skip)]
    used: bool,
}

/// What an explanation may speak of.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Difference<'a> {
    pub(crate) page: &'a str,
    pub(crate) kind: &'a str,
    pub(crate) role: &'a str,
    pub(crate) ours: &'a str,
    pub(crate) theirs: &'a str,
}

/// The explanations of one file.
#[derive(Debug, Default)]
pub(crate) struct Accepted {
    entries: Vec<Entry>,
}

impl Accepted {
    /// Reads a file; none explains nothing.
    pub(crate) fn read(file: Option<&Path>) -> Result<Self, CommandError> {
        let Some(file) = file else { return Ok(Self::default()) };
        let text = fs::read_to_string(file).map_err(|error| CommandError::file(file, error))?;
        Self::parse(&text).map_err(|error| CommandError::file(file, error))
    }

    fn parse(text: &str) -> Result<Self, String> {
        let read: AcceptedFile = toml::from_str(text).map_err(|error| error.to_string())?;
        match read.accepted.iter().find(|entry| entry.reason.trim().is_empty()) {
            Some(bare) => Err(format!("{} is accepted without a reason", bare.page)),
            None => Ok(Self { entries: read.accepted }),
        }
    }

    /// The reason of the first entry that explains a difference.
    pub(crate) fn take(&mut self, difference: &Difference<'_>) -> Option<String> {
        let entry = self.entries.iter_mut().find(|entry| entry.explains(difference))?;
        entry.used = true;
        Some(entry.reason.clone())
    }

    /// Entries that explained nothing so far.
    pub(crate) fn unused(&self) -> Vec<String> {
        let unused = self.entries.iter().filter(|entry| !entry.used);
        unused
            .map(|entry| {
                let kind = entry.kind.as_deref().unwrap_or("a difference");
                format!("{kind} on {} is accepted ({}) and did not occur", entry.page, entry.reason)
            })
            .collect()
    }
}

impl Entry {
    fn explains(&self, difference: &Difference<'_>) -> bool {
        let fits = |pattern: &Option<String>, text| {
            pattern.as_deref().is_none_or(|pattern| matches(pattern, text))
        };
        matches(&self.page, difference.page)
            && fits(&self.kind, difference.kind)
            && fits(&self.role, difference.role)
            && fits(&self.ours, difference.ours)
            && fits(&self.theirs, difference.theirs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAME: Difference<'_> =
        Difference { page: "a/b.html", kind: "name", role: "row", ours: "One", theirs: "" };

    #[test]
    fn an_entry_explains_what_it_names_and_is_used() {
        let text = "[[accepted]]\npage = \"a/*\"\nkind = \"name\"\ntheirs = \"\"\nreason = \"so\"";
        let mut accepted = Accepted::parse(text).unwrap();
        assert_eq!(accepted.take(&Difference { theirs: "x", ..NAME }), None);
        assert_eq!(accepted.take(&Difference { kind: "role", ..NAME }), None);
        assert_eq!(accepted.unused().len(), 1);
        assert_eq!(accepted.take(&NAME).as_deref(), Some("so"));
        assert!(accepted.unused().is_empty());
    }

    #[test]
    fn a_reason_is_needed_and_unknown_fields_are_not_taken() {
        assert!(Accepted::parse("[[accepted]]\npage = \"a\"\nreason = \" \"").is_err());
        assert!(Accepted::parse("[[accepted]]\npage = \"a\"\nreason = \"r\"\nmore = 1").is_err());
    }
}
