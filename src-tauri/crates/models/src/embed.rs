//! Embeddings, for providers that have a model for them.

use std::time::Duration;

use adjutant_domain::model::{Embedder, ModelFault, Stage};
use adjutant_net::{Bytes, HeaderValue, Method, Outgoing, Url, reach};
use async_trait::async_trait;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::connection::{Connection, ProviderKind};
use crate::providers::bare;
use crate::wire::endpoint;
use crate::wire::job::{json_headers, read_refusal};
use crate::wire::target::{Access, net_fault};

/// Highest number of texts in one request; more are sent in several requests.
const BATCH_TEXTS: usize = 64;
/// Largest reply, in bytes: 64 vectors of 4096 decimal numbers, with some room.
const REPLY_BYTES_MAX: u64 = 16 * 1024 * 1024;
/// Highest number of dimensions of a vector.
const DIMENSIONS_MAX: usize = 16_384;
/// Time limit for a whole reply.
const WHOLE_WITHIN: Duration = Duration::from_secs(120);

/// An embedding model.
pub(crate) struct Vectors {
    access: Access,
    kind: ProviderKind,
    id: String,
    model: String,
    begins_within: Duration,
}

impl Vectors {
    pub fn new(connection: &Connection, model: &str, access: Access) -> Self {
        Self {
            access,
            kind: connection.kind,
            id: format!("{}/{model}", connection.name),
            model: model.to_owned(),
            begins_within: connection.first_piece_within(),
        }
    }

    async fn batch(&self, texts: &[String]) -> Result<Vec<Vec<f32>>, ModelFault> {
        let (url, body) = self.request(texts)?;
        let mut headers = self.access.headers.clone();
        json_headers(&mut headers);
        if reach::is_loopback(&url) {
            headers.insert(
                "x-adjutant-stage",
                HeaderValue::from_static(Stage::Embed.name()),
            );
        }
        let request = Outgoing {
            headers,
            body: Some(Bytes::from(body.to_string())),
            within: self.begins_within,
            reply_bytes_max: REPLY_BYTES_MAX,
            ..Outgoing::new(Method::POST, url, format!("model {} (embed)", self.id))
        };
        let reply = self
            .access
            .net
            .send(request)
            .await
            .map_err(|fault| net_fault(&self.id, fault))?;
        if !reply.status().is_success() {
            let refusal = read_refusal(reply, &self.access).await;
            return Err(refusal.fault(&self.id));
        }
        let body = reply
            .bytes(WHOLE_WITHIN)
            .await
            .map_err(|fault| net_fault(&self.id, fault))?;
        self.vectors(&body, texts.len())
    }

    fn request(&self, texts: &[String]) -> Result<(Url, Value), ModelFault> {
        let base = &self.access.base;
        let model = &self.model;
        Ok(match self.kind {
            ProviderKind::Compatible | ProviderKind::OpenAi => (
                endpoint(base, ["embeddings"]),
                json!({"model": model, "input": texts, "encoding_format": "float"}),
            ),
            ProviderKind::Ollama => (
                endpoint(base, ["api", "embed"]),
                json!({"model": model, "input": texts}),
            ),
            ProviderKind::Gemini => {
                let model = bare(model);
                let full = format!("models/{model}");
                let requests: Vec<Value> = texts
                    .iter()
                    .map(|text| json!({"model": full, "content": {"parts": [{"text": text}]}}))
                    .collect();
                let call = format!("{model}:batchEmbedContents");
                (
                    endpoint(base, ["models", &call]),
                    json!({ "requests": requests }),
                )
            }
            ProviderKind::Anthropic | ProviderKind::File => {
                return Err(ModelFault::NoSuchModel {
                    model: self.id.clone(),
                });
            }
        })
    }

    fn vectors(&self, body: &[u8], wanted: usize) -> Result<Vec<Vec<f32>>, ModelFault> {
        let unreadable = |why: &str| ModelFault::Unreadable {
            model: self.id.clone(),
            why: why.to_owned(),
        };
        let reply: Reply =
            serde_json::from_slice(body).map_err(|_| unreadable("it holds no vectors"))?;
        let vectors = reply.in_order();
        if vectors.len() != wanted {
            return Err(unreadable(
                "it has a different number of vectors than texts",
            ));
        }
        let dimensions = vectors.first().map_or(0, Vec::len);
        let sound = |vector: &Vec<f32>| {
            vector.len() == dimensions && vector.iter().all(|number| number.is_finite())
        };
        if (wanted > 0 && dimensions == 0)
            || dimensions > DIMENSIONS_MAX
            || !vectors.iter().all(sound)
        {
            return Err(unreadable("its vectors do not fit together"));
        }
        Ok(vectors)
    }
}

/// The parts of a reply that the three APIs use.
#[derive(Deserialize)]
struct Reply {
    #[serde(default)]
    data: Vec<Numbered>,
    #[serde(default)]
    embeddings: Vec<Plain>,
}

#[derive(Deserialize)]
struct Numbered {
    index: usize,
    embedding: Vec<f32>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Plain {
    Bare(Vec<f32>),
    Named { values: Vec<f32> },
}

impl Reply {
    fn in_order(mut self) -> Vec<Vec<f32>> {
        if self.data.is_empty() {
            let plain = self.embeddings.into_iter();
            return plain
                .map(|vector| match vector {
                    Plain::Bare(values) | Plain::Named { values } => values,
                })
                .collect();
        }
        self.data.sort_by_key(|numbered| numbered.index);
        self.data
            .into_iter()
            .map(|numbered| numbered.embedding)
            .collect()
    }
}

#[async_trait]
impl Embedder for Vectors {
    fn id(&self) -> String {
        self.id.clone()
    }

    async fn embed(&self, texts: Vec<String>) -> Result<Vec<Vec<f32>>, ModelFault> {
        let mut vectors = Vec::with_capacity(texts.len());
        for batch in texts.chunks(BATCH_TEXTS) {
            vectors.extend(self.batch(batch).await?);
        }
        Ok(vectors)
    }
}
