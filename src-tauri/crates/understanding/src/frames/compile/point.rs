//! Combines times into the time of something new or moved.

use adjutant_domain::moment::Moment;
use adjutant_domain::settings::Settings;
use jiff::civil::{Date, Time as Clock};
use jiff::{SignedDuration, ToSpan, Zoned};

use crate::time::{Grain, Note, Policy, Relation, TimeExpression, Value};

/// The time of something.
#[derive(Clone, Debug, Default, PartialEq)]
pub(in super::super) struct Point {
    /// Its date.
    pub date: Option<Date>,
    /// Its time of day.
    pub clock: Option<Clock>,
    /// Its end; for whole days, the last day.
    pub end: Option<Moment>,
    /// Its recurrence rule.
    pub rrule: Option<String>,
    /// How long each occurrence lasts, if the words of the recurrence say so.
    pub lasts: Option<SignedDuration>,
    /// Whether only a part of a day, or several days, were said.
    pub loose: bool,
    /// The part of the day that was said, from its beginning to its end.
    pub part: Option<(Clock, Clock)>,
    /// Whether it is an unspecified day of a week or a longer range.
    pub open: bool,
    /// The time zone of its time of day.
    pub zone: Option<jiff::tz::TimeZone>,
}

impl Point {
    /// Moves an ambiguous hour of the afternoon or evening to the morning: nobody sets an alarm for half past six in
    /// the evening.
    pub fn in_the_morning(&mut self, founds: &[&TimeExpression]) {
        let open = founds.iter().flat_map(|found| &found.notes);
        let mut open = open.filter(|note| matches!(note, Note::HourAssumed(_)));
        let early = |clock: Clock| (16..=23).contains(&clock.hour());
        if open.next().is_some()
            && let Some(clock) = self.clock.filter(|clock| early(*clock))
        {
            self.clock = Some(clock.wrapping_sub(SignedDuration::from_hours(12)));
        }
    }

    /// Moves an hour of the morning to the evening: dinner at seven. `last` is the last hour that is moved.
    pub fn in_the_evening(&mut self, last: i8) {
        if let Some(clock) = self
            .clock
            .filter(|clock| (4..=last).contains(&clock.hour()))
        {
            self.clock = Some(clock.wrapping_add(SignedDuration::from_hours(12)));
            if let Some(rule) = &mut self.rrule {
                let hour = |hour: i8| format!("BYHOUR={hour};");
                *rule = rule.replace(&hour(clock.hour()), &hour(clock.hour() + 12));
            }
        }
    }

    /// Applies a part of a day mentioned before: "that evening", "at seven that evening".
    pub fn in_part(&mut self, part: &str, founds: &[&TimeExpression], settings: &Settings) {
        match (self.clock, part) {
            (None, _) => {
                self.clock = Some(begins(part, settings));
                self.loose = true;
            }
            (Some(_), "morning") => self.in_the_morning(founds),
            (Some(clock), _) if (1..=11).contains(&clock.hour()) => {
                let open = founds.iter().flat_map(|found| &found.notes);
                if open
                    .into_iter()
                    .any(|note| matches!(note, Note::HourAssumed(_)))
                {
                    self.clock = Some(clock.wrapping_add(SignedDuration::from_hours(12)));
                }
            }
            _ => {}
        }
    }

    /// Moves a time of day that is already over to tomorrow, if no day was said.
    pub fn ahead(&mut self, founds: &[&TimeExpression], now: &Zoned) {
        let told = founds.iter().any(|found| found.has_day);
        let clock = founds.iter().any(|found| found.clock.is_some()) || self.part.is_some();
        if !told
            && clock
            && self.rrule.is_none()
            && let Some(Moment::At(at)) = self.moment(now)
            && at <= *now
        {
            self.date = self.date.and_then(|day| day.tomorrow().ok());
        }
    }

    /// Returns the moment: an instant if the time of day is known, otherwise a day.
    pub fn moment(&self, now: &Zoned) -> Option<Moment> {
        let zone = self.zone.clone().unwrap_or_else(|| now.time_zone().clone());
        match (self.date?, self.clock) {
            (date, Some(clock)) => date.to_datetime(clock).to_zoned(zone).ok().map(Moment::At),
            (date, None) => Some(Moment::Day(date)),
        }
    }

