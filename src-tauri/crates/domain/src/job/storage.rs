//! Tidies storage every few hours and checks it for damage once a day.

use jiff::Timestamp;
use jiff::civil::Time;
use jiff::tz::TimeZone;

use super::{CatchUp, Job, JobKind, Rules, Schedule};

/// Subject of both jobs.
const SUBJECT: &str = "storage";
/// Hours between two tidyings of storage.
const TIDIED_EVERY_HOURS: u16 = 6;
/// Local time of the storage check: at midday the machine is awake, but often unattended.
const CHECKED_AT: Time = Time::constant(12, 30, 0, 0);

pub(super) const TIDY: Rules = Rules {
    catch_up: CatchUp::Once,
    attempts_max: 5,
    stoppable: Err("It keeps this profile small and quick, and takes a moment."),
    is_kept: true,
    takes_long: false,
};

pub(super) const CHECK: Rules = Rules {
    catch_up: CatchUp::Skip,
    attempts_max: 2,
    stoppable: Ok(()),
    is_kept: true,
    takes_long: true,
};

impl Job {
    /// Creates the repeated jobs of storage, starting from `now`.
    #[must_use]
    pub fn of_storage(now: Timestamp, zone: &TimeZone) -> [Self; 2] {
        let again = |kind, title: &str, schedule: Schedule| {
            let due = schedule.first_after(now, zone);
            Self {
                schedule: Some(schedule),
                ..Self::planned(kind, SUBJECT, None, title, due)
            }
        };
        let hours = TIDIED_EVERY_HOURS;
        [
            again(JobKind::Tidy, "Tidy storage", Schedule::Hours { hours }),
            again(
                JobKind::Check,
                "Check storage",
                Schedule::Day { at: CHECKED_AT },
            ),
        ]
    }
}
