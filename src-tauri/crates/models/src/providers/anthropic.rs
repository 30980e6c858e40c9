//! Anthropic's Messages API. A schema is sent as the input schema of a tool, named after the stage, that must be
//! called: that allows a name, and every model supports it.

use std::collections::BTreeMap;

use adjutant_domain::model::{Role, StopReason};
use adjutant_net::Url;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::wire::{
    Dialect, DialectRequest, FrameFault, Framing, Piece, Prepared, Reader, endpoint,
};

/// Highest number of content blocks open at once.
const OPEN_BLOCKS_MAX: usize = 128;

/// The dialect of the Messages API.
pub(crate) struct Anthropic;

impl Dialect for Anthropic {
    fn prepare(&self, base: &Url, ask: &DialectRequest<'_>) -> Prepared {
        let mut body = Map::new();
        body.insert("model".into(), ask.model.into());
        body.insert("max_tokens".into(), ask.request.max_output_tokens.into());
        body.insert("stream".into(), true.into());
        let system = ask.system();
        if !system.is_empty() {
            body.insert("system".into(), Value::String(system.into_owned()));
        }
        body.insert("messages".into(), messages(ask));
        let mut tools: Vec<Value> = ask
            .tools()
            .map(|(name, description, schema)| {
                json!({"name": name, "description": description, "input_schema": schema})
            })
            .collect();
        if let Some(schema) = ask.schema() {
            let name = ask.request.stage.name();
            let choice = if tools.is_empty() {
                json!({"type": "tool", "name": name})
            } else {
                json!({"type": "any"})
            };
            tools.push(json!({"name": name, "description": "The reply.", "input_schema": schema}));
            body.insert("tool_choice".into(), choice);
        }
        if !tools.is_empty() {
            body.insert("tools".into(), tools.into());
        }
        Prepared {
            url: endpoint(base, ["messages"]),
            body: body.into(),
        }
    }

    fn framing(&self) -> Framing {
        Framing::Events
    }

    fn reader(&self, ask: &DialectRequest<'_>) -> Box<dyn Reader> {
        Box::new(EventReader {
            reply_tool: ask
                .schema()
                .map(|_| ask.request.stage.name())
                .unwrap_or_default(),
            blocks: BTreeMap::new(),
            real_calls: false,
        })
    }
}

/// Returns the conversation. It must begin with a user message and contain no empty text.
fn messages(ask: &DialectRequest<'_>) -> Value {
    let mut messages: Vec<Value> = Vec::new();
    for message in &ask.request.messages {
        if message.text.trim().is_empty() {
            continue;
        }
        let role = match message.role {
            Role::User => "user",
            Role::Assistant => "assistant",
        };
        if messages.is_empty() && message.role == Role::Assistant {
            messages.push(json!({"role": "user", "content": "…"}));
        }
        messages.push(json!({"role": role, "content": message.text}));
    }
    messages.into()
}

#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Event {
    MessageStart {
        message: Started,
    },
    ContentBlockStart {
        index: u64,
        content_block: Block,
    },
    ContentBlockDelta {
        index: u64,
        delta: BlockDelta,
    },
    ContentBlockStop {
        index: u64,
    },
    MessageDelta {
        delta: Ending,
        #[serde(default)]
        usage: Tokens,
    },
    MessageStop,
    Error {},
    #[serde(other)]
    Other,
}

#[derive(Deserialize)]
struct Started {
    #[serde(default)]
    usage: Tokens,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Tokens {
    input_tokens: Option<u64>,
    cache_creation_input_tokens: Option<u64>,
    cache_read_input_tokens: Option<u64>,
    output_tokens: Option<u64>,
}

impl Tokens {
    /// Returns the usage. Input read from or written to a cache counts too; the provider reports it separately.
    fn piece(&self) -> Piece {
        let cached = self
            .cache_creation_input_tokens
            .unwrap_or_default()
            .saturating_add(self.cache_read_input_tokens.unwrap_or_default());
        Piece::Tokens {
            input: self.input_tokens.map(|input| input.saturating_add(cached)),
            output: self.output_tokens,
        }
    }
}

#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Block {
    Text {
        #[serde(default)]
        text: String,
    },
    Thinking {
        #[serde(default)]
        thinking: String,
    },
    ToolUse {
        name: String,
        #[serde(default)]
        input: Value,
    },
    #[serde(other)]
    Other,
}