    /// Combines several times: the day of one, the time of day of another. Returns `None` if they contradict each
    /// other.
    pub fn of(founds: &[&TimeExpression], now: &Zoned, settings: &Settings) -> Option<Self> {
        let mut point = Self::default();
        let repeats = |found: &TimeExpression| matches!(found.value, Value::Set { .. });
        let dated = founds.iter().any(|found| found.has_day || repeats(found));
        // Recurrences come first, because other times may end them. Days come next: a time of day said apart from its
        // day belongs to that day.
        let order = |found: &&&TimeExpression| match (&found.value, found.has_day) {
            (Value::Set { .. }, _) => 0,
            (_, true) => 1,
            (_, false) => 2,
        };
        let mut ordered: Vec<&&TimeExpression> = founds.iter().collect();
        ordered.sort_by_key(order);
        for found in ordered {
            point.take(found, dated, now, settings)?;
        }
        if point.date.is_none() && point.clock.is_some() {
            point.date = Some(now.date());
        }
        if let (None, Some(length), Some(Moment::At(start))) =
            (&point.end, point.lasts, point.moment(now))
        {
            point.end = start.checked_add(length).ok().map(Moment::At);
        }
        Some(point)
    }

    fn take(
        &mut self,
        found: &TimeExpression,
        dated: bool,
        now: &Zoned,
        settings: &Settings,
    ) -> Option<()> {
        let elsewhere = dated && !found.has_day;
        match &found.value {
            Value::Instant(at) => {
                let clock = found.clock.map(|_| match elsewhere {
                    true => found.clock_elsewhere(Policy::of(settings).first_morning_hour),
                    false => Some(at.time()),
                });
                if self.clock.is_some() && clock.is_some() {
                    return None;
                }
                self.day(at.date(), elsewhere)?;
                self.clock = self.clock.or(clock.unwrap_or_else(|| Some(at.time())));
                self.zone = Some(at.time_zone().clone());
            }
            Value::Date(day) if found.relation == Relation::Until && self.rrule.is_some() => {
                self.until(*day);
            }
            Value::Date(day) if found.relation == Relation::Until => {
                self.end = Some(Moment::Day(*day));
            }
            Value::Date(day) if found.relation == Relation::Before => {
                // Something to be done before a day is too late on that day.
                let before = day.yesterday().ok().filter(|day| *day >= now.date());
                self.day(before.unwrap_or(*day), false)?;
            }
            Value::Date(day) => self.day(*day, false)?,
            Value::Interval { start, end } => {
                self.stretch(found, start, end, elsewhere, settings)?
            }
            Value::Set {
                rrule,
                first,
                lasts,
                ..
            } => {
                self.repeated(rrule, first.as_ref(), found, now)?;
                self.lasts = *lasts;
            }
            Value::Duration(_) => return None,
        }
        Some(())
    }

    fn day(&mut self, day: Date, elsewhere: bool) -> Option<()> {
        if elsewhere || self.date == Some(day) {
            return Some(());
        }
        if self.date.is_some() {
            return None;
        }
        self.date = Some(day);
        Some(())
    }

    fn until(&mut self, day: Date) {
        if let Some(rule) = self.rrule.as_mut().filter(|rule| !rule.contains("UNTIL=")) {
            rule.push_str(&format!(";UNTIL={}T235959", day.strftime("%Y%m%d")));
        }
    }

