//! Resolves what was said to local times: which Friday, which year, which half of the day.

use super::calendar::{self, add_days, make, midnight, on_or_after, on_or_before};
use super::lexicon::{DayPart, RelativePosition};
use super::model::{Day, Moment, Stretch};
use super::policy::{Direction, Policy};
use super::settle::{add_amount, clock_end, clock_start};
use super::{Grain, Hours, Note};
use jiff::Zoned;
use jiff::civil::{Date, DateTime, Weekday};
use jiff::tz::TimeZone;
use std::cell::Cell;

/// Maximum number of months to search for a day of the month, with or without a weekday.
const MONTHS_SEARCHED: i64 = 60;

/// Maximum number of days between the nearest date with a day number and the date on which the weekday fits too:
/// "Thursday the 20th" hardly means one that is months away.
const NUMBER_DAYS_MAX: i32 = 31;

/// When and under which policy a text is read.
#[derive(Debug)]
pub(super) struct Context<'a> {
    pub now: &'a Zoned,
    /// Now in local time, without fractions of a second.
    pub at: DateTime,
    pub today: Date,
    pub policy: &'a Policy,
    /// Which way to resolve incomplete dates; "since" sets it to the past.
    pub prefer: Cell<Direction>,
}

impl<'a> Context<'a> {
    pub fn new(now: &'a Zoned, policy: &'a Policy) -> Self {
        let at = now
            .datetime()
            .with()
            .subsec_nanosecond(0)
            .build()
            .unwrap_or(now.datetime());
        Context {
            now,
            at,
            today: at.date(),
            policy,
            prefer: Cell::new(policy.prefer),
        }
    }

    pub(super) fn past(&self) -> bool {
        self.prefer.get() == Direction::Past
    }
}

/// Resolves a day, a month or another date, before any clock time.
pub(super) fn day(context: &Context<'_>, said: &Day) -> Option<Stretch> {
    if let Some(within) = &said.within {
        return day_within(context, said, within);
    }
    let stretch = match (said.year, said.month, said.day) {
        (Some(year), Some(month), Some(day)) => calendar::day(make(year, month, day)?)?,
        (None, Some(month), Some(day)) => calendar::day(month_day(context, said, month, day)?)?,
        (None, None, Some(day)) => calendar::day(month_number(context, said, day)?)?,
        (year, Some(month), None) => {
            let whole = match year {
                Some(year) => calendar::month(year, month)?,
                None => month_named(context, said.which, month)?,
            };
            return match said.weekday {
                Some(weekday) => calendar::day(on_or_after(whole.start.date(), weekday)?),
                None => Some(whole),
            };
        }
        (Some(year), None, None) => calendar::year(year)?,
        (None, None, None) => return calendar::day(weekday(context, said)?),
        (Some(_), None, Some(_)) => return None,
    };
    match said.day_to {
        Some(to) => {
            let last = stretch.start.date().with().day(to as i8).build().ok()?;
            Some(Stretch {
                end: midnight(add_days(last, 1)?),
                ..stretch
            })
        }
        None => Some(stretch),
    }
}

/// Resolves a weekday, a day number or a month within a known stretch.
fn day_within(context: &Context<'_>, said: &Day, within: &Stretch) -> Option<Stretch> {
    let (first, end) = (within.start.date(), within.end.date());
    let inside = |date: Date| (date >= first && date < end).then_some(date);
    if within.grain <= Grain::Day {
        // "Saturday in two weeks" is the Saturday of that week.
        let far = (first - context.today).get_days().abs() >= 6;
        if let Some(weekday) = said
            .weekday
            .filter(|w| far && within.grain == Grain::Day && *w != calendar::weekday(first))
        {
            let week = calendar::week_start(first, context.policy.week_starts_on)?;
            return calendar::day(on_or_after(week, weekday)?);
        }
        return Some(*within);
    }
    if let Some(month) = said.month {
        let year = if make(first.year(), month, 1)? >= first {
            first.year()
        } else {
            first.year() + 1
        };
        return day(
            context,
            &Day {
                within: None,
                year: Some(year),
                which: None,
                ..*said
            },
        );
    }
    if let Some(number) = said.day {
        let start = inside(make(first.year(), first.month() as u8, number)?)?;
        let last = match said.day_to {
            Some(to) => make(first.year(), first.month() as u8, to)?,
            None => start,
        };
        return Some(calendar::stretch(start, add_days(last, 1)?, Grain::Day));
    }
    match said.weekday {
        Some(weekday) => calendar::day(inside(on_or_after(first, weekday)?)?),
        None => Some(*within),
    }
}

