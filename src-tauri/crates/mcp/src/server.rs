//! Adjutant as a Model Context Protocol server, over standard input and output or over HTTP on this computer. This
//! module implements the protocol and its limits; [`Offer`] provides the content.

mod handler;
mod http;

use adjutant_domain::faults::UserFault;
use async_trait::async_trait;
use rmcp::transport::async_rw::AsyncRwTransport;
use serde_json::{Map, Value};
use std::sync::Arc;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio_util::sync::CancellationToken;

use handler::Handler;

pub use http::serve_http;

/// Maximum size in bytes of a client's message.
pub const MESSAGE_BYTES_MAX: usize = 2 * 1024 * 1024;

/// A tool offered to clients.
#[derive(Clone, Debug, PartialEq)]
pub struct Offered {
    /// Name, for example `calendar.create`.
    pub name: String,
    /// Description for clients.
    pub description: String,
    /// JSON schema of the arguments.
    pub schema: Map<String, Value>,
    /// Whether the tool only reads.
    pub reads: bool,
}

/// The answer to a call.
#[derive(Clone, Debug, PartialEq)]
pub struct Answered {
    /// The answer in words.
    pub say: String,
    /// The answer as structured data; null if the words say everything.
    pub output: Value,
    /// Whether the answer contains foreign text.
    pub foreign: bool,
}

/// The source of the server's tools and answers.
#[async_trait]
pub trait Offer: Send + Sync + 'static {
    /// Returns the tools available now.
    ///
    /// # Errors
    /// Returns a fault if the tools cannot be determined.
    async fn tools(&self) -> Result<Vec<Offered>, UserFault>;

    /// Answers a client's call. `program` is the name that the client gives itself, which is not verified.
    ///
    /// # Errors
    /// Returns why the call failed, with the code `unknown_tool` if there is no such tool.
    async fn call(&self, program: &str, tool: &str, args: Value) -> Result<Answered, UserFault>;

    /// Tells whether this token grants access over HTTP.
    ///
    /// # Errors
    /// Returns a fault if that cannot be determined.
    async fn admits(&self, token: &str) -> Result<bool, UserFault>;
}

/// Serves one client over a pair of streams until the client disconnects or `stop` is cancelled.
///
/// # Errors
/// Returns a fault if the client does not begin with a valid handshake.
pub async fn serve_streams(
    offer: Arc<dyn Offer>,
    (reading, writing): (
        impl AsyncRead + Send + Unpin + 'static,
        impl AsyncWrite + Send + Unpin + 'static,
    ),
    stop: CancellationToken,
) -> Result<(), UserFault> {
    let transport = AsyncRwTransport::new(reading, writing).with_max_line_length(MESSAGE_BYTES_MAX);
    let serving = rmcp::service::serve_server_with_ct(Handler::new(offer), transport, stop);
    let ended = match serving.await {
        Ok(running) => running
            .waiting()
            .await
            .map(drop)
            .map_err(|why| why.to_string()),
        // The client disconnected before the handshake.
        Err(
            rmcp::service::ServerInitializeError::ConnectionClosed(_)
            | rmcp::service::ServerInitializeError::Cancelled,
        ) => Ok(()),
        Err(why) => Err(why.to_string()),
    };
    ended.map_err(|why| {
        tracing::warn!(%why, "a program does not speak the protocol");
        UserFault::new(
            "protocol",
            "The program on the other side does not speak the Model Context Protocol.",
            "Start `adjutant mcp serve` from a program that does, as one of its `mcpServers`.",
        )
    })
}
