//! Tests of the server with clients of both revisions, with malformed input, and over HTTP.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use adjutant_domain::faults::UserFault;
use adjutant_mcp::server::{
    Answered, MESSAGE_BYTES_MAX, Offer, Offered, serve_http, serve_streams,
};
use adjutant_net::LocalServer;
use async_trait::async_trait;
use rmcp::ServiceError;
use rmcp::model::{CallToolRequestParams, ClientConfig, ProtocolVersion};
use rmcp::service::{ClientLifecycleMode, ClientServiceExt as _, RoleClient, RunningService};
use serde_json::{Map, Value, json};
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::TcpStream;
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

const TOKEN: &str = "adj_right";

/// Answers who called what. It answers `wait.here` only once a test opens the gate.
struct Desk {
    gate: Semaphore,
    waiting: AtomicUsize,
}

impl Desk {
    fn new() -> Arc<Self> {
        Arc::new(Self {
            gate: Semaphore::new(0),
            waiting: AtomicUsize::new(0),
        })
    }
}

#[async_trait]
impl Offer for Desk {
    async fn tools(&self) -> Result<Vec<Offered>, UserFault> {
        let tool = |name: &str, reads| Offered {
            name: name.into(),
            description: "One of the tests.".into(),
            schema: Map::new(),
            reads,
        };
        Ok(vec![tool("calendar.list", true), tool("wait.here", false)])
    }

    async fn call(&self, program: &str, tool: &str, args: Value) -> Result<Answered, UserFault> {
        match tool {
            "calendar.list" => {}
            "wait.here" => {
                self.waiting.fetch_add(1, Ordering::SeqCst);
                self.gate.acquire().await.unwrap().forget();
            }
            "refuse.it" => return Err(UserFault::new("not_shared", "No.", "Share it.")),
            other => return Err(UserFault::new("unknown_tool", format!("No {other}."), "")),
        }
        Ok(Answered {
            say: format!("{program} called {tool}"),
            output: json!({ "args": args }),
            foreign: true,
        })
    }

    async fn admits(&self, token: &str) -> Result<bool, UserFault> {
        Ok(token == TOKEN)
    }
}

type Client = RunningService<RoleClient, ClientConfig>;

/// Connects a client of a revision to a server of its own.
async fn client(desk: Arc<Desk>, lifecycle: ClientLifecycleMode) -> Client {
    let (here, there) = tokio::io::duplex(64 * 1024);
    #[expect(clippy::disallowed_methods, reason = "it ends with its client")]
    tokio::spawn(serve_streams(
        desk,
        tokio::io::split(there),
        CancellationToken::new(),
    ));
    let mut config = ClientConfig::default();
    config.client_info.name = "a test".into();
    config.serve_with_lifecycle(here, lifecycle).await.unwrap()
}

fn call(tool: &'static str) -> CallToolRequestParams {
    let mut args = Map::new();
    args.insert("days".into(), json!(3));
    CallToolRequestParams::new(tool).with_arguments(args)
}

#[tokio::test]
async fn clients_of_both_revisions_list_and_call() {
    let newest = ProtocolVersion::V_2026_07_28;
    for (lifecycle, version) in [
        (ClientLifecycleMode::Initialize, "2025-11-25"),
        (
            ClientLifecycleMode::Discover {
                preferred_versions: vec![newest],
            },
            "2026-07-28",
        ),
    ] {
        let client = client(Desk::new(), lifecycle).await;
        let spoken = client.peer_info().unwrap().protocol_version.clone();
        assert_eq!(spoken.as_str(), version);
        let tools = client.list_all_tools().await.unwrap();
        let names: Vec<&str> = tools.iter().map(|tool| &*tool.name).collect();
        assert_eq!(names, ["calendar_list", "wait_here"]);
        assert_eq!(tools[0].input_schema["type"], "object");
        let reads = |at: usize| tools[at].annotations.as_ref().unwrap().read_only_hint;
        assert_eq!((reads(0), reads(1)), (Some(true), Some(false)));

        for name in ["calendar_list", "calendar.list"] {
            let answer = client.call_tool(call(name)).await.unwrap();
            let texts: Vec<&str> = answer
                .content
                .iter()
                .map(|block| block.as_text().unwrap().text.as_str())
                .collect();
            assert!(texts[0].starts_with("Others wrote parts"), "{texts:?}");
            assert_eq!(texts[1], "a test called calendar.list");
            assert_eq!(
                answer.structured_content,
                Some(json!({"args": {"days": 3}}))
            );
        }
        let refused = client.call_tool(call("refuse_it")).await.unwrap();
        assert_eq!(refused.is_error, Some(true), "the program reads why");
        let unknown = client.call_tool(call("nothing_here")).await;
        assert!(
            matches!(&unknown, Err(ServiceError::McpError(error)) if error.code.0 == -32602),
            "{unknown:?}"
        );
    }
}

