//! One file per provider: what its requests look like and how it answers.
//!
//! # Adding a provider
//!
//! 1. Does it speak OpenAI's API? Then it is a `Connection` of kind `Compatible`, and nothing needs to be added.
//! 2. Otherwise write `providers/<name>.rs` with a type that implements `Dialect`: `prepare` builds the address and
//!    body of a request, and `reader` turns the frames of a reply into pieces. Everything else (faults, limits, stalls,
//!    usage, keys) is in `wire` and applies to it without further code.
//! 3. Add it to [`ProviderKind`], to `dialect` below, to `Access::of` if its key needs a header of its own, and to
//!    `embed.rs` if it offers embeddings.
//! 4. Add it to `tests/providers/conformance.rs`. It is done when every case passes.

mod anthropic;
mod gemini;
mod ollama;
mod openai;

pub(crate) use gemini::bare;

use std::sync::Arc;

use crate::connection::ProviderKind;
use crate::wire::Dialect;

/// Returns the dialect of a provider; `None` for a file, which is not a server.
pub(crate) fn dialect(kind: ProviderKind) -> Option<Arc<dyn Dialect>> {
    Some(match kind {
        ProviderKind::Compatible => Arc::new(openai::OpenAi::compatible()),
        ProviderKind::OpenAi => Arc::new(openai::OpenAi::own()),
        ProviderKind::Anthropic => Arc::new(anthropic::Anthropic),
        ProviderKind::Gemini => Arc::new(gemini::Gemini),
        ProviderKind::Ollama => Arc::new(ollama::Ollama),
        ProviderKind::File => return None,
    })
}

/// Returns the path of the list of a provider's models, and the field of the answer that contains them.
pub(crate) const fn model_list(kind: ProviderKind) -> (&'static [&'static str], &'static str) {
    match kind {
        ProviderKind::Compatible | ProviderKind::OpenAi | ProviderKind::Anthropic => {
            (&["models"], "data")
        }
        ProviderKind::Gemini => (&["models"], "models"),
        ProviderKind::Ollama => (&["api", "tags"], "models"),
        ProviderKind::File => (&[], ""),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::DialectRequest;
    use crate::wire::spelling::Spelling;
    use adjutant_domain::model::{
        ModelRequest, ModelTool, Prompted, Purpose, ReplyShape, Stage, Tier,
    };
    use proptest::prelude::*;
    use serde_json::{Value, json};

    fn request() -> ModelRequest {
        ModelRequest {
            stage: Stage::Plan,
            tier: Tier::Fast,
            purpose: Purpose::Foreground,
            turn: None,
            system: Prompted {
                text: String::new(),
                revision: String::new(),
            },
            messages: Vec::new(),
            tools: vec![ModelTool {
                name: "task.list".to_owned(),
                description: String::new(),
                schema: json!({}),
            }],
            reply: ReplyShape::Json { schema: json!({}) },
            max_output_tokens: 1,
            within: Default::default(),
        }
    }

    /// Keys and words that providers use, so that chance finds its way inside.
    const WORDS: &[&str] = &[
        "choices",
        "delta",
        "message",
        "content",
        "tool_calls",
        "function",
        "arguments",
        "index",
        "usage",
        "error",
        "type",
        "content_block_start",
        "content_block_delta",
        "content_block_stop",
        "content_block",
        "message_delta",
        "message_start",
        "tool_use",
        "input",
        "name",
        "plan",
        "partial_json",
        "input_json_delta",
        "candidates",
        "parts",
        "functionCall",
        "args",
        "finishReason",
        "STOP",
        "done",
        "thinking",
        "stop_reason",
        "finish_reason",
    ];

    fn value() -> impl Strategy<Value = Value> {
        let word = prop::sample::select(WORDS);
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<u64>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            word.clone().prop_map(Value::from),
            any::<String>().prop_map(Value::from),
        ];
        leaf.prop_recursive(6, 64, 6, move |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
                prop::collection::vec((word.clone(), inner), 0..6).prop_map(|entries| {
                    entries
                        .into_iter()
                        .map(|(key, value)| (key.to_owned(), value))
                        .collect()
                }),
            ]
        })
    }

    #[test]
    fn thoughts_of_gemini_count_where_it_says_nothing_else() {
        let request = request();
        let spelling = Spelling::of(&request.tools, "plan");
        let ask = DialectRequest {
            request: &request,
            model: "m",
            context_tokens: 1,
            spelling: &spelling,
            tools: true,
            structure: true,
            usage: true,
        };
        for (usage, output) in [
            (
                json!({"promptTokenCount": 9, "thoughtsTokenCount": 500}),
                Some(500),
            ),
            (
                json!({"promptTokenCount": 9, "candidatesTokenCount": 4}),
                Some(4),
            ),
            (
                json!({"promptTokenCount": 9, "candidatesTokenCount": 4, "thoughtsTokenCount": 500}),
                Some(504),
            ),
            (json!({"promptTokenCount": 9}), None),
        ] {
            let frame = json!({"candidates": [], "usageMetadata": usage}).to_string();
            let mut pieces = Vec::new();
            let mut reader = dialect(ProviderKind::Gemini).unwrap().reader(&ask);
            assert!(reader.read(&frame, &mut pieces).is_ok());
            assert!(
                matches!(pieces.as_slice(), [crate::wire::Piece::Tokens { input: Some(9), output: told }] if *told == output),
                "{usage}"
            );
        }
    }

    proptest! {
        #[test]
        fn no_frame_makes_a_reader_panic(frames in prop::collection::vec(value(), 1..6)) {
            let request = request();
            let spelling = Spelling::of(&request.tools, "plan");
            for kind in ProviderKind::ALL {
                let ask = DialectRequest {
                    request: &request,
                    model: "m",
                    context_tokens: 1,
                    spelling: &spelling,
                    tools: true,
                    structure: true,
                    usage: true,
                };
                let mut reader = dialect(kind).unwrap().reader(&ask);
                for frame in &frames {
                    let _ = reader.read(&frame.to_string(), &mut Vec::new());
                }
            }
        }
    }
}
