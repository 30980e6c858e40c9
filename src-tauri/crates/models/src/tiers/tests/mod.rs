//! Tests of the layers in front of models (chains, cheaper tiers, silence, and the breaker) with scripted models.

mod breaking;
mod chains;
mod silence;
mod steps;

use std::sync::{Arc, Mutex};
use std::time::Duration;

use adjutant_domain::model::{
    ChatModel, Limit, ModelEvent, ModelFault, ModelRequest, OverLimit, ReplyShape, StopReason,
};
use futures::StreamExt as _;

use super::Ticks;
use super::script::{Script, ScriptedAct, USED, request};

const MINUTE: Duration = Duration::from_secs(60);

type Item = Result<ModelEvent, ModelFault>;

async fn all(model: &dyn ChatModel, request: ModelRequest) -> Vec<Item> {
    model.stream(Arc::new(request)).collect().await
}

fn answering(model: &str, why: Option<&str>) -> Item {
    Ok(ModelEvent::Answering {
        model: model.into(),
        why: why.map(str::to_owned),
    })
}

fn token(text: &str) -> Item {
    Ok(ModelEvent::Token { text: text.into() })
}

fn end() -> Item {
    Ok(ModelEvent::End {
        stop: StopReason::Complete,
        usage: USED,
    })
}

fn over(limit: Limit) -> ModelFault {
    ModelFault::OverLimit(OverLimit {
        limit,
        limit_micros: 10,
        used_micros: 10,
        wanted_micros: 1,
    })
}

/// Time that a test advances.
#[derive(Default)]
struct Moved(Mutex<Duration>);

impl Moved {
    fn by(&self, time: Duration) {
        *self.0.lock().expect("the time") += time;
    }
}

impl Ticks for Moved {
    fn elapsed(&self) -> Duration {
        *self.0.lock().expect("the time")
    }
}
