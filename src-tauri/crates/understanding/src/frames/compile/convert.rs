//! Converts values of roles to values of arguments.

use adjutant_domain::moment::Moment;
use adjutant_domain::plan::{AnswerKind, Question};
use adjutant_domain::source::Source;
use jiff::Zoned;
use serde_json::{Value as Json, json};

use super::super::binding::Value;
use super::super::lattice::{Filler, Lattice};
use super::point::Point;
use super::schema::ArgumentType;
use super::{Compiler, Unfit, arguments, point, who, words};
use crate::time::{Note, TimeExpression, Value as Time};

/// Returns a value converted to the type of its argument, with its source.
pub(super) fn typed(
    lattice: &Lattice<'_>,
    value: &Value,
    typed: &ArgumentType,
) -> Option<(Json, Source)> {
    let said = words::of(lattice, value);
    let source = Source::Person {
        words: Some(said.clone()),
    };
    let json = match (typed, value) {
        (ArgumentType::People, Value::Filler(Filler::People(people), at)) => {
            json!(who::names(lattice, people, at.start)?)
        }
        (ArgumentType::People, Value::Text(_)) if !said.is_empty() => json!([who::bare(&said)]),
        (ArgumentType::Texts, Value::Filler(Filler::People(people), at)) => {
            json!(who::names(lattice, people, at.start)?)
        }
        (ArgumentType::Texts, _) => json!([said]),
        (ArgumentType::Text, Value::Constant(word)) => json!(word),
        (ArgumentType::Text, _) if said.is_empty() => return None,
        (ArgumentType::Text, _) => json!(said),
        (ArgumentType::Integer, Value::Filler(Filler::Length(time), _)) => {
            json!(minutes(lattice, *time)?)
        }
        (ArgumentType::Integer, Value::Filler(Filler::Number(number), _)) => json!(number),
        (ArgumentType::Boolean, Value::Constant(word)) => json!(*word != "no" && *word != "false"),
        (ArgumentType::Choice(choices), Value::Constant(word)) => choices
            .iter()
            .any(|choice| choice == word)
            .then(|| json!(word))?,
        (ArgumentType::Moment, Value::Filler(Filler::Time(time), _)) => {
            let found = lattice.times.get(*time)?;
            let point = Point::of(&[found], lattice.said.now, lattice.said.settings)?;
            json!(point.moment(lattice.said.now)?)
        }
        _ => return None,
    };
    Some((json, source))
}

/// Returns a length of time in minutes.
pub(super) fn minutes(lattice: &Lattice<'_>, time: usize) -> Option<i64> {
    match &lattice.times.get(time)?.value {
        Time::Duration(length) => {
            #[expect(clippy::cast_possible_truncation, reason = "lengths of centuries fit")]
            let minutes = (length.seconds / 60.0).round() as i64;
            (minutes > 0).then_some(minutes)
        }
        _ => None,
    }
}

