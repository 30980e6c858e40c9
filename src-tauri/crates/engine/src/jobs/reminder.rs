//! Reports due reminders.

use adjutant_domain::faults::StoreFault;
use adjutant_domain::ids::RecordId;
use adjutant_domain::job::Job;
use adjutant_domain::record::{Kind, Record};

use super::{News, Reminder, Work};

/// Stores that a reminder was shown before showing it: a kill in between loses a notification but never the task, and
/// no reminder appears twice.
pub(super) async fn run(work: Work<'_>, jobs: Vec<Job>) -> Result<(), StoreFault> {
    let records = &work.engine.core.parts.records;
    let mut tasks = Vec::with_capacity(jobs.len());
    for job in &jobs {
        let id = RecordId(job.subject.clone());
        if let Some(Record::Task(task)) = records.get(Kind::Task, &id).await? {
            tasks.push((job.id.clone(), task));
        }
    }
    let own = work
        .done(jobs.into_iter().map(|job| job.id).collect())
        .await?;
    for (id, task) in tasks {
        let Some(job) = own.iter().find(|job| job.id == id) else {
            continue;
        };
        work.report.news.push(News::Reminder(Reminder {
            task,
            at: job.due,
            missed: job.late,
        }));
    }
    Ok(())
}
