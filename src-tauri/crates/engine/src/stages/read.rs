//! Parses JSON as models print it. A plan has effects, so it must be strict JSON. Other replies may be taken out of a
//! Markdown fence or surrounding words, but are never completed or guessed at.

use adjutant_domain::canonical::parse_strict;
use serde_json::Value;

/// Maximum length of a structured reply in bytes.
pub const REPLY_BYTES_MAX: usize = 256 * 1024;

/// Parses a reply that leads to effects: a strict JSON object.
///
/// # Errors
/// Returns the reason, worded so that a model can correct it.
pub fn strict(text: &str) -> Result<Value, String> {
    let value = parse_strict(text.trim(), REPLY_BYTES_MAX)?;
    if value.is_object() {
        Ok(value)
    } else {
        Err("it is not a JSON object".into())
    }
}

/// Parses a reply without effect: a JSON object, possibly with text around it.
///
/// # Errors
/// Returns the reason if there is no JSON object.
pub fn lenient(text: &str) -> Result<Value, String> {
    strict(text).or_else(|error| {
        let (Some(start), Some(end)) = (text.find('{'), text.rfind('}')) else {
            return Err(error);
        };
        if start < end {
            strict(&text[start..=end])
        } else {
            Err(error)
        }
    })
}

#[cfg(test)]
mod tests {
    use super::{lenient, strict};
    use proptest::prelude::*;
    use serde_json::json;

    #[test]
    fn only_what_has_no_effect_is_freed_from_its_wrapping() {
        let wrapped = "Here you are:\n```json\n{\"a\": 1}\n```";
        assert!(strict(wrapped).is_err());
        assert_eq!(lenient(wrapped), Ok(json!({"a": 1})));
        for text in ["", "{", "{\"a\": 1", "[1]", "no", "}{", "{\"a\":1,\"a\":2}"] {
            assert!(strict(text).is_err(), "{text}");
            assert!(lenient(text).is_err(), "{text}");
        }
    }

    proptest! {
        /// What the fuzz target `turn_reply` holds for longer.
        #[test]
        fn any_text_is_one_object_or_refused(
            before in ".{0,20}",
            inside in "[{}\\[\\]\":,a-c0-9 \\\\.-]{0,60}",
            after in ".{0,20}",
        ) {
            let text = format!("{before}{{{inside}}}{after}");
            let freed = lenient(&text);
            if let Ok(value) = strict(&text) {
                prop_assert!(value.is_object());
                prop_assert_eq!(freed.as_ref(), Ok(&value));
                prop_assert!(strict(&value.to_string()).is_ok());
            }
            prop_assert!(freed.is_ok_and(|value| value.is_object()) || strict(&text).is_err());
        }
    }
}
