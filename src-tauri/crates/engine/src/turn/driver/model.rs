//! Asks models for the machine: builds the request, listens, parses the reply. A request runs as a task of the turn, so
//! stopping the turn drops the stream, which cancels the call.

use std::sync::Arc;
use std::time::Duration;

use adjutant_domain::mentioned_name::MentionedName;
use adjutant_domain::model::{ModelFault, Stage, Tier};
use adjutant_domain::plan::Question;
use jiff::Zoned;
use serde_json::Value;
use tokio::sync::mpsc;

use super::compare::try_candidate;
use super::reply::said;
use super::request::{self, RequestData, Shown};
use super::{Driver, Finished};
use crate::context::people::AddressBook;
use crate::context::{SOURCE_DEADLINE, gather};
use crate::core::{Core, Models};
use crate::listen::{ModelProgress, PIECES_WAITING_MAX, listen};
use crate::panics;
use crate::secrets::is_secret;
use crate::stages::{Again, Failed, StageReply, StageRequest};
use crate::stopwatch::Stopwatch;
use crate::tools::Tools;
use crate::turn::machine::Draw;
use crate::turn::machine::Input;

/// How long the person waits before a status says for what.
const SLOW_AFTER: Duration = Duration::from_secs(2);
/// Maximum number of such statuses; each comes after twice as long.
const SLOW_STATUSES_MAX: u32 = 7;

/// A turn's state for asking models.
pub(super) struct OpenRequests {
    pub(super) pieces: mpsc::Receiver<ModelProgress>,
    sender: mpsc::Sender<ModelProgress>,
    /// Timer for the next status about a long wait.
    slow: Option<std::pin::Pin<Box<tokio::time::Sleep>>>,
    told_slow: u32,
    /// Name of the model that the turn waits for.
    model: String,
    open: usize,
}

impl OpenRequests {
    pub(super) fn new() -> Self {
        let (sender, pieces) = mpsc::channel(PIECES_WAITING_MAX);
        Self {
            pieces,
            sender,
            slow: None,
            told_slow: 0,
            model: String::new(),
            open: 0,
        }
    }

    /// Waits until the next status is due; forever if nobody waits.
    pub(super) async fn slow(slow: &mut Option<std::pin::Pin<Box<tokio::time::Sleep>>>) {
        match slow {
            Some(slow) => slow.await,
            None => std::future::pending().await,
        }
    }

    pub(super) fn parts(
        &mut self,
    ) -> (
        &mut mpsc::Receiver<ModelProgress>,
        &mut Option<std::pin::Pin<Box<tokio::time::Sleep>>>,
    ) {
        (&mut self.pieces, &mut self.slow)
    }

    fn wait(&mut self) {
        self.told_slow = 0;
        self.slow = Some(Box::pin(tokio::time::sleep(SLOW_AFTER)));
    }
}

/// What a request is built from, besides the question itself.
pub(super) struct Scene {
    pub(super) core: Arc<Core>,
    pub(super) now: Zoned,
    /// The message.
    pub(super) text: String,
    pub(super) past: adjutant_domain::conversation::Past,
    pub(super) people: Arc<AddressBook>,
    pub(super) names: Arc<[MentionedName]>,
    pub(super) turn: adjutant_domain::ids::TurnId,
    pub(super) tools: Arc<Tools>,
    /// The tier that the person chose.
    pub(super) tier: Option<Tier>,
}

impl Driver {
    /// Starts a request. Its pieces arrive through the channel, its end through the tasks of the turn.
    pub(super) fn ask_model(&mut self, ask: Box<StageRequest>) {
        let Some(models) = self.core.models() else {
            let core = self.core.clone();
            self.tasks.spawn(async move {
                Finished::Input(Box::new(Input::ModelSaid {
                    ask,
                    said: Err(Failed::Model(ModelFault::None)),
                    draw: Draw::of(&*core.parts.entropy),
                }))
            });
            return;
        };
        self.asking.model = models.chat.profile().id;
        self.asking.open += 1;
        self.asking.wait();
        let scene = Arc::new(self.asked_scene(&self.text));
        let pieces = self.asking.sender.clone();
        self.gather_for(&ask);
        let gathered = self.gathered.clone();
        self.tasks.spawn(async move {
            let watch = Stopwatch::start();
            let (gathered, meant, secrets) = futures::join!(
                request::wait(gathered, &ask),
                request::meant(&scene, &ask),
                secrets(&scene.core)
            );
            watch.stage("gathered");
            let prompting = Stopwatch::start();
            let built = secrets.and_then(|secrets| {
                let found = RequestData {
                    gathered,
                    meant,
                    secrets,
                };
                let shown = request::build(&ask, &scene, &models, &found, None)?;
                Ok((shown, found))
            });
            prompting.stage("prompt");
            let (said, usage) = match built {
                Ok((shown, found)) => answer(&ask, shown, found, &scene, &models, &pieces).await,
                Err(why) => (
                    Err(Failed::Model(ModelFault::Internal { why })),
                    Default::default(),
                ),
            };
            watch.stage(ask.stage().name());
            Finished::Said {
                ask,
                said: Box::new(said),
                usage,
            }
        });
    }

    /// Collects what a request about this text is built from.
    pub(super) fn asked_scene(&self, text: &str) -> Scene {
        Scene {
            core: self.core.clone(),
            now: self.now.clone(),
            text: text.to_owned(),
            past: self.past.clone(),
            people: self.people.clone(),
            names: self.mentioned.1.clone().unwrap_or_default(),
            turn: self.turn.clone(),
            tools: self.tools.clone(),
            tier: self.tier,
        }
    }

