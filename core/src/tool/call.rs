//! A call as it comes in.

use alloc::string::String;
use serde_json::Value;

/// A call as it comes in.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolCall {
    /// The tool's name.
    pub name: String,
    /// Its arguments, unchecked.
    pub arguments: Value,
}
