//! Finds the records whose names a message mentions.

use std::sync::Arc;
use std::time::Duration;

use adjutant_domain::mentioned_name::MentionedName;
use adjutant_domain::ports::Records;
use adjutant_domain::reading::{NAMES_MAX, Reading};
use jiff::Timestamp;

/// Time allowed for the names. They decide what a message means: without them, a change of something known could become
/// something new. So a busy machine gets longer for them than for other context.
const DEADLINE: Duration = Duration::from_secs(5);

/// Told when a change cannot be read without names.
const UNREAD: &str = "I could not look up the names of your things in time, and without them I might change the wrong one. Nothing was done. Please say it again in a moment.";

/// Returns the records whose names a message mentions, best first. `None`, with a warning in the log, if they cannot be
/// read in time.
pub(crate) async fn mentioned(
    records: &dyn Records,
    text: &str,
    now: Timestamp,
) -> Option<Arc<[MentionedName]>> {
    if text.trim().is_empty() {
        return Some(Arc::default());
    }
    let names = records.named(text, now, NAMES_MAX);
    match tokio::time::timeout(DEADLINE, names).await {
        Ok(Ok(names)) => Some(names.into()),
        Ok(Err(fault)) => {
            tracing::warn!(%fault, "the names of records could not be read; they are not recognised");
            None
        }
        Err(_) => {
            tracing::warn!("reading the names of records took too long; they are not recognised");
            None
        }
    }
}

/// Returns the reading of a message that was read without names: a plan that changes something is refused, because with
/// the names it could mean something else.
pub(crate) fn without_names(reading: Reading, only_reads: impl Fn(&str) -> bool) -> Reading {
    match reading {
        Reading::Plan { plan, trace } if !plan.steps.iter().all(|one| only_reads(&one.tool)) => {
            Reading::NotUnderstood {
                text: UNREAD.to_owned(),
                near: Vec::new(),
                trace,
            }
        }
        reading => reading,
    }
}
