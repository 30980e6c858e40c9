//! Sends one request to an engine and parses the JSON reply.

use std::time::Duration;

use adjutant_domain::ports::SourceFault;
use adjutant_domain::ports::web::QUERY_CHARS_MAX;
use adjutant_net::{Bytes, HeaderMap, Incoming, Method, Outgoing, StatusCode};
use serde_json::Value;
use url::Url;

use super::Asks;
use crate::faults;

/// Maximum size of a reply in bytes; a typical one has a few ten thousand.
const ANSWER_BYTES_MAX: usize = 4 * 1024 * 1024;
/// Reason recorded in the egress ledger.
const WHY: &str = "a search you asked for";

/// A request to an engine.
pub(super) struct Question {
    pub(super) method: Method,
    pub(super) url: Url,
    pub(super) headers: HeaderMap,
    pub(super) body: Option<Bytes>,
}

impl Question {
    pub(super) fn get(url: Url) -> Self {
        Self {
            method: Method::GET,
            url,
            headers: HeaderMap::new(),
            body: None,
        }
    }
}

/// Normalises a query to one line within the length limit.
///
/// # Errors
/// Returns [`SourceFault::Refused`] if the query is empty or too long.
pub(super) fn query(host: &str, text: &str) -> Result<String, SourceFault> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let query = words.join(" ");
    let refused = |why: &str| SourceFault::Refused {
        host: host.to_owned(),
        why: why.to_owned(),
    };
    match query.chars().count() {
        0 => Err(refused("there is nothing to search for")),
        count if count > QUERY_CHARS_MAX => Err(refused("the search is too long")),
        _ => Ok(query),
    }
}

/// Sends a request and parses the reply. `means` interprets unsuccessful statuses whose meaning depends on the engine.
///
/// # Errors
/// Returns a fault if the request fails, takes longer than `within`, or the reply is not JSON.
pub(super) async fn json(
    asks: &Asks,
    question: Question,
    within: Duration,
    means: impl Fn(StatusCode, &Value) -> SourceFault + Send,
) -> Result<Value, SourceFault> {
    let host = asks.host();
    let asked = ask(asks, question, within, means);
    match tokio::time::timeout(within, asked).await {
        Ok(answer) => answer,
        Err(_) => Err(SourceFault::TimedOut { host }),
    }
}

async fn ask(
    asks: &Asks,
    question: Question,
    within: Duration,
    means: impl Fn(StatusCode, &Value) -> SourceFault + Send,
) -> Result<Value, SourceFault> {
    let host = asks.host();
    let request = Outgoing {
        headers: question.headers,
        body: question.body,
        within,
        reply_bytes_max: ANSWER_BYTES_MAX as u64,
        ..Outgoing::new(question.method, question.url, WHY)
    };
    let reply = asks.net.send(request).await.map_err(faults::of_net)?;
    let status = reply.status();
    let now = asks.clock.now().timestamp();
    if let Some(fault) = faults::of_status(&host, status, reply.headers(), now) {
        return Err(fault);
    }
    let is_page = is_page(reply.headers());
    let body = body(reply).await?;
    let read = serde_json::from_slice::<Value>(&body);
    if !status.is_success() {
        return Err(means(status, &read.unwrap_or_default()));
    }
    read.map_err(|error| SourceFault::Garbled {
        host,
        why: match (is_page, error.is_eof()) {
            (true, _) => "it is a page and not a list of results".into(),
            (false, true) => "it is cut off".into(),
            (false, false) => "it is not a list of results".into(),
        },
    })
}

async fn body(mut reply: Incoming) -> Result<Vec<u8>, SourceFault> {
    let mut body = Vec::new();
    while let Some(piece) = reply.chunk().await.map_err(faults::of_net)? {
        body.extend_from_slice(&piece);
    }
    Ok(body)
}

fn is_page(headers: &HeaderMap) -> bool {
    headers
        .get("content-type")
        .and_then(|value| value.to_str().ok())
        .is_some_and(|value| value.trim_start().starts_with("text/html"))
}

/// Builds a refusal with the engine's own message, limited in length.
pub(super) fn refused(host: &str, status: StatusCode, said: Option<&str>) -> SourceFault {
    let said = said.map(|said| super::clean::line(said, WHY_CHARS_MAX));
    SourceFault::Refused {
        host: host.to_owned(),
        why: match said.filter(|said| !said.is_empty()) {
            Some(said) => format!("“{}”", said.trim_end_matches('.')),
            None => format!("status {}", status.as_u16()),
        },
    }
}

/// Maximum number of characters kept of an engine's message.
const WHY_CHARS_MAX: usize = 200;
