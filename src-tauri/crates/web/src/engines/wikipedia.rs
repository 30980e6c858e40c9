//! Wikipedia and other MediaWiki wikis, through the action API. <https://www.mediawiki.org/wiki/API:Search>

use std::time::Duration;

use adjutant_domain::ports::web::FOUND_MAX;
use adjutant_domain::ports::{Reach, SearchEngine, SearchResult, SourceFault};
use adjutant_net::StatusCode;
use async_trait::async_trait;
use serde_json::Value;

use super::searxng::no_results;
use super::{Asks, ask, clean};

/// Wikipedia in one language.
pub struct Wikipedia(pub Asks);

#[async_trait]
impl SearchEngine for Wikipedia {
    fn name(&self) -> &str {
        "Wikipedia"
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
        let mut url = self.0.at("w/api.php");
        url.query_pairs_mut()
            .append_pair("action", "query")
            .append_pair("list", "search")
            .append_pair("srsearch", &query)
            .append_pair("srlimit", &limit.clamp(1, FOUND_MAX).to_string())
            .append_pair("format", "json")
            .append_pair("formatversion", "2");
        let means = |status: StatusCode, _: &_| ask::refused(&host, status, None);
        let answer = ask::json(&self.0, ask::Question::get(url), within, means).await?;
        if let Some(error) = answer.get("error") {
            return Err(refusal(&host, error));
        }
        let list = answer.pointer("/query/search").and_then(Value::as_array);
        let list = list.ok_or_else(|| no_results(&host))?;
        let text = |row: &Value, key: &str| {
            let text = row.get(key).and_then(Value::as_str);
            text.unwrap_or_default().to_owned()
        };
        let rows: Vec<(String, String, String)> = list
            .iter()
            .map(|row| (text(row, "title"), text(row, "snippet")))
            .filter(|(title, _)| !title.trim().is_empty())
            .map(|(title, snippet)| (self.article(&title), title, snippet))
            .collect();
        let rows = rows.iter().map(|(url, title, snippet)| clean::Row {
            url,
            title,
            snippet,
        });
        Ok(clean::found(rows, limit))
    }
}

impl Wikipedia {
    /// Returns the address of an article: `/wiki/Title_of_it`.
    fn article(&self, title: &str) -> String {
        let mut url = self.0.at("wiki");
        if let Ok(mut parts) = url.path_segments_mut() {
            // A slash belongs to the title.
            parts.push(&title.replace(' ', "_"));
        }
        url.to_string()
    }
}

/// Interprets an error of MediaWiki, which it reports with a success status.
fn refusal(host: &str, error: &Value) -> SourceFault {
    let said = |key: &str| error.get(key).and_then(Value::as_str);
    match said("code") {
        Some("ratelimited" | "maxlag") => SourceFault::Limited {
            host: host.to_owned(),
            retry_after: None,
        },
        Some("readonly" | "internal_api_error") => SourceFault::Down {
            host: host.to_owned(),
        },
        _ => ask::refused(host, StatusCode::OK, said("info").or(Some("no reason"))),
    }
}
