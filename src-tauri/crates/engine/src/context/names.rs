//! Finds the records whose names a message mentions.

use std::sync::Arc;
use std::time::Duration;

use adjutant_domain::mentioned_name::MentionedName;
use adjutant_domain::ports::Records;
use adjutant_domain::reading::NAMES_MAX;
use jiff::Timestamp;

/// Time allowed for the names. They decide what a message means: without them, a change of something known could become
/// something new. So a busy machine gets longer for them than for other context.
const DEADLINE: Duration = Duration::from_secs(5);

/// Returns the records whose names a message mentions, best first. Empty, with a warning in the log, if they cannot be
/// read in time.
pub(crate) async fn mentioned(
    records: &dyn Records,
    text: &str,
    now: Timestamp,
) -> Arc<[MentionedName]> {
    if text.trim().is_empty() {
        return Arc::default();
    }
    let names = records.named(text, now, NAMES_MAX);
    match tokio::time::timeout(DEADLINE, names).await {
        Ok(Ok(names)) => names.into(),
        Ok(Err(fault)) => {
            tracing::warn!(%fault, "the names of records could not be read; they are not recognised");
            Arc::default()
        }
        Err(_) => {
            tracing::warn!("reading the names of records took too long; they are not recognised");
            Arc::default()
        }
    }
}
