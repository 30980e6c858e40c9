//! Contract tests for search engines, run with every adapter: what they find, and every way in which a server
//! misbehaves.

#![expect(
    clippy::expect_used,
    clippy::panic,
    reason = "a test that cannot go on has failed"
)]

mod common;

use std::sync::Arc;
use std::time::Duration;

use adjutant_domain::ports::{SearchEngine, SourceAddress, SourceFault};
use adjutant_web::EngineKind;
use adjutant_web::engines::{Asks, Brave, SearXng, Tavily, Wikipedia};
use common::{FixedClock, OneKey, net};
use serde_json::{Value, json};
use wiremock::matchers::any;
use wiremock::{Mock, MockServer, ResponseTemplate};

const WITHIN: Duration = Duration::from_secs(5);
/// Engines that this crate queries over HTTP. A search tool of an MCP server is called like any other tool.
const OVER_HTTP: [EngineKind; 4] = [
    EngineKind::Wikipedia,
    EngineKind::SearXng,
    EngineKind::Tavily,
    EngineKind::Brave,
];

fn engine(kind: EngineKind, base: &str) -> Arc<dyn SearchEngine> {
    engine_with(kind, base, Some("secret-key"))
}

fn engine_with(kind: EngineKind, base: &str, key: Option<&'static str>) -> Arc<dyn SearchEngine> {
    let asks = Asks {
        net: net(),
        clock: Arc::new(FixedClock),
        base: base.parse().expect("an address"),
    };
    let keys = Arc::new(OneKey(key));
    match kind {
        EngineKind::SearXng => Arc::new(SearXng(asks)),
        EngineKind::Tavily => Arc::new(Tavily { asks, keys }),
        EngineKind::Brave => Arc::new(Brave { asks, keys }),
        EngineKind::Wikipedia => Arc::new(Wikipedia(asks)),
        EngineKind::Server => panic!("not over HTTP"),
    }
}

/// Builds an answer with these results in the format of an engine.
fn answer(kind: EngineKind, rows: &[(&str, &str, &str)]) -> Value {
    let list = |text: &str| -> Vec<Value> {
        let row = |(url, title, snippet): &(&str, &str, &str)| json!({"url": url, "title": title, text: snippet, "snippet": snippet});
        rows.iter().map(row).collect()
    };
    match kind {
        EngineKind::SearXng | EngineKind::Tavily => json!({"results": list("content")}),
        EngineKind::Brave => json!({"type": "search", "web": {"results": list("description")}}),
        EngineKind::Wikipedia => json!({"query": {"search": list("snippet")}}),
        EngineKind::Server => panic!("not over HTTP"),
    }
}

async fn server(reply: ResponseTemplate) -> MockServer {
    let server = MockServer::start().await;
    Mock::given(any()).respond_with(reply).mount(&server).await;
    server
}

async fn asked(kind: EngineKind, reply: ResponseTemplate) -> Result<usize, SourceFault> {
    let server = server(reply).await;
    let found = engine(kind, &server.uri())
        .search("towers of Kiel", 5, WITHIN)
        .await;
    found.map(|found| found.len())
}

#[tokio::test]
async fn returns_plain_results_in_order() {
    for kind in OVER_HTTP {
        let rows = [
            (
                "https://a.example/x",
                "One &amp; two",
                "<b>tower</b> of Kiel",
            ),
            ("https://b.example/", "Three", ""),
            ("https://a.example/x#again", "One & two", ""),
        ];
        let server = server(ResponseTemplate::new(200).set_body_json(answer(kind, &rows))).await;
        let engine = engine(kind, &format!("{}/below/", server.uri()));
        let found = engine
            .search("  towers\n of Kiel ", 9, WITHIN)
            .await
            .expect("found");
        assert_eq!(found[0].title, "One & two", "{kind:?}");
        assert_eq!(found[0].snippet, "tower of Kiel", "{kind:?}");
        // Wikipedia results are identified by title, not by URL.
        let places = if kind == EngineKind::Wikipedia { 3 } else { 2 };
        assert_eq!(found.len(), places, "{kind:?}: no place twice");
        if kind != EngineKind::Wikipedia {
            assert_eq!(
                found[0].at,
                SourceAddress::Page {
                    url: "https://a.example/x".into()
                }
            );
        }
        let sent = server.received_requests().await.expect("requests");
        let sent = sent.first().expect("one request");
        let body = String::from_utf8_lossy(&sent.body);
        let words = sent
            .url
            .query_pairs()
            .any(|(_, value)| value == "towers of Kiel");
        assert!(
            words || body.contains("\"towers of Kiel\""),
            "{kind:?}: {}",
            sent.url
        );
        assert!(
            sent.url.path().starts_with("/below/"),
            "{kind:?}: {}",
            sent.url
        );
        assert!(
            !sent.url.as_str().contains("secret-key"),
            "{kind:?}: {}",
            sent.url
        );
    }
}

