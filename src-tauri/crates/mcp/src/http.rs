//! Streamable HTTP over the shared network client: counted, bounded, and limited to the address the person typed.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use adjutant_net::{
    AddressFrom, Bytes, Follow, HeaderMap, HeaderName, HeaderValue, Incoming, Method, NetClient,
    NetFault, Outgoing, StatusCode, Url,
};
use futures::StreamExt as _;
use futures::stream::BoxStream;
use rmcp::model::{
    ClientJsonRpcMessage, ClientRequest, ErrorData, JsonRpcMessage, ServerJsonRpcMessage,
};
use rmcp::transport::streamable_http_client::{
    HttpStatusError, SseError, StreamableHttpClient, StreamableHttpError,
    StreamableHttpPostResponse,
};
use sse_stream::{Sse, SseStream};

use crate::clean;
use crate::stdio::MESSAGE_BYTES_MAX;

/// Time until a reply must begin; a tool may work for a while before that.
const BEGINS_WITHIN: Duration = Duration::from_secs(60);
/// Time allowed for a whole reply that is not a stream.
const WHOLE_WITHIN: Duration = Duration::from_secs(60);
/// Maximum number of bytes received in one event stream before it is reopened.
const STREAM_BYTES_MAX: u64 = 64 * 1024 * 1024;
/// Maximum number of characters kept of a refusal.
const SAID_CHARS_MAX: usize = 200;

const JSON: &str = "application/json";
const EVENTS: &str = "text/event-stream";
const SESSION: HeaderName = HeaderName::from_static("mcp-session-id");
const LAST_EVENT: HeaderName = HeaderName::from_static("last-event-id");

/// Why an exchange failed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum HttpFault {
    /// A network fault.
    #[error("{0}")]
    Net(NetFault),
    /// The server requires the person to sign in.
    #[error("the server wants a sign-in")]
    WantsSignIn,
    /// The reply does not conform to the protocol.
    #[error("{0}")]
    Not(String),
}

type Fault = StreamableHttpError<HttpFault>;

impl From<HttpFault> for Fault {
    fn from(fault: HttpFault) -> Self {
        Self::Client(fault)
    }
}

fn net(fault: NetFault) -> Fault {
    HttpFault::Net(fault).into()
}

fn not(what: impl Into<String>) -> Fault {
    HttpFault::Not(what.into()).into()
}

/// The HTTP client of one server.
#[derive(Clone)]
pub(crate) struct Http {
    net: NetClient,
    why: String,
}

impl Http {
    pub(crate) fn new(net: NetClient, name: &str) -> Self {
        Self {
            net,
            why: format!("the server “{name}”"),
        }
    }

    fn request(
        &self,
        method: Method,
        uri: &str,
        session: Option<&str>,
        custom: HashMap<HeaderName, HeaderValue>,
    ) -> Result<Outgoing, Fault> {
        let url = Url::parse(uri).map_err(|_| not("its address cannot be read"))?;
        let mut request = Outgoing::new(method, url, self.why.clone());
        request.headers = custom.into_iter().collect();
        let accept = HeaderValue::from_static("application/json, text/event-stream");
        request
            .headers
            .insert(HeaderName::from_static("accept"), accept);
        put(&mut request.headers, SESSION, session)?;
        request.follow = Follow::SameOrigin;
        // The person typed the address, so it may be on this computer.
        request.from = AddressFrom::Person;
        request.within = BEGINS_WITHIN;
        request.reply_bytes_max = STREAM_BYTES_MAX;
        Ok(request)
    }

    async fn send(&self, request: Outgoing) -> Result<Incoming, Fault> {
        let reply = self.net.send(request).await.map_err(net)?;
        match reply.status() {
            StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => Err(HttpFault::WantsSignIn.into()),
            StatusCode::TOO_MANY_REQUESTS => Err(status(&reply)),
            _ => Ok(reply),
        }
    }
}

fn put(headers: &mut HeaderMap, name: HeaderName, value: Option<&str>) -> Result<(), Fault> {
    if let Some(value) = value {
        let value = HeaderValue::from_str(value)
            .map_err(|_| not("it names its session in a way that is not allowed"))?;
        headers.insert(name, value);
    }
    Ok(())
}

fn header(reply: &Incoming, name: &str) -> Option<String> {
    let value = reply.headers().get(name)?.to_str().ok()?;
    Some(value.to_owned())
}

fn status(reply: &Incoming) -> Fault {
    let after = header(reply, "retry-after");
    HttpStatusError::new(reply.status().as_u16(), after).into()
}

/// Returns the media type of a reply, without its parameters.
fn kind(reply: &Incoming) -> String {
    let kind = header(reply, "content-type").unwrap_or_default();
    let kind = kind.split(';').next().unwrap_or_default();
    kind.trim().to_ascii_lowercase()
}

/// Reads the whole body, up to the message size limit.
async fn whole(mut reply: Incoming) -> Result<Bytes, Fault> {
    let read = async {
        let mut body = Vec::new();
        while let Some(piece) = reply.chunk().await.map_err(net)? {
            if body.len() + piece.len() > MESSAGE_BYTES_MAX {
                return Err(Fault::ResponseBodyTooLarge {
                    max_size: MESSAGE_BYTES_MAX,
                });
            }
            body.extend_from_slice(&piece);
        }
        Ok(Bytes::from(body))
    };
    let late = || not("its reply took too long");
    tokio::time::timeout(WHOLE_WITHIN, read)
        .await
        .map_err(|_| late())?
}

