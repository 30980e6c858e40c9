//! Asks a model outside of any turn what a turn would ask it.

use std::sync::Arc;

use adjutant_domain::conversation::{Message, Past};
use adjutant_domain::model::{ModelFault, Usage};
use adjutant_domain::route::Route;
use tokio::sync::mpsc;

use super::model::{Scene, secrets};
use super::reply::said;
use super::request::{self, RequestData};
use crate::core::{Core, Models};
use crate::listen::listen;
use crate::panics;
use crate::stages::{Failed, StageReply, StageRequest};

/// Asks a model for the route of a message. The request is the same as in a turn: secrets are masked, and it is paid
/// for in the same way. Returns the usage as well.
///
/// # Errors
/// Returns why there is no usable reply.
pub(crate) async fn route_by_model(
    core: &Arc<Core>,
    models: &Models,
    text: &str,
    before: Vec<Message>,
) -> Result<(Route, Usage), Failed> {
    let internal = |why| Failed::Model(ModelFault::Internal { why });
    let ask = StageRequest::Route {
        text: text.to_owned(),
    };
    let scene = Scene {
        core: core.clone(),
        now: core.parts.clock.now(),
        text: text.to_owned(),
        past: Past {
            messages: before,
            ..Past::default()
        },
        people: Arc::default(),
        names: Arc::default(),
        turn: core.turn_id(),
        tools: core.tools(),
        tier: None,
    };
    let found = RequestData {
        secrets: secrets(core).await.map_err(internal)?,
        ..RequestData::default()
    };
    let shown = request::build(&ask, &scene, models, &found, None).map_err(internal)?;
    let mut request = shown.request;
    // It belongs to no turn, so no trace can include it.
    request.turn = None;
    // Discard the streamed pieces.
    let (pieces, _) = mpsc::channel(1);
    let deadlines = &models.manner.deadlines;
    let reply = listen(&*models.chat, Arc::new(request), deadlines, &pieces).await?;
    let usage = reply.usage;
    let read = panics::contained("route", || said(&ask, reply, &scene, false));
    match read.ok_or_else(|| internal("the reply could not be read".into()))?? {
        StageReply::Route(route) => Ok((route, usage)),
        _ => Err(internal("the reply was read as another one".into())),
    }
}
