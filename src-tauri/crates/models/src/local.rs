//! The built-in model: a file of the person's, answered by `adjutant-local`, a process beside this one.
//!
//! The process starts with the first request and ends with this one, or when nothing was asked for a while. When it
//! falls over, the answer is cut, and the next request starts it again, after a rest that grows with every fall.

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, PoisonError, Weak};
use std::time::Duration;

use adjutant_domain::model::{
    ChatModel, ModelEvent, ModelFault, ModelProfile, ModelRequest, ReplyShape, Role, StopReason,
    Tier, Usage,
};
use adjutant_local::wire::{self, LINE_BYTES_MAX, Reply, Request};
use futures::stream::BoxStream;
use futures::{FutureExt as _, StreamExt as _, stream};
use tokio::io::AsyncWriteExt as _;
use tokio::process::{Child, ChildStdin, ChildStdout, Command};
use tokio::sync::{Mutex, OwnedMutexGuard};
use tokio_util::codec::{FramedRead, LinesCodec};

use crate::connection::{CONTEXT_TOKENS_UNKNOWN, Connection};
use crate::file::{self, Facts};
use crate::tiers::{Patience, SinceStart, Ticks, Watched};

/// Time to read the head of a file.
const LOOK_WITHIN: Duration = Duration::from_secs(30);
/// Time a process has to end once it has closed its output.
const END_WITHIN: Duration = Duration::from_secs(5);
/// Rest after the first fall; it doubles with every further one.
const REST_FIRST: Duration = Duration::from_secs(1);
/// The longest rest.
const REST_MAX: Duration = Duration::from_secs(60);

/// A model in a file, for one tier. Clones of different tiers share the process, which answers one after the other.
#[derive(Clone)]
pub struct FileModel {
    shared: Arc<Shared>,
    tier: Tier,
}

struct Shared {
    id: String,
    program: PathBuf,
    file: PathBuf,
    ticks: Arc<dyn Ticks>,
    /// Tokens of prompt and answer, once the process has told.
    window: AtomicU32,
    state: Arc<Mutex<State>>,
}

#[derive(Default)]
struct State {
    process: Option<Process>,
    /// Falls since the last whole answer.
    falls: u32,
    /// Not started before this, in the time of `ticks`.
    rests_until: Duration,
    last: u64,
    /// A request whose answer nobody wants; it is read away before the next.
    left: Option<u64>,
}

struct Process {
    child: Child,
    requests: ChildStdin,
    replies: FramedRead<ChildStdout, LinesCodec>,
}

impl FileModel {
    /// The model in `file`, answered by `program`. Nothing is started yet.
    #[must_use]
    pub fn new(id: &str, program: &Path, file: &Path, tier: Tier, ticks: Arc<dyn Ticks>) -> Self {
        Self {
            shared: Arc::new(Shared {
                id: id.to_owned(),
                program: program.to_path_buf(),
                file: file.to_path_buf(),
                ticks,
                window: AtomicU32::new(CONTEXT_TOKENS_UNKNOWN),
                state: Arc::default(),
            }),
            tier,
        }
    }

    /// The same model for another tier.
    #[must_use]
    pub fn serving(&self, tier: Tier) -> Self {
        Self {
            tier,
            ..self.clone()
        }
    }

    /// What is known of its window before it is loaded.
    fn learn_window(&self, tokens: u32) {
        let unknown = CONTEXT_TOKENS_UNKNOWN;
        let window = &self.shared.window;
        let _ = window.compare_exchange(unknown, tokens, Ordering::Relaxed, Ordering::Relaxed);
    }

