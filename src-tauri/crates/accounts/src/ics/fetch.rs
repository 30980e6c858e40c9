//! A calendar as its server has it, fetched only where it changed.

use adjutant_domain::account::Cursor;
use adjutant_domain::canonical::sha256;
use adjutant_domain::operation::RemoteFault;
use adjutant_domain::ports::PullFault;
use adjutant_net::{Follow, HeaderMap, HeaderValue, Method, NetClient, NetFault, Outgoing, Url};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::http;
use crate::provider::SetUpFault;

/// Bytes of a calendar; some of 20,000 events have a fourth of that.
const CALENDAR_BYTES_MAX: u64 = 32 * 1024 * 1024;
/// Characters of a header that are kept to ask again.
const MARK_CHARS_MAX: usize = 500;

/// The state a calendar was seen in: what the server calls it, and what it was.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Seen {
    /// `ETag`.
    pub(super) etag: Option<String>,
    /// `Last-Modified`, as the server wrote it.
    pub(super) modified: Option<String>,
    /// SHA-256 of what was read: some servers give no marks.
    pub(super) digest: String,
}

impl Seen {
    /// What a cursor says; none where it is not one of ours.
    pub(super) fn of(cursor: &Cursor) -> Option<Self> {
        serde_json::from_str(&cursor.0).ok()
    }

    pub(super) fn cursor(&self) -> Cursor {
        Cursor(serde_json::json!(self).to_string())
    }
}

/// A calendar that was fetched.
#[derive(Debug)]
pub(super) struct Fetched {
    pub(super) text: String,
    pub(super) seen: Seen,
}

/// Why nothing was fetched.
#[derive(Debug, thiserror::Error)]
pub(super) enum NotFetched {
    #[error("{0}")]
    Net(#[from] NetFault),
    #[error("{0}")]
    Remote(#[from] RemoteFault),
}

impl From<NotFetched> for PullFault {
    fn from(fault: NotFetched) -> Self {
        Self::Remote(match fault {
            NotFetched::Net(fault) => http::unread(&fault),
            NotFetched::Remote(fault) => fault,
        })
    }
}

impl From<NotFetched> for SetUpFault {
    fn from(fault: NotFetched) -> Self {
        match fault {
            NotFetched::Net(fault) => Self::Net(fault),
            NotFetched::Remote(fault) => Self::Remote(fault),
        }
    }
}

/// Fetches a calendar; nothing where it is as it was seen.
pub(super) async fn fetch(
    net: &NetClient,
    url: &Url,
    seen: Option<&Seen>,
) -> Result<Option<Fetched>, NotFetched> {
    let mut request = Outgoing::new(Method::GET, url.clone(), "read a subscribed calendar");
    request.follow = Follow::Anywhere;
    request.reply_bytes_max = CALENDAR_BYTES_MAX;
    request.headers = asked(seen);
    let reply = net.send(request).await?;
    let (status, headers) = (reply.status(), reply.headers().clone());
    if status.as_u16() == 304 && seen.is_some() {
        return Ok(None);
    }
    if !status.is_success() {
        // A calendar needs no account here: whoever has the address may read it.
        let fault = http::refused(status, &headers, &"".into(), Timestamp::MAX);
        return Err(match fault {
            RemoteFault::NotSignedIn { .. } => RemoteFault::Refused {
                what: "the server wants a password for this calendar (401)".to_owned(),
            },
            fault => fault,
        }
        .into());
    }
    let bytes = reply.bytes(http::BODY_WITHIN).await?;
    let digest = sha256(&bytes).0;
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let seen = Seen {
        etag: mark(&headers, "etag"),
        modified: mark(&headers, "last-modified"),
        digest,
    };
    Ok(Some(Fetched { text, seen }))
}

fn asked(seen: Option<&Seen>) -> HeaderMap {
    let mut headers = HeaderMap::new();
    headers.insert(
        "accept",
        HeaderValue::from_static("text/calendar, */*;q=0.1"),
    );
    let marks = seen.map(|seen| (&seen.etag, &seen.modified));
    let (etag, modified) = marks.unwrap_or((&None, &None));
    for (name, mark) in [("if-none-match", etag), ("if-modified-since", modified)] {
        let value = mark.as_deref().map(HeaderValue::from_str);
        if let Some(Ok(value)) = value {
            headers.insert(name, value);
        }
    }
    headers
}

fn mark(headers: &HeaderMap, name: &str) -> Option<String> {
    let value = headers.get(name)?.to_str().ok()?;
    (value.len() <= MARK_CHARS_MAX).then(|| value.to_owned())
}
