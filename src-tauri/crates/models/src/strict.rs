//! JSON in which no key occurs twice. If an effect follows, a parser must not choose which of two values counts.

use std::fmt;

use serde::de::{self, Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

/// Parses one JSON value. Returns `None` for anything else, for trailing text, and for an object with a duplicate
/// key.
pub(crate) fn strict_json(text: &str) -> Option<Value> {
    serde_json::from_str::<Strict>(text)
        .ok()
        .map(|strict| strict.0)
}

/// A nested JSON value under the same rule.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Strict(pub Value);

impl<'de> Deserialize<'de> for Strict {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(StrictVisitor).map(Strict)
    }
}

struct StrictVisitor;

impl<'de> Visitor<'de> for StrictVisitor {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(Strict(item)) = items.next_element()? {
            list.push(item);
        }
        Ok(Value::Array(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut map = Map::new();
        while let Some((key, Strict(value))) = entries.next_entry::<String, Strict>()? {
            if map.contains_key(&key) {
                return Err(de::Error::custom("a key occurs twice"));
            }
            map.insert(key, value);
        }
        Ok(Value::Object(map))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_key_named_twice_is_no_json_for_us() {
        let text = r#"{"to":["ana@x.example",-1,2.5,null,true],"n":{"to":18446744073709551615}}"#;
        assert_eq!(
            strict_json(text),
            Some(json!({"to": ["ana@x.example", -1, 2.5, null, true], "n": {"to": u64::MAX}}))
        );
        for wrong in [
            r#"{"to":"ana","to":"eve"}"#,
            r#"[{"a":{"b":1,"\u0062":2}}]"#,
            r#"{"to":"ana"} {"to":"eve"}"#,
            r#"{"to":"ana"#,
            "",
        ] {
            assert_eq!(strict_json(wrong), None, "{wrong}");
        }
        assert_eq!(strict_json(&"[".repeat(100_000)), None);
    }
}
