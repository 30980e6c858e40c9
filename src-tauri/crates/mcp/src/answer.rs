//! Converts the output of tools, resources and prompts to bounded text.

use adjutant_domain::operation::ToolAnswer;
use rmcp::model::{CallToolResult, ContentBlock, ResourceContents};
use serde_json::Value;

use crate::clean;

/// Maximum number of characters kept of a tool's answer.
pub(crate) const TEXT_CHARS_MAX: usize = 100_000;
/// Maximum size in bytes of structured content. Larger content is left out, and the answer says so.
const DATA_BYTES_MAX: usize = 256 * 1024;
/// Maximum number of parts in an answer.
const PARTS_MAX: usize = 200;

/// Converts the result of a tool call.
pub(crate) fn of_tool(result: CallToolResult) -> ToolAnswer {
    let mut parts: Vec<String> = result.content.iter().take(PARTS_MAX).map(part).collect();
    if result.content.len() > PARTS_MAX {
        parts.push(format!(
            "(and {} more parts)",
            result.content.len() - PARTS_MAX
        ));
    }
    let mut data = result.structured_content;
    if let Some(value) = &data
        && value.to_string().len() > DATA_BYTES_MAX
    {
        parts.push(format!(
            "(a typed answer of more than {DATA_BYTES_MAX} bytes was left out)"
        ));
        data = None;
    }
    if let Some(value) = &mut data {
        clean_strings(value);
        // Text that only repeats the structured content would be redundant.
        if parts.is_empty() {
            parts.push(serde_json::to_string_pretty(value).unwrap_or_default());
        }
    }
    ToolAnswer {
        text: clean::text(&parts.join("\n"), TEXT_CHARS_MAX),
        data,
    }
}

pub(crate) fn part(block: &ContentBlock) -> String {
    match block {
        ContentBlock::Text(text) => text.text.clone(),
        ContentBlock::Image(image) => file("a picture", &image.mime_type, image.data.len()),
        ContentBlock::Audio(audio) => file("a sound", &audio.mime_type, audio.data.len()),
        ContentBlock::Resource(embedded) => contents(&embedded.resource),
        ContentBlock::ResourceLink(link) => format!("(a resource: {} {})", link.name, link.uri),
        _ => "(something that Adjutant cannot show)".into(),
    }
}

/// Returns the text of a resource; other files become a one-line description.
pub(crate) fn contents(resource: &ResourceContents) -> String {
    match resource {
        ResourceContents::TextResourceContents { text, .. } => text.clone(),
        ResourceContents::BlobResourceContents {
            mime_type,
            blob,
            uri,
            ..
        } => {
            let kind = mime_type.as_deref().unwrap_or("unknown kind");
            format!("{} {uri}", file("a file", kind, blob.len()))
        }
        _ => "(something that Adjutant cannot show)".into(),
    }
}

/// Describes a file that is not shown; `encoded` is its size in Base64.
fn file(what: &str, kind: &str, encoded: usize) -> String {
    format!("({what}, {kind}, {} bytes, not shown)", encoded / 4 * 3)
}

fn clean_strings(value: &mut Value) {
    match value {
        Value::String(text) => *text = clean::text(text, TEXT_CHARS_MAX),
        Value::Array(list) => list.iter_mut().for_each(clean_strings),
        Value::Object(map) => map.values_mut().for_each(clean_strings),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_answer_is_text_with_a_line_for_each_file() {
        let result = serde_json::from_value(json!({
            "content": [
                {"type": "text", "text": "It is\u{200b} nine."},
                {"type": "image", "data": "AAAA".repeat(100), "mimeType": "image/png"},
                {"type": "resource", "resource": {"uri": "a://b", "text": "inside"}},
            ],
            "structuredContent": {"hour": 9, "words": "ni\u{202e}ne"},
        }))
        .expect("a result");
        assert_eq!(
            of_tool(result),
            ToolAnswer {
                text: "It is\u{FFFD} nine.\n(a picture, image/png, 300 bytes, not shown)\ninside"
                    .into(),
                data: Some(json!({"hour": 9, "words": "ni\u{FFFD}ne"})),
            }
        );
        let large = serde_json::from_value(json!({
            "content": [{"type": "text", "text": "x".repeat(TEXT_CHARS_MAX * 2)}],
            "structuredContent": {"all": "y".repeat(DATA_BYTES_MAX)},
        }))
        .expect("a result");
        let answer = of_tool(large);
        assert_eq!(
            (answer.text.chars().count(), answer.data),
            (TEXT_CHARS_MAX + 1, None)
        );
    }
}