#[tokio::test]
async fn wikipedia_results_are_identified_by_title() {
    let rows = [("", "AC/DC live", "")];
    let reply = ResponseTemplate::new(200).set_body_json(answer(EngineKind::Wikipedia, &rows));
    let server = server(reply).await;
    let engine = engine(EngineKind::Wikipedia, &server.uri());
    let found = engine.search("band", 3, WITHIN).await.expect("found");
    let url = format!("{}/wiki/AC%2FDC_live", server.uri());
    assert_eq!(found[0].at, SourceAddress::Page { url });
}

#[tokio::test]
async fn reports_every_refusal_accurately() {
    for kind in OVER_HTTP {
        let status = |code: u16| ResponseTemplate::new(code).set_body_string("no");
        let limited = status(429).insert_header("retry-after", "30");
        let fault = asked(kind, limited).await.expect_err("limited");
        let wait = Some(Duration::from_secs(30));
        assert!(
            matches!(&fault, SourceFault::Limited { retry_after, .. } if *retry_after == wait),
            "{kind:?}: {fault:?}"
        );
        for code in [500, 502, 503] {
            let fault = asked(kind, status(code)).await.expect_err("down");
            assert!(
                matches!(fault, SourceFault::Down { .. }),
                "{kind:?}: {fault:?}"
            );
        }
        let page =
            ResponseTemplate::new(200).set_body_raw("<!doctype html><h1>Sign in</h1>", "text/html");
        for garbage in [
            page,
            ResponseTemplate::new(200).set_body_string("{\"results\": [{\"url\": \"https://a.exa"),
            ResponseTemplate::new(200).set_body_string(""),
            ResponseTemplate::new(200).set_body_json(json!({"hello": [1, 2]})),
            ResponseTemplate::new(200).set_body_json(json!([])),
            ResponseTemplate::new(200).set_body_string("[".repeat(100_000)),
        ] {
            let fault = asked(kind, garbage).await.expect_err("garbled");
            assert!(
                matches!(fault, SourceFault::Garbled { .. }),
                "{kind:?}: {fault:?}"
            );
        }
        let huge = ResponseTemplate::new(200).set_body_string(" ".repeat(5 * 1024 * 1024));
        let fault = asked(kind, huge).await.expect_err("too large");
        assert!(
            matches!(fault, SourceFault::TooLarge { .. }),
            "{kind:?}: {fault:?}"
        );
        let elsewhere =
            ResponseTemplate::new(302).insert_header("location", "http://169.254.169.254/");
        let fault = asked(kind, elsewhere).await.expect_err("redirected");
        assert!(
            matches!(fault, SourceFault::Refused { .. }),
            "{kind:?}: {fault:?}"
        );
        assert_eq!(
            asked(
                kind,
                ResponseTemplate::new(200).set_body_json(answer(kind, &[]))
            )
            .await,
            Ok(0)
        );
    }
}

#[tokio::test]
async fn ends_in_time_and_refuses_long_queries() {
    for kind in OVER_HTTP {
        let server = server(ResponseTemplate::new(200).set_delay(Duration::from_secs(60))).await;
        let engine = engine(kind, &server.uri());
        let fault = engine.search("x", 5, Duration::from_millis(200)).await;
        assert!(
            matches!(fault, Err(SourceFault::TimedOut { .. })),
            "{kind:?}: {fault:?}"
        );
        for query in ["", " \n", &"x ".repeat(300)] {
            let fault = engine.search(query, 5, WITHIN).await;
            assert!(
                matches!(fault, Err(SourceFault::Refused { .. })),
                "{kind:?}: {fault:?}"
            );
        }
    }
}

#[tokio::test]
async fn sends_keys_only_to_their_engine() {
    for (kind, code, body) in [
        (
            EngineKind::Tavily,
            401,
            json!({"detail": {"error": "Unauthorized"}}),
        ),
        (
            EngineKind::Brave,
            422,
            json!({"error": {"code": "SUBSCRIPTION_TOKEN_INVALID"}}),
        ),
    ] {
        let fault = asked(kind, ResponseTemplate::new(code).set_body_json(body)).await;
        assert!(
            matches!(fault, Err(SourceFault::WrongKey { .. })),
            "{kind:?}: {fault:?}"
        );
        let none = engine_with(kind, "http://127.0.0.1:9/", None)
            .search("x", 5, WITHIN)
            .await;
        assert!(
            matches!(none, Err(SourceFault::NotConfigured { .. })),
            "{kind:?}: {none:?}"
        );
        let open = engine(kind, "http://engine.example/")
            .search("x", 5, WITHIN)
            .await;
        let fault = open.expect_err("not encrypted");
        assert!(!fault.was_sent(), "{kind:?}: {fault:?}");
    }
    let plan = asked(EngineKind::Tavily, ResponseTemplate::new(432)).await;
    assert!(matches!(plan, Err(SourceFault::Limited { .. })), "{plan:?}");
    let no_json = asked(EngineKind::SearXng, ResponseTemplate::new(403))
        .await
        .expect_err("refused");
    assert!(no_json.to_string().contains("JSON"), "{no_json}");
}
