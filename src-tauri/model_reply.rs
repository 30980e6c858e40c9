//! Parses JSON as models print it. A reply that has an effect must be strict JSON. Any other reply may be taken out of
//! the Markdown fence around it and read as JSON5 (comments, trailing commas, single quotes), but is never completed or
//! guessed at.

use adjutant_domain::canonical::{NoDoubles, parse_strict};
use serde_json::Value;

/// Deepest nesting of brackets that is accepted.
const DEPTH_MAX: usize = 100;
/// Longest accepted reply in bytes.
pub const REPLY_BYTES_MAX: usize = 1024 * 1024;

/// Parses a reply; `effect` says whether the reply has an effect and must therefore be a strict JSON object.
///
/// # Errors
/// Returns the reason if the reply is too long, is not JSON, was cut off, or (for an effect) is not a strict JSON
/// object.
pub fn read(text: &str, effect: bool) -> Result<Value, String> {
    let strict = parse_strict(text.trim(), REPLY_BYTES_MAX);
    if effect {
        // Arguments must be an object; a JSON string that contains JSON does not count.
        return strict.and_then(|value| {
            if value.is_object() {
                Ok(value)
            } else {
                Err("it is not an object".into())
            }
        });
    }
    if strict.is_ok() || text.len() > REPLY_BYTES_MAX {
        return strict;
    }
    let inner = unwrapped(text);
    if let Ok(value) = parse_strict(inner, REPLY_BYTES_MAX) {
        return Ok(value);
    }
    if !is_whole(inner) {
        return Err("it was cut off, or is not JSON".into());
    }
    json5::from_str::<NoDoubles>(&with_json_words(inner))
        .map(|NoDoubles(value)| value)
        .map_err(|error| format!("it is not JSON ({error})"))
}

/// Returns the content of the first Markdown fence, or the whole text trimmed if there is no fence.
fn unwrapped(text: &str) -> &str {
    let text = text.trim();
    let fenced = text.find("```").and_then(|start| {
        let rest = &text[start + 3..];
        let body = rest.find('\n').map(|end| &rest[end + 1..])?;
        body.find("```").map(|end| body[..end].trim())
    });
    fenced.unwrap_or(text)
}

/// Whether the text is exactly one object or list whose brackets and quotes all close, nested at most [`DEPTH_MAX`]
/// deep.
fn is_whole(text: &str) -> bool {
    let mut open = Vec::new();
    let mut quote = None;
    let mut escaped = false;
    let mut closed = false;
    for c in text.chars() {
        if let Some(end) = quote {
            match c {
                _ if escaped => escaped = false,
                '\\' => escaped = true,
                _ if c == end => quote = None,
                _ => {}
            }
            continue;
        }
        match c {
            _ if closed && !c.is_whitespace() => return false,
            '"' | '\'' => quote = Some(c),
            '{' | '[' if open.len() >= DEPTH_MAX => return false,
            '{' => open.push('}'),
            '[' => open.push(']'),
            '}' | ']' => {
                if open.pop() != Some(c) {
                    return false;
                }
                closed = open.is_empty();
            }
            _ if open.is_empty() && !c.is_whitespace() => return false,
            _ => {}
        }
    }
    closed && quote.is_none()
}

/// Replaces Python's `True`, `False` and `None` with their JSON equivalents, except inside strings.
fn with_json_words(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut word = String::new();
    let mut quote = None;
    let mut escaped = false;
    for c in text.chars() {
        if quote.is_none() && (c.is_alphanumeric() || c == '_') {
            word.push(c);
            continue;
        }
        out.push_str(match word.as_str() {
            "True" => "true",
            "False" => "false",
            "None" => "null",
            other => other,
        });
        word.clear();
        match quote {
            Some(_) if escaped => escaped = false,
            Some(_) if c == '\\' => escaped = true,
            Some(end) if c == end => quote = None,
            None if matches!(c, '"' | '\'') => quote = Some(c),
            _ => {}
        }
        out.push(c);
    }
    out.push_str(&word);
    out
}

#[cfg(test)]
mod tests {
    use super::read;
    use serde_json::json;

    #[test]
    fn effects_take_strict_json_only() {
        assert_eq!(read(" {\"a\": 1} ", true), Ok(json!({"a": 1})));
        for text in [
            "{\"a\": 1,}",
            "```json\n{\"a\":1}\n```",
            "{'a': 1}",
            "{\"a\":1,\"a\":2}",
            "[1]",
            "{\"a\": 1",
        ] {
            assert!(read(text, true).is_err(), "{text}");
        }
    }

    #[test]
    fn replies_without_effect_are_mended_but_never_completed() {
        for text in [
            "{\"a\": 1,}",
            "```json\n{\"a\":1}\n```",
            "{'a': 1}",
            "{a: 1}",
        ] {
            assert_eq!(read(text, false), Ok(json!({"a": 1})), "{text}");
        }
        for text in [
            "{\"a\": 1",
            "{\"a\": \"b",
            "no json",
            "",
            "[1, 2",
            "{\"a\": 1} trailing",
        ] {
            assert!(read(text, false).is_err(), "{text}");
        }
    }
}
