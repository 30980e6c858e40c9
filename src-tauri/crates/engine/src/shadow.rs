//! Shadow mode: a candidate model is asked the same as the live one, beside it, without any effect. Nobody waits for it, it
//! is paid from the background's budget, nothing it says reaches the turn, and only what differs is written down.

use std::collections::BTreeSet;
use std::sync::Arc;

use adjutant_domain::ids::TurnId;
use adjutant_domain::model::{ChatModel, ModelRequest, Purpose, Stage};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio::sync::{Semaphore, mpsc};

use crate::stages::{Deadlines, Failed, Said};
use crate::turn::driver::{Spoken, listen};

/// Candidates that are asked at once; what comes meanwhile is left out. A shadow never becomes a load.
const AT_ONCE_MAX: usize = 1;

/// A candidate and where differences go.
#[derive(Clone)]
pub struct Shadow {
    /// Who is tried.
    pub candidate: Arc<dyn ChatModel>,
    /// At which stages. Only those whose replies can be compared: `route`, `plan`, `resume`.
    pub stages: BTreeSet<Stage>,
    /// Where differences are written down.
    pub log: Arc<dyn ShadowLog>,
    room: Arc<Semaphore>,
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
    /// Prompt revision.
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
    /// Who.
    pub model: String,
    /// What it comes to: kind and domains of a route, tools of a plan. Never text of the person.
    pub gist: Value,
}

impl Shadow {
    /// A candidate for these stages.
    #[must_use]
    pub fn new(
        candidate: Arc<dyn ChatModel>,
        stages: impl IntoIterator<Item = Stage>,
        log: Arc<dyn ShadowLog>,
    ) -> Self {
        let comparable = [Stage::Route, Stage::Plan, Stage::Resume];
        Self {
            candidate,
            stages: stages
                .into_iter()
                .filter(|stage| comparable.contains(stage))
                .collect(),
            log,
            room: Arc::new(Semaphore::new(AT_ONCE_MAX)),
        }
    }

    /// The work of asking the candidate what the live one was asked; nothing where this stage is not compared, or another
    /// comparison is at work. `read` reads the reply as the live one's was.
    pub(crate) fn beside(
        &self,
        request: &ModelRequest,
        live: Side,
        deadlines: Deadlines,
        read: impl FnOnce(Spoken) -> Result<Said, Failed> + Send + 'static,
    ) -> Option<impl Future<Output = ()> + Send + 'static> {
        if !self.stages.contains(&request.stage) {
            return None;
        }
        let permit = self.room.clone().try_acquire_owned().ok()?;
        let request = Arc::new(ModelRequest {
            purpose: Purpose::Background,
            ..request.clone()
        });
        let (candidate, log) = (self.candidate.clone(), self.log.clone());
        Some(async move {
            let _permit = permit;
            // What it streams goes nowhere.
            let (pieces, _) = mpsc::channel(1);
            let said = listen(&*candidate, request.clone(), &deadlines, &pieces).await;
            let model = said
                .as_ref()
                .map_or_else(|_| candidate.profile().id, |reply| reply.model.clone());
            let gist = gist(&said.and_then(read));
            log.note(Compared {
                turn: request.turn.clone(),
                stage: request.stage,
                prompt: request.system.revision.clone(),
                same: gist == live.gist,
                candidate: Side { model, gist },
                live,
            });
        })
    }
}

/// What a reply comes to, without any words.
pub(crate) fn gist(said: &Result<Said, Failed>) -> Value {
    match said {
        Ok(Said::Route(route)) => json!({
            "kind": route.kind,
            "domains": route.domains,
            "is_followup": route.is_followup,
        }),
        Ok(Said::Plan(planned)) => json!({
            "tools": planned.draft.steps.iter().map(|step| step.tool.as_str()).collect::<Vec<_>>(),
            "asks": planned.question.is_some(),
        }),
        Ok(Said::Resume(kind)) => {
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
