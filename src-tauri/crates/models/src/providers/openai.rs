//! OpenAI's chat completions, and the many servers that implement them with small differences.

use std::collections::BTreeMap;

use adjutant_domain::model::{Role, StopReason};
use adjutant_net::Url;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::wire::schema::is_strict;
use crate::wire::thoughts::Thoughts;
use crate::wire::{
    Dialect, DialectRequest, FrameFault, Framing, Piece, Prepared, Reader, endpoint,
};

/// Highest number of tool calls assembled at once.
const OPEN_CALLS_MAX: usize = 128;

/// The dialect of chat completions.
pub(crate) struct OpenAi {
    /// Name of the field that limits the reply: OpenAI's newer models refuse the old one, and other servers know no
    /// other.
    limit_field: &'static str,
}

impl OpenAi {
    /// Returns the dialect of OpenAI itself.
    pub fn own() -> Self {
        Self {
            limit_field: "max_completion_tokens",
        }
    }

    /// Returns the dialect of other servers with the same API.
    pub fn compatible() -> Self {
        Self {
            limit_field: "max_tokens",
        }
    }
}

impl Dialect for OpenAi {
    fn prepare(&self, base: &Url, ask: &DialectRequest<'_>) -> Prepared {
        let mut body = Map::new();
        body.insert("model".into(), ask.model.into());
        body.insert("messages".into(), messages(ask));
        body.insert("stream".into(), true.into());
        body.insert(
            self.limit_field.into(),
            ask.request.max_output_tokens.into(),
        );
        if ask.usage {
            body.insert("stream_options".into(), json!({"include_usage": true}));
        }
        if ask.has_tools() {
            body.insert("tools".into(), tools(ask));
        }
        if let Some(schema) = ask.schema() {
            let mut format = json!({"name": ask.request.stage.name(), "schema": schema});
            if is_strict(schema) {
                format["strict"] = true.into();
            }
            body.insert(
                "response_format".into(),
                json!({"type": "json_schema", "json_schema": format}),
            );
        }
        Prepared {
            url: endpoint(base, ["chat", "completions"]),
            body: body.into(),
        }
    }

    fn framing(&self) -> Framing {
        Framing::Events
    }

    fn reader(&self, _ask: &DialectRequest<'_>) -> Box<dyn Reader> {
        Box::<ChunkReader>::default()
    }
}

/// Returns the messages with the instructions first. Ollama uses the same form.
pub(super) fn messages(ask: &DialectRequest<'_>) -> Value {
    let system = ask.system();
    let first = (!system.is_empty()).then(|| json!({"role": "system", "content": system}));
    let rest = ask.request.messages.iter().map(|message| {
        let role = match message.role {
            Role::User => "user",
            Role::Assistant => "assistant",
        };
        json!({"role": role, "content": message.text})
    });
    first.into_iter().chain(rest).collect()
}

/// Returns the tool definitions. Ollama uses the same form.
pub(super) fn tools(ask: &DialectRequest<'_>) -> Value {
    ask.tools()
        .map(|(name, description, schema)| {
            json!({"type": "function", "function": {"name": name, "description": description, "parameters": schema}})
        })
        .collect()
}

#[derive(Deserialize)]
struct Chunk {
    #[serde(default)]
    choices: Option<Vec<Choice>>,
    #[serde(default)]
    usage: Option<Tokens>,
    #[serde(default)]
    error: Option<Value>,
    /// `error` if a server reports an error at the top level.
    #[serde(default)]
    object: Option<String>,
}

#[derive(Deserialize)]
struct Choice {
    #[serde(default)]
    delta: Option<Delta>,
    /// Used instead of `delta` by servers that do not stream.
    #[serde(default)]
    message: Option<Delta>,
    #[serde(default)]
    finish_reason: Option<String>,
    #[serde(default)]
    error: Option<Value>,
}

#[derive(Deserialize)]
struct Delta {
    #[serde(default)]
    content: Value,
    #[serde(default)]
    reasoning_content: Value,
    /// Another name for the same field; some servers send both.
    #[serde(default)]
    reasoning: Value,
    #[serde(default)]
    refusal: Option<String>,
    #[serde(default)]
    tool_calls: Option<Vec<CallDelta>>,
}

#[derive(Deserialize)]
struct CallDelta {
    #[serde(default)]
    index: Option<u64>,
    #[serde(default)]
    id: Option<String>,
    #[serde(default)]
    function: Option<FunctionDelta>,
}

#[derive(Deserialize)]
struct FunctionDelta {
    #[serde(default)]
    name: Option<String>,
    #[serde(default)]
    arguments: Value,
}