#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum BlockDelta {
    TextDelta {
        text: String,
    },
    ThinkingDelta {
        thinking: String,
    },
    InputJsonDelta {
        partial_json: String,
    },
    #[serde(other)]
    Other,
}

#[derive(Deserialize)]
struct Ending {
    #[serde(default)]
    stop_reason: Option<String>,
}

struct EventReader {
    /// Name of the tool whose input is the reply; empty if there is none.
    reply_tool: &'static str,
    blocks: BTreeMap<u64, OpenTool>,
    real_calls: bool,
}

struct OpenTool {
    name: String,
    /// Input contained in the start of the block; used only if no piece follows.
    whole: Value,
    args: String,
}

impl Reader for EventReader {
    fn read(&mut self, frame: &str, out: &mut Vec<Piece>) -> Result<(), FrameFault> {
        match serde_json::from_str::<Event>(frame)? {
            Event::MessageStart { message } => out.push(message.usage.piece()),
            Event::ContentBlockStart {
                index,
                content_block,
            } => self.begin(index, content_block, out)?,
            Event::ContentBlockDelta { index, delta } => self.delta(index, delta, out),
            Event::ContentBlockStop { index } => self.finish(index, out),
            Event::MessageDelta { delta, usage } => {
                out.push(usage.piece());
                if let Some(reason) = delta.stop_reason {
                    out.push(Piece::Stop(self.stop(&reason)));
                }
            }
            Event::MessageStop => out.push(Piece::Over),
            Event::Error {} => {
                return Err(FrameFault::Reported(serde_json::from_str(frame)?));
            }
            Event::Other => {}
        }
        Ok(())
    }
}

impl EventReader {
    fn begin(&mut self, index: u64, block: Block, out: &mut Vec<Piece>) -> Result<(), FrameFault> {
        match block {
            Block::Text { text } if !text.is_empty() => out.push(Piece::Text(text)),
            Block::Thinking { thinking } if !thinking.is_empty() => {
                out.push(Piece::Thinking(thinking));
            }
            Block::ToolUse { name, input } => {
                if self.blocks.len() >= OPEN_BLOCKS_MAX {
                    return Err(FrameFault::Unreadable(
                        "it opens blocks without end".to_owned(),
                    ));
                }
                self.blocks.insert(
                    index,
                    OpenTool {
                        name,
                        whole: input,
                        args: String::new(),
                    },
                );
            }
            Block::Text { .. } | Block::Thinking { .. } | Block::Other => {}
        }
        Ok(())
    }

    fn delta(&mut self, index: u64, delta: BlockDelta, out: &mut Vec<Piece>) {
        match delta {
            BlockDelta::TextDelta { text } if !text.is_empty() => out.push(Piece::Text(text)),
            BlockDelta::ThinkingDelta { thinking } if !thinking.is_empty() => {
                out.push(Piece::Thinking(thinking));
            }
            BlockDelta::InputJsonDelta { partial_json } => {
                if let Some(open) = self.blocks.get_mut(&index) {
                    open.args.push_str(&partial_json);
                    if open.name == self.reply_tool && !partial_json.is_empty() {
                        out.push(Piece::Text(partial_json));
                    }
                }
            }
            BlockDelta::TextDelta { .. } | BlockDelta::ThinkingDelta { .. } | BlockDelta::Other => {
            }
        }
    }

    fn finish(&mut self, index: u64, out: &mut Vec<Piece>) {
        let Some(open) = self.blocks.remove(&index) else {
            return;
        };
        let came_in_pieces = !open.args.is_empty();
        let args = if came_in_pieces || open.whole.is_null() {
            open.args
        } else {
            open.whole.to_string()
        };
        if open.name != self.reply_tool {
            self.real_calls = true;
            out.push(Piece::Call {
                name: open.name,
                args,
            });
        } else if !came_in_pieces && !args.is_empty() {
            out.push(Piece::Text(args));
        }
    }

    fn stop(&self, reason: &str) -> StopReason {
        match reason {
            "max_tokens" | "model_context_window_exceeded" => StopReason::Length,
            "refusal" => StopReason::Refused,
            "tool_use" if self.real_calls => StopReason::Tools,
            _ => StopReason::Complete,
        }
    }
}
