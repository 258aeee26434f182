//! The descriptor: everything that is said about a tool, said once.

use super::class::{Category, Effects, Level, Provenance, Recovery};

/// A tool.
#[derive(Debug, Clone, Copy)]
pub struct Descriptor {
    /// Name that the agent calls.
    pub name: &'static str,
    /// What it does, for the agent.
    pub description: &'static str,
    /// Layer.
    pub level: Level,
    /// Whether it writes.
    pub effects: Effects,
    /// Which kind of write; `None` for reads.
    pub category: Option<Category>,
    /// What may be done after a restart.
    pub recovery: Recovery,
    /// Who makes the content of its results.
    pub provenance: Provenance,
    /// Its parameters, in the order in which they are shown.
    pub params: &'static [Param],
}

impl Descriptor {
    /// A tool that reads pages, still without a name: what most tools are, but for what they say.
    pub const READ: Self = Self {
        name: "",
        description: "",
        level: Level::L1,
        effects: Effects::Read,
        category: None,
        recovery: Recovery::RetrySafe,
        provenance: Provenance::Page,
        params: &[],
    };
}

/// A parameter.
#[derive(Debug, Clone, Copy)]
pub struct Param {
    /// Name.
    pub name: &'static str,
    /// What it means, for the agent.
    pub description: &'static str,
    /// It must be given.
    pub is_required: bool,
    /// What it may be.
    pub kind: ParamKind,
}

impl Param {
    /// One that must be given.
    pub const fn required(name: &'static str, kind: ParamKind, description: &'static str) -> Self {
        Self { name, description, is_required: true, kind }
    }

    /// One that may be left out.
    pub const fn optional(name: &'static str, kind: ParamKind, description: &'static str) -> Self {
        Self { name, description, is_required: false, kind }
    }
}

/// What a parameter may be.
#[derive(Debug, Clone, Copy)]
pub enum ParamKind {
    /// A string of at least so many characters.
    Text {
        /// Least characters.
        chars_min: usize,
    },
    /// An absolute URL.
    Url,
    /// An integer within these bounds.
    Integer {
        /// Least.
        min: i64,
        /// Most.
        max: i64,
    },
    /// A number of at least this.
    Number {
        /// Least.
        min: f64,
    },
    /// `true` or `false`.
    Bool,
    /// One of these words.
    Word(&'static [&'static str]),
    /// A list of strings, not empty.
    Texts,
    /// An object, checked further by the tool itself.
    Object,
    /// A list of objects, not empty, likewise.
    Objects,
    /// The first of these that fits.
    AnyOf(&'static [ParamKind]),
}

impl Descriptor {
    /// The parameter of this name.
    pub fn param(&self, name: &str) -> Option<&'static Param> {
        self.params.iter().find(|param| param.name == name)
    }
}
