//! Exact faults, for every provider: what comes is given byte by byte, what was sent is looked at.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that cannot go on has failed"
)]

mod support;

use std::time::Duration;

use adjutant_domain::model::{ModelFault, ReplyShape, Role, Stage, StopReason, Tier};
use adjutant_models::ProviderKind;
use adjutant_net::NetClient;
use futures::StreamExt;
use serde_json::json;
use support::{
    Heard, KEY, SAID, Scripted, Step, connection, good, head, hear, json_reply, message, model,
    model_on, net, plan_schema, request, tools,
};

async fn ask(net: &NetClient, kind: ProviderKind, script: Vec<Step>) -> Heard {
    let server = Scripted::start(vec![script]).await;
    let heard = hear(
        &*model_on(net, &connection(kind, &server.base)),
        request(Stage::Respond, "hello"),
    )
    .await;
    assert_eq!(heard.broken_rule, None, "{kind:?}");
    heard
}

#[tokio::test]
async fn a_good_reply_is_told_whole_with_its_figures() {
    let net = net();
    for kind in ProviderKind::ALL {
        let (media, body, _) = good(kind);
        let heard = ask(
            &net,
            kind,
            vec![head("200 OK", media, ""), Step::Send(body)],
        )
        .await;
        assert_eq!(heard.fault, None, "{kind:?}");
        assert_eq!(heard.text, SAID, "{kind:?}");
        assert_eq!(heard.answering, ["peer/test-model"]);
        assert_eq!(heard.stop, Some(StopReason::Complete));
        let usage = heard.usage;
        assert_eq!(
            (usage.input, usage.output, usage.estimated),
            (21, 12, false),
            "{kind:?}"
        );
        // 21 tokens at 3 and 12 at 15 for a million.
        assert_eq!(usage.cost_micros, 63 + 180);
    }
}

#[tokio::test]
async fn a_reply_cut_at_any_byte_is_a_cut_and_never_an_answer() {
    let net = net();
    for kind in ProviderKind::ALL {
        let (media, body, whole_at) = good(kind);
        for cut in 0..=body.len() {
            let script = vec![head("200 OK", media, ""), Step::Send(body[..cut].to_vec())];
            let heard = ask(&net, kind, script).await;
            // The last line break of a frame adds nothing a line-wise reader needs.
            let lines = kind == ProviderKind::Ollama && cut + 1 == whole_at;
            if cut >= whole_at || lines {
                assert_eq!(heard.text, SAID, "{kind:?} cut at {cut}");
                assert_eq!(
                    heard.stop,
                    Some(StopReason::Complete),
                    "{kind:?} cut at {cut}"
                );
            } else {
                assert!(
                    matches!(heard.fault, Some(ModelFault::Cut { .. })),
                    "{kind:?} cut at {cut}: {heard:?}"
                );
                assert!(SAID.starts_with(&heard.text), "{kind:?} cut at {cut}");
            }
        }
    }
}

#[tokio::test]
async fn a_reset_connection_is_a_cut() {
    let net = net();
    for kind in ProviderKind::ALL {
        let (media, body, whole_at) = good(kind);
        let half = body[..whole_at / 2].to_vec();
        let script = vec![
            head("200 OK", media, "content-length: 100000\r\n"),
            Step::Send(half),
            Step::Reset,
        ];
        let heard = ask(&net, kind, script).await;
        // The reset may overtake the head of the reply.
        assert!(
            matches!(
                heard.fault,
                Some(ModelFault::Cut { .. } | ModelFault::Unreachable { .. })
            ),
            "{kind:?}: {heard:?}"
        );
    }
}

#[tokio::test]
async fn silence_is_noticed_before_during_and_instead_of_a_reply() {
    for kind in ProviderKind::ALL {
        let (media, body, whole_at) = good(kind);
        let half = body[..whole_at / 2].to_vec();
        for script in [
            vec![Step::Silence],
            vec![head("200 OK", media, ""), Step::Silence],
            vec![head("200 OK", media, ""), Step::Send(half), Step::Silence],
        ] {
            let server = Scripted::start(vec![script.clone()]).await;
            let mut connection = connection(kind, &server.base);
            connection.first_piece_seconds = Some(1);
            connection.between_pieces_seconds = Some(1);
            let heard = hear(&*model(&connection), request(Stage::Respond, "hello")).await;
            assert_eq!(
                heard.fault,
                Some(ModelFault::Stalled {
                    model: "peer/test-model".to_owned(),
                    waited: Duration::from_secs(1)
                }),
                "{kind:?}"
            );
            // The connection is given up, not left open.
            let mut hung_up = server.hung_up.clone();
            hung_up.wait_for(|count| *count > 0).await.unwrap();
        }
    }
}

