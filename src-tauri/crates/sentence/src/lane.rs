//! Runs the model on a thread of its own, only while it is needed.

use std::collections::VecDeque;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use adjutant_domain::model::{Embedder, ModelFault};
use async_trait::async_trait;
use tokio::sync::oneshot;

use crate::examples::Examples;
use crate::fault::SentenceFault;
use crate::model::{MODEL_ID, SentenceModel};

/// How long the model stays loaded without a request.
pub const IDLE_DEFAULT: Duration = Duration::from_secs(5 * 60);

/// Highest number of requests that wait.
const WAITING_MAX: usize = 64;

/// How long after a failed load the next one is tried: the files may have been repaired.
const LOAD_AGAIN: Duration = Duration::from_secs(60);

/// File beside the model that stores the vectors of the examples.
const EXAMPLES_FILE: &str = "examples.vectors";

/// The sentence model behind the port [`Embedder`]: free, offline, and loaded only while it is used.
///
/// Creating one costs nothing. The first request starts a thread that loads the model and then answers one request
/// after another; after a time without requests, the thread ends and frees the memory. A request whose caller is gone
/// is skipped, or stopped after the current batch.
pub struct LocalEmbedder {
    lane: Arc<Lane>,
}

type Load = dyn Fn() -> Result<SentenceModel, SentenceFault> + Send + Sync;
type Vectors = Result<Vec<Vec<f32>>, SentenceFault>;

struct Lane {
    load: Box<Load>,
    examples: Examples,
    idle: Duration,
    /// Whether the owner is going away, so that the current computation is no longer wanted.
    closing: AtomicBool,
    running: Mutex<Option<Running>>,
}

/// A thread that accepts requests.
struct Running {
    requests: SyncSender<Request>,
    thread: JoinHandle<()>,
}

enum Request {
    Vectors {
        texts: Vec<String>,
        reply: oneshot::Sender<Vectors>,
    },
    /// Asks how similar a text is to each example.
    Cosines {
        text: String,
        reply: SyncSender<Vec<f32>>,
    },
}

/// What the thread has loaded.
struct Loaded {
    model: SentenceModel,
    /// Vectors of the examples, once they were needed.
    examples: Option<Vec<Vec<f32>>>,
}

impl LocalEmbedder {
    /// Creates an embedder for the files in a folder, or returns `None` if they are missing. `examples` are the
    /// sentences that [`Self::cosines`] compares with; `idle` is how long the model stays loaded without a request,
    /// see [`IDLE_DEFAULT`].
    #[must_use]
    pub fn find(folder: &Path, examples: Vec<String>, idle: Duration) -> Option<Self> {
        if !crate::files::are_there(folder) {
            return None;
        }
        let examples = Examples::new(examples, folder.join(EXAMPLES_FILE));
        let folder = folder.to_path_buf();
        let load = move || SentenceModel::open(&folder);
        Some(Self::loading(Box::new(load), examples, idle))
    }

    pub(crate) fn loading(load: Box<Load>, examples: Examples, idle: Duration) -> Self {
        Self {
            lane: Arc::new(Lane {
                load,
                examples,
                idle,
                closing: AtomicBool::new(false),
                running: Mutex::new(None),
            }),
        }
    }

    /// Whether the model is loaded or being loaded.
    #[must_use]
    pub fn is_awake(&self) -> bool {
        let running = self.lane.running();
        running
            .as_ref()
            .is_some_and(|running| !running.thread.is_finished())
    }

    /// Returns the cosine between `text` and each example, in order. Waits at most `wait` and then returns `None`;
    /// the model continues to load, and a later call finds it ready. Also returns `None` if the model cannot be
    /// loaded.
    #[must_use]
    pub fn cosines(&self, text: &str, wait: Duration) -> Option<Vec<f32>> {
        let (reply, answer) = sync_channel(1);
        let text = text.to_owned();
        self.ask(Request::Cosines { text, reply }).ok()?;
        answer.recv_timeout(wait).ok()
    }

