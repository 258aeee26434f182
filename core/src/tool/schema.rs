//! JSON Schema of a tool's parameters, derived from its descriptor.

use super::descriptor::{Descriptor, Param, ParamKind};
use alloc::{string::String, vec::Vec};
use serde_json::{Map, Value, json};

/// The schema of a tool's arguments: a strict object, JSON Schema draft 2020-12.
pub fn input_schema(tool: &Descriptor) -> Value {
    let properties: Map<String, Value> =
        tool.params.iter().map(|param| (param.name.into(), property(param))).collect();
    let required: Vec<&str> =
        tool.params.iter().filter(|param| param.is_required).map(|param| param.name).collect();
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": false,
    })
}

fn property(param: &Param) -> Value {
    let mut schema = kind(param.kind);
    schema["description"] = Value::from(param.description);
    schema
}

fn kind(kind: ParamKind) -> Value {
    match kind {
        ParamKind::Text { chars_min: 0 } => json!({"type": "string"}),
        ParamKind::Text { chars_min } => json!({"type": "string", "minLength": chars_min}),
        ParamKind::Url => json!({"type": "string", "format": "uri"}),
        ParamKind::Integer { min, max } => {
            json!({"type": "integer", "minimum": min, "maximum": max})
        }
        ParamKind::Number { min } => json!({"type": "number", "minimum": min}),
        ParamKind::Bool => json!({"type": "boolean"}),
        ParamKind::Word(words) => json!({"type": "string", "enum": words}),
        ParamKind::Texts => json!({"type": "array", "items": {"type": "string"}, "minItems": 1}),
        ParamKind::Object => json!({"type": "object"}),
        ParamKind::Objects => json!({"type": "array", "items": {"type": "object"}, "minItems": 1}),
        ParamKind::AnyOf(kinds) => {
            json!({"anyOf": kinds.iter().map(|inner| self::kind(*inner)).collect::<Vec<_>>()})
        }
    }
}
