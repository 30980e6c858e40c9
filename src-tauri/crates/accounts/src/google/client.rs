//! Sends single authorized requests to Google, with bounded replies and classified failures.
//!
//! Every Google service goes through this client. A failure says whether the request may have been carried out:
//! [`Failed::Refused`] means certainly not, [`Failed::Unknown`] means possibly.

use std::sync::Arc;

use adjutant_domain::ids::AccountId;
use adjutant_domain::operation::{Ended, Etag, RemoteFault, Why};
use adjutant_domain::ports::Clock;
use adjutant_net::{
    Bytes, Follow, HeaderMap, HeaderValue, Incoming, Method, NetClient, NetFault, Outgoing,
};
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::fault::{self, RefusalReason};
use super::hosts::{Api, Hosts};
use crate::http;
use crate::net;
use crate::oauth::{Bearer, Tokens};
use crate::operation_log::OperationLog;
use crate::provider::SetUpFault;

/// Maximum reply size in bytes unless the request sets another; a page of 1,000 events takes a few megabytes.
const REPLY_BYTES_MAX: u64 = 32 * 1024 * 1024;
/// Maximum number of bytes read of a refusal's body.
const REFUSAL_BYTES_MAX: usize = 64 * 1024;

/// One account at Google.
pub(crate) struct Client {
    pub(super) account: AccountId,
    pub(super) net: NetClient,
    pub(super) hosts: Hosts,
    pub(super) tokens: Tokens,
    pub(super) asked: OperationLog,
    pub(super) clock: Arc<dyn Clock>,
}

/// The body of a request.
#[derive(Clone, Debug, Default)]
pub(crate) enum Body {
    #[default]
    None,
    Json(Value),
    /// Raw bytes with their media type.
    Bytes(&'static str, Bytes),
}

/// One request.
#[derive(Clone)]
pub(crate) struct Ask<'a> {
    pub(crate) method: Method,
    pub(crate) api: Api,
    /// Path segments after the service's own; they are escaped when the URL is built.
    pub(crate) path: Vec<&'a str>,
    pub(crate) query: Vec<(&'a str, String)>,
    /// The expected ETag; Google refuses the request in any other state.
    pub(crate) if_match: Option<&'a Etag>,
    pub(crate) body: Body,
    /// What the request is for, in words for the person.
    pub(crate) why: &'static str,
    /// Whether the request only reads, so that it may be repeated after a failure.
    pub(crate) only_reads: bool,
    pub(crate) reply_bytes_max: u64,
}

impl<'a> Ask<'a> {
    pub(crate) fn new(
        method: Method,
        api: Api,
        path: impl IntoIterator<Item = &'a str>,
        why: &'static str,
    ) -> Self {
        Self {
            only_reads: method == Method::GET,
            method,
            api,
            path: path.into_iter().collect(),
            query: Vec::new(),
            if_match: None,
            body: Body::None,
            why,
            reply_bytes_max: REPLY_BYTES_MAX,
        }
    }

    pub(crate) fn get(
        api: Api,
        path: impl IntoIterator<Item = &'a str>,
        why: &'static str,
    ) -> Self {
        Self::new(Method::GET, api, path, why)
    }

    /// Adds a query parameter.
    pub(crate) fn with(mut self, name: &'a str, value: impl ToString) -> Self {
        self.query.push((name, value.to_string()));
        self
    }

    /// Sets a JSON body.
    pub(crate) fn json(mut self, body: Value) -> Self {
        self.body = Body::Json(body);
        self
    }

    /// Makes the request conditional on an ETag, if one is known.
    pub(crate) fn if_match(mut self, etag: Option<&'a Etag>) -> Self {
        self.if_match = etag;
        self
    }
}

/// Why a request did not succeed.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Failed {
    /// Nothing was changed.
    Refused {
        fault: RemoteFault,
        /// HTTP status; `None` if no reply came.
        status: Option<u16>,
    },
    /// The request may have been carried out.
    Unknown(Why),
}

impl Failed {
    /// Converts the failure of a read-only request to a fault.
    pub(crate) fn fault(self) -> RemoteFault {
        match self {
            Self::Refused { fault, .. } => fault,
            Self::Unknown(Why::Unreadable) => RemoteFault::Refused {
                what: "Google's answer cannot be read".to_owned(),
            },
            Self::Unknown(_) => RemoteFault::Unreachable,
        }
    }

    /// Returns the HTTP status of a refusal.
    pub(crate) fn status(&self) -> Option<u16> {
        match self {
            Self::Refused { status, .. } => *status,
            Self::Unknown(_) => None,
        }
    }
}

impl From<RemoteFault> for Failed {
    fn from(fault: RemoteFault) -> Self {
        Self::Refused {
            fault,
            status: None,
        }
    }
}

impl From<Failed> for Ended {
    fn from(failed: Failed) -> Self {
        match failed {
            Failed::Refused { fault, .. } => Self::Refused { fault },
            Failed::Unknown(why) => Self::Unknown { why },
        }
    }
}

/// A successful reply.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) headers: HeaderMap,
    pub(crate) bytes: Bytes,
}

impl Client {
    /// Sends a request and parses the JSON reply. An unparsable reply is [`Failed::Unknown`], since the request itself
    /// succeeded.
    pub(crate) async fn json<T: DeserializeOwned>(&self, ask: Ask<'_>) -> Result<T, Failed> {
        let reply = self.send(ask).await?;
        serde_json::from_slice(&reply.bytes).map_err(|_| Failed::Unknown(Why::Unreadable))
    }

