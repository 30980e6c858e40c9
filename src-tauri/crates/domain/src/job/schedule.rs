//! When a repeated job is due again.

use jiff::civil::{Date, Time};
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp, ToSpan as _};
use serde::{Deserialize, Serialize};

use super::CatchUp;

/// Maximum number of missed runs made up for one by one after a long pause. Older ones are dropped.
pub const ROUNDS_MADE_UP_MAX: u32 = 31;

/// How often a job is due.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "every", rename_all = "snake_case")]
pub enum Schedule {
    /// Every day at this local time. A time the clock skips falls right after the gap; one that occurs twice counts
    /// once.
    Day {
        /// Time of day.
        at: Time,
    },
    /// Every week on this day at this local time, with the clock changes of [`Self::Day`].
    Week {
        /// Day of the week: Monday is 1, Sunday 7.
        day: u8,
        /// Time of day.
        at: Time,
    },
    /// Every `hours` hours, regardless of the clock.
    Hours {
        /// Number of hours; 0 counts as 1.
        hours: u16,
    },
    /// Every `minutes` minutes, regardless of the clock.
    Minutes {
        /// Number of minutes; 0 counts as 1.
        minutes: u16,
    },
}

impl Schedule {
    /// Returns the first due time after an instant. Hours and minutes count from that instant.
    #[must_use]
    pub fn first_after(&self, after: Timestamp, zone: &TimeZone) -> Timestamp {
        match self {
            Self::Day { at } => next_day(after, *at, zone, |_| true),
            Self::Week { day, at } => next_day(after, *at, zone, |date| {
                u8::try_from(date.weekday().to_monday_one_offset()) == Ok(*day)
            }),
            Self::Hours { .. } | Self::Minutes { .. } => after
                .saturating_add(self.length())
                .unwrap_or(Timestamp::MAX),
        }
    }

    /// Returns the due time that follows `due`, for a run that ended at `now`: with [`CatchUp::Each`] the next one even
    /// if it has been missed, otherwise the first one still ahead.
    #[must_use]
    pub fn next(
        &self,
        due: Timestamp,
        now: Timestamp,
        catch_up: CatchUp,
        zone: &TimeZone,
    ) -> Timestamp {
        if catch_up == CatchUp::Each {
            let oldest = now
                .saturating_sub(self.length().saturating_mul(rounds()))
                .unwrap_or(Timestamp::MIN);
            return self.first_after(due.max(oldest), zone);
        }
        match self {
            Self::Day { .. } | Self::Week { .. } => self.first_after(now.max(due), zone),
            // The rhythm stays: a job due at six that ran at nine is due at twelve again.
            Self::Hours { .. } | Self::Minutes { .. } => {
                let length = self.length().as_secs().max(1);
                let passed = now.duration_since(due).as_secs().max(0) / length;
                let rhythm = SignedDuration::from_secs(length.saturating_mul(passed));
                self.first_after(due.saturating_add(rhythm).unwrap_or(now), zone)
            }
        }
    }

    /// Returns the approximate time between two runs.
    fn length(&self) -> SignedDuration {
        match self {
            Self::Day { .. } => SignedDuration::from_hours(24),
            Self::Week { .. } => SignedDuration::from_hours(7 * 24),
            Self::Hours { hours } => SignedDuration::from_hours(i64::from((*hours).max(1))),
            Self::Minutes { minutes } => SignedDuration::from_mins(i64::from((*minutes).max(1))),
        }
    }
}

/// Returns the first matching day's time after an instant. It looks at nine days: today's time may have passed, and a
/// clock change may move one.
fn next_day(after: Timestamp, at: Time, zone: &TimeZone, fits: impl Fn(Date) -> bool) -> Timestamp {
    let date = after.to_zoned(zone.clone()).date();
    let on = |date: Date| -> Option<Timestamp> {
        let there = date.to_datetime(at).to_zoned(zone.clone());
        Some(there.ok()?.timestamp())
    };
    let days = (0..=8).filter_map(|days: i64| date.checked_add(days.days()).ok());
    let mut times = days.filter(|date| fits(*date)).filter_map(on);
    times.find(|at| *at > after).unwrap_or(Timestamp::MAX)
}