    /// The model that is open already, or a new one: settings change and tests are made while a model is loaded, and no
    /// machine has memory for it twice.
    fn shared(id: &str, program: &Path, file: &Path, tier: Tier) -> Self {
        let mut open = OPEN.lock().unwrap_or_else(PoisonError::into_inner);
        open.retain(|one| one.strong_count() > 0);
        let mut known = open.iter().filter_map(Weak::upgrade);
        let same = |one: &Arc<Shared>| one.id == id && one.program == program && one.file == file;
        if let Some(shared) = known.find(same) {
            return Self { shared, tier };
        }
        let model = Self::new(id, program, file, tier, Arc::new(SinceStart::new()));
        open.push(Arc::downgrade(&model.shared));
        model
    }
}

/// Everything that is open in this process; as many as there are connections of this kind.
static OPEN: std::sync::Mutex<Vec<Weak<Shared>>> = std::sync::Mutex::new(Vec::new());

/// The model of a connection to a file. Nothing is started yet.
///
/// # Errors
/// When the connection names no file, or the program that answers is not beside this one.
pub(crate) fn open(
    connection: &Connection,
    profile: ModelProfile,
) -> Result<Arc<dyn ChatModel>, ModelFault> {
    let file = connection.file().ok_or(ModelFault::None)?;
    let program = file::program().map_err(|wrong| ModelFault::Internal {
        why: wrong.to_string(),
    })?;
    let model = FileModel::shared(&profile.id, &program, &file, profile.tier);
    model.learn_window(profile.context_tokens);
    let patience = Patience {
        first: connection.first_piece_within(),
        between: connection.between_pieces_within(),
    };
    Ok(Arc::new(Watched::new(Arc::new(model), patience)))
}

/// Lets a process look at a file.
///
/// # Errors
/// Why the file cannot be used, in words.
pub(crate) async fn look(program: &Path, file: &Path) -> Result<Facts, String> {
    let mut command = command(program);
    command.arg("--look").arg(file);
    let looked = tokio::time::timeout(LOOK_WITHIN, command.output())
        .await
        .map_err(|_| "reading its head takes too long".to_owned())?
        .map_err(|why| format!("what runs it cannot be started: {why}"))?;
    match serde_json::from_slice(&looked.stdout) {
        Ok(Reply::Looked {
            name,
            window,
            memory,
        }) => Ok(Facts {
            name,
            window: u32::try_from(window).unwrap_or(u32::MAX),
            memory_bytes: memory,
        }),
        Ok(Reply::Fault { why, .. }) => Err(why),
        _ => Err(format!(
            "what reads it fell over ({}), so it is damaged",
            looked.status
        )),
    }
}

/// The process that answers, without what it need not know.
fn command(program: &Path) -> Command {
    let mut command = Command::new(program);
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .env_remove("ADJUTANT_MODEL_KEY")
        .kill_on_drop(true);
    command
}

impl ChatModel for FileModel {
    fn profile(&self) -> ModelProfile {
        ModelProfile {
            id: self.shared.id.clone(),
            tier: self.tier,
            context_tokens: self.shared.window.load(Ordering::Relaxed),
            tools: false,
            structure: true,
            input_micros_per_million: 0,
            output_micros_per_million: 0,
            price_known: true,
            local: true,
        }
    }

    fn stream(
        &self,
        request: Arc<ModelRequest>,
    ) -> BoxStream<'static, Result<ModelEvent, ModelFault>> {
        let first = Stage::Begin(self.shared.clone(), request);
        stream::unfold(first, |stage| async {
            match stage {
                Stage::Begin(shared, request) => match begin(shared.clone(), &request).await {
                    Ok(running) => {
                        let model = shared.id.clone();
                        let answering = ModelEvent::Answering { model, why: None };
                        Some((Ok(answering), Stage::Running(running)))
                    }
                    Err(fault) => Some((Err(fault), Stage::Over)),
                },
                Stage::Running(mut running) => match running.next().await {
                    Ok(event @ ModelEvent::End { .. }) => Some((Ok(event), Stage::Over)),
                    Ok(event) => Some((Ok(event), Stage::Running(running))),
                    Err(fault) => Some((Err(fault), Stage::Over)),
                },
                Stage::Over => None,
            }
        })
        .boxed()
    }
}

