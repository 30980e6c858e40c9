//! Mails whose hold is over are queued: they were approved with exactly this instant.

use adjutant_domain::change::Change;
use adjutant_domain::faults::{StoreFault, UserFault};
use adjutant_domain::ids::RecordId;
use adjutant_domain::job::Job;
use adjutant_domain::record::{Kind, OutboxItem, OutboxState, Record};
use serde_json::json;
use tokio_util::sync::CancellationToken;

use super::Work;
use crate::engine::Engine;
use crate::feed::Sink;
use crate::op::BACKGROUND;
use crate::turn::driver;
use crate::undo::{Plain, carry_out};

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

async fn release(engine: &Engine, item: OutboxItem) -> Result<bool, UserFault> {
    let core = &engine.core;
    let (title, id) = (item.subject.clone(), item.id.clone());
    let queued = OutboxItem {
        state: OutboxState::Queued,
        ..item
    };
    let conversation = BACKGROUND.into();
    let turn = core.turn_id();
    let job = driver::Job {
        feed: engine.actors.feed(&conversation),
        sink: Sink::default(),
        stop: CancellationToken::new(),
    };
    let plain = Plain {
        title: format!("The hold of “{title}” is over"),
        tool: "outbox.release",
        args: json!({ "id": id }),
        say: format!("The hold is over: “{title}” waits in the outbox to leave."),
        change: Change::replace(Record::Outbox(queued)),
        undoes: None,
    };
    carry_out(core, &job, (&conversation, &turn), plain).await
}

fn changed(subject: &str) -> UserFault {
    UserFault::new(
        "conflict",
        format!("The held mail “{subject}” was changed while its hold ended."),
        "It is looked at again in a moment.",
    )
}
