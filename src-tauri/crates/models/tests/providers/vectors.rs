//! Tests of vectors and lists of models, in the formats that the peer does not speak.

use adjutant_domain::model::ModelFault;
use adjutant_models::{ProviderKind, discover, embedder};
use serde_json::{Value, json};

use crate::replies::{head, json_reply};
use crate::support::{Scripted, Step, connection, keys, net};

async fn embed(kind: ProviderKind, reply: &Value) -> (Result<Vec<Vec<f32>>, ModelFault>, Scripted) {
    let server = Scripted::start(vec![json_reply("200 OK", "", reply)]).await;
    let mut connection = connection(kind, &server.base);
    connection.embedding = Some("vectors".to_owned());
    let embedder = embedder(&connection, &net(), &keys()).unwrap().unwrap();
    let texts = vec!["one".to_owned(), "two".to_owned()];
    (embedder.embed(texts).await, server)
}

#[tokio::test]
async fn reads_vectors_in_every_format() {
    let want = vec![vec![0.5, 1.0], vec![-1.0, 2.0]];
    let (vectors, server) = embed(
        ProviderKind::Compatible,
        &json!({"data": [{"index": 1, "embedding": [-1.0, 2.0]}, {"index": 0, "embedding": [0.5, 1]}]}),
    )
    .await;
    assert_eq!(vectors.unwrap(), want, "in the order of the texts");
    assert!(server.head(0).starts_with("post /v1/embeddings "));
    assert!(server.head(0).contains("x-adjutant-stage: embed"));
    let (vectors, server) = embed(
        ProviderKind::Ollama,
        &json!({"embeddings": [[0.5, 1], [-1, 2]]}),
    )
    .await;
    assert_eq!(vectors.unwrap(), want);
    assert!(server.head(0).starts_with("post /api/embed "));
    let (vectors, server) = embed(
        ProviderKind::Gemini,
        &json!({"embeddings": [{"values": [0.5, 1]}, {"values": [-1, 2]}]}),
    )
    .await;
    assert_eq!(vectors.unwrap(), want);
    assert!(
        server
            .head(0)
            .starts_with("post /v1beta/models/vectors:batchembedcontents ")
    );
    assert_eq!(
        server.body(0)["requests"][1]["content"]["parts"][0]["text"],
        "two"
    );
}

#[tokio::test]
async fn refuses_vectors_that_do_not_fit() {
    for wrong in [
        json!({"embeddings": [[0.5, 1]]}),
        json!({"embeddings": [[0.5, 1], [2]]}),
        json!({"embeddings": [[], []]}),
        json!({"embeddings": [[1e39], [1]]}),
        json!({"embeddings": "none"}),
        json!({}),
        json!([]),
    ] {
        let (vectors, _) = embed(ProviderKind::Ollama, &wrong).await;
        let fault = vectors.unwrap_err();
        assert!(
            matches!(fault, ModelFault::Unreadable { .. }),
            "{wrong}: {fault}"
        );
    }
}

#[tokio::test]
async fn reads_windows_tools_and_vector_models_from_a_list() {
    let tags = json!({"models": [{"name": "qwen3:8b"}, {"name": "nomic-embed-text"}, {"size": 3}]});
    let qwen = json!({"capabilities": ["completion", "tools"], "model_info": {"qwen3.context_length": 40960}});
    let nomic =
        json!({"capabilities": ["embedding"], "model_info": {"nomic-bert.context_length": 2048}});
    let server = Scripted::start(vec![
        json_reply("200 OK", "", &tags),
        json_reply("200 OK", "", &qwen),
        json_reply("200 OK", "", &nomic),
    ])
    .await;
    let found = discover::models(
        &connection(ProviderKind::Ollama, &server.base),
        &net(),
        &keys(),
    )
    .await
    .unwrap();
    assert_eq!(found.len(), 2);
    // The requests are concurrent, so the order of the answers varies.
    assert_eq!(
        found
            .iter()
            .filter(|model| model.embeds == Some(true))
            .count(),
        1
    );
    let talks = found
        .iter()
        .find(|model| model.embeds == Some(false))
        .unwrap();
    assert_eq!(
        (talks.context_tokens, talks.tools),
        (Some(40_960), Some(true))
    );
    assert_eq!(
        talks.choice(true).context_tokens,
        discover::CONTEXT_TOKENS_LOCAL
    );
    assert_eq!(talks.choice(false).context_tokens, 40_960);

    let gemini = json!({"models": [
        {"name": "models/gemini-3-flash", "inputTokenLimit": 1_048_576, "supportedGenerationMethods": ["generateContent"]},
        {"name": "models/gemini-embedding-001", "supportedGenerationMethods": ["embedContent"]}]});
    let server = Scripted::start(vec![json_reply("200 OK", "", &gemini)]).await;
    let found = discover::models(
        &connection(ProviderKind::Gemini, &server.base),
        &net(),
        &keys(),
    )
    .await
    .unwrap();
    assert_eq!(
        (found[0].id.as_str(), found[0].embeds),
        ("gemini-3-flash", Some(false))
    );
    assert_eq!(found[1].embeds, Some(true));
}

#[tokio::test]
async fn does_not_find_other_servers() {
    for script in [
        vec![
            head("200 OK", "text/html", ""),
            Step::Send(b"<html>A router</html>".to_vec()),
        ],
        json_reply("200 OK", "", &json!({"hello": "world"})),
        json_reply("404 Not Found", "", &json!({})),
        vec![Step::Send(b"SSH-2.0-OpenSSH_9.6\r\n".to_vec())],
        vec![Step::Silence],
    ] {
        let server = Scripted::start(vec![script]).await;
        let port = server.base.rsplit(':').next().unwrap().parse().unwrap();
        let places =
            [ProviderKind::Ollama, ProviderKind::Compatible].map(|kind| discover::ServerPort {
                label: "x",
                kind,
                port,
            });
        assert_eq!(discover::discover(&net(), &places).await, []);
    }
}
