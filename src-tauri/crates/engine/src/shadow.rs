//! Shadow mode: a candidate (another model, another wording, another router) is asked the same as the live one, beside it,
//! without any effect. Nobody waits for it, it is paid from the background's budget, nothing it says reaches the turn, and
//! only what differs is written down.

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

/// Candidates that are asked at once; what comes meanwhile is left out. A shadow never becomes a load.
const AT_ONCE_MAX: usize = 1;

/// A candidate and where differences go.
#[derive(Clone)]
pub struct Shadow {
    pub(crate) candidate: Arc<Candidate>,
    stages: BTreeSet<Stage>,
    log: Arc<dyn ShadowLog>,
    room: Arc<Semaphore>,
}

/// What is tried. Model and texts go together: the model is then asked with them.
#[derive(Default)]
pub struct Candidate {
    /// Who is asked as well; none: whoever is asked anyway, in another wording.
    pub model: Option<Arc<dyn ChatModel>>,
    /// The wording; none: that of the live one.
    pub texts: Option<Texts>,
    /// Who says as well where a message belongs.
    pub router: Option<RouterTried>,
}

/// A router that is tried beside the embedded one.
pub enum RouterTried {
    /// Another one of this machine.
    Embedded {
        /// What it is called.
        name: String,
        /// The router.
        router: Arc<dyn Router>,
    },
    /// A model, also about messages the embedded router is sure of.
    Model,
}

/// Where differences are written down.
pub trait ShadowLog: Send + Sync {
    /// Takes note of a comparison; returns at once.
    fn note(&self, compared: Compared);
}

/// What both said to the same.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Compared {
    /// The turn.
    pub turn: Option<TurnId>,
    /// What for.
    pub stage: Stage,
    /// Revision of the live one's prompt; empty where no model was asked.
    pub prompt: String,
    /// Whether both lead to the same.
    pub same: bool,
    /// The live one.
    pub live: Side,
    /// The candidate.
    pub candidate: Side,
}

/// One of the two.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Side {
    /// Who; of a wording that is tried, also its revision.
    pub model: String,
    /// What it comes to: kind and domains of a route, tools of a plan. Never text of the person.
    pub gist: Value,
}

impl Shadow {
    /// A candidate for these stages. Only those whose replies can be compared count: `route`, `plan`, `resume`.
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

    /// A place for a comparison; none where this stage is not compared, or another comparison is at work.
    pub(crate) fn place(&self, stage: Stage) -> Option<Place> {
        if !self.stages.contains(&stage) {
            return None;
        }
        Some(Place {
            _permit: self.room.clone().try_acquire_owned().ok()?,
            names_wording: self.candidate.texts.is_some(),
            log: self.log.clone(),
        })
    }
}

/// One comparison that may be made.
pub(crate) struct Place {
    _permit: OwnedSemaphorePermit,
    names_wording: bool,
    log: Arc<dyn ShadowLog>,
}

/// What the live one was asked, and what it came to.
pub(crate) struct Live {
    pub(crate) turn: Option<TurnId>,
    pub(crate) stage: Stage,
    /// Prompt revision; empty where no model was asked.
    pub(crate) prompt: String,
    pub(crate) side: Side,
}

impl Place {
    /// Asks the candidate, and writes down what both came to. `read` reads the reply as the live one's was.
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
        // What it streams goes nowhere.
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

    /// Writes down what both came to.
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

/// What a reply comes to, without any words.
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