enum Stage {
    Begin(Arc<Shared>, Arc<ModelRequest>),
    Running(Running),
    Over,
}

/// A request that is being answered. Whoever holds it has the process for itself.
struct Running {
    shared: Arc<Shared>,
    state: OwnedMutexGuard<State>,
    id: u64,
    whole: bool,
}

/// Sends a request. Whoever gives up on the way leaves no half-sent line behind: the process ends with the attempt.
async fn begin(shared: Arc<Shared>, request: &ModelRequest) -> Result<Running, ModelFault> {
    let mut state = shared.state.clone().lock_owned().await;
    state.look_after(&shared);
    let id = state.last + 1;
    let line = line_of(id, request);
    if u64::try_from(line.len()).is_ok_and(|bytes| bytes > LINE_BYTES_MAX) {
        return Err(ModelFault::TooLong {
            model: shared.id.clone(),
        });
    }
    let mut process = match state.process.take() {
        Some(process) => process,
        None => state.start(&shared).await?,
    };
    let sent = process.read_away(state.left.take()).await
        && process.requests.write_all(&line).await.is_ok();
    if !sent {
        return Err(state.fell(&shared));
    }
    state.process = Some(process);
    state.last = id;
    Ok(Running {
        shared,
        state,
        id,
        whole: false,
    })
}

fn line_of(id: u64, request: &ModelRequest) -> Vec<u8> {
    let schema = match &request.reply {
        ReplyShape::Json { schema, .. } => Some(schema.clone()),
        ReplyShape::Text => None,
    };
    let messages = request.messages.iter().map(|message| wire::Message {
        role: match message.role {
            Role::User => wire::Role::User,
            Role::Assistant => wire::Role::Assistant,
        },
        text: message.text.clone(),
    });
    let request = Request::Generate {
        id,
        system: request.system.text.clone(),
        messages: messages.collect(),
        schema,
        max_tokens: usize::try_from(request.max_output_tokens).unwrap_or(usize::MAX),
    };
    line(&request)
}

/// A request as a line. Strings, numbers and JSON always have one.
fn line(request: &Request) -> Vec<u8> {
    let mut line = serde_json::to_vec(request).unwrap_or_default();
    line.push(b'\n');
    line
}

impl State {
    /// Whether the process is still there. One that ended by itself had nothing to do; anything else is a fall.
    fn look_after(&mut self, shared: &Shared) {
        let ended = self
            .process
            .as_mut()
            .map(|process| process.child.try_wait());
        match ended {
            None | Some(Ok(None)) => {}
            Some(Ok(Some(status))) if status.success() => self.process = None,
            Some(_) => {
                self.fell(shared);
            }
        }
    }

    async fn start(&mut self, shared: &Shared) -> Result<Process, ModelFault> {
        let now = shared.ticks.elapsed();
        if let Some(rest) = self
            .rests_until
            .checked_sub(now)
            .filter(|rest| !rest.is_zero())
        {
            return Err(ModelFault::Resting {
                model: shared.id.clone(),
                rest,
            });
        }
        let unreachable = |why: String| ModelFault::Unreachable {
            model: shared.id.clone(),
            why,
        };
        let mut child = command(&shared.program)
            .arg(&shared.file)
            .spawn()
            .map_err(|why| unreachable(format!("its process cannot be started: {why}")))?;
        let (Some(requests), Some(replies)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(unreachable("its process has no way in or out".into()));
        };
        let longest = usize::try_from(LINE_BYTES_MAX).unwrap_or(usize::MAX);
        let codec = LinesCodec::new_with_max_length(longest);
        let mut process = Process {
            child,
            requests,
            replies: FramedRead::new(replies, codec),
        };
        match process.reply().await {
            Some(Reply::Ready { window, .. }) => {
                let window = u32::try_from(window).unwrap_or(u32::MAX);
                shared.window.store(window, Ordering::Relaxed);
                self.left = None;
                Ok(process)
            }
            // Neither file nor memory gets better at once, so it rests as well.
            Some(Reply::Fault { why, .. }) => {
                self.fell(shared);
                Err(ModelFault::Broken {
                    model: shared.id.clone(),
                    why,
                })
            }
            Some(_) => Err(self.fell(shared)),
            None => {
                let why = process.last_words().await;
                self.fell(shared);
                Err(ModelFault::Broken {
                    model: shared.id.clone(),
                    why,
                })
            }
        }
    }

