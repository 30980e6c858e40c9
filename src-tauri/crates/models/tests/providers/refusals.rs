//! Tests that a provider's refusal, or a reply that is not one, becomes the right fault.

use std::time::Duration;

use crate::replies::{ask, good, head, json_reply};
use crate::support::{KEY, Step, net};
use adjutant_domain::model::ModelFault;
use adjutant_models::ProviderKind;
use serde_json::json;

#[tokio::test]
async fn maps_every_status_to_the_right_fault() {
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
async fn reports_what_is_not_a_reply() {
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
        // Leaves out the frame that ends the reply.
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
