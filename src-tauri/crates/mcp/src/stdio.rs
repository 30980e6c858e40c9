//! Exchanges messages over a program's standard input and output, one per line, with limits on their size and number.

use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex as StdMutex, PoisonError};

use rmcp::RoleClient;
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use serde_json::Value;
use tokio::io::{
    AsyncBufRead, AsyncBufReadExt as _, AsyncRead, AsyncWrite, AsyncWriteExt as _, BufReader,
};
use tokio::sync::Mutex;

use crate::child::Log;
use crate::clean;
use crate::fault::ServerFault;

/// Maximum size of one message in bytes.
pub(crate) const MESSAGE_BYTES_MAX: usize = 16 * 1024 * 1024;
/// Maximum number of bytes a server may send per message it receives.
const UNASKED_BYTES_MAX: u64 = 64 * 1024 * 1024;
/// Maximum number of messages a server may send per message it receives.
const UNASKED_MESSAGES_MAX: u64 = 20_000;
/// Maximum number of lines that are not messages; some programs print a greeting.
const STRAY_LINES_MAX: usize = 100;

/// Why a connection ended, shared between tasks. The first reason is kept.
#[derive(Clone, Debug, Default)]
pub(crate) struct Trouble(Arc<StdMutex<Option<ServerFault>>>);

impl Trouble {
    pub(crate) fn set(&self, fault: ServerFault) {
        let mut slot = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        slot.get_or_insert(fault);
    }

    pub(crate) fn get(&self) -> Option<ServerFault> {
        let slot = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        slot.clone()
    }
}

/// Counts what a server has sent since it last received a message.
#[derive(Clone, Debug, Default)]
struct Unasked {
    bytes: Arc<AtomicU64>,
    messages: Arc<AtomicU64>,
}

/// The transport over a pair of streams.
pub(crate) struct Stdio<R, W> {
    input: BufReader<R>,
    output: Arc<Mutex<W>>,
    line: Vec<u8>,
    stray: usize,
    unasked: Unasked,
    trouble: Trouble,
    log: Log,
}

impl<R: AsyncRead + Unpin, W> Stdio<R, W> {
    pub(crate) fn new(input: R, output: W, trouble: Trouble, log: Log) -> Self {
        Self {
            input: BufReader::new(input),
            output: Arc::new(Mutex::new(output)),
            line: Vec::new(),
            stray: 0,
            unasked: Unasked::default(),
            trouble,
            log,
        }
    }

    fn flood(&self) -> Option<RxJsonRpcMessage<RoleClient>> {
        self.trouble.set(ServerFault::Flood {
            megabytes: MESSAGE_BYTES_MAX / 1024 / 1024,
        });
        None
    }

    /// Handles a line that is not a message. Returns `None` if the server is to be abandoned.
    fn stray(&mut self, why: &str) -> Option<()> {
        let text = String::from_utf8_lossy(&self.line);
        let start = text.trim_start();
        let json = start.starts_with('{') || start.starts_with('[');
        self.stray += 1;
        if !json && !start.starts_with('<') && self.stray <= STRAY_LINES_MAX {
            self.log.add(&self.line);
            return Some(());
        }
        let what = if json {
            format!("a message cannot be read ({})", clean::line(why, 120))
        } else {
            format!("“{}”", clean::line(&text, 80))
        };
        self.trouble.set(ServerFault::Garbage { what });
        None
    }
}

impl<R, W> Transport<RoleClient> for Stdio<R, W>
where
    R: AsyncRead + Send + Unpin,
    W: AsyncWrite + Send + Unpin + 'static,
{
    type Error = io::Error;

    fn send(
        &mut self,
        item: TxJsonRpcMessage<RoleClient>,
    ) -> impl Future<Output = io::Result<()>> + Send + 'static {
        let output = Arc::clone(&self.output);
        let unasked = self.unasked.clone();
        async move {
            let mut line = serde_json::to_vec(&item)?;
            line.push(b'\n');
            unasked.bytes.store(0, Ordering::Relaxed);
            unasked.messages.store(0, Ordering::Relaxed);
            let mut output = output.lock().await;
            output.write_all(&line).await?;
            output.flush().await
        }
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleClient>> {
        loop {
            match next_line(&mut self.input, &mut self.line).await {
                Line::Whole => {}
                Line::TooLong => return self.flood(),
                Line::End => return None,
            }
            let bytes = self.line.len() as u64;
            let bytes = bytes + self.unasked.bytes.fetch_add(bytes, Ordering::Relaxed);
            let messages = 1 + self.unasked.messages.fetch_add(1, Ordering::Relaxed);
            if bytes > UNASKED_BYTES_MAX || messages > UNASKED_MESSAGES_MAX {
                return self.flood();
            }
            let read = serde_json::from_slice(&self.line);
            let message = match read {
                Ok(message) => Some(message),
                Err(_) if self.line.trim_ascii().is_empty() || is_notice(&self.line) => None,
                Err(error) => {
                    self.stray(&error.to_string())?;
                    None
                }
            };
            self.line.clear();
            if message.is_some() {
                return message;
            }
        }
    }

    async fn close(&mut self) -> io::Result<()> {
        self.output.lock().await.shutdown().await
    }
}

/// Tells whether a line is a notification. Nobody waits for one, so an unreadable one can be skipped.
fn is_notice(line: &[u8]) -> bool {
    serde_json::from_slice::<Value>(line)
        .is_ok_and(|value| value.get("method").is_some() && value.get("id").is_none())
}

enum Line {
    Whole,
    TooLong,
    End,
}

/// Reads up to the end of a line. Cancel-safe: what was already read stays in `line`.
async fn next_line(input: &mut (impl AsyncBufRead + Unpin), line: &mut Vec<u8>) -> Line {
    loop {
        let Ok(piece) = input.fill_buf().await else {
            return Line::End;
        };
        if piece.is_empty() {
            return Line::End;
        }
        let end = piece.iter().position(|byte| *byte == b'\n');
        let take = end.unwrap_or(piece.len());
        if line.len() + take > MESSAGE_BYTES_MAX {
            return Line::TooLong;
        }
        line.extend_from_slice(&piece[..take]);
        input.consume(end.map_or(take, |at| at + 1));
        if end.is_some() {
            return Line::Whole;
        }
    }
}
