//! What a tool is: one descriptor, from which schema, argument checks, policy class and recovery are derived.

mod call;
mod class;
mod descriptor;
mod params;
mod registry;
mod schema;

pub use call::ToolCall;
pub use class::{Category, Effects, Level, Provenance, Recovery};
pub use descriptor::{Descriptor, Param, ParamKind};
pub use params::{Args, BadArguments};
pub use registry::{Registry, RegistryError};
pub use schema::input_schema;
