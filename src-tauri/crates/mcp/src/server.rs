//! Adjutant as a server of the Model Context Protocol, over standard input and output or over HTTP on this computer. What
//! stands behind it is met through [`Offer`]; this module speaks the protocol and holds its limits.

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

/// Bytes of one message of a client.
pub const MESSAGE_BYTES_MAX: usize = 2 * 1024 * 1024;

/// A tool that is offered.
#[derive(Clone, Debug, PartialEq)]
pub struct Offered {
    /// Name, for example `calendar.create`.
    pub name: String,
    /// What it does.
    pub description: String,
    /// JSON schema of the arguments.
    pub schema: Map<String, Value>,
    /// Whether it only reads.
    pub reads: bool,
}

/// What became of a call.
#[derive(Clone, Debug, PartialEq)]
pub struct Answered {
    /// In words.
    pub say: String,
    /// The same, typed; null where the words say all.
    pub output: Value,
    /// Whether text of others is in it.
    pub foreign: bool,
}

/// What stands behind the server.
#[async_trait]
pub trait Offer: Send + Sync + 'static {
    /// The tools there are now.
    ///
    /// # Errors
    /// When nobody can say.
    async fn tools(&self) -> Result<Vec<Offered>, UserFault>;

    /// Answers a call of a client, which is known by nothing but the name it gives itself.
    ///
    /// # Errors
    /// Why it goes no further; the code `unknown_tool` where there is no such tool.
    async fn call(&self, program: &str, tool: &str, args: Value) -> Result<Answered, UserFault>;

    /// Whether who shows this token over HTTP is let in.
    ///
    /// # Errors
    /// When nobody can say.
    async fn admits(&self, token: &str) -> Result<bool, UserFault>;
}

/// Serves one client over a pair of streams until it leaves or `stop` is cancelled.
///
/// # Errors
/// When the client does not begin as the protocol says.
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
        // It left before it began.
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
