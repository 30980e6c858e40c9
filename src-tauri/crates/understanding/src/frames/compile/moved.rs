//! Changes the time of an existing thing: a new time, end or recurrence, or a shift.

use adjutant_domain::moment::Moment;
use adjutant_domain::plan::{AnswerKind, Question};
use adjutant_domain::record::Kind;
use jiff::civil::{Date, Time as Clock};
use jiff::{SignedDuration, ToSpan};
use serde_json::{Value as Json, json};

use super::super::binding::Value;
use super::super::ground;
use super::super::lattice::Filler;
use super::change::time_of_day;
use super::convert::minutes;
use super::point::Point;
use super::{Compiler, Unfit, arguments, words};
use crate::time::{Grain, Policy, Relation, TimeExpression, Value as Time};

/// The first hour of the day for which people plan something without saying that it is early.
const EARLIEST: i64 = 6;

/// Returns the half of the day in which an ambiguous time of day is nearer to an hour: for a dinner at 19, "7:30" is in
/// the evening. The night is meant only for what is in the night already.
fn near_to(clock: Clock, near: i8) -> Clock {
    let hour = time_of_day(clock.hour().into(), near.into());
    if hour < EARLIEST && i64::from(near) >= EARLIEST {
        return clock;
    }
    #[expect(clippy::cast_possible_truncation, reason = "an hour of a day fits")]
    let hour = hour as i8;
    Clock::new(hour, clock.minute(), 0, 0).unwrap_or(clock)
}

impl Compiler<'_, '_> {
    /// Fills a new time: a new day keeps the time of day, and a new time of day keeps the day.
    pub(super) fn moved(&mut self, role: &'static str) -> Result<(), Unfit> {
        let founds = self.time_expressions(role);
        let mut point = self.point(role)?;
        let named = self.frame.inner("target").map(|thing| thing.span.clone());
        let last = named.and_then(|tokens| self.last_evening_hour(tokens));
        let last = last.filter(|_| self.may_be_later(&founds));
        let evening = last.is_some();
        if let Some(last) = last {
            point.in_the_evening(last);
        }
        let source = self.person_source(role);
        let now = self.lattice.said.now;
        let task = self.tool.name.starts_with("task.");
        let dated = founds
            .iter()
            .any(|found| found.has_day || found.clock.is_none());
        let beside =
            |found: &&TimeExpression| matches!(found.relation, Relation::Before | Relation::After);
        if !task && founds.iter().any(beside) {
            // "To after lunch" does not say exactly when.
            return Err(Unfit("no exact time"));
        }
        let vague = founds.iter().any(|found| found.grain >= Grain::Week);
        if point.rrule.is_some() {
            return Err(Unfit("no exact time"));
        }
        if vague
            && self.frame.has("same")
            && let Some(day) = self.same_day(&founds)
        {
            self.arguments
                .set("changes.start", json!(Moment::Day(day)), source);
            return Ok(());
        }
        if vague && !founds.iter().any(|found| found.relation == Relation::By) {
            // "To next week" means a day of that week, but not which one.
            let field = if task { "changes.due" } else { "changes.start" };
            self.arguments.set(field, Json::Null, source);
            self.question = Some(Question {
                text: words::fill(self.lattice, self.frame, "When exactly should it be?"),
                choices: Vec::new(),
                slot: arguments::pointer(field),
                answer: AnswerKind::Moment,
            });
            return Ok(());
        }
        // "Nine", said at ten, means nine in the morning when it applies to another day.
        let morning = Policy::of(self.lattice.said.settings).first_morning_hour;
        let clock = founds
            .iter()
            .find_map(|found| found.clock_elsewhere(morning));
        let clock = clock.filter(|_| !evening).or(point.clock);
        let clock = match (dated || evening, self.hour_now()) {
            (false, Some(near)) if self.may_be_later(&founds) => {
                clock.map(|clock| near_to(clock, near))
            }
            _ => clock,
        };
        if let (false, Some(clock)) = (dated, clock) {
            let field = if task {
                "changes.due_time"
            } else {
                "changes.time"
            };
            let time = clock.strftime("%H:%M").to_string();
            self.arguments.set(field, json!(time), source.clone());
        } else {
            let moment = point.moment(now).ok_or(Unfit("no day"))?;
            let moment = match moment {
                // A task may be moved to a part of a day, an event only to the day.
                Moment::At(at) if point.loose && !(task && point.part.is_some()) => {
                    Moment::Day(at.date())
                }
                moment => moment,
            };
            let field = if task { "changes.due" } else { "changes.start" };
            self.arguments.set(field, json!(moment), source.clone());
        }
        if let (false, Some(end)) = (task, point.end) {
            self.arguments.set("changes.end", json!(end), source);
        }
        Ok(())
    }