    fn stretch(
        &mut self,
        found: &TimeExpression,
        start: &Zoned,
        end: &Zoned,
        elsewhere: bool,
        settings: &Settings,
    ) -> Option<()> {
        let midnight = Clock::midnight();
        if self.rrule.is_some() && found.relation == Relation::Until {
            let last = end.checked_sub(SignedDuration::from_secs(1)).ok()?;
            self.until(last.date());
            return Some(());
        }
        if found.relation == Relation::By {
            self.loose = true;
            return self.day(last_day(end)?, elsewhere);
        }
        if found.relation == Relation::Before && found.grain >= Grain::Day {
            // "Before next week" means the last day before it.
            return self.day(start.date().yesterday().ok()?, elsewhere);
        }
        let length = start.duration_until(end);
        if found.clock.is_some() || found.grain <= Grain::Hour {
            self.day(start.date(), elsewhere)?;
            if self.clock.is_some() {
                return None;
            }
            let clock = match elsewhere {
                true => found.clock_elsewhere(Policy::of(settings).first_morning_hour),
                false => None,
            };
            self.clock = Some(clock.unwrap_or_else(|| start.time()));
            self.zone = Some(start.time_zone().clone());
            let Some(Moment::At(from)) = self.moment(start) else {
                return None;
            };
            self.end = from.checked_add(length).ok().map(Moment::At);
            return Some(());
        }
        self.day(start.date(), elsewhere)?;
        self.loose = true;
        if found.grain == Grain::Part {
            // A morning begins when work begins, not at six.
            let (from, to) = (start.time(), end.time());
            let works = from < settings.work_start && (to > settings.work_start || to == midnight);
            let begins = if works { settings.work_start } else { from };
            self.clock = self.clock.or(Some(begins));
            self.part = Some((begins, to));
        } else if length.as_hours() > 24 {
            self.open = found.grain >= Grain::Week;
            self.end = Some(Moment::Day(last_day(end)?));
        }
        Some(())
    }

    fn repeated(
        &mut self,
        rrule: &str,
        first: Option<&Zoned>,
        found: &TimeExpression,
        now: &Zoned,
    ) -> Option<()> {
        if self.rrule.is_some() {
            return None;
        }
        self.rrule = Some(rrule.to_owned());
        let first = first?;
        self.day(first.date(), self.date.is_some())?;
        if found.clock.is_some() || first.time() != Clock::midnight() {
            self.clock = self.clock.or_else(|| Some(first.time()));
        }
        // The first occurrence is the next one to come.
        let passed = self.date == Some(now.date()) && self.clock.is_some_and(|at| at < now.time());
        if passed {
            self.date = next_day(rrule, now.date());
        }
        Some(())
    }
}

/// Returns the time at which a part of the day begins; a morning begins when work begins, not at six.
pub(super) fn begins(part: &str, settings: &Settings) -> Clock {
    let policy = Policy::of(settings);
    let from = match part {
        "morning" => return settings.work_start,
        "afternoon" => policy.afternoon.from,
        "night" => policy.night.from,
        _ => policy.evening.from,
    };
    let hour = i8::try_from(from).unwrap_or(0);
    Clock::new(hour, 0, 0, 0).unwrap_or(settings.work_start)
}

/// Returns the last day of a range that ends before `end`.
fn last_day(end: &Zoned) -> Option<Date> {
    if end.time() == Clock::midnight() {
        end.date().yesterday().ok()
    } else {
        Some(end.date())
    }
}

/// Returns the next day after `day` on which a recurrence may begin: the day after for a daily one, otherwise the next
/// of its days.
pub(super) fn next_day(rule: &str, day: Date) -> Option<Date> {
    const CODES: [&str; 7] = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"];
    let part = |name: &str| rule.split(';').find_map(|part| part.strip_prefix(name));
    let freq = part("FREQ=")?;
    let days: Vec<&str> = part("BYDAY=").map_or_else(Vec::new, |days| days.split(',').collect());
    let fits = |day: &Date| {
        let code = usize::try_from(day.weekday().to_monday_zero_offset()).ok();
        code.and_then(|at| CODES.get(at))
            .is_some_and(|code| days.contains(code))
    };
    match freq {
        "DAILY" => day.tomorrow().ok(),
        "WEEKLY" if days.is_empty() => day.checked_add(1.week()).ok(),
        "WEEKLY" => (1..=7).find_map(|more| day.checked_add(more.days()).ok().filter(fits)),
        "MONTHLY" => day.checked_add(1.month()).ok(),
        _ => day.checked_add(1.year()).ok(),
    }
}