    pub(crate) fn vectors(
        &self,
        texts: Vec<String>,
    ) -> Result<oneshot::Receiver<Vectors>, SentenceFault> {
        let (reply, answer) = oneshot::channel();
        self.ask(Request::Vectors { texts, reply })?;
        Ok(answer)
    }

    /// Hands a request to the thread, starting one if there is none.
    fn ask(&self, mut request: Request) -> Result<(), SentenceFault> {
        let mut running = self.lane.running();
        if let Some(lane) = running.as_ref() {
            match lane.requests.try_send(request) {
                Ok(()) => return Ok(()),
                Err(TrySendError::Full(_)) => return Err(SentenceFault::Busy),
                Err(TrySendError::Disconnected(back)) => request = back,
            }
        }
        let (requests, waiting) = sync_channel(WAITING_MAX);
        let lane = self.lane.clone();
        let thread = std::thread::Builder::new()
            .name("sentences".to_owned())
            .spawn(move || lane.serve(&waiting))
            .map_err(|why| SentenceFault::Failed {
                why: why.to_string(),
            })?;
        // The new channel is empty and its thread holds the other end, so sending cannot fail.
        let _ = requests.try_send(request);
        *running = Some(Running { requests, thread });
        Ok(())
    }
}

impl Lane {
    fn running(&self) -> MutexGuard<'_, Option<Running>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Answers requests until none has come for a while, or the embedder is gone.
    fn serve(&self, waiting: &Receiver<Request>) {
        let loaded = (self.load)().map(|model| Loaded {
            model,
            examples: None,
        });
        match loaded {
            Ok(loaded) => self.serve_with(loaded, waiting),
            Err(why) => {
                tracing::warn!(%why, "no sentence vectors");
                self.refuse(&why, waiting);
            }
        }
    }

    fn serve_with(&self, mut loaded: Loaded, waiting: &Receiver<Request>) {
        let mut later = VecDeque::new();
        loop {
            let next = match later.pop_front() {
                Some(request) => Ok(request),
                None => waiting.recv_timeout(self.idle),
            };
            match next {
                Ok(request) => self.answer(&mut loaded, request, waiting, &mut later),
                Err(RecvTimeoutError::Disconnected) => return,
                Err(RecvTimeoutError::Timeout) => {
                    // Every caller needs this lock to send, so no request can arrive between this check and the end
                    // of the thread.
                    let mut running = self.running();
                    match waiting.try_recv() {
                        Ok(request) => later.push_back(request),
                        Err(_) => {
                            *running = None;
                            return;
                        }
                    }
                }
            }
        }
    }

    /// Tells callers for a while that the model could not be loaded. Then the thread ends, and the next request loads
    /// it again.
    fn refuse(&self, why: &SentenceFault, waiting: &Receiver<Request>) {
        let until = now() + LOAD_AGAIN.min(self.idle);
        loop {
            match waiting.recv_timeout(until.saturating_duration_since(now())) {
                Ok(request) => request.refuse(why),
                Err(RecvTimeoutError::Disconnected) => return,
                Err(RecvTimeoutError::Timeout) => {
                    let mut running = self.running();
                    waiting.try_iter().for_each(|request| request.refuse(why));
                    *running = None;
                    return;
                }
            }
        }
    }

