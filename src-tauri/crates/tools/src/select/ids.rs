//! References to records in arguments.

use std::borrow::Cow;

use adjutant_domain::filter::Test;
use adjutant_domain::ids::RecordId;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

/// Ids of records, read from one id, a list, or rows of an earlier output (their `id`, or `path` for files).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ids(pub Vec<String>);

impl std::ops::Deref for Ids {
    type Target = Vec<String>;
    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl Ids {
    /// Returns the test that matches only these rows.
    #[must_use]
    pub fn test(&self) -> Test {
        Test::Ids(self.0.iter().cloned().map(RecordId).collect())
    }
}

impl Serialize for Ids {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Ids {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut ids = Vec::new();
        collect(&Value::deserialize(deserializer)?, &mut ids)
            .map(|()| Self(ids))
            .map_err(D::Error::custom)
    }
}

fn collect(value: &Value, ids: &mut Vec<String>) -> Result<(), &'static str> {
    match value {
        Value::String(id) if !id.trim().is_empty() => ids.push(id.trim().to_owned()),
        Value::Array(list) => {
            for one in list {
                collect(one, ids)?;
            }
        }
        Value::Object(row) => match row.get("id").or_else(|| row.get("path")) {
            Some(Value::String(id)) => ids.push(id.clone()),
            _ => return Err("an identifier is a text, or a row with an id"),
        },
        Value::Null => {}
        _ => return Err("an identifier is a text, or a list of texts"),
    }
    Ok(())
}

impl JsonSchema for Ids {
    fn schema_name() -> Cow<'static, str> {
        "Ids".into()
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "An identifier, or a list of identifiers, as outputs give them",
            "anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn identifiers_in_every_form() {
        for (value, expect) in [
            (json!("a"), vec!["a"]),
            (json!(["a", ["b"]]), vec!["a", "b"]),
            (
                json!([{"id": "a", "x": 1}, {"path": "/p"}]),
                vec!["a", "/p"],
            ),
            (json!([]), vec![]),
        ] {
            let ids: Ids = serde_json::from_value(value).expect("identifiers");
            assert_eq!(ids.0, expect);
        }
        assert!(serde_json::from_value::<Ids>(json!(7)).is_err());
        assert!(serde_json::from_value::<Ids>(json!([{"name": "x"}])).is_err());
    }
}
