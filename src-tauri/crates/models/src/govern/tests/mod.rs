//! Tests of the governor in front of scripted models, with the ledger of a real profile.

mod booking;
mod limits;
mod settling;
mod vectors;

use std::sync::Arc;
use std::time::Duration;

use adjutant_domain::model::{
    CallRecord, CallState, ChatModel, Embedder, Ledger as _, Limit, ModelEvent, ModelFault,
    ModelRequest, OverLimit, Purpose, SpendLimits, Stage, Tier, Usage,
};
use adjutant_domain::ports::Clock;
use adjutant_store::{Store, StoreOptions};
use futures::StreamExt as _;
use jiff::Zoned;

use super::{CostLedger, GovernedEmbedder, Governor, worst_case_micros};
use crate::tiers::script::{Script, ScriptedAct, USED, profile, request};
use crate::tiers::{SinceStart, Ticks};

struct Noon;

impl Clock for Noon {
    fn now(&self) -> Zoned {
        "2026-11-20T12:00:00+01:00[Europe/Paris]"
            .parse()
            .expect("an instant")
    }
}

/// A profile in a temporary folder.
struct World {
    _folder: tempfile::TempDir,
    store: Arc<Store>,
    costs: Arc<CostLedger>,
}

fn world(limits: SpendLimits) -> World {
    let folder = tempfile::tempdir().expect("a folder");
    let store = Store::open(folder.path(), StoreOptions::default()).expect("a profile");
    let ticks: Arc<dyn Ticks> = Arc::new(SinceStart::new());
    World {
        _folder: folder,
        costs: CostLedger::new(store.clone(), Arc::new(Noon), ticks, limits),
        store,
    }
}

const OPEN: SpendLimits = SpendLimits {
    call: u64::MAX,
    day: u64::MAX,
    month: u64::MAX,
    background_day: u64::MAX,
};

const CLOSED: SpendLimits = SpendLimits {
    call: 0,
    day: 0,
    month: 0,
    background_day: 0,
};

impl World {
    fn governed(&self, model: &Arc<Script>) -> Arc<Governor> {
        Arc::new(Governor::new(model.clone(), self.costs.clone()))
    }

    async fn calls(&self) -> Vec<CallRecord> {
        self.costs.settled().await;
        self.store.calls(None, 100).await.expect("calls")
    }
}

/// Returns a model that costs 2 per million input tokens and 8 per million output tokens.
fn dear(script: Arc<Script>) -> Arc<Script> {
    script.with(|profile| {
        profile.input_micros_per_million = 2_000_000;
        profile.output_micros_per_million = 8_000_000;
    })
}

async fn all(model: &dyn ChatModel) -> Vec<Result<ModelEvent, ModelFault>> {
    model.stream(Arc::new(request())).collect().await
}
