//! Google's Gemini API. If tools are offered too, a schema is sent as one more function, because most models accept
//! only one of the two.

use adjutant_domain::model::{Role, StopReason};
use adjutant_net::Url;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::strict::Strict;
use crate::wire::schema::titled;
use crate::wire::{
    Dialect, DialectRequest, FrameFault, Framing, Piece, Prepared, Reader, endpoint,
};

/// The dialect of Gemini's API.
pub(crate) struct Gemini;

impl Dialect for Gemini {
    fn prepare(&self, base: &Url, ask: &DialectRequest<'_>) -> Prepared {
        let mut body = Map::new();
        let system = ask.system();
        if !system.is_empty() {
            body.insert(
                "systemInstruction".into(),
                json!({"parts": [{"text": system}]}),
            );
        }
        body.insert("contents".into(), contents(ask));
        let mut config = json!({"maxOutputTokens": ask.request.max_output_tokens});
        let mut functions: Vec<Value> = ask
            .tools()
            .map(|(name, description, schema)| function(name, description, schema))
            .collect();
        if let Some(schema) = ask.schema() {
            let name = ask.request.stage.name();
            let schema = titled(schema, name);
            if functions.is_empty() {
                config["responseMimeType"] = "application/json".into();
                config["responseJsonSchema"] = schema;
            } else {
                functions.push(function(name, "The reply.", &schema));
                body.insert(
                    "toolConfig".into(),
                    json!({"functionCallingConfig": {"mode": "ANY"}}),
                );
            }
        }
        if !functions.is_empty() {
            body.insert(
                "tools".into(),
                json!([{ "functionDeclarations": functions }]),
            );
        }
        body.insert("generationConfig".into(), config);
        let mut url = endpoint(
            base,
            [
                "models",
                &format!("{}:streamGenerateContent", bare(ask.model)),
            ],
        );
        url.set_query(Some("alt=sse"));
        Prepared {
            url,
            body: body.into(),
        }
    }

    fn framing(&self) -> Framing {
        Framing::Events
    }

    fn reader(&self, ask: &DialectRequest<'_>) -> Box<dyn Reader> {
        let by_function = ask.schema().is_some() && ask.has_tools();
        Box::new(ResponseReader {
            reply_function: if by_function {
                ask.request.stage.name()
            } else {
                ""
            },
            real_calls: false,
        })
    }
}

/// Returns the part of a model's name that addresses contain: the list of models returns `models/gemini-…`.
pub(crate) fn bare(model: &str) -> &str {
    model.strip_prefix("models/").unwrap_or(model)
}

fn function(name: &str, description: &str, schema: &Value) -> Value {
    json!({"name": name, "description": description, "parametersJsonSchema": schema})
}

fn contents(ask: &DialectRequest<'_>) -> Value {
    ask.request
        .messages
        .iter()
        .filter(|message| !message.text.is_empty())
        .map(|message| {
            let role = match message.role {
                Role::User => "user",
                Role::Assistant => "model",
            };
            json!({"role": role, "parts": [{"text": message.text}]})
        })
        .collect()
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Response {
    #[serde(default)]
    candidates: Vec<Candidate>,
    #[serde(default)]
    prompt_feedback: Option<Feedback>,
    #[serde(default)]
    usage_metadata: Option<Tokens>,
    #[serde(default)]
    error: Option<Value>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Candidate {
    #[serde(default)]
    content: Option<Content>,
    #[serde(default)]
    finish_reason: Option<String>,
}

#[derive(Deserialize)]
struct Content {
    #[serde(default)]
    parts: Vec<ContentPart>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ContentPart {
    #[serde(default)]
    text: Option<String>,
    #[serde(default)]
    thought: bool,
    #[serde(default)]
    function_call: Option<FunctionCall>,
}

#[derive(Deserialize)]
struct FunctionCall {
    name: String,
    #[serde(default)]
    args: Option<Strict>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Feedback {
    #[serde(default)]
    block_reason: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Tokens {
    #[serde(default)]
    prompt_token_count: Option<u64>,
    #[serde(default)]
    candidates_token_count: Option<u64>,
    #[serde(default)]
    thoughts_token_count: Option<u64>,
}

struct ResponseReader {
    /// Name of the function whose arguments are the reply; empty if there is none.
    reply_function: &'static str,
    real_calls: bool,
}

impl Reader for ResponseReader {
    fn read(&mut self, frame: &str, out: &mut Vec<Piece>) -> Result<(), FrameFault> {
        let response: Response = serde_json::from_str(frame)?;
        if response.error.is_some() {
            return Err(FrameFault::Reported(serde_json::from_str(frame)?));
        }
        if let Some(usage) = response.usage_metadata {
            // A reply that is cut off while the model thinks has thoughts but no candidates.
            let parts = [usage.candidates_token_count, usage.thoughts_token_count];
            let output = parts.into_iter().flatten().reduce(u64::saturating_add);
            out.push(Piece::Tokens {
                input: usage.prompt_token_count,
                output,
            });
        }
        for candidate in response.candidates {
            for part in candidate
                .content
                .into_iter()
                .flat_map(|content| content.parts)
            {
                self.part(part, out);
            }
            if let Some(reason) = candidate.finish_reason {
                out.push(Piece::Stop(self.stop(&reason)?));
            }
        }
        if response
            .prompt_feedback
            .is_some_and(|feedback| feedback.block_reason.is_some())
        {
            out.push(Piece::Stop(StopReason::Refused));
        }
        Ok(())
    }
}

impl ResponseReader {
    fn part(&mut self, part: ContentPart, out: &mut Vec<Piece>) {
        if let Some(text) = part.text.filter(|text| !text.is_empty()) {
            out.push(if part.thought {
                Piece::Thinking(text)
            } else {
                Piece::Text(text)
            });
        }
        let Some(call) = part.function_call else {
            return;
        };
        let args = call
            .args
            .map_or_else(String::new, |Strict(args)| args.to_string());
        if call.name == self.reply_function {
            out.push(Piece::Text(args));
        } else {
            self.real_calls = true;
            out.push(Piece::Call {
                name: call.name,
                args,
            });
        }
    }

    fn stop(&self, reason: &str) -> Result<StopReason, FrameFault> {
        Ok(match reason {
            "MAX_TOKENS" => StopReason::Length,
            "MALFORMED_FUNCTION_CALL" | "UNEXPECTED_TOOL_CALL" => {
                return Err(FrameFault::Unreadable(
                    "its tool call cannot be read".to_owned(),
                ));
            }
            "SAFETY" | "RECITATION" | "LANGUAGE" | "BLOCKLIST" | "PROHIBITED_CONTENT" | "SPII" => {
                StopReason::Refused
            }
            _ if self.real_calls => StopReason::Tools,
            _ => StopReason::Complete,
        })
    }
}
