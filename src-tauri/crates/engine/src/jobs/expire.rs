//! Expires actions that the person did not answer in time, all in one transaction.

use adjutant_domain::faults::{StoreFault, UserFault};
use adjutant_domain::job::Job;

use super::Work;

pub(super) async fn run(mut work: Work<'_>, jobs: Vec<Job>) -> Result<(), StoreFault> {
    let log = &work.engine.core.parts.log;
    match log.expire_actions(work.now, false).await {
        Ok(expired) => {
            // The jobs of expired actions ended in the same transaction; the other actions were answered after the
            // lease.
            let ran_out = |job: &Job| expired.iter().any(|action| action.id.0 == job.subject);
            let rest = jobs.into_iter().filter(|job| !ran_out(job));
            let rest = rest.map(|job| job.id).collect();
            match expired.len() {
                0 => {}
                1 => work.report.line(told("One action")),
                count => work.report.line(told(&format!("{count} actions"))),
            }
            work.done(rest).await.map(drop)
        }
        Err(fault) => {
            for job in jobs {
                work.again(&job, UserFault::from(&fault)).await?;
            }
            Ok(())
        }
    }
}

fn told(what: &str) -> String {
    format!("{what} expired unanswered; nothing was done.")
}
