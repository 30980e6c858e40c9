//! Downloads a calendar if it has changed.

use adjutant_domain::account::Cursor;
use adjutant_domain::canonical::sha256;
use adjutant_domain::operation::RemoteFault;
use adjutant_domain::ports::PullFault;
use adjutant_net::{
    Fingerprint, Follow, HeaderMap, HeaderValue, Method, NetClient, NetFault, Outgoing, Url,
};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::http;
use crate::net;
use crate::provider::SetUpFault;

/// Maximum size of a calendar in bytes: about four times that of one with 20,000 events.
const CALENDAR_BYTES_MAX: u64 = 32 * 1024 * 1024;
/// Maximum number of characters kept of a validator header.
const MARK_CHARS_MAX: usize = 500;

/// Where a calendar is.
#[derive(Clone, Debug)]
pub(super) struct FeedPlace {
    pub(super) url: Url,
    /// Certificates of its server that the person trusts.
    pub(super) trusted: Vec<Fingerprint>,
}

/// The state in which a calendar was last seen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct FeedState {
    /// The `ETag` header.
    pub(super) etag: Option<String>,
    /// The `Last-Modified` header, as the server wrote it.
    pub(super) modified: Option<String>,
    /// SHA-256 of the content, for servers that send no validators.
    pub(super) digest: String,
}

impl FeedState {
    /// Parses a cursor; `None` if it is invalid.
    pub(super) fn of(cursor: &Cursor) -> Option<Self> {
        serde_json::from_str(&cursor.0).ok()
    }

    pub(super) fn cursor(&self) -> Cursor {
        Cursor(serde_json::json!(self).to_string())
    }
}

/// A downloaded calendar.
#[derive(Debug)]
pub(super) struct Fetched {
    pub(super) text: String,
    pub(super) seen: FeedState,
}

/// Why no calendar was downloaded.
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
            NotFetched::Net(fault) => net::unread(&fault),
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

/// Downloads a calendar; `None` if it has not changed since `seen`.
pub(super) async fn fetch(
    net: &NetClient,
    place: &FeedPlace,
    seen: Option<&FeedState>,
) -> Result<Option<Fetched>, NotFetched> {
    let mut request = Outgoing::new(Method::GET, place.url.clone(), "read a subscribed calendar");
    request.follow = Follow::Anywhere;
    request.trusted.clone_from(&place.trusted);
    request.reply_bytes_max = CALENDAR_BYTES_MAX;
    request.headers = asked(seen);
    let reply = net.send(request).await?;
    let (status, headers) = (reply.status(), reply.headers().clone());
    if status.as_u16() == 304 && seen.is_some() {
        return Ok(None);
    }
    if !status.is_success() {
        // Such a calendar has no account to sign in to: anyone with the address may read it.
        let fault = http::refused(status, &headers, &"".into(), Timestamp::MAX);
        return Err(match fault {
            RemoteFault::NotSignedIn { .. } => RemoteFault::Refused {
                what: "the server asks for a password for this calendar (401)".to_owned(),
            },
            fault => fault,
        }
        .into());
    }
    let bytes = reply.bytes(http::BODY_WITHIN).await?;
    let digest = sha256(&bytes).0;
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let seen = FeedState {
        etag: mark(&headers, "etag"),
        modified: mark(&headers, "last-modified"),
        digest,
    };
    Ok(Some(Fetched { text, seen }))
}

fn asked(seen: Option<&FeedState>) -> HeaderMap {
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