fn month_day(context: &Context<'_>, said: &Day, month: u8, day: u8) -> Option<Date> {
    let today = context.today;
    let this = today.year();
    let exists = |year: &i16| make(*year, month, day).is_some();
    // February 29 may be up to eight years away.
    let next = || {
        (this..this + 9)
            .filter(exists)
            .filter_map(|y| make(y, month, day))
            .find(|d| *d >= today)
    };
    let last = || {
        (this - 8..=this)
            .rev()
            .filter(exists)
            .filter_map(|y| make(y, month, day))
            .find(|d| *d <= today)
    };
    match said.which {
        Some(RelativePosition::This) => make(this, month, day),
        Some(RelativePosition::Last) => last(),
        Some(RelativePosition::Next) => next(),
        None if context.past() => last(),
        None => next(),
    }
}

fn month_named(
    context: &Context<'_>,
    which: Option<RelativePosition>,
    month: u8,
) -> Option<Stretch> {
    let today = context.today;
    let this = calendar::month(today.year(), month)?;
    let running = this.start.date() <= today && today < this.end.date();
    let year = match which {
        Some(RelativePosition::This) => today.year(),
        Some(RelativePosition::Next) if this.start.date() > today => today.year(),
        Some(RelativePosition::Next) => today.year() + 1,
        Some(RelativePosition::Last) if this.end.date() <= today => today.year(),
        Some(RelativePosition::Last) => today.year() - 1,
        None if running => today.year(),
        None if context.past() => today.year() - i16::from(this.start.date() > today),
        None => today.year() + i16::from(this.end.date() <= today),
    };
    calendar::month(year, month)
}

/// Returns the next (or last) date with this day number that falls on the weekday, if one was said. Falls back to the
/// nearest date with the number.
fn month_number(context: &Context<'_>, said: &Day, number: u8) -> Option<Date> {
    let today = context.today;
    let sign = if context.past() { -1 } else { 1 };
    let first = today.first_of_month();
    let mut fallback = None;
    for by in 0..MONTHS_SEARCHED {
        let month = calendar::add_months(first, sign * by)?;
        let Some(date) = make(month.year(), month.month() as u8, number) else {
            continue;
        };
        if (sign > 0 && date < today) || (sign < 0 && date > today) {
            continue;
        }
        match said.weekday {
            Some(weekday) if calendar::weekday(date) != weekday => {
                fallback = fallback.or(Some(date))
            }
            _ => return Some(date),
        }
    }
    fallback
}

/// Returns the note that a weekday does not fit the date that was said with it. The date of a day number alone is the
/// nearest one, unless both fit within [`NUMBER_DAYS_MAX`].
pub(super) fn mismatch(context: &Context<'_>, said: &Day, found: &Stretch) -> Option<Note> {
    let (number, wanted) = (said.day?, said.weekday?);
    let used = found.start.date();
    let date = match (said.month, said.within) {
        (Some(_), _) => used,
        (None, None) => {
            let any_weekday = Day {
                weekday: None,
                ..*said
            };
            month_number(context, &any_weekday, number)?
        }
        (None, Some(_)) => return None,
    };
    let far = (used - date).get_days().abs() > NUMBER_DAYS_MAX;
    let clashes = calendar::weekday(date) != wanted && (used == date || far);
    let weekday = Weekday::from_monday_one_offset(i8::try_from(wanted).ok()?).ok()?;
    clashes.then_some(Note::WeekdayMismatch(date, weekday))
}

