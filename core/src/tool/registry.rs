//! The one registry: tools by name, in the order in which they were added.

use super::class::Effects;
use super::descriptor::Descriptor;
use alloc::string::{String, ToString};
use indexmap::IndexMap;

/// Tools by name.
#[derive(Debug, Clone, Default)]
pub struct Registry {
    tools: IndexMap<&'static str, Descriptor, Hasher>,
}

/// The registry's order is that of insertion; the hash only finds names that are ours, so a fixed one is safe.
type Hasher = core::hash::BuildHasherDefault<Fnv>;

/// FNV-1a, 64 bit.
#[derive(Debug, Clone)]
pub(super) struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl core::hash::Hasher for Fnv {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
}

/// A descriptor that the registry does not take.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RegistryError {
    /// The name stands already.
    #[error("a tool named {0} is registered already")]
    Duplicate(String),
    /// Something is missing or contradicts.
    #[error("the descriptor of {0} is not complete: {1}")]
    Incomplete(String, &'static str),
}

impl Registry {
    /// Adds tools: all of them or, if one does not fit, none.
    ///
    /// # Errors
    /// A name stands already, or a descriptor is not complete.
    pub fn add(&mut self, tools: &[Descriptor]) -> Result<(), RegistryError> {
        let mut next = self.tools.clone();
        for tool in tools {
            complete(tool)
                .map_err(|what| RegistryError::Incomplete(tool.name.to_string(), what))?;
            if next.insert(tool.name, *tool).is_some() {
                return Err(RegistryError::Duplicate(tool.name.to_string()));
            }
        }
        self.tools = next;
        Ok(())
    }

    /// The tool of this name.
    pub fn get(&self, name: &str) -> Option<&Descriptor> {
        self.tools.get(name)
    }

    /// All tools in order.
    pub fn iter(&self) -> impl Iterator<Item = &Descriptor> {
        self.tools.values()
    }
}

fn complete(tool: &Descriptor) -> Result<(), &'static str> {
    if tool.name.is_empty() || tool.name.chars().any(|c| c.is_whitespace() || c.is_control()) {
        return Err("the name is empty or has white space");
    }
    if tool.description.is_empty() || tool.params.iter().any(|param| param.description.is_empty()) {
        return Err("a description is empty");
    }
    if (tool.effects == Effects::Write) != tool.category.is_some() {
        return Err("writes have a category and reads have none");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::class::{Category, Level, Provenance, Recovery};
    use super::*;

    const TOOL: Descriptor = Descriptor {
        name: "a",
        description: "b",
        level: Level::L1,
        effects: Effects::Write,
        category: Some(Category::Click),
        recovery: Recovery::NeverRetry,
        provenance: Provenance::Page,
        params: &[],
    };

    #[test]
    fn a_conflict_adds_nothing() {
        let mut registry = Registry::default();
        registry.add(&[TOOL]).unwrap();
        let other = Descriptor { name: "c", ..TOOL };
        assert_eq!(registry.add(&[other, TOOL]), Err(RegistryError::Duplicate("a".into())));
        assert_eq!(registry.iter().map(|tool| tool.name).collect::<alloc::vec::Vec<_>>(), ["a"]);
    }

    #[test]
    fn incomplete_descriptors_are_refused() {
        for tool in [
            Descriptor { name: "", ..TOOL },
            Descriptor { name: "a b", ..TOOL },
            Descriptor { description: "", ..TOOL },
            Descriptor { category: None, ..TOOL },
            Descriptor { effects: Effects::Read, ..TOOL },
        ] {
            assert!(
                matches!(Registry::default().add(&[tool]), Err(RegistryError::Incomplete(..))),
                "{tool:?}"
            );
        }
    }
}
