//! Reads the documents in opened folders at regular intervals so that they can be searched. Unchanged documents are
//! skipped.

use jiff::Timestamp;

use super::{CatchUp, Job, JobKind, Rules, Schedule};

/// Subject of the job, the same for all folders.
const SUBJECT: &str = "documents";
/// Minutes between two scans of the folders.
const READ_EVERY_MINUTES: u16 = 15;

pub(super) const RULES: Rules = Rules {
    catch_up: CatchUp::Once,
    // Never give up on a folder: its drive may be away for weeks.
    attempts_max: u32::MAX,
    stoppable: Err("Close the folders instead (Settings, Folders)."),
    is_kept: true,
    takes_long: true,
};

impl Job {
    /// Creates the job that reads the documents of opened folders, now and then on its schedule.
    #[must_use]
    pub fn documents(now: Timestamp) -> Self {
        Self {
            schedule: Some(Schedule::Minutes {
                minutes: READ_EVERY_MINUTES,
            }),
            ..Self::planned(JobKind::Documents, SUBJECT, None, "Read documents", now)
        }
    }
}
