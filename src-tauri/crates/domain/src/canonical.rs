//! Canonical JSON (RFC 8785) and digests over it.

use serde::Serialize;
use serde_json::Value;
use sha2::{Digest as _, Sha256};

/// A SHA-256 digest as 64 lower-case hexadecimal digits.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, serde::Deserialize)]
#[serde(transparent)]
pub struct Digest(pub String);

impl Digest {
    /// Returns the hexadecimal digits.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl std::fmt::Display for Digest {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

/// Error: the value has no canonical JSON form (a number out of range, a key that is not a string).
#[derive(Debug, thiserror::Error)]
#[error("not expressible as canonical JSON: {0}")]
pub struct NotCanonical(String);

/// Serialises `value` as canonical JSON (RFC 8785).
///
/// # Errors
/// Returns [`NotCanonical`] if JSON cannot express the value.
pub fn to_canonical<T: Serialize>(value: &T) -> Result<String, NotCanonical> {
    serde_json_canonicalizer::to_string(value).map_err(|error| NotCanonical(error.to_string()))
}

/// Returns the SHA-256 digest of the canonical JSON of `value`.
///
/// # Errors
/// Fails like [`to_canonical`].
pub fn digest<T: Serialize>(value: &T) -> Result<Digest, NotCanonical> {
    Ok(sha256(to_canonical(value)?.as_bytes()))
}

/// Returns the SHA-256 digest of raw bytes.
#[must_use]
pub fn sha256(bytes: &[u8]) -> Digest {
    let hash = Sha256::digest(bytes);
    let mut text = String::with_capacity(64);
    for byte in hash {
        text.push_str(&format!("{byte:02x}"));
    }
    Digest(text)
}

/// Parses JSON strictly: no duplicate keys at any depth, nothing after the value, at most `bytes_max` bytes. Arguments
/// of effects must pass this (GATE rule 5).
///
/// # Errors
/// Returns a reason that can be shown to the person if the text is too long, is not JSON or repeats a key.
pub fn parse_strict(text: &str, bytes_max: usize) -> Result<Value, String> {
    if text.len() > bytes_max {
        return Err(format!("longer than {bytes_max} bytes"));
    }
    let mut reader = serde_json::Deserializer::from_str(text);
    let value = strict::any(&mut reader).map_err(|error| error.to_string())?;
    reader.end().map_err(|error| error.to_string())?;
    Ok(value)
}

/// A JSON value, deserialised from any format, in which no object repeats a key.
#[derive(Clone, Debug, PartialEq)]
pub struct NoDoubles(pub Value);

impl<'de> serde::Deserialize<'de> for NoDoubles {
    fn deserialize<D: serde::Deserializer<'de>>(reader: D) -> Result<Self, D::Error> {
        strict::any(reader).map(Self)
    }
}

mod strict {
    use serde::de::{self, DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
    use serde_json::{Map, Number, Value};

    pub(super) fn any<'de, D: Deserializer<'de>>(reader: D) -> Result<Value, D::Error> {
        reader.deserialize_any(Strict)
    }

    struct Strict;

    impl<'de> DeserializeSeed<'de> for Strict {
        type Value = Value;
        fn deserialize<D: Deserializer<'de>>(self, reader: D) -> Result<Value, D::Error> {
            any(reader)
        }
    }

    impl<'de> Visitor<'de> for Strict {
        type Value = Value;

        fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str("JSON without duplicate keys")
        }
        fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
            Ok(Value::Bool(value))
        }
        fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
            Ok(value.into())
        }
        fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
            Ok(value.into())
        }
        fn visit_f64<E: de::Error>(self, value: f64) -> Result<Value, E> {
            Number::from_f64(value)
                .map(Value::Number)
                .ok_or_else(|| E::custom("a number out of range"))
        }
        fn visit_str<E>(self, value: &str) -> Result<Value, E> {
            Ok(value.into())
        }
        fn visit_string<E>(self, value: String) -> Result<Value, E> {
            Ok(value.into())
        }
        fn visit_unit<E>(self) -> Result<Value, E> {
            Ok(Value::Null)
        }
        fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
            let mut list = Vec::new();
            while let Some(item) = items.next_element_seed(Strict)? {
                list.push(item);
            }
            Ok(Value::Array(list))
        }
        fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
            let mut map = Map::new();
            while let Some(key) = entries.next_key::<String>()? {
                let value = entries.next_value_seed(Strict)?;
                if map.contains_key(&key) {
                    return Err(de::Error::custom(format!("the key “{key}” occurs twice")));
                }
                map.insert(key, value);
            }
            Ok(Value::Object(map))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_of_keys_does_not_matter() {
        let a: Value = serde_json::from_str(r#"{"b":1,"a":[1.0,"é"]}"#).expect("json");
        let b: Value = serde_json::from_str(r#"{"a":[1,"é"],"b":1}"#).expect("json");
        assert_eq!(digest(&a).expect("digest"), digest(&b).expect("digest"));
    }

    #[test]
    fn strict_parsing_refuses_doubles_and_leftovers() {
        assert!(parse_strict(r#"{"a":1,"a":2}"#, 100).is_err());
        assert!(parse_strict(r#"{"x":{"a":1,"a":2}}"#, 100).is_err());
        assert!(parse_strict(r#"{"a":1} x"#, 100).is_err());
        assert!(parse_strict(r#"{"a":"#, 100).is_err());
        assert!(parse_strict(r#"{"a":1}"#, 3).is_err());
        assert_eq!(
            parse_strict(r#"{"a":[1,null]}"#, 100),
            Ok(serde_json::json!({"a":[1,null]}))
        );
    }
}