    /// Returns the hour at which the thing that is moved begins now, if it is known.
    fn hour_now(&self) -> Option<i8> {
        let Some(target) = self.frame.inner("target") else {
            return self.clock_said_before().map(|clock| clock.hour());
        };
        let known = ground::look_up(self.lattice, target, Kind::Event).when?;
        match known {
            Moment::At(at) => {
                let zone = self.lattice.said.now.time_zone().clone();
                Some(at.with_time_zone(zone).hour())
            }
            Moment::Day(_) => None,
        }
    }

    /// Returns the same day of the week in another week: "the same time next week".
    fn same_day(&self, founds: &[&TimeExpression]) -> Option<Date> {
        let target = self.frame.inner("target")?;
        let known = ground::look_up(self.lattice, target, Kind::Event).when?;
        let now = self.lattice.said.now;
        let (start, end) = founds.first()?.value.stretch(now)?;
        let weekday = known.date(now.time_zone()).weekday();
        let mut days = start.date().series(1.day()).take(7);
        days.find(|day| day.weekday() == weekday && *day < end.date())
    }

    /// Fills a new end. Its date is that of the event, if the new end does not say one.
    pub(super) fn ends(&mut self, role: &'static str) -> Result<(), Unfit> {
        let mut founds = self.time_expressions(role);
        if !founds.iter().any(|found| found.has_day) {
            let target = self.frame.inner("target").ok_or(Unfit("no target"))?;
            let days = target.times("when");
            let days = days.filter_map(|time| self.lattice.times.get(time));
            founds.extend(days.filter(|found| found.has_day && found.clock.is_none()));
        }
        let (now, settings) = (self.lattice.said.now, self.lattice.said.settings);
        let mut point = Point::of(&founds, now, settings).ok_or(Unfit("no end"))?;
        if !founds.iter().any(|found| found.has_day) {
            return self.ends_on_its_day(&mut point, role);
        }
        if let Some(day) = self.last_day(&founds, &point) {
            self.arguments.set(
                "changes.end",
                json!(Moment::Day(day)),
                self.person_source(role),
            );
            return Ok(());
        }
        let end = point.moment(now).filter(|end| !end.is_day());
        let known = founds.iter().any(|found| found.has_day) && !point.loose;
        let end = end.filter(|_| known).ok_or(Unfit("no end"))?;
        self.arguments
            .set("changes.end", json!(end), self.person_source(role));
        Ok(())
    }

    /// Returns the new last day of an event that takes whole days: "make the trip last until the 27th".
    fn last_day(&self, founds: &[&TimeExpression], point: &Point) -> Option<Date> {
        let target = self.frame.inner("target")?;
        let known = ground::look_up(self.lattice, target, Kind::Event).when?;
        let clock = founds.iter().any(|found| found.clock.is_some());
        let vague = founds.iter().any(|found| found.grain >= Grain::Week);
        if !known.is_day() || clock || vague {
            return None;
        }
        let end = point.end.clone().filter(Moment::is_day);
        match end.or_else(|| point.moment(self.lattice.said.now))? {
            Moment::Day(day) => Some(day),
            Moment::At(_) => None,
        }
    }

