//! An open connection to a server: lists its offers and makes calls. Every exchange has a deadline.

use std::error::Error;
use std::time::Duration;

use adjutant_domain::operation::{ToolAnswer, ToolOp, Why};
use adjutant_domain::server::{About, OfferedTool};
use rmcp::RoleClient;
use rmcp::model::{
    CallToolRequestParams, ErrorCode, GetPromptRequestParams, PaginatedRequestParams,
    ReadResourceRequestParams,
};
use rmcp::service::{ClientCacheConfig, RunningService, ServiceError};
use rmcp::transport::streamable_http_client::StreamableHttpError;
use serde_json::{Map, Value};
use tokio::sync::{Mutex, watch};
use tokio::task::JoinSet;
use tokio::time::timeout;

use crate::answer::{TEXT_CHARS_MAX, contents, of_tool, part};
use crate::attachable::{self, Offers};
use crate::cause::{found, transport_fault};
use crate::child::{Log, Program};
use crate::clean;
use crate::fault::ServerFault;
use crate::handler::Handler;
use crate::http::HttpFault;
use crate::offered::{self, LeftOut};
use crate::stdio::Trouble;

/// Time allowed for a list.
const LIST_WITHIN: Duration = Duration::from_secs(20);
/// Time allowed for a call; a step of a turn has a minute.
const CALL_WITHIN: Duration = Duration::from_secs(50);
/// Maximum number of pages in a list.
const PAGES_MAX: usize = 64;
/// Number of tools after which no further page is requested.
const LISTED_MAX: usize = 2_000;
/// Interval at which an idle connection is checked, since the protocol library does not report that one ended.
const LOOK_EVERY: Duration = Duration::from_secs(5);
/// Time allowed for an orderly shutdown.
const CLOSE_WITHIN: Duration = Duration::from_secs(2);

/// The parts of a connection.
pub(crate) struct Parts {
    pub(crate) about: About,
    pub(crate) revision: String,
    pub(crate) service: RunningService<RoleClient, Handler>,
    pub(crate) handler: Handler,
    /// The program, which ends with the connection.
    pub(crate) _program: Option<Program>,
    pub(crate) trouble: Trouble,
    pub(crate) log: Log,
    pub(crate) listening: JoinSet<()>,
}

/// A connection to a server. Dropping it ends the connection and the server's program.
pub struct Connection {
    parts: Parts,
    /// Why the connection ended, once known.
    ended: Mutex<Option<ServerFault>>,
}

/// The outcome of a call.
#[derive(Clone, Debug, PartialEq)]
pub enum Called {
    /// The tool answered.
    Answered(ToolAnswer),
    /// The tool reported a failure; it may have done part of its work.
    Failed(String),
    /// The server did not accept the call, so nothing was done.
    Refused(ServerFault),
    /// The call may have been carried out.
    Unknown(Why),
}

impl Connection {
    pub(crate) fn new(parts: Parts) -> Self {
        Self {
            parts,
            ended: Mutex::default(),
        }
    }

    /// Returns the server's description of itself.
    #[must_use]
    pub fn about(&self) -> &About {
        &self.parts.about
    }

    /// Returns the negotiated protocol revision.
    #[must_use]
    pub fn revision(&self) -> &str {
        &self.parts.revision
    }

    /// Returns a counter of the server's notices that its tools changed.
    #[must_use]
    pub fn changes(&self) -> watch::Receiver<u64> {
        self.parts.handler.changes()
    }

    /// Returns the last lines that the server wrote to standard error.
    #[must_use]
    pub fn log(&self) -> Vec<String> {
        self.parts.log.lines()
    }

    /// Tells whether the connection is still open.
    #[must_use]
    pub fn is_open(&self) -> bool {
        !self.parts.service.is_closed()
            && !self.parts.service.peer().is_transport_closed()
            && self.parts.trouble.get().is_none()
    }

