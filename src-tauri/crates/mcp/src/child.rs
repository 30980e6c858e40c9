//! Runs a server's program: a process with a minimal environment in its own process group, killed with its children.

use std::collections::{BTreeMap, VecDeque};
use std::process::Stdio;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::io::{AsyncReadExt as _, BufReader};
use tokio::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command};
use tokio::task::JoinSet;
use tokio::time::timeout;

use crate::clean;
use crate::fault::ServerFault;

/// Maximum number of last lines kept of standard error.
const LOG_LINES_MAX: usize = 20;
/// Maximum number of characters kept of each line.
const LOG_CHARS_MAX: usize = 300;
/// Time that a program gets to exit on its own after closing its output.
const ENDS_WITHIN: Duration = Duration::from_millis(300);

/// The last lines that a server wrote to standard error.
#[derive(Clone, Debug, Default)]
pub(crate) struct Log(Arc<Mutex<VecDeque<String>>>);

impl Log {
    pub(crate) fn add(&self, raw: &[u8]) {
        let line = clean::line(&String::from_utf8_lossy(raw), LOG_CHARS_MAX);
        if line.is_empty() {
            return;
        }
        let mut lines = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if lines.len() == LOG_LINES_MAX {
            lines.pop_front();
        }
        lines.push_back(line);
    }

    /// Returns the lines, oldest first.
    pub(crate) fn lines(&self) -> Vec<String> {
        let lines = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        lines.iter().cloned().collect()
    }
}

/// A running program. Dropping it kills the program and its children.
pub(crate) struct Program {
    child: Child,
    /// Id of its process group until it has been killed.
    group: Option<u32>,
    /// The task that reads its standard error to the end.
    _drain: JoinSet<()>,
}

/// The program's standard input and output.
pub(crate) type Pipes = (ChildStdin, ChildStdout);

impl Program {
    /// Starts a program with these environment variables and no others.
    ///
    /// # Errors
    /// Returns [`ServerFault::NotStarted`] if the system does not start it.
    pub(crate) fn start(
        program: &str,
        args: &[String],
        env: &BTreeMap<String, String>,
        log: &Log,
    ) -> Result<(Self, Pipes), ServerFault> {
        let not_started = |why: String| ServerFault::NotStarted {
            program: clean::line(program, 200),
            why,
        };
        let mut command = Command::new(program);
        command
            .args(args)
            .env_clear()
            .envs(env)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true);
        #[cfg(unix)]
        command.process_group(0);
        if let Some(home) = env
            .get("HOME")
            .filter(|home| std::path::Path::new(home).is_dir())
        {
            command.current_dir(home);
        }
        let mut child = command
            .spawn()
            .map_err(|error| not_started(adjutant_domain::faults::io_reason(&error)))?;
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (Some(stdin), Some(stdout), Some(stderr)) = pipes else {
            return Err(not_started("it has no input or output".into()));
        };
        let mut drain = JoinSet::new();
        drain.spawn(drained(stderr, log.clone()));
        let program = Self {
            group: child.id(),
            child,
            _drain: drain,
        };
        Ok((program, (stdin, stdout)))
    }

    /// Returns how a program with closed output exited, such as ` (exit status: 1)`; empty if it is still running.
    /// Kills it.
    pub(crate) async fn how_ended(&mut self) -> String {
        let ended = timeout(ENDS_WITHIN, self.child.wait()).await;
        self.kill();
        match ended {
            Ok(Ok(status)) => format!(" ({status})"),
            _ => String::new(),
        }
    }

    /// Kills the program and its children.
    fn kill(&mut self) {
        #[cfg(unix)]
        if let Some(group) = self.group.take().and_then(|id| i32::try_from(id).ok())
            && let Some(group) = rustix::process::Pid::from_raw(group)
        {
            // An error means that the group is already gone.
            let _gone = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
        }
        #[cfg(not(unix))]
        {
            self.group = None;
        }
        let _ended = self.child.start_kill();
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Reads standard error to its end and keeps the last lines.
async fn drained(stderr: ChildStderr, log: Log) {
    let mut reader = BufReader::new(stderr);
    let mut line: Vec<u8> = Vec::new();
    let mut piece = [0; 4096];
    while let Ok(count) = reader.read(&mut piece).await
        && count > 0
    {
        for byte in &piece[..count] {
            if *byte == b'\n' {
                log.add(&line);
                line.clear();
            } else if line.len() < LOG_CHARS_MAX * 4 {
                line.push(*byte);
            }
        }
    }
    log.add(&line);
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use rustix::process::{Pid, test_kill_process};
    use tokio::io::AsyncBufReadExt as _;

    use super::*;

    fn shell(script: &str, log: &Log) -> (Program, Pipes) {
        let env = BTreeMap::from([("PATH".to_owned(), "/usr/bin:/bin".to_owned())]);
        let args = ["-c".to_owned(), script.to_owned()];
        Program::start("/bin/sh", &args, &env, log).expect("a shell")
    }

    #[tokio::test]
    async fn a_program_ends_with_its_children() {
        let log = Log::default();
        let (program, (_stdin, stdout)) = shell("sleep 600 & echo $!; wait", &log);
        let mut lines = BufReader::new(stdout).lines();
        let child = lines.next_line().await.expect("read").expect("a line");
        let child = Pid::from_raw(child.trim().parse().expect("a number")).expect("an id");
        assert!(test_kill_process(child).is_ok());
        drop(program);
        // Its output ends when the last process that holds it has ended.
        assert_eq!(lines.next_line().await.expect("read"), None);
    }

    #[tokio::test]
    async fn what_a_program_says_at_its_end_is_kept_and_the_rest_of_the_environment_is_not_there() {
        let log = Log::default();
        let (mut program, (_stdin, stdout)) =
            shell("env >&2; echo 'no\u{1b}[31m key' >&2; exit 3", &log);
        let mut lines = BufReader::new(stdout).lines();
        assert_eq!(lines.next_line().await.expect("read"), None);
        assert_eq!(program.how_ended().await, " (exit status: 3)");
        while let Some(drained) = program._drain.join_next().await {
            drained.expect("drained");
        }
        let lines = log.lines();
        assert_eq!(lines.last().map(String::as_str), Some("no\u{FFFD}[31m key"));
        let bare = ["PATH=", "PWD=", "OLDPWD=", "SHLVL=", "_="];
        let other = lines[..lines.len() - 1]
            .iter()
            .find(|line| !bare.iter().any(|name| line.starts_with(name)));
        assert_eq!(other, None);
    }

    #[tokio::test]
    async fn a_program_that_is_not_there_is_named() {
        let missing = Program::start("no-such-program", &[], &BTreeMap::new(), &Log::default());
        let fault = missing.err().expect("not started");
        assert!(
            matches!(&fault, ServerFault::NotStarted { program, .. } if program == "no-such-program")
        );
    }
}