/// Returns the event stream, limiting each event to the message size.
fn events(reply: Incoming) -> BoxStream<'static, Result<Sse, SseError>> {
    let mut since_event = 0;
    let mut line_is_empty = true;
    let pieces = reply.into_stream().map(move |piece| {
        let piece = piece.map_err(std::io::Error::other)?;
        for byte in &piece {
            match byte {
                b'\n' if line_is_empty => since_event = 0,
                b'\n' => line_is_empty = true,
                b'\r' => {}
                _ => line_is_empty = false,
            }
            since_event += 1;
            if since_event > MESSAGE_BYTES_MAX {
                return Err(std::io::Error::other("an event is too large"));
            }
        }
        Ok::<Bytes, std::io::Error>(piece)
    });
    SseStream::from_bytes_stream(pieces).boxed()
}

/// Recognises an older server by its refusal of the newest revision's first request. It is then greeted with the older
/// handshake.
fn is_older(
    message: &ClientJsonRpcMessage,
    session: bool,
    status: StatusCode,
    body: &[u8],
) -> Option<ServerJsonRpcMessage> {
    let ClientJsonRpcMessage::Request(request) = message else {
        return None;
    };
    let asks = matches!(request.request, ClientRequest::DiscoverRequest(_));
    if session || !status.is_client_error() || !asks {
        return None;
    }
    let error = match serde_json::from_slice::<ServerJsonRpcMessage>(body) {
        Ok(JsonRpcMessage::Error(error)) => error.error,
        _ => ErrorData::invalid_request(format!("HTTP {status}"), None),
    };
    Some(ServerJsonRpcMessage::error(error, Some(request.id.clone())))
}

impl StreamableHttpClient for Http {
    type Error = HttpFault;

    async fn post_message(
        &self,
        uri: Arc<str>,
        message: ClientJsonRpcMessage,
        session_id: Option<Arc<str>>,
        _: Option<String>,
        custom_headers: HashMap<HeaderName, HeaderValue>,
    ) -> Result<StreamableHttpPostResponse, Fault> {
        let mut request =
            self.request(Method::POST, &uri, session_id.as_deref(), custom_headers)?;
        let body = serde_json::to_vec(&message)?;
        request.headers.insert(
            HeaderName::from_static("content-type"),
            HeaderValue::from_static(JSON),
        );
        request.body = Some(Bytes::from(body));
        let reply = self.send(request).await?;
        let code = reply.status();
        let waits = matches!(message, ClientJsonRpcMessage::Request(_));
        if matches!(code, StatusCode::ACCEPTED | StatusCode::NO_CONTENT) {
            return Ok(StreamableHttpPostResponse::Accepted);
        }
        if code == StatusCode::NOT_FOUND && session_id.is_some() {
            return Err(Fault::SessionExpired);
        }
        let session = header(&reply, SESSION.as_str());
        let kind = kind(&reply);
        if !code.is_success() {
            let failed = code.is_server_error().then(|| status(&reply));
            let body = whole(reply).await?;
            if let Some(older) = is_older(&message, session_id.is_some(), code, &body) {
                return Ok(StreamableHttpPostResponse::Json(older, None));
            }
            if let Ok(said @ JsonRpcMessage::Error(_)) = serde_json::from_slice(&body) {
                return Ok(StreamableHttpPostResponse::Json(said, session));
            }
            let said = clean::line(&String::from_utf8_lossy(&body), SAID_CHARS_MAX);
            return Err(failed.unwrap_or_else(|| not(format!("HTTP status {code}: {said}"))));
        }
        if !waits {
            return Ok(StreamableHttpPostResponse::Accepted);
        }
        if kind == EVENTS {
            return Ok(StreamableHttpPostResponse::Sse(events(reply), session));
        }
        let body = whole(reply).await?;
        let read = serde_json::from_slice(&body).ok().filter(|_| kind == JSON);
        read.map(|said| StreamableHttpPostResponse::Json(said, session))
            .ok_or_else(|| {
                let said = clean::line(&String::from_utf8_lossy(&body[..body.len().min(400)]), 80);
                Fault::UnexpectedServerResponse(Cow::Owned(format!(
                    "it answers with {kind} “{said}”"
                )))
            })
    }

    async fn delete_session(
        &self,
        uri: Arc<str>,
        session_id: Arc<str>,
        _: Option<String>,
        custom_headers: HashMap<HeaderName, HeaderValue>,
    ) -> Result<(), Fault> {
        let request = self.request(Method::DELETE, &uri, Some(&session_id), custom_headers)?;
        self.send(request).await.map(drop)
    }

    async fn get_stream(
        &self,
        uri: Arc<str>,
        session_id: Option<Arc<str>>,
        last_event_id: Option<String>,
        _: Option<String>,
        custom_headers: HashMap<HeaderName, HeaderValue>,
    ) -> Result<BoxStream<'static, Result<Sse, SseError>>, Fault> {
        let mut request = self.request(Method::GET, &uri, session_id.as_deref(), custom_headers)?;
        put(&mut request.headers, LAST_EVENT, last_event_id.as_deref())?;
        let reply = self.send(request).await?;
        if reply.status() == StatusCode::METHOD_NOT_ALLOWED {
            return Err(Fault::ServerDoesNotSupportSse);
        }
        if !reply.status().is_success() {
            return Err(status(&reply));
        }
        let kind = kind(&reply);
        if kind != EVENTS {
            return Err(Fault::UnexpectedContentType(Some(clean::line(&kind, 60))));
        }
        Ok(events(reply))
    }
}
