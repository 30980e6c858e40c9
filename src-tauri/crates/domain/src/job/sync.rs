//! Reads accounts at regular intervals. An account that cannot be read is retried at growing intervals and delays no
//! other.

use jiff::{SignedDuration, Timestamp};

use super::{CatchUp, Job, JobKind, Rules, Schedule, retry_at};
use crate::account::Account;
use crate::operation::RemoteFault;

/// Minutes between two syncs of an account.
const READ_EVERY_MINUTES: u16 = 15;
/// An account synced this recently is not read again just because somebody looks at it.
pub const FRESH_FOR: SignedDuration = SignedDuration::from_secs(60);
/// Longest wait that a server can ask for.
const WAIT_MAX: SignedDuration = SignedDuration::from_hours(24);

pub(super) const RULES: Rules = Rules {
    catch_up: CatchUp::Once,
    // Never give up on an account: its server may be away for weeks.
    attempts_max: u32::MAX,
    stoppable: Err("Switch the account off instead (`adjutant accounts pause ID`)."),
    is_kept: true,
    takes_long: true,
};

impl Job {
    /// Creates the job that reads an account, now and then on its schedule.
    #[must_use]
    pub fn sync(account: &Account, now: Timestamp) -> Self {
        let title = format!("Read {}", account.label);
        Self {
            schedule: Some(Schedule::Minutes {
                minutes: READ_EVERY_MINUTES,
            }),
            ..Self::planned(JobKind::Sync, account.id.as_str(), None, &title, now)
        }
    }
}

/// Returns when to retry an account that could not be read.
///
/// The wait grows with each attempt and is never shorter than the server asks (up to a day). `chance` adds up to a
/// quarter of it, so that clients do not all return at the same moment.
#[must_use]
pub fn sync_retry_at(attempts: u32, fault: &RemoteFault, now: Timestamp, chance: u64) -> Timestamp {
    let own = retry_at(attempts, now).duration_since(now);
    let asked = match fault {
        RemoteFault::Limited {
            retry_after_seconds: Some(seconds),
        } => SignedDuration::from_secs(i64::try_from(*seconds).unwrap_or(i64::MAX)),
        _ => SignedDuration::ZERO,
    };
    let wait = own.max(asked.min(WAIT_MAX));
    let quarter = u64::try_from(wait.as_secs() / 4).unwrap_or_default();
    let scatter = i64::try_from(chance % (quarter + 1)).unwrap_or_default();
    now.saturating_add(wait + SignedDuration::from_secs(scatter))
        .unwrap_or(Timestamp::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_comes_back_later_each_time_and_never_before_the_server_wants_it() {
        let now = Timestamp::UNIX_EPOCH;
        let wait = |attempts, fault: &RemoteFault, chance| {
            sync_retry_at(attempts, fault, now, chance)
                .duration_since(now)
                .as_secs()
        };
        let limited = |seconds| RemoteFault::Limited {
            retry_after_seconds: Some(seconds),
        };
        let away = RemoteFault::Unreachable;
        assert_eq!(
            [1, 2, 3, 99].map(|n| wait(n, &away, 0)),
            [30, 60, 120, 3_600]
        );
        assert_eq!(wait(1, &limited(600), 0), 600);
        assert_eq!(wait(1, &limited(5), 0), 30, "no sooner than usual");
        assert_eq!(wait(1, &limited(u64::MAX), 0), 86_400);
        for chance in 0..1_000 {
            let scattered = wait(3, &away, chance);
            assert!((120..=150).contains(&scattered), "{scattered}");
        }
        assert_ne!(wait(3, &away, 7), wait(3, &away, 8));
    }
}
