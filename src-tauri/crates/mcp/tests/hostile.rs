//! Servers that end badly in the middle of a call: real programs and a real address. Each costs its own connection
//! only, and a bounded amount of memory.

#![cfg(target_os = "linux")]
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that cannot go on has failed"
)]

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use adjutant_domain::operation::{ToolOp, Why};
use adjutant_domain::ports::{EgressLog, Exchange};
use adjutant_mcp::{Access, Called, Connection, ServerFault, Way, connect};
use adjutant_net::{NetClient, NetSettings};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;

const GIGABYTE: u64 = 1 << 30;
/// Highest memory of this process, in KiB, while a server sends a gigabyte.
const MEMORY_KIB_MAX: u64 = 300 * 1024;

/// A server in the language of the shell; `CALL` stands for what it does when a tool is called.
const SERVER: &str = r#"while IFS= read -r line; do
  id=$(printf '%s' "$line" | sed -n 's/.*"id":\([0-9]*\).*/\1/p')
  case "$line" in
    *'"method":"initialize"'*) printf '{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"x","version":"1"}}}\n' "$id";;
    *'"method":"tools/call"'*) CALL;;
    *'"id":'*) printf '{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"unknown"}}\n' "$id";;
  esac
done"#;

const GOOD: &str = r#"printf '{"jsonrpc":"2.0","id":%s,"result":{"content":[{"type":"text","text":"fine"}]}}\n' "$id""#;

async fn started(call: &str, home: &Path) -> Connection {
    let env = [
        ("PATH", "/usr/bin:/bin".to_owned()),
        ("HOME", home.display().to_string()),
    ];
    let way = Way::Program {
        command: "/bin/sh".into(),
        args: vec!["-c".into(), SERVER.replace("CALL", call)],
        env: BTreeMap::from(env.map(|(name, value)| (name.to_owned(), value))),
    };
    open(way).await
}

async fn open(way: Way) -> Connection {
    let name = "test".into();
    connect(Access { name, way }).await.unwrap()
}

fn call() -> ToolOp {
    ToolOp {
        name: "x".into(),
        args: json!({}),
        schema: String::new(),
    }
}

fn text(called: Called) -> String {
    match called {
        Called::Answered(answer) => answer.text,
        other => panic!("{other:?}"),
    }
}

/// Returns the highest memory of this process so far.
fn memory_kib() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status
        .lines()
        .find(|line| line.starts_with("VmHWM"))
        .unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

#[tokio::test]
async fn damage_in_an_answer_ends_that_server_only() {
    let home = tempfile::tempdir().unwrap();
    let good = started(GOOD, home.path()).await;
    let deep = r#"open=$(head -c 10000 /dev/zero | tr '\0' '['); close=$(head -c 10000 /dev/zero | tr '\0' ']')
        printf '{"jsonrpc":"2.0","id":%s,"result":{"content":%s%s}}\n' "$id" "$open" "$close""#;
    let html = "echo '<!doctype html><p>502 Bad Gateway</p>'";
    let flood = "head -c 1073741824 /dev/zero | tr '\\0' x && touch sent";
    for (what, does, why) in [
        ("deep", deep, Why::Unreadable),
        ("html", html, Why::Unreadable),
        ("flood", flood, Why::Unreadable),
        ("exit", "exit 3", Why::NoReply),
    ] {
        let bad = started(does, home.path()).await;
        assert_eq!(bad.call(&call()).await, Called::Unknown(why), "{what}");
        assert!(!bad.is_open(), "{what}");
        assert_eq!(text(good.call(&call()).await), "fine", "after {what}");
    }
    assert!(!home.path().join("sent").exists(), "it took all of it");
    assert!(memory_kib() < MEMORY_KIB_MAX, "{} KiB", memory_kib());
}

