//! Uses a server's tool as the search engine of lookups and research. The person must have named the tool and marked it
//! as only reading.

use std::sync::{Arc, Weak};
use std::time::Duration;

use adjutant_domain::operation::{ToolOp, Why};
use adjutant_domain::ports::{SearchTool, SourceFault};
use adjutant_domain::risk::Risk;
use adjutant_domain::server::{ServerName, ServerTool};
use adjutant_mcp::{Called, Caller as _, ServerFault};
use adjutant_web::SearchTools;
use async_trait::async_trait;
use serde_json::{Map, Value, json};

use super::executor::Reads;
use super::{Inner, Servers};

/// Common names of the argument for the query.
const QUERY_NAMES: [&str; 6] = ["query", "q", "search_query", "search", "text", "question"];
/// Common names of the argument for the number of results.
const LIMIT_NAMES: [&str; 7] = [
    "limit",
    "count",
    "max_results",
    "maxResults",
    "num_results",
    "numResults",
    "n",
];

impl SearchTools for Servers {
    fn tool(&self, name: &str) -> Result<Arc<dyn SearchTool>, SourceFault> {
        let missing = |what: String| SourceFault::NotConfigured { what };
        let parts = name
            .strip_prefix("mcp.")
            .and_then(|rest| rest.split_once('.'));
        let (server, tool) = parts
            .and_then(|(server, tool)| Some((ServerName::parse(server).ok()?, tool)))
            .ok_or_else(|| {
                missing("The name of a search tool has the form mcp.SERVER.TOOL.".into())
            })?;
        let standing = self.one(&server);
        let used = standing.as_ref().and_then(|standing| {
            let mut used = standing.server.usable();
            used.find(|one| one.offered.name == tool)
        });
        let used = used.ok_or_else(|| {
            missing(format!(
                "No tool “{tool}” of a server “{server}” is in use."
            ))
        })?;
        if used.risk() > Risk::Read {
            return Err(missing(format!(
                "You have not declared {name} read-only, so Adjutant does not search with it."
            )));
        }
        let asked = SearchBinding::of(used).ok_or_else(|| {
            missing(format!(
                "The tool {name} needs more than the words of a search."
            ))
        })?;
        Ok(Arc::new(Tool {
            inner: Arc::downgrade(&self.0),
            server,
            asked,
        }))
    }
}

/// How to call a search tool.
#[derive(Clone, Debug, PartialEq)]
struct SearchBinding {
    tool: String,
    pin: String,
    query: String,
    limit: Option<String>,
}

impl SearchBinding {
    /// Returns `None` if the tool requires more than a query.
    fn of(tool: &ServerTool) -> Option<Self> {
        let schema = &tool.offered.schema;
        let properties = schema.get("properties")?.as_object()?;
        let is = |name: &str, kinds: &[&str]| {
            let kind = properties.get(name).and_then(|one| one.get("type"));
            kind.and_then(Value::as_str)
                .is_some_and(|kind| kinds.contains(&kind))
        };
        let required = schema.get("required").and_then(Value::as_array);
        let required: Vec<&str> = required
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .collect();
        let usual = QUERY_NAMES.into_iter().find(|name| is(name, &["string"]));
        let query = match (usual, required.as_slice()) {
            (Some(usual), _) => usual,
            (None, [only]) if is(only, &["string"]) => only,
            _ => return None,
        };
        if required.iter().any(|name| *name != query) {
            return None;
        }
        let limit = LIMIT_NAMES
            .into_iter()
            .find(|name| is(name, &["integer", "number"]));
        Some(Self {
            tool: tool.offered.name.clone(),
            pin: tool.offered.pin(),
            query: query.to_owned(),
            limit: limit.map(str::to_owned),
        })
    }

    fn op(&self, query: &str, limit: usize) -> ToolOp {
        let mut args = Map::from_iter([(self.query.clone(), json!(query))]);
        if let Some(name) = &self.limit {
            args.insert(name.clone(), json!(limit));
        }
        ToolOp {
            name: self.tool.clone(),
            args: Value::Object(args),
            schema: self.pin.clone(),
        }
    }
}

/// A search tool of a server.
struct Tool {
    inner: Weak<Inner>,
    server: ServerName,
    asked: SearchBinding,
}

#[async_trait]
impl SearchTool for Tool {
    fn server(&self) -> &str {
        self.server.as_str()
    }

    async fn call(
        &self,
        query: &str,
        limit: usize,
        within: Duration,
    ) -> Result<Value, SourceFault> {
        let host = || self.server.as_str().to_owned();
        let late = || SourceFault::TimedOut { host: host() };
        let op = self.asked.op(query, limit);
        let reads = Reads(self.inner.clone());
        let called = tokio::time::timeout(within, reads.read(&self.server, &op)).await;
        match called.map_err(|_| late())? {
            Called::Answered(answer) => Ok(answer.data.unwrap_or(Value::String(answer.text))),
            Called::Failed(what) => Err(SourceFault::Failed {
                what: format!("The server “{}” reports: {what}", self.server),
            }),
            Called::Refused(fault) => Err(SourceFault::NotConfigured {
                what: refused(&self.server, &fault),
            }),
            Called::Unknown(Why::Unreadable) => Err(SourceFault::Failed {
                what: format!(
                    "The answer from the server “{}” cannot be read.",
                    self.server
                ),
            }),
            Called::Unknown(_) => Err(late()),
        }
    }
}

fn refused(server: &ServerName, fault: &ServerFault) -> String {
    let told = fault.told(server.as_str());
    format!("{} {}", told.what, told.hint)
}

#[cfg(test)]
mod tests {
    use adjutant_domain::server::{Hints, OfferedTool};

    use super::*;

    fn asked(schema: Value) -> Option<ToolOp> {
        let tool = ServerTool::from(OfferedTool {
            name: "find".into(),
            title: String::new(),
            description: String::new(),
            schema,
            hints: Hints::default(),
        });
        SearchBinding::of(&tool).map(|asked| asked.op("rye bread", 5))
    }

    #[test]
    fn a_tool_is_asked_with_the_words_and_with_nothing_that_was_made_up() {
        let text = json!({"type": "string"});
        let schema = json!({"type": "object", "required": ["query"], "properties": {
            "query": text, "max_results": {"type": "integer"}, "safe": {"type": "boolean"}}});
        let op = asked(schema).expect("it is asked");
        assert_eq!(op.args, json!({"query": "rye bread", "max_results": 5}));
        let own = json!({"type": "object", "required": ["term"], "properties": {"term": text}});
        assert_eq!(
            asked(own).expect("it is asked").args,
            json!({"term": "rye bread"})
        );
        for more in [
            json!({"type": "object", "required": ["query", "key"], "properties": {"query": text, "key": text}}),
            json!({"type": "object", "properties": {"term": text}}),
            json!({"type": "object", "required": ["query"], "properties": {"query": {"type": "array"}}}),
            json!({"type": "object"}),
        ] {
            assert!(asked(more.clone()).is_none(), "{more}");
        }
    }
}
