//! Combines times into a range that narrows a search.

use adjutant_domain::moment::Moment;
use jiff::civil::Time as Clock;
use jiff::{SignedDuration, ToSpan, Zoned};

use crate::time::{Grain, Relation, TimeExpression, Value};

/// A time range; `None` bounds are open.
#[derive(Clone, Debug, Default, PartialEq)]
pub(in super::super) struct Window {
    /// First moment.
    pub from: Option<Zoned>,
    /// First moment after the range.
    pub to: Option<Zoned>,
    /// Whether only things that begin in the range count.
    pub starts: bool,
    /// Days of the week, if it is limited to some.
    pub weekdays: Vec<&'static str>,
    /// Earliest and latest time of day, on any day.
    pub clock: (Option<Clock>, Option<Clock>),
}

/// Converts an instant; midnight in the person's time zone becomes a day.
pub(in super::super) fn moment(at: &Zoned) -> Moment {
    if at.time() == Clock::midnight() {
        Moment::Day(at.date())
    } else {
        Moment::At(at.clone())
    }
}

impl Window {
    /// Reports whether the range is one minute: an hour was said at which something begins.
    pub fn is_minute(&self) -> bool {
        let bounds = self.from.as_ref().zip(self.to.as_ref());
        bounds.is_some_and(|(from, to)| from.duration_until(to) == SignedDuration::from_mins(1))
    }

    /// Reports whether the range is longer than eight days.
    pub fn is_long(&self) -> bool {
        let bounds = self.from.as_ref().zip(self.to.as_ref());
        bounds.is_some_and(|(from, to)| from.duration_until(to).as_hours() > 8 * 24)
    }

    /// Returns the range that all of the times allow. `past`: the past is meant, not the future. Returns `None` if one
    /// of them is no range, or they exclude each other.
    pub fn of(founds: &[&TimeExpression], past: bool, now: &Zoned) -> Option<Self> {
        let mut window = Self::default();
        let day = founds.iter().find(|found| found.has_day);
        let day = day.and_then(|found| found.value.stretch(now));
        let many_days = |found: &&TimeExpression| match &found.value {
            Value::Set { .. } => true,
            Value::Interval { start, end } => start.duration_until(end).as_hours() > 25,
            _ => false,
        };
        let several = founds.iter().any(many_days);
        for found in founds {
            if several && !found.has_day && found.clock.is_some() {
                window.of_day(found)?;
                if !matches!(found.value, Value::Set { .. }) {
                    continue;
                }
            }
            window.narrow(found, day.as_ref().map(|(start, _)| start), past, now)?;
        }
        // Two different days are not a range.
        let backwards = matches!((&window.from, &window.to), (Some(from), Some(to)) if from >= to);
        (!backwards).then_some(window)
    }

    /// Returns the range that covers both: "February and March", "Monday or Thursday". Returns `None` if something
    /// between them belongs to neither.
    pub fn with(&self, other: &Self) -> Option<Self> {
        let plain = |window: &Self| {
            window.weekdays.is_empty() && window.clock == (None, None) && !window.starts
        };
        if !plain(self) || !plain(other) {
            return None;
        }
        let (first, second) = match self.from.as_ref()? <= other.from.as_ref()? {
            true => (self, other),
            false => (other, self),
        };
        let (first_end, second_start) = (first.to.as_ref()?, second.from.as_ref()?);
        let mut both = Self {
            from: first.from.clone(),
            to: Some(first_end.max(second.to.as_ref()?).clone()),
            ..Self::default()
        };
        if first_end < second_start {
            both.weekdays = vec![first.weekday()?, second.weekday()?];
            let length = both.from.as_ref()?.duration_until(both.to.as_ref()?);
            if length.as_hours() > 7 * 24 {
                return None;
            }
        }
        Some(both)
    }

