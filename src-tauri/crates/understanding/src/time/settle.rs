//! Resolves clock times and amounts to local times: which half of the day, which day, how much later.

use super::Grain;
use super::calendar::{self, add_days};
use super::lexicon::DayPart;
use super::model::{Amount, Clock, Meridiem, Moment, Stretch};
use super::resolve::{Context, day, moment, zone};
use jiff::Span;
use jiff::civil::{Date, DateTime};

/// Returns now in the zone of a moment.
fn local_now(context: &Context<'_>, said: &Moment) -> DateTime {
    match &said.zone {
        Some(zone) => context.now.with_time_zone(zone.zone.clone()).datetime(),
        None => context.at,
    }
}

/// Returns the local start of a clock time, and the other reading if neither am nor pm was said.
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
    // A clock time without a day is the next one (or, looking back, the last one).
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

/// Returns the hour on a 24-hour clock (from 24 on the next day), and the other reading if neither am nor pm was said.
fn hour_of(
    context: &Context<'_>,
    said: &Moment,
    clock: &Clock,
    today: bool,
    now: DateTime,
) -> (u8, Option<u8>) {
    let twelve = clock.hour % 12;
    match clock.half {
        Some(Meridiem::Am) => return (twelve, None),
        Some(Meridiem::Pm) => return (twelve + 12, None),
        None => {}
    }
    if clock.full {
        return (clock.hour, None);
    }
    match said.part {
        Some(DayPart::Morning) => return (twelve, None),
        Some(DayPart::Lunch) => return (if twelve >= 11 { twelve } else { twelve + 12 }, None),
        Some(DayPart::Afternoon | DayPart::Evening) => return (twelve + 12, None),
        Some(DayPart::Night) => {
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
    // For today, prefer the reading that is still to come.
    let minutes = |h: u8| i32::from(h) * 60 + i32::from(clock.minute);
    let gone = |h: u8| minutes(h) < i32::from(now.hour()) * 60 + i32::from(now.minute());
    if today && !context.past() && gone(hour) && !gone(other) {
        (hour, other) = (other, hour);
    }
    (hour, Some(other))
}

/// Returns the hour, on a 24-hour clock, of a clock time that belongs to no day.
pub(super) fn hour_alone(context: &Context<'_>, part: Option<DayPart>, clock: &Clock) -> u8 {
    if clock.midnight {
        return 0;
    }
    let said = Moment {
        part,
        ..Moment::default()
    };
    hour_of(context, &said, clock, false, context.at).0
}

/// Returns the end of a stretch of clock times, after its start.
pub(super) fn clock_end(start: DateTime, to: &Clock) -> Option<DateTime> {
    let on = |date: Date, hour: u8| -> Option<DateTime> {
        let date = add_days(date, i64::from(hour / 24))?;
        Some(date.at((hour % 24) as i8, to.minute as i8, to.second as i8, 0))
    };
    let twelve = to.hour % 12;
    let hours: &[u8] = match to.half {
        Some(Meridiem::Am) => &[twelve],
        Some(Meridiem::Pm) => &[twelve + 12],
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

pub(super) fn add_amount(
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

/// Returns the stretch that lies `amount` after (`sign` 1) or before (`sign` -1) `base`, or now if there is no base.
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
            // From here on, everything is in the zone of the text.
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
