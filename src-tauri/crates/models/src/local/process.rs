//! The process that runs a model, and the lines that go in and come out. Whoever gives up waiting for one loses nothing of
//! it: half a line that was sent or read stays for whoever comes next.

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

/// Time a file has to be loaded: the largest there are, from a slow disk. A file on a network drive that is gone never is.
pub(super) const LOAD_WITHIN: Duration = Duration::from_secs(5 * 60);
/// Time a process has to end once it has closed its output.
const END_WITHIN: Duration = Duration::from_secs(5);

/// A process that has loaded its file. It ends when this is dropped.
pub(super) struct Process {
    child: Child,
    requests: ChildStdin,
    replies: FramedRead<ChildStdout, LinesCodec>,
    /// What is still to be sent: a request and its stop, at most.
    unsent: VecDeque<u8>,
}

/// Why there is no process.
pub(super) enum Unloaded {
    /// It cannot be started.
    NotStarted(String),
    /// It says so itself, or ended without a word.
    Failed(String),
    /// It makes no sense.
    Senseless,
    /// It took longer than [`LOAD_WITHIN`].
    Hung,
}

/// How a process was left alone.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Ended {
    /// It is still there.
    Not,
    /// It had nothing to do.
    Idle,
    /// It fell over.
    Fell,
}

/// The command of a process, without what it need not know.
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
    /// Starts a process and waits until it has loaded its file. Says how many tokens prompt and answer may have.
    pub(super) async fn load(mut command: Command) -> Result<(Self, u32), Unloaded> {
        let mut child = command
            .spawn()
            .map_err(|why| Unloaded::NotStarted(format!("its process cannot be started: {why}")))?;
        let (Some(requests), Some(replies)) = (child.stdin.take(), child.stdout.take()) else {
            let why = "its process has no way in or out";
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

    /// Puts a line where it goes out with the next look at what comes back.
    pub(super) fn send(&mut self, line: &[u8]) {
        self.unsent.extend(line);
    }

    /// Sends as much as goes out at once. False when nobody reads any more.
    pub(super) fn send_now(&mut self) -> bool {
        let sent = self.requests.write_all_buf(&mut self.unsent);
        !matches!(sent.now_or_never(), Some(Err(_)))
    }

    /// Its next line; none when it has fallen over or makes no sense.
    pub(super) async fn reply(&mut self) -> Option<Reply> {
        if !self.unsent.is_empty() {
            self.requests.write_all_buf(&mut self.unsent).await.ok()?;
        }
        let line = self.replies.next().await?.ok()?;
        serde_json::from_str(&line).ok()
    }

    /// Reads to the end of an answer that was given up. False when the process fell over.
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

    /// Whether it is still there. One that ended by itself had nothing to do; anything else is a fall.
    pub(super) fn ended(&mut self) -> Ended {
        match self.child.try_wait() {
            Ok(None) => Ended::Not,
            Ok(Some(status)) if status.success() => Ended::Idle,
            Ok(Some(_)) | Err(_) => Ended::Fell,
        }
    }

    /// How it ended before it could load the file. The system ends a process that takes more memory than there is.
    async fn last_words(&mut self) -> String {
        let how = match timeout(END_WITHIN, self.child.wait()).await {
            Ok(Ok(status)) => shown(status),
            _ => String::new(),
        };
        format!(
            "its process ended while it loaded the file{how}; the file is damaged, or larger than the memory that is free"
        )
    }
}

fn shown(status: ExitStatus) -> String {
    format!(" ({status})")
}