fn rounds() -> i32 {
    i32::try_from(ROUNDS_MADE_UP_MAX).unwrap_or(i32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Timestamp {
        text.parse().expect("an instant")
    }

    fn new_york() -> TimeZone {
        TimeZone::get("America/New_York").expect("a zone")
    }

    fn daily(hour: i8, minute: i8) -> Schedule {
        Schedule::Day {
            at: Time::constant(hour, minute, 0, 0),
        }
    }

    #[test]
    fn a_time_of_day_stays_when_the_clock_changes() {
        // In New York the clock goes forward on 8 March 2026 and back on 1 November 2026.
        for (schedule, after, expected) in [
            (daily(9, 0), "2026-03-07T14:00:00Z", "2026-03-08T13:00:00Z"),
            (daily(9, 0), "2026-10-31T13:00:00Z", "2026-11-01T14:00:00Z"),
            // 02:30 does not exist on the 8th.
            (daily(2, 30), "2026-03-07T07:30:00Z", "2026-03-08T07:30:00Z"),
            (daily(2, 30), "2026-03-08T07:30:00Z", "2026-03-09T06:30:00Z"),
            // 01:30 comes twice on the 1st, and counts once.
            (daily(1, 30), "2026-10-31T05:30:00Z", "2026-11-01T05:30:00Z"),
            (daily(1, 30), "2026-11-01T05:30:00Z", "2026-11-02T06:30:00Z"),
            (daily(1, 30), "2026-11-01T06:00:00Z", "2026-11-02T06:30:00Z"),
        ] {
            let next = schedule.first_after(at(after), &new_york());
            assert_eq!(next, at(expected), "{schedule:?} after {after}");
        }
    }

    #[test]
    fn a_day_of_the_week_comes_once_a_week() {
        let tuesdays = Schedule::Week {
            day: 2,
            at: Time::constant(9, 0, 0, 0),
        };
        for (after, expected) in [
            ("2026-03-02T14:00:00Z", "2026-03-03T14:00:00Z"),
            // The clock goes forward on the 8th.
            ("2026-03-03T14:00:00Z", "2026-03-10T13:00:00Z"),
            ("2026-03-10T12:59:00Z", "2026-03-10T13:00:00Z"),
        ] {
            let next = tuesdays.first_after(at(after), &new_york());
            assert_eq!(next, at(expected), "after {after}");
        }
        let due = at("2026-03-03T14:00:00Z");
        let asleep = at("2026-03-26T00:00:00Z");
        let next = tuesdays.next(due, asleep, CatchUp::Once, &new_york());
        assert_eq!(next, at("2026-03-31T13:00:00Z"));
    }

    #[test]
    fn hours_pass_whatever_the_clock_shows() {
        let six = Schedule::Hours { hours: 6 };
        let next = six.first_after(at("2026-03-08T04:00:00Z"), &new_york());
        assert_eq!(next, at("2026-03-08T10:00:00Z"));
        let due = at("2026-03-08T00:00:00Z");
        for (now, expected) in [
            ("2026-03-08T00:00:10Z", "2026-03-08T06:00:00Z"),
            ("2026-03-08T09:00:00Z", "2026-03-08T12:00:00Z"),
            ("2026-03-20T01:00:00Z", "2026-03-20T06:00:00Z"),
            // The clock was set back.
            ("2026-03-01T00:00:00Z", "2026-03-08T06:00:00Z"),
        ] {
            let next = six.next(due, at(now), CatchUp::Once, &new_york());
            assert_eq!(next, at(expected), "at {now}");
        }
    }

    #[test]
    fn each_missed_round_comes_by_itself_and_a_year_of_them_does_not() {
        let day = daily(9, 0);
        let due = at("2026-01-01T14:00:00Z");
        let asleep = at("2026-01-05T20:00:00Z");
        let zone = new_york();
        let mut rounds = vec![due];
        while let Some(next) = rounds
            .last()
            .map(|last| day.next(*last, asleep, CatchUp::Each, &zone))
            .filter(|next| *next <= asleep)
        {
            rounds.push(next);
        }
        assert_eq!(rounds.len(), 5, "{rounds:?}");
        assert_eq!(
            day.next(due, asleep, CatchUp::Once, &zone),
            at("2026-01-06T14:00:00Z")
        );
        let year = at("2027-01-01T20:00:00Z");
        let first = day.next(due, year, CatchUp::Each, &zone);
        assert_eq!(first, at("2026-12-02T14:00:00Z"));
    }
}
