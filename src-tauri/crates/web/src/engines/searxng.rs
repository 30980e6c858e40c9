//! SearXNG, a self-hosted search engine, through its JSON API.
//! <https://docs.searxng.org/dev/search_api.html>

use std::time::Duration;

use adjutant_domain::ports::{Reach, SearchEngine, SearchResult, SourceFault};
use adjutant_net::StatusCode;
use async_trait::async_trait;

use super::{Asks, ask, clean};

/// A SearXNG instance.
pub struct SearXng(pub Asks);

#[async_trait]
impl SearchEngine for SearXng {
    fn name(&self) -> &str {
        "SearXNG"
    }

    fn reach(&self) -> Reach {
        Reach::Outside {
            host: self.0.host(),
        }
    }

    async fn search(
        &self,
        query: &str,
        limit: usize,
        within: Duration,
    ) -> Result<Vec<SearchResult>, SourceFault> {
        let host = self.0.host();
        let query = ask::query(&host, query)?;
        let mut url = self.0.at("search");
        url.query_pairs_mut()
            .append_pair("q", &query)
            .append_pair("format", "json");
        let means = |status: StatusCode, _: &_| match status {
            // The status of an instance that offers results only as web pages.
            StatusCode::FORBIDDEN => SourceFault::Refused {
                host: host.clone(),
                why: "it does not offer its results as JSON (`search.formats` in its settings)"
                    .into(),
            },
            status => ask::refused(&host, status, None),
        };
        let answer = ask::json(&self.0, ask::Question::get(url), within, means).await?;
        let rows = clean::rows(answer.get("results"), ["url", "title", "content"]);
        let rows = rows.ok_or_else(|| no_results(&host))?;
        Ok(clean::found(rows, limit))
    }
}

/// Returns the fault for a reply without a list of results.
pub(super) fn no_results(host: &str) -> SourceFault {
    SourceFault::Garbled {
        host: host.to_owned(),
        why: "there is no list of results in it".into(),
    }
}