    /// Fills a new end at a time of day, on the day of the event that the calendar knows by its name.
    fn ends_on_its_day(&mut self, point: &mut Point, role: &'static str) -> Result<(), Unfit> {
        let now = self.lattice.said.now;
        let target = self.frame.inner("target").ok_or(Unfit("no target"))?;
        let known = ground::look_up(self.lattice, target, Kind::Event).when;
        // A series is known by its first day, which has passed.
        let Some(Moment::At(start)) = known.filter(|when| when.date(now.time_zone()) >= now.date())
        else {
            return Err(Unfit("no end"));
        };
        let start = start.with_time_zone(now.time_zone().clone());
        let clock = point.clock.ok_or(Unfit("no end"))?;
        point.date = match clock > start.time() {
            true => Some(start.date()),
            false => start.date().tomorrow().ok(),
        };
        let end = point.moment(now).ok_or(Unfit("no end"))?;
        self.arguments
            .set("changes.end", json!(end), self.person_source(role));
        Ok(())
    }

    /// Fills a new recurrence.
    pub(super) fn often(&mut self, role: &'static str) -> Result<(), Unfit> {
        let rrule = self.point(role)?.rrule.ok_or(Unfit("no repetition"))?;
        self.arguments
            .set("changes.rrule", json!(rrule), self.person_source(role));
        Ok(())
    }

    /// Fills the time at which a timer of the given length rings.
    pub(super) fn after(&mut self, role: &'static str) -> Result<(), Unfit> {
        let time = self.frame.times(role).next().ok_or(Unfit("no length"))?;
        let amount = minutes(self.lattice, time).ok_or(Unfit("no length"))?;
        let end = self
            .lattice
            .said
            .now
            .checked_add(SignedDuration::from_mins(amount));
        let end = Moment::At(end.map_err(|_| Unfit("too long"))?);
        self.arguments
            .set("due", json!(end), self.person_source(role));
        Ok(())
    }

    /// Fills the time of an alarm from a bare hour: four to eleven mean the morning, other hours the next time a clock
    /// shows them.
    pub(super) fn alarm_hour(&mut self, role: &'static str) -> Result<(), Unfit> {
        let hour = self.frame.all(role).find_map(|value| match value {
            Value::Filler(Filler::Number(hour @ 1..=12), _) => i8::try_from(*hour).ok(),
            _ => None,
        });
        let hour = hour.ok_or(Unfit("no hour"))?;
        let now = self.lattice.said.now;
        let hours = match hour {
            4..=11 => vec![hour, hour + 24],
            12 => vec![12, 24, 36],
            _ => vec![hour, hour + 12, hour + 24],
        };
        let midnight = now.start_of_day().map_err(|_| Unfit("no day"))?;
        let rings = hours.into_iter().filter_map(|hour| {
            let at = midnight.datetime().checked_add(i64::from(hour).hours());
            at.ok()?.to_zoned(now.time_zone().clone()).ok()
        });
        let next = rings.into_iter().find(|at| at > now);
        let next = Moment::At(next.ok_or(Unfit("no day"))?);
        self.arguments
            .set("due", json!(next), self.person_source(role));
        Ok(())
    }

    /// Shifts the time to be earlier or later.
    pub(super) fn shift(&mut self, role: &'static str) -> Result<(), Unfit> {
        /// Minutes per day.
        const DAY: i64 = 24 * 60;
        let time = self.frame.times(role).next().ok_or(Unfit("no length"))?;
        let value = self.frame.get(role);
        if matches!(value, Some(Value::Filler(_, tokens)) if self.lattice.word(tokens.start) == "to")
        {
            // "Change it to 45 minutes" sets the length.
            return Err(Unfit("a length, not a shift"));
        }
        let amount = minutes(self.lattice, time).ok_or(Unfit("no length"))?;
        let months = match self.lattice.times.get(time).map(|found| &found.value) {
            Some(Time::Duration(length)) => {
                i64::from(length.span.get_years()) * 12 + i64::from(length.span.get_months())
            }
            _ => 0,
        };
        let sign = if self.frame.has("earlier") { -1 } else { 1 };
        let (field, count) = match () {
            () if months > 0 => ("changes.shift_months", months),
            () if amount % DAY == 0 => ("changes.shift_days", amount / DAY),
            () => ("changes.shift_minutes", amount),
        };
        self.arguments
            .set(field, json!(sign * count), self.person_source(role));
        Ok(())
    }
}