impl<'a> Compiler<'a, '_> {
    /// Fills arguments from a role through a converter.
    pub(super) fn convert(&mut self, converter: &str, role: &'static str) -> Result<(), Unfit> {
        match converter {
            "event_time" | "due" if self.frame.has("slot") || self.frame.has("no_day") => Ok(()),
            // "At six the day before my flight": the time relative to the event takes this time of day.
            "event_time" | "due" if self.frame.has("relative") && self.only_clock(role) => Ok(()),
            "no_day" => self.no_day(role),
            "event_time" => self.event_time(role),
            "slot" => self.slot(),
            // A remark mentions no list.
            "of_it" if self.family() == "note" && self.only_remarked() => Err(Unfit("a remark")),
            "of_it" => match self.earlier_step("it", self.family(), &[]) {
                true => Ok(()),
                false => Err(Unfit("nothing before")),
            },
            "free_slot" => self.set_slot(role),
            "mail_title" => self.mail_title(role),
            "free_after" => self.free_after(role),
            "list_after" => self.list_after(role),
            "until" | "second" => self.counted("to", role),
            "since" | "first" => self.counted("from", role),
            "due" => self.due(role),
            "after" => self.after(role),
            "moved" => self.moved(role),
            "shift" => self.shift(role),
            "ends" => self.ends(role),
            "often" => self.often(role),
            "title" => self.title(role),
            "needle" => self.sought(role),
            "target" => self.target(role),
            "relative_due" => self.relative("due", role),
            "relative_start" => self.relative("start", role),
            "relative_moved" => self.relative("changes.start", role),
            "body" => self.body(role),
            "subject" => self.subject(role),
            "sender" => self.sender(role),
            "here" => self.here(),
            "recalled" => self.recalled(role),
            "spent_when" => self.spent_when(role),
            "sought_words" => self.sought_words(role),
            "alarm_hour" => self.alarm_hour(role),
            "latest" => self.latest(role),
            "company_of_it" => self.company_of_it(role),
            "hour" => self.hour(role),
            "hour_of_it" => self.hour_of_it(role),
            "series_from" => self.series_from(role),
            "answered" => self.answered(role),
            "drafted" => self.drafted(role),
            "enclosed" => self.enclosed(role),
            "recipients" => self.recipients(role),
            "event_named" => self.event_named(),
            "about_it" => self.about_it(),
            "told_event" => self.told_event(),
            _ => self.keep(converter, role),
        }
    }

    /// Returns the family of the tool: "calendar" for "calendar.list".
    fn family(&self) -> &'a str {
        self.tool.name.split('.').next().unwrap_or("")
    }

    pub(super) fn time_expressions(&self, role: &str) -> Vec<&'a TimeExpression> {
        let lattice = self.lattice;
        // "From 3 to 4 on Friday": both times are on that day.
        let day = self.frame.times(if role == "to" { "day" } else { "" });
        let times = self.frame.times(role).chain(day);
        times.filter_map(|time| lattice.times.get(time)).collect()
    }

    pub(super) fn person_source(&self, role: &str) -> Source {
        let said = self
            .frame
            .all(role)
            .map(|value| words::of(self.lattice, value));
        Source::Person {
            words: Some(said.collect::<Vec<_>>().join(" ")),
        }
    }

    pub(super) fn point(&self, role: &str) -> Result<Point, Unfit> {
        let (now, settings) = (self.lattice.said.now, self.lattice.said.settings);
        let founds = self.time_expressions(role);
        let point = match self.begun(&founds)? {
            Some(whole) => Point::of(&[&whole], now, settings),
            None => Point::of(&founds, now, settings),
        };
        point.ok_or(Unfit("times contradict each other"))
    }

    /// Fills start, end and recurrence of a new event.
    fn event_time(&mut self, role: &'static str) -> Result<(), Unfit> {
        let mut point = self.point(role)?;
        let source = self.person_source(role);
        let now = self.lattice.said.now;
        if let Some(last) = self.last_evening_hour(self.title_tokens())
            && self.may_be_later(&self.time_expressions(role))
        {
            point.in_the_evening(last);
        }
        let often = self.frame.constant("freq").map(str::to_owned);
        if let Some(rrule) = point.rrule.clone().or(often) {
            self.arguments.set("rrule", json!(rrule), source.clone());
        }
        let long = self
            .frame
            .times("length")
            .find_map(|time| minutes(self.lattice, time));
        if point.rrule.is_some() && long.is_some_and(|minutes| minutes >= 24 * 60) {
            // "Saturdays for six weeks" says how long the event recurs.
            return Err(Unfit("too long to repeat"));
        }
        // "Block Friday" is the whole day, "block Friday from 2 to 4" is not.
        let day_long = self.frame.has("day_long")
            && point.part.is_none()
            && self
                .time_expressions(role)
                .iter()
                .all(|one| one.clock.is_none());
        let whole = day_long || self.frame.has("all_day") || self.title_holds("whole_days");
        if let Some(part) = self.frame.constant("then_part") {
            point.in_part(
                part,
                &self.time_expressions(role),
                self.lattice.said.settings,
            );
        }
        if point.open && !whole {
            // The range does not say which of its days is meant.
            self.ask_when("When should {title} be?".to_owned(), Json::Null, role);
            return Ok(());
        }
        if let (true, Some(part), Some(day)) = (self.frame.has("block"), point.part, point.date) {
            let end = day.to_datetime(part.1).to_zoned(now.time_zone().clone());
            point.end = end.ok().map(Moment::At);
            point.loose = false;
        }
        let days = matches!(point.end, Some(Moment::Day(_)));
        let moment = point.moment(now).ok_or(Unfit("no day"))?;
        let start = match &moment {
            Moment::At(at) if (whole || days) && point.loose => Moment::Day(at.date()),
            moment => moment.clone(),
        };
        let exact = match &start {
            Moment::At(_) => !point.loose,
            Moment::Day(_) => whole || days,
        };
        match self.frame.constant("only") {
            // "I need an hour for the draft between 2 and 6": an hour that has to be found.
            Some("clock") if !exact || point.end.is_some() && long.is_some() => {
                return Err(Unfit("no hour"));
            }
            Some("series") if point.rrule.is_none() => return Err(Unfit("not a series")),
            _ => {}
        }
        if !exact {
            // Never guess an hour: ask for it, and keep the day for the answer.
            let day = Moment::Day(start.date(now.time_zone()));
            let text = format!("At what time on {} should {{title}} be?", self.day(&day));
            self.ask_when(text, json!(day), role);
            return Ok(());
        }
        if let (Moment::At(at), Some(time)) = (&start, self.frame.times("ends").next()) {
            point.end = Some(self.end_after(at, time)?);
        }
        let end = point
            .end
            .as_ref()
            .filter(|end| end.is_day() == start.is_day());
        if let Some(end) = end.filter(|_| !self.frame.has("length")) {
            self.arguments.set("end", json!(end), source.clone());
        }
        self.arguments.set("start", json!(start), source);
        Ok(())
    }

    /// Returns the first moment after the start at which a clock shows the time that was said for the end.
    fn end_after(&self, start: &Zoned, time: usize) -> Result<Moment, Unfit> {
        let found = self.lattice.times.get(time).filter(|found| !found.has_day);
        let found = found.ok_or(Unfit("no end"))?;
        let other = found.notes.iter().find_map(|note| match note {
            Note::HourAssumed(other) => Some(other.time()),
            _ => None,
        });
        let ends = found.clock.into_iter().chain(other).filter_map(|clock| {
            let day = match clock > start.time() {
                true => start.date(),
                false => start.date().tomorrow().ok()?,
            };
            let zone = start.time_zone().clone();
            day.to_datetime(clock).to_zoned(zone).ok()
        });
        ends.min().map(Moment::At).ok_or(Unfit("no end"))
    }

    /// Asks again for a date that its month does not have: "the 31st of April".
    fn no_day(&mut self, role: &'static str) -> Result<(), Unfit> {
        let day = self.frame.all(role).find_map(|value| match value {
            Value::Filler(Filler::Ordinal(day) | Filler::Number(day), _) => Some(*day),
            _ => None,
        });
        let month = self
            .frame
            .constant("month")
            .and_then(|name| name.split_once('.'));
        let (name, days) = month.ok_or(Unfit("no month"))?;
        let days: i64 = days.parse().map_err(|_| Unfit("no month"))?;
        let day = day
            .filter(|day| (days + 1..=31).contains(day))
            .ok_or(Unfit("a day"))?;
        let slot = if self.takes("due") { "due" } else { "start" };
        let text = format!("There is no {day} {name}. When should {{title}} be?");
        self.arguments
            .set(slot, Json::Null, self.person_source(role));
        self.question = Some(Question {
            text: words::fill(
                self.lattice,
                self.frame,
                &text.replace("{title}", "“{title}”"),
            ),
            choices: Vec::new(),
            slot: arguments::pointer(slot),
            answer: AnswerKind::Moment,
        });
        Ok(())
    }

    pub(super) fn ask_when(&mut self, text: String, known: Json, role: &'static str) {
        self.arguments.set("start", known, self.person_source(role));
        self.question = Some(Question {
            text: words::fill(
                self.lattice,
                self.frame,
                &text.replace("{title}", "“{title}”"),
            ),
            choices: Vec::new(),
            slot: arguments::pointer("start"),
            answer: AnswerKind::Moment,
        });
    }

    pub(super) fn day(&self, day: &Moment) -> String {
        let date = day.date(self.lattice.said.now.time_zone());
        date.strftime("%A, %-d %B").to_string()
    }

    /// Reports whether a role has only times of day.
    pub(super) fn only_clock(&self, role: &str) -> bool {
        let founds = self.time_expressions(role);
        let clock = |found: &TimeExpression| {
            found.clock.is_some() || found.grain == crate::time::Grain::Part
        };
        let whole =
            |found: &TimeExpression| matches!(found.value, Time::Set { .. } | Time::Duration(_));
        !founds.is_empty()
            && founds
                .iter()
                .all(|found| !found.has_day && clock(found) && !whole(found))
    }

    /// Reports whether the times of a role say a day and a time of day.
    pub(super) fn says_day_and_clock(&self, role: &str) -> bool {
        let founds = self.time_expressions(role);
        founds.iter().any(|found| found.has_day) && founds.iter().any(|found| found.clock.is_some())
    }

    /// Fills when a task is due, and when its reminder rings.
    fn due(&mut self, role: &'static str) -> Result<(), Unfit> {
        let mut point = self.point(role)?;
        let founds = self.time_expressions(role);
        if self.frame.has("morning") {
            point.in_the_morning(&founds);
        }
        if let Some(part) = self.frame.constant("then_part") {
            point.in_part(part, &founds, self.lattice.said.settings);
            let behind_noon = point.clock.is_some_and(|clock| clock.hour() >= 12);
            if (part == "morning") == behind_noon {
                // "The dentist is on Friday at three, remind me that morning": three is not when the reminder should
                // ring.
                return Err(Unfit("another part of the day"));
            }
        }
        point.ahead(&founds, self.lattice.said.now);
        let source = self.person_source(role);
        let now = self.lattice.said.now;
        let mut due = point.moment(now).ok_or(Unfit("no day"))?;
        // "A weekly task, first one on Monday": weekly on that day.
        let often = self.frame.constant("freq").map(|often| {
            let day = due.date(now.time_zone()).strftime("%a").to_string();
            match often.starts_with("FREQ=WEEKLY") {
                true => format!(
                    "{often};BYDAY={}",
                    day.to_uppercase().get(..2).unwrap_or("")
                ),
                false => often.to_owned(),
            }
        });
        if let Some(rrule) = point.rrule.clone().or(often) {
            self.arguments.set("rrule", json!(rrule), source.clone());
        }
        let rings = self.frame.has("rings");
        let begins = self.lattice.said.settings.work_start;
        let ring = |day: jiff::civil::Date| {
            let at = day.to_datetime(begins).to_zoned(now.time_zone().clone());
            at.ok().filter(|at| at > now)
        };
        if let (true, Moment::Day(day), Some(rule)) = (rings, &due, &point.rrule)
            && ring(*day).is_none()
        {
            // The reminder of a recurring task rings first on the next of its days that is not over.
            due = Moment::Day(point::next_day(rule, *day).ok_or(Unfit("no day"))?);
        }
        if let (true, Moment::Day(day)) = (rings, &due)
            && let Some(at) = ring(*day)
        {
            // A reminder for a day rings when work begins.
            self.arguments
                .set("remind_at", json!(Moment::At(at)), Source::Settings);
        }
        let last = point.end.as_ref().filter(|end| end.is_day());
        if due.date(now.time_zone()) < now.date()
            && let Some(last) = last.filter(|last| last.date(now.time_zone()) >= now.date())
        {
            // "This week", said on a Wednesday, means by the end of it.
            due = last.clone();
        }
        if due.date(now.time_zone()) < now.date() {
            // A past time belongs to something else: "get rid of my mails from last week" is not a task of last week.
            return Err(Unfit("over"));
        }
        self.arguments.set("due", json!(due), source);
        Ok(())
    }

    /// Fills the words to search for, without small words.
    fn sought(&mut self, role: &'static str) -> Result<(), Unfit> {
        let value = self.frame.get(role).ok_or(Unfit("no words"))?;
        let words = self.needle(value, None)?;
        self.arguments
            .set(role, json!(words), self.person_source(role));
        Ok(())
    }
}
