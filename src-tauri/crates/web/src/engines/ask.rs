//! One question to an engine, and its answer as JSON.

use std::time::Duration;

use adjutant_domain::ports::SourceFault;
use adjutant_domain::ports::web::QUERY_CHARS_MAX;
use adjutant_net::{Bytes, HeaderMap, Incoming, Method, Outgoing, StatusCode};
use serde_json::Value;
use url::Url;

use super::Asks;
use crate::faults;

/// Bytes of an answer: results of one search have a few ten thousand.
const ANSWER_BYTES_MAX: usize = 4 * 1024 * 1024;
/// What stands in the count of what left.
const WHY: &str = "a search you asked for";

/// A question.
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

/// The words of a query as they are sent: of one line and within the limit.
///
/// # Errors
/// When there are none, or too many.
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

/// Asks, and reads the answer. `means` says what the engine means by a status that is not a success and that not every
/// server means alike.
///
/// # Errors
/// When there is no answer within the time, or it is no JSON.
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

/// A refusal in the engine's own words, bounded.
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

/// Characters of what an engine says that are passed on.
const WHY_CHARS_MAX: usize = 200;