    /// The process fell over, or makes no sense: it is ended, and rests.
    fn fell(&mut self, shared: &Shared) -> ModelFault {
        self.process = None;
        self.left = None;
        let rest = REST_FIRST
            .saturating_mul(1 << self.falls.min(16))
            .min(REST_MAX);
        self.falls = self.falls.saturating_add(1);
        self.rests_until = shared.ticks.elapsed() + rest;
        ModelFault::Cut {
            model: shared.id.clone(),
        }
    }
}

impl Process {
    /// Its next line; none when it has fallen over or makes no sense.
    async fn reply(&mut self) -> Option<Reply> {
        let line = self.replies.next().await?.ok()?;
        serde_json::from_str(&line).ok()
    }

    /// How it ended before it could load the file. The system ends a process that takes more memory than there is.
    async fn last_words(&mut self) -> String {
        let ended = tokio::time::timeout(END_WITHIN, self.child.wait()).await;
        let how = match ended {
            Ok(Ok(status)) => format!(" ({status})"),
            _ => String::new(),
        };
        format!(
            "its process ended while it loaded the file{how}; the file is damaged, or larger than the memory that is free"
        )
    }

    /// Reads to the end of an answer that was given up. False when the process fell over.
    async fn read_away(&mut self, left: Option<u64>) -> bool {
        let Some(left) = left else { return true };
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
}

impl Running {
    async fn next(&mut self) -> Result<ModelEvent, ModelFault> {
        let model = self.shared.id.clone();
        let reply = match self.state.process.as_mut() {
            Some(process) => process.reply().await,
            None => None,
        };
        let Some(reply) = reply else {
            self.whole = true;
            return Err(self.state.fell(&self.shared));
        };
        match reply {
            Reply::Token { id, text } if id == self.id => Ok(ModelEvent::Token { text }),
            Reply::End {
                id,
                stop,
                input,
                output,
            } if id == self.id => {
                self.whole = true;
                self.state.falls = 0;
                Ok(ModelEvent::End {
                    stop: match stop {
                        wire::Stop::Complete => StopReason::Complete,
                        wire::Stop::Length | wire::Stop::Stopped => StopReason::Length,
                    },
                    usage: Usage {
                        input: u64::try_from(input).unwrap_or(u64::MAX),
                        output: u64::try_from(output).unwrap_or(u64::MAX),
                        cost_micros: 0,
                        estimated: false,
                    },
                })
            }
            Reply::Fault { id, code, why } if id == Some(self.id) => {
                self.whole = true;
                Err(match code.as_str() {
                    "too_long" => ModelFault::TooLong { model },
                    "schema" => ModelFault::Refused { model, why },
                    _ => ModelFault::Broken { model, why },
                })
            }
            _ => Err(self.state.fell(&self.shared)),
        }
    }
}

impl Drop for Running {
    /// Given up in the middle: the process is told to stop, or ended if it does not take the line at once.
    fn drop(&mut self) {
        if self.whole {
            return;
        }
        let stop = line(&Request::Stop { id: self.id });
        let Some(process) = self.state.process.as_mut() else {
            return;
        };
        match process.requests.write_all(&stop).now_or_never() {
            Some(Ok(())) => self.state.left = Some(self.id),
            _ => self.state.process = None,
        }
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests;