    /// Sends a request. If the token is refused, renews it and tries once more.
    pub(crate) async fn send(&self, ask: Ask<'_>) -> Result<Reply, Failed> {
        let bearer = self.bearer(None).await?;
        match self.try_send(&ask, &bearer).await {
            Err(failed) if failed.status() == Some(401) => {
                let bearer = self.bearer(Some(&bearer)).await?;
                self.try_send(&ask, &bearer).await
            }
            ended => ended,
        }
    }

    /// Checks that the account can be signed in to.
    pub(super) async fn sign_in(&self) -> Result<(), RemoteFault> {
        self.bearer(None).await.map(drop)
    }

    async fn bearer(&self, refused: Option<&Bearer>) -> Result<Bearer, RemoteFault> {
        let endpoints = self.hosts.endpoints(&self.net).await;
        let endpoints = endpoints.map_err(|fault| match fault {
            SetUpFault::Remote(fault) => fault,
            SetUpFault::Net(fault) => net::unread(&fault),
            SetUpFault::Field { what, .. } => RemoteFault::Refused { what },
        })?;
        let now = self.clock.now().timestamp();
        self.tokens.bearer(endpoints, &self.net, now, refused).await
    }

    async fn try_send(&self, ask: &Ask<'_>, bearer: &Bearer) -> Result<Reply, Failed> {
        let request = self.request(ask, bearer)?;
        let sent = self.net.send(request).await;
        let reply = sent.map_err(|fault| unsent(&fault, ask.only_reads))?;
        let status = reply.status();
        if !status.is_success() {
            return Err(self.refusal(reply, ask, bearer).await);
        }
        let headers = reply.headers().clone();
        let bytes = reply.bytes(http::BODY_WITHIN).await;
        let bytes = bytes.map_err(|fault| match ask.only_reads {
            true => net::unread(&fault).into(),
            // The status says that the request succeeded, but the body is unusable.
            false => Failed::Unknown(Why::Unreadable),
        })?;
        Ok(Reply { headers, bytes })
    }

    fn request(&self, ask: &Ask<'_>, bearer: &Bearer) -> Result<Outgoing, Failed> {
        let url = self.hosts.address(ask.api, &ask.path);
        // A resource with such a name cannot exist.
        let mut url = url.map_err(|_| RemoteFault::Gone)?;
        if !ask.query.is_empty() {
            let mut pairs = url.query_pairs_mut();
            for (name, value) in &ask.query {
                pairs.append_pair(name, value);
            }
        }
        let mut request = Outgoing::new(ask.method.clone(), url, ask.why);
        request.follow = Follow::Nowhere;
        request.reply_bytes_max = ask.reply_bytes_max;
        let mut headers = HeaderMap::new();
        headers.insert("authorization", bearer_header(bearer)?);
        headers.insert("accept", HeaderValue::from_static("application/json"));
        if let Some(etag) = ask.if_match {
            // An ETag that does not fit into a header cannot be the current one.
            let value = HeaderValue::from_str(&etag.0);
            let conflict = RemoteFault::Conflict { current: None };
            headers.insert("if-match", value.map_err(|_| conflict)?);
        }
        match &ask.body {
            // Google requires a length even for an empty body.
            Body::None if ask.method == Method::POST => request.body = Some(Bytes::new()),
            Body::None => {}
            Body::Json(body) => {
                headers.insert("content-type", HeaderValue::from_static("application/json"));
                request.body = Some(body.to_string().into());
            }
            Body::Bytes(media_type, bytes) => {
                headers.insert("content-type", HeaderValue::from_static(media_type));
                request.body = Some(bytes.clone());
            }
        }
        request.headers = headers;
        Ok(request)
    }

    /// Classifies an unsuccessful reply.
    async fn refusal(&self, reply: Incoming, ask: &Ask<'_>, bearer: &Bearer) -> Failed {
        let (status, headers) = (reply.status(), reply.headers().clone());
        if status.is_server_error() && !ask.only_reads {
            // A server error may have happened before or after the change was made.
            return Failed::Unknown(Why::NoReply);
        }
        let said = RefusalReason::read(reply, REFUSAL_BYTES_MAX)
            .await
            .without(bearer);
        let now = self.clock.now().timestamp();
        let fault = fault::of(status, &headers, &said, &self.account, now);
        Failed::Refused {
            fault,
            status: Some(status.as_u16()),
        }
    }
}

fn bearer_header(bearer: &Bearer) -> Result<HeaderValue, Failed> {
    let value = HeaderValue::from_str(&format!("Bearer {}", bearer.expose()));
    let unusable = || RemoteFault::Refused {
        what: "the token that was given out cannot be sent".to_owned(),
    };
    let mut value = value.map_err(|_| unusable())?;
    value.set_sensitive(true);
    Ok(value)
}

/// Classifies a request to which no reply began.
fn unsent(fault: &NetFault, only_reads: bool) -> Failed {
    match fault {
        NetFault::Cut { .. } | NetFault::TimedOut { .. } if !only_reads => {
            Failed::Unknown(Why::NoReply)
        }
        // Nothing was sent, or the request changes nothing.
        fault => net::unread(fault).into(),
    }
}