#[tokio::test]
async fn signs_of_life_are_no_words() {
    let comments = b": OPENROUTER PROCESSING\n\n".repeat(5);
    let server = Scripted::start(vec![vec![
        head("200 OK", "text/event-stream", ""),
        Step::Send(comments),
        Step::Silence,
    ]])
    .await;
    let mut connection = connection(ProviderKind::Compatible, &server.base);
    connection.first_piece_seconds = Some(1);
    let heard = hear(&*model(&connection), request(Stage::Respond, "hello")).await;
    assert!(
        matches!(heard.fault, Some(ModelFault::Stalled { .. })),
        "{heard:?}"
    );
}

#[tokio::test]
async fn a_whole_reply_ends_although_the_server_keeps_the_line() {
    let net = net();
    for kind in ProviderKind::ALL {
        let (media, body, _) = good(kind);
        let script = vec![head("200 OK", media, ""), Step::Send(body), Step::Silence];
        let heard = ask(&net, kind, script).await;
        assert_eq!(heard.stop, Some(StopReason::Complete), "{kind:?}");
    }
}

#[tokio::test]
async fn dropping_the_stream_hangs_up() {
    for kind in ProviderKind::ALL {
        let (media, body, whole_at) = good(kind);
        let half = body[..whole_at].to_vec();
        let server = Scripted::start(vec![vec![
            head("200 OK", media, ""),
            Step::Send(half),
            Step::Silence,
        ]])
        .await;
        let model = model(&connection(kind, &server.base));
        let mut stream = model.stream(std::sync::Arc::new(request(Stage::Respond, "hello")));
        stream.next().await.unwrap().unwrap();
        stream.next().await.unwrap().unwrap();
        drop(stream);
        let mut hung_up = server.hung_up.clone();
        hung_up.wait_for(|count| *count > 0).await.unwrap();
    }
}

#[tokio::test]
async fn every_status_is_the_right_fault() {
    let net = net();
    let said = |message: &str| json!({"error": {"message": message, "type": "some_error"}});
    let id = || "peer/test-model".to_owned();
    let busy = |seconds: u64| ModelFault::Busy {
        model: id(),
        retry_after: (seconds > 0).then(|| Duration::from_secs(seconds)),
    };
    let refused = |why: &str| ModelFault::Refused {
        model: id(),
        why: why.to_owned(),
    };
    let broken = |why: &str| ModelFault::Broken {
        model: id(),
        why: why.to_owned(),
    };
    let key = || ModelFault::Key { model: id() };
    let nowhere = || ModelFault::NoSuchModel { model: id() };
    let too_long = || ModelFault::TooLong { model: id() };
    let date =
        "date: Fri, 20 Nov 2026 10:00:00 GMT\r\nretry-after: Fri, 20 Nov 2026 10:00:40 GMT\r\n";
    let cases = vec![
        ("401 Unauthorized", "", said("no"), key()),
        ("403 Forbidden", "", said("bad api key"), key()),
        (
            "403 Forbidden",
            "",
            said("not in your country."),
            refused("not in your country"),
        ),
        (
            "400 Bad Request",
            "",
            said("API key not valid. Please pass a valid API key."),
            key(),
        ),
        (
            "402 Payment Required",
            "",
            said("pay"),
            refused("the account has no credit left; top it up with the provider"),
        ),
        (
            "429 Too Many Requests",
            "",
            json!({"error": {"code": "insufficient_quota", "message": "quota"}}),
            refused("the account has no credit left; top it up with the provider"),
        ),
        ("404 Not Found", "", said("model 'x' not found"), nowhere()),
        (
            "400 Bad Request",
            "",
            said("x is not a valid model ID"),
            nowhere(),
        ),
        ("308 Permanent Redirect", "", said(""), nowhere()),
        (
            "429 Too Many Requests",
            "retry-after: 7\r\n",
            said("slow down"),
            busy(7),
        ),
        (
            "429 Too Many Requests",
            "retry-after-ms: 3000\r\n",
            said("slow down"),
            busy(3),
        ),
        ("429 Too Many Requests", date, said("slow down"), busy(40)),
        (
            "429 Too Many Requests",
            "retry-after: 1e300\r\n",
            said("slow down"),
            busy(0),
        ),
        (
            "429 Too Many Requests",
            "retry-after: 999999999\r\n",
            said("slow down"),
            busy(3600),
        ),
        (
            "429 Too Many Requests",
            "",
            json!([{"error": {"code": 429, "message": "quota",
            "details": [{"@type": "RetryInfo", "retryDelay": "12s"}]}}]),
            busy(12),
        ),
        ("529 Overloaded", "", said("Overloaded"), busy(0)),
        (
            "503 Service Unavailable",
            "retry-after: 5\r\n",
            said("soon"),
            busy(5),
        ),
        (
            "503 Service Unavailable",
            "",
            said("later"),
            broken("later"),
        ),
        (
            "500 Internal Server Error",
            "",
            json!({"error": "boom"}),
            broken("boom"),
        ),
        ("502 Bad Gateway", "", json!("?"), broken("?")),
        (
            "422 Unprocessable",
            "",
            json!({"detail": [{"msg": "field required"}]}),
            refused("field required"),
        ),
        ("413 Payload Too Large", "", said(""), too_long()),
        (
            "400 Bad Request",
            "",
            said("This model's maximum context length is 8192 tokens."),
            too_long(),
        ),
        (
            "400 Bad Request",
            "",
            said("prompt is too long: 210000 tokens > 200000 maximum"),
            too_long(),
        ),
        (
            "400 Bad Request",
            "",
            json!({"error": {"type": "exceed_context_size_error", "message": "x"}}),
            too_long(),
        ),
        ("418 Teapot", "", json!({}), refused("HTTP 418")),
        (
            "400 Bad Request",
            "",
            said(&format!("Incorrect key: {KEY}")),
            refused("Incorrect key: …"),
        ),
    ];
    for kind in ProviderKind::ALL {
        for (status, extra, body, want) in &cases {
            let heard = ask(&net, kind, json_reply(status, extra, body)).await;
            assert_eq!(heard.fault.as_ref(), Some(want), "{kind:?} {status} {body}");
            assert!(heard.answering.is_empty(), "nobody answered");
        }
    }
}

