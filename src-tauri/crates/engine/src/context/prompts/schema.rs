//! Schemas of what a plan's reply holds besides plain values; written by hand, because the types behind them refer to
//! themselves and providers do not follow that.

use schemars::{Schema, SchemaGenerator, json_schema};

/// Arguments of a tool: values, references, or objects and lists of them.
pub(super) fn args(_: &mut SchemaGenerator) -> Schema {
    json_schema!({
        "type": "object",
        "description": "Arguments of the tool. A value may be {\"$from\": key, \"path\": pointer}, or {\"$item\": pointer} under each."
    })
}

/// A reference to the result of an earlier step.
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

/// A condition.
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
