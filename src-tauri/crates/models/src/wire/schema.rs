//! Adapts JSON schemas for providers.

use serde_json::{Map, Value};

/// The instruction for a model without structured output. It is the only text for a model outside `prompts/`: it
/// describes the wire rather than the task, and depends on which model answers, which is unknown when the prompt is
/// rendered.
const ASK: &str =
    "Reply with one JSON value that fits this JSON schema. No other text, no code fence.";

/// Maximum depth to which a schema is examined.
const DEPTH_MAX: usize = 64;

/// Returns the instructions with a schema appended.
pub(crate) fn in_words(system: &str, schema: &Value) -> String {
    format!("{system}\n\n{ASK}\n{schema}")
        .trim_start()
        .to_owned()
}

/// Whether a schema follows the rules of OpenAI's strict mode: every object is closed and all its properties are
/// required. Any other schema is sent without `strict`, because the request would be refused with it.
pub(crate) fn is_strict(schema: &Value) -> bool {
    schema.get("type").and_then(Value::as_str) == Some("object") && strict_inside(schema, 0)
}

fn strict_inside(schema: &Value, depth: usize) -> bool {
    match schema {
        Value::Object(map) if depth < DEPTH_MAX => {
            object_is_closed(map)
                && !map
                    .keys()
                    .any(|key| UNKNOWN_TO_STRICT.contains(&key.as_str()))
                && map.iter().all(|(key, value)| match key.as_str() {
                    // The keys here are names chosen by the schema's author, not keywords.
                    "properties" | "$defs" | "definitions" => {
                        value.as_object().is_some_and(|inner| {
                            inner.values().all(|value| strict_inside(value, depth + 1))
                        })
                    }
                    "enum" | "const" | "default" | "examples" => true,
                    _ => strict_inside(value, depth + 1),
                })
        }
        Value::Array(items) if depth < DEPTH_MAX => {
            items.iter().all(|item| strict_inside(item, depth + 1))
        }
        Value::Object(_) | Value::Array(_) => false,
        _ => true,
    }
}

/// Keywords that strict mode refuses.
const UNKNOWN_TO_STRICT: &[&str] = &[
    "allOf",
    "not",
    "if",
    "then",
    "else",
    "oneOf",
    "patternProperties",
    "dependentRequired",
    "dependentSchemas",
    "unevaluatedProperties",
    "default",
];

fn object_is_closed(map: &Map<String, Value>) -> bool {
    let is_object = match map.get("type") {
        Some(Value::String(kind)) => kind == "object",
        Some(Value::Array(kinds)) => kinds.iter().any(|kind| kind == "object"),
        _ => map.contains_key("properties"),
    };
    if !is_object {
        return true;
    }
    let required = |name: &String| {
        map.get("required")
            .and_then(Value::as_array)
            .is_some_and(|names| names.iter().any(|required| required == name))
    };
    map.get("additionalProperties") == Some(&Value::Bool(false))
        && map
            .get("properties")
            .and_then(Value::as_object)
            .is_none_or(|properties| properties.keys().all(required))
}

/// Returns a schema with its name inside, for providers that accept no name beside it.
pub(crate) fn titled(schema: &Value, name: &str) -> Value {
    let mut schema = schema.clone();
    if let Some(map) = schema.as_object_mut() {
        map.insert("title".to_owned(), Value::String(name.to_owned()));
        map.remove("$schema");
    }
    schema
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn strict_is_asked_for_only_where_it_is_granted() {
        let closed = json!({"type": "object", "additionalProperties": false, "required": ["a", "default"],
            "properties": {"a": {"type": ["string", "null"]}, "default": {"type": "array", "items": {"$ref": "#/$defs/x"}}},
            "$defs": {"x": {"type": "object", "additionalProperties": false, "properties": {}, "required": []}}});
        assert!(is_strict(&closed));
        let mut open = closed.clone();
        open["$defs"]["x"]["additionalProperties"] = json!({});
        assert!(!is_strict(&open));
        let mut optional = closed.clone();
        optional["required"] = json!(["a"]);
        assert!(!is_strict(&optional));
        let mut defaulted = closed;
        defaulted["properties"]["a"]["default"] = json!("x");
        assert!(!is_strict(&defaulted));
        assert!(!is_strict(&json!({"type": "array"})));
    }
}
