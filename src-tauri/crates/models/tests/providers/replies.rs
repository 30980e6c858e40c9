//! Replies of every provider, as bytes.

use adjutant_domain::model::Stage;
use adjutant_models::ProviderKind;
use adjutant_net::NetClient;
use serde_json::{Value, json};

use crate::support::{CollectedReply, Scripted, Step, connection, hear, model_on, request};

/// Returns what is received from a server that runs `script`.
pub async fn ask(net: &NetClient, kind: ProviderKind, script: Vec<Step>) -> CollectedReply {
    let server = Scripted::start(vec![script]).await;
    let heard = hear(
        &*model_on(net, &connection(kind, &server.base)),
        request(Stage::Respond, "hello"),
    )
    .await;
    assert_eq!(heard.broken_rule, None, "{kind:?}");
    heard
}

/// Returns the head of a reply whose body ends with the connection.
pub fn head(status: &str, kind: &str, extra: &str) -> Step {
    Step::Send(
        format!("HTTP/1.1 {status}\r\ncontent-type: {kind}\r\nconnection: close\r\n{extra}\r\n")
            .into_bytes(),
    )
}

/// Returns a whole reply with a status and a JSON body.
pub fn json_reply(status: &str, extra: &str, body: &Value) -> Vec<Step> {
    vec![
        head(status, "application/json", extra),
        Step::Send(body.to_string().into_bytes()),
    ]
}

/// Text of every good reply below.
pub const SAID: &str = "grüße 漢字 🦀";

/// Returns a good reply of each provider: content type, body, and the byte at which it is complete.
pub fn good(kind: ProviderKind) -> (&'static str, Vec<u8>, usize) {
    let (first, second) = SAID.split_at("grüße ".len());
    let events = |events: &[Value]| -> Vec<String> {
        events
            .iter()
            .map(|event| match event.get("type").and_then(Value::as_str) {
                Some(name) => format!("event: {name}\ndata: {event}\n\n"),
                None => format!("data: {event}\n\n"),
            })
            .collect()
    };
    // The third value is the number of frames after the one with the stop reason.
    let (media, mut frames, after_stop) = match kind {
        ProviderKind::Compatible | ProviderKind::OpenAi => (
            "text/event-stream",
            events(&[
                json!({"choices": [{"index": 0, "delta": {"role": "assistant", "content": first}}]}),
                json!({"choices": [{"index": 0, "delta": {"content": second}}]}),
                json!({"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}),
                json!({"choices": [], "usage": {"prompt_tokens": 21, "completion_tokens": 12}}),
            ]),
            1,
        ),
        ProviderKind::Anthropic => (
            "text/event-stream",
            events(&[
                json!({"type": "message_start", "message": {"usage": {"input_tokens": 21, "output_tokens": 1}}}),
                json!({"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}),
                json!({"type": "ping"}),
                json!({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": first}}),
                json!({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": second}}),
                json!({"type": "content_block_stop", "index": 0}),
                json!({"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 12}}),
                json!({"type": "message_stop"}),
            ]),
            1,
        ),
        ProviderKind::Gemini => (
            "text/event-stream",
            events(&[
                json!({"candidates": [{"content": {"role": "model", "parts": [{"text": first}]}}]}),
                json!({"candidates": [{"content": {"role": "model", "parts": [{"text": second}]}, "finishReason": "STOP"}],
                    "usageMetadata": {"promptTokenCount": 21, "candidatesTokenCount": 10, "thoughtsTokenCount": 2}}),
            ]),
            0,
        ),
        ProviderKind::Ollama => (
            "application/x-ndjson",
            [
                json!({"message": {"role": "assistant", "content": first}, "done": false}),
                json!({"message": {"role": "assistant", "content": second}, "done": false}),
                json!({"message": {"role": "assistant", "content": ""}, "done": true, "done_reason": "stop",
                    "prompt_eval_count": 21, "eval_count": 12}),
            ]
            .iter()
            .map(|line| format!("{line}\n"))
            .collect(),
            0,
        ),
        ProviderKind::File => panic!("a file is no server"),
    };
    if matches!(kind, ProviderKind::Compatible | ProviderKind::OpenAi) {
        frames.push("data: [DONE]\n\n".to_owned());
    }
    let tail = if matches!(kind, ProviderKind::Compatible | ProviderKind::OpenAi) {
        after_stop + 1
    } else {
        after_stop
    };
    let whole_at = frames[..frames.len() - tail].concat().len();
    (media, frames.concat().into_bytes(), whole_at)
}
