//! Ollama's native API: one JSON value per line. Unlike its `/v1`, it accepts the size of the context window. Without
//! that it starts with a small one and silently drops the beginning of a long request.

use adjutant_domain::model::StopReason;
use adjutant_net::Url;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::openai::{messages, tools};
use crate::strict::Strict;
use crate::wire::schema::titled;
use crate::wire::thoughts::Thoughts;
use crate::wire::{
    Dialect, DialectRequest, FrameFault, Framing, Piece, Prepared, Reader, endpoint,
};

/// The dialect of Ollama's chat API.
pub(crate) struct Ollama;

impl Dialect for Ollama {
    fn prepare(&self, base: &Url, ask: &DialectRequest<'_>) -> Prepared {
        let mut body = Map::new();
        body.insert("model".into(), ask.model.into());
        body.insert("messages".into(), messages(ask));
        body.insert("stream".into(), true.into());
        body.insert(
            "options".into(),
            json!({"num_ctx": ask.context_tokens, "num_predict": ask.request.max_output_tokens}),
        );
        if ask.has_tools() {
            body.insert("tools".into(), tools(ask));
        }
        if let Some(schema) = ask.schema() {
            body.insert("format".into(), titled(schema, ask.request.stage.name()));
        }
        Prepared {
            url: endpoint(base, ["api", "chat"]),
            body: body.into(),
        }
    }

    fn framing(&self) -> Framing {
        Framing::Lines
    }

    fn reader(&self, _ask: &DialectRequest<'_>) -> Box<dyn Reader> {
        Box::<LineReader>::default()
    }

    fn drops_what_is_too_long(&self) -> bool {
        true
    }
}

#[derive(Deserialize)]
struct Line {
    #[serde(default)]
    message: Option<Message>,
    #[serde(default)]
    done: bool,
    #[serde(default)]
    done_reason: Option<String>,
    #[serde(default)]
    prompt_eval_count: Option<u64>,
    #[serde(default)]
    eval_count: Option<u64>,
    #[serde(default)]
    error: Option<Value>,
}

#[derive(Deserialize)]
struct Message {
    #[serde(default)]
    content: Option<String>,
    #[serde(default)]
    thinking: Option<String>,
    #[serde(default)]
    tool_calls: Option<Vec<Call>>,
}

#[derive(Deserialize)]
struct Call {
    function: Function,
}

#[derive(Deserialize)]
struct Function {
    name: String,
    #[serde(default)]
    arguments: Option<Strict>,
}

#[derive(Default)]
struct LineReader {
    thoughts: Thoughts,
}

impl Reader for LineReader {
    fn read(&mut self, frame: &str, out: &mut Vec<Piece>) -> Result<(), FrameFault> {
        let line: Line = serde_json::from_str(frame)?;
        if line.error.is_some() {
            return Err(FrameFault::Reported(serde_json::from_str(frame)?));
        }
        if let Some(message) = line.message {
            if let Some(thinking) = message.thinking.filter(|text| !text.is_empty()) {
                out.push(Piece::Thinking(thinking));
            }
            if let Some(text) = message.content {
                self.thoughts.push(&text, out);
            }
            for call in message.tool_calls.into_iter().flatten() {
                let args = match call.function.arguments {
                    None => String::new(),
                    Some(Strict(Value::String(text))) => text,
                    Some(Strict(args)) => args.to_string(),
                };
                out.push(Piece::Call {
                    name: call.function.name,
                    args,
                });
            }
        }
        if line.done {
            self.thoughts.finish(out);
            out.push(Piece::Tokens {
                input: line.prompt_eval_count,
                output: line.eval_count,
            });
            out.push(Piece::Stop(match line.done_reason.as_deref() {
                Some("length") => StopReason::Length,
                _ => StopReason::Complete,
            }));
            out.push(Piece::Over);
        }
        Ok(())
    }
}
