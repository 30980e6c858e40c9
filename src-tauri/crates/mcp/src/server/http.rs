//! Serves MCP over HTTP on this computer only. Checks a client's token first, then its host and origin.

use std::sync::Arc;

use adjutant_net::{LocalServer, Request, RequestBody, Served, StatusCode};
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use tokio_util::sync::CancellationToken;

use super::handler::Handler;
use super::{MESSAGE_BYTES_MAX, Offer};

/// Maximum number of concurrent sessions; a session that is idle for five minutes is dropped.
const SESSIONS_MAX: usize = 32;
/// Allowed origins: web pages served from this computer, which also need the token.
const ORIGINS: [&str; 3] = ["http://localhost:*", "http://127.0.0.1:*", "http://[::1]:*"];

/// Serves clients over HTTP at the path `/mcp` until `stop` is cancelled.
pub async fn serve_http(offer: Arc<dyn Offer>, server: LocalServer, stop: CancellationToken) {
    let config = StreamableHttpServerConfig::default()
        .with_allowed_origins(ORIGINS)
        .with_max_request_body_bytes(MESSAGE_BYTES_MAX)
        .with_cancellation_token(stop.child_token());
    let sessions = Arc::new(LocalSessionManager::default());
    let behind = Arc::clone(&offer);
    let service = StreamableHttpService::new(
        move || Ok(Handler::new(Arc::clone(&behind))),
        Arc::clone(&sessions),
        config,
    );
    let answer = move |request: Request<RequestBody>| {
        let (offer, service) = (Arc::clone(&offer), service.clone());
        let sessions = Arc::clone(&sessions);
        async move {
            if let Err((status, why)) = admit(&*offer, &request).await {
                return Served::Refused(status, why);
            }
            let new = !request.headers().contains_key("mcp-session-id");
            if new && sessions.sessions.read().await.len() >= SESSIONS_MAX {
                let why = "Too many programs are connected. Try again in a few minutes.";
                return Served::Refused(StatusCode::SERVICE_UNAVAILABLE, why);
            }
            Served::Answered(service.handle(request).await)
        }
    };
    server.serve(answer, stop.cancelled()).await;
}

/// Accepts a request that has a valid token and the right path.
async fn admit(
    offer: &dyn Offer,
    request: &Request<RequestBody>,
) -> Result<(), (StatusCode, &'static str)> {
    let shown = request.headers().get("authorization");
    let shown = shown.and_then(|value| value.to_str().ok());
    let token = shown.and_then(bearer).ok_or((
        StatusCode::UNAUTHORIZED,
        "Send the token: Authorization: Bearer TOKEN. `adjutant mcp serve --http --new-token` makes one.",
    ))?;
    match offer.admits(token).await {
        Ok(true) => {}
        Ok(false) => return Err((StatusCode::UNAUTHORIZED, "This token is not known.")),
        Err(fault) => {
            tracing::warn!(%fault, "the token of a program cannot be looked at");
            let why = "The token cannot be checked right now. Try again later.";
            return Err((StatusCode::SERVICE_UNAVAILABLE, why));
        }
    }
    if request.uri().path() == "/mcp" {
        Ok(())
    } else {
        Err((StatusCode::NOT_FOUND, "The address is /mcp."))
    }
}

fn bearer(value: &str) -> Option<&str> {
    let (scheme, token) = value.split_once(' ')?;
    let token = token.trim();
    (scheme.eq_ignore_ascii_case("bearer") && !token.is_empty()).then_some(token)
}