    /// Returns the day of the week if the range is exactly one day.
    fn weekday(&self) -> Option<&'static str> {
        let (from, to) = (self.from.as_ref()?, self.to.as_ref()?);
        let day = from.time() == Clock::midnight() && from.date().tomorrow().ok()? == to.date();
        (day && to.time() == Clock::midnight()).then(|| weekday(from.weekday()))
    }

    /// Returns the range that the times allow, with a time of day without a date applied to every day.
    pub fn on_its_day(founds: &[&TimeExpression], past: bool, now: &Zoned) -> Option<Self> {
        let daily = |found: &&&TimeExpression| {
            !found.has_day && (found.clock.is_some() || found.grain <= Grain::Part)
        };
        let (daily, dated): (Vec<_>, Vec<_>) = founds.iter().partition(daily);
        let mut window = Self::of(&dated, past, now)?;
        for found in daily {
            window.of_day(found)?;
        }
        Some(window)
    }

    /// Limits the time of day on each of several days: "meetings before 9 next week".
    fn of_day(&mut self, found: &TimeExpression) -> Option<()> {
        let (start, end) = match &found.value {
            Value::Interval { start, end } => (start.time(), end.time()),
            _ => {
                let at = found.clock_elsewhere(7)?;
                (at, at.checked_add(SignedDuration::from_mins(1)).ok()?)
            }
        };
        self.clock = match found.relation {
            Relation::Before | Relation::Until | Relation::By => (None, Some(start)),
            Relation::After if matches!(found.value, Value::Interval { .. }) => (Some(end), None),
            Relation::After | Relation::From | Relation::Since => (Some(start), None),
            _ => (Some(start), Some(end)),
        };
        Some(())
    }

    fn narrow(
        &mut self,
        found: &TimeExpression,
        day: Option<&Zoned>,
        past: bool,
        now: &Zoned,
    ) -> Option<()> {
        let (from, to) = match &found.value {
            Value::Set { rrule, .. } => {
                self.weekdays = weekdays(rrule)?;
                return Some(());
            }
            Value::Duration(length) => (now.checked_sub(length.span).ok(), Some(now.clone())),
            Value::Instant(at) => {
                let at = match day {
                    Some(day) if !found.has_day => {
                        let clock = found.clock_elsewhere(7).unwrap_or_else(|| at.time());
                        day.with().time(clock).build().ok()?
                    }
                    _ => at.clone(),
                };
                self.instant(found, at, past, now)?
            }
            Value::Date(_) | Value::Interval { .. } => self.stretch(found, day, past, now)?,
        };
        if let Some(from) = from {
            self.from = Some(
                self.from
                    .take()
                    .map_or(from.clone(), |known| known.max(from)),
            );
        }
        if let Some(to) = to {
            self.to = Some(self.to.take().map_or(to.clone(), |known| known.min(to)));
        }
        Some(())
    }

    fn instant(
        &mut self,
        found: &TimeExpression,
        at: Zoned,
        past: bool,
        now: &Zoned,
    ) -> Option<(Option<Zoned>, Option<Zoned>)> {
        let start = at.start_of_day().ok()?;
        let end = start.checked_add(1.day()).ok()?;
        Some(match found.relation {
            Relation::Before | Relation::Until | Relation::By => (Some(start), Some(at)),
            Relation::After | Relation::From | Relation::Since => {
                self.starts = found.relation == Relation::After;
                (Some(at), (!past).then_some(end))
            }
            // "Three days ago" is the range from then on.
            _ if found.clock.is_none() && at < *now => (Some(at), None),
            _ => {
                let minute = at.checked_add(SignedDuration::from_mins(1)).ok()?;
                (Some(at), Some(minute))
            }
        })
    }

    fn stretch(
        &self,
        found: &TimeExpression,
        day: Option<&Zoned>,
        past: bool,
        now: &Zoned,
    ) -> Option<(Option<Zoned>, Option<Zoned>)> {
        let (mut start, mut end) = found.value.stretch(now)?;
        // "This afternoon", said apart from its day, belongs to that day.
        if let Some(day) = day
            && !found.has_day
            && found.grain <= Grain::Part
        {
            let length = start.duration_until(&end);
            start = day.with().time(start.time()).build().ok()?;
            end = start.checked_add(length).ok()?;
        }
        Some(match found.relation {
            Relation::Before | Relation::By | Relation::Until => {
                let to = match found.relation {
                    Relation::Before => start,
                    _ => end,
                };
                let begin = match found.has_day && found.grain <= Grain::Part {
                    true => Some(to.start_of_day().ok()?),
                    false => (!past && to > *now).then(|| now.clone()),
                };
                (begin, Some(to))
            }
            // "After lunch" is the rest of that day.
            Relation::After if found.grain <= Grain::Part && !past => {
                let next = end.start_of_day().ok()?.checked_add(1.day()).ok()?;
                (Some(end), Some(next))
            }
            Relation::After => (Some(end), None),
            Relation::Since => (Some(start), None),
            Relation::From if past => (Some(start), Some(end)),
            Relation::From if found.grain >= Grain::Week => (Some(start), Some(end)),
            Relation::From => (Some(start), None),
            _ => (Some(start), Some(end)),
        })
    }
}

fn weekday(day: jiff::civil::Weekday) -> &'static str {
    use jiff::civil::Weekday;
    match day {
        Weekday::Monday => "monday",
        Weekday::Tuesday => "tuesday",
        Weekday::Wednesday => "wednesday",
        Weekday::Thursday => "thursday",
        Weekday::Friday => "friday",
        Weekday::Saturday => "saturday",
        Weekday::Sunday => "sunday",
    }
}

fn weekdays(rrule: &str) -> Option<Vec<&'static str>> {
    if rrule.contains("UNTIL=") || rrule.contains("COUNT=") {
        return None;
    }
    let days = rrule
        .split(';')
        .find_map(|part| part.strip_prefix("BYDAY="))?;
    days.split(',')
        .map(|day| {
            Some(match day {
                "MO" => "monday",
                "TU" => "tuesday",
                "WE" => "wednesday",
                "TH" => "thursday",
                "FR" => "friday",
                "SA" => "saturday",
                "SU" => "sunday",
                _ => return None,
            })
        })
        .collect()
}