    /// Waits until the connection ends.
    pub async fn ended(&self) {
        while self.is_open() {
            tokio::time::sleep(LOOK_EVERY).await;
        }
    }

    /// Fetches the current tools. Returns the usable ones and those left out.
    ///
    /// # Errors
    /// Returns a fault if the tools cannot be listed.
    pub async fn tools(&self) -> Result<(Vec<OfferedTool>, Vec<LeftOut>), ServerFault> {
        let peer = self.parts.service.peer();
        let listing = async {
            peer.set_response_cache_config(no_cache()).await;
            let mut all = Vec::new();
            let mut page = PaginatedRequestParams::default();
            for _ in 0..PAGES_MAX {
                let listed = peer.list_tools(Some(page)).await?;
                all.extend(listed.tools);
                match listed.next_cursor {
                    Some(next) if all.len() <= LISTED_MAX => {
                        page = PaginatedRequestParams::default().with_cursor(Some(next));
                    }
                    _ => break,
                }
            }
            Ok(all)
        };
        let all = self.within(LIST_WITHIN, listing).await?;
        Ok(offered::tools(all))
    }

    /// Calls a tool once, without retrying.
    pub async fn call(&self, op: &ToolOp) -> Called {
        let args = match &op.args {
            Value::Object(map) => map.clone(),
            _ => Map::new(),
        };
        let params = CallToolRequestParams::new(op.name.clone()).with_arguments(args);
        let called = timeout(CALL_WITHIN, self.parts.service.call_tool(params)).await;
        let asked = self.parts.handler.asked();
        match called {
            Ok(Ok(result)) => {
                let failed = result.is_error == Some(true);
                let mut answer = of_tool(result);
                for question in asked {
                    answer.text.push_str(&format!(
                        "\n(It asked “{question}”. Adjutant did not answer; nothing was approved.)"
                    ));
                }
                if failed {
                    Called::Failed(clean::text(&answer.text, 1_000))
                } else {
                    Called::Answered(answer)
                }
            }
            Ok(Err(error)) => self.not_called(error).await,
            Err(_) => Called::Unknown(Why::NoReply),
        }
    }

    /// Classifies a call that ended with an error.
    async fn not_called(&self, error: ServiceError) -> Called {
        match &error {
            ServiceError::McpError(said) => {
                let what = clean::line(&said.message, 400);
                let untouched = [
                    ErrorCode::INVALID_PARAMS,
                    ErrorCode::METHOD_NOT_FOUND,
                    ErrorCode::INVALID_REQUEST,
                ];
                if untouched.contains(&said.code) {
                    Called::Refused(ServerFault::Refused { what })
                } else {
                    Called::Failed(what)
                }
            }
            ServiceError::InputRequiredRoundsExceeded { .. } => {
                Called::Failed("it kept asking for more input".into())
            }
            ServiceError::UnexpectedResponse => Called::Unknown(Why::Unreadable),
            ServiceError::TransportSend(sent) => match of_send(sent.error.as_ref()) {
                Some(fault) => Called::Refused(fault),
                None => Called::Unknown(Why::NoReply),
            },
            _ => match self.parts.trouble.get() {
                Some(ServerFault::Garbage { .. } | ServerFault::Flood { .. }) => {
                    Called::Unknown(Why::Unreadable)
                }
                _ => Called::Unknown(Why::NoReply),
            },
        }
    }

    /// Fetches the resources and prompts that can be attached.
    ///
    /// # Errors
    /// Returns a fault if they cannot be listed.
    pub async fn offers(&self) -> Result<Offers, ServerFault> {
        let peer = self.parts.service.peer();
        let mut offers = Offers::default();
        if self.parts.about.resources {
            let listed = self.within(LIST_WITHIN, peer.list_resources(None)).await?;
            offers.resources = attachable::resources(listed.resources);
        }
        if self.parts.about.prompts {
            let listed = self.within(LIST_WITHIN, peer.list_prompts(None)).await?;
            offers.prompts = attachable::prompts(listed.prompts);
        }
        Ok(offers)
    }

