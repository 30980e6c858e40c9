//! A person who uses the program: how they run it, and how it ends.

use std::collections::{BTreeMap, BTreeSet};
use std::os::unix::process::ExitStatusExt as _;
use std::path::Path;
use std::process::Stdio;
use std::sync::atomic::{AtomicU32, Ordering};

use adjutant_net::Url;
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::TcpStream;
use tokio::process::{ChildStderr, Command};

use crate::desk::{Desk, Ended, Instant, NOW};

const SIGKILL: i32 = 9;
/// Maximum duration of one run of the program.
const RUN_MAX: std::time::Duration = std::time::Duration::from_secs(60);

static PEOPLE: AtomicU32 = AtomicU32::new(1);

/// A person with a profile, and with accounts that nobody else uses.
pub struct Person<'a> {
    pub desk: &'a Desk,
    home: TempDir,
    /// User name at Dovecot and Radicale.
    pub user: String,
    /// Everything the program has printed.
    pub said: String,
    /// Time shown by the program's clock.
    pub now: &'static str,
    /// Whether the program logs at trace level.
    pub traces: bool,
}

impl<'a> Person<'a> {
    pub fn new(desk: &'a Desk) -> Self {
        Self {
            desk,
            home: tempfile::tempdir().unwrap(),
            user: format!("p{}", PEOPLE.fetch_add(1, Ordering::Relaxed)),
            said: String::new(),
            now: NOW,
            traces: false,
        }
    }

    pub fn home(&self) -> &Path {
        self.home.path()
    }

    pub fn file(&self, name: &str, content: &str) -> String {
        let path = self.home().join(name);
        std::fs::write(&path, content).unwrap();
        path.display().to_string()
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_adjutant"));
        let proxy = format!("http://127.0.0.1:{}", self.desk.proxy.port);
        command
            .args(["--json", "--now", self.now, "--home"])
            .arg(self.home())
            .args(args)
            .env("ADJUTANT_SET_NETWORK__PROXY", proxy)
            .env(
                "ADJUTANT_SET_GOOGLE__ENDPOINT",
                "https://google.home.example",
            )
            .env("DBUS_SESSION_BUS_ADDRESS", self.desk.keyring.address())
            .env("SSL_CERT_FILE", &self.desk.roots)
            .env_remove("SSL_CERT_DIR")
            .env_remove("RUST_LOG")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true);
        if self.traces {
            command.env("RUST_LOG", "trace");
        }
        command
    }

    /// Runs the program to its end.
    pub async fn run(&mut self, args: &[&str], input: &str) -> Ended {
        self.run_until(args, input, None).await
    }

    /// Runs the program to its end, or kills it at a moment.
    pub async fn run_until(&mut self, args: &[&str], input: &str, at: Option<&Instant>) -> Ended {
        let mut command = self.command(args);
        if let Some(Instant::Storage(place)) = at {
            command.env("ADJUTANT_CRASH_AT", place);
        }
        let ended = self.end(command, input, at).await;
        self.said.push_str(&ended.out);
        self.said.push_str(&ended.err);
        ended
    }

    /// Returns storage's crash points that a command passes, the first and the last pass of each.
    pub async fn places(&mut self, args: &[&str], input: &str) -> Vec<String> {
        let log = self.home().join("places");
        let mut command = self.command(args);
        command.env("ADJUTANT_CRASH_LOG", &log);
        self.end(command, input, None).await;
        let passed = std::fs::read_to_string(&log).unwrap();
        std::fs::remove_file(log).unwrap();
        let mut times = BTreeMap::<&str, usize>::new();
        for place in passed.lines() {
            *times.entry(place).or_default() += 1;
        }
        let named = times.into_iter().flat_map(|(place, times)| {
            let both = BTreeSet::from([1, times]);
            both.into_iter().map(move |time| format!("{place}:{time}"))
        });
        named.collect()
    }

    async fn end(&self, mut command: Command, input: &str, at: Option<&Instant>) -> Ended {
        let part = match at {
            Some(Instant::Network(way, number)) => Some((*way, *number)),
            _ => None,
        };
        let came_by = self.desk.proxy.watch().keep_back(part);
        let mut child = command.spawn().unwrap();
        let mut typing = child.stdin.take().unwrap();
        // A killed program reads no input.
        drop(typing.write_all(input.as_bytes()).await);
        drop(typing);
        let mut told = child.stdout.take().unwrap();
        let listened = child.stderr.take().unwrap();
        let mut out = String::new();
        let ending = async {
            let after = match at {
                Some(Instant::After(time)) => *time,
                _ => RUN_MAX,
            };
            let ended = tokio::select! {
                Ok(()) = came_by => None,
                () = tokio::time::sleep(after) => None,
                ended = child.wait() => Some(ended.unwrap()),
            };
            if ended.is_none() {
                child.start_kill().unwrap();
            }
            match ended {
                Some(ended) => ended,
                None => child.wait().await.unwrap(),
            }
        };
        let (status, err, read) =
            tokio::join!(ending, self.listen(listened), told.read_to_string(&mut out));
        read.unwrap();
        let killed = status.signal() == Some(SIGKILL);
        assert!(
            killed || at.is_some() || status.code().is_some(),
            "{status}"
        );
        Ended {
            killed,
            code: status.code(),
            out,
            err,
        }
    }

    /// Reads standard error. When it contains the address of a sign-in, the person's browser opens it, and the person
    /// grants access.
    async fn listen(&self, stderr: ChildStderr) -> String {
        let mut said = BufReader::new(stderr).lines();
        let mut all = String::new();
        while let Some(line) = said.next_line().await.unwrap() {
            if line.starts_with("https://google.home.example/") {
                let address = Url::parse(&line).unwrap();
                let (back, target) = self.desk.google.decide(&address, true);
                // The program may have exited by now.
                drop(visit(&back, &target).await);
            }
            all.push_str(&line);
            all.push('\n');
        }
        all
    }
}

/// Sends a browser's request to the program.
async fn visit(to: &Url, target: &str) -> std::io::Result<()> {
    let host = format!("{}:{}", to.host_str().unwrap(), to.port().unwrap());
    let mut stream = TcpStream::connect(&host).await?;
    let request = format!("GET {target} HTTP/1.1\r\nHost: {host}\r\n\r\n");
    stream.write_all(request.as_bytes()).await?;
    let mut reply = Vec::new();
    stream.read_to_end(&mut reply).await.map(drop)
}