#[tokio::test]
async fn a_program_that_exits_at_once_is_reported_with_its_status() {
    let way = Way::Program {
        command: "/bin/sh".into(),
        args: vec!["-c".into(), "exit 3".into()],
        env: BTreeMap::new(),
    };
    let name = "test".into();
    let (fault, _) = connect(Access { name, way }).await.err().unwrap();
    assert!(
        matches!(&fault, ServerFault::Ended { how } if how.contains('3')),
        "{fault:?}"
    );
}

struct Nothing;

impl EgressLog for Nothing {
    fn note(&self, _: Exchange) {}
}

/// Answers one request on a connection; endlessly, if a tool is called. `sent` counts the bytes of that answer.
async fn answered(stream: TcpStream, sent: Arc<AtomicU64>) -> std::io::Result<()> {
    let mut stream = BufReader::new(stream);
    let (mut line, mut length) = (String::new(), 0);
    while stream.read_line(&mut line).await? > 2 {
        if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse().unwrap();
        }
        line.clear();
    }
    let mut body = vec![0; length];
    stream.read_exact(&mut body).await?;
    let asked: Value = serde_json::from_slice(&body).unwrap_or_default();
    let said = match asked["method"].as_str().unwrap_or_default() {
        "initialize" => json!({"jsonrpc": "2.0", "id": asked["id"], "result": {
            "protocolVersion": "2025-11-25", "capabilities": {"tools": {}},
            "serverInfo": {"name": "x", "version": "1"}}}),
        "tools/call" => {
            let kind = asked["params"]["name"].as_str().unwrap_or_default();
            let head = format!(
                "HTTP/1.1 200 OK\r\ncontent-type: {kind}\r\ncontent-length: {GIGABYTE}\r\n\r\n"
            );
            stream.write_all(head.as_bytes()).await?;
            let piece = [b'x'; 64 * 1024];
            while sent.load(Ordering::SeqCst) < GIGABYTE {
                stream.write_all(&piece).await?;
                sent.fetch_add(piece.len() as u64, Ordering::SeqCst);
            }
            return Ok(());
        }
        _ => {
            json!({"jsonrpc": "2.0", "id": asked["id"], "error": {"code": -32601, "message": "unknown"}})
        }
    };
    let said = said.to_string();
    let status = match (asked.get("method"), asked.get("id")) {
        (None, _) => "405 Method Not Allowed",
        (_, None) => "202 Accepted",
        _ => "200 OK",
    };
    let head = format!(
        "HTTP/1.1 {status}\r\ncontent-type: application/json\r\nconnection: close\r\ncontent-length: {}\r\n\r\n",
        said.len()
    );
    stream.write_all(head.as_bytes()).await?;
    stream.write_all(said.as_bytes()).await
}

/// Two gigabytes, as a message and as an event: the answer is abandoned at the limit for a message.
#[tokio::test]
async fn an_address_that_answers_endlessly_is_cut_off() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/mcp", listener.local_addr().unwrap());
    let sent = Arc::new(AtomicU64::new(0));
    let counter = Arc::clone(&sent);
    let mut server = JoinSet::new();
    server.spawn(async move {
        let mut open = JoinSet::new();
        while let Ok((stream, _)) = listener.accept().await {
            open.spawn(answered(stream, Arc::clone(&counter)));
        }
    });
    let way = Way::Address {
        url,
        headers: BTreeMap::new(),
        net: NetClient::new(NetSettings::default(), Arc::new(Nothing)),
    };
    let connection = open(way).await;
    for kind in ["application/json", "text/event-stream"] {
        let op = ToolOp {
            name: kind.into(),
            ..call()
        };
        let called = connection.call(&op).await;
        assert!(matches!(called, Called::Unknown(_)), "{kind}: {called:?}");
    }
    let sent = sent.load(Ordering::SeqCst);
    assert!(sent < GIGABYTE / 4, "{sent} bytes were taken");
    assert!(memory_kib() < MEMORY_KIB_MAX, "{} KiB", memory_kib());
}