    /// Returns the text of a resource.
    ///
    /// # Errors
    /// Returns a fault if the resource cannot be read.
    pub async fn resource(&self, uri: &str) -> Result<String, ServerFault> {
        let params = ReadResourceRequestParams::new(uri);
        let read = self
            .within(CALL_WITHIN, self.parts.service.read_resource(params))
            .await?;
        let all: Vec<String> = read.contents.iter().map(contents).collect();
        Ok(clean::text(&all.join("\n\n"), TEXT_CHARS_MAX))
    }

    /// Returns a prompt with its arguments filled in.
    ///
    /// # Errors
    /// Returns a fault if the prompt cannot be read.
    pub async fn prompt(
        &self,
        name: &str,
        args: Map<String, Value>,
    ) -> Result<String, ServerFault> {
        let params = GetPromptRequestParams::new(name).with_arguments(args);
        let read = self
            .within(CALL_WITHIN, self.parts.service.get_prompt(params))
            .await?;
        let all: Vec<String> = read.messages.iter().map(|one| part(&one.content)).collect();
        Ok(clean::text(&all.join("\n\n"), TEXT_CHARS_MAX))
    }

    /// Shuts the connection down; kills a program that does not exit.
    pub async fn close(mut self) {
        let closing = self.parts.service.close_with_timeout(CLOSE_WITHIN);
        if let Err(error) = closing.await {
            tracing::debug!(%error, "a connection to a server broke off at its end");
        }
        self.parts.listening.abort_all();
    }

    async fn within<T>(
        &self,
        time: Duration,
        work: impl Future<Output = Result<T, ServiceError>>,
    ) -> Result<T, ServerFault> {
        match timeout(time, work).await {
            Ok(Ok(done)) => Ok(done),
            Ok(Err(error)) => Err(self.fault(error).await),
            Err(_) => Err(ServerFault::Silent {
                seconds: time.as_secs(),
            }),
        }
    }

    /// Converts the error of a read request to a fault.
    async fn fault(&self, error: ServiceError) -> ServerFault {
        match &error {
            ServiceError::McpError(said) => ServerFault::Refused {
                what: clean::line(&said.message, 400),
            },
            ServiceError::TransportSend(sent) => match found(sent.error.as_ref()) {
                Some(fault) => fault,
                None => self.how_ended().await,
            },
            ServiceError::TransportClosed | ServiceError::Cancelled { .. } => {
                self.how_ended().await
            }
            other => ServerFault::Garbage {
                what: clean::line(&other.to_string(), 200),
            },
        }
    }

    /// Returns why the connection ended.
    pub async fn how_ended(&self) -> ServerFault {
        let mut ended = self.ended.lock().await;
        if let Some(known) = self.parts.trouble.get().or_else(|| ended.clone()) {
            return known;
        }
        let fault = ServerFault::Ended { how: String::new() };
        *ended = Some(fault.clone());
        fault
    }
}

/// Disables the response cache, so that every reply is current.
fn no_cache() -> ClientCacheConfig {
    let mut config = ClientCacheConfig::default();
    config.enabled = false;
    config
}

/// Returns why a message certainly was not delivered or was rejected; `None` if the server may have accepted it.
fn of_send(error: &(dyn Error + 'static)) -> Option<ServerFault> {
    use adjutant_net::NetFault;
    match transport_fault(error)? {
        // The request was already sent.
        StreamableHttpError::Client(HttpFault::Net(
            NetFault::Cut { .. } | NetFault::TimedOut { .. } | NetFault::TooLarge { .. },
        )) => None,
        StreamableHttpError::Client(HttpFault::Net(_) | HttpFault::WantsSignIn) => found(error),
        StreamableHttpError::HttpStatus(status) if status.status == 429 => found(error),
        StreamableHttpError::SessionExpired => Some(ServerFault::Ended { how: String::new() }),
        // A server that failed internally may have done part of the work.
        _ => None,
    }
}
