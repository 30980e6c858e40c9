//! Schemas for parts of a plan's reply. They are written by hand because the types behind them are recursive, which
//! providers do not support.

use schemars::{Schema, SchemaGenerator, json_schema};

/// Returns the schema of a tool's arguments: values, references, or objects and lists of them.
pub(super) fn args(_: &mut SchemaGenerator) -> Schema {
    json_schema!({
        "type": "object",
        "description": "Arguments of the tool. A value may be {\"$from\": key, \"path\": pointer}, or {\"$item\": pointer} under each."
    })
}

/// Returns the schema of a reference to an earlier step's result.
pub(super) fn each(_: &mut SchemaGenerator) -> Schema {
    json_schema!({
        "type": ["object", "null"],
        "properties": {
            "$from": { "type": "string" },
            "path": { "type": "string" }
        },
        "required": ["$from", "path"],
        "additionalProperties": false
    })
}

/// Returns the schema of a condition.
pub(super) fn when(_: &mut SchemaGenerator) -> Schema {
    json_schema!({
        "type": ["object", "null"],
        "properties": {
            "$op": {
                "type": "string",
                "enum": ["empty", "not_empty", "eq", "ne", "lt", "le", "gt", "ge", "and", "or", "not"]
            },
            "args": { "type": "array", "items": {} }
        },
        "required": ["$op", "args"],
        "additionalProperties": false
    })
}
