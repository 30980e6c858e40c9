//! Runs shadow candidates beside the live ones. Nobody waits for them, and nothing of theirs reaches the turn.

use std::sync::Arc;

use adjutant_domain::ids::TurnId;
use adjutant_domain::job::{Ended, Job};
use adjutant_domain::model::{ModelRequest, Stage};
use adjutant_domain::route::Route;

use super::Driver;
use super::model::{Scene, secrets};
use super::reply::said;
use super::request::{self, RequestData};
use crate::core::{Core, Models, NotDone};

use crate::shadow::{ComparisonPermit, Live, RouterTried, Shadow, Side, gist};
use crate::stages::{Failed, StageReply, StageRequest, route};
use crate::turn::reading::read_aside;

/// Name of the embedded engine beside those of models.
const EMBEDDED: &str = "embedded engine";

/// Asks a candidate what the live model was asked, in the candidate's wording if it has one.
pub(super) fn try_candidate(
    ask: &StageRequest,
    request: &ModelRequest,
    found: RequestData,
    scene: &Arc<Scene>,
    fields_of_others: bool,
    (model, live): (String, &Result<StageReply, Failed>),
) {
    let (Some(shadow), Some(models)) = (scene.core.shadow(), scene.core.models()) else {
        return;
    };
    if shadow.candidate.model.is_none() && shadow.candidate.texts.is_none() {
        return;
    }
    let Some(permit) = shadow.permit(request.stage) else {
        return;
    };
    let live = Live {
        turn: request.turn.clone(),
        stage: request.stage,
        prompt: request.system.revision.clone(),
        side: Side {
            model,
            gist: gist(live),
        },
    };
    let (ask, request, of) = (ask.clone(), request.clone(), scene.clone());
    beside(&scene.core, live.turn.clone(), live.stage, async move {
        let request = match &shadow.candidate.texts {
            None => request,
            Some(_) => match reworded(&ask, &of, &models, &found, &shadow) {
                Ok(reworded) => reworded,
                Err(why) => return not_rendered(permit, live, &why),
            },
        };
        let model = match &shadow.candidate.model {
            Some(model) => model.clone(),
            // The same model with the same wording would be compared with itself.
            None if request.system.revision == live.prompt => return,
            None => models.chat.clone(),
        };
        let read = |reply| said(&ask, reply, &of, fields_of_others);
        let deadlines = models.manner.deadlines;
        permit.ask(live, model, request, deadlines, read).await;
    });
}

/// Runs a comparison in the background, as a job that the person can see and stop.
fn beside(
    core: &Arc<Core>,
    turn: Option<TurnId>,
    stage: Stage,
    work: impl Future<Output = ()> + Send + 'static,
) {
    let job = Job::compare(turn.as_ref(), stage, core.parts.clock.now().timestamp());
    let of = core.clone();
    core.in_background(async move {
        let compared = of.work_on(job, |_| async move {
            work.await;
            (Ended::Done, ())
        });
        if let Err(NotDone::NotStored(fault)) = compared.await {
            tracing::warn!(%fault, "a comparison was not noted as a job");
        }
    });
}

fn reworded(
    ask: &StageRequest,
    scene: &Scene,
    models: &Models,
    found: &RequestData,
    shadow: &Shadow,
) -> Result<ModelRequest, String> {
    let texts = shadow.candidate.texts.as_ref();
    Ok(request::build(ask, scene, models, found, texts)?.request)
}

/// Records that a wording could not be rendered: it names an unknown value or is too long.
fn not_rendered(permit: ComparisonPermit, live: Live, why: &str) {
    tracing::warn!(%why, "the wording that is tried cannot be rendered");
    let side = Side {
        model: "the wording that is tried".into(),
        gist: "not rendered".into(),
    };
    permit.note(live, side);
}

impl Driver {
    /// Lets another router route a message that the embedded one has routed.
    pub(super) fn try_router(&self, text: &str, routed: &Route) {
        let Some(shadow) = self.core.shadow() else {
            return;
        };
        let is_model = match &shadow.candidate.router {
            None => return,
            Some(RouterTried::Embedded { .. }) => false,
            // If the embedded router is unsure, a model is asked anyway.
            Some(RouterTried::Model) if !route::is_sure(routed, text, false) => return,
            Some(RouterTried::Model) => true,
        };
        let Some(permit) = shadow.permit(Stage::Route) else {
            return;
        };
        let live = Live {
            turn: Some(self.turn.clone()),
            stage: Stage::Route,
            prompt: String::new(),
            side: Side {
                model: EMBEDDED.into(),
                gist: gist(&Ok(StageReply::Route(routed.clone()))),
            },
        };
        let scene = self.asked_scene(text);
        let turn = live.turn.clone();
        beside(&self.core, turn, Stage::Route, async move {
            if is_model {
                ask_model(permit, live, &shadow, scene).await;
            } else {
                ask_router(permit, live, shadow, &scene).await;
            }
        });
    }
}

async fn ask_model(permit: ComparisonPermit, live: Live, shadow: &Shadow, scene: Scene) {
    let Some(models) = scene.core.models() else {
        return;
    };
    let ask = StageRequest::Route {
        text: scene.text.clone(),
    };
    let built = match secrets(&scene.core).await {
        Ok(secrets) => {
            let found = RequestData {
                secrets,
                ..RequestData::default()
            };
            reworded(&ask, &scene, &models, &found, shadow)
        }
        Err(why) => Err(why),
    };
    let request = match built {
        Ok(request) => request,
        Err(why) => return not_rendered(permit, live, &why),
    };
    let model = shadow.candidate.model.as_ref().unwrap_or(&models.chat);
    let read = |reply| said(&ask, reply, &scene, false);
    let deadlines = models.manner.deadlines;
    permit
        .ask(live, model.clone(), request, deadlines, read)
        .await;
}

async fn ask_router(permit: ComparisonPermit, live: Live, shadow: Shadow, scene: &Scene) {
    let tried = shadow.candidate.clone();
    let aside = crate::turn::reading::Scene {
        text: &scene.text,
        now: &scene.now,
        past: &scene.past,
        people: &scene.people,
        names: &scene.names,
        tools: &scene.tools,
    };
    let said = read_aside(
        &scene.core,
        &aside,
        (
            scene.people.clone(),
            scene.names.clone(),
            scene.tools.clone(),
        ),
        "shadow_route",
        move |_, said| match &tried.router {
            Some(RouterTried::Embedded { name, router }) => {
                Some((name.clone(), router.route(said)))
            }
            _ => None,
        },
    );
    if let Some((model, route)) = said.await.flatten() {
        let gist = gist(&Ok(StageReply::Route(route)));
        permit.note(live, Side { model, gist });
    }
}
