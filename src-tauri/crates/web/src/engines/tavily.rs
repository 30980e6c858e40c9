//! Tavily. <https://docs.tavily.com/documentation/api-reference/endpoint/search>

use std::sync::Arc;
use std::time::Duration;

use adjutant_domain::ports::web::FOUND_MAX;
use adjutant_domain::ports::{Reach, SearchEngine, SearchResult, SourceFault};
use adjutant_net::{HeaderValue, Method, StatusCode};
use async_trait::async_trait;
use secrecy::ExposeSecret as _;
use serde_json::{Value, json};

use super::searxng::no_results;
use super::{Asks, EngineKind, Keys, ask, clean, key};

/// The Tavily engine.
pub struct Tavily {
    /// Network client, clock and address.
    pub asks: Asks,
    /// Where the key comes from.
    pub keys: Arc<dyn Keys>,
}

#[async_trait]
impl SearchEngine for Tavily {
    fn name(&self) -> &str {
        "Tavily"
    }

    fn reach(&self) -> Reach {
        Reach::Outside {
            host: self.asks.host(),
        }
    }

    async fn search(
        &self,
        query: &str,
        limit: usize,
        within: Duration,
    ) -> Result<Vec<SearchResult>, SourceFault> {
        let host = self.asks.host();
        let query = ask::query(&host, query)?;
        let key = key(&*self.keys, EngineKind::Tavily, "Tavily", &self.asks).await?;
        let wrong_key = || SourceFault::WrongKey { host: host.clone() };
        let mut bearer = HeaderValue::from_str(&format!("Bearer {}", key.expose_secret()))
            .map_err(|_| wrong_key())?;
        bearer.set_sensitive(true);
        let body = json!({
            "query": query,
            "max_results": limit.clamp(1, FOUND_MAX),
            "search_depth": "basic",
        });
        let mut question = ask::Question::get(self.asks.at("search"));
        question.method = Method::POST;
        question.headers.insert("authorization", bearer);
        let json = HeaderValue::from_static("application/json");
        question.headers.insert("content-type", json);
        question.body = Some(body.to_string().into());
        let means = |status: StatusCode, said: &Value| match status.as_u16() {
            401 | 403 => wrong_key(),
            // The quota of the plan or of pay-as-you-go is exhausted.
            432 | 433 => SourceFault::Limited {
                host: host.clone(),
                retry_after: None,
            },
            _ => ask::refused(
                &host,
                status,
                said.pointer("/detail/error").and_then(Value::as_str),
            ),
        };
        let answer = ask::json(&self.asks, question, within, means).await?;
        let rows = clean::rows(answer.get("results"), ["url", "title", "content"]);
        let rows = rows.ok_or_else(|| no_results(&host))?;
        Ok(clean::found(rows, limit))
    }
}
