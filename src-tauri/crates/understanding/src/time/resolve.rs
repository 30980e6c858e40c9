//! From what was said to local times: which Friday, which year, which half of the day.

use super::calendar::{self, add_days, make, midnight, on_or_after, on_or_before};
use super::lexicon::{Part, Which};
use super::model::{Amount, Clock, Day, Half, Moment, Stretch};
use super::policy::{Policy, Prefer};
use super::{Grain, Hours};
use jiff::civil::{Date, DateTime};
use jiff::tz::TimeZone;
use jiff::{Span, Zoned};
use std::cell::Cell;

/// Months searched for a day of the month or a weekday on a day of the month.
const MONTHS_SEARCHED: i64 = 60;

/// Where and when the text is read.
#[derive(Debug)]
pub(super) struct Context<'a> {
    pub now: &'a Zoned,
    /// Now in local time, to the second.
    pub at: DateTime,
    pub today: Date,
    pub policy: &'a Policy,
    /// Where incomplete dates point; "since" turns it to the past.
    pub prefer: Cell<Prefer>,
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

    fn past(&self) -> bool {
        self.prefer.get() == Prefer::Past
    }
}

/// The stretch of a day, a month or another date, before any clock time.
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

/// A weekday, a day number or a month within a known stretch.
fn day_within(context: &Context<'_>, said: &Day, within: &Stretch) -> Option<Stretch> {
    let (first, end) = (within.start.date(), within.end.date());
    let inside = |date: Date| (date >= first && date < end).then_some(date);
    if within.grain == Grain::Day || within.grain < Grain::Day {
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
        Some(Which::This) => make(this, month, day),
        Some(Which::Last) => last(),
        Some(Which::Next) => next(),
        None if context.past() => last(),
        None => next(),
    }
}

fn month_named(context: &Context<'_>, which: Option<Which>, month: u8) -> Option<Stretch> {
    let today = context.today;
    let this = calendar::month(today.year(), month)?;
    let running = this.start.date() <= today && today < this.end.date();
    let year = match which {
        Some(Which::This) => today.year(),
        Some(Which::Next) if this.start.date() > today => today.year(),
        Some(Which::Next) => today.year() + 1,
        Some(Which::Last) if this.end.date() <= today => today.year(),
        Some(Which::Last) => today.year() - 1,
        None if running => today.year(),
        None if context.past() => today.year() - i16::from(this.start.date() > today),
        None => today.year() + i16::from(this.end.date() <= today),
    };
    calendar::month(year, month)
}

/// The next (or last) month that has the day, and where the weekday fits when one is said.
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

fn weekday(context: &Context<'_>, said: &Day) -> Option<Date> {
    let wanted = said.weekday?;
    let today = context.today;
    let first = calendar::week_start(today, context.policy.week_starts_on)?;
    let in_week = |weeks: i64| on_or_after(add_days(first, 7 * weeks)?, wanted);
    let date = match said.which {
        Some(Which::This) => {
            let this = in_week(0)?;
            if this < today && !context.past() {
                add_days(this, 7)?
            } else {
                this
            }
        }
        Some(Which::Next) => in_week(1)?,
        Some(Which::Last) => on_or_before(add_days(today, -1)?, wanted)?,
        None if context.past() => on_or_before(add_days(today, -1)?, wanted)?,
        None => on_or_after(add_days(today, 1)?, wanted)?,
    };
    add_days(date, 7 * i64::from(said.weeks_after))
}

/// The stretch `in_year` gives for this year, or for the next (last) one when this year's is over (has not begun).
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

/// The hours of a part of the day.
pub(super) fn hours(policy: &Policy, part: Part) -> Hours {
    match part {
        Part::Morning => policy.morning,
        Part::Lunch => policy.lunch,
        Part::Afternoon => policy.afternoon,
        Part::Evening => policy.evening,
        Part::Night => policy.night,
    }
}

