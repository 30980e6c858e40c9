//! Documents in opened folders are read again and again, so that what they say can be found. What did not change is not
//! read a second time.

use jiff::Timestamp;

use super::{CatchUp, Job, JobKind, Rules, Schedule};

/// What the job is about.
const SUBJECT: &str = "documents";
/// Minutes between two looks at the folders.
const READ_EVERY_MINUTES: u16 = 15;

pub(super) const RULES: Rules = Rules {
    catch_up: CatchUp::Once,
    // A folder is not given up: its drive may be away for weeks.
    attempts_max: u32::MAX,
    stoppable: Err("Close the folders instead (Settings, Folders)."),
    is_kept: true,
    takes_long: true,
};

impl Job {
    /// Reads the documents of opened folders: at once, and from then on in its rhythm.
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
