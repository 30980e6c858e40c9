//! Downloads a model file after the person agreed to its size and licence. Downloaded bytes are kept, so a download
//! that was cut off resumes where it stopped.

use jiff::Timestamp;
use serde_json::Value;

use super::{CatchUp, Job, JobKind, Progress, Rules};

pub(super) const RULES: Rules = Rules {
    catch_up: CatchUp::Once,
    attempts_max: 5,
    stoppable: Ok(()),
    is_kept: true,
    takes_long: true,
};

impl Job {
    /// Creates a download that starts now. `agreed` holds what the person agreed to and `bytes` is the size of `file`.
    #[must_use]
    pub fn fetch_model(file: &str, bytes: u64, agreed: Value, now: Timestamp) -> Self {
        Self {
            budget: Some(bytes),
            progress: Some(Progress {
                done: 0,
                total: bytes,
            }),
            data: agreed,
            ..Self::planned(JobKind::FetchModel, file, None, file, now)
        }
    }
}