/// Hours after midnight of `date`; more than 24 is the day after.
pub(super) fn at_hour(date: Date, hour: u8) -> Option<DateTime> {
    let date = add_days(date, i64::from(hour / 24))?;
    Some(date.at((hour % 24) as i8, 0, 0, 0))
}

/// What a moment stands for in local time of its zone.
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

/// The zone a moment is read in.
pub(super) fn zone(context: &Context<'_>, said: &Moment) -> TimeZone {
    said.zone
        .as_ref()
        .map_or_else(|| context.now.time_zone().clone(), |z| z.zone.clone())
}

/// Where now is in the zone of a moment.
fn local_now(context: &Context<'_>, said: &Moment) -> DateTime {
    match &said.zone {
        Some(zone) => context.now.with_time_zone(zone.zone.clone()).datetime(),
        None => context.at,
    }
}

/// The local start of a clock time, and the other reading when am or pm was left open.
pub(super) fn clock_start(
    context: &Context<'_>,
    said: &Moment,
    clock: &Clock,
) -> Option<(DateTime, Option<DateTime>)> {
    let now = local_now(context, said);
    let date = match &said.day {
        Some(d) => day(context, d)?.start.date(),
        None => now.date(),
    };
    let on = |date: Date, hour: u8| -> Option<DateTime> {
        let date = add_days(date, i64::from(hour / 24))?;
        Some(date.at((hour % 24) as i8, clock.minute as i8, clock.second as i8, 0))
    };
    let free = said.day.is_none();
    // A free clock time is the next one (or the last one).
    let settle = |at: DateTime| -> Option<DateTime> {
        let move_by = match (free, context.past()) {
            (true, false)
                if at
                    < now
                        .with()
                        .second(0)
                        .subsec_nanosecond(0)
                        .build()
                        .unwrap_or(now) =>
            {
                1
            }
            (true, true) if at > now => -1,
            _ => 0,
        };
        at.checked_add(Span::new().days(move_by)).ok()
    };
    if clock.midnight {
        let tonight = free || date == now.date();
        let at = on(date, if tonight && !context.past() { 24 } else { 0 })?;
        return Some((at, None));
    }
    let (hour, other) = hour_of(context, said, clock, date == now.date(), now);
    let first = settle(on(date, hour)?)?;
    let other = match other {
        Some(hour) => Some(settle(on(date, hour)?)?),
        None => None,
    };
    Some((first, other))
}

/// The hour on a 24-hour clock (24 and more is the day after), and the other reading.
fn hour_of(
    context: &Context<'_>,
    said: &Moment,
    clock: &Clock,
    today: bool,
    now: DateTime,
) -> (u8, Option<u8>) {
    let twelve = clock.hour % 12;
    match clock.half {
        Some(Half::Am) => return (twelve, None),
        Some(Half::Pm) => return (twelve + 12, None),
        None => {}
    }
    if clock.full {
        return (clock.hour, None);
    }
    match said.part {
        Some(Part::Morning) => return (twelve, None),
        Some(Part::Lunch) => return (if twelve >= 11 { twelve } else { twelve + 12 }, None),
        Some(Part::Afternoon | Part::Evening) => return (twelve + 12, None),
        Some(Part::Night) => {
            let after_midnight = twelve < 5;
            return (
                if after_midnight {
                    twelve + if said.day.is_some() { 24 } else { 0 }
                } else {
                    twelve + 12
                },
                None,
            );
        }
        None => {}
    }
    let morning = twelve >= context.policy.first_morning_hour;
    let (mut hour, mut other) = if morning {
        (twelve, twelve + 12)
    } else {
        (twelve + 12, twelve)
    };
    // Said of today, the reading still to come is meant.
    let minutes = |h: u8| i32::from(h) * 60 + i32::from(clock.minute);
    let gone = |h: u8| minutes(h) < i32::from(now.hour()) * 60 + i32::from(now.minute());
    if today && !context.past() && gone(hour) && !gone(other) {
        (hour, other) = (other, hour);
    }
    (hour, Some(other))
}

