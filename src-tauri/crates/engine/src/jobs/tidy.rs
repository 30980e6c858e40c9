//! Runs storage maintenance in its worker, before anything else that is due.

use adjutant_domain::faults::StoreFault;
use adjutant_domain::job::Job;

use super::Work;
use crate::core::NotDone;

pub(super) async fn run(work: Work<'_>, jobs: Vec<Job>) -> Result<(), StoreFault> {
    for job in jobs {
        let (title, is_late) = (job.title.clone(), job.late);
        match work.engine.core.worked(job).await {
            Ok(()) if is_late => work.report.line(format!(
                "“{title}” was done late: its time passed while Adjutant was not running."
            )),
            Ok(()) | Err(NotDone::Busy | NotDone::Stopped) => {}
            Err(NotDone::NotStored(fault)) => return Err(fault),
        }
    }
    Ok(())
}