    /// Starts gathering rows for the first request that needs them. Gathering runs beside the request before the plan,
    /// and nothing waits for it longer than a moment.
    fn gather_for(&mut self, ask: &StageRequest) {
        if let StageRequest::Route { text } | StageRequest::Plan { text, .. } = ask {
            self.core.begin_vector(text);
        }
        let Some(pull) = request::pull(ask, &self.text).filter(|_| self.gathered.is_none()) else {
            return;
        };
        let (sender, receiver) = tokio::sync::watch::channel(None);
        self.gathered = Some(receiver);
        let records = self.core.parts.records.clone();
        let text = self.text.clone();
        let now = self.now.clone();
        let focus = self.past.focus.clone();
        self.tasks.spawn(async move {
            let mut found = gather(records, text, pull, (now, &focus), SOURCE_DEADLINE).await;
            found.memories.retain(|memory| !is_secret(memory));
            // Fails only if nobody waits for it any more.
            let _ = sender.send(Some(Arc::new(found)));
            Finished::Gathered
        });
    }

    /// Turns a piece from a model into an input.
    pub(super) fn heard(&mut self, heard: ModelProgress) -> Input {
        self.asking.wait();
        match heard {
            ModelProgress::Text(text) => Input::Piece { text },
            ModelProgress::Thought(text) => Input::Thought { text },
            ModelProgress::Answering { model, why } => {
                self.asking.model = model;
                Input::Answering { why }
            }
            ModelProgress::Shown {
                sections,
                taint,
                memories,
            } => Input::Shown {
                sections,
                taint,
                memories,
            },
        }
    }

    /// Turns the end of a request into an input.
    pub(super) fn said(
        &mut self,
        ask: Box<StageRequest>,
        said: Result<StageReply, Failed>,
        usage: adjutant_domain::model::Usage,
    ) -> Input {
        self.asking.open = self.asking.open.saturating_sub(1);
        if self.asking.open == 0 {
            self.asking.slow = None;
        }
        self.usage.add(usage);
        if let Err(failed) = &said {
            tracing::info!(turn = %self.turn, stage = ask.stage().name(), why = %failed.sentence(), "a stage fell back");
        }
        Input::ModelSaid {
            ask,
            said,
            draw: Draw::of(&*self.core.parts.entropy),
        }
    }

    /// Tells the person, who has waited long, which model the turn waits for.
    pub(super) fn still_waiting(&mut self) {
        self.asking.told_slow += 1;
        self.asking.slow = (self.asking.told_slow < SLOW_STATUSES_MAX).then(|| {
            Box::pin(tokio::time::sleep(
                SLOW_AFTER * 2_u32.pow(self.asking.told_slow),
            ))
        });
        let text = format!("Still waiting for {}", self.asking.model);
        self.tell(adjutant_domain::event::TurnEvent::Status { text });
    }

    /// Interprets a text as the answer to a question, using the embedded engine.
    pub(super) fn read_answer(&self, text: &str, question: &Question) -> Option<Value> {
        self.read("resume", text, |core, said| {
            core.parts
                .resumer
                .answer(said, question.answer, &question.choices)
        })
        .flatten()
    }
}

/// How long a request waits for the secrets to mask. They are loaded when a turn begins and cached until a memory
/// changes, so normally there is no wait. Without them nothing is sent.
const SECRETS_WAIT: Duration = Duration::from_secs(2);

/// Returns the secrets to mask. A chain of models may end at a remote one, so all models are treated alike.
pub(super) async fn secrets(core: &Core) -> Result<Arc<Vec<String>>, String> {
    let work = core.secrets.get(&*core.parts.records);
    let why = match tokio::time::timeout(SECRETS_WAIT, work).await {
        Ok(Ok(values)) => return Ok(values),
        Ok(Err(fault)) => fault.to_string(),
        Err(_) => "storage did not answer in time".to_owned(),
    };
    Err(format!(
        "No model was asked, because Adjutant could not look up which of your memories to keep from it: {why}"
    ))
}

/// Sends the request and parses the reply.
async fn answer(
    ask: &StageRequest,
    shown: Shown,
    found: RequestData,
    scene: &Arc<Scene>,
    models: &Models,
    pieces: &mpsc::Sender<ModelProgress>,
) -> (Result<StageReply, Failed>, adjutant_domain::model::Usage) {
    let fields_of_others = shown.fields_of_others;
    if let Some(sections) = shown.sections {
        let _ = pieces
            .send(ModelProgress::Shown {
                sections,
                taint: shown.taint,
                memories: shown.memories,
            })
            .await;
    }
    let request = Arc::new(shown.request);
    match listen(
        &*models.chat,
        request.clone(),
        &models.manner.deadlines,
        pieces,
    )
    .await
    {
        Ok(reply) => {
            let usage = reply.usage;
            let model = reply.model.clone();
            let watch = Stopwatch::start();
            let said = panics::contained(ask.stage().name(), || {
                said(ask, reply, scene, fields_of_others)
            });
            let said = said.unwrap_or_else(|| {
                Err(Failed::Model(ModelFault::Internal {
                    why: "Reading the reply failed inside Adjutant".into(),
                }))
            });
            watch.stage("reply");
            try_candidate(
                ask,
                &request,
                found,
                scene,
                fields_of_others,
                (model, &said),
            );
            (said, usage)
        }
        // The client rejected a reply of the wrong shape: tell the planner what was wrong with it.
        Err(Failed::Model(ModelFault::Unreadable { why, .. })) if ask.stage() == Stage::Plan => {
            let again = Again {
                reply: String::new(),
                error: why,
            };
            (Err(Failed::Unusable(again)), Default::default())
        }
        Err(failed) => (Err(failed), Default::default()),
    }
}