fn weekday(context: &Context<'_>, said: &Day) -> Option<Date> {
    let wanted = said.weekday?;
    let today = context.today;
    let first = calendar::week_start(today, context.policy.week_starts_on)?;
    let in_week = |weeks: i64| on_or_after(add_days(first, 7 * weeks)?, wanted);
    let date = match said.which {
        Some(RelativePosition::This) => {
            let this = in_week(0)?;
            if this < today && !context.past() {
                add_days(this, 7)?
            } else {
                this
            }
        }
        Some(RelativePosition::Next) => in_week(1)?,
        Some(RelativePosition::Last) => on_or_before(add_days(today, -1)?, wanted)?,
        None if context.past() => on_or_before(add_days(today, -1)?, wanted)?,
        None => on_or_after(add_days(today, 1)?, wanted)?,
    };
    add_days(date, 7 * i64::from(said.weeks_after))
}

/// Returns the stretch that `in_year` gives for this year. If that is over, takes next year's; when looking back, takes
/// last year's if this year's has not begun.
pub(super) fn nearest_year(
    context: &Context<'_>,
    in_year: impl Fn(i16) -> Option<Stretch>,
) -> Option<Stretch> {
    let this = in_year(context.today.year())?;
    if context.past() && this.start > context.at {
        return in_year(context.today.year() - 1);
    }
    if !context.past() && this.end <= context.at {
        return in_year(context.today.year() + 1);
    }
    Some(this)
}

/// Returns the hours of a part of the day.
pub(super) fn hours(policy: &Policy, part: DayPart) -> Hours {
    match part {
        DayPart::Morning => policy.morning,
        DayPart::Lunch => policy.lunch,
        DayPart::Afternoon => policy.afternoon,
        DayPart::Evening => policy.evening,
        DayPart::Night => policy.night,
    }
}

/// Returns the time `hour` hours after midnight of `date`; hours from 24 fall on the next day.
pub(super) fn at_hour(date: Date, hour: u8) -> Option<DateTime> {
    let date = add_days(date, i64::from(hour / 24))?;
    Some(date.at((hour % 24) as i8, 0, 0, 0))
}

/// Resolves a moment to a stretch in the local time of its zone.
pub(super) fn moment(context: &Context<'_>, said: &Moment) -> Option<Stretch> {
    if let Some(clock) = &said.clock {
        let (start, _) = clock_start(context, said, clock)?;
        let end = match (&said.clock_to, &said.length) {
            (Some(to), _) => clock_end(start, to)?,
            (None, Some(length)) => add_amount(context, said, start, length)?,
            (None, None) => {
                return Some(Stretch {
                    start,
                    end: start,
                    grain: clock.grain,
                    exact: None,
                });
            }
        };
        return Some(Stretch {
            start,
            end,
            grain: Grain::Part,
            exact: None,
        });
    }
    let base = match &said.day {
        Some(d) => Some(day(context, d)?),
        None => None,
    };
    if let Some(part) = said.part {
        let hours = hours(context.policy, part);
        let date = match base {
            Some(base) => base.start.date(),
            None => {
                let over = at_hour(context.today, hours.to)? <= context.at;
                let begun = at_hour(context.today, hours.from)? <= context.at;
                match (over, begun) {
                    (true, _) if !context.past() => add_days(context.today, 1)?,
                    (_, false) if context.past() => add_days(context.today, -1)?,
                    _ => context.today,
                }
            }
        };
        let (start, end) = (at_hour(date, hours.from)?, at_hour(date, hours.to)?);
        return Some(Stretch {
            start,
            end,
            grain: Grain::Part,
            exact: None,
        });
    }
    let base = base?;
    match &said.length {
        Some(length) => {
            let end = add_amount(context, said, base.start, length)?;
            Some(Stretch {
                start: base.start,
                end,
                ..base
            })
        }
        None => Some(base),
    }
}

/// Returns the zone of a moment: the one that was named, or else the zone of now.
pub(super) fn zone(context: &Context<'_>, said: &Moment) -> TimeZone {
    said.zone
        .as_ref()
        .map_or_else(|| context.now.time_zone().clone(), |z| z.zone.clone())
}