#[derive(Deserialize)]
struct Tokens {
    #[serde(default)]
    prompt_tokens: Option<u64>,
    #[serde(default)]
    completion_tokens: Option<u64>,
}

#[derive(Default)]
struct ChunkReader {
    thoughts: Thoughts,
    calls: BTreeMap<u64, OpenCall>,
    refused: bool,
}

#[derive(Default)]
struct OpenCall {
    id: String,
    name: String,
    args: String,
}

impl Reader for ChunkReader {
    fn read(&mut self, frame: &str, out: &mut Vec<Piece>) -> Result<(), FrameFault> {
        if frame.trim() == "[DONE]" {
            self.flush(out);
            out.push(Piece::Over);
            return Ok(());
        }
        let chunk: Chunk = serde_json::from_str(frame)?;
        if chunk.error.is_some() || chunk.object.as_deref() == Some("error") {
            return Err(FrameFault::Reported(serde_json::from_str(frame)?));
        }
        for choice in chunk.choices.into_iter().flatten() {
            if let Some(error) = choice.error {
                return Err(FrameFault::Reported(json!({ "error": error })));
            }
            if let Some(delta) = choice.delta.or(choice.message) {
                self.delta(delta, out)?;
            }
            if let Some(reason) = choice.finish_reason.filter(|reason| !reason.is_empty()) {
                self.flush(out);
                out.push(Piece::Stop(self.stop(&reason)));
            }
        }
        if let Some(usage) = chunk.usage {
            out.push(Piece::Tokens {
                input: usage.prompt_tokens,
                output: usage.completion_tokens,
            });
        }
        Ok(())
    }
}

impl ChunkReader {
    fn delta(&mut self, delta: Delta, out: &mut Vec<Piece>) -> Result<(), FrameFault> {
        let thinking =
            plain_text(&delta.reasoning_content).or_else(|| plain_text(&delta.reasoning));
        if let Some(thinking) = thinking {
            out.push(Piece::Thinking(thinking));
        }
        if let Some(text) = plain_text(&delta.content) {
            self.thoughts.push(&text, out);
        }
        if let Some(refusal) = delta.refusal.filter(|text| !text.is_empty()) {
            self.refused = true;
            out.push(Piece::Text(refusal));
        }
        for call in delta.tool_calls.into_iter().flatten() {
            self.call(call)?;
        }
        Ok(())
    }

    fn call(&mut self, delta: CallDelta) -> Result<(), FrameFault> {
        let id = delta.id.unwrap_or_default();
        let last = self.calls.last_key_value();
        let index = delta.index.unwrap_or_else(|| match last {
            // Servers without an index begin each call with a new id.
            Some((index, open)) if !id.is_empty() && open.id != id => index.saturating_add(1),
            Some((index, _)) => *index,
            None => 0,
        });
        if self.calls.len() >= OPEN_CALLS_MAX && !self.calls.contains_key(&index) {
            return Err(FrameFault::Unreadable(
                "it never stops calling tools".to_owned(),
            ));
        }
        let open = self.calls.entry(index).or_default();
        if open.id.is_empty() {
            open.id = id;
        }
        let Some(function) = delta.function else {
            return Ok(());
        };
        if open.name.is_empty() {
            open.name = function.name.unwrap_or_default();
        }
        match function.arguments {
            Value::String(text) => open.args.push_str(&text),
            Value::Null => {}
            // Some servers send the object itself, once.
            whole => open.args.push_str(&whole.to_string()),
        }
        Ok(())
    }

    fn flush(&mut self, out: &mut Vec<Piece>) {
        self.thoughts.finish(out);
        let calls = std::mem::take(&mut self.calls);
        out.extend(calls.into_values().map(|call| Piece::Call {
            name: call.name,
            args: call.args,
        }));
    }

    fn stop(&self, reason: &str) -> StopReason {
        match reason {
            "length" => StopReason::Length,
            "tool_calls" | "function_call" => StopReason::Tools,
            "content_filter" => StopReason::Refused,
            _ if self.refused => StopReason::Refused,
            _ => StopReason::Complete,
        }
    }
}

/// Returns text that is given as a string or in parts.
fn plain_text(value: &Value) -> Option<String> {
    let text = match value {
        Value::String(text) => text.clone(),
        Value::Array(parts) => parts
            .iter()
            .filter_map(|part| part.get("text").and_then(Value::as_str))
            .collect(),
        _ => String::new(),
    };
    (!text.is_empty()).then_some(text)
}
