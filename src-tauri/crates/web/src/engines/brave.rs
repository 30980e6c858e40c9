//! Brave Search. <https://api-dashboard.search.brave.com/app/documentation/web-search/query>

use std::sync::Arc;
use std::time::Duration;

use adjutant_domain::ports::web::FOUND_MAX;
use adjutant_domain::ports::{Reach, SearchEngine, SearchResult, SourceFault};
use adjutant_net::{HeaderValue, StatusCode};
use async_trait::async_trait;
use secrecy::ExposeSecret as _;
use serde_json::Value;

use super::searxng::no_results;
use super::{Asks, EngineKind, Keys, ask, clean, key};

/// Maximum number of words in a query that Brave accepts; further words are dropped.
const QUERY_WORDS_MAX: usize = 50;

/// The Brave Search engine.
pub struct Brave {
    /// Network client, clock and address.
    pub asks: Asks,
    /// Where the key comes from.
    pub keys: Arc<dyn Keys>,
}

#[async_trait]
impl SearchEngine for Brave {
    fn name(&self) -> &str {
        "Brave Search"
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
        let words: Vec<&str> = query.split(' ').take(QUERY_WORDS_MAX).collect();
        let key = key(&*self.keys, EngineKind::Brave, "Brave Search", &self.asks).await?;
        let wrong_key = || SourceFault::WrongKey { host: host.clone() };
        let mut token = HeaderValue::from_str(key.expose_secret()).map_err(|_| wrong_key())?;
        token.set_sensitive(true);
        let mut url = self.asks.at("res/v1/web/search");
        url.query_pairs_mut()
            .append_pair("q", &words.join(" "))
            .append_pair("count", &limit.clamp(1, FOUND_MAX).to_string())
            .append_pair("text_decorations", "false");
        let mut question = ask::Question::get(url);
        question.headers.insert("x-subscription-token", token);
        let json = HeaderValue::from_static("application/json");
        question.headers.insert("accept", json);
        let means = |status: StatusCode, said: &Value| {
            let said = |key: &str| said.pointer(key).and_then(Value::as_str);
            match (status.as_u16(), said("/error/code")) {
                (401 | 403, _) | (_, Some("SUBSCRIPTION_TOKEN_INVALID")) => wrong_key(),
                (402, _) => SourceFault::Limited {
                    host: host.clone(),
                    retry_after: None,
                },
                _ => ask::refused(&host, status, said("/error/detail")),
            }
        };
        let answer = ask::json(&self.asks, question, within, means).await?;
        let keys = ["url", "title", "description"];
        match clean::rows(answer.pointer("/web/results"), keys) {
            Some(rows) => Ok(clean::found(rows, limit)),
            // Brave leaves this part out if there are no web results.
            None if answer.get("type").and_then(Value::as_str) == Some("search") => Ok(Vec::new()),
            None => Err(no_results(&host)),
        }
    }
}
