//! Cleans and limits the tools that a server lists.

use std::collections::BTreeSet;

use adjutant_domain::server::{Hints, OfferedTool, SERVER_TOOLS_MAX};
use rmcp::model::Tool;
use serde_json::Value;

use crate::clean;
use crate::schema::Schema;

/// Maximum number of characters in a tool's name.
const NAME_CHARS_MAX: usize = 128;
/// Maximum number of characters in a tool's title.
const TITLE_CHARS_MAX: usize = 120;
/// Maximum number of characters in a description.
const DESCRIPTION_CHARS_MAX: usize = 4_000;
/// Maximum number of characters in a text within a schema.
const REMARK_CHARS_MAX: usize = 600;
/// Maximum total size in bytes of a server's tools.
pub const TOOLS_BYTES_MAX: usize = 4 * 1024 * 1024;

/// A tool that cannot be used, with the reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftOut {
    /// The tool's name, cleaned.
    pub name: String,
    /// The reason, as the end of a sentence.
    pub why: String,
}

/// Splits the listed tools into usable ones and those left out.
pub(crate) fn tools(listed: Vec<Tool>) -> (Vec<OfferedTool>, Vec<LeftOut>) {
    let (mut used, mut left_out) = (Vec::new(), Vec::new());
    let mut names = BTreeSet::new();
    let mut bytes = 0;
    for tool in listed {
        let name = clean::line(&tool.name, NAME_CHARS_MAX);
        let read = one(tool).and_then(|tool| {
            bytes += serde_json::to_vec(&tool).map_or(usize::MAX / 2, |all| all.len());
            if bytes > TOOLS_BYTES_MAX || used.len() == SERVER_TOOLS_MAX {
                Err(format!("the server offers more than {SERVER_TOOLS_MAX} tools, or {TOOLS_BYTES_MAX} bytes of them"))
            } else if names.insert(tool.name.clone()) {
                Ok(tool)
            } else {
                Err("another tool has the same name".into())
            }
        });
        match read {
            Ok(tool) => used.push(tool),
            Err(why) => left_out.push(LeftOut { name, why }),
        }
    }
    (used, left_out)
}

fn one(tool: Tool) -> Result<OfferedTool, String> {
    let name = tool.name.into_owned();
    if !clean::is_plain(&name) || name.chars().count() > NAME_CHARS_MAX {
        return Err("its name is too long, or holds characters that cannot be seen".into());
    }
    let mut schema = Value::Object((*tool.input_schema).clone());
    Schema::compile(&schema)?;
    remarks(&mut schema);
    if !names_are_plain(&schema) {
        return Err("an argument's name holds characters that cannot be seen".into());
    }
    let annotations = tool.annotations.unwrap_or_default();
    let title = tool.title.or(annotations.title).unwrap_or_default();
    Ok(OfferedTool {
        title: clean::line(&title, TITLE_CHARS_MAX),
        description: clean::text(&tool.description.unwrap_or_default(), DESCRIPTION_CHARS_MAX),
        schema,
        hints: Hints {
            read_only: annotations.read_only_hint,
            destructive: annotations.destructive_hint,
            open_world: annotations.open_world_hint,
        },
        name,
    })
}

/// Cleans the texts in a schema and leaves its validation rules unchanged.
fn remarks(schema: &mut Value) {
    match schema {
        Value::Object(map) => {
            for (key, value) in map.iter_mut() {
                match value {
                    Value::String(text)
                        if matches!(key.as_str(), "description" | "title" | "$comment") =>
                    {
                        *text = clean::text(text, REMARK_CHARS_MAX);
                    }
                    other => remarks(other),
                }
            }
        }
        Value::Array(list) => list.iter_mut().for_each(remarks),
        _ => {}
    }
}

fn names_are_plain(schema: &Value) -> bool {
    match schema {
        Value::Object(map) => map
            .iter()
            .all(|(key, value)| (key.is_empty() || clean::is_plain(key)) && names_are_plain(value)),
        Value::Array(list) => list.iter().all(names_are_plain),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn listed(value: Value) -> Vec<Tool> {
        serde_json::from_value(value).expect("tools")
    }

    #[test]
    fn tools_are_cleaned_and_what_cannot_be_shown_is_left_out() {
        let (used, left_out) = tools(listed(json!([
            {"name": "now", "description": "Tells\u{200b} the time.", "inputSchema": {
                "type": "object", "properties": {"zone": {"type": "string", "description": "A\u{202e}zone"}}},
             "annotations": {"title": "The time", "readOnlyHint": true}},
            {"name": "now", "inputSchema": {"type": "object"}},
            {"name": "n\u{200b}ow", "inputSchema": {"type": "object"}},
            {"name": "far", "inputSchema": {"type": "object", "$ref": "https://x.example/y"}},
            {"name": "odd", "inputSchema": {"type": "object", "properties": {"a\u{202e}b": {}}}},
        ])));
        let [now] = &used[..] else { panic!("{used:?}") };
        assert_eq!(now.description, "Tells\u{FFFD} the time.");
        assert_eq!(now.title, "The time");
        assert_eq!(
            now.schema["properties"]["zone"]["description"],
            "A\u{FFFD}zone"
        );
        assert_eq!(now.hints.read_only, Some(true));
        let names: Vec<&str> = left_out.iter().map(|one| one.name.as_str()).collect();
        assert_eq!(names, ["now", "n\u{FFFD}ow", "far", "odd"]);
    }
}
