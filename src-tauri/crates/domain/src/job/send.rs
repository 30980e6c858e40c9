//! Mails that were approved with a hold: at the end of it they leave, and until then they can be taken back.

use super::{CatchUp, Job, JobKind, Rules};
use crate::record::{OutboxItem, OutboxState};

pub(super) const RULES: Rules = Rules {
    catch_up: CatchUp::Each,
    attempts_max: 10,
    stoppable: Err("Make it a draft again in the outbox (`adjutant outbox ID to-draft`)."),
    is_kept: true,
    takes_long: false,
};

pub(super) fn planned(item: &OutboxItem) -> Option<Job> {
    (item.state == OutboxState::Held).then(|| {
        let at = item.not_before.unwrap_or(item.updated);
        Job::planned(JobKind::Send, item.id.as_str(), Some(at), &item.subject, at)
    })
}
