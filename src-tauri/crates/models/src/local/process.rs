//! The process that runs a model, and the lines exchanged with it. Cancelling a wait loses nothing: a half-sent or
//! half-read line stays for the next caller.

use std::collections::VecDeque;
use std::path::Path;
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use adjutant_local::wire::{LINE_BYTES_MAX, Reply};
use futures::{FutureExt as _, StreamExt as _};
use tokio::io::AsyncWriteExt as _;
use tokio::process::{Child, ChildStdin, ChildStdout, Command};
use tokio::time::timeout;
use tokio_util::codec::{FramedRead, LinesCodec};

/// Time limit for loading a file: enough for the largest ones on a slow disk. A file on a lost network drive never
/// loads.
pub(super) const LOAD_WITHIN: Duration = Duration::from_secs(5 * 60);
/// Time limit for a process to end once it has closed its output.
const END_WITHIN: Duration = Duration::from_secs(5);

/// A process that has loaded its file. Dropping this ends it.
pub(super) struct Process {
    child: Child,
    requests: ChildStdin,
    replies: FramedRead<ChildStdout, LinesCodec>,
    /// Bytes still to be sent: at most a request and its stop.
    unsent: VecDeque<u8>,
}

/// The reason why there is no process.
pub(super) enum Unloaded {
    /// It cannot be started.
    NotStarted(String),
    /// It reported a failure, or ended without a message.
    Failed(String),
    /// It sent something unexpected.
    Senseless,
    /// It took longer than [`LOAD_WITHIN`].
    Hung,
}

/// What has become of a process.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum ProcessEnd {
    /// It is still running.
    Not,
    /// It ended because it was idle.
    Idle,
    /// It crashed.
    Fell,
}

/// Builds the command of a process, without the environment variables it must not see.
pub(super) fn command(program: &Path) -> Command {
    let mut command = Command::new(program);
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .env_remove("ADJUTANT_MODEL_KEY")
        .kill_on_drop(true);
    command
}

impl Process {
    /// Starts a process and waits until it has loaded its file. Also returns the size of its context window in
    /// tokens.
    pub(super) async fn load(mut command: Command) -> Result<(Self, u32), Unloaded> {
        let mut child = command
            .spawn()
            .map_err(|why| Unloaded::NotStarted(format!("its process cannot be started: {why}")))?;
        let (Some(requests), Some(replies)) = (child.stdin.take(), child.stdout.take()) else {
            let why = "its process has no input or output";
            return Err(Unloaded::NotStarted(why.into()));
        };
        let longest = usize::try_from(LINE_BYTES_MAX).unwrap_or(usize::MAX);
        let mut process = Self {
            child,
            requests,
            replies: FramedRead::new(replies, LinesCodec::new_with_max_length(longest)),
            unsent: VecDeque::new(),
        };
        match timeout(LOAD_WITHIN, process.reply()).await {
            Err(_) => Err(Unloaded::Hung),
            Ok(Some(Reply::Ready { window, .. })) => {
                Ok((process, u32::try_from(window).unwrap_or(u32::MAX)))
            }
            Ok(Some(Reply::Fault { why, .. })) => Err(Unloaded::Failed(why)),
            Ok(Some(_)) => Err(Unloaded::Senseless),
            Ok(None) => Err(Unloaded::Failed(process.last_words().await)),
        }
    }

    /// Queues a line, which is sent when the reply is next polled.
    pub(super) fn send(&mut self, line: &[u8]) {
        self.unsent.extend(line);
    }

    /// Sends as much as possible without waiting. Returns `false` if nobody reads it any more.
    pub(super) fn send_now(&mut self) -> bool {
        let sent = self.requests.write_all_buf(&mut self.unsent);
        !matches!(sent.now_or_never(), Some(Err(_)))
    }

    /// Returns its next line, or `None` if it has crashed or sent something unexpected.
    pub(super) async fn reply(&mut self) -> Option<Reply> {
        if !self.unsent.is_empty() {
            self.requests.write_all_buf(&mut self.unsent).await.ok()?;
        }
        let line = self.replies.next().await?.ok()?;
        serde_json::from_str(&line).ok()
    }

    /// Discards the rest of an abandoned answer. Returns `false` if the process crashed or sent something unexpected.
    pub(super) async fn read_away(&mut self, left: u64) -> bool {
        loop {
            match self.reply().await {
                Some(Reply::End { id, .. } | Reply::Fault { id: Some(id), .. }) if id == left => {
                    return true;
                }
                Some(Reply::Token { .. }) => {}
                _ => return false,
            }
        }
    }

    /// Returns what has become of the process. A successful exit means that it was idle; any other exit is a crash.
    pub(super) fn ended(&mut self) -> ProcessEnd {
        match self.child.try_wait() {
            Ok(None) => ProcessEnd::Not,
            Ok(Some(status)) if status.success() => ProcessEnd::Idle,
            Ok(Some(_)) | Err(_) => ProcessEnd::Fell,
        }
    }

    /// Describes how it ended before it could load the file. The system kills a process that needs more memory than
    /// there is.
    async fn last_words(&mut self) -> String {
        let how = match timeout(END_WITHIN, self.child.wait()).await {
            Ok(Ok(status)) => shown(status),
            _ => String::new(),
        };
        format!(
            "its process ended while it loaded the file{how}; the file is damaged, or larger than the free memory"
        )
    }
}

fn shown(status: ExitStatus) -> String {
    format!(" ({status})")
}
