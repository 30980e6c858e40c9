//! The built-in model: a file of the person's, run by `adjutant-local`, a process beside this one.
//!
//! The process starts with the first request and ends with this process, or after a time without requests. Requests
//! wait for one another and for the model to load; giving up the wait ends neither. If the process crashes, the
//! answer is cut off, and the next request restarts it after a pause that grows with every crash.

mod process;
mod state;

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, PoisonError, Weak};
use std::time::Duration;

use adjutant_domain::model::{
    ChatModel, ModelEvent, ModelFault, ModelProfile, ModelRequest, ReplyShape, Role, StopReason,
    Tier, Usage,
};
use adjutant_local::wire::{self, LINE_BYTES_MAX, Reply, Request};
use futures::stream::BoxStream;
use futures::{StreamExt as _, stream};
use tokio::sync::{Mutex, OwnedMutexGuard};

use self::process::command;
use self::state::State;
use crate::choice::CONTEXT_TOKENS_UNKNOWN;
use crate::connection::Connection;
use crate::gguf::{self, Facts};
use crate::tiers::{Patience, SinceStart, Ticks, Watched};

/// Time limit for reading the header of a file.
const LOOK_WITHIN: Duration = Duration::from_secs(30);

/// A model in a file, for one tier. Clones for different tiers share the process, which answers one request at a
/// time.
#[derive(Clone)]
pub struct FileModel {
    shared: Arc<SharedModel>,
    tier: Tier,
}

struct SharedModel {
    id: String,
    program: PathBuf,
    file: PathBuf,
    ticks: Arc<dyn Ticks>,
    /// Size of the context window in tokens, once the process has reported it.
    window: AtomicU32,
    /// Held by the request that is being served.
    state: Arc<Mutex<State>>,
}

impl FileModel {
    /// Creates a model for `file`, run by `program`. Starts nothing.
    #[must_use]
    pub fn new(id: &str, program: &Path, file: &Path, tier: Tier, ticks: Arc<dyn Ticks>) -> Self {
        Self {
            shared: Arc::new(SharedModel {
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

    /// Returns the same model for another tier.
    #[must_use]
    pub fn serving(&self, tier: Tier) -> Self {
        Self {
            tier,
            ..self.clone()
        }
    }

    /// Sets the context window as far as it is known before the model is loaded.
    fn learn_window(&self, tokens: u32) {
        let unknown = CONTEXT_TOKENS_UNKNOWN;
        let window = &self.shared.window;
        let _ = window.compare_exchange(unknown, tokens, Ordering::Relaxed, Ordering::Relaxed);
    }

    /// Returns the model if it is open already, otherwise a new one. Settings change and tests run while a model is
    /// loaded, and computers do not have the memory to load it twice.
    fn shared(id: &str, program: &Path, file: &Path, tier: Tier) -> Self {
        let mut open = OPEN.lock().unwrap_or_else(PoisonError::into_inner);
        open.retain(|one| one.strong_count() > 0);
        let mut known = open.iter().filter_map(Weak::upgrade);
        let same =
            |one: &Arc<SharedModel>| one.id == id && one.program == program && one.file == file;
        if let Some(shared) = known.find(same) {
            return Self { shared, tier };
        }
        let model = Self::new(id, program, file, tier, Arc::new(SinceStart::new()));
        open.push(Arc::downgrade(&model.shared));
        model
    }
}

/// All models open in this process; one for each connection of this kind.
static OPEN: std::sync::Mutex<Vec<Weak<SharedModel>>> = std::sync::Mutex::new(Vec::new());

/// Returns the model of a connection to a file. Starts nothing.
///
/// # Errors
/// When the connection names no file, or the program that runs it is not beside this one.
pub(crate) fn open(
    connection: &Connection,
    profile: ModelProfile,
) -> Result<Arc<dyn ChatModel>, ModelFault> {
    let file = connection.file().ok_or(ModelFault::None)?;
    let program = gguf::program().map_err(|wrong| ModelFault::Internal {
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

/// Lets a process inspect a file.
///
/// # Errors
/// The reason why the file cannot be used, in words.
pub(crate) async fn look(program: &Path, file: &Path) -> Result<Facts, String> {
    let mut command = command(program);
    command.arg("--look").arg(file);
    let looked = tokio::time::timeout(LOOK_WITHIN, command.output())
        .await
        .map_err(|_| "reading its header takes too long".to_owned())?
        .map_err(|why| format!("the program that runs it cannot be started: {why}"))?;
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
            "the program that reads it crashed ({}), so it may be damaged",
            looked.status
        )),
    }
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

    fn takes_turns(&self) -> bool {
        true
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
    Begin(Arc<SharedModel>, Arc<ModelRequest>),
    Running(Running),
    Over,
}

/// A request that is being answered. Its holder has the process to itself.
struct Running {
    shared: Arc<SharedModel>,
    state: OwnedMutexGuard<State>,
    id: u64,
    whole: bool,
}

/// Waits until it is the request's turn and the model is loaded, and queues the request. The request is sent when the
/// reply is first polled: from then on, time counts as the model's.
async fn begin(shared: Arc<SharedModel>, request: &ModelRequest) -> Result<Running, ModelFault> {
    let mut state = shared.state.clone().lock_owned().await;
    let id = state.last + 1;
    let line = line_of(id, request);
    if u64::try_from(line.len()).is_ok_and(|bytes| bytes > LINE_BYTES_MAX) {
        return Err(ModelFault::TooLong {
            model: shared.id.clone(),
        });
    }
    state.ready(&shared).await?.send(&line);
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

/// Serialises a request as a line. Strings, numbers and JSON always serialise.
fn line(request: &Request) -> Vec<u8> {
    let mut line = serde_json::to_vec(request).unwrap_or_default();
    line.push(b'\n');
    line
}

impl Running {
    async fn next(&mut self) -> Result<ModelEvent, ModelFault> {
        let model = self.shared.id.clone();
        let reply = match self.state.process() {
            Some(process) => process.reply().await,
            None => None,
        };
        let Some(reply) = reply else {
            self.whole = true;
            return Err(self.state.cut(&self.shared));
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
                self.state.answered();
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
            _ => Err(self.state.cut(&self.shared)),
        }
    }
}

impl Drop for Running {
    /// Tells the process to stop an unfinished answer. The rest of its output is discarded before the next request.
    fn drop(&mut self) {
        if !self.whole {
            let stop = line(&Request::Stop { id: self.id });
            self.state.leave(self.id, &stop, &self.shared);
        }
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests;
