//! Exact faults, for every provider: what comes is given byte by byte, what was sent is looked at.

use std::time::Duration;

use crate::support::{
    Heard, KEY, SAID, Scripted, Step, connection, good, head, hear, json_reply, model, model_on,
    net, request,
};
use adjutant_domain::model::{ModelFault, Stage, StopReason};
use adjutant_models::ProviderKind;
use adjutant_net::NetClient;
use futures::StreamExt;
use serde_json::json;

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
        // It has a price, and is on this computer all the same.
        assert_eq!(usage.cost_micros, 0);
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
async fn the_connection_is_used_again_after_a_whole_reply() {
    for kind in ProviderKind::ALL {
        let (media, body, _) = good(kind);
        let head = format!(
            "HTTP/1.1 200 OK\r\ncontent-type: {media}\r\ntransfer-encoding: chunked\r\n\r\n{:x}\r\n",
            body.len()
        );
        let whole = [head.as_bytes(), &body, b"\r\n0\r\n\r\n"].concat();
        let server = Scripted::start(vec![vec![
            Step::Send(whole.clone()),
            Step::NextRequest,
            Step::Send(whole.clone()),
            Step::NextRequest,
            Step::Send(whole),
            Step::Silence,
        ]])
        .await;
        let model = model(&connection(kind, &server.base));
        for _ in 0..3 {
            assert_eq!(
                hear(&*model, request(Stage::Respond, "hello")).await.text,
                SAID
            );
        }
        assert_eq!(server.asked.lock().unwrap().len(), 3, "{kind:?}");
        let made = server.accepted.load(std::sync::atomic::Ordering::Relaxed);
        assert_eq!(made, 1, "{kind:?} made {made} connections");
    }
}

#[tokio::test]
async fn a_connection_that_was_closed_since_is_made_anew_and_one_that_is_always_cut_is_told() {
    let kind = ProviderKind::Compatible;
    let (media, body, _) = good(kind);
    let head = format!(
        "HTTP/1.1 200 OK\r\ncontent-type: {media}\r\ntransfer-encoding: chunked\r\n\r\n{:x}\r\n",
        body.len()
    );
    let whole = [head.as_bytes(), &body, b"\r\n0\r\n\r\n"].concat();
    // The second request still reaches the first connection, which ends before a reply begins.
    let server = Scripted::start(vec![
        vec![Step::Send(whole.clone()), Step::NextRequest, Step::Reset],
        vec![Step::Send(whole), Step::NextRequest, Step::Reset],
        vec![Step::Reset],
    ])
    .await;
    let model = model(&connection(kind, &server.base));
    for _ in 0..2 {
        let heard = hear(&*model, request(Stage::Respond, "hello")).await;
        assert_eq!((heard.text.as_str(), heard.fault), (SAID, None));
    }
    let made = || server.accepted.load(std::sync::atomic::Ordering::Relaxed);
    assert_eq!(made(), 2);
    let heard = hear(&*model, request(Stage::Respond, "hello")).await;
    assert!(
        matches!(heard.fault, Some(ModelFault::Cut { .. })),
        "{heard:?}"
    );
    assert_eq!(made(), 3, "asked once more, not again and again");
}
