//! JSON as models print it. An effect takes strict JSON and nothing else; a reply that has no effect may be freed from
//! what stands around it and mended, but never completed: what was cut off is refused.

use adjutant_domain::canonical::parse_strict;
use serde_json::Value;

/// Longest reply in bytes.
pub const REPLY_BYTES_MAX: usize = 1024 * 1024;

/// Reads a reply.
///
/// # Errors
/// With the reason, when it is not JSON, was cut off, or (for an effect) is not strict JSON.
pub fn read(text: &str, effect: bool) -> Result<Value, String> {
    let strict = parse_strict(text.trim(), REPLY_BYTES_MAX);
    if effect || strict.is_ok() || text.len() > REPLY_BYTES_MAX {
        return strict;
    }
    let inner = unwrapped(text);
    if let Ok(value) = parse_strict(inner, REPLY_BYTES_MAX) {
        return Ok(value);
    }
    if !is_whole(inner) {
        return Err("it was cut off, or is not JSON".into());
    }
    let mended = llm_json::repair_json(inner, &llm_json::RepairOptions::default())
        .map_err(|error| error.to_string())?;
    let value = parse_strict(&mended, REPLY_BYTES_MAX)?;
    // Every word of the result must stand in the reply: a mender that invents or drops text is not believed.
    if same_words(inner, &mended) {
        Ok(value)
    } else {
        Err("it cannot be mended without changing it".into())
    }
}

/// What stands inside a Markdown fence, or the text from the first bracket to the last.
fn unwrapped(text: &str) -> &str {
    let text = text.trim();
    let fenced = text.find("```").and_then(|start| {
        let rest = &text[start + 3..];
        let body = rest.find('\n').map(|end| &rest[end + 1..])?;
        body.find("```").map(|end| body[..end].trim())
    });
    fenced.unwrap_or(text)
}

/// Whether the text is one object or list whose brackets and quotes all close.
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

/// Whether both texts hold the same letters and digits in the same order (words of other languages for true, false and
/// nothing count as JSON's).
fn same_words(a: &str, b: &str) -> bool {
    fn words(text: &str) -> Vec<String> {
        text.split(|c: char| !c.is_alphanumeric())
            .filter(|word| !word.is_empty())
            .map(|word| match word {
                "True" => "true".into(),
                "False" => "false".into(),
                "None" | "undefined" => "null".into(),
                _ => word.to_owned(),
            })
            .collect()
    }
    words(a) == words(b)
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
