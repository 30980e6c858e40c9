//! Tests of tool vectors: made once, on this machine if possible, and recorded in the ledger if paid for.

use std::sync::{Arc, Mutex};

use adjutant_api::models::ConnectionDraft;
use adjutant_domain::model::{Embedder, Ledger as _, ModelFault, Purpose, Stage};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;

use super::{World, data, draft, models, open, world};
use crate::service::Service;

/// Starts a server that makes vectors. Also returns the texts it receives.
async fn vectors() -> (String, Arc<Mutex<Vec<String>>>, JoinSet<()>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let base = format!("http://{}/v1", listener.local_addr().expect("a port"));
    let asked = Arc::new(Mutex::new(Vec::new()));
    let (seen, mut running) = (asked.clone(), JoinSet::new());
    running.spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            // A broken connection is the client's concern.
            let _ = make_vectors(stream, &seen).await;
        }
    });
    (base, asked, running)
}

async fn make_vectors(stream: TcpStream, seen: &Mutex<Vec<String>>) -> std::io::Result<()> {
    let mut stream = BufReader::new(stream);
    let mut length = 0;
    loop {
        let mut line = String::new();
        stream.read_line(&mut line).await?;
        let line = line.trim().to_ascii_lowercase();
        if let Some(given) = line.strip_prefix("content-length:") {
            length = given.trim().parse().unwrap_or(0);
        }
        if line.is_empty() {
            break;
        }
    }
    let mut body = vec![0; length];
    stream.read_exact(&mut body).await?;
    let body: Value = serde_json::from_slice(&body).unwrap_or_default();
    let texts: Vec<String> = serde_json::from_value(body["input"].clone()).unwrap_or_default();
    let data: Vec<Value> = (0..texts.len())
        .map(|index| json!({"index": index, "embedding": [0.5, 1.0]}))
        .collect();
    seen.lock().expect("no panic").extend(texts);
    let reply = json!({ "data": data }).to_string();
    let head = format!(
        "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
        reply.len()
    );
    stream.write_all(head.as_bytes()).await?;
    stream.write_all(reply.as_bytes()).await
}

/// Connects a model for vectors, and waits for the vectors of the tools.
async fn connect(service: &Service, base_url: String) {
    let draft = ConnectionDraft {
        base_url,
        embedding: Some("v".into()),
        ..draft("near")
    };
    models::connect(&service.models, draft, None)
        .await
        .expect("kept");
    service.models.vectors_made().await;
}

#[tokio::test]
async fn makes_tool_vectors_once_in_the_background_and_books_them() {
    let (base, asked, _running) = vectors().await;
    let World {
        home,
        ring,
        service,
    } = world().await;
    connect(&service, base).await;
    let texts = service.engine.tool_texts();
    assert_eq!(*asked.lock().expect("no panic"), texts);
    service.models.settled().await;
    let calls = service.store.calls(None, 100).await.expect("calls");
    assert!(!calls.is_empty());
    for call in calls {
        let reserved = call.reserved;
        let what = (reserved.stage, reserved.purpose, reserved.model.as_str());
        assert_eq!(what, (Stage::Embed, Purpose::Background, "near/v"));
    }
    service.close().await;
    drop(service);
    // Another process finds them in the profile.
    let service = open(home.path(), true, ring).await;
    service.models.vectors_made().await;
    assert_eq!(asked.lock().expect("no panic").len(), texts.len());
    data::erase(&service).await.expect("erased");
    let left = std::fs::read_dir(service.place.dir()).expect("a folder");
    let names: Vec<_> = left.flatten().map(|entry| entry.file_name()).collect();
    assert!(
        !names.iter().any(|name| name == "tool-vectors"),
        "{names:?}"
    );
}

/// Makes vectors on this machine, and counts the texts.
#[derive(Default)]
struct Here(Mutex<usize>);

#[async_trait::async_trait]
impl Embedder for Here {
    fn id(&self) -> String {
        "here".into()
    }

    async fn embed(&self, texts: Vec<String>) -> Result<Vec<Vec<f32>>, ModelFault> {
        *self.0.lock().expect("no panic") += texts.len();
        Ok(vec![vec![1.0, 0.5]; texts.len()])
    }
}

#[tokio::test]
async fn prefers_vectors_made_on_this_machine() {
    let (base, asked, _running) = vectors().await;
    let World { service, .. } = world().await;
    let here = Arc::new(Here::default());
    service.models.make_vectors_here(here.clone());
    service.models.vectors_made().await;
    assert_eq!(
        *here.0.lock().expect("no panic"),
        0,
        "no model to find tools for"
    );
    connect(&service, base).await;
    let texts = service.engine.tool_texts().len();
    assert_eq!(*here.0.lock().expect("no panic"), texts);
    assert!(asked.lock().expect("no panic").is_empty());
}
