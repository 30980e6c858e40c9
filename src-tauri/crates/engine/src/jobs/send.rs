//! Mails whose hold is over are queued: they were approved with exactly this instant.

use adjutant_domain::faults::{StoreFault, UserFault};
use adjutant_domain::ids::RecordId;
use adjutant_domain::job::Job;
use adjutant_domain::record::{Kind, OutboxItem, OutboxState, Record};
use tokio_util::sync::CancellationToken;

use super::Work;
use crate::engine::Engine;
use crate::feed::Sink;
use crate::manual::Command;
use crate::op::BACKGROUND;
use crate::ops::command;
use crate::turn::driver;

pub(super) async fn run(mut work: Work<'_>, jobs: Vec<Job>) -> Result<(), StoreFault> {
    for job in jobs {
        let id = RecordId(job.subject.clone());
        let records = &work.engine.core.parts.records;
        let item = match records.get(Kind::Outbox, &id).await? {
            Some(Record::Outbox(item)) if item.state == OutboxState::Held => item,
            // Somebody took it back, or sent it, since it was leased.
            _ => {
                work.done(vec![job.id]).await?;
                continue;
            }
        };
        let subject = item.subject.clone();
        match release(work.engine, item).await {
            // The job ended in the transaction that queued the mail.
            Ok(true) => work.report.line(format!(
                "The hold of “{subject}” is over. It goes out once an account is connected."
            )),
            Ok(false) => work.again(&job, changed(&subject)).await?,
            Err(fault) => work.again(&job, fault).await?,
        }
    }
    Ok(())
}

/// Ends the hold. Gives whether the mail is queued now.
async fn release(engine: &Engine, item: OutboxItem) -> Result<bool, UserFault> {
    let core = &engine.core;
    let conversation = BACKGROUND.into();
    let turn = core.turn_id();
    let job = driver::Job {
        feed: engine.actors.feed(&conversation),
        sink: Sink::default(),
        stop: CancellationToken::new(),
    };
    let release = Command::Release {
        id: item.id.clone(),
    };
    command(core, &job, (&conversation, &turn), &release).await?;
    let now = core.parts.records.get(Kind::Outbox, &item.id).await;
    let now = now.map_err(|fault| UserFault::from(&fault))?;
    Ok(matches!(now, Some(Record::Outbox(now)) if now.state == OutboxState::Queued))
}

fn changed(subject: &str) -> UserFault {
    UserFault::new(
        "conflict",
        format!("The held mail “{subject}” was changed while its hold ended."),
        "It is looked at again in a moment.",
    )
}