/// The hour of a clock time that belongs to no day, on a 24-hour clock.
pub(super) fn hour_alone(context: &Context<'_>, part: Option<Part>, clock: &Clock) -> u8 {
    if clock.midnight {
        return 0;
    }
    let said = Moment {
        part,
        ..Moment::default()
    };
    hour_of(context, &said, clock, false, context.at).0
}

/// The end of a stretch of clock times: after its start.
fn clock_end(start: DateTime, to: &Clock) -> Option<DateTime> {
    let on = |date: Date, hour: u8| -> Option<DateTime> {
        let date = add_days(date, i64::from(hour / 24))?;
        Some(date.at((hour % 24) as i8, to.minute as i8, to.second as i8, 0))
    };
    let twelve = to.hour % 12;
    let hours: &[u8] = match to.half {
        Some(Half::Am) => &[twelve],
        Some(Half::Pm) => &[twelve + 12],
        None if to.midnight => &[24],
        None if to.full || to.hour == 0 => &[to.hour],
        None => &[to.hour % 12, to.hour % 12 + 12],
    };
    let date = start.date();
    let same = hours
        .iter()
        .filter_map(|h| on(date, *h))
        .find(|at| *at > start);
    same.or_else(|| hours.first().and_then(|h| on(add_days(date, 1)?, *h)))
}

fn add_amount(
    context: &Context<'_>,
    said: &Moment,
    start: DateTime,
    amount: &Amount,
) -> Option<DateTime> {
    let steps = calendar::steps(amount)?;
    let date = add_days(
        calendar::add_months(start.date(), steps.months)?,
        steps.days,
    )?;
    let date = calendar::add_work_days(date, steps.work_days)?;
    let at = date.to_datetime(start.time());
    if steps.seconds == 0.0 {
        return Some(at);
    }
    let zone = zone(context, said);
    let instant = zone.to_ambiguous_timestamp(at).compatible().ok()?;
    let moved = calendar::add_seconds(instant, steps.seconds)?;
    Some(moved.to_zoned(zone).datetime())
}

/// `amount` away from `base` (now when there is none), `sign` 1 later and -1 earlier.
pub(super) fn shift(
    context: &Context<'_>,
    base: Option<&Moment>,
    amount: &Amount,
    sign: f64,
) -> Option<Stretch> {
    let steps = calendar::steps(amount)?;
    let by = sign as i64;
    let (at, exact, clocked) = match base {
        None => (context.at, Some(context.now.timestamp()), false),
        Some(base) => {
            let stretch = moment(context, base)?;
            let clocked = stretch.grain < Grain::Day;
            let zone = zone(context, base);
            let instant = match stretch.exact {
                Some(instant) => instant,
                None => zone
                    .to_ambiguous_timestamp(stretch.start)
                    .compatible()
                    .ok()?,
            };
            // From here on everything is in the zone of the text.
            (
                instant.to_zoned(context.now.time_zone().clone()).datetime(),
                Some(instant),
                clocked,
            )
        }
    };
    let date = calendar::add_months(at.date(), by * steps.months)?;
    let date = add_days(date, by * steps.days)?;
    let date = calendar::add_work_days(date, by * steps.work_days)?;
    if steps.seconds == 0.0 {
        if !clocked {
            return calendar::day(date);
        }
        let start = date.to_datetime(at.time());
        return Some(Stretch {
            start,
            end: start,
            grain: Grain::Minute,
            exact: None,
        });
    }
    let zone = context.now.time_zone().clone();
    let from = if date == at.date() {
        exact?
    } else {
        zone.to_ambiguous_timestamp(date.to_datetime(at.time()))
            .compatible()
            .ok()?
    };
    let moved = calendar::add_seconds(from, sign * steps.seconds)?;
    let start = moved.to_zoned(zone).datetime();
    let grain = calendar::unit_grain(amount.smallest()).min(Grain::Minute);
    if !(super::YEAR_MIN..=super::YEAR_MAX).contains(&start.year()) {
        return None;
    }
    Some(Stretch {
        start,
        end: start,
        grain,
        exact: Some(moved),
    })
}