#[tokio::test]
async fn refuses_excess_calls_and_answers_the_rest() {
    let desk = Desk::new();
    let client = client(desk.clone(), ClientLifecycleMode::Initialize).await;
    let calls = futures::future::join_all((0..40).map(|_| client.call_tool(call("wait_here"))));
    let open = async {
        // The other calls have been refused already; those here wait for the gate.
        while desk.waiting.load(Ordering::SeqCst) < 8 {
            tokio::task::yield_now().await;
        }
        client.list_all_tools().await.unwrap();
        desk.gate.add_permits(40);
    };
    let (answers, ()) = tokio::join!(calls, open);
    let refused = answers
        .iter()
        .filter(|answer| answer.as_ref().unwrap().is_error == Some(true))
        .count();
    assert!((1..=32).contains(&refused), "{refused} of 40");
    assert_eq!(desk.waiting.load(Ordering::SeqCst), 40 - refused);
}

#[tokio::test]
async fn ignores_rubbish_and_departing_clients() {
    let (here, there) = tokio::io::duplex(64 * 1024);
    let serving = serve_streams(
        Desk::new(),
        tokio::io::split(there),
        CancellationToken::new(),
    );
    let (reading, mut writing) = tokio::io::split(here);
    let talking = async move {
        writing.write_all(b"<html>\n{\"jsonrpc\":\n").await.unwrap();
        let long = vec![b'x'; MESSAGE_BYTES_MAX + 1024];
        writing.write_all(&long).await.unwrap();
        let deep = format!("\n{}\n", "[".repeat(10_000));
        writing.write_all(deep.as_bytes()).await.unwrap();
        let begin = json!({"jsonrpc": "2.0", "id": 7, "method": "initialize", "params": {
            "protocolVersion": "2025-11-25", "capabilities": {},
            "clientInfo": {"name": "odd", "version": "1"}}});
        writing
            .write_all(format!("{begin}\n").as_bytes())
            .await
            .unwrap();
        let mut lines = BufReader::new(reading).lines();
        loop {
            let line = lines.next_line().await.unwrap().unwrap();
            let said: Value = serde_json::from_str(&line).unwrap();
            if said["id"] == 7 {
                break said;
            }
        }
    };
    let (ended, said) = tokio::join!(serving, talking);
    assert_eq!(said["result"]["serverInfo"]["name"], "adjutant");
    drop(ended);
    let (here, there) = tokio::io::duplex(64);
    drop(here);
    let ended = serve_streams(
        Desk::new(),
        tokio::io::split(there),
        CancellationToken::new(),
    );
    ended.await.unwrap();
}

/// Returns the HTTP status with which the server answers a request with these headers.
async fn status(address: std::net::SocketAddr, path: &str, headers: &str, body: &str) -> u16 {
    let mut stream = TcpStream::connect(address).await.unwrap();
    let head = format!(
        "POST {path} HTTP/1.1\r\nConnection: close\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\nContent-Length: {}\r\n{headers}\r\n",
        body.len()
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    // The server may refuse the request before it has read all of it.
    drop(stream.write_all(body.as_bytes()).await);
    let mut said = vec![0; 12];
    stream.read_exact(&mut said).await.unwrap();
    String::from_utf8(said).unwrap()[9..12].parse().unwrap()
}

#[tokio::test]
async fn http_refuses_requests_without_a_token_or_from_elsewhere() {
    let server = LocalServer::bind(0).await.unwrap();
    let address = server.address().unwrap();
    assert!(address.ip().is_loopback());
    let stop = CancellationToken::new();
    let begin = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-11-25", "capabilities": {},
        "clientInfo": {"name": "a test", "version": "1"}}})
    .to_string();
    let asking = async {
        let host = format!("Host: {address}\r\n");
        let right = format!("{host}Authorization: Bearer {TOKEN}\r\n");
        let evil = format!("Host: evil.example\r\nAuthorization: Bearer {TOKEN}\r\n");
        let page = |origin: &str| format!("{right}Origin: {origin}\r\n");
        let huge = "x".repeat(MESSAGE_BYTES_MAX + 1);
        let wrong = format!("{host}Authorization: Bearer adj_wrong\r\n");
        for (path, headers, body, expect) in [
            ("/mcp", &host, &begin, 401),
            ("/mcp", &wrong, &begin, 401),
            ("/mcp", &evil, &begin, 403),
            ("/mcp", &page("https://evil.example"), &begin, 403),
            ("/mcp", &page("null"), &begin, 403),
            ("/", &right, &begin, 404),
            ("/mcp", &right, &huge, 413),
            ("/mcp", &page("http://localhost:6274"), &begin, 200),
            ("/mcp", &right, &begin, 200),
        ] {
            let got = status(address, path, headers, body).await;
            assert_eq!(got, expect, "{path} {headers}");
        }
        stop.cancel();
    };
    tokio::join!(serve_http(Desk::new(), server, stop.clone()), asking);
    assert!(TcpStream::connect(address).await.is_err(), "it is closed");
}
