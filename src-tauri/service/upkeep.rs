//! Jobs that maintain storage.

use std::sync::Arc;

use adjutant_domain::faults::{StoreFault, sentence};
use adjutant_domain::job::{Ended, Job, JobKind, retry_at};
use adjutant_domain::ports::Clock;
use adjutant_engine::{Reporter, Worker};
use adjutant_store::Store;
use futures::future::BoxFuture;

use super::Service;

/// Tidies and checks storage.
#[derive(Clone)]
pub(super) struct Upkeep {
    store: Arc<Store>,
    clock: Arc<dyn Clock>,
}

impl Upkeep {
    pub(super) fn of(service: &Service) -> Self {
        Self {
            store: service.store.clone(),
            clock: service.clock.clone(),
        }
    }

    async fn work(self, job: Job) -> Ended {
        let done = match job.kind {
            JobKind::Check => self.check().await,
            _ => self.tidy().await.map_err(|fault| fault.to_string()),
        };
        match done {
            Ok(()) => Ended::Done,
            Err(why) => Ended::Again {
                at: retry_at(job.attempts, self.clock.now().timestamp()),
                why: sentence(&why),
            },
        }
    }

    async fn tidy(&self) -> Result<(), StoreFault> {
        let now = self.clock.now().timestamp();
        self.store.forget_deleted(now).await?;
        self.store.tidy().await
    }

    /// Returns what is wrong with storage and what to do.
    async fn check(&self) -> Result<(), String> {
        let checked = self.store.integrity_check().await;
        match checked.map_err(|fault| fault.to_string())?.first() {
            None => Ok(()),
            Some(wrong) => Err(format!(
                "storage is damaged ({wrong}). Export your data, then see Settings, Check"
            )),
        }
    }
}

impl Worker for Upkeep {
    fn work(&self, job: Job, _reporter: Reporter) -> BoxFuture<'static, Ended> {
        Box::pin(self.clone().work(job))
    }
}