#[tokio::test]
async fn what_is_no_reply_is_said_to_be_none() {
    let net = net();
    for kind in ProviderKind::ALL {
        let (media, _, _) = good(kind);
        let garbage: Vec<(&str, Vec<u8>)> = vec![
            (media, b"data: {\"choices\": [{]}\n\ndata: {}\n\n".to_vec()),
            (media, b"data: \xff\xfe\n\n".to_vec()),
            (
                media,
                [b"data: ".as_slice(), &b"x".repeat(3 << 20), b"\n\n"].concat(),
            ),
            (media, b"\x00\x01\x02\n\n\n".repeat(3)),
        ];
        for (media, body) in garbage {
            let mut lines = body.clone();
            if kind == ProviderKind::Ollama {
                lines.extend_from_slice(b"\n{}\n");
            }
            let start = String::from_utf8_lossy(&body[..20.min(body.len())]).into_owned();
            let heard = ask(
                &net,
                kind,
                vec![head("200 OK", media, ""), Step::Send(lines)],
            )
            .await;
            assert!(
                matches!(
                    heard.fault,
                    Some(ModelFault::Broken { .. } | ModelFault::Cut { .. })
                ),
                "{kind:?} {start}: {heard:?}"
            );
        }
        let page = vec![
            head("200 OK", "text/html; charset=utf-8", ""),
            Step::Send(b"<html>Log in</html>".to_vec()),
        ];
        assert!(matches!(
            ask(&net, kind, page).await.fault,
            Some(ModelFault::NoSuchModel { .. })
        ));
    }
}

