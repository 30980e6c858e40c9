//! Detects tool calls that may reach beyond their server: an address is among the arguments, or the tool describes
//! itself as using the web. The result can only make the gate stricter.

use adjutant_domain::server::OfferedTool;
use serde_json::Value;

/// Words in a tool's name or description that suggest it reaches beyond its server.
const REACHES: &[&str] = &[
    "browse", "browser", "crawl", "dns", "hostname", "http", "https", "internet", "online", "ping",
    "proxy", "scrape", "uri", "uris", "url", "urls", "web", "webhook", "webpage", "webpages",
    "website", "websites", "www",
];

/// Tells whether a call may pass its arguments on beyond the server.
pub(crate) fn reaches(tool: &OfferedTool, args: &Value) -> bool {
    let properties = tool.schema.get("properties").and_then(Value::as_object);
    let named = properties.into_iter().flatten();
    let mut said = vec![tool.name.as_str(), &tool.title, &tool.description];
    said.extend(named.clone().map(|(name, _)| name.as_str()));
    let format = |schema: &Value| {
        let format = schema.get("format").and_then(Value::as_str);
        format.is_some_and(|format| {
            ["uri", "iri", "hostname"]
                .iter()
                .any(|one| format.contains(one))
        })
    };
    tool.hints.open_world == Some(true)
        || said.into_iter().any(says_so)
        || named.map(|(_, schema)| schema).any(format)
        || is_address(args)
}

fn says_so(text: &str) -> bool {
    words(text).any(|word| REACHES.contains(&word.as_str()))
}

/// Splits text or an identifier into words; handles `get_page` and `getPage`.
fn words(text: &str) -> impl Iterator<Item = String> {
    let mut parts = vec![String::new()];
    let mut low = false;
    for c in text.chars() {
        if !c.is_alphanumeric() || (c.is_uppercase() && low) {
            parts.push(String::new());
        }
        low = c.is_lowercase() || c.is_numeric();
        if let Some(part) = parts.last_mut().filter(|_| c.is_alphanumeric()) {
            part.extend(c.to_lowercase());
        }
    }
    parts.into_iter().filter(|part| !part.is_empty())
}

fn is_address(value: &Value) -> bool {
    match value {
        Value::String(text) => {
            let text = text.to_lowercase();
            text.contains("://")
                || text.contains("//")
                || text.contains("www.")
                || text.contains("\\\\")
        }
        Value::Array(list) => list.iter().any(is_address),
        Value::Object(map) => map.values().any(is_address),
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use adjutant_domain::server::Hints;
    use serde_json::json;

    fn tool(name: &str, description: &str, properties: Value) -> OfferedTool {
        OfferedTool {
            name: name.into(),
            title: String::new(),
            description: description.into(),
            schema: json!({ "type": "object", "properties": properties }),
            hints: Hints::default(),
        }
    }

    #[test]
    fn a_tool_or_an_argument_that_leads_further_is_told_apart() {
        let plain = tool(
            "search_mails",
            "Finds mails.",
            json!({ "query": { "type": "string" } }),
        );
        assert!(!reaches(&plain, &json!({ "query": "what Kim said" })));
        for address in [
            "https://evil.example/?q=1",
            "//evil.example",
            "WWW.evil.example",
            r"\\evil\share",
        ] {
            assert!(reaches(&plain, &json!({ "query": [address] })), "{address}");
        }
        let mut open = plain;
        open.hints.open_world = Some(true);
        assert!(reaches(&open, &json!({ "query": "what Kim said" })));
        for (name, description, properties) in [
            ("getWebPage", "Gets it.", json!({})),
            ("get_webpage", "Gets it.", json!({})),
            ("look_up", "Searches the Internet.", json!({})),
            ("look_up", "", json!({ "target_url": {} })),
            (
                "look_up",
                "",
                json!({ "target": { "format": "uri-reference" } }),
            ),
        ] {
            assert!(
                reaches(&tool(name, description, properties), &json!({})),
                "{name} {description}"
            );
        }
    }
}
