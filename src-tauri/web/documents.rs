//! The job that reads documents in opened folders.

use std::sync::Arc;

use adjutant_domain::faults::sentence;
use adjutant_domain::job::{Ended, Job, Progress, retry_at};
use adjutant_domain::ports::Clock;
use adjutant_engine::{Reporter, Worker};
use adjutant_web::own::OwnPages;
use futures::future::BoxFuture;

/// Reads the documents when the job is due.
pub(crate) struct DocumentReader {
    pub(crate) own: OwnPages,
    pub(crate) clock: Arc<dyn Clock>,
}

impl Worker for DocumentReader {
    fn work(&self, job: Job, reporter: Reporter) -> BoxFuture<'static, Ended> {
        let (own, clock) = (self.own.clone(), self.clock.clone());
        Box::pin(async move {
            let tell = move |done: usize, total: usize| {
                reporter.at(Progress {
                    done: done as u64,
                    total: total as u64,
                });
            };
            match own.refresh(tell).await {
                Ok(_) => Ended::Done,
                Err(fault) => Ended::Again {
                    at: retry_at(job.attempts, clock.now().timestamp()),
                    why: sentence(&fault.to_string()),
                },
            }
        })
    }
}
