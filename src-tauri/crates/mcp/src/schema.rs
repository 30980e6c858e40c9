//! Argument schemas: bounded, strict, and validated without fetching anything.

use jsonschema::{PatternOptions, Validator};
use serde_json::Value;

/// Maximum size of a schema in bytes.
const SCHEMA_BYTES_MAX: usize = 64 * 1024;
/// Maximum nesting depth of a schema.
const DEPTH_MAX: usize = 32;
/// Maximum size in bytes of the arguments of one call.
pub(crate) const ARGS_BYTES_MAX: usize = 256 * 1024;
/// Maximum number of validation errors reported.
const REASONS_MAX: usize = 3;
/// Maximum size of a compiled pattern in bytes.
const PATTERN_BYTES_MAX: usize = 1024 * 1024;

/// A compiled schema for arguments.
pub(crate) struct Schema {
    validator: Validator,
    /// Names of all arguments; `None` if further arguments are allowed.
    known: Option<Vec<String>>,
}

impl Schema {
    /// Compiles a schema.
    ///
    /// # Errors
    /// Returns the reason, as the end of a sentence, if the schema cannot be used.
    pub(crate) fn compile(schema: &Value) -> Result<Self, String> {
        if depth(schema, DEPTH_MAX) > DEPTH_MAX {
            return Err(format!("its schema has more than {DEPTH_MAX} levels"));
        }
        if schema.to_string().len() > SCHEMA_BYTES_MAX {
            return Err(format!(
                "its schema is larger than {SCHEMA_BYTES_MAX} bytes"
            ));
        }
        if schema.get("type").is_some_and(|kind| kind != "object") {
            return Err("its schema is not that of an object".into());
        }
        if let Some(remote) = remote_reference(schema) {
            return Err(format!("its schema refers to another place ({remote})"));
        }
        let patterns = PatternOptions::regex()
            .size_limit(PATTERN_BYTES_MAX)
            .dfa_size_limit(PATTERN_BYTES_MAX);
        let validator = jsonschema::options()
            .with_pattern_options(patterns)
            .build(schema)
            .map_err(|error| {
                let why = crate::clean::line(&error.to_string(), 200);
                format!("its schema cannot be read ({why})")
            })?;
        Ok(Self {
            validator,
            known: known(schema),
        })
    }

    /// Validates arguments.
    ///
    /// # Errors
    /// Returns what is invalid, as the end of a sentence.
    pub(crate) fn check(&self, args: &Value) -> Result<(), String> {
        let Some(given) = args.as_object() else {
            return Err("arguments are given by name".into());
        };
        if args.to_string().len() > ARGS_BYTES_MAX {
            return Err(format!(
                "the arguments have more than {ARGS_BYTES_MAX} bytes"
            ));
        }
        if let Some(known) = &self.known
            && let Some(other) = given.keys().find(|name| !known.contains(name))
        {
            let name = crate::clean::line(other, 64);
            return Err(format!("it has no argument “{name}”"));
        }
        let wrong: Vec<String> = self
            .validator
            .iter_errors(args)
            .take(REASONS_MAX)
            .map(|error| {
                let place = error.instance_path().to_string();
                let why = crate::clean::line(&error.to_string(), 200);
                if place.is_empty() {
                    why
                } else {
                    format!("{place}: {why}")
                }
            })
            .collect();
        if wrong.is_empty() {
            Ok(())
        } else {
            Err(wrong.join("; "))
        }
    }
}

/// Returns the names of all arguments; `None` if the schema may allow others.
fn known(schema: &Value) -> Option<Vec<String>> {
    let combined = [
        "additionalProperties",
        "patternProperties",
        "allOf",
        "anyOf",
        "oneOf",
        "$ref",
        "if",
    ];
    let open = combined
        .iter()
        .any(|key| schema.get(key).is_some_and(|value| value != false));
    let names = schema.get("properties").and_then(Value::as_object);
    let names = names.map(|names| names.keys().cloned().collect());
    if open {
        None
    } else {
        Some(names.unwrap_or_default())
    }
}

/// Returns the nesting depth of a value, but at most `max + 1`.
fn depth(value: &Value, max: usize) -> usize {
    if max == 0 {
        return 1;
    }
    let inner = match value {
        Value::Array(list) => list.iter().map(|one| depth(one, max - 1)).max(),
        Value::Object(map) => map.values().map(|one| depth(one, max - 1)).max(),
        _ => None,
    };
    inner.map_or(1, |inner| inner + 1)
}

fn remote_reference(schema: &Value) -> Option<String> {
    match schema {
        Value::Object(map) => map.iter().find_map(|(key, value)| match value {
            Value::String(target) if matches!(key.as_str(), "$ref" | "$dynamicRef") => {
                (!target.starts_with('#')).then(|| crate::clean::line(target, 80))
            }
            other => remote_reference(other),
        }),
        Value::Array(list) => list.iter().find_map(remote_reference),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn of(schema: Value) -> Schema {
        Schema::compile(&schema).expect("a schema")
    }

    #[test]
    fn arguments_have_to_fit_and_to_be_known() {
        let schema = of(json!({
            "type": "object",
            "properties": {"zone": {"type": "string", "maxLength": 8}, "at": {"type": "integer"}},
            "required": ["zone"],
        }));
        assert_eq!(schema.check(&json!({"zone": "Oslo", "at": 3})), Ok(()));
        for (args, why) in [
            (json!({"zone": "Oslo", "at": 3.5}), "/at"),
            (json!({"zone": "Oslo", "at": "3"}), "/at"),
            (json!({"at": 3}), "zone"),
            (json!({"zone": "Oslo", "also": 1}), "no argument “also”"),
            (json!(["Oslo"]), "by name"),
            (json!({"zone": "x".repeat(ARGS_BYTES_MAX)}), "bytes"),
        ] {
            let told = schema.check(&args).expect_err("refused");
            assert!(told.contains(why), "{told}");
        }
        let open = of(json!({"type": "object", "additionalProperties": true}));
        assert_eq!(open.check(&json!({"any": 1})), Ok(()));
        assert!(
            of(json!({"type": "object"}))
                .check(&json!({"any": 1}))
                .is_err()
        );
    }

    #[test]
    fn a_schema_that_is_endless_or_leads_elsewhere_is_refused() {
        let mut deep = json!({"type": "string"});
        for _ in 0..100 {
            deep = json!({"type": "object", "properties": {"a": deep}});
        }
        let remote =
            json!({"type": "object", "properties": {"a": {"$ref": "https://x.example/s.json"}}});
        let large = json!({"type": "object", "description": "x".repeat(SCHEMA_BYTES_MAX)});
        for schema in [
            deep,
            remote,
            large,
            json!({"type": "string"}),
            json!({"type": 7}),
        ] {
            assert!(Schema::compile(&schema).is_err());
        }
        // A pattern that takes exponential time elsewhere is checked in linear time.
        let slow = of(json!({
            "type": "object",
            "properties": {"a": {"type": "string", "pattern": "^(a+)+$"}},
        }));
        assert!(
            slow.check(&json!({"a": format!("{}!", "a".repeat(50_000))}))
                .is_err()
        );
    }
}
