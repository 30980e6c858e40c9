//! Shadow mode: a candidate (another model, wording or router) handles the same request beside the live one, without
//! effect. Nobody waits for it, the background budget pays for it, nothing of it reaches the turn, and comparisons are
//! recorded.

use std::collections::BTreeSet;
use std::sync::Arc;

use adjutant_domain::ids::TurnId;
use adjutant_domain::model::{ChatModel, ModelRequest, Purpose, Stage};
use adjutant_domain::reading::Router;
use adjutant_prompts::Texts;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc};

use crate::listen::{Spoken, listen};
use crate::stages::{Deadlines, Failed, StageReply};

/// Maximum number of candidates asked at once; further comparisons are skipped, so a shadow never adds load.
const AT_ONCE_MAX: usize = 1;

/// A candidate and the log for its comparisons.
#[derive(Clone)]
pub struct Shadow {
    pub(crate) candidate: Arc<Candidate>,
    stages: BTreeSet<Stage>,
    log: Arc<dyn ShadowLog>,
    room: Arc<Semaphore>,
}

/// What to try. A model and texts given together are tried together.
#[derive(Default)]
pub struct Candidate {
    /// The model to ask. `None`: the live model, with another wording.
    pub model: Option<Arc<dyn ChatModel>>,
    /// The wording. `None`: that of the live request.
    pub texts: Option<Texts>,
    /// A router to compare.
    pub router: Option<RouterTried>,
}

/// A router that is tried beside the embedded one.
pub enum RouterTried {
    /// Another router on this machine.
    Embedded {
        /// Its name in the log.
        name: String,
        /// The router.
        router: Arc<dyn Router>,
    },
    /// A model, asked even about messages that the embedded router is sure of.
    Model,
}

/// Records comparisons.
pub trait ShadowLog: Send + Sync {
    /// Records a comparison; returns at once.
    fn note(&self, compared: Compared);
}

/// The results of the live one and the candidate for the same request.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Compared {
    /// The turn, if any.
    pub turn: Option<TurnId>,
    /// The stage.
    pub stage: Stage,
    /// Revision of the live prompt; empty if no model was asked.
    pub prompt: String,
    /// Whether both results have the same gist.
    pub same: bool,
    /// The live result.
    pub live: Side,
    /// The candidate's result.
    pub candidate: Side,
}

/// One side of a comparison.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Side {
    /// Name of the model or router, followed by the prompt revision if a wording is tried.
    pub model: String,
    /// The essence of the result: type and domains of a route, tools of a plan. Never the person's text.
    pub gist: Value,
}

impl Shadow {
    /// Creates a shadow for `stages`. Only stages with comparable replies take effect: `route`, `plan`, `resume`.
    #[must_use]
    pub fn new(
        candidate: Candidate,
        stages: impl IntoIterator<Item = Stage>,
        log: Arc<dyn ShadowLog>,
    ) -> Self {
        let comparable = [Stage::Route, Stage::Plan, Stage::Resume];
        Self {
            candidate: Arc::new(candidate),
            stages: stages
                .into_iter()
                .filter(|stage| comparable.contains(stage))
                .collect(),
            log,
            room: Arc::new(Semaphore::new(AT_ONCE_MAX)),
        }
    }

    /// Reserves a comparison. `None` if this stage is not compared or another comparison is running.
    pub(crate) fn permit(&self, stage: Stage) -> Option<ComparisonPermit> {
        if !self.stages.contains(&stage) {
            return None;
        }
        Some(ComparisonPermit {
            _permit: self.room.clone().try_acquire_owned().ok()?,
            names_wording: self.candidate.texts.is_some(),
            log: self.log.clone(),
        })
    }
}

/// The permit for one comparison.
pub(crate) struct ComparisonPermit {
    _permit: OwnedSemaphorePermit,
    names_wording: bool,
    log: Arc<dyn ShadowLog>,
}

/// The live request and its result.
pub(crate) struct Live {
    pub(crate) turn: Option<TurnId>,
    pub(crate) stage: Stage,
    /// Revision of the prompt; empty if no model was asked.
    pub(crate) prompt: String,
    pub(crate) side: Side,
}

impl ComparisonPermit {
    /// Asks the candidate and records both results. `read` parses the reply as the live one was parsed.
    pub(crate) async fn ask(
        self,
        live: Live,
        candidate: Arc<dyn ChatModel>,
        request: ModelRequest,
        deadlines: Deadlines,
        read: impl FnOnce(Spoken) -> Result<StageReply, Failed> + Send,
    ) {
        let prompt = request.system.revision.clone();
        let request = Arc::new(ModelRequest {
            purpose: Purpose::Background,
            ..request
        });
        // Discard the streamed pieces.
        let (pieces, _) = mpsc::channel(1);
        let said = listen(&*candidate, request, &deadlines, &pieces).await;
        let who = said
            .as_ref()
            .map_or_else(|_| candidate.profile().id, |reply| reply.model.clone());
        let model = if self.names_wording {
            format!("{who}, {prompt}")
        } else {
            who
        };
        let gist = gist(&said.and_then(read));
        self.note(live, Side { model, gist });
    }

    /// Records both results.
    pub(crate) fn note(self, live: Live, candidate: Side) {
        self.log.note(Compared {
            turn: live.turn,
            stage: live.stage,
            prompt: live.prompt,
            same: candidate.gist == live.side.gist,
            live: live.side,
            candidate,
        });
    }
}

/// Returns the essence of a reply, without any of its text.
pub(crate) fn gist(said: &Result<StageReply, Failed>) -> Value {
    match said {
        Ok(StageReply::Route(route)) => json!({
            "kind": route.kind,
            "domains": route.domains,
            "is_followup": route.is_followup,
        }),
        Ok(StageReply::Plan(planned)) => json!({
            "tools": planned.draft.steps.iter().map(|step| step.tool.as_str()).collect::<Vec<_>>(),
            "asks": planned.question.is_some(),
        }),
        Ok(StageReply::Resume(kind)) => {
            use crate::stages::resume::Classified;
            json!(match kind {
                Classified::New => "new",
                Classified::Modify { .. } => "modify",
                Classified::Answer { .. } => "answer",
                Classified::Abandon => "abandon",
            })
        }
        Ok(_) => json!("text"),
        Err(Failed::Unusable(_)) => json!("unusable"),
        Err(Failed::Model(_) | Failed::Deadline(_)) => json!("no reply"),
    }
}