#[tokio::test]
async fn an_error_in_the_middle_ends_the_reply() {
    let net = net();
    let cases = [
        (
            ProviderKind::Compatible,
            json!({"error": {"code": 429, "message": "slow down"}}),
        ),
        (
            ProviderKind::OpenAi,
            json!({"error": {"type": "rate_limit_exceeded", "message": "slow down"}}),
        ),
        (
            ProviderKind::Anthropic,
            json!({"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}),
        ),
        (
            ProviderKind::Gemini,
            json!({"error": {"code": 429, "status": "RESOURCE_EXHAUSTED", "message": "slow down"}}),
        ),
        (ProviderKind::Ollama, json!({"error": "rate limit reached"})),
    ];
    for (kind, error) in cases {
        let (media, body, whole_at) = good(kind);
        let text = String::from_utf8(body[..whole_at].to_vec()).unwrap();
        // Without the frame that ends the reply.
        let separator = if kind == ProviderKind::Ollama {
            "\n"
        } else {
            "\n\n"
        };
        let kept: Vec<&str> = text.trim_end().split(separator).collect();
        let begun = kept[..kept.len() - 1].join(separator);
        let frame = if kind == ProviderKind::Ollama {
            format!("{begun}\n{error}\n")
        } else {
            format!("{begun}\n\ndata: {error}\n\n")
        };
        let heard = ask(
            &net,
            kind,
            vec![head("200 OK", media, ""), Step::Send(frame.into_bytes())],
        )
        .await;
        assert!(
            matches!(heard.fault, Some(ModelFault::Busy { .. })),
            "{kind:?}: {heard:?}"
        );
        assert!(!heard.text.is_empty());
    }
}

#[tokio::test]
async fn what_a_model_does_not_take_is_left_out_and_remembered() {
    let (media, body, _) = good(ProviderKind::Compatible);
    let fine = vec![head("200 OK", media, ""), Step::Send(body)];
    let refuse = |why: &str| json_reply("400 Bad Request", "", &json!({"error": {"message": why}}));
    let server = Scripted::start(vec![
        refuse("stream_options: Extra inputs are not permitted"),
        refuse("'response_format' of type json_schema is not supported"),
        refuse("test-model does not support tools"),
        fine.clone(),
        fine,
    ])
    .await;
    let model = model(&connection(ProviderKind::Compatible, &server.base));
    let mut planned = request(Stage::Plan, "plan it");
    planned.tools = tools();
    planned.reply = ReplyShape::Json {
        schema: plan_schema(),
    };
    let heard = hear(&*model, planned.clone()).await;
    assert_eq!((heard.fault, heard.text.as_str()), (None, SAID));
    let first = server.body(0);
    assert_eq!(first["response_format"]["json_schema"]["name"], "plan");
    assert_eq!(first["response_format"]["json_schema"]["strict"], true);
    assert_eq!(first["tools"][0]["function"]["name"], "task_list");
    let last = server.body(3);
    for gone in ["stream_options", "response_format", "tools"] {
        assert_eq!(last.get(gone), None, "{gone}");
    }
    let system = last["messages"][0]["content"].as_str().unwrap();
    assert!(
        system.contains("\"additionalProperties\":false"),
        "{system}"
    );
    assert!(!model.profile().tools && !model.profile().structure);
    hear(&*model, planned).await;
    assert_eq!(server.asked.lock().unwrap().len(), 5, "known by now");
}

#[tokio::test]
async fn each_provider_is_asked_in_its_own_way() {
    for kind in ProviderKind::ALL {
        let (media, body, _) = good(kind);
        let server = Scripted::start(vec![vec![head("200 OK", media, ""), Step::Send(body)]]).await;
        let mut connection = connection(kind, &server.base);
        connection
            .headers
            .0
            .insert("x-gateway".into(), "abc".into());
        let mut planned = request(Stage::Plan, "plan it");
        planned
            .messages
            .insert(0, message(Role::Assistant, "Welcome."));
        planned.reply = ReplyShape::Json {
            schema: plan_schema(),
        };
        hear(&*model(&connection), planned.clone()).await;
        planned.tools = tools();
        hear(&*model(&connection), planned).await;
        let head = server.head(0);
        assert!(head.contains("x-adjutant-stage: plan"), "{head}");
        assert!(head.contains("x-gateway: abc"), "{head}");
        let (plain, with_tools) = (server.body(0), server.body(1));
        let name = |value: &serde_json::Value| assert_eq!(value, "plan", "{kind:?}");
        match kind {
            ProviderKind::Compatible | ProviderKind::OpenAi => {
                assert!(head.starts_with("post /v1/chat/completions "), "{head}");
                assert!(
                    head.contains(&format!("authorization: bearer {KEY}")),
                    "{head}"
                );
                name(&plain["response_format"]["json_schema"]["name"]);
                assert_eq!(plain["stream_options"]["include_usage"], true);
                let limit = if kind == ProviderKind::OpenAi {
                    "max_completion_tokens"
                } else {
                    "max_tokens"
                };
                assert_eq!(plain[limit], 500);
                assert_eq!(plain["messages"][0]["role"], "system");
            }
            ProviderKind::Anthropic => {
                assert!(head.starts_with("post /v1/messages "), "{head}");
                assert!(head.contains(&format!("x-api-key: {KEY}")), "{head}");
                assert!(head.contains("anthropic-version: 2023-06-01"), "{head}");
                name(&plain["tool_choice"]["name"]);
                name(&plain["tools"][0]["name"]);
                assert_eq!(
                    plain["messages"][0]["role"], "user",
                    "it has to begin with the person"
                );
                assert_eq!(with_tools["tool_choice"]["type"], "any");
                assert_eq!(with_tools["tools"][0]["name"], "task_list");
            }
            ProviderKind::Gemini => {
                assert!(
                    head.starts_with(
                        "post /v1beta/models/test-model:streamgeneratecontent?alt=sse "
                    ),
                    "{head}"
                );
                assert!(head.contains(&format!("x-goog-api-key: {KEY}")), "{head}");
                name(&plain["generationConfig"]["responseJsonSchema"]["title"]);
                assert_eq!(
                    with_tools["toolConfig"]["functionCallingConfig"]["mode"],
                    "ANY"
                );
                name(&with_tools["tools"][0]["functionDeclarations"][2]["name"]);
            }
            ProviderKind::Ollama => {
                assert!(head.starts_with("post /api/chat "), "{head}");
                name(&plain["format"]["title"]);
                assert_eq!(plain["options"]["num_ctx"], 8192);
                assert_eq!(with_tools["tools"][1]["function"]["name"], "task_create");
            }
        }
    }
}

#[tokio::test]
async fn arguments_that_name_a_key_twice_stay_text() {
    let frames = concat!(
        "data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,\"id\":\"a\",\"function\":{\"name\":\"task_create\",\"arguments\":\"{\\\"title\\\":\\\"a\\\",\"}}]}}]}\n\n",
        "data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,\"function\":{\"arguments\":\"\\\"title\\\":\\\"b\\\"}\"}}]},\"finish_reason\":\"tool_calls\"}]}\n\n",
        "data: [DONE]\n\n"
    );
    let server = Scripted::start(vec![vec![
        head("200 OK", "text/event-stream", ""),
        Step::Send(frames.as_bytes().to_vec()),
    ]])
    .await;
    let mut asked = request(Stage::Plan, "plan it");
    asked.tools = tools();
    let heard = hear(
        &*model(&connection(ProviderKind::Compatible, &server.base)),
        asked,
    )
    .await;
    assert_eq!(heard.stop, Some(StopReason::Tools));
    assert_eq!(
        heard.calls,
        [(
            "task.create".to_owned(),
            json!("{\"title\":\"a\",\"title\":\"b\"}")
        )]
    );
    assert!(heard.usage.estimated && heard.usage.input > 10 && heard.usage.output > 3);
}

#[tokio::test]
async fn what_is_too_long_for_ollama_is_refused_here_because_it_would_not_say_so() {
    let (media, body, _) = good(ProviderKind::Ollama);
    let server = Scripted::start(vec![vec![head("200 OK", media, ""), Step::Send(body)]]).await;
    let model = model(&connection(ProviderKind::Ollama, &server.base));
    let long = "many words ".repeat(10_000);
    let heard = hear(&*model, request(Stage::Respond, &long)).await;
    assert!(
        matches!(heard.fault, Some(ModelFault::TooLong { .. })),
        "{heard:?}"
    );
    assert!(server.asked.lock().unwrap().is_empty());
}

#[tokio::test]
async fn nobody_there_is_unreachable_and_a_missing_key_is_told_before_anything_is_sent() {
    let listener = tokio::net::TcpListener::bind(("127.0.0.1", 0))
        .await
        .unwrap();
    let base = format!("http://{}", listener.local_addr().unwrap());
    drop(listener);
    for kind in ProviderKind::ALL {
        let connection = connection(kind, &base);
        let heard = hear(&*model(&connection), request(Stage::Respond, "hello")).await;
        assert!(
            matches!(heard.fault, Some(ModelFault::Unreachable { .. })),
            "{heard:?}"
        );
        let no_keys = std::collections::BTreeMap::new();
        let Err(fault) =
            adjutant_models::connect(&connection, Tier::Standard, &support::net(), &no_keys)
        else {
            panic!("connected without a key");
        };
        assert!(matches!(fault, ModelFault::Key { .. }));
    }
}