    /// Answers a request; a reply that nobody waits for is dropped. A person waits for a comparison, so comparisons
    /// are answered first, between the batches of a long request; other requests that arrive meanwhile are put into
    /// `later`.
    fn answer(
        &self,
        loaded: &mut Loaded,
        request: Request,
        waiting: &Receiver<Request>,
        later: &mut VecDeque<Request>,
    ) {
        let Loaded { model, examples } = loaded;
        match request {
            Request::Vectors { texts, reply } => {
                let vectors = model.embed_while(&texts, &mut || {
                    while later.len() < WAITING_MAX {
                        match waiting.try_recv() {
                            Ok(Request::Cosines { text, reply }) => {
                                self.compare(model, examples, &text, &reply);
                            }
                            Ok(other) => later.push_back(other),
                            Err(_) => break,
                        }
                    }
                    !reply.is_closed() && self.is_open()
                });
                let _ = reply.send(vectors);
            }
            Request::Cosines { text, reply } => self.compare(model, examples, &text, &reply),
        }
    }

    fn is_open(&self) -> bool {
        !self.closing.load(Ordering::Relaxed)
    }

    fn compare(
        &self,
        model: &SentenceModel,
        examples: &mut Option<Vec<Vec<f32>>>,
        text: &str,
        reply: &SyncSender<Vec<f32>>,
    ) {
        match self.cosines(model, examples, text) {
            Ok(cosines) => {
                let _ = reply.send(cosines);
            }
            Err(why) => tracing::debug!(%why, "no comparison with the examples"),
        }
    }

    fn cosines(
        &self,
        model: &SentenceModel,
        examples: &mut Option<Vec<Vec<f32>>>,
        text: &str,
    ) -> Result<Vec<f32>, SentenceFault> {
        let mut open = || self.is_open();
        let rows = match examples {
            Some(rows) => rows,
            none => none.insert(self.examples.vectors(model, &mut open)?),
        };
        let found = model.embed_while(&[text], &mut open)?;
        let vector = found.first().map_or(&[][..], Vec::as_slice);
        let cosine = |row: &Vec<f32>| row.iter().zip(vector).map(|(a, b)| a * b).sum();
        Ok(rows.iter().map(cosine).collect())
    }
}

impl Request {
    /// Refuses a request. A comparison is refused by dropping its reply, so its caller does not wait.
    fn refuse(self, why: &SentenceFault) {
        if let Self::Vectors { reply, .. } = self {
            let _ = reply.send(Err(why.clone()));
        }
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "only how long to rest after a failure depends on it"
)]
fn now() -> Instant {
    Instant::now()
}

impl Drop for LocalEmbedder {
    /// Waits for the current computation, at most one batch, so that no thread outlives its owner.
    fn drop(&mut self) {
        let Some(running) = self.lane.running().take() else {
            return;
        };
        self.lane.closing.store(true, Ordering::Relaxed);
        drop(running.requests);
        if running.thread.join().is_err() {
            tracing::warn!("the thread of the sentence model panicked");
        }
    }
}

#[async_trait]
impl Embedder for LocalEmbedder {
    fn id(&self) -> String {
        MODEL_ID.to_owned()
    }

    async fn embed(&self, texts: Vec<String>) -> Result<Vec<Vec<f32>>, ModelFault> {
        if texts.is_empty() {
            return Ok(Vec::new());
        }
        let answer = self.vectors(texts).map_err(model_fault)?;
        match answer.await {
            Ok(vectors) => vectors.map_err(model_fault),
            Err(_) => Err(ModelFault::Internal {
                why: "the sentence model stopped before it answered".to_owned(),
            }),
        }
    }
}

/// Maps a fault to the faults that every model has.
fn model_fault(fault: SentenceFault) -> ModelFault {
    let model = MODEL_ID.to_owned();
    match fault {
        SentenceFault::Missing { .. } => ModelFault::NoSuchModel { model },
        SentenceFault::TooMany { .. } => ModelFault::TooLong { model },
        SentenceFault::Busy => ModelFault::Busy {
            model,
            retry_after: None,
        },
        SentenceFault::Damaged { .. }
        | SentenceFault::Unreadable { .. }
        | SentenceFault::NotAModel { .. }
        | SentenceFault::Stopped
        | SentenceFault::Failed { .. } => ModelFault::Broken {
            model,
            why: fault.to_string(),
        },
    }
}
